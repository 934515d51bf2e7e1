//! The 960 starting positions of Chess960, by their numbers in Reinhard Scharnagl's scheme (2004).

use shakmaty::{Board, CastlingMode, Chess, FromSetup as _, Position as _, Setup};

/// Number of starting positions.
pub const STARTS: u32 = 960;

/// Returns the starting position with this number, 0 to 959, with castling in Chess960 mode. Number
/// 518 is the start of standard chess. Larger numbers wrap around.
pub fn start(number: u32) -> Chess {
    let board = Board::chess960(number % STARTS);
    let setup = Setup { castling_rights: board.rooks(), board, ..Setup::initial() };
    Chess::from_setup(setup, CastlingMode::Chess960).expect("every starting position is legal")
}

/// Returns the number of a starting position with castling in Chess960 mode; `None` for other
/// positions.
pub fn number(chess: &Chess) -> Option<u32> {
    let number = (0..STARTS).find(|&number| Board::chess960(number) == *chess.board())?;
    (start(number) == *chess).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    use shakmaty::{Color, Role};

    #[test]
    fn the_960_starts_differ_and_number_518_is_the_standard_one() {
        let starts: HashSet<_> = (0..STARTS).map(start).collect();
        assert_eq!(starts.len(), 960);
        assert_eq!(start(518), Chess::default());
    }

    #[test]
    fn starts_have_the_numbers_of_scharnagls_scheme() {
        for (number, back_rank) in [
            (0, "bbqnnrkr"),
            (1, "bqnbnrkr"),
            (356, "nbbrkrqn"),
            (518, "rnbqkbnr"),
            (959, "rkrnnqbb"),
            (960, "bbqnnrkr"),
        ] {
            let board = start(number).board().to_string();
            assert!(board.starts_with(&format!("{back_rank}/")), "{number}: {board}");
        }
    }

    #[test]
    fn every_start_is_recognised_by_its_number_and_no_other_position_is() {
        for expected in 0..STARTS {
            assert_eq!(number(&start(expected)), Some(expected));
        }
        let moved = start(518).play(start(518).legal_moves()[0]).unwrap();
        assert_eq!(number(&moved), None);
        let without_castling = Setup { board: Board::chess960(518), ..Setup::empty() };
        let mode = CastlingMode::Chess960;
        assert_eq!(number(&Chess::from_setup(without_castling, mode).unwrap()), None);
    }

    #[test]
    fn the_king_is_between_the_rooks_and_the_bishops_are_on_both_colours() {
        for number in 0..STARTS {
            let chess = start(number);
            let files = |role: Role| {
                let pieces = chess.board().by_piece(role.of(Color::White)).into_iter();
                pieces.map(|square| square.file().to_u32()).collect::<Vec<_>>()
            };
            let (rooks, bishops) = (files(Role::Rook), files(Role::Bishop));
            let king = files(Role::King)[0];
            assert!(rooks[0] < king && king < rooks[1], "{number}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{number}");
        }
    }

    #[test]
    fn both_sides_may_castle_on_both_wings() {
        for number in 0..STARTS {
            let chess = start(number);
            let castles = chess.castles();
            assert!(castles.mode().is_chess960());
            assert_eq!(castles.castling_rights(), chess.board().rooks(), "{number}");
        }
    }
}
