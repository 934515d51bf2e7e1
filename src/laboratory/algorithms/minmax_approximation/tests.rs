//! Tests of min/max approximation.

use proptest::prelude::*;

use super::{Approximation, POWER, UNIT, solve};
use crate::SearchCounts;
use crate::algorithms::grown_tree::guessing::Guessing;
use crate::algorithms::grown_tree::{NodeHandle, ROOT};
use crate::testing::{any_tree, chain, ragged_tree};

type Search<'a> = Approximation<'a, Guessing, ()>;

/// The root's generalized mean by its definition, after one tip's value changed by `by`.
fn mean_if(search: &Search, node: NodeHandle, moved: NodeHandle, by: f64) -> f64 {
    let children = search.grown.children(node);
    if children.is_empty() {
        let value = f64::from(search.grown.known(node).value);
        return if node == moved { value + by } else { value };
    }
    let power = if search.grown.is_max(node) { POWER } else { -POWER };
    let count = children.len() as f64;
    let powers = children.map(|child| (mean_if(search, child, moved, by) / UNIT).exp().powf(power));
    UNIT * (powers.sum::<f64>() / count).powf(1.0 / power).ln()
}

fn derivative(search: &Search, tip: NodeHandle) -> f64 {
    let by = 0.01;
    (mean_if(search, ROOT, tip, by) - mean_if(search, ROOT, tip, -by)) / (2.0 * by)
}

/// Returns true if a node and all its ancestors may still change their parents' true values.
fn matters(search: &Search, mut node: NodeHandle) -> bool {
    while let Some(parent) = search.grown.parent(node) {
        let (child, bounds) = (search.grown.known(node).bounds, search.grown.known(parent).bounds);
        let open =
            if search.grown.is_max(parent) { child.1 > bounds.0 } else { child.0 < bounds.1 };
        if !open {
            return false;
        }
        node = parent;
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_expanded_tip_is_the_one_with_the_greatest_derivative_of_the_root(
        tree in ragged_tree(), steps in 0_usize..15,
    ) {
        // The derivative is numerical, so the values must be close together.
        let (tree, mut no_observer) = (Guessing::new(&tree.map(&mut |value| value % 100)), ());
        let mut search = Approximation::new(&tree, None, &mut no_observer);
        for _ in 0..steps {
            if search.step().is_break() {
                return Ok(());
            }
        }
        let mut tips = search.grown.tips();
        tips.retain(|&tip| matters(&search, tip));
        let derivatives: Vec<f64> = tips.iter().map(|&tip| derivative(&search, tip)).collect();
        let greatest = derivatives.iter().copied().fold(0.0, f64::max);
        let by_penalty = (-search.grown.known(ROOT).penalty).exp();
        prop_assert!((by_penalty - greatest).abs() <= 1e-5, "{} {}", by_penalty, greatest);

        prop_assert_eq!(search.step().is_break(), tips.is_empty());
        if let Some(place) = tips.iter().position(|&tip| !search.grown.children(tip).is_empty()) {
            prop_assert!(derivatives[place] >= greatest - 1e-5);
        } else {
            prop_assert!(tips.is_empty(), "no tip was expanded");
        }
    }

    #[test]
    fn without_a_limit_the_result_is_the_minimax_value_for_any_static_values(tree in any_tree()) {
        prop_assert_eq!(solve(&Guessing::new(&tree), None, &mut ()), tree.minimax());
    }

    #[test]
    fn the_tree_stays_within_the_node_limit(tree in any_tree(), nodes in 1_u64..60) {
        let mut counts = SearchCounts::default();
        solve(&tree.tree(), Some(nodes), &mut counts);
        prop_assert!(counts.nodes <= nodes);
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_solved() {
    assert_eq!(solve(&chain(100_000, -7), None, &mut ()), -7);
}
