//! Clock of a game with time measured in nodes (option `nodestime`).
//!
//! The chess program knows only the real clock, so the engine keeps this one itself. It starts with
//! the time on the real clock at the first move of a game and of each later time control. After
//! that, only nodes and increments change it.

use std::sync::{Arc, Mutex, PoisonError};

use outrider_engine::search::{Control, Limits, Outcome};

/// Remaining time of a game; `None` before the first search. All searches of the game share it, so
/// that a queued search sees the nodes of the searches before it.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeClock(Arc<Mutex<Option<Remaining>>>);

/// Remaining time after a search.
#[derive(Clone, Copy, Debug)]
struct Remaining {
    nodes: u64,
    /// Number of moves to the next time control, as given for that search.
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// Runs a search. If its time is measured in nodes, its clock is set to the remaining time, and
    /// its nodes are subtracted afterwards. A ponder search without a ponder hit costs nothing,
    /// since the engine was not on move.
    pub(super) fn run(
        &self,
        limits: &mut Limits,
        control: &Control,
        search: impl FnOnce(&Limits) -> Outcome,
    ) -> Outcome {
        let (Some(node_time), Some(clock)) = (limits.node_time, &mut limits.clock) else {
            return search(limits);
        };
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let moves_to_go = clock.moves_to_go;
        // More moves than before are left if a new time control has begun.
        let is_same_control = |left: &Remaining| match (left.moves_to_go, moves_to_go) {
            (Some(before), Some(now)) => before > 1 && now <= before,
            (before, now) => before.is_some() == now.is_some(),
        };
        let before = left
            .filter(is_same_control)
            .map_or_else(|| node_time.to_nodes(clock.remaining), |left| left.nodes);
        let increment = node_time.to_nodes(clock.increment);
        clock.remaining = node_time.to_duration(before);
        let outcome = search(limits);
        if !limits.ponder || control.is_ponder_hit() {
            let nodes = before.saturating_sub(outcome.nodes) + increment;
            *left = Some(Remaining { nodes, moves_to_go });
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;
    use outrider_engine::search::{ClockTime, NodeTime};
    use outrider_engine::units::{Depth, Score};

    const USED: Outcome = Outcome {
        best: None,
        ponder: None,
        score: Score::DRAW,
        depth: Depth::ONE,
        nodes: 4_000,
        elapsed: Duration::ZERO,
    };

    fn limits(remaining: u64, node_time: Option<NodeTime>) -> Limits {
        let [remaining, increment] = [remaining, 10].map(Duration::from_millis);
        let clock = Some(ClockTime { remaining, increment, moves_to_go: None });
        Limits { clock, node_time, ..Limits::default() }
    }

    #[test]
    fn after_the_first_move_only_nodes_and_increments_change_the_clock() {
        let per_millisecond = NonZeroU32::new(100).unwrap();
        let node_clock = NodeClock::default();
        let shown = |remaining| {
            let mut limits = limits(remaining, Some(NodeTime { per_millisecond }));
            node_clock.run(&mut limits, &Control::default(), |_| USED);
            limits.clock.unwrap().remaining.as_millis()
        };
        // The real clock changes little.
        assert_eq!([shown(1_000), shown(999), shown(998)], [1_000, 970, 940]);
        for _ in 0..40 {
            shown(990);
        }
        assert_eq!(shown(990), 10, "at least 0, plus the increment");
    }

    #[test]
    fn a_new_time_control_brings_its_time() {
        let per_millisecond = NonZeroU32::new(100).unwrap();
        let node_clock = NodeClock::default();
        let shown = |remaining, moves_to_go| {
            let mut limits = limits(remaining, Some(NodeTime { per_millisecond }));
            limits.clock.as_mut().unwrap().moves_to_go = moves_to_go;
            node_clock.run(&mut limits, &Control::default(), |_| USED);
            limits.clock.unwrap().remaining.as_millis()
        };
        let shown =
            [(1_000, Some(2)), (999, Some(1)), (1_998, Some(40)), (1_997, Some(39)), (3_000, None)]
                .map(|(remaining, to_go)| shown(remaining, to_go));
        assert_eq!(shown, [1_000, 970, 1_998, 1_968, 3_000]);
    }

    #[test]
    fn pondering_without_a_ponder_hit_costs_no_time() {
        let node_time = Some(NodeTime { per_millisecond: NonZeroU32::new(100).unwrap() });
        let node_clock = NodeClock::default();
        let shown = |ponder, is_hit| {
            let mut limits = Limits { ponder, ..limits(1_000, node_time) };
            let control = Control::default();
            node_clock.run(&mut limits, &control, |_| {
                if is_hit {
                    control.ponder_hit();
                }
                USED
            });
            limits.clock.unwrap().remaining.as_millis()
        };
        let shown = [(false, false), (true, false), (true, true), (false, false)]
            .map(|(ponder, is_hit)| shown(ponder, is_hit));
        assert_eq!(shown, [1_000, 970, 970, 940]);
    }

    #[test]
    fn a_real_clock_is_not_changed() {
        let node_clock = NodeClock::default();
        for remaining in [1_000, 700] {
            let mut given = limits(remaining, None);
            node_clock.run(&mut given, &Control::default(), |_| USED);
            assert_eq!(given, limits(remaining, None));
        }
    }
}
