//! Filters positions out of training whose score depends on things that an evaluation cannot see.

use std::fmt;

use shakmaty::Bitboard;

use super::game::{ScoredMove, plies_played};
use super::replay::LabelledPosition;
use outrider_engine::position::{Board, is_tactical, see_ge};
use outrider_engine::units::Score;

/// Plies without a capture or pawn move after which the next ply can repeat a position: both sides moved
/// a piece away, and one side has moved it back.
const MIN_PLIES_BACK: u32 = 3;

/// Reason why a position is excluded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exclusion {
    /// The position has no label.
    Unlabelled,
    /// The position is too close to the opening, whose moves were random.
    FirstPlies,
    /// The score is a mate score.
    Mate,
    /// The score is so high or low that there is nothing left to learn.
    Decided,
    /// There were many plies without a capture or pawn move: the side ahead makes no progress, whatever
    /// the score.
    Shuffled,
    /// The side to move is in check.
    InCheck,
    /// The best move is a capture or promotion: the position is in the middle of an exchange.
    Tactical,
    /// The score may come from a repetition, which the board alone does not show.
    Repetition,
}

impl Exclusion {
    /// All reasons, in the order of the enum.
    pub const ALL: [Exclusion; 8] = [
        Exclusion::Unlabelled,
        Exclusion::FirstPlies,
        Exclusion::Mate,
        Exclusion::Decided,
        Exclusion::Shuffled,
        Exclusion::InCheck,
        Exclusion::Tactical,
        Exclusion::Repetition,
    ];
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exclusion::Unlabelled => "no label",
            Exclusion::FirstPlies => "first plies",
            Exclusion::Mate => "mate score",
            Exclusion::Decided => "large score",
            Exclusion::Shuffled => "no progress",
            Exclusion::InCheck => "in check",
            Exclusion::Tactical => "best move is a capture or promotion",
            Exclusion::Repetition => "possible repetition",
        })
    }
}

/// Decides which positions are used. The default keeps quiet positions for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Exclude positions with fewer plies before them, counted from the beginning of the game: soon
    /// after a random opening the score says less about the result.
    pub first_plies: u32,
    /// Exclude positions with mate scores.
    pub mates: bool,
    /// Exclude positions whose score is beyond ± this, in centipawns. Mate scores are excluded only by
    /// `mates`.
    pub max_score: i32,
    /// Exclude positions with at least this many plies since the last capture or pawn move. From 40
    /// plies on scores predict results worse than a coin toss.
    pub shuffled_from: u32,
    /// Exclude positions in check.
    pub checks: bool,
    /// Exclude positions whose best move is a capture or promotion.
    pub tactical: bool,
    /// Exclude positions with a score of exactly 0 in which the next move could repeat a position.
    pub repetitions: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            first_plies: 10,
            mates: true,
            max_score: 2_500,
            shuffled_from: 40,
            checks: true,
            tactical: true,
            repetitions: false,
        }
    }
}

impl Filter {
    /// A filter that keeps every position with a label.
    pub const NONE: Filter = Filter {
        first_plies: 0,
        mates: false,
        max_score: i32::MAX,
        shuffled_from: u32::MAX,
        checks: false,
        tactical: false,
        repetitions: false,
    };

    /// Returns the reason why this position is excluded, or `None` if it is kept. If several reasons
    /// apply, returns the first in the order of [`Exclusion`].
    pub fn excludes(&self, position: &LabelledPosition) -> Option<Exclusion> {
        let is_mate = position.white_score.is_mate();
        let score = position.white_score.centipawns().abs();
        let reasons = [
            (Exclusion::Unlabelled, position.white_score == ScoredMove::NO_LABEL),
            (Exclusion::FirstPlies, plies_played(position.board.chess()) < self.first_plies),
            (Exclusion::Mate, self.mates && is_mate),
            (Exclusion::Decided, !is_mate && score > self.max_score),
            (Exclusion::Shuffled, position.board.halfmoves() >= self.shuffled_from),
            (Exclusion::InCheck, self.checks && position.board.in_check()),
            (Exclusion::Tactical, self.tactical && is_tactical(position.best)),
            (Exclusion::Repetition, self.repetitions && may_be_repetition(position)),
        ];
        reasons.into_iter().find_map(|(reason, applies)| applies.then_some(reason))
    }

    /// Returns true if this position is excluded, certainly or very likely, whatever a search finds. If a
    /// capture or promotion wins material, the best move is nearly always one.
    pub fn excludes_before_search(&self, board: &Board) -> bool {
        plies_played(board.chess()) < self.first_plies
            || board.halfmoves() >= self.shuffled_from
            || self.checks && board.in_check()
            || self.tactical && can_win_material(board)
    }

    /// Returns true if this position is kept.
    pub fn keeps(&self, position: &LabelledPosition) -> bool {
        self.excludes(position).is_none()
    }
}

/// Returns true if a capture or promotion wins material by static exchange evaluation.
fn can_win_material(board: &Board) -> bool {
    let mut wins = false;
    board.each_tactical(Bitboard::FULL, true, |mv| {
        wins = wins || see_ge(board.chess(), mv, 1) && board.is_legal(mv);
    });
    wins
}

/// Returns true if the score is a draw and the next move could repeat a position.
fn may_be_repetition(position: &LabelledPosition) -> bool {
    position.white_score == Score::DRAW && position.board.halfmoves() >= MIN_PLIES_BACK
}
