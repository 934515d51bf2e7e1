//! The terms of the papers by their definitions, regardless of cost: the reference for the
//! algorithms.

use crate::testing::TestTree;
use crate::{INFINITY, Value, Window};

/// A tree with its leaves replaced by their numbers, and the values of the leaves by number.
pub(super) struct Numbered {
    pub shape: TestTree,
    pub values: Vec<Value>,
}

impl Numbered {
    pub(super) fn new(sketch: &TestTree) -> Numbered {
        let mut values = Vec::new();
        let shape = sketch.map(&mut |value| {
            values.push(value);
            values.len() as Value - 1
        });
        Numbered { shape, values }
    }

    /// Minimax value if a function of the leaf numbers gives the values of the leaves.
    fn minimax(&self, leaf: &impl Fn(u32) -> Value) -> Value {
        self.shape.map(&mut |number| leaf(number as u32)).minimax()
    }

    /// Minimax value of a node.
    fn value_of(&self, node: &TestTree, max: bool) -> Value {
        node.map(&mut |number| self.values[number as usize]).value(max)
    }

    /// Minimax value if these leaves, in ascending order, keep their values and all others have
    /// another.
    pub(super) fn minimax_if(&self, known: &[u32], others: Value) -> Value {
        self.minimax(&|leaf| match known.binary_search(&leaf) {
            Ok(_) => self.values[leaf as usize],
            Err(_) => others,
        })
    }
}

/// Smallest number of leaves that prove the value of a tree. A proof of the lower bound and a proof
/// of the upper bound have exactly one leaf in common.
pub(super) fn smallest_certificate(sketch: &TestTree) -> usize {
    let value = sketch.minimax();
    let at_least = fewest(sketch, true, &|leaf| leaf >= value).expect("a proof of the lower bound");
    let at_most = fewest(sketch, false, &|leaf| leaf <= value).expect("a proof of the upper bound");
    at_least + at_most - 1
}

/// Smallest number of leaves by which one side reaches its goal.
fn fewest(sketch: &TestTree, own_turn: bool, wanted: &impl Fn(Value) -> bool) -> Option<usize> {
    match sketch {
        TestTree::Leaf(value) => wanted(*value).then_some(1),
        TestTree::Node(children) => {
            let below = children.iter().map(|child| fewest(child, !own_turn, wanted));
            if own_turn { below.flatten().min() } else { below.sum() }
        }
    }
}

/// The leaves J of a tree that are critical in a window: alpha(J) < beta(J). alpha(J) is the
/// greatest minimax value of a left sibling of a node on the path to J below a MAX node, or the
/// window's alpha if that is greater; beta(J) likewise is the least below a MIN node.
pub(super) fn critical_leaves(sketch: &TestTree, window: Window) -> Vec<u32> {
    fn collect(
        tree: &Numbered,
        node: &TestTree,
        max: bool,
        bounds: (Value, Value),
        to: &mut Vec<u32>,
    ) {
        let (mut alpha, mut beta) = bounds;
        match node {
            TestTree::Leaf(number) if alpha < beta => to.push(*number as u32),
            TestTree::Leaf(_) => {}
            TestTree::Node(children) => {
                for child in children {
                    collect(tree, child, !max, (alpha, beta), to);
                    let value = tree.value_of(child, !max);
                    if max { alpha = alpha.max(value) } else { beta = beta.min(value) }
                }
            }
        }
    }
    let tree = Numbered::new(sketch);
    let mut leaves = Vec::new();
    collect(&tree, &tree.shape, true, (window.alpha, window.beta), &mut leaves);
    leaves
}

/// Leaves that remain if a node uses the bound of its parent, but none from higher up: children are
/// taken from left to right, until one makes the node no better for the parent's mover than the
/// best of the node's left siblings.
pub(super) fn leaves_without_deep_cutoffs(sketch: &TestTree) -> Vec<u32> {
    fn collect(
        tree: &Numbered,
        node: &TestTree,
        max: bool,
        siblings: Option<Value>,
        to: &mut Vec<u32>,
    ) {
        let children = match node {
            TestTree::Leaf(number) => return to.push(*number as u32),
            TestTree::Node(children) => children,
        };
        let mut best: Option<Value> = None;
        for child in children {
            collect(tree, child, !max, best, to);
            let value = tree.value_of(child, !max);
            let is_enough =
                siblings.is_some_and(|bound| if max { value >= bound } else { value <= bound });
            if is_enough {
                return;
            }
            let better = if max { Value::max } else { Value::min };
            best = Some(best.map_or(value, |best| better(best, value)));
        }
    }
    let tree = Numbered::new(sketch);
    let mut leaves = Vec::new();
    collect(&tree, &tree.shape, true, None, &mut leaves);
    leaves
}

