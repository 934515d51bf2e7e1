//! Tests of the algorithms' reports to their observers; the drawings are made from these reports.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use crate::algorithms::{Algorithm, AlgorithmSettings, SearchOrder};
use crate::testing::{TestTree, any_tree, minimax};
use crate::{Cut, ExplicitTree, GameTree, Observer, Pass, Value, Window};

struct Visit {
    node: u32,
    window: Window,
    /// For each child: it was searched, or reported as skipped.
    seen: Vec<bool>,
    best: Option<Value>,
    evaluated: bool,
}

/// Records every contradiction in the reports of a search.
#[derive(Default)]
struct ReportChecker {
    path: Vec<Visit>,
    passes: usize,
    faults: Vec<String>,
    /// The algorithm is Figure 2. Because of its missing guards, empty windows and false bounds are
    /// allowed.
    figure_2: bool,
}

impl ReportChecker {
    fn check(&mut self, truth: bool, what: &str, node: u32) {
        if !truth {
            self.faults.push(format!("node {node}: {what}"));
        }
    }

    /// Returns the visit of a report, which must be of the current node.
    fn visit(&mut self, node: u32) -> &mut Visit {
        let current = self.path.last().map(|visit| visit.node);
        self.check(current == Some(node), "a report of a node that is not the current one", node);
        self.path.last_mut().expect("some node is under search")
    }

    fn mark_skipped(&mut self, node: u32, child: usize) {
        let seen = std::mem::replace(&mut self.visit(node).seen[child], true);
        self.check(!seen, "a child was searched and skipped, or skipped twice", node);
    }
}

impl Observer<ExplicitTree> for ReportChecker {
    fn enter(&mut self, tree: &ExplicitTree, &node: &u32, window: Window, _: Pass) {
        self.check(self.figure_2 || window.alpha < window.beta, "an empty window", node);
        if let Some(parent) = self.path.last_mut() {
            let child = (0..parent.seen.len()).find(|&n| tree.child(&parent.node, n) == node);
            if let Some(child) = child {
                parent.seen[child] = true;
            }
            self.check(child.is_some(), "not a child of the current node", node);
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
        self.check(next < width, "nothing is skipped", node);
        (next..width).for_each(|child| self.mark_skipped(node, child));
        if let Cut::Bound(bound) = cut {
            let (passed, own) = if tree.is_max(&node) {
                (best >= Some(bound), window.beta)
            } else {
                (best.is_some_and(|best| best <= bound), window.alpha)
            };
            self.check(bound == own, "not the opponent's bound", node);
            self.check(passed, "the bound has not been passed", node);
        }
    }

    fn skip(&mut self, _: &ExplicitTree, &node: &u32, child: usize, _: Cut) {
        self.mark_skipped(node, child);
    }

    fn leave(&mut self, tree: &ExplicitTree, &node: &u32, found: Value) {
        self.visit(node);
        let visit = self.path.pop().expect("the node is the current one");
        self.check(visit.seen.iter().all(|&seen| seen), "a child is not accounted for", node);
        let value = minimax(tree, &node);
        let Window { alpha, beta } = visit.window;
        if visit.window.contains(found) {
            self.check(found == value, "not the node's value", node);
            let is_reported = tree.is_leaf(&node) || visit.best == Some(found);
            self.check(is_reported, "an improvement of the best value was not reported", node);
        } else if !self.figure_2 {
            let bound = found <= alpha && value <= found || found >= beta && value >= found;
            self.check(bound, "not a bound of the node's value", node);
        }
    }
}

/// Number of times an algorithm begins at the root.
pub(super) fn passes(
    algorithm: Algorithm,
    sketch: &TestTree,
    settings: &AlgorithmSettings,
) -> usize {
    let mut checker = ReportChecker::default();
    algorithm.solve(&sketch.tree(), settings, &mut checker);
    checker.passes
}

/// Reports of a best-first search about one node.
struct Known {
    window: Window,
    evaluated: bool,
    left: bool,
}

/// Records every contradiction in the reports of a best-first search.
struct BestFirstChecker {
    search_order: SearchOrder,
    root_value: Value,
    parents: HashMap<u32, u32>,
    known: HashMap<u32, Known>,
    purged: HashSet<u32>,
    last_merit: Option<Value>,
    faults: Vec<String>,
}

impl BestFirstChecker {
    fn new(tree: &ExplicitTree, search_order: SearchOrder) -> BestFirstChecker {
        let children =
            |node| (0..tree.width(&node)).map(move |index| (tree.child(&node, index), node));
        BestFirstChecker {
            search_order,
            root_value: minimax(tree, &tree.root()),
            parents: (0..tree.nodes()).flat_map(children).collect(),
            known: HashMap::new(),
            purged: HashSet::new(),
            last_merit: None,
            faults: Vec::new(),
        }
    }

    fn check(&mut self, truth: bool, what: &str, node: u32) {
        if !truth {
            self.faults.push(format!("node {node}: {what}"));
        }
    }

