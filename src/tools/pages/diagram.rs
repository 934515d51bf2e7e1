//! Pictures of boards for pages of HTML: the shapes of the pieces, how boards look in light and in
//! dark, and the program that draws a position. Pages include all three, so that they need no other
//! file.
//!
//! The shapes are drawn for this project.

use shakmaty::fen::Fen;
use shakmaty::{CastlingSide, Chess, EnPassantMode, Move, Square};

/// The pieces as SVG symbols, to be put into a page once.
pub const PIECES: &str = include_str!("pieces.svg");

/// How boards look.
pub const STYLE: &str = include_str!("board.css");

/// The function `drawBoard(svg, position)`.
pub const SCRIPT: &str = include_str!("board.js");

/// The pieces on a board as a FEN has them.
pub fn placement(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// Where a move begins and ends; of castling, the king's part.
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
