//! What can be asked of a session, as plain values.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use shakmaty::{Color, Move};

use crate::search::{ClockTime, FULL_SKILL, Handicap, Limits};
use crate::tablebases::TablebaseRules;
use crate::units::Depth;

/// Where a game starts and what was played since.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionRequest {
    /// The first position.
    pub start: Start,
    /// The moves played from it, in long algebraic notation.
    pub moves: Vec<String>,
}

/// The first position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// The initial position of standard chess.
    #[default]
    Initial,
    /// A position given as FEN, not yet checked.
    Fen(String),
}

/// What a search is asked for. Times are as the clock says, before any overhead is taken off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchRequest {
    /// Depth in plies to search to.
    pub depth: Option<Depth>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Full moves within which a mate is wanted.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// White's time left.
    pub white_time: Option<Duration>,
    /// Black's time left.
    pub black_time: Option<Duration>,
    /// White's increment.
    pub white_increment: Option<Duration>,
    /// Black's increment.
    pub black_increment: Option<Duration>,
    /// Moves until time is added to the clocks.
    pub moves_to_go: Option<u32>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Search only these moves, in long algebraic notation; empty for all.
    pub search_moves: Vec<String>,
}

impl SearchRequest {
    /// The limits that this request means for the side to move.
    pub(super) fn limits(
        &self,
        turn: Color,
        search_moves: Vec<Move>,
        settings: &OptionValues,
        seed: u64,
        started: Instant,
    ) -> Limits {
        let handicap = settings.handicap(seed);
        let mut tablebases = settings.tablebases;
        if handicap.is_some() {
            // A weaker player knows no endgame by heart.
            tablebases.most_men = 0;
        }
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            mate: self.mate,
            move_time: self.move_time,
            clock: self.clock(turn),
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            fade: true,
            lines: settings.lines,
            tablebases,
            handicap,
            move_overhead: settings.move_overhead,
            started,
        }
    }

    /// Whether a move is wanted to play at once in a game, and the engine is free in its choice.
    pub(super) fn may_use_book(&self) -> bool {
        !self.infinite && !self.ponder && self.mate.is_none() && self.search_moves.is_empty()
    }

    /// Whether anything but `stop` ends the search, or nothing is meant to.
    pub fn has_limit(&self) -> bool {
        let clocks = [self.white_time, self.black_time, self.white_increment, self.black_increment];
        self.infinite
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || clocks.iter().any(Option::is_some)
    }

    /// The clock of the side to move. If any clock is told, the game is played by the clock, so a
    /// time that is missing then is taken for none left rather than for no limit.
    fn clock(&self, turn: Color) -> Option<ClockTime> {
        let times = [self.white_time, self.black_time, self.white_increment, self.black_increment];
        times.iter().any(Option::is_some).then(|| ClockTime {
            remaining: turn.fold_wb(self.white_time, self.black_time).unwrap_or_default(),
            increment: turn.fold_wb(self.white_increment, self.black_increment).unwrap_or_default(),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        })
    }
}

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
    /// The strength to play at, within [`Handicap::ELO`].
    pub elo: i32,
    /// The strength in levels from 0 to [`FULL_SKILL`], unless `limit_strength` is set.
    pub skill_level: i32,
}

impl OptionValues {
    /// The handicap of a game with this seed; positions are analysed without one.
    fn handicap(&self, seed: u64) -> Option<Handicap> {
        if self.analyse {
            None
        } else if self.limit_strength {
            Some(Handicap::of_elo(self.elo, seed))
        } else if self.skill_level < FULL_SKILL {
            Some(Handicap::of_elo(Handicap::elo_of_skill(self.skill_level), seed))
        } else {
            None
        }
    }
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
            elo: *Handicap::ELO.end(),
            skill_level: FULL_SKILL,
        }
    }
}

