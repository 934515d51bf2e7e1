//! The clock of a game whose time is measured in nodes. The program that holds the real clock does not
//! know what a search has used of it, so it is kept here: it begins with what the real clock
//! shows at the first move of a game, and from then on only nodes and increments change it.

use crate::engine::search::{ClockTime, Limits};

/// What is left of a game's time, in nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeClock {
    left: Option<u64>,
    /// What the search under way adds when it ends.
    increment: u64,
}

impl NodeClock {
    /// Sets the clock of a search to what is left, if its time is measured in nodes.
    pub(super) fn set(&mut self, limits: &mut Limits) {
        if let (Some(node_time), Some(clock)) = (limits.node_time, &mut limits.clock) {
            let ClockTime { remaining, increment, .. } = clock;
            let left = *self.left.get_or_insert_with(|| node_time.nodes_of(*remaining));
            self.increment = node_time.nodes_of(*increment);
            *remaining = node_time.of_nodes(left);
        }
    }

    /// A search that entered this number of positions is over.
    pub(super) fn finish(&mut self, nodes: u64) {
        self.left = self.left.map(|left| left.saturating_sub(nodes) + self.increment);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;
    use crate::engine::search::NodeTime;

    fn limits(remaining: u64, node_time: Option<NodeTime>) -> Limits {
        let [remaining, increment] = [remaining, 10].map(Duration::from_millis);
        let clock = Some(ClockTime { remaining, increment, moves_to_go: None });
        Limits { clock, node_time, ..Limits::default() }
    }

    #[test]
    fn after_the_first_move_of_a_game_only_nodes_and_increments_change_the_clock() {
        let per_millisecond = NonZeroU32::new(100).unwrap();
        let mut node_clock = NodeClock::default();
        let mut shown = |remaining| {
            let mut limits = limits(remaining, Some(NodeTime { per_millisecond }));
            node_clock.set(&mut limits);
            node_clock.finish(4_000);
            limits.clock.unwrap().remaining.as_millis()
        };
        // The real clock hardly runs.
        assert_eq!([shown(1_000), shown(999), shown(998)], [1_000, 970, 940]);
        for _ in 0..40 {
            shown(990);
        }
        assert_eq!(shown(990), 10, "never below nothing, and an increment");
    }

    #[test]
    fn a_clock_that_is_not_measured_in_nodes_stays_as_it_is() {
        let mut node_clock = NodeClock::default();
        for remaining in [1_000, 700] {
            let mut given = limits(remaining, None);
            node_clock.set(&mut given);
            assert_eq!(given, limits(remaining, None));
            node_clock.finish(4_000);
        }
    }
}
