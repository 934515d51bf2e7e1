//! What the options set: each a field with its default, and what they mean to a search.

use std::num::NonZeroU32;
use std::time::Duration;

use outrider_engine::search::{FULL_SKILL, Limits, NodeTime, StrengthLimit};
use outrider_engine::tablebases::TablebaseRules;

/// What can be set without disturbing the search under way. What changes the engine itself is an
/// [`EngineChange`](super::EngineChange).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Whether the opponent's time will be used: only a hint, since each search says it too.
    pub ponder: bool,
    /// How many best lines to find.
    pub multi_pv: usize,
    pub tablebases: TablebaseRules,
    /// Time that passes between our deciding and the clock's stopping.
    pub move_overhead: Duration,
    /// How many nodes count as a millisecond of the clock; 0 for time by the clock itself.
    pub nodes_per_millisecond: usize,
    /// Whether positions are read, and castling is written, by the rules of Chess960.
    pub chess960: bool,
    /// Whether the chances to win, draw and lose (WDL) are shown with each score.
    pub show_wdl: bool,
    /// Whether moves of the book are played.
    pub own_book: bool,
    /// Whether positions are analysed and no game is played.
    pub analyse_mode: bool,
    /// Whether to play as weakly as `elo` says.
    pub limit_strength: bool,
    /// The strength to play at, within [`StrengthLimit::ELO`].
    pub elo: i32,
    /// The strength in levels from 0 to [`FULL_SKILL`], unless `limit_strength` is set.
    pub skill_level: i32,
    /// Whether a player of limited strength takes the time that a person would.
    pub pauses: bool,
}

/// The least and the greatest share of its time that a move's pause takes.
const PAUSE_PERCENT: std::ops::Range<u32> = 15..90;
/// By so many moves the time on the clock is divided.
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
    /// Adds to the limits of a search what the settings mean to it. The seed is that of its game.
    pub(super) fn apply_to(&self, limits: &mut Limits, game_seed: u64) {
        limits.lines = self.multi_pv;
        limits.move_overhead = self.move_overhead;
        limits.node_time = NonZeroU32::new(self.nodes_per_millisecond as u32)
            .map(|per_millisecond| NodeTime { per_millisecond });
        limits.tablebases = self.tablebases;
        limits.strength_limit = self.strength().map(|elo| StrengthLimit::from_elo(elo, game_seed));
        if limits.strength_limit.is_some() {
            // A weaker player knows no endgame by heart.
            limits.tablebases.max_pieces = 0;
        }
    }

    /// The strength to play at, if it is not the full one; positions are analysed with that.
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

    /// How long a move of a weak player takes at least, so that it looks as if somebody thought: some
    /// share of what there is, another one for each move. Nothing unless that is wanted.
    pub(super) fn pause(&self, limits: &Limits) -> Duration {
        if !self.pauses || self.strength().is_none() || limits.infinite || limits.ponder {
            return Duration::ZERO;
        }
        let share = f64::from(rand::random_range(PAUSE_PERCENT)) / 100.0;
        let by_move = limits.move_time.map(|time| time.saturating_sub(self.move_overhead));
        let by_clock = limits.clock.map(|clock| {
            // An increment comes only after the move.
            let left = clock.remaining.saturating_sub(self.move_overhead);
            (clock.remaining / ASSUMED_MOVES_LEFT + clock.increment / 2).min(left / 2)
        });
        let available = by_move.into_iter().chain(by_clock).min().unwrap_or_default();
        available.mul_f64(share).min(MAX_PAUSE)
    }

    /// Whether what the engine learned with other settings would be wrong under these.
    pub(super) fn need_fresh_engine(&self, before: &Settings) -> bool {
        // A weaker player would know what a stronger one has found out, and by the other rule
        // about fifty moves the scores in the table would be others.
        self.strength() != before.strength()
            || self.tablebases.fifty_move_rule != before.tablebases.fifty_move_rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::search::ClockTime;

    #[test]
    fn a_search_gets_the_overhead_that_is_set() {
        let move_overhead = Duration::from_millis(250);
        let mut limits = Limits::default();
        Settings { move_overhead, ..Settings::default() }.apply_to(&mut limits, 1);
        assert_eq!(limits.move_overhead, move_overhead);
    }

    #[test]
    fn pauses_are_made_by_weak_players_that_are_asked_for_them_and_within_their_time() {
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
        for silent in [
            Settings { pauses: false, ..weak },
            Settings { limit_strength: false, ..weak },
            Settings { analyse_mode: true, ..weak },
        ] {
            assert_eq!(silent.pause(&time), Duration::ZERO);
        }
        let ponder = Limits { ponder: true, ..time };
        assert_eq!(weak.pause(&ponder), Duration::ZERO);
    }

    #[test]
    fn a_pause_leaves_time_on_the_clock_however_great_the_increment() {
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
