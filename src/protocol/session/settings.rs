//! Settings of a session with their defaults, and their effect on a search.

use std::num::NonZeroU32;
use std::time::Duration;

use outrider_engine::search::{FULL_SKILL, Limits, NodeTime, StrengthLimit};
use outrider_engine::tablebases::TablebaseRules;

/// Settings that can change while a search runs. Changes of the engine itself are
/// [`EngineChange`](super::EngineChange)s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The opponent's time will be used. This is only a hint; each search says whether it ponders.
    pub ponder: bool,
    /// Number of best lines to find.
    pub multi_pv: usize,
    /// Use of endgame tables.
    pub tablebases: TablebaseRules,
    /// Time between the engine's decision and the stop of its clock.
    pub move_overhead: Duration,
    /// Nodes that count as one millisecond of the clock; 0 for real time.
    pub nodes_per_millisecond: usize,
    /// Positions are read and castling moves written in the notation of Chess960.
    pub chess960: bool,
    /// The chances to win, draw and lose (WDL) are shown with each score.
    pub show_wdl: bool,
    /// Book moves are played.
    pub own_book: bool,
    /// Positions are analysed; no game is played.
    pub analyse_mode: bool,
    /// Strength is limited to `elo`.
    pub limit_strength: bool,
    /// Strength for `limit_strength`, within [`StrengthLimit::ELO`].
    pub elo: i32,
    /// Strength as a level from 0 to [`FULL_SKILL`]; ignored if `limit_strength` is set.
    pub skill_level: i32,
    /// At limited strength, a move takes as long as it might take a person.
    pub pauses: bool,
}

/// Range of a move's pause in percent of the available time.
const PAUSE_PERCENT: std::ops::Range<u32> = 15..90;
/// Assumed number of moves left when a pause takes its share of the clock.
const ASSUMED_MOVES_LEFT: u32 = 40;
const MAX_PAUSE: Duration = Duration::from_secs(15);

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            ponder: false,
            multi_pv: 1,
            tablebases: TablebaseRules::default(),
            move_overhead: Duration::from_millis(10),
            nodes_per_millisecond: 0,
            chess960: false,
            show_wdl: false,
            own_book: false,
            analyse_mode: false,
            limit_strength: false,
            elo: *StrengthLimit::ELO.end(),
            skill_level: FULL_SKILL,
            pauses: false,
        }
    }
}

impl Settings {
    /// Applies the settings to the limits of a search in the game with this seed.
    pub(super) fn apply_to(&self, limits: &mut Limits, game_seed: u64) {
        limits.lines = self.multi_pv;
        limits.move_overhead = self.move_overhead;
        limits.node_time = NonZeroU32::new(self.nodes_per_millisecond as u32)
            .map(|per_millisecond| NodeTime { per_millisecond });
        limits.tablebases = self.tablebases;
        limits.strength_limit = self.strength().map(|elo| StrengthLimit::from_elo(elo, game_seed));
        if limits.strength_limit.is_some() {
            // A weak player does not play endgames perfectly.
            limits.tablebases.max_pieces = 0;
        }
    }

    /// Returns the Elo of limited strength, or `None` for full strength. Analysis has full strength.
    pub(super) fn strength(&self) -> Option<i32> {
        if self.analyse_mode {
            None
        } else if self.limit_strength {
            Some(self.elo)
        } else {
            let weaker = self.skill_level < FULL_SKILL;
            weaker.then(|| StrengthLimit::elo_from_skill(self.skill_level))
        }
    }

    /// Returns the minimum time of a weak player's move, so that the engine seems to think: a random
    /// share of the available time. Zero unless `pauses` is set and strength is limited.
    pub(super) fn pause(&self, limits: &Limits) -> Duration {
        if !self.pauses || self.strength().is_none() || limits.infinite || limits.ponder {
            return Duration::ZERO;
        }
        let share = f64::from(rand::random_range(PAUSE_PERCENT)) / 100.0;
        let by_move = limits.move_time.map(|time| time.saturating_sub(self.move_overhead));
        let by_clock = limits.clock.map(|clock| {
            // The increment is added only after the move.
            let left = clock.remaining.saturating_sub(self.move_overhead);
            (clock.remaining / ASSUMED_MOVES_LEFT + clock.increment / 2).min(left / 2)
        });
        let available = by_move.into_iter().chain(by_clock).min().unwrap_or_default();
        available.mul_f64(share).min(MAX_PAUSE)
    }

    /// Returns true if the data learned with the earlier settings is invalid with these.
    pub(super) fn need_fresh_engine(&self, before: &Settings) -> bool {
        // A weaker player must not use what a stronger one found, and the fifty-move rule changes
        // the scores in the table.
        self.strength() != before.strength()
            || self.tablebases.fifty_move_rule != before.tablebases.fifty_move_rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::search::ClockTime;

    #[test]
    fn a_search_uses_the_move_overhead_of_the_settings() {
        let move_overhead = Duration::from_millis(250);
        let mut limits = Limits::default();
        Settings { move_overhead, ..Settings::default() }.apply_to(&mut limits, 1);
        assert_eq!(limits.move_overhead, move_overhead);
    }

    #[test]
    fn only_limited_strength_with_pauses_pauses_and_stays_within_its_time() {
        let weak = Settings { limit_strength: true, elo: 800, pauses: true, ..Settings::default() };
        let time = Limits::move_time(Duration::from_millis(2000));
        for _ in 0..100 {
            let pause = weak.pause(&time);
            assert!(pause > Duration::from_millis(200) && pause < Duration::from_millis(1900));
        }
        let remaining = Duration::from_secs(60);
        let clock = ClockTime { remaining, increment: Duration::ZERO, moves_to_go: None };
        let clock = Limits { clock: Some(clock), ..Limits::default() };
        assert!(weak.pause(&clock) < remaining / 30 && weak.pause(&clock) > Duration::ZERO);
        for without_pauses in [
            Settings { pauses: false, ..weak },
            Settings { limit_strength: false, ..weak },
            Settings { analyse_mode: true, ..weak },
        ] {
            assert_eq!(without_pauses.pause(&time), Duration::ZERO);
        }
        let ponder = Limits { ponder: true, ..time };
        assert_eq!(weak.pause(&ponder), Duration::ZERO);
    }

    #[test]
    fn a_pause_takes_at_most_half_of_the_clock_at_any_increment() {
        let weak = Settings { limit_strength: true, pauses: true, ..Settings::default() };
        let increment = Duration::from_secs(20);
        for remaining in [0, 5, 200, 3_000].map(Duration::from_millis) {
            let clock = Some(ClockTime { remaining, increment, moves_to_go: None });
            for move_time in [None, Some(Duration::from_secs(60))] {
                let limits = Limits { clock, move_time, ..Limits::default() };
                let pause = (0..20).map(|_| weak.pause(&limits)).max().unwrap();
                assert!(pause <= remaining / 2, "{pause:?} of {remaining:?}");
            }
        }
    }
}
