//! What the options set: each a field with its default, and what they mean to a search.

use std::time::Duration;

use crate::engine::search::{FULL_SKILL, Limits, StrengthLimit};
use crate::engine::tablebases::TablebaseRules;

/// What can be set without disturbing the search under way. What changes the engine itself is an
/// [`EngineChange`](super::EngineChange).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// Whether the opponent's time will be used: only a hint, since each search says it too.
    pub ponder: bool,
    /// How many best lines to find.
    pub multi_pv: usize,
    pub tablebases: TablebaseRules,
    /// Time that passes between our deciding and the clock's stopping.
    pub move_overhead: Duration,
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
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            ponder: false,
            multi_pv: 1,
            tablebases: TablebaseRules::default(),
            move_overhead: Duration::from_millis(10),
            chess960: false,
            show_wdl: false,
            own_book: false,
            analyse_mode: false,
            limit_strength: false,
            elo: *StrengthLimit::ELO.end(),
            skill_level: FULL_SKILL,
        }
    }
}

impl Settings {
    /// Adds to the limits of a search what the settings mean to it. The seed is that of its game.
    pub(super) fn complete(&self, limits: &mut Limits, game_seed: u64) {
        limits.lines = self.multi_pv;
        limits.move_overhead = self.move_overhead;
        limits.tablebases = self.tablebases;
        limits.strength_limit = self.strength().map(|elo| StrengthLimit::of_elo(elo, game_seed));
        if limits.strength_limit.is_some() {
            // A weaker player knows no endgame by heart.
            limits.tablebases.max_pieces = 0;
        }
    }

    /// The strength to play at, if it is not the full one; positions are analysed with that.
    fn strength(&self) -> Option<i32> {
        if self.analyse_mode {
            None
        } else if self.limit_strength {
            Some(self.elo)
        } else {
            let weaker = self.skill_level < FULL_SKILL;
            weaker.then(|| StrengthLimit::elo_of_skill(self.skill_level))
        }
    }

    /// Whether what the engine learned with other settings would be wrong under these.
    pub(super) fn need_fresh_engine(&self, before: &Settings) -> bool {
        // A weaker player would know what a stronger one has found out, and by the other rule
        // about fifty moves the scores in the table would be others.
        self.strength() != before.strength()
            || self.tablebases.fifty_move_rule != before.tablebases.fifty_move_rule
    }
}
