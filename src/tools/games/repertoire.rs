//! A repertoire of openings, and the first move of a game that leaves it.
//!
//! The games of a PGN file with all their variations are the lines of the repertoire. Lines are compared
//! by position, so a game that comes back by another order of moves has not left the repertoire.

use std::collections::HashMap;

use serde_json::{Value as Json, json};
use shakmaty::{Chess, Color, Move, Position as _};
use thiserror::Error;

use crate::pgn::{self, AnnotatedGame, Element, GameError, Remark};
use outrider_engine::position::notation::format_move;
use outrider_engine::position::san::{format_san, parse_san};
use outrider_engine::position::{Board, Key};
use outrider_engine::text::shorten;

/// A repertoire of openings.
#[derive(Clone, Debug)]
pub struct Repertoire {
    /// Moves of each position, in the order of the file; none at the end of a line.
    moves: HashMap<Key, Vec<Move>>,
    checksum: u32,
    broken_lines: usize,
}

/// Reason why a text is not a repertoire.
#[derive(Debug, Error)]
pub enum RepertoireError {
    /// There are no moves.
    #[error("contains no moves")]
    NoMoves,
    /// A game cannot be read.
    #[error("line {line}: game {number}: {reason}")]
    Game {
        /// Line in the text, from 1.
        line: usize,
        /// Number of the game, from 1.
        number: usize,
        /// Error in the game.
        reason: GameError,
    },
}

/// Course of a game in relation to a repertoire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepertoireCourse {
    /// Number of plies after which the game was in the repertoire for the last time.
    pub plies: usize,
    /// First move that left the repertoire; `None` if the game or the line of the repertoire ended first.
    pub departure: Option<Departure>,
}

/// The first move of a game that left the repertoire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Ply of the move, from 0.
    pub ply: usize,
    /// Side that made the move.
    pub by: Color,
    /// The move with its number, such as `5. d4`.
    pub name: String,
    /// Moves of the repertoire in this position, the first of the file first; at least one.
    pub expected: Vec<Move>,
    /// Position before the move.
    before: Chess,
}

impl Repertoire {
    /// Reads a repertoire from the text of a PGN file. A variation ends before its first illegal move.
    ///
    /// # Errors
    ///
    /// Fails if a game cannot be read or there are no moves.
    pub fn read(text: &str) -> Result<Repertoire, RepertoireError> {
        let checksum = crc32fast::hash(text.as_bytes());
        let mut repertoire = Repertoire { moves: HashMap::new(), checksum, broken_lines: 0 };
        for (number, source) in (1..).zip(pgn::games(text)) {
            let game = pgn::read(&source).map_err(|reason| RepertoireError::Game {
                line: reason.line(),
                number,
                reason,
            })?;
            repertoire.add_game(&game);
        }
        if repertoire.moves.values().all(Vec::is_empty) {
            return Err(RepertoireError::NoMoves);
        }
        Ok(repertoire)
    }

    /// Checksum of the text.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Number of variations that end before an illegal move or a null move.
    pub fn broken_lines(&self) -> usize {
        self.broken_lines
    }

    fn add_game(&mut self, game: &AnnotatedGame) {
        let mut board = Board::new(game.start.clone());
        if game.moves.is_empty() {
            return;
        }
        for played in &game.moves {
            let before = board.clone();
            self.add_move(&mut board, played.mv);
            self.add_variations(&before, &played.remarks);
        }
    }

    /// Plays a move on the board and adds it to the position before it.
    fn add_move(&mut self, board: &mut Board, mv: Move) {
        let moves = self.moves.entry(board.key()).or_default();
        if !moves.contains(&mv) {
            moves.push(mv);
        }
        board.play(mv);
        self.moves.entry(board.key()).or_default();
    }

    /// Adds the variations among the remarks on a move, which replace this move.
    fn add_variations(&mut self, before: &Board, remarks: &[Remark]) {
        for remark in remarks {
            if let Remark::Variation(line) = remark {
                self.add_line(before.clone(), line);
            }
        }
    }

    fn add_line(&mut self, mut board: Board, line: &[Element]) {
        let mut before = board.clone();
        for element in line {
            match element {
                Element::Move(san) => match parse_san(board.chess(), &san.to_string()) {
                    Ok(mv) => {
                        before = board.clone();
                        self.add_move(&mut board, mv);
                    }
                    Err(_) => {
                        self.broken_lines += 1;
                        return;
                    }
                },
                Element::Remark(Remark::Variation(inner)) => self.add_line(before.clone(), inner),
                Element::Remark(_) => {}
            }
        }
    }

    /// Follows a game. Returns `None` if no position of the game is in the repertoire.
    pub(super) fn follow(&self, game: &AnnotatedGame) -> Option<RepertoireCourse> {
        let mut board = Board::new(game.start.clone());
        let mut last = self.moves.get(&board.key()).map(|moves| (0, board.clone(), moves));
        for (ply, played) in (1..).zip(&game.moves) {
            board.play(played.mv);
            if let Some(moves) = self.moves.get(&board.key()) {
                last = Some((ply, board.clone(), moves));
            }
        }
        let (plies, board, moves) = last?;
        let leaves = plies < game.moves.len() && !moves.is_empty();
        let departure = leaves.then(|| Departure {
            ply: plies,
            by: board.chess().turn(),
            name: game.move_name(plies, board.chess()),
            expected: moves.clone(),
            before: board.chess().clone(),
        });
        Some(RepertoireCourse { plies, departure })
    }
}