    /// Returns true if the node is being searched.
    fn is_open(&self, node: u32) -> bool {
        self.known.get(&node).is_some_and(|known| !known.left)
    }

    /// Returns true if the node or one of its ancestors was skipped.
    fn is_purged(&self, node: u32) -> bool {
        let above = std::iter::successors(Some(node), |node| self.parents.get(node).copied());
        above.into_iter().any(|node| self.purged.contains(&node))
    }
}

impl Observer<ExplicitTree> for BestFirstChecker {
    fn enter(&mut self, _: &ExplicitTree, &node: &u32, window: Window, _: Pass) {
        let parent = self.parents.get(&node).copied();
        self.check(
            parent.is_none_or(|parent| self.is_open(parent)),
            "its parent is not open",
            node,
        );
        self.check(!self.known.contains_key(&node), "entered twice", node);
        self.check(!self.is_purged(node), "entered after it was skipped", node);
        if let Some(merit) = self.search_order.merit(window) {
            let value = self.root_value;
            let (in_order, is_bound) = match self.search_order {
                SearchOrder::RisingMerit => (self.last_merit <= Some(merit), merit <= value),
                _ => (self.last_merit.is_none_or(|last| last >= merit), merit >= value),
            };
            self.check(in_order, "its merit is better than an earlier one", node);
            self.check(is_bound, "its merit does not bound the root's value", node);
            self.last_merit = Some(merit);
        }
        self.known.insert(node, Known { window, evaluated: false, left: false });
    }

    fn evaluate(&mut self, tree: &ExplicitTree, &leaf: &u32, value: Value) {
        self.check(self.is_open(leaf) && !self.is_purged(leaf), "evaluated but not open", leaf);
        self.check(tree.is_leaf(&leaf) && value == tree.value(&leaf), "not the leaf's value", leaf);
        if let Some(known) = self.known.get_mut(&leaf) {
            let twice = std::mem::replace(&mut known.evaluated, true);
            self.check(!twice, "evaluated twice", leaf);
        }
    }

    fn improve(&mut self, tree: &ExplicitTree, &node: &u32, _: Value) {
        self.check(self.is_open(node) && !tree.is_leaf(&node), "improved but not open", node);
    }

    fn cut(&mut self, _: &ExplicitTree, &node: &u32, _: usize, _: Cut) {
        self.check(false, "children cut as if they were searched in order", node);
    }

    fn skip(&mut self, tree: &ExplicitTree, &node: &u32, child: usize, _: Cut) {
        self.check(self.is_open(node), "children skipped at a node that is not open", node);
        self.purged.insert(tree.child(&node, child));
    }

    fn leave(&mut self, tree: &ExplicitTree, &node: &u32, found: Value) {
        self.check(self.is_open(node) && !self.is_purged(node), "left but not open", node);
        let value = minimax(tree, &node);
        let Some(known) = self.known.get_mut(&node) else { return };
        known.left = true;
        let (window, evaluated) = (known.window, known.evaluated);
        // A node's merit when it was entered is never worse than its value.
        let expected = match self.search_order {
            SearchOrder::FallingMerit => value.min(window.beta),
            SearchOrder::RisingMerit => value.max(window.alpha),
            SearchOrder::GrowingTree | SearchOrder::DepthFirst => value,
        };
        self.check(found == expected, "not the node's value, clamped to its merit", node);
        self.check(evaluated == tree.is_leaf(&node), "a leaf left before its evaluation", node);
    }
}

fn all_of(search_order: SearchOrder) -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(move |algorithm| algorithm.search_order() == search_order)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_reports_of_a_depth_first_search_account_for_every_node_and_are_true(tree in any_tree()) {
        for algorithm in all_of(SearchOrder::DepthFirst) {
            let figure_2 = algorithm == Algorithm::NegaScout;
            let mut checker = ReportChecker { figure_2, ..ReportChecker::default() };
            algorithm.solve(&tree.tree(), &AlgorithmSettings::default(), &mut checker);
            prop_assert!(checker.path.is_empty(), "{}: nodes are left open", algorithm);
            prop_assert_eq!(checker.faults, Vec::<String>::new(), "{}", algorithm);
        }
    }

    #[test]
    fn the_reports_of_a_best_first_search_are_true_and_in_order(
        tree in any_tree(),
    ) {
        let explicit = tree.tree();
        for search_order in [SearchOrder::FallingMerit, SearchOrder::RisingMerit, SearchOrder::GrowingTree] {
            for algorithm in all_of(search_order) {
                let mut checker = BestFirstChecker::new(&explicit, search_order);
                algorithm.solve(&explicit, &AlgorithmSettings::default(), &mut checker);
                let root = &checker.known[&explicit.root()];
                prop_assert!(root.left, "{}: the root is left open", algorithm);
                prop_assert_eq!(checker.faults, Vec::<String>::new(), "{}", algorithm);
            }
        }
    }
}
