//! Compares conspiracy numbers with their definition, and tests the search that uses them.

use proptest::prelude::*;

use super::numbers::ConspiracyNumbers;
use super::{ConspiracySearch, Outlook, solve};
use crate::algorithms::grown_tree::guessing::Guessing;
use crate::algorithms::grown_tree::{NodeHandle, ROOT};
use crate::testing::{any_tree, chain, ragged_tree};
use crate::{GameTree as _, INFINITY, Observer, SearchCounts, Value};

/// Records if the search has left the root.
struct RootLeft(bool);

impl Observer<Guessing> for RootLeft {
    fn leave(&mut self, tree: &Guessing, node: &u32, _value: Value) {
        self.0 |= tree.ply(node) == 0;
    }
}

type Search<'a> = ConspiracySearch<'a, Guessing, ()>;

/// Minimax value of the tree grown so far if these tips had this value.
fn value_if(search: &Search, node: NodeHandle, changed: &[NodeHandle], to: Value) -> Value {
    let children = search.grown.children(node);
    if changed.contains(&node) {
        to
    } else if children.is_empty() {
        search.grown.known(node).value()
    } else {
        let values = children.map(|child| value_if(search, child, changed, to));
        if search.grown.is_max(node) { values.max() } else { values.min() }.expect("a child")
    }
}

/// All smallest sets of tips that give the root the target value when they all change to it.
fn smallest_conspiracies(search: &Search, target: Value) -> Vec<Vec<NodeHandle>> {
    let tips = search.grown.tips();
    let mut found: Vec<Vec<NodeHandle>> = Vec::new();
    for subset in 0_u32..1 << tips.len() {
        let members = (0..tips.len()).filter(|&n| subset >> n & 1 == 1).map(|n| tips[n]);
        let conspiracy: Vec<NodeHandle> = members.collect();
        let smallest = found.first().map_or(usize::MAX, Vec::len);
        if conspiracy.len() <= smallest && value_if(search, ROOT, &conspiracy, target) == target {
            if conspiracy.len() < smallest {
                found.clear();
            }
            found.push(conspiracy);
        }
    }
    found
}

/// Conspiracy number by its definition.
fn fewest(search: &Search, target: Value) -> Option<u32> {
    smallest_conspiracies(search, target).first().map(|tips| tips.len() as u32)
}

/// Conspiracy number computed by the search.
fn number(search: &Search, target: Value) -> Option<u32> {
    let root = search.grown.known(ROOT);
    if target >= root.value() {
        root.up.conspirators(target)
    } else {
        root.down.conspirators(-target)
    }
}

/// All values in the tree, their neighbours, and the two infinities.
fn targets(search: &Search) -> Vec<Value> {
    let values = search.grown.known_of_all().map(super::Outlook::value);
    let near = values.flat_map(|value| [value - 1, value, value + 1]);
    let mut targets: Vec<Value> = near.chain([-INFINITY, INFINITY]).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Makes up to `steps` steps; stops early at the end or when there would be too many sets of tips.
fn walk(search: &mut Search, steps: usize) {
    for _ in 0..steps {
        if search.grown.tips().len() > 7 || search.step().is_break() {
            break;
        }
    }
}

fn threshold() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), (1_u64..=4).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn conspiracy_numbers_up_to_the_threshold_are_the_fewest_tips_that_can_change_the_root(
        tree in ragged_tree(), steps in 0_usize..12, threshold in threshold(),
    ) {
        let (tree, mut no_observer) = (Guessing::new(&tree), ());
        let mut search = ConspiracySearch::new(&tree, threshold, None, &mut no_observer);
        walk(&mut search, steps);
        for target in targets(&search) {
            let likely = |&number: &u32| threshold.is_none_or(|most| u64::from(number) <= most);
            let fewest = fewest(&search, target).filter(likely);
            prop_assert_eq!(number(&search, target), fewest, "for {}", target);
        }
    }

    #[test]
    fn the_expanded_tip_is_in_a_smallest_conspiracy_for_the_furthest_likely_value(
        tree in ragged_tree(), steps in 0_usize..12, threshold in threshold(),
    ) {
        let (tree, mut no_observer) = (Guessing::new(&tree), ());
        let mut search = ConspiracySearch::new(&tree, threshold, None, &mut no_observer);
        walk(&mut search, steps);
        let value = search.grown.known(ROOT).value();
        let mut likely = targets(&search);
        likely.retain(|&target| number(&search, target).is_some());
        let Outlook { up, down } = search.grown.known(ROOT);
        prop_assert_eq!((-down.highest(), up.highest()), (likely[0], likely[likely.len() - 1]));

        let distance = |target: &&Value| (target.abs_diff(value), **target);
        let furthest = *likely.iter().max_by_key(distance).expect("the current value is likely");
        let conspiracies = smallest_conspiracies(&search, furthest);
        let before = search.grown.tips();
        prop_assert_eq!(search.step().is_break(), furthest == value);
        if furthest != value {
            let after = search.grown.tips();
            let expanded = before.iter().find(|tip| !after.contains(tip)).expect("one tip was expanded");
            prop_assert!(conspiracies.iter().any(|tips| tips.contains(expanded)));
        }
    }

    #[test]
    fn without_limits_the_result_is_the_minimax_value_for_any_static_values(tree in any_tree()) {
        let value = solve(&Guessing::new(&tree), None, None, &mut ());
        prop_assert_eq!(value, tree.minimax());
    }

    #[test]
    fn a_search_leaves_the_root_only_if_its_value_is_proven(
        tree in any_tree(), threshold in threshold(), nodes in prop::option::of(1_u64..60),
    ) {
        let mut done = RootLeft(false);
        let value = solve(&Guessing::new(&tree), threshold, nodes, &mut done);
        prop_assert!(!done.0 || value == tree.minimax());
        prop_assert!(done.0 || threshold.is_some() || nodes.is_some());
    }

    #[test]
    fn the_tree_stays_within_the_node_limit(tree in any_tree(), nodes in 1_u64..60) {
        let mut counts = SearchCounts::default();
        solve(&tree.tree(), None, Some(nodes), &mut counts);
        prop_assert!(counts.nodes <= nodes);
    }
}

/// Example of the literature: a MAX node above [5 2] and [3 4], all four of them tips.
#[test]
fn the_numbers_of_the_literatures_example_are_reproduced() {
    let [five, two, three, four] = [5, 2, 3, 4].map(ConspiracyNumbers::of_tip);
    let left = ConspiracyNumbers::of_all([&five, &two].into_iter(), u32::MAX);
    let right = ConspiracyNumbers::of_all([&three, &four].into_iter(), u32::MAX);
    let root = ConspiracyNumbers::of_any([&left, &right].into_iter());
    let numbers = [3, 4, 5, 6].map(|target| root.conspirators(target));
    assert_eq!(numbers, [Some(0), Some(1), Some(1), Some(2)]);
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_solved() {
    assert_eq!(solve(&chain(100_000, -7), None, None, &mut ()), -7);
}