impl Departure {
    /// Formats the moves of the repertoire: `Nf3`, `Nf3 or c3`, `Nf3, c3 or d4`.
    pub fn expected_words(&self) -> String {
        let names = self.expected.iter().map(|&mv| format_san(&self.before, mv));
        match &names.collect::<Vec<_>>()[..] {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }

    /// Returns a sentence about the move for the page of its game.
    pub(super) fn sentence(&self) -> String {
        format!("Leaves the repertoire, which has {}.", self.expected_words())
    }
}

impl RepertoireCourse {
    /// Returns the record for a line of JSON.
    pub(super) fn record(&self) -> Json {
        let departure = self.departure.as_ref().map(|departure| {
            let mode = departure.before.castles().mode();
            let expected = departure.expected.iter().map(|&mv| {
                json!({ "move": format_move(mv, mode), "san": format_san(&departure.before, mv) })
            });
            json!({
                "ply": departure.ply + 1,
                "by": departure.by.fold_wb("white", "black"),
                "name": departure.name,
                "expected": expected.collect::<Vec<_>>(),
            })
        });
        json!({ "plies": self.plies, "left": departure })
    }

    /// Describes the course of the game.
    pub fn words(&self, game: &AnnotatedGame) -> String {
        match &self.departure {
            Some(departure) => format!(
                "{} by {} leaves the repertoire, which has {}",
                departure.name,
                shorten(game.player(departure.by)),
                departure.expected_words()
            ),
            None if self.plies < game.moves.len() => {
                format!("the game follows the repertoire to its end, {} plies", self.plies)
            }
            None => "the whole game is in the repertoire".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPERTOIRE: &str = "[Event \"White\"]\n\n\
        1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4) 2. Nf3 (2. Nc3 Nf6) 2... Nc6 3. Bb5 *\n\n\
        [Event \"Second file\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *";

    fn game(moves: &str) -> AnnotatedGame {
        let text = format!("[White \"Doe, Jane\"]\n[Black \"Roe\"]\n\n{moves} *");
        pgn::read(&pgn::games(&text)[0]).unwrap()
    }

    fn repertoire() -> Repertoire {
        Repertoire::read(REPERTOIRE).unwrap()
    }

    fn words(moves: &str) -> String {
        let game = game(moves);
        repertoire().follow(&game).unwrap().words(&game)
    }

    #[test]
    fn the_first_move_that_leaves_is_named_with_its_player_and_the_moves_of_the_repertoire() {
        for (moves, expected) in [
            (
                "1. e4 e5 2. Nf3 Nc6 3. d4",
                "3. d4 by Doe, Jane leaves the repertoire, which has Bb5 or Bc4",
            ),
            (
                "1. e4 e5 2. d4 exd4",
                "2. d4 by Doe, Jane leaves the repertoire, which has Nf3 or Nc3",
            ),
            (
                "1. e4 c5 2. Nf3 e6 3. d4",
                "2... e6 by Roe leaves the repertoire, which has d6 or Nc6",
            ),
            (
                "1. e4 c5 2. Nf3 Nc6 3. d4",
                "3. d4 by Doe, Jane leaves the repertoire, which has Bb5",
            ),
            ("1. d4", "1. d4 by Doe, Jane leaves the repertoire, which has e4"),
        ] {
            assert_eq!(words(moves), expected);
        }
    }

    #[test]
    fn a_game_that_ends_or_outlasts_the_repertoire_has_not_left_it() {
        assert_eq!(words("1. e4 e5 2. Nf3"), "the whole game is in the repertoire");
        let longer = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4";
        assert_eq!(words(longer), "the game follows the repertoire to its end, 5 plies");
    }

    #[test]
    fn a_transposition_into_the_repertoire_has_not_left_it() {
        let course = |moves| repertoire().follow(&game(moves)).unwrap();
        let transposed = course("1. Nf3 Nc6 2. e4 e5 3. d4");
        assert_eq!((transposed.plies, transposed.departure.unwrap().name), (4, "3. d4".to_owned()));
        assert_eq!(course("1. Nf3 Nf6").departure.unwrap().ply, 0);
    }

    #[test]
    fn a_game_from_a_position_outside_the_repertoire_has_no_course() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh8+ *";
        let other = pgn::read(&pgn::games(text)[0]).unwrap();
        assert_eq!(repertoire().follow(&other), None);
        let own = Repertoire::read(text).unwrap();
        assert_eq!(own.follow(&other), Some(RepertoireCourse { plies: 1, departure: None }));
        assert_eq!(own.follow(&game("1. e4")), None);
    }

    #[test]
    fn the_record_has_the_moves_in_both_notations() {
        let record = repertoire().follow(&game("1. e4 e5 2. d4")).unwrap().record();
        let expected = json!([{ "move": "g1f3", "san": "Nf3" }, { "move": "b1c3", "san": "Nc3" }]);
        let left = json!({ "ply": 3, "by": "white", "name": "2. d4", "expected": expected });
        assert_eq!(record, json!({ "plies": 2, "left": left }));
    }

    #[test]
    fn an_illegal_variation_ends_there_and_an_illegal_game_is_an_error() {
        let broken =
            Repertoire::read("1. e4 e5 (1... c5 2. Ke3 d6) (1... -- 2. d4) 2. Nf3 *").unwrap();
        assert_eq!(broken.broken_lines(), 2);
        assert_eq!(
            broken.follow(&game("1. e4 c5 2. d4")),
            Some(RepertoireCourse { plies: 2, departure: None })
        );
        let error = Repertoire::read("1. e4 *\n\n1. e4\nKe3 *").unwrap_err().to_string();
        assert!(error.starts_with("line 4: game 2: move 1..."), "{error}");
        assert!(matches!(Repertoire::read("*"), Err(RepertoireError::NoMoves)));
        assert!(matches!(Repertoire::read(""), Err(RepertoireError::NoMoves)));
    }
}
