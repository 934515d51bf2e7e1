//! Helpers of the laboratory's tests: trees from text or drawn at random, and a record of the
//! evaluated leaves.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::explicit::{ExplicitTree, TreeBuilder};
use super::observer::Observer;
use super::tree::GameTree;
use super::value::Value;

/// A tree for tests; its `Debug` output, which proptest shows on failure, is in bracket notation.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum TestTree {
    /// A leaf with its value from the root player's side.
    Leaf(Value),
    /// An interior node with its children.
    Node(Vec<TestTree>),
}

impl fmt::Debug for TestTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestTree::Leaf(value) => write!(f, "{value}"),
            TestTree::Node(children) => {
                f.write_str("[")?;
                for (index, child) in children.iter().enumerate() {
                    write!(f, "{}{child:?}", if index == 0 { "" } else { " " })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl TestTree {
    /// Returns the tree that algorithms search.
    pub(super) fn tree(&self) -> ExplicitTree {
        fn add(sketch: &TestTree, builder: &mut TreeBuilder) {
            match sketch {
                TestTree::Leaf(value) => builder.leaf(*value),
                TestTree::Node(children) => {
                    builder.open();
                    children.iter().for_each(|child| add(child, builder));
                    builder.close();
                }
            }
        }
        let mut builder = TreeBuilder::default();
        add(self, &mut builder);
        builder.finish().expect("a sketch has no node without children")
    }

    /// Returns the tree with other leaf values.
    pub(super) fn map(&self, change: &mut impl FnMut(Value) -> Value) -> TestTree {
        match self {
            TestTree::Leaf(value) => TestTree::Leaf(change(*value)),
            TestTree::Node(children) => {
                TestTree::Node(children.iter().map(|child| child.map(change)).collect())
            }
        }
    }

    /// Returns the same game from the other player's side: every value is negated. The root must be
    /// a MAX node, so a MAX node with one child is put above it.
    pub(super) fn dual(&self) -> TestTree {
        TestTree::Node(vec![self.map(&mut |value| -value)])
    }

    /// Returns the tree with the children of every node sorted, the best for its mover first.
    pub(super) fn best_first(&self) -> TestTree {
        self.sorted(true)
    }

    fn sorted(&self, max: bool) -> TestTree {
        let TestTree::Node(children) = self else { return self.clone() };
        let mut children: Vec<TestTree> = children.iter().map(|child| child.sorted(!max)).collect();
        children.sort_by_key(|child| if max { -child.value(!max) } else { child.value(!max) });
        TestTree::Node(children)
    }

    /// Returns the value by its definition; `max` is true if the root player is to move.
    pub(super) fn value(&self, max: bool) -> Value {
        match self {
            TestTree::Leaf(value) => *value,
            TestTree::Node(children) => {
                let values = children.iter().map(|child| child.value(!max));
                if max { values.max() } else { values.min() }.expect("a node has a child")
            }
        }
    }

    /// Returns the minimax value, computed without any of the algorithms.
    pub(super) fn minimax(&self) -> Value {
        self.value(true)
    }
}

/// Returns the tree of a text such as `[[5 7] [-7 3]]`.
///
/// # Panics
///
/// Panics if the text is not well-formed.
pub(super) fn test_tree(text: &str) -> TestTree {
    let mut open: Vec<Vec<TestTree>> = vec![Vec::new()];
    for token in text.replace('[', " [ ").replace(']', " ] ").split_whitespace() {
        let node = match token {
            "[" => {
                open.push(Vec::new());
                continue;
            }
            "]" => TestTree::Node(open.pop().expect("an open bracket to close")),
            number => TestTree::Leaf(number.parse().expect("an integer")),
        };
        open.last_mut().expect("an open bracket").push(node);
    }
    assert!(open.len() == 1 && open[0].len() == 1, "one tree");
    open.remove(0).remove(0)
}

/// Returns the minimax value of a subtree by its definition.
pub(super) fn minimax<T: GameTree>(tree: &T, node: &T::Node) -> Value {
    let children = (0..tree.width(node)).map(|index| minimax(tree, &tree.child(node, index)));
    let best = if tree.is_max(node) { children.max() } else { children.min() };
    best.unwrap_or_else(|| tree.value(node))
}

/// Ranges of leaf values: a small one for many ties, a large one for few.
fn spreads() -> impl Strategy<Value = Value> {
    prop_oneof![Just(1), Just(3), Just(10), Just(100), Just(1_000_000)]
}

/// Trees of any shape: bare leaves, chains, leaves at all depths, up to a hundred of them. A tree
/// grows from one leaf, by repeatedly adding children to a random leaf.
pub(super) fn ragged_tree() -> impl Strategy<Value = TestTree> {
    let widths = prop_oneof![2 => Just(1), 4 => Just(2), 2 => Just(3), 1 => Just(4)];
    let growth = vec((any::<Index>(), widths), 0..40);
    (growth, spreads()).prop_flat_map(|(growth, spread)| {
        let mut children: Vec<Vec<usize>> = vec![Vec::new()];
        let mut leaves = vec![0];
        for (place, width) in growth {
            let parent = leaves.swap_remove(place.index(leaves.len()));
            children[parent] = (children.len()..children.len() + width).collect();
            leaves.extend(&children[parent]);
            children.resize(children.len() + width, Vec::new());
        }
        let values = vec(-spread..=spread, children.len());
        values.prop_map(move |values| assembled(&children, &values, 0))
    })
}

/// Returns the subtree of a node from lists of the children and values of all nodes.
fn assembled(children: &[Vec<usize>], values: &[Value], node: usize) -> TestTree {
    match children[node].as_slice() {
        [] => TestTree::Leaf(values[node]),
        below => TestTree::Node(below.iter().map(|&n| assembled(children, values, n)).collect()),
    }
}

/// Uniform trees, all widths and depths the same, up to 256 leaves.
pub(super) fn uniform_tree() -> impl Strategy<Value = TestTree> {
    let shapes = prop_oneof![
        2 => (Just(2), 0_u32..=8),
        2 => (Just(3), 1_u32..=5),
        1 => (Just(4), 1_u32..=4),
        1 => (5_usize..=6, 1_u32..=3),
    ];
    (shapes, spreads()).prop_flat_map(|((width, height), spread)| {
        vec(-spread..=spread, width.pow(height)).prop_map(move |leaves| uniform(width, &leaves))
    })
}

/// Uniform trees with different values at all leaves.
pub(super) fn uniform_tree_without_ties() -> impl Strategy<Value = TestTree> {
    uniform_tree().prop_flat_map(|tree| {
        let mut leaves = 0;
        tree.map(&mut |value| {
            leaves += 1;
            value
        });
        let values = Just((0..leaves).map(|n| 3 * n - leaves).collect::<Vec<Value>>());
        values.prop_shuffle().prop_map(move |values| {
            let mut values = values.into_iter();
            tree.map(&mut |_| values.next().expect("as many values as leaves"))
        })
    })
}

/// Trees of either kind.
pub(super) fn any_tree() -> impl Strategy<Value = TestTree> {
    prop_oneof![3 => ragged_tree(), 2 => uniform_tree()]
}

/// Returns the uniform tree with these leaves, whose number is a power of the width.
pub(super) fn uniform(width: usize, leaves: &[Value]) -> TestTree {
    match leaves {
        [leaf] => TestTree::Leaf(*leaf),
        _ => {
            let below = leaves.chunks(leaves.len() / width);
            TestTree::Node(below.map(|leaves| uniform(width, leaves)).collect())
        }
    }
}

/// Returns the tree of one leaf below a chain of `length` nodes with one child each.
pub(super) fn chain(length: usize, value: Value) -> ExplicitTree {
    let mut builder = TreeBuilder::default();
    (0..length).for_each(|_| builder.open());
    builder.leaf(value);
    (0..length).for_each(|_| builder.close());
    builder.finish().expect("a chain is a tree")
}

/// Records the number of every evaluated leaf, in order, including repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence(pub Vec<u32>);

impl Sequence {
    /// Returns the leaves, each once, from left to right.
    pub(super) fn distinct(&self) -> Vec<u32> {
        let mut leaves = self.0.clone();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// Returns true if every leaf is in another sequence too.
    pub(super) fn is_within(&self, other: &Sequence) -> bool {
        let other = other.distinct();
        self.0.iter().all(|leaf| other.binary_search(leaf).is_ok())
    }
}

impl Observer<ExplicitTree> for Sequence {
    fn evaluate(&mut self, tree: &ExplicitTree, leaf: &u32, value: Value) {
        assert_eq!(value, tree.value(leaf));
        self.0.push(tree.leaf_number(*leaf));
    }
}
