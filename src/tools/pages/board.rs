//! Boards on pages: the shapes of the pieces, how boards look, and the program that draws a
//! position. The shapes are drawn for this project.

use shakmaty::{CastlingSide, Chess, Move, Position as _, Square};

/// The pieces as SVG symbols, to be put into a page once.
pub(super) const PIECES: &str = include_str!("pieces.svg");

pub(super) const STYLE: &str = include_str!("board.css");

/// The function `drawBoard(svg, position)`.
pub(super) const SCRIPT: &str = include_str!("board.js");

/// The rules of chess, and the functions `letMove(svg, listeners)` and `letType(listeners)`: for boards
/// on which pieces can be moved, with and without a pointer.
pub(crate) const MOVING: &str = concat!(
    include_str!("rules.js"),
    "\n",
    include_str!("moving.js"),
    "\n",
    include_str!("keyboard.js")
);

/// How a page looks that is a board with words beside it: the classes `left`, `stage`, `player`,
/// `right`, `talk`, `overview`, `now` and `controls`.
pub(crate) const STAGE: &str = include_str!("stage.css");

/// The pieces on a board as a FEN has them.
pub fn placement(chess: &Chess) -> String {
    chess.board().board_fen().to_string()
}

/// Where a move begins and ends; when castling, where the king does.
pub fn squares(mv: Move) -> [String; 2] {
    let to = match mv {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king.file() < rook.file());
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => mv.to(),
    };
    [mv.from().map_or_else(String::new, |from| from.to_string()), to.to_string()]
}

/// An arrow of a kind for the program that draws boards: where a move begins and ends.
pub(crate) fn arrow(mv: Move, kind: &str) -> [String; 3] {
    let [from, to] = squares(mv);
    [from, to, kind.to_owned()]
}
