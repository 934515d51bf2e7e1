//! What the algorithms tell their observers: pictures are drawn from it.

use proptest::prelude::*;

use crate::laboratory::algorithms::{Algorithm, Settings};
use crate::laboratory::testing::{Sketch, any_tree, minimax};
use crate::laboratory::{Cut, ExplicitTree, GameTree, Observer, Pass, Value, Window};

/// A node under search.
struct Visit {
    node: u32,
    window: Window,
    /// Of each child whether it is accounted for: searched, or said to be left out.
    seen: Vec<bool>,
    best: Option<Value>,
    evaluated: bool,
}

/// Notes whatever the reports of a search contradict.
#[derive(Default)]
struct Judge {
    path: Vec<Visit>,
    passes: usize,
    faults: Vec<String>,
    /// Whether it is Figure 2 that is judged, whose missing guards make empty windows and bounds
    /// that may be false.
    figure_2: bool,
}

impl Judge {
    fn demand(&mut self, truth: bool, what: &str, node: u32) {
        if !truth {
            self.faults.push(format!("node {node}: {what}"));
        }
    }

    /// The visit that a report is about, which must be of the node under search.
    fn visit(&mut self, node: u32) -> &mut Visit {
        let current = self.path.last().map(|visit| visit.node);
        self.demand(current == Some(node), "a report of a node that is not under search", node);
        self.path.last_mut().expect("some node is under search")
    }

    fn left_out(&mut self, node: u32, child: usize) {
        let seen = std::mem::replace(&mut self.visit(node).seen[child], true);
        self.demand(!seen, "a child that was searched is left out, or one is twice", node);
    }
}

impl Observer<ExplicitTree> for Judge {
    fn enter(&mut self, tree: &ExplicitTree, &node: &u32, window: Window, _: Pass) {
        self.demand(self.figure_2 || window.alpha < window.beta, "an empty window", node);
        if let Some(parent) = self.path.last_mut() {
            let child = (0..parent.seen.len()).find(|&n| tree.child(&parent.node, n) == node);
            if let Some(child) = child {
                parent.seen[child] = true;
            }
            self.demand(child.is_some(), "not a child of the node under search", node);
        } else {
            self.passes += 1;
        }
        let seen = vec![false; tree.width(&node)];
        self.path.push(Visit { node, window, seen, best: None, evaluated: false });
    }

    fn evaluate(&mut self, _: &ExplicitTree, &leaf: &u32, _: Value) {
        self.visit(leaf).evaluated = true;
    }

    fn improve(&mut self, _: &ExplicitTree, &node: &u32, best: Value) {
        self.visit(node).best = Some(best);
    }

    fn cut(&mut self, tree: &ExplicitTree, &node: &u32, next: usize, cut: Cut) {
        let visit = self.visit(node);
        let (width, best, window) = (visit.seen.len(), visit.best, visit.window);
        self.demand(next < width, "nothing is left out", node);
        (next..width).for_each(|child| self.left_out(node, child));
        if let Cut::Bound(bound) = cut {
            let (passed, own) = if tree.is_max(&node) {
                (best >= Some(bound), window.beta)
            } else {
                (best.is_some_and(|best| best <= bound), window.alpha)
            };
            self.demand(bound == own, "not the opponent's bound", node);
            self.demand(passed, "the bound has not been passed", node);
        }
    }

    fn skip(&mut self, _: &ExplicitTree, &node: &u32, child: usize, _: Cut) {
        self.left_out(node, child);
    }

    fn leave(&mut self, tree: &ExplicitTree, &node: &u32, found: Value) {
        self.visit(node);
        let visit = self.path.pop().expect("it is under search");
        self.demand(visit.seen.iter().all(|&seen| seen), "a child is not accounted for", node);
        let value = minimax(tree, &node);
        let Window { alpha, beta } = visit.window;
        if visit.window.contains(found) {
            self.demand(found == value, "not its value", node);
        } else if !self.figure_2 {
            let bound = found <= alpha && value <= found || found >= beta && value >= found;
            self.demand(bound, "not a bound of its value", node);
        }
    }
}

/// How often an algorithm begins at the root.
pub fn passes(algorithm: Algorithm, sketch: &Sketch, settings: &Settings) -> usize {
    let mut judge = Judge::default();
    algorithm.solve(&sketch.tree(), settings, &mut judge);
    judge.passes
}

/// Those that go down from the root and return there.
const DEPTH_FIRST: [Algorithm; 18] = [
    Algorithm::Minimax,
    Algorithm::AlphaBetaHard,
    Algorithm::AlphaBetaSoft,
    Algorithm::AlphaBetaShallow,
    Algorithm::Scout,
    Algorithm::NegaScout,
    Algorithm::NegaScoutF4,
    Algorithm::NegaScoutF4Minimax,
    Algorithm::NegaScoutGuarded,
    Algorithm::NegaScoutPath,
    Algorithm::Pvs,
    Algorithm::WikiPvs,
    Algorithm::Pns,
    Algorithm::Ins,
    Algorithm::Aspiration,
    Algorithm::MtdPlusInfinity,
    Algorithm::MtdMinusInfinity,
    Algorithm::MtdF,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_reports_of_a_depth_first_search_account_for_every_node_and_are_true(tree in any_tree()) {
        for algorithm in DEPTH_FIRST {
            let figure_2 = algorithm == Algorithm::NegaScout;
            let mut judge = Judge { figure_2, ..Judge::default() };
            algorithm.solve(&tree.tree(), &Settings::default(), &mut judge);
            prop_assert!(judge.path.is_empty(), "{}: nodes are left open", algorithm);
            prop_assert_eq!(judge.faults, Vec::<String>::new(), "{}", algorithm);
        }
    }
}
