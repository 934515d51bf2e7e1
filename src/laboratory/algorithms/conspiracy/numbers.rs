//! Conspiracy numbers: how many tips of a tree must change their values to change the value of a
//! node.

use crate::{INFINITY, Value};

/// How far each number of conspirators can raise the value of a node. To lower it is the same
/// problem with negated values.
///
/// A tip that can still be expanded may get any value, and one conspirator, itself, is enough. The
/// value of a leaf is final. A MAX node rises if any one of its children rises; a MIN node rises if
/// all children that are too low rise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConspiracyNumbers {
    /// Both fields grow from step to step. The first step is the current value. Conspiracies beyond
    /// the threshold have no steps.
    steps: Vec<Step>,
    /// Highest value that all tips together can reach, regardless of the threshold.
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

    /// Numbers of a node that can still be expanded.
    pub(crate) fn of_tip(value: Value) -> Self {
        let mut numbers = ConspiracyNumbers::of_leaf(value);
        numbers.steps.push(Step { conspirators: 1, reach: INFINITY });
        numbers.bound = INFINITY;
        numbers
    }

    /// Numbers of a node that takes its highest child. There must be a child.
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

    /// Numbers of a node that takes its lowest child, for conspiracies of at most `threshold` tips.
    /// There must be a child.
    pub(crate) fn of_all<'a>(
        children: impl Iterator<Item = &'a ConspiracyNumbers> + Clone,
        threshold: u32,
    ) -> Self {
        let bound = children.clone().map(|child| child.bound).min().unwrap_or(INFINITY);
        let ceiling = children.clone().map(ConspiracyNumbers::highest).min().unwrap_or(INFINITY);
        // Number of additional conspirators needed to raise one child above each value.
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

    /// The current value.
    pub(crate) fn value(&self) -> Value {
        self.steps[0].reach
    }

    /// The highest value that a conspiracy can reach.
    pub(crate) fn highest(&self) -> Value {
        self.steps[self.steps.len() - 1].reach
    }

    /// Returns true if no conspiracy of any size can change the value.
    pub(crate) fn is_settled(&self) -> bool {
        self.bound == self.value()
    }

    /// Returns the conspiracy number: the smallest number of tips that must change to make the
    /// value at least `target`, or `None` if it cannot be reached.
    pub(crate) fn conspirators(&self, target: Value) -> Option<u32> {
        let step = self.steps.partition_point(|step| step.reach < target);
        self.steps.get(step).map(|step| step.conspirators)
    }
}
