//! Types for the quantities of the search: [`Score`], [`Depth`] and [`Ply`].
//!
//! With plain integers, adding a depth to a score would compile. With these types it does not. A
//! margin is a plain `i32` in centipawns and can be added to a score.

#![forbid(unsafe_code)]

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// Greatest distance from the root, in plies.
pub const MAX_PLY: usize = 240;

/// The value of a position in centipawns from the point of view of the side to move.
///
/// Scores lie in three bands with gaps between them. Evaluations go up to [`Score::MAX_STATIC`]. Wins
/// by endgame tables lie just below [`Score::TABLEBASE_WIN`], and mates just below [`Score::MATE`]. The
/// score of a win encodes a distance in plies: to the position in the tables, or to the mate. A search
/// never returns a score in a gap, but a bound of a window may lie there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// Score of a draw by rule.
    pub const DRAW: Score = Score(0);
    /// Score of an even position; also used for a position that is not evaluated.
    pub const ZERO: Score = Score(0);
    /// Greater than every score that a search can return.
    pub const INFINITE: Score = Score(32_001);
    /// Less than every score that a search can return.
    pub const MINUS_INFINITE: Score = Score(-Score::INFINITE.0);
    /// Score of a mate on the board, for the winner.
    pub const MATE: Score = Score(32_000);
    /// Score of a position in the endgame tables that the side to move wins.
    pub const TABLEBASE_WIN: Score = Score(31_000);
    /// Greatest score of an evaluation, which does not announce a win: 150 pawns.
    pub const MAX_STATIC: Score = Score(15_000);

    /// Returns a score of this many centipawns. The bands are not checked.
    pub const fn new(centipawns: i32) -> Score {
        Score(centipawns)
    }

    /// Returns the score of a mate by the side to move in `ply` plies.
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Score::MATE.0 - ply.0 as i32)
    }

    /// Returns the score of a mate of the side to move in `ply` plies.
    pub const fn mated_in(ply: Ply) -> Score {
        Score(ply.0 as i32 - Score::MATE.0)
    }

    /// Returns the score of a win by a position in the endgame tables, `ply` plies away.
    pub const fn tablebase_win_in(ply: Ply) -> Score {
        Score(Score::TABLEBASE_WIN.0 - ply.0 as i32)
    }

    /// Returns the plain number: centipawns, or the encoding of a mate or a win by the tables.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// Returns true if this score announces a mate by either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE.0 - MAX_PLY as i32
    }

    /// Returns true if this score announces a win of the side to move, by a mate or by the tables.
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_STATIC.0
    }

    /// Returns true if this score announces a loss of the side to move, by a mate or by the tables.
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_STATIC.0
    }

    /// Returns true if this score announces a win of either side, by a mate or by the tables.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns true if this score lies in one of the bands. Every score that a search returns does.
    pub const fn is_valid(self) -> bool {
        let (size, reach) = (self.0.abs(), MAX_PLY as i32);
        let is_table_win = size >= Score::TABLEBASE_WIN.0 - reach && size <= Score::TABLEBASE_WIN.0;
        let is_mate = self.is_mate() && size <= Score::MATE.0;
        !self.is_decisive() || is_table_win || is_mate
    }

    /// Returns the full moves to the mate, as the UCI protocol counts them: negative if the side to move
    /// is mated, `None` if this is not a mate score.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((Score::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Score::MATE.0 + self.0) / 2)
        }
    }

    /// Limits this score to the band of evaluations.
    pub fn clamp_static(self) -> Score {
        self.clamp(-Score::MAX_STATIC, Score::MAX_STATIC)
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// Returns the difference of two scores, in centipawns.
impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// Writes pawns with two decimals, or the moves to mate.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

/// Remaining search depth before quiescence, in plies; at zero or less the quiescence search begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Depth(i32);

impl Depth {
    /// The horizon, where the quiescence search begins.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const ONE: Depth = Depth(1);
    /// Greatest nominal depth of an iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i32);

    /// Returns a depth of this many plies.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// Returns the number of plies.
    pub const fn plies(self) -> i32 {
        self.0
    }
}

impl Add<i32> for Depth {
    type Output = Depth;
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl AddAssign<i32> for Depth {
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

/// Distance of a node from the root, in plies, at most [`MAX_PLY`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ply(u16);

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);

    /// Returns a distance of this many plies.
    pub const fn new(plies: usize) -> Ply {
        Ply(plies as u16)
    }

    /// Returns the distance as an index into tables with one entry for each ply.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the ply of this node's children.
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// Returns the ply of this node's parent; the root has none.
    pub const fn previous(self) -> Ply {
        Ply(self.0 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_full_moves_as_in_the_protocol() {
        assert_eq!(Score::mate_in(Ply::new(1)).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(Ply::new(3)).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(Ply::new(2)).mate_moves(), Some(-1));
        assert_eq!(Score::mated_in(Ply::new(4)).mate_moves(), Some(-2));
        assert_eq!(Score::mated_in(Ply::ROOT).mate_moves(), Some(0));
        assert_eq!(Score::TABLEBASE_WIN.mate_moves(), None);
    }

    #[test]
    fn a_nearer_mate_is_worth_more_and_a_static_score_is_never_a_mate() {
        let deepest = Score::mate_in(Ply::new(MAX_PLY));
        assert!(Score::mate_in(Ply::new(1)) > deepest);
        assert!(deepest.is_win() && !deepest.is_loss());
        assert!((-deepest).is_loss());
        assert!(!Score::INFINITE.clamp_static().is_decisive());
        assert!(deepest > Score::TABLEBASE_WIN && Score::INFINITE > Score::MATE);
    }

    #[test]
    fn a_table_win_is_worth_more_than_any_evaluation_and_less_than_any_mate() {
        let (near, far) =
            (Score::tablebase_win_in(Ply::ROOT), Score::tablebase_win_in(Ply::new(MAX_PLY)));
        assert!(near > far && far > Score::MAX_STATIC);
        for score in [near, far] {
            assert!(score.is_win() && (-score).is_loss() && !score.is_mate());
            assert!(score.is_valid() && (-score).is_valid());
        }
        for outside in [Score::MAX_STATIC + 1, far - 1, near + 1, Score::MATE + 1] {
            assert!(!outside.is_valid() && !(-outside).is_valid(), "{outside:?}");
        }
    }
}
