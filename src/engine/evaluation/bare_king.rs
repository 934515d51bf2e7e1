//! Evaluates a bare king against mating material by rule.
//!
//! A network that is trained on the chance to win hardly distinguishes won positions, so the search
//! would move to and fro until the fifty-move rule ends the game. This value leads to the mate: it
//! drives the bare king to the edge of the board, or with bishop and knight to a corner of the bishop's
//! colour, and brings the kings together (David Slate and Larry Atkin, "Chess 4.5", 1977, evaluated
//! such endings by the same distances).

use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Square};

use super::material::points;
use crate::units::Score;

/// Bonus for a won ending, in centipawns.
const WON: i32 = 1_000;
/// Bonus for each point of material, in centipawns.
const POINT: i32 = 100;
/// Bonus for each step of the bare king away from the centre, in centipawns.
const EDGE: i32 = 30;
/// Bonus for each step of the bare king towards a corner in which bishop and knight can mate, in
/// centipawns.
const CORNER: i32 = 60;
/// Bonus for each step by which the kings are closer, in centipawns.
const CLOSER: i32 = 20;

/// Returns the value for the side to move, if pieces without pawns can mate a bare king.
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

/// Returns the bonus for a bare king near the edge or corner where it can be mated, in centipawns.
fn drive_bonus(board: &Board, king: Square) -> i32 {
    let (file, rank) = (king.file().to_u32() as i32, king.rank().to_u32() as i32);
    // Steps from the four centre squares: 0 to 3 by file and by rank.
    let outward = |line: i32| if line < 4 { 3 - line } else { line - 4 };
    let edge = EDGE * (outward(file) + outward(rank));
    let needs_corner = board.rooks_and_queens().is_empty() && board.knights().any();
    if !needs_corner {
        return edge;
    }
    // 7 in both corners of the bishop's colour, 0 on the long diagonal between the other corners.
    let towards = if (board.bishops() & Bitboard::DARK_SQUARES).any() {
        (7 - file - rank).abs()
    } else {
        (file - rank).abs()
    };
    edge + CORNER * towards
}

/// Returns the winner, if one side has only its king and the other side can mate it.
///
/// Mating material is a queen, a rook, bishops on both colours, or bishop and knight, with any other
/// pieces; a pawn alone is not enough. There is no winner yet if the bare king is to move and is stalemated
/// or can capture, or if there are only bishops and knights and the bare king attacks two of them. The
/// endgame tables agree, except for rare positions of bishop and knight in which the knight is lost in a
/// corner.
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
