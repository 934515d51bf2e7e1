//! Finds the threatened pieces: those attacked by a lesser piece, or attacked and not protected.
//!
//! A player sees threats at once, but a network whose inputs are pieces and squares needs many units to
//! compute them. Threatened pieces of both sides count, independently of the side to move.

use shakmaty::{Bitboard, Board, Color};

use crate::position::Attacks;

/// Returns the squares of the threatened pieces, without kings. `attacks` are those of both sides,
/// White's first.
pub fn threatened(board: &Board, attacks: &[Attacks; 2]) -> Bitboard {
    let [white, black] = attacks;
    threatened_pieces(board, Color::Black, white, black)
        | threatened_pieces(board, Color::White, black, white)
}

/// Returns the pieces of a side that `attacks`, those of its opponent, threaten; `protection` are its
/// own attacks.
fn threatened_pieces(
    board: &Board,
    side: Color,
    attacks: &Attacks,
    protection: &Attacks,
) -> Bitboard {
    let Attacks { pawns, minors, rooks, all } = *attacks;
    let by_lesser = (board.knights() | board.bishops()) & pawns
        | board.rooks() & (pawns | minors)
        | board.queens() & (pawns | minors | rooks);
    let unprotected = all & !protection.all;
    board.by_color(side) & (by_lesser | unprotected) & !board.kings()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen_any;
    use proptest::prelude::*;
    use rand::{SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
    use shakmaty::{Chess, Position as _, Role, Square};

    fn found_in(board: &Board) -> Bitboard {
        threatened(board, &Attacks::of_both(board))
    }

    fn threats(fen: &str) -> Vec<Square> {
        let chess = parse_fen_any(fen).unwrap();
        found_in(chess.board()).into_iter().collect()
    }

    #[test]
    fn a_piece_is_threatened_by_a_lesser_one_even_if_it_is_protected() {
        // A pawn attacks a knight, a bishop a rook, a rook a queen. A bishop does not threaten a protected
        // knight.
        assert_eq!(threats("4k3/8/3p4/4N3/3P4/8/8/4K3 w - - 0 1"), [Square::E5]);
        assert_eq!(threats("4k3/6p1/5r2/8/3B4/2P5/8/4K3 w - - 0 1"), [Square::F6]);
        assert_eq!(threats("3qk3/8/8/8/8/8/8/3RK3 b - - 0 1"), [Square::D8]);
        assert_eq!(threats("4k3/6p1/5n2/8/3B4/2P5/8/4K3 w - - 0 1"), []);
    }

    #[test]
    fn an_unprotected_piece_under_attack_is_threatened_but_a_king_never_is() {
        assert_eq!(threats("4k3/8/8/4p3/8/8/8/4RK2 w - - 0 1"), [Square::E5]);
        assert_eq!(threats("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1"), []);
        assert_eq!(threats("4k3/8/8/8/8/8/8/4RK2 b - - 0 1"), []);
        assert_eq!(threats("8/8/8/8/8/2k5/3R4/K7 w - - 0 1"), [Square::D2]);
    }

    /// Computes the threatened pieces one by one, from the definition.
    fn by_definition(board: &Board) -> Bitboard {
        let worth = |role: Role| match role {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 99,
        };
        let is_threatened = |square: Square| {
            let piece = board.piece_at(square).expect("it is occupied");
            let attackers = board.attacks_to(square, !piece.color, board.occupied());
            let protectors = board.attacks_to(square, piece.color, board.occupied());
            let is_lesser =
                |from| worth(board.role_at(from).expect("it is occupied")) < worth(piece.role);
            let by_lesser = attackers.into_iter().any(is_lesser);
            piece.role != Role::King && (by_lesser || attackers.any() && protectors.is_empty())
        };
        board.occupied().into_iter().filter(|&square| is_threatened(square)).collect()
    }

    proptest! {
        #[test]
        fn threats_follow_the_definition_and_are_symmetric_in_the_colours(
            seed in any::<u64>(), plies in 0..150,
        ) {
            let mut random = StdRng::seed_from_u64(seed);
            let mut chess = Chess::default();
            for _ in 0..plies {
                let Some(&mv) = chess.legal_moves().choose(&mut random) else { break };
                chess.play_unchecked(mv);
            }
            let found = found_in(chess.board());
            prop_assert_eq!(found, by_definition(chess.board()));
            let mut flipped = chess.board().clone();
            flipped.flip_vertical();
            flipped.swap_colors();
            prop_assert_eq!(found_in(&flipped), found.flip_vertical());
        }
    }
}
