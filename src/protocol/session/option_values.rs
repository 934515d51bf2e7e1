//! What the options have set: each value declared once, with what it means to a search.

use std::time::Duration;

use crate::engine::search::{FULL_SKILL, Limits, StrengthLimit};
use crate::engine::tablebases::TablebaseRules;

/// What the options set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValues {
    /// Size of the transposition table in megabytes.
    pub table_megabytes: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Number of best lines to find.
    pub lines: usize,
    /// How endgame tables are used.
    pub tablebases: TablebaseRules,
    /// Time that passes between our deciding and the clock's stopping.
    pub move_overhead: Duration,
    /// Whether positions are read, and castling is written, by the rules of Chess960.
    pub chess960: bool,
    /// Whether the chances to win, draw and lose are told with each score.
    pub show_chances: bool,
    /// Whether moves of the book are played.
    pub own_book: bool,
    /// Whether positions are analysed and no game is played.
    pub analyse: bool,
    /// Whether to play as weakly as `elo` says.
    pub limit_strength: bool,
    /// The strength to play at, within [`StrengthLimit::ELO`].
    pub elo: i32,
    /// The strength in levels from 0 to [`FULL_SKILL`], unless `limit_strength` is set.
    pub skill_level: i32,
}

impl Default for OptionValues {
    fn default() -> OptionValues {
        OptionValues {
            table_megabytes: 16,
            threads: 1,
            lines: 1,
            tablebases: TablebaseRules::default(),
            move_overhead: Duration::from_millis(10),
            chess960: false,
            show_chances: false,
            own_book: false,
            analyse: false,
            limit_strength: false,
            elo: *StrengthLimit::ELO.end(),
            skill_level: FULL_SKILL,
        }
    }
}

impl OptionValues {
    /// Takes one value.
    pub(super) fn set(&mut self, value: OptionValue) {
        match value {
            OptionValue::Lines(lines) => self.lines = lines,
            OptionValue::ProbeDepth(depth) => self.tablebases.min_depth = depth,
            OptionValue::ProbeLimit(men) => self.tablebases.max_pieces = men,
            OptionValue::MoveOverhead(overhead) => self.move_overhead = overhead,
            OptionValue::Chess960(chess960) => self.chess960 = chess960,
            OptionValue::ShowChances(show) => self.show_chances = show,
            OptionValue::OwnBook(own_book) => self.own_book = own_book,
            OptionValue::Analyse(analyse) => self.analyse = analyse,
            OptionValue::LimitStrength(limit) => self.limit_strength = limit,
            OptionValue::Elo(elo) => self.elo = elo,
            OptionValue::SkillLevel(level) => self.skill_level = level,
            // A search that is to ponder is told so when it starts.
            OptionValue::Pondering(_) => {}
        }
    }

    /// What the values mean to a search in a game with this seed; nothing else is limited.
    pub(super) fn limits(&self, seed: u64) -> Limits {
        let strength_limit = self.strength().map(|elo| StrengthLimit::of_elo(elo, seed));
        let mut tablebases = self.tablebases;
        if strength_limit.is_some() {
            // A weaker player knows no endgame by heart.
            tablebases.max_pieces = 0;
        }
        Limits {
            lines: self.lines,
            tablebases,
            strength_limit,
            move_overhead: self.move_overhead,
            ..Limits::default()
        }
    }

    /// The strength to play at, if it is not the full one; positions are analysed with that.
    pub(super) fn strength(&self) -> Option<i32> {
        if self.analyse {
            None
        } else if self.limit_strength {
            Some(self.elo)
        } else {
            let weaker = self.skill_level < FULL_SKILL;
            weaker.then(|| StrengthLimit::elo_of_skill(self.skill_level))
        }
    }
}

/// The value of one option. Setting it disturbs no task under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// Whether the opponent's time will be used: only a hint.
    Pondering(bool),
    /// The number of best lines to find.
    Lines(usize),
    /// Positions of as many men as the largest tables have are looked up only if at least this
    /// number of plies is left to search.
    ProbeDepth(i32),
    /// Only positions of at most this number of men are looked up in endgame tables.
    ProbeLimit(usize),
    /// Time that passes between our deciding and the clock's stopping.
    MoveOverhead(Duration),
    /// Whether the rules of Chess960 are played by.
    Chess960(bool),
    /// Whether the chances to win, draw and lose are told with each score.
    ShowChances(bool),
    /// Whether moves of the book are played.
    OwnBook(bool),
    /// Whether positions are analysed and no game is played.
    Analyse(bool),
    /// Whether to play as weakly as the strength set says.
    LimitStrength(bool),
    /// The strength to play at.
    Elo(i32),
    /// The strength in levels.
    SkillLevel(i32),
}
