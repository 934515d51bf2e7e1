//! Compares SSS* and DUAL* with their figure, and tests their reports.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{Side, StateSpaceSearch, Ties};
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::testing::{Sequence, any_tree, chain, minimax, test_tree, uniform_tree};
use crate::{Cut, ExplicitTree, GameTree, INFINITY, Observer, Pass, SearchCounts, Value, Window};

const ALL: [(Side, Ties); 4] = [
    (Side::Max, Ties::Leftmost),
    (Side::Min, Ties::Leftmost),
    (Side::Max, Ties::Printed),
    (Side::Min, Ties::Printed),
];

fn search(
    tree: &ExplicitTree,
    side: Side,
    ties: Ties,
    observer: &mut impl Observer<ExplicitTree>,
) -> Value {
    StateSpaceSearch::new(tree, side, ties, observer).run()
}

/// Leaves evaluated, and the length of OPEN at each step.
#[derive(Debug, Default, PartialEq, Eq)]
struct Trace {
    leaves: Vec<u32>,
    lengths: Vec<usize>,
}

impl Observer<ExplicitTree> for Trace {
    fn evaluate(&mut self, tree: &ExplicitTree, leaf: &u32, _value: Value) {
        self.leaves.push(tree.leaf_number(*leaf));
    }

    fn open(&mut self, length: usize) {
        self.lengths.push(length);
    }
}

/// A node in the OPEN list of Figure 4.
struct Descriptor {
    node: u32,
    ancestors: Vec<u32>,
    live: bool,
    merit: Value,
}

/// Removes the first node of least merit from OPEN.
fn take_first(open: &mut Vec<Descriptor>, tree: &ExplicitTree, ties: Ties) -> Descriptor {
    let least = open.iter().map(|descriptor| descriptor.merit).min().expect("OPEN is not empty");
    let first = match ties {
        Ties::Printed => open.iter().position(|descriptor| descriptor.merit == least),
        Ties::Leftmost => (0..open.len())
            .filter(|&place| open[place].merit == least)
            .min_by_key(|&place| tree.rank(&open[place].node)),
    };
    open.remove(first.expect("one is least"))
}

/// Figure 4 taken literally, with OPEN as a list that is searched: DUAL*, or SSS* on the negated
/// values with the sides exchanged.
fn figure_4(tree: &ExplicitTree, side: Side, ties: Ties) -> Trace {
    let sign = if side == Side::Min { 1 } else { -1 };
    let mut trace = Trace::default();
    let mut open = vec![Descriptor { node: 0, ancestors: vec![], live: true, merit: -INFINITY }];
    loop {
        trace.lengths.push(open.len());
        let Descriptor { node, mut ancestors, live, merit } = take_first(&mut open, tree, ties);
        let maximizes = |node: u32| tree.is_max(&node) == (side == Side::Min);
        if live && tree.is_leaf(&node) {
            trace.leaves.push(tree.leaf_number(node));
            let merit = merit.max(sign * tree.value(&node));
            open.push(Descriptor { node, ancestors, live: false, merit });
            continue;
        }
        if live {
            let sons = if maximizes(node) { 1 } else { tree.width(&node) };
            ancestors.push(node);
            for son in (0..sons).rev() {
                let (node, ancestors) = (tree.child(&node, son), ancestors.clone());
                open.insert(0, Descriptor { node, ancestors, live: true, merit });
            }
            continue;
        }
        let Some(parent) = ancestors.pop() else { return trace };
        if maximizes(parent) {
            let siblings: Vec<u32> =
                (0..tree.width(&parent)).map(|son| tree.child(&parent, son)).collect();
            let place =
                siblings.iter().position(|&sibling| sibling == node).expect("a son of its parent");
            if let Some(&sibling) = siblings.get(place + 1) {
                ancestors.push(parent);
                open.insert(0, Descriptor { node: sibling, ancestors, live: true, merit });
                continue;
            }
        } else {
            open.retain(|descriptor| !descriptor.ancestors.contains(&parent));
        }
        open.insert(0, Descriptor { node: parent, ancestors, live: false, merit });
    }
}

/// Checks the order of the reports of a search.
#[derive(Default)]
struct OrderChecker {
    live: Vec<u32>,
    solved: Vec<u32>,
    /// Windows of the live nodes.
    windows: HashMap<u32, Window>,
}

