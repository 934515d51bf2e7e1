//! Time management: how long to search.
//!
//! The clock gives two limits: a soft limit, after which no further iteration begins, and a hard
//! limit, at which the search stops wherever it is. The soft limit depends on the search: it is
//! lower while the best move stays the same and takes most of the nodes, and higher when the score
//! falls (after Hyatt 1984, "Using time wisely").
//!
//! Both limits leave a reserve on the clock. On a busy machine, every thread that passes the answer
//! on may be woken late. With less than a tenth of a second left, that would lose the game.
//!
//! If time is measured in nodes, the limits are the same, and nodes are counted against them.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use super::limits::{ClockTime, Limits, NodeTime};
use super::parameters;

/// Least time for a move, even if less is left: enough for some hundred nodes. It is this short
/// because, on a busy machine, a thread that searches for a millisecond may have to wait ten
/// milliseconds before it can answer.
const MIN_TIME: Duration = Duration::from_micros(100);

/// A search with a lower hard limit is short of time. On a busy machine, a thread that has run for
/// a while can wait longer than this for its next turn, and the answer waits for every thread of
/// the search.
const SHORT_TIME: Duration = Duration::from_millis(20);

/// The time limits of one search.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    started: Instant,
    soft_limit: Option<Duration>,
    hard_limit: Option<Duration>,
    node_time: Option<NodeTime>,
}

impl Clock {
    /// Derives the time limits of a search from `limits` and the number of the move in the game.
    pub(super) fn new(limits: &Limits, move_number: NonZeroU32) -> Clock {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let left = clock.remaining.saturating_sub(limits.move_overhead).as_secs_f64();
            let usable = usable_time(left);
            let share = share_of_move(clock, left, usable, move_number);
            let max_hard = usable * percent(parameters::clock_hard_part());
            soft = Some(seconds(share));
            hard = Some(seconds((share * percent(parameters::clock_hard_share())).min(max_hard)));
        }
        if let Some(time) = limits.move_time {
            let usable = time.saturating_sub(limits.move_overhead);
            hard = Some(hard.map_or(usable, |hard| hard.min(usable)));
        }
        let at_least = |limit: Option<Duration>| limit.map(|limit| limit.max(MIN_TIME));
        let started = limits.started.unwrap_or_else(Instant::now);
        Clock {
            started,
            soft_limit: at_least(soft),
            hard_limit: at_least(hard),
            node_time: limits.node_time,
        }
    }

    /// Returns the time since the search was requested.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns true if so little time is left that a thread that runs late could lose the game. Such a
    /// search uses no helper threads, obeys its time limits even while it ponders, and, unless
    /// it ponders, reports only its answer.
    pub(super) fn is_short_of_time(&self) -> bool {
        self.node_time.is_none() && self.hard_limit.is_some_and(|hard| hard < SHORT_TIME)
    }

    /// Returns true if the search must stop at once, after `nodes` nodes.
    pub(super) fn is_past_hard_limit(&self, nodes: u64) -> bool {
        self.hard_limit.is_some_and(|hard| self.used_time(nodes) >= hard)
    }

    /// Returns true if no further iteration should begin after `nodes` nodes. The limit depends on
    /// `factors`.
    pub(super) fn is_past_soft_limit(&self, nodes: u64, factors: &TimeFactors) -> bool {
        self.soft_limit.is_some_and(|soft| self.used_time(nodes) >= soft.mul_f64(factors.product()))
    }

    /// Returns the time to compare with the limits.
    fn used_time(&self, nodes: u64) -> Duration {
        self.node_time.map_or_else(|| self.elapsed(), |node_time| node_time.to_duration(nodes))
    }
}

/// Facts about the search so far that move the soft limit.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeFactors {
    /// Number of finished iterations in a row that kept the best move.
    stable_iterations: u32,
    /// Fall of the score over the last few iterations, in centipawns.
    score_drop: i32,
    /// Share of all nodes that were spent on the best move, 0 to 1.
    best_move_share: f64,
}

