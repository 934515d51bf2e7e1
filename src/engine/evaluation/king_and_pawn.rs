//! King and pawn against king (KPK): a bitbase, which has the result of every position in one bit.
//!
//! A network cannot distinguish a pawn that queens from a pawn that is stopped, since a single step of a
//! king decides. The positions are few, so all are solved at the first use, backwards from the promotions
//! (retrograde analysis; Ströhlein 1970).

use std::array;
use std::sync::LazyLock;

use shakmaty::attacks::{king_attacks, pawn_attacks};
use shakmaty::{Bitboard, Chess, Color, Position as _, Rank, Square};

use crate::position::attacked_by;
use crate::units::Score;

/// Value of a won position, in centipawns: more than a pawn, less than the value after a promotion to a
/// rook by the rule for a [bare king](super::bare_king).
const WON: i32 = 600;
/// Bonus for each rank of the pawn, counted from 0 at its own first rank, in centipawns.
const ADVANCED: i32 = 40;

static BITBASE: LazyLock<Bitbase> = LazyLock::new(Bitbase::solve);

/// Returns the value for the side to move, if there are only two kings and a pawn.
pub fn value(chess: &Chess) -> Option<Score> {
    let board = chess.board();
    let pawn = board.pawns().single_square()?;
    if board.occupied() != board.pawns() | board.kings() {
        return None;
    }
    let strong = if board.white().contains(pawn) { Color::White } else { Color::Black };
    // From the view of the side with the pawn, so that the pawn moves up the board.
    let seen = |square: Square| strong.fold_wb(square, square.flip_vertical());
    let pawn = seen(pawn);
    let (king, bare_king) = (seen(board.king_of(strong)?), seen(board.king_of(!strong)?));
    let strong_to_move = chess.turn() == strong;
    if !BITBASE.is_won(strong_to_move, pawn, king, bare_king) {
        return Some(Score::DRAW);
    }
    let value = WON + ADVANCED * pawn.rank().to_u32() as i32;
    Some(Score::new(if strong_to_move { value } else { -value }))
}

/// Squares on which the bare king loses, by the square of the pawn and the square of its king.
type Wins = [[Bitboard; 64]; 64];

/// Won positions with either side to move. The pawn is White's.
struct Bitbase {
    strong_to_move: Wins,
    bare_king_to_move: Wins,
}

impl Bitbase {
    fn is_won(&self, strong_to_move: bool, pawn: Square, king: Square, bare_king: Square) -> bool {
        let wins = if strong_to_move { &self.strong_to_move } else { &self.bare_king_to_move };
        wins[usize::from(pawn)][usize::from(king)].contains(bare_king)
    }

    /// Solves all positions. Those of a pawn depend on those after its pushes, so the most advanced pawns
    /// are solved first.
    fn solve() -> Bitbase {
        let none = [[Bitboard::EMPTY; 64]; 64];
        let mut bitbase = Bitbase { strong_to_move: none, bare_king_to_move: none };
        for rank in Rank::ALL.into_iter().rev() {
            if matches!(rank, Rank::First | Rank::Eighth) {
                continue;
            }
            for pawn in Bitboard::from_rank(rank) {
                let push_wins =
                    array::from_fn(|king| bitbase.won_by_push(pawn, Square::new(king as u32)));
                bitbase.solve_pawn(pawn, &push_wins);
            }
        }
        bitbase
    }

    /// Returns the squares on which the bare king loses after a push of the pawn.
    fn won_by_push(&self, pawn: Square, king: Square) -> Bitboard {
        let forward = |square: Square| square.offset(8).filter(|&ahead| ahead != king);
        let Some(ahead) = forward(pawn) else {
            return Bitboard::EMPTY;
        };
        if ahead.rank() == Rank::Eighth {
            // A queen or a rook wins unless it is captured; one of them does not stalemate.
            let guarded = king_attacks(king).contains(ahead);
            let captures = if guarded { Bitboard::EMPTY } else { king_attacks(ahead) };
            return !captures.with(ahead);
        }
        let after = |pawn: Square| self.bare_king_to_move[usize::from(pawn)][usize::from(king)];
        let two_ahead = forward(ahead).filter(|_| pawn.rank() == Rank::Second);
        let by_two_steps = two_ahead.map_or(Bitboard::EMPTY, |two| after(two).without(ahead));
        after(ahead) | by_two_steps
    }

    /// Solves the positions of one pawn. `push_wins` has the positions that a push wins, by the square of
    /// the pawn's king. Won positions are added until there are no new ones.
    fn solve_pawn(&mut self, pawn: Square, push_wins: &[Bitboard; 64]) {
        let (strong, bare) = (&mut self.strong_to_move, &mut self.bare_king_to_move);
        let (strong, bare) = (&mut strong[usize::from(pawn)], &mut bare[usize::from(pawn)]);
        loop {
            let mut grown = false;
            for king in Bitboard::FULL.without(pawn) {
                let moves = king_attacks(king).without(pawn);
                let by_king = moves.into_iter().map(|to| bare[usize::from(to)]);
                let won = by_king.fold(push_wins[usize::from(king)], |won, by_move| won | by_move);
                strong[usize::from(king)] = won & bare_king_squares(pawn, king);
                let won = lost_by_every_move(pawn, king, strong[usize::from(king)]);
                grown |= won != bare[usize::from(king)];
                bare[usize::from(king)] = won;
            }
            if !grown {
                return;
            }
        }
    }
}

