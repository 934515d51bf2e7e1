//! Positions to leave out of training: those whose score depends on what an evaluation cannot see.

use std::fmt;

use shakmaty::Bitboard;

use super::game::{ScoredMove, plies_played};
use super::replay::LabelledPosition;
use outrider_engine::position::{Board, is_tactical, see_ge};
use outrider_engine::units::Score;

/// Plies without a capture or pawn move after which the next can lead back to an earlier position:
/// a piece of each side has gone away, and one has come back.
const MIN_PLIES_BACK: u32 = 3;

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exclusion {
    /// It has no label.
    Unlabelled,
    /// It is too near to the opening, where the moves were random.
    FirstPlies,
    /// The score announces a mate.
    Mate,
    /// The score is so great that nothing is left to learn.
    Decided,
    /// There was no capture or pawn move for long: the side ahead makes no progress, whatever the
    /// score says.
    Shuffled,
    /// The side to move is in check.
    InCheck,
    /// The best move captures or promotes: the position is in the middle of an exchange.
    Tactical,
    /// The score is that of a repetition of the game's positions, which a board does not show.
    Repetition,
}

impl Exclusion {
    /// All of them, in order.
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
            Exclusion::Decided => "great score",
            Exclusion::Shuffled => "no progress for long",
            Exclusion::InCheck => "in check",
            Exclusion::Tactical => "best move captures or promotes",
            Exclusion::Repetition => "score of a repetition",
        })
    }
}

/// Decides which positions are used; the default is for training with quiet positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Positions with fewer plies before them, counted from the beginning of the game, are left
    /// out: in the first ones after a random opening the score says less about the result.
    pub first_plies: u32,
    /// Leave out positions scored as mates.
    pub mates: bool,
    /// Positions scored beyond this, in centipawns, are left out; mates only by `mates`.
    pub max_score: i32,
    /// Positions with at least this many plies since the last capture or pawn move are left out.
    /// From 40 on scores say less about results than a coin, whether they fade or not.
    pub shuffled_from: u32,
    /// Leave out positions in check.
    pub checks: bool,
    /// Leave out positions whose best move captures or promotes.
    pub tactical: bool,
    /// Leave out positions scored exactly 0 in which a move could lead back to one of the game.
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
    /// A filter that keeps everything that has a label.
    pub const NONE: Filter = Filter {
        first_plies: 0,
        mates: false,
        max_score: i32::MAX,
        shuffled_from: u32::MAX,
        checks: false,
        tactical: false,
        repetitions: false,
    };

    /// Why this position is left out; `None` if it is kept. Of several reasons the first in the
    /// order of [`Exclusion`] is given.
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

    /// Whether this position is left out whatever a search finds in it, or most probably: where a
    /// capture or promotion wins material, the best move is nearly always one.
    pub fn excludes_before_search(&self, board: &Board) -> bool {
        plies_played(board.chess()) < self.first_plies
            || board.halfmoves() >= self.shuffled_from
            || self.checks && board.in_check()
            || self.tactical && can_win_material(board)
    }

    /// Whether this position is kept.
    pub fn keeps(&self, position: &LabelledPosition) -> bool {
        self.excludes(position).is_none()
    }
}

/// Whether some capture or promotion wins material by static exchange evaluation.
fn can_win_material(board: &Board) -> bool {
    let mut wins = false;
    board.each_tactical(Bitboard::FULL, true, |mv| {
        wins = wins || see_ge(board.chess(), mv, 1) && board.is_legal(mv);
    });
    wins
}

/// Whether the score is that of a draw and a position of the game can come again.
fn may_be_repetition(position: &LabelledPosition) -> bool {
    position.white_score == Score::DRAW && position.board.halfmoves() >= MIN_PLIES_BACK
}
