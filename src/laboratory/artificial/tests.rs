use proptest::prelude::*;

use super::random::RandomNumbers;
use super::*;
use crate::algorithms::{alphabeta_soft, minimax};
use crate::{GameTree, SearchCounts, Value, Window, testing};

fn seed(tree: u64) -> Seed {
    Seed { series: 1, tree }
}

fn shape(width: usize, height: usize) -> Shape {
    Shape::new(width, height).expect("the tree is small")
}

impl Weights {
    /// Strongly ordered trees as first defined (Marsland and Campbell 1982): the leftmost child is
    /// best with 70 %, one of the first quarter with 90 %. For a width of 20 these are 70, four
    /// times 5, and fifteen times 2/3 percent. The print of the paper of 1987 is garbled here.
    fn strong_1982(width: usize) -> Weights {
        let quarter = width.div_ceil(4);
        let near = quarter.saturating_sub(1) as u64;
        let far = (width - quarter) as u64;
        let first = if near == 0 { 9 } else { 7 };
        let weights = (0..width).map(|child| match child {
            0 => first * near.max(1) * far.max(1),
            child if child < quarter => 2 * far.max(1),
            _ => near.max(1),
        });
        Weights::new(weights.collect())
    }

    /// The best child is always the leftmost one.
    fn perfect(width: usize) -> Weights {
        Weights::new((0..width).map(|child| u64::from(child == 0)).collect())
    }
}

/// All nodes, each before its children, the left child's subtree before the right child's.
fn preorder<T: GameTree>(tree: &T) -> Vec<T::Node> {
    fn add<T: GameTree>(tree: &T, node: T::Node, nodes: &mut Vec<T::Node>) {
        nodes.push(node.clone());
        for index in 0..tree.width(&node) {
            add(tree, tree.child(&node, index), nodes);
        }
    }
    let mut nodes = Vec::new();
    add(tree, tree.root(), &mut nodes);
    nodes
}

fn leaf_values<T: GameTree>(tree: &T) -> Vec<Value> {
    let leaves = preorder(tree).into_iter().filter(|node| tree.is_leaf(node));
    leaves.map(|leaf| tree.value(&leaf)).collect()
}

#[test]
fn random_numbers_are_those_of_the_published_generators() {
    // SplitMix64 from 0, and the beginning of the ChaCha8 stream with an all-zero key.
    let source = RandomNumbers::from_key(0);
    let numbers = [0, 1, 2].map(|rank| source.number(rank));
    assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    let source = RandomNumbers::new(Seed { series: 0, tree: 0 }, 0, 0, 0);
    assert_eq!(source, RandomNumbers::from_key(0xd640_5f89_2fef_003e));
}

#[test]
fn a_tree_with_too_many_nodes_to_number_is_an_error() {
    assert_eq!(Shape::new(0, 3), Err(ShapeError::NoChildren));
    assert!(Shape::new(2, 63).is_ok());
    let too_large = Shape::new(60, 11).expect_err("60^11 is more than 2^64");
    assert_eq!(too_large.to_string(), "a tree of width 60 and height 11 has more than 2^64 nodes");
}

#[test]
fn minimal_leaves_is_the_number_of_knuth_and_moore() {
    let leaves = |width, height| shape(width, height).minimal_leaves();
    assert_eq!([leaves(5, 0), leaves(5, 1), leaves(1, 9)], [1, 5, 1]);
    assert_eq!([leaves(5, 4), leaves(20, 5), leaves(20, 6)], [49, 8399, 15999]);
}

#[test]
fn a_tree_is_determined_by_its_seed_and_size() {
    let independent = |width, height, seed| {
        leaf_values(&IndependentTree::new(shape(width, height), 1_000_000, seed))
    };
    let ordered =
        |seed| leaf_values(&OrderedTree::new(shape(3, 3), Weights::random(3), 1_000_000, seed));
    assert_eq!(independent(3, 3, seed(7)), independent(3, 3, seed(7)));
    assert_ne!(independent(3, 3, seed(7)), independent(3, 3, seed(8)));
    assert_ne!(independent(3, 3, seed(7)), independent(3, 3, Seed { series: 2, tree: 7 }));
    assert_ne!(independent(3, 3, seed(7)), independent(3, 4, seed(7))[..27]);
    assert_eq!(ordered(seed(7)), ordered(seed(7)));
    assert_ne!(ordered(seed(7)), ordered(seed(8)));
}

#[test]
fn independent_leaves_have_every_value_equally_often() {
    let values = leaf_values(&IndependentTree::new(shape(10, 5), 200, seed(0)));
    let mut counts = [0u32; 200];
    for value in values {
        counts[usize::try_from(value).expect("values begin at 0")] += 1;
    }
    // 500 of each are expected, with a standard deviation of 22.
    assert!(counts.iter().all(|count| (390..=610).contains(count)), "{counts:?}");
}

#[test]
fn neighbouring_leaves_are_independent() {
    let values = leaf_values(&IndependentTree::new(shape(10, 5), 2, seed(0)));
    for distance in [1, 2, 10, 100] {
        let pairs = values.iter().zip(&values[distance..]);
        let equal = pairs.filter(|(left, right)| left == right).count() as f64;
        let share = equal / (values.len() - distance) as f64;
        // The standard deviation is 0.0016.
        assert!((share - 0.5).abs() < 0.01, "{share} of the leaves {distance} apart");
    }
}

