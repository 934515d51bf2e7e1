//! A bare king against mating material: an ending that is valued by rule.
//!
//! A network that is trained on the chance to win sees hardly a difference between positions that
//! are all won, and a search without a goal moves to and fro until the fifty-move rule ends the
//! game. So here the value leads to the mate: it drives the bare king to the edge of the board, or
//! for bishop and knight to a corner of the bishop's colour, and brings the kings together (David
//! Slate and Larry Atkin, "Chess 4.5", 1977, evaluated such endings by the same distances).

use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Square};

use super::material::points;
use crate::units::Score;

/// Added for a won ending to the value of the pieces, in centipawns.
const WON: i32 = 1_000;
/// For each point of the pieces, in centipawns.
const POINT: i32 = 100;
/// For each step of the bare king away from the middle, in centipawns.
const EDGE: i32 = 30;
/// For each step of the bare king towards a corner in which bishop and knight mate.
const CORNER: i32 = 60;
/// For each step by which the kings are closer.
const CLOSER: i32 = 20;

/// The value for the side to move, if pieces without pawns can mate a bare king.
pub fn value(chess: &Chess) -> Option<Score> {
    let board = chess.board();
    if board.pawns().any() {
        return None;
    }
    let winner = winner_against_bare_king(chess)?;
    let (loser, own) = (board.king_of(!winner)?, board.king_of(winner)?);
    let closeness = 7 - own.distance(loser) as i32;
    let value = WON
        + POINT * points(board, board.occupied()) as i32
        + drive_bonus(board, loser)
        + CLOSER * closeness;
    Some(Score::new(if chess.turn() == winner { value } else { -value }).clamp_static())
}

/// The bonus for how near the bare king is to where it can be mated.
fn drive_bonus(board: &Board, king: Square) -> i32 {
    let (file, rank) = (king.file().to_u32() as i32, king.rank().to_u32() as i32);
    // Steps from the four squares in the middle: 0 to 3 by file and by rank.
    let outward = |line: i32| if line < 4 { 3 - line } else { line - 4 };
    let edge = EDGE * (outward(file) + outward(rank));
    let needs_corner = board.rooks_and_queens().is_empty() && board.knights().any();
    if !needs_corner {
        return edge;
    }
    // 7 in both corners of the bishop's colour, 0 on the diagonal between the other two.
    let towards = if (board.bishops() & Bitboard::DARK_SQUARES).any() {
        (7 - file - rank).abs()
    } else {
        (file - rank).abs()
    };
    edge + CORNER * towards
}

/// The winner, if one side has nothing but its king and the other can mate it.
///
/// Queen, rook, two bishops on squares of both colours, or bishop and knight mate, whatever else is
/// there; a pawn alone may be stopped. With the bare king to move nothing is decided while it is
/// stalemated or can capture. With bishops and knights alone nothing is decided while the king attacks
/// two of them either. The endgame tables agree, except in rare positions of bishop and knight, where
/// the knight is lost in a corner.
pub fn winner_against_bare_king(chess: &Chess) -> Option<Color> {
    let board = chess.board();
    let loser = Color::ALL.into_iter().find(|&color| board.by_color(color).count() == 1)?;
    let pieces = board.by_color(!loser);
    let attacked = shakmaty::attacks::king_attacks(board.king_of(loser)?) & pieces;
    let mates = (board.rooks_and_queens() & pieces).any()
        || minor_pieces_mate(board, pieces) && attacked.count() < 2;
    let has_escape = chess.turn() == loser
        && (attacked.any() && !chess.capture_moves().is_empty() || chess.is_stalemate());
    (mates && !has_escape).then_some(!loser)
}

fn minor_pieces_mate(board: &Board, pieces: Bitboard) -> bool {
    let bishops = board.bishops() & pieces;
    let both_colours =
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any();
    both_colours || (bishops.any() && (board.knights() & pieces).any())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen_any;

    fn value_of(fen: &str) -> Option<i32> {
        value(&parse_fen_any(fen).unwrap()).map(Score::centipawns)
    }

    #[test]
    fn the_value_grows_as_the_bare_king_is_driven_to_the_edge_and_the_kings_meet() {
        let middle = value_of("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1").unwrap();
        let edge = value_of("3k4/8/8/8/8/8/1Q6/K7 w - - 0 1").unwrap();
        let met = value_of("3k4/8/3K4/8/8/8/1Q6/8 w - - 0 1").unwrap();
        assert!(WON < middle && middle < edge && edge < met, "{middle} {edge} {met}");
        assert_eq!(value_of("3k4/8/3K4/8/8/8/1Q6/8 b - - 0 1"), Some(-met));
    }

    #[test]
    fn bishop_and_knight_drive_to_a_corner_of_the_bishops_colour() {
        let dark = |king: &str| value_of(&format!("{king} w - - 0 1")).unwrap();
        let right = dark("7k/8/5K2/8/8/8/8/B1N5");
        let wrong = dark("k7/8/2K5/8/8/8/8/B1N5");
        assert!(right > wrong, "{right} {wrong}");
    }

    #[test]
    fn other_endings_are_left_to_the_network() {
        for fen in [
            "8/8/3k4/8/8/8/1NN5/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1RP5/K7 w - - 0 1",
            "8/8/3k4/8/8/6r1/1Q6/K7 w - - 0 1",
            "8/8/3k4/8/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(value_of(fen), None, "{fen}");
        }
    }
}