impl Observer<ExplicitTree> for OrderChecker {
    fn enter(&mut self, tree: &ExplicitTree, node: &u32, window: Window, _pass: Pass) {
        self.windows.insert(*node, window);
        assert!(!self.live.contains(node), "no node is live twice");
        assert!(parent(tree, *node).is_none_or(|parent| self.live.contains(&parent)));
        self.live.push(*node);
    }

    fn evaluate(&mut self, _tree: &ExplicitTree, leaf: &u32, _value: Value) {
        assert!(self.live.contains(leaf) && !self.solved.contains(leaf));
    }

    fn leave(&mut self, tree: &ExplicitTree, node: &u32, value: Value) {
        let window = self.windows[node];
        let expected = minimax(tree, node).clamp(window.alpha, window.beta);
        assert_eq!(value, expected, "clamped to the window");
        assert!(self.live.contains(node) && !self.solved.contains(node), "no node is solved twice");
        let width = tree.width(node);
        assert!(width == 0 || (0..width).any(|son| self.solved.contains(&tree.child(node, son))));
        self.solved.push(*node);
    }

    fn skip(&mut self, tree: &ExplicitTree, node: &u32, child: usize, cut: Cut) {
        assert_eq!(cut, Cut::Purge);
        assert!(!self.solved.contains(node), "its parent is not solved yet");
        let is_sibling = |solved: &u32| parent(tree, *solved) == Some(*node);
        assert!(self.solved.iter().any(is_sibling), "a sibling is solved");
        assert!(self.live.contains(&tree.child(node, child)), "OPEN has a node in its subtree");
    }
}

fn parent(tree: &ExplicitTree, node: u32) -> Option<u32> {
    (0..node).find(|other| (0..tree.width(other)).any(|son| tree.child(other, son) == node))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn leaves_and_lengths_of_open_are_those_of_figure_4(tree in any_tree()) {
        for (side, ties) in ALL {
            let mut trace = Trace::default();
            search(&tree.tree(), side, ties, &mut trace);
            prop_assert_eq!(trace, figure_4(&tree.tree(), side, ties));
        }
    }

    #[test]
    fn reports_are_in_order(tree in any_tree()) {
        for (side, ties) in ALL {
            search(&tree.tree(), side, ties, &mut OrderChecker::default());
        }
    }

    #[test]
    fn the_longest_open_has_a_node_for_every_choice_of_the_side(tree in uniform_tree()) {
        let tree = tree.tree();
        let (width, height) = (tree.width(&tree.root()), tree.height() as u32);
        for (side, choices) in [(Side::Max, height.div_ceil(2)), (Side::Min, height / 2)] {
            let mut counts = SearchCounts::default();
            search(&tree, side, Ties::Leftmost, &mut counts);
            prop_assert_eq!(counts.open_peak, width.pow(choices).max(1));
        }
    }
}

/// No two leaves are equal, but their merits are.
#[test]
fn the_printed_order_of_equal_merits_makes_dual_evaluate_a_leaf_that_alpha_beta_prunes() {
    let tree = test_tree("[[2 5] [-4 -1]]").tree();
    let (mut printed, mut pruned) = (Sequence::default(), Sequence::default());
    Algorithm::DualFifo.solve(&tree, &AlgorithmSettings::default(), &mut printed);
    Algorithm::AlphaBetaSoft.solve(&tree, &AlgorithmSettings::default(), &mut pruned);
    assert_eq!((printed.0, pruned.0), (vec![0, 1, 2, 3], vec![0, 1, 2]));
}

#[test]
fn the_printed_order_of_equal_merits_makes_sss_evaluate_a_leaf_that_alpha_beta_prunes() {
    let tree = test_tree("[[[9 8] [2 3]] [[5 4] [6 7]]]").tree();
    let leaves = |algorithm: Algorithm| {
        let mut sequence = Sequence::default();
        algorithm.solve(&tree, &AlgorithmSettings::default(), &mut sequence);
        sequence.0
    };
    assert_eq!(leaves(Algorithm::AlphaBetaSoft), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(leaves(Algorithm::Sss), [0, 1, 4, 5, 2, 3, 6]);
    assert_eq!(leaves(Algorithm::SssFifo), [0, 1, 4, 5, 2, 3, 6, 7]);
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_solved() {
    for (side, ties) in ALL {
        assert_eq!(search(&chain(100_000, -7), side, ties, &mut ()), -7);
    }
}
