//! Names of openings, looked up by position, so that transpositions are recognised too.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Serialize;
use shakmaty::{Chess, Move, Position as _};

use crate::pgn::{AnnotatedGame, PlayedMove};
use outrider_engine::position::notation::parse_move;
use outrider_engine::position::{Board, Key};

/// Table of openings. Its first lines describe the columns and the source.
const TABLE: &str = include_str!("openings.tsv");

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opening {
    /// Code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Name, such as `Sicilian Defense: Najdorf Variation`.
    pub name: String,
}

/// The named openings, and the positions on the way to them.
#[derive(Default)]
struct Openings {
    named: HashMap<Key, Opening>,
    /// Number of lines of the table that contain each position.
    known: HashMap<Key, u32>,
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(|| {
    let mut openings = Openings::default();
    let mut reader = OpeningsReader::default();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        openings.named.extend(reader.read(line));
        for board in &reader.boards {
            *openings.known.entry(board.key()).or_default() += 1;
        }
    }
    openings
});

/// Returns the opening of a game: the last known one in its moves, with the number of plies to it.
pub fn opening(game: &AnnotatedGame) -> Option<(&'static Opening, usize)> {
    if game.start != Chess::default() {
        return None;
    }
    let mut board = Board::new(game.start.clone());
    let mut found = None;
    for (ply, played) in (1..=MAX_PLIES).zip(&game.moves) {
        board.play(played.mv);
        found = OPENINGS.named.get(&board.key()).map(|opening| (opening, ply)).or(found);
    }
    found
}

/// Returns the number of plies at the start of a game that belong to named openings, on the way to one or
/// within one.
pub(super) fn book_plies(game: &AnnotatedGame) -> usize {
    if game.start != Chess::default() {
        return 0;
    }
    let mut board = Board::new(game.start.clone());
    let is_known = |played: &&PlayedMove| {
        board.play(played.mv);
        OPENINGS.known.contains_key(&board.key())
    };
    game.moves.iter().take(MAX_PLIES).take_while(is_known).count()
}

/// Returns the opening that ends in a position, if there is one.
pub fn opening_of_position(chess: &Chess) -> Option<&'static Opening> {
    is_early(chess).then(|| OPENINGS.named.get(&Board::new(chess.clone()).key())).flatten()
}

fn is_early(chess: &Chess) -> bool {
    2 * (chess.fullmoves().get() as usize - 1) <= MAX_PLIES
}

/// A move that stays in the named openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Opening that ends with the move.
    pub opening: Option<&'static Opening>,
    /// Number of lines of the table that contain the position after the move.
    pub lines: u32,
}

/// Returns the moves of a position that stay in the named openings, the one with the most lines first.
pub fn book_moves(chess: &Chess) -> Vec<BookMove> {
    if !is_early(chess) {
        return Vec::new();
    }
    let board = Board::new(chess.clone());
    let legal = chess.legal_moves();
    let after = legal.iter().filter_map(|&mv| {
        let mut after = board.clone();
        after.play(mv);
        let lines = *OPENINGS.known.get(&after.key())?;
        Some(BookMove { mv, opening: OPENINGS.named.get(&after.key()), lines })
    });
    let mut moves: Vec<BookMove> = after.collect();
    moves.sort_by_key(|book_move| Reverse(book_move.lines));
    moves
}

/// Upper bound for the plies of an opening in the table.
const MAX_PLIES: usize = 40;

/// Reads the lines of the table in order; each is stored as a difference from the line before.
struct OpeningsReader {
    /// Positions of the last line, the start first.
    boards: Vec<Board>,
    name: String,
}

impl Default for OpeningsReader {
    fn default() -> OpeningsReader {
        OpeningsReader { boards: vec![Board::new(Chess::default())], name: String::new() }
    }
}