/// Leaves that SCOUT evaluates; each TEST continues until it can know the answer.
pub(super) fn scouted_leaves(sketch: &TestTree) -> Vec<u32> {
    fn scout(tree: &Numbered, node: &TestTree, max: bool, to: &mut Vec<u32>) {
        let TestTree::Node(children) = node else { return test(tree, node, max, 0, to) };
        scout(tree, &children[0], !max, to);
        let mut best = tree.value_of(&children[0], !max);
        for child in &children[1..] {
            // "More than `best`" is the same question as "at least `best + 1`", and "less than
            // `best`" is "not at least `best`".
            test(tree, child, !max, if max { best + 1 } else { best }, to);
            let value = tree.value_of(child, !max);
            if if max { value > best } else { value < best } {
                scout(tree, child, !max, to);
                best = value;
            }
        }
    }
    /// Leaves needed to decide if a node is worth at least `goal`.
    fn test(tree: &Numbered, node: &TestTree, max: bool, goal: Value, to: &mut Vec<u32>) {
        match node {
            TestTree::Leaf(number) => to.push(*number as u32),
            TestTree::Node(children) => {
                for child in children {
                    test(tree, child, !max, goal, to);
                    if (tree.value_of(child, !max) >= goal) == max {
                        break;
                    }
                }
            }
        }
    }
    let tree = Numbered::new(sketch);
    let mut leaves = Vec::new();
    scout(&tree, &tree.shape, true, &mut leaves);
    leaves
}

/// Rules of a NegaScout that avoid a second search.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// None if the value refutes the node.
    pub not_above_beta: bool,
    /// None if the value is no better than alpha.
    pub not_below_alpha: bool,
    /// None in the two lowest levels.
    pub not_at_the_bottom: bool,
}

/// Leaves that a NegaScout with these rules evaluates.
pub(super) fn reference_negascout(sketch: &TestTree, rules: Rules) -> Vec<u32> {
    let tree = Numbered::new(sketch);
    let height = height(&tree.shape);
    let mut search = Reference { tree: &tree, rules, sequence: Vec::new() };
    search.value(&tree.shape, 1, (-INFINITY, INFINITY), height);
    search.sequence
}

fn height(sketch: &TestTree) -> i32 {
    match sketch {
        TestTree::Leaf(_) => 0,
        TestTree::Node(children) => 1 + children.iter().map(height).max().unwrap_or(0),
    }
}

struct Reference<'a> {
    tree: &'a Numbered,
    rules: Rules,
    sequence: Vec<u32>,
}

impl Reference<'_> {
    /// Value for the player with this sign; at most `levels` levels are below the node.
    fn value(
        &mut self,
        node: &TestTree,
        sign: i32,
        (alpha, beta): (Value, Value),
        levels: i32,
    ) -> Value {
        let children = match node {
            TestTree::Leaf(number) => {
                self.sequence.push(*number as u32);
                return sign * self.tree.values[*number as usize];
            }
            TestTree::Node(children) => children,
        };
        let mut best = -self.value(&children[0], -sign, (-beta, -alpha), levels - 1);
        for child in &children[1..] {
            if best >= beta {
                break;
            }
            let bound = alpha.max(best);
            let found = -self.value(child, -sign, (-bound - 1, -bound), levels - 1);
            if found <= best {
                continue;
            }
            let skipped = bound + 1 == beta
                || self.rules.not_at_the_bottom && levels <= 2
                || self.rules.not_above_beta && found >= beta
                || self.rules.not_below_alpha && found <= alpha;
            best = if skipped {
                found
            } else {
                -self.value(child, -sign, (-beta, -found), levels - 1)
            };
        }
        best
    }
}
