//! Drawish material: a side without pawns needs an advantage of more than a minor piece to win.
//!
//! The network is trained on games that end with the endgame tables at four pieces. It has seen few such
//! endings and would see an advantage in a bishop against a pawn. The rule is endgame theory (Fine 1941,
//! "Basic chess endings"); the hand-written evaluation of Stockfish was scaled in the same way.

use shakmaty::{Board, Color};

use super::material::{MINOR, points};
use crate::units::Score;

/// Part of the value that is kept in drawish material, in percent.
const DRAWISH_PERCENT: i32 = 25;

/// Scales the network's value for the side to move towards a draw if the side ahead has no pawns and too
/// few pieces to win.
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
    fn a_minor_piece_does_not_win_against_a_pawn_but_the_pawn_may_win() {
        let fen = "8/8/3k4/3p4/8/8/1B6/K7 w - - 0 1";
        assert_eq!((scaled(fen, 190), scaled(fen, -150)), (0, -150));
        let black = "8/8/3k4/3p4/8/8/1B6/K7 b - - 0 1";
        assert_eq!((scaled(black, -190), scaled(black, 150)), (0, 150));
    }

    #[test]
    fn an_extra_minor_piece_without_pawns_is_scaled_down() {
        for fen in [
            "8/8/3k4/5r2/8/8/1B6/KR6 w - - 0 1",
            "8/8/3k4/3p1b2/8/8/1B6/KN6 w - - 0 1",
            "8/8/3k4/5n2/8/8/8/KR6 w - - 0 1",
        ] {
            assert_eq!(scaled(fen, 400), 100, "{fen}");
        }
    }

    #[test]
    fn a_greater_advantage_or_a_pawn_keeps_the_whole_value() {
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
        fn scaling_never_increases_an_advantage_or_changes_its_side(
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