impl OpeningsReader {
    /// Returns the position and the opening of a line; `None` if it cannot be parsed.
    fn read(&mut self, line: &'static str) -> Option<(Key, Opening)> {
        let mut columns = line.split('\t');
        let (same, moves) = columns.next()?.split_once(' ')?;
        let eco = columns.next()?;
        let (same_letters, letters) = columns.next()?.split_once(' ')?;
        self.boards.truncate(1 + same.parse::<usize>().ok()?);
        for text in moves.split_whitespace() {
            let mut board = self.boards.last()?.clone();
            board.play(parse_move(board.chess(), text).ok()?);
            self.boards.push(board);
        }
        let same_letters = same_letters.parse().ok()?;
        self.name = self.name.chars().take(same_letters).chain(letters.chars()).collect();
        Some((self.boards.last()?.key(), Opening { eco, name: self.name.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;
    use outrider_engine::position::notation::parse_fen_any;

    fn name(text: &str) -> Option<(&'static str, &'static str, usize)> {
        let game = pgn::read(&pgn::games(text)[0]).unwrap();
        opening(&game).map(|(opening, plies)| (opening.eco, opening.name.as_str(), plies))
    }

    #[test]
    fn every_line_of_the_table_can_be_parsed() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut reader = OpeningsReader::default();
        let (mut count, mut longest) = (0, 0);
        for line in lines {
            assert!(reader.read(line).is_some(), "{line}");
            count += 1;
            longest = longest.max(reader.boards.len() - 1);
        }
        assert!(count > 3_000 && longest <= MAX_PLIES, "{count} {longest}");
    }

    #[test]
    fn moves_on_the_way_to_a_named_opening_are_book() {
        let book = |text: &str| book_plies(&pgn::read(&pgn::games(text)[0]).unwrap());
        assert_eq!(book("1. e4 e5 2. f4 *"), 3, "King's Gambit");
        assert_eq!(book("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 *"), 7, "Evans Gambit");
        assert_eq!(book("1. d4 Nf6 2. c4 e5 *"), 4, "Budapest");
        assert_eq!(book("1. e4 e5 2. Qh5 Ke7 3. Qxe5# *"), 3);
        assert_eq!(book("[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh8+ *"), 0);
    }

    #[test]
    fn the_moves_of_a_position_that_stay_in_the_table_are_found_with_their_names() {
        let moves = |fen: &str| {
            let chess = parse_fen_any(fen).unwrap();
            let name = |found: &BookMove| found.opening.map(|opening| opening.name.clone());
            let each = book_moves(&chess);
            assert!(each.is_sorted_by_key(|found| Reverse(found.lines)), "{fen}");
            each.iter().map(|found| (found.mv.to_string(), name(found))).collect::<Vec<_>>()
        };
        let start = moves("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.len(), 20, "each first move has a name");
        assert_eq!(start[0].1.as_deref(), Some("King's Pawn Game"));
        let gambit = moves("rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2");
        let accepted = gambit.iter().find(|(mv, _)| mv == "e5xf4").expect("a move");
        assert_eq!(accepted.1.as_deref(), Some("King's Gambit Accepted"));
        assert!(gambit.iter().all(|(mv, _)| mv != "a7-a6"), "{gambit:?}");
        assert!(moves("4k3/8/8/8/8/8/8/4K2R w - - 0 1").is_empty());
    }

    #[test]
    fn the_opening_of_a_position_is_that_of_its_last_move() {
        let name = |fen: &str| {
            opening_of_position(&parse_fen_any(fen).unwrap()).map(|opening| opening.eco)
        };
        assert_eq!(name("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), Some("B00"));
        assert_eq!(name("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
        assert_eq!(name("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 90"), None);
    }

    #[test]
    fn an_opening_is_recognised_after_a_transposition() {
        let najdorf = Some(("B90", "Sicilian Defense: Najdorf Variation", 10));
        assert_eq!(name("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *"), najdorf);
        assert_eq!(name("1. Nf3 d6 2. d4 Nf6 3. Nc3 c5 4. e4 cxd4 5. Nxd4 a6 *"), najdorf);
        assert_eq!(name("1. e4 a5 2. a3 h5 3. h3 *").map(|(eco, ..)| eco), Some("B00"));
        assert_eq!(name("[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh8+ *"), None);
    }
}