impl TimeFactors {
    /// Records a finished iteration: if it kept the best move, the fall of the score in centipawns since
    /// a few iterations ago, and the share of all nodes that were spent on the best move, 0 to 1.
    pub(super) fn finish_iteration(
        &mut self,
        same_move: bool,
        score_drop: i32,
        best_move_share: f64,
    ) {
        self.stable_iterations = if same_move { self.stable_iterations + 1 } else { 0 };
        self.score_drop = score_drop;
        self.best_move_share = best_move_share;
    }

    /// Returns the factor by which the soft limit is multiplied.
    fn product(&self) -> f64 {
        let reduction =
            percent(parameters::clock_stability_step()) * f64::from(self.stable_iterations);
        let stability = (percent(parameters::clock_stability_base()) - reduction)
            .max(percent(parameters::clock_stability_min()));
        let fall = f64::from(self.score_drop) / f64::from(parameters::clock_trend_fall());
        let trend = (1.0 + fall)
            .clamp(percent(parameters::clock_trend_min()), percent(parameters::clock_trend_max()));
        let spent = percent(parameters::clock_effort_slope()) * self.best_move_share;
        let effort = (percent(parameters::clock_effort_base()) - spent).clamp(
            percent(parameters::clock_effort_min()),
            percent(parameters::clock_effort_max()),
        );
        stability * trend * effort
    }
}

/// Returns the seconds that stay on the clock.
fn reserve() -> f64 {
    f64::from(parameters::clock_reserve()) / 1_000.0
}

/// Returns the seconds left after the reserve, which never takes all of them.
fn usable_time(left: f64) -> f64 {
    left - reserve().min(left * percent(parameters::clock_reserve_part()))
}

/// Returns the share of the usable time for this move, in seconds. While the clock shows less than
/// the reserve, the increment refills the reserve. From twice the reserve on, the increment counts
/// in full.
fn share_of_move(clock: ClockTime, left: f64, usable: f64, move_number: NonZeroU32) -> f64 {
    let counted = ((left - reserve()) / reserve().max(1e-3)).clamp(0.0, 1.0);
    let increment = clock.increment.as_secs_f64() * counted;
    let share = match clock.moves_to_go {
        Some(moves) => {
            let moves = moves.clamp(1, parameters::clock_moves_to_go_max() as u32);
            usable / f64::from(moves) + increment * percent(parameters::clock_increment_share())
        }
        None => share_of_game(usable, increment, move_number),
    };
    share.min(usable)
}

/// Returns the share, in seconds, if the time has to last for the rest of the game: a part of the
/// time left and of the increments to come. The part rises with the number of moves played, since
/// fewer moves are left. The first moves, which are the best known, get less than an even share.
fn share_of_game(usable: f64, increment: f64, move_number: NonZeroU32) -> f64 {
    let played = f64::from(move_number.get() - 1) / f64::from(parameters::clock_rise_moves());
    let part = permille(parameters::clock_part_first())
        + permille(parameters::clock_part_rise()) * (1.0 - (-played).exp());
    let ahead = increment * f64::from(parameters::clock_increments_ahead());
    let max_share = usable * percent(parameters::clock_part_max())
        + increment * percent(parameters::clock_increment_share());
    (part * (usable + ahead)).min(max_share)
}

fn permille(permille: i32) -> f64 {
    f64::from(permille) / 1_000.0
}

