//! The fixed order in which every algorithm gets the moves of a chess position. It depends only on
//! the position, so "from left to right" means the same for all algorithms.

use std::cmp::Reverse;
use std::ops::Range;

use shakmaty::{Move, Role};

use outrider_engine::position::{Board, see_ge, see_value};

/// The legal moves of a position in three groups: captures and queen promotions that lose no
/// material, quiet moves, and finally captures that lose material and underpromotions.
#[derive(Debug)]
pub(crate) struct OrderedMoves {
    moves: Box<[Move]>,
    quiet: Range<usize>,
}

impl OrderedMoves {
    /// Orders the legal moves of a position. Captures are sorted by the most valuable victim, then
    /// by the least valuable attacker; quiet moves stay in the order of generation.
    pub(crate) fn new(board: &Board) -> OrderedMoves {
        let mut moves = board.legal_moves();
        moves.sort_by_key(|&mv| rank(board, mv));
        let in_group = |wanted| moves.iter().filter(|&&mv| group(board, mv) == wanted).count();
        let first = in_group(MoveGroup::Winning);
        let quiet = first..first + in_group(MoveGroup::Quiet);
        OrderedMoves { moves: moves.into_iter().collect(), quiet }
    }

    /// All moves, best first.
    pub(crate) fn all(&self) -> &[Move] {
        &self.moves
    }

    /// Indices of the quiet moves.
    pub(crate) fn quiet(&self) -> Range<usize> {
        self.quiet.clone()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MoveGroup {
    Winning,
    Quiet,
    Losing,
}

fn group(board: &Board, mv: Move) -> MoveGroup {
    let underpromotion = mv.promotion().is_some_and(|role| role != Role::Queen);
    if !mv.is_capture() && !mv.is_promotion() {
        MoveGroup::Quiet
    } else if underpromotion || !see_ge(board.chess(), mv, 0) {
        MoveGroup::Losing
    } else {
        MoveGroup::Winning
    }
}

/// Sort key of a move; smaller is earlier. The sort is stable.
fn rank(board: &Board, mv: Move) -> (MoveGroup, Reverse<i32>, i32) {
    match group(board, mv) {
        MoveGroup::Quiet => (MoveGroup::Quiet, Reverse(0), 0),
        group => {
            let victim = mv.capture().map_or(0, see_value);
            let promoted = mv.promotion().map_or(0, see_value);
            (group, Reverse(victim + promoted), see_value(mv.role()))
        }
    }
}
