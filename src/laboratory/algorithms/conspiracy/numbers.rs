//! Conspiracy numbers: how many tips of a tree must change their values to change a node's.

use crate::{INFINITY, Value};

/// How far a node's value can be raised by each number of conspirators; how far it can be lowered
/// is the same question about the negated values.
///
/// A tip that can still be expanded may come to any value, and one conspirator, itself, is enough.
/// The value of a leaf is final. A MAX node is raised by raising any one of its children, a MIN
/// node by raising all that are too low.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConspiracyNumbers {
    /// Both numbers grow from step to step; the first step is the value as it is. There are no
    /// steps by conspiracies beyond the threshold.
    steps: Vec<Step>,
    /// All tips together cannot take the value beyond this one, threshold or not.
    bound: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    conspirators: u32,
    reach: Value,
}

impl ConspiracyNumbers {
    pub(crate) fn of_leaf(value: Value) -> Self {
        ConspiracyNumbers { steps: vec![Step { conspirators: 0, reach: value }], bound: value }
    }

    /// Of a node that can still be expanded.
    pub(crate) fn of_tip(value: Value) -> Self {
        let mut numbers = ConspiracyNumbers::of_leaf(value);
        numbers.steps.push(Step { conspirators: 1, reach: INFINITY });
        numbers.bound = INFINITY;
        numbers
    }

    /// Of a node that is as high as the highest of its children, of which there must be one.
    pub(crate) fn of_any<'a>(
        children: impl Iterator<Item = &'a ConspiracyNumbers> + Clone,
    ) -> Self {
        let bound = children.clone().map(|child| child.bound).max().unwrap_or(INFINITY);
        let mut candidates: Vec<Step> = children.flat_map(|child| &child.steps).copied().collect();
        candidates.sort_unstable_by_key(|step| (step.conspirators, -step.reach));
        let mut steps: Vec<Step> = Vec::new();
        for step in candidates {
            if steps.last().is_none_or(|last| step.reach > last.reach) {
                steps.push(step);
            }
        }
        ConspiracyNumbers { steps, bound }
    }

    /// Of a node that is as low as the lowest of its children, not looking at conspiracies of more
    /// than `threshold`. There must be a child.
    pub(crate) fn of_all<'a>(
        children: impl Iterator<Item = &'a ConspiracyNumbers> + Clone,
        threshold: u32,
    ) -> Self {
        let bound = children.clone().map(|child| child.bound).min().unwrap_or(INFINITY);
        let ceiling = children.clone().map(ConspiracyNumbers::highest).min().unwrap_or(INFINITY);
        // How many more conspirators it takes to bring one child beyond this value.
        let mut needs: Vec<(Value, u32)> = children
            .flat_map(|child| child.steps.windows(2))
            .map(|pair| (pair[0].reach, pair[1].conspirators - pair[0].conspirators))
            .filter(|&(value, _)| value < ceiling)
            .collect();
        needs.sort_unstable();
        let mut steps: Vec<Step> = Vec::new();
        let mut conspirators = 0u32;
        for (reach, more) in needs {
            if steps.last().is_none_or(|last| last.reach < reach) {
                steps.push(Step { conspirators, reach });
            }
            conspirators = conspirators.saturating_add(more);
            if conspirators > threshold {
                return ConspiracyNumbers { steps, bound };
            }
        }
        steps.push(Step { conspirators, reach: ceiling });
        ConspiracyNumbers { steps, bound }
    }

    /// The value as it is.
    pub(crate) fn value(&self) -> Value {
        self.steps[0].reach
    }

    /// The highest value that a conspiracy can reach.
    pub(crate) fn highest(&self) -> Value {
        self.steps[self.steps.len() - 1].reach
    }

    /// Whether no conspiracy, of however many, can change the value.
    pub(crate) fn is_settled(&self) -> bool {
        self.bound == self.value()
    }

    /// The conspiracy number: the fewest tips that must change to make the value at least this
    /// one. None if it cannot be done.
    pub(crate) fn conspirators(&self, target: Value) -> Option<u32> {
        let step = self.steps.partition_point(|step| step.reach < target);
        self.steps.get(step).map(|step| step.conspirators)
    }
}
