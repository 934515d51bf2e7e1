//! The quantities of the search as types: [`Score`], [`Depth`] and [`Ply`].
//!
//! A score and a depth are both small numbers, and mixing them up compiles in most engines. Here a
//! margin is a plain `i32` of centipawns that is added to a score, and a depth cannot be without
//! being turned into a number first.

#![forbid(unsafe_code)]

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The greatest distance from the root that the search reaches, in plies.
pub const MAX_PLY: usize = 240;

/// The value of a position in centipawns from the point of view of the side to move.
///
/// Scores lie in three bands with gaps between them. Evaluations reach up to [`Score::MAX_STATIC`];
/// wins that endgame tables promise lie just below [`Score::TABLEBASE_WIN`], and mates just below
/// [`Score::MATE`]. A win holds its distance in plies: to the position that the tables know, or to
/// the mate. A score in a gap is a bug, but a window may begin or end there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// The score of a draw by rule.
    pub const DRAW: Score = Score(0);
    /// Neither side is better; also the value of a position that is not evaluated.
    pub const ZERO: Score = Score(0);
    /// Greater than every score that a search can return.
    pub const INFINITE: Score = Score(32_001);
    /// Less than every score that a search can return.
    pub const MINUS_INFINITE: Score = Score(-Score::INFINITE.0);
    /// Mate on the board, seen from the winner's side.
    pub const MATE: Score = Score(32_000);
    /// A position in the endgame tables that the side to move wins.
    pub const TABLEBASE_WIN: Score = Score(31_000);
    /// The greatest score that is no promise of a win: 150 pawns.
    pub const MAX_STATIC: Score = Score(15_000);

    /// A score in centipawns, unchecked against the mate bands.
    pub const fn new(centipawns: i32) -> Score {
        Score(centipawns)
    }

    /// The side to move mates in `ply` plies.
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Score::MATE.0 - ply.0 as i32)
    }

    /// The side to move is mated in `ply` plies.
    pub const fn mated_in(ply: Ply) -> Score {
        Score(ply.0 as i32 - Score::MATE.0)
    }

    /// The side to move wins by a position that the tables know, `ply` plies from here.
    pub const fn tablebase_win_in(ply: Ply) -> Score {
        Score(Score::TABLEBASE_WIN.0 - ply.0 as i32)
    }

    /// The plain number: centipawns, or the encoding of a mate or table win.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// Whether this score announces a mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE.0 - MAX_PLY as i32
    }

    /// Whether this score announces that the side to move wins, by a mate or by the tables.
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_STATIC.0
    }

    /// Whether this score announces that the side to move loses, by a mate or by the tables.
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_STATIC.0
    }

    /// Whether this score announces a win for either side, by a mate or by the tables.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether this score lies in one of the bands, as every score that a search returns does.
    pub const fn is_valid(self) -> bool {
        let (size, reach) = (self.0.abs(), MAX_PLY as i32);
        let is_table_win = size >= Score::TABLEBASE_WIN.0 - reach && size <= Score::TABLEBASE_WIN.0;
        let is_mate = self.is_mate() && size <= Score::MATE.0;
        !self.is_decisive() || is_table_win || is_mate
    }

    /// Full moves to the mate as the UCI protocol counts them, negative if the side to move is
    /// mated; `None` if this is no mate score.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((Score::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Score::MATE.0 + self.0) / 2)
        }
    }

    /// This score, limited to the band of static evaluations.
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

/// The difference of two scores is a margin in centipawns.
impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// As people read it: pawns with two decimals, or the moves to mate.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

/// The plies that a search has still to look ahead before quiescence; zero or less is quiescence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Depth(i32);

impl Depth {
    /// The horizon: quiescence begins.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const ONE: Depth = Depth(1);
    /// The greatest nominal depth of an iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i32);

    /// A depth in plies.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// The number of plies.
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

impl SubAssign<i32> for Depth {
    fn sub_assign(&mut self, plies: i32) {
        self.0 -= plies;
    }
}

/// The distance of a node from the root, in plies, at most [`MAX_PLY`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ply(u16);

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);

    /// A distance from the root in plies.
    pub const fn new(plies: usize) -> Ply {
        Ply(plies as u16)
    }

    /// The distance as an index into tables that have an entry a ply.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The ply of this node's children.
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// The ply of this node's parent; the root has none.
    pub const fn previous(self) -> Ply {
        Ply(self.0 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_full_moves_as_the_protocol_wants() {
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