fn percent(percent: i32) -> f64 {
    f64::from(percent) / 100.0
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.max(0.0))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use proptest::prelude::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Clock {
        clock_at(1, remaining, increment, moves_to_go, overhead)
    }

    fn clock_at(
        move_number: u32,
        remaining: u64,
        increment: u64,
        moves_to_go: Option<u32>,
        overhead: u64,
    ) -> Clock {
        let limits = Limits {
            clock: Some(ClockTime {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            move_overhead: Duration::from_millis(overhead),
            ..Limits::default()
        };
        Clock::new(&limits, NonZeroU32::new(move_number).unwrap())
    }

    fn clock_of(limits: &Limits) -> Clock {
        Clock::new(limits, NonZeroU32::MIN)
    }

    proptest! {
        #[test]
        fn a_move_always_leaves_the_overhead_and_a_reserve_on_the_clock(
            remaining in prop_oneof![0_u64..300, 0_u64..10_000_000], increment in 0_u64..60_000,
            moves in proptest::option::of(0_u32..200), overhead in 0_u64..5_000, number in 1_u32..300,
        ) {
            let limits = clock_at(number, remaining, increment, moves, overhead);
            let left = remaining.saturating_sub(overhead) as f64;
            // Three quarters of the time left, but at most 75 ms.
            let reserve = f64::min(0.75 * left, 75.0);
            for limit in [limits.hard_limit, limits.soft_limit] {
                let milliseconds = limit.unwrap().as_secs_f64() * 1_000.0;
                prop_assert!(milliseconds <= f64::max(left - reserve, 0.1) + 1e-3);
                prop_assert!(milliseconds >= 0.1);
            }
        }
    }

    #[test]
    fn a_clock_below_the_reserve_gains_most_of_the_increment() {
        for remaining in 0..=85 {
            let limits = clock_at(40, remaining, 10, None, 10);
            assert!(limits.soft_limit.unwrap() <= Duration::from_millis(1), "{remaining}");
            assert!(limits.hard_limit.unwrap() <= Duration::from_millis(4), "{remaining}");
        }
        assert!(clock_at(40, 300, 10, None, 10).soft_limit.unwrap() > Duration::from_millis(10));
    }

    #[test]
    fn a_game_uses_most_of_its_time_and_spends_most_in_the_middle() {
        for (seconds, increment) in [(3, 30), (60, 0), (600, 5_000)] {
            let mut left = seconds * 1_000;
            let spent: Vec<u64> = (1..=80)
                .map(|number| {
                    let soft = clock_at(number, left, increment, None, 10).soft_limit.unwrap();
                    let spent = soft.as_millis() as u64;
                    left = left - spent + increment;
                    spent
                })
                .collect();
            assert!(left < seconds * 100, "{left} ms are left of {seconds} s");
            assert!(spent[9] > spent[0] && spent[9] > spent[39], "{spent:?}");
        }
    }

    #[test]
    fn a_falling_score_gets_more_time_and_a_stable_best_move_gets_less() {
        let calm = TimeFactors { stable_iterations: 9, score_drop: 0, best_move_share: 0.9 };
        let falling = TimeFactors { score_drop: 60, ..calm.clone() };
        let unstable = TimeFactors { stable_iterations: 0, ..calm.clone() };
        assert!(falling.product() > calm.product());
        assert!(unstable.product() > calm.product());
    }

    #[test]
    fn a_fixed_move_time_is_used_less_the_overhead() {
        let limits = Limits {
            move_overhead: Duration::from_millis(10),
            ..Limits::move_time(Duration::from_millis(100))
        };
        assert_eq!(clock_of(&limits).hard_limit, Some(Duration::from_millis(90)));
        assert_eq!(clock_of(&limits).soft_limit, None);
    }

    #[test]
    fn a_search_is_short_of_time_only_with_a_low_hard_limit() {
        assert!(clock(90, 5, None, 10).is_short_of_time());
        assert!(!clock(3_000, 30, None, 10).is_short_of_time());
        assert!(!clock_of(&Limits::depth(5)).is_short_of_time());
    }

    #[test]
    fn time_never_stops_a_search_without_a_clock() {
        let clock = clock_of(&Limits::depth(5));
        let factors = TimeFactors::default();
        assert!(!clock.is_past_hard_limit(9_000) && !clock.is_past_soft_limit(9_000, &factors));
    }

    #[test]
    fn a_clock_in_nodes_ignores_the_time_of_the_machine() {
        let clock = clock_of(&Limits {
            started: Instant::now().checked_sub(Duration::from_secs(9)),
            node_time: NonZeroU32::new(50).map(|per_millisecond| NodeTime { per_millisecond }),
            ..Limits::move_time(Duration::from_millis(100))
        });
        assert!(!clock.is_past_hard_limit(4_999) && clock.is_past_hard_limit(5_000));
        assert!(!clock.is_short_of_time());
    }
}