#[test]
fn the_best_child_is_drawn_with_the_weights() {
    for weights in [Weights::random(20), Weights::strong(20), Weights::strong_1982(20)] {
        let mut counts = [0u32; 20];
        let trees = 20_000;
        for number in 0..trees {
            let tree = OrderedTree::new(shape(20, 2), weights.clone(), 100, seed(number));
            counts[tree.best_child(&tree.child(&tree.root(), 3))] += 1;
        }
        for (child, &count) in counts.iter().enumerate() {
            let chance = weights.chance(child);
            let (expected, trees) = (chance * trees as f64, trees as f64);
            let deviation = (trees * chance * (1.0 - chance)).sqrt();
            assert!(
                (f64::from(count) - expected).abs() < 5.0 * deviation,
                "child {child}: {count}"
            );
        }
    }
}

#[test]
fn strong_orders_are_those_of_the_papers() {
    let percents = |weights: Weights, width: usize| -> Vec<f64> {
        (0..width).map(|child| (weights.chance(child) * 1e4).round() / 100.0).collect()
    };
    assert_eq!(percents(Weights::strong(5), 5), [60.0, 10.0, 10.0, 10.0, 10.0]);
    assert_eq!(percents(Weights::strong(1), 1), [100.0]);
    let mut printed = vec![70.0, 5.0, 5.0, 5.0, 5.0];
    printed.resize(20, 0.67);
    assert_eq!(percents(Weights::strong_1982(20), 20), printed);
}

#[test]
fn a_perfectly_ordered_tree_is_searched_by_visiting_the_minimal_tree() {
    for (width, height) in [(1, 4), (2, 7), (3, 4), (7, 3), (20, 2)] {
        let shape = shape(width, height);
        for number in 0..10 {
            let weights = Weights::perfect(width);
            let tree = OrderedTree::new(shape.clone(), weights, 1000, seed(number));
            let mut counts = SearchCounts::default();
            alphabeta_soft::solve(&tree, Window::FULL, &mut counts);
            assert_eq!(counts.leaves, shape.minimal_leaves());
        }
    }
}

fn any_weights(width: usize) -> impl Strategy<Value = Weights> {
    prop::sample::select(vec![
        Weights::random(width),
        Weights::strong(width),
        Weights::strong_1982(width),
        Weights::perfect(width),
    ])
}

fn any_ordered_tree() -> impl Strategy<Value = OrderedTree> {
    let parts = (1usize..=5).prop_flat_map(|width| {
        (Just(width), 0usize..=5, any_weights(width), 0..=30, any::<u64>(), any::<u64>())
    });
    parts.prop_map(|(width, height, weights, range, series, tree)| {
        OrderedTree::new(shape(width, height), weights, range, Seed { series, tree })
    })
}

proptest! {
    #[test]
    fn nodes_are_numbered_in_preorder(width in 1usize..=4, height in 0usize..=4) {
        let tree = IndependentTree::new(shape(width, height), 10, seed(0));
        let ranks: Vec<u64> = preorder(&tree).iter().map(|node| tree.rank(node)).collect();
        prop_assert_eq!(ranks, (0..).take(preorder(&tree).len()).collect::<Vec<u64>>());
        let weights = Weights::random(width);
        let tree = OrderedTree::new(shape(width, height), weights, 10, seed(0));
        for (rank, node) in (0..).zip(preorder(&tree)) {
            prop_assert_eq!(tree.rank(&node), rank);
        }
    }

    #[test]
    fn the_depth_of_every_leaf_is_the_height_of_the_tree(width in 1usize..=4, height in 0usize..=4) {
        let tree = IndependentTree::new(shape(width, height), 10, seed(0));
        for node in preorder(&tree) {
            prop_assert_eq!(tree.is_leaf(&node), tree.ply(&node) == height);
            prop_assert!(tree.is_leaf(&node) || tree.width(&node) == width);
        }
    }

    #[test]
    fn the_value_of_an_ordered_tree_is_the_chosen_one(tree in any_ordered_tree()) {
        prop_assert_eq!(minimax::solve(&tree, &mut ()), tree.minimax_value());
        let alphabeta = alphabeta_soft::solve(&tree, Window::FULL, &mut ());
        prop_assert_eq!(alphabeta, tree.minimax_value());
    }

    #[test]
    fn the_best_child_is_the_first_with_its_parents_value(tree in any_ordered_tree()) {
        for node in preorder(&tree).into_iter().filter(|node| !tree.is_leaf(node)) {
            let value = testing::minimax(&tree, &node);
            let has_value =
                |&index: &usize| testing::minimax(&tree, &tree.child(&node, index)) == value;
            let first = (0..tree.width(&node)).find(has_value);
            prop_assert_eq!(first, Some(tree.best_child(&node)));
        }
    }

    #[test]
    fn values_of_an_ordered_tree_exceed_its_range_by_at_most_its_height(
        height in 0usize..=5,
        range in 0..=30,
        series: u64,
    ) {
        let weights = Weights::random(4);
        let seed = Seed { series, tree: 0 };
        let tree = OrderedTree::new(shape(4, height), weights, range, seed);
        prop_assert!(tree.minimax_value().abs() <= range);
        for value in leaf_values(&tree) {
            prop_assert!(value.abs() <= range + height as Value);
        }
    }
}