/// Returns the squares on which the bare king may be after its move, without a capture of the pawn.
fn bare_king_squares(pawn: Square, king: Square) -> Bitboard {
    !(king_attacks(king) | pawn_attacks(Color::White, pawn)).with(king).with(pawn)
}

/// Returns the squares from which every move of the bare king leads to a square in `lost`, without those
/// on which it is stalemated.
fn lost_by_every_move(pawn: Square, king: Square, lost: Bitboard) -> Bitboard {
    let captures = Bitboard::from_square(pawn) & !king_attacks(king);
    let reachable = bare_king_squares(pawn, king) | captures;
    let checked = pawn_attacks(Color::White, pawn);
    let from = !king_attacks(king).with(king).with(pawn);
    let neighbours = |squares| attacked_by(squares, king_attacks);
    from & !neighbours(reachable & !lost) & (neighbours(reachable) | checked)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Piece, Role, Setup};

    use super::*;
    use crate::position::notation::parse_fen_any;

    fn value_of(fen: &str) -> Option<i32> {
        value(&parse_fen_any(fen).unwrap()).map(Score::centipawns)
    }

    #[test]
    fn the_opposition_decides() {
        assert_eq!(value_of("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), Some(0));
        assert!(value_of("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1") < Some(-WON));
        // A king on the sixth rank in front of its pawn wins with either side to move.
        assert!(value_of("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1") > Some(WON));
        assert!(value_of("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1") < Some(-WON));
    }

    #[test]
    fn a_rook_pawn_is_stopped_in_the_corner() {
        assert_eq!(value_of("k7/8/K7/P7/8/8/8/8 w - - 0 1"), Some(0));
        assert_eq!(value_of("7k/8/7K/7P/8/8/8/8 b - - 0 1"), Some(0));
        assert_eq!(value_of("8/8/8/8/7p/7k/8/7K w - - 0 1"), Some(0));
    }

    #[test]
    fn a_king_outside_the_square_of_the_pawn_loses() {
        assert!(value_of("8/8/8/P6k/8/8/8/K7 w - - 0 1") > Some(WON));
        assert_eq!(value_of("8/8/8/P3k3/8/8/8/7K b - - 0 1"), Some(0));
        assert!(value_of("k7/8/8/8/6p1/8/K7/8 b - - 0 1") > Some(WON));
    }

    #[test]
    fn a_pawn_that_is_captured_or_stalemates_wins_nothing() {
        assert_eq!(value_of("8/8/8/8/8/3k4/3P4/7K b - - 0 1"), Some(0));
        assert_eq!(value_of("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), Some(0));
    }

    #[test]
    fn other_material_is_left_to_the_network() {
        for fen in [
            "8/8/4k3/8/8/8/8/4K3 w - - 0 1",
            "8/8/4k3/8/8/8/8/N3K3 w - - 0 1",
            "8/8/4k3/8/4p3/8/4P3/4K3 w - - 0 1",
        ] {
            assert_eq!(value_of(fen), None, "{fen}");
        }
    }

    fn chess(pawn: Square, king: Square, bare_king: Square, turn: Color) -> Option<Chess> {
        let mut setup = Setup::empty();
        setup.board.set_piece_at(pawn, Piece { color: Color::White, role: Role::Pawn });
        setup.board.set_piece_at(king, Piece { color: Color::White, role: Role::King });
        setup.board.set_piece_at(bare_king, Piece { color: Color::Black, role: Role::King });
        setup.turn = turn;
        setup.position(CastlingMode::Standard).ok()
    }

    /// Returns true if White wins; covers positions after a promotion too.
    fn white_wins(chess: &Chess) -> bool {
        let after = value(chess).or_else(|| super::super::bare_king::value(chess));
        let for_white = after.map_or(0, |value| value.centipawns() * chess.turn().fold_wb(1, -1));
        for_white > 0
    }

    #[test]
    fn every_result_agrees_with_the_results_after_its_moves() {
        for pawn in Bitboard::FULL {
            for king in Bitboard::FULL.without(pawn) {
                for bare_king in Bitboard::FULL.without(pawn).without(king) {
                    for turn in Color::ALL {
                        let Some(chess) = chess(pawn, king, bare_king, turn) else { continue };
                        let mut after = chess.legal_moves().into_iter().map(|mv| {
                            let mut next = chess.clone();
                            next.play_unchecked(mv);
                            white_wins(&next)
                        });
                        let expected = match turn {
                            Color::White => after.any(|wins| wins),
                            Color::Black => !chess.is_stalemate() && after.all(|wins| wins),
                        };
                        assert_eq!(white_wins(&chess), expected, "{chess:?}");
                    }
                }
            }
        }
    }
}