/// One change of the settings or of what the engine remembers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Changes the engine itself, which has to be idle for it.
    Engine(EngineChange),
    /// Tells whether the opponent's time will be used. Only a hint: a search that is to ponder is
    /// told so when it starts.
    Pondering(bool),
    /// Finds this number of best lines.
    Lines(usize),
    /// Looks positions of as many men as the largest tables have up only if at least this number of
    /// plies is left to search.
    ProbeDepth(i32),
    /// Looks only positions of at most this number of men up in endgame tables.
    ProbeLimit(usize),
    /// Allows for so much time between our deciding and the clock's stopping.
    MoveOverhead(Duration),
    /// Plays by the rules of Chess960, or no longer.
    Chess960(bool),
    /// Tells the chances to win, draw and lose with each score, or no longer.
    ShowChances(bool),
    /// Plays the moves of the book, or no longer.
    OwnBook(bool),
    /// Takes moves from the book in this file, or from none.
    BookFile(Option<PathBuf>),
    /// Positions are analysed from now on and no game is played, or no longer.
    Analyse(bool),
    /// Plays as weakly as the strength set says, or no longer.
    LimitStrength(bool),
    /// Sets the strength to play at.
    Elo(i32),
    /// Sets the strength in levels.
    SkillLevel(i32),
}

/// A change of the engine itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineChange {
    /// Replaces the transposition table by one of this size in megabytes.
    TableMegabytes(usize),
    /// Forgets everything that earlier searches have learned.
    Forget,
    /// Searches with this number of threads.
    Threads(usize),
    /// Evaluates with the network in this file, or with the one built in.
    Network(Option<PathBuf>),
    /// Asks the endgame tables in these folders, separated as the system does, or none.
    Tablebases(Option<String>),
    /// Takes wins in the tables that the fifty-move rule prevents for draws, or for wins.
    FiftyMoveRule(bool),
    /// Sets a tunable number of the search.
    Parameter {
        /// Its place in [`parameters::all`](crate::search::parameters::all).
        index: usize,
        /// The new value.
        value: i32,
    },
}

impl EngineChange {
    /// The name of the change in a message.
    pub fn name(&self) -> &'static str {
        match self {
            EngineChange::TableMegabytes(_) => "the new size of the table",
            EngineChange::Forget => "forgetting what was learned",
            EngineChange::Threads(_) => "the new number of threads",
            EngineChange::Network(_) => "the other network",
            EngineChange::Tablebases(_) => "the other endgame tables",
            EngineChange::FiftyMoveRule(_) => "the fifty-move rule in endgame tables",
            EngineChange::Parameter { .. } => "the new value of the parameter",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits(request: &SearchRequest, turn: Color) -> Limits {
        request.limits(turn, Vec::new(), &OptionValues::default(), 0, Instant::now())
    }

    #[test]
    fn each_side_searches_by_its_own_clock() {
        let request = SearchRequest {
            white_time: Some(60 * SECOND),
            black_time: Some(30 * SECOND),
            white_increment: Some(SECOND),
            moves_to_go: Some(12),
            ..SearchRequest::default()
        };
        let white = ClockTime { remaining: 60 * SECOND, increment: SECOND, moves_to_go: Some(12) };
        let black =
            ClockTime { remaining: 30 * SECOND, increment: Duration::ZERO, moves_to_go: Some(12) };
        assert_eq!(limits(&request, Color::White).clock, Some(white));
        assert_eq!(limits(&request, Color::Black).clock, Some(black));
    }

    #[test]
    fn without_clocks_no_time_is_shared_out() {
        let request = SearchRequest { moves_to_go: Some(3), ..SearchRequest::default() };
        assert_eq!(limits(&request, Color::White).clock, None);
    }

    #[test]
    fn a_side_whose_clock_is_not_told_does_not_search_forever() {
        let request = SearchRequest { white_time: Some(SECOND), ..SearchRequest::default() };
        let clock = limits(&request, Color::Black).clock;
        assert_eq!(clock.map(|clock| clock.remaining), Some(Duration::ZERO));
    }
}
