//! Material that hardly wins: a side without pawns needs more than a minor piece over the other.
//!
//! The network is trained on games that the endgame tables end at four pieces, so of such endings it
//! has seen little, and would count a bishop against a pawn as ahead. What the rule says is endgame
//! theory (Fine 1941, "Basic chess endings"); Stockfish scaled its hand-written evaluation so.

use shakmaty::{Board, Color};

use super::material::{MINOR, points};
use crate::units::Score;

/// What is left of the advantage of a side that hardly wins, in percent.
const DRAWISH_PERCENT: i32 = 25;

/// The network's value for the side to move, less if the side ahead has no pawns and too few pieces
/// to win.
#[inline]
pub(crate) fn scale_drawish(board: &Board, turn: Color, value: Score) -> Score {
    let ahead = if value > Score::DRAW { turn } else { !turn };
    if (board.pawns() & board.by_color(ahead)).any() {
        return value;
    }
    let pieces = |color| points(board, board.by_color(color) & !board.pawns());
    let (own, other) = (pieces(ahead), pieces(!ahead));
    match own {
        ..=MINOR => Score::DRAW,
        _ if own <= other + MINOR => Score::new(value.centipawns() * DRAWISH_PERCENT / 100),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Position as _;

    use super::*;
    use crate::position::notation::parse_fen_any;

    fn scaled(fen: &str, value: i32) -> i32 {
        let chess = parse_fen_any(fen).unwrap();
        scale_drawish(chess.board(), chess.turn(), Score::new(value)).centipawns()
    }

    #[test]
    fn a_minor_piece_does_not_win_against_a_pawn_but_the_pawn_may() {
        let fen = "8/8/3k4/3p4/8/8/1B6/K7 w - - 0 1";
        assert_eq!((scaled(fen, 190), scaled(fen, -150)), (0, -150));
        let black = "8/8/3k4/3p4/8/8/1B6/K7 b - - 0 1";
        assert_eq!((scaled(black, -190), scaled(black, 150)), (0, 150));
    }

    #[test]
    fn a_minor_piece_more_hardly_wins_without_pawns() {
        for fen in [
            "8/8/3k4/5r2/8/8/1B6/KR6 w - - 0 1",
            "8/8/3k4/3p1b2/8/8/1B6/KN6 w - - 0 1",
            "8/8/3k4/5n2/8/8/8/KR6 w - - 0 1",
        ] {
            assert_eq!(scaled(fen, 400), 100, "{fen}");
        }
    }

    #[test]
    fn with_more_than_that_or_a_pawn_nothing_is_taken_off() {
        for fen in [
            "8/8/3k4/5r2/8/8/1Q6/K7 w - - 0 1",
            "8/8/3k4/3p4/8/8/1R6/K7 w - - 0 1",
            "8/8/3k4/5r2/8/8/1B5P/KR6 w - - 0 1",
        ] {
            assert_eq!(scaled(fen, 400), 400, "{fen}");
        }
    }

    proptest! {
        #[test]
        fn no_advantage_grows_or_changes_sides(
            value in -2_000..2_000_i32, own in 0..5_usize, other in 0..5_usize,
        ) {
            let rank = |pieces: &str| format!("{pieces}{}", 7 - pieces.len());
            let pieces = ["", "B", "R", "RB", "Q"];
            let [own, other] = [own, other].map(|index| rank(pieces[index]));
            let fen = format!("{}1/8/8/7k/8/8/8/{own}K w - - 0 1", other.to_lowercase());
            let limited = scaled(&fen, value);
            prop_assert!(limited.abs() <= value.abs() && limited.signum() * value.signum() >= 0);
        }
    }
}
