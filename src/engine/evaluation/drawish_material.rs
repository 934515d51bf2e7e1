//! Drawish material: a side without pawns needs an advantage of more than a minor piece to win, and some
//! material cannot even win against a bare king.
//!
//! The network is trained on games that end with the endgame tables at four pieces. It has seen few such
//! endings and would see an advantage in a bishop against a pawn. The rule is endgame theory (Fine 1941,
//! "Basic chess endings"); the hand-written evaluation of Stockfish was scaled in the same way.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

use super::material::{MINOR, points};
use crate::units::Score;

/// Part of the value that is kept in drawish material, in percent.
const DRAWISH_PERCENT: i32 = 25;

/// Scales the network's value for the side to move towards a draw if the side ahead has no pawns and too
/// few pieces to win.
#[inline]
pub(crate) fn scale_drawish(board: &Board, turn: Color, value: Score) -> Score {
    let ahead = if value > Score::DRAW { turn } else { !turn };
    if board.by_color(!ahead).count() == 1 && cannot_beat_bare_king(board, ahead) {
        return Score::DRAW;
    }
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

/// Returns true if a side cannot win against a bare king: it has at most two knights, or only bishops of
/// one colour, or only pawns on one rook file and bishops that do not control the square of promotion,
/// while the bare king is on that square or next to it.
fn cannot_beat_bare_king(board: &Board, side: Color) -> bool {
    let own = board.by_color(side);
    let [pawns, knights, bishops] =
        [board.pawns(), board.knights(), board.bishops()].map(|role| role & own);
    if (own & board.rooks_and_queens()).any() {
        return false;
    }
    let colours = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES];
    if pawns.is_empty() {
        let of_one_colour = colours.into_iter().any(|colour| bishops.is_subset(colour));
        return if bishops.any() {
            of_one_colour && knights.is_empty()
        } else {
            knights.count() <= 2
        };
    }
    let last_rank = side.fold_wb(Rank::Eighth, Rank::First);
    knights.is_empty()
        && [File::A, File::H].into_iter().any(|file| {
            let corner = Square::from_coords(file, last_rank);
            let controls = |colour: Bitboard| colour.contains(corner) && (bishops & colour).any();
            pawns.is_subset(Bitboard::from_file(file))
                && !colours.into_iter().any(controls)
                && board.king_of(!side).is_some_and(|king| king.distance(corner) <= 1)
        })
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

    #[test]
    fn knights_or_bishops_of_one_colour_do_not_win_against_a_bare_king() {
        for fen in [
            "8/8/3k4/8/8/8/8/KNN5 w - - 0 1",
            "8/8/3k4/8/8/8/8/KB1B4 w - - 0 1",
            // The bishop does not control the corner.
            "1k6/8/8/P7/P7/8/8/K1B5 w - - 0 1",
            "8/8/3k4/6b1/7p/8/6K1/8 w - - 0 1",
        ] {
            assert_eq!((scaled(fen, 600), scaled(fen, -600)), (0, 0), "{fen}");
        }
    }

    #[test]
    fn other_material_may_win_against_a_bare_king() {
        for fen in [
            "8/8/3k4/8/8/8/8/KNN1N3 w - - 0 1",
            // The bishop controls the corner, the king is far from it, or the pawns are on two files.
            "1k6/8/8/P7/P7/8/8/KB6 w - - 0 1",
            "4k3/8/8/P7/P7/8/8/K1B5 w - - 0 1",
            "1k6/8/8/P7/1P6/8/8/K1B5 w - - 0 1",
            "1k6/8/8/P7/8/8/8/K1N5 w - - 0 1",
        ] {
            assert_eq!(scaled(fen, 600), 600, "{fen}");
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
