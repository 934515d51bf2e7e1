//! Boards on pages: shapes of the pieces, and styles. The shapes were drawn for this project.

use shakmaty::{CastlingSide, Chess, Move, Position as _, Square};

/// Pieces as SVG symbols; a page with boards includes them once.
pub(super) const PIECES: &str = include_str!("pieces.svg");

pub(super) const STYLE: &str = include_str!("board.css");

/// Returns the pieces on the board, in the form of the first field of a FEN.
pub fn placement(chess: &Chess) -> String {
    chess.board().board_fen().to_string()
}

/// Returns the start and target squares of a move; for castling, those of the king.
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

/// Returns an arrow for `drawBoard`: the squares of a move and the class `kind`.
pub(crate) fn arrow(mv: Move, kind: &str) -> [String; 3] {
    let [from, to] = squares(mv);
    [from, to, kind.to_owned()]
}
