//! A small opening book for limited strength: the openings that beginners learn first.
//!
//! The mistakes of limited strength look human in the middle of a game, but not in the opening, where
//! such a player would move its king. Human beginners play the lines that they were shown. These lines
//! are our own choice. The seed of the game decides which line is followed and for how many plies.

#![forbid(unsafe_code)]

use shakmaty::{Chess, Move, Position as _};

use crate::position::Position;
use crate::position::notation::{format_move, parse_move};
use crate::search::{StrengthLimit, random_number};

/// Greatest strength that uses the book, on the scale of `UCI_Elo`. Stronger players do not need it.
pub(crate) const MAX_ELO: i32 = 1300;

/// Least number of plies for which a player follows the book.
const MIN_PLIES: usize = 4;
/// Number of different lengths: a player follows the book for `MIN_PLIES` plies and up to four more.
const PLIES_CHOICES: u64 = 5;

/// The lines of the book, in long algebraic notation.
const LINES: [&str; 34] = [
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 d2d3 g8f6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1c4 h7h6 e1g1 g8f6",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1c4 f8c5",
    "e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 h2h3 g4f3",
    "e2e4 e7e5 g1f3 d7d6 d2d4 e5d4 f3d4 g8f6",
    "e2e4 e7e5 f1c4 b8c6 d1h5 g7g6 h5f3 g8f6",
    "e2e4 e7e5 f1c4 g8f6 d2d3 f8c5 g1f3 b8c6",
    "e2e4 e7e5 b1c3 g8f6 f1c4 f8c5 d2d3 d7d6",
    "e2e4 e7e6 d2d4 d7d5 e4d5 e6d5 g1f3 g8f6",
    "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6",
    "e2e4 e7e6 g1f3 d7d5 e4d5 e6d5 d2d4 f8d6",
    "e2e4 c7c5 g1f3 b8c6 f1c4 e7e6 e1g1 g8f6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",
    "e2e4 c7c5 b1c3 b8c6 g1f3 e7e6 f1c4 g8f6",
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 g1f3 b8c6",
    "e2e4 c7c6 g1f3 d7d5 e4d5 c6d5 d2d4 g8f6",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5d8 g1f3 g8f6",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 g1f3 f8g7",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 g1f3 f8e7",
    "d2d4 d7d5 c1f4 g8f6 e2e3 e7e6 g1f3 f8d6",
    "d2d4 d7d5 g1f3 g8f6 c1f4 b8c6 e2e3 c8f5",
    "d2d4 d7d5 g1f3 b8c6 c1f4 c8f5 e2e3 e7e6",
    "d2d4 d7d5 e2e3 g8f6 f1d3 e7e6 g1f3 f8d6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",
    "d2d4 g8f6 g1f3 e7e6 c1f4 d7d5 e2e3 f8d6",
    "d2d4 g8f6 c1f4 e7e6 e2e3 d7d5 g1f3 c7c5",
    "d2d4 e7e6 c2c4 d7d5 b1c3 g8f6 c1g5 f8e7",
    "g1f3 d7d5 d2d4 g8f6 c1f4 e7e6 e2e3 f8d6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 e2e3 d7d5",
    "g2g3 d7d5 f1g2 g8f6 g1f3 e7e6 e1g1 f8e7",
];

/// Returns the book move for a player of this strength, in Elo. `None` if the position is not in the book,
/// the player is too strong for it, or has followed it long enough.
pub fn learned_move(position: &Position, elo: i32, game_seed: u64) -> Option<Move> {
    let plies = MIN_PLIES + (random_number(game_seed, "plies") % PLIES_CHOICES) as usize;
    let chess = position.chess();
    if elo > MAX_ELO || (chess.fullmoves().get() - 1) as usize * 2 >= plies {
        return None;
    }
    let moves: Vec<Move> = LINES.iter().filter_map(|line| continuation(line, chess)).collect();
    let number = random_number(game_seed, format_args!("{}", chess.board()).to_string());
    moves.get((number % moves.len().max(1) as u64) as usize).copied()
}

/// Returns the next move of a line that goes through a position.
fn continuation(line: &str, wanted: &Chess) -> Option<Move> {
    let mut chess = Chess::default();
    for text in line.split(' ') {
        let mv = parse_move(&chess, text).ok()?;
        if chess.board() == wanted.board() && chess.turn() == wanted.turn() {
            // Parsed again on the given position, which may be in Chess960 mode.
            return parse_move(wanted, &format_move(mv, wanted.castles().mode())).ok();
        }
        chess.play_unchecked(mv);
    }
    None
}

const _: () = assert!(MAX_ELO >= *StrengthLimit::ELO.start());

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const WEAK: i32 = 600;

    fn position_after(moves: &str) -> Position {
        let mut position = Position::new(Chess::default());
        for text in moves.split_whitespace() {
            position.push(parse_move(position.chess(), text).unwrap());
        }
        position
    }

    #[test]
    fn every_line_can_be_played() {
        for line in LINES {
            assert_eq!(line.split(' ').count(), 8, "{line}");
            position_after(line);
        }
    }

    #[test]
    fn weak_players_open_by_the_book_and_the_seed_chooses_the_line() {
        let played: BTreeSet<String> = (0..100)
            .map(|seed| {
                let mv = learned_move(&position_after(""), WEAK, seed).expect("a first move");
                format_move(mv, shakmaty::CastlingMode::Standard)
            })
            .collect();
        assert!(played.contains("e2e4") && played.contains("d2d4"), "{played:?}");
        assert!(played.iter().all(|mv| LINES.iter().any(|line| line.starts_with(mv))));
        let answer = learned_move(&position_after("e2e4"), WEAK, 1);
        assert_eq!(
            answer,
            learned_move(&position_after("e2e4"), WEAK, 1),
            "the same seed, the same move"
        );
        assert!(answer.is_some());
    }

    #[test]
    fn stronger_players_and_unknown_positions_have_no_book_move() {
        assert_eq!(learned_move(&position_after(""), MAX_ELO + 1, 1), None);
        assert_eq!(learned_move(&position_after("a2a4"), WEAK, 1), None);
        assert_eq!(learned_move(&position_after(LINES[0]), WEAK, 1), None);
    }
}
