//! The opening explorer: moves of a position in the named openings, in an opening book and in the games of
//! the player.

mod own_games;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use shakmaty::{Chess, Move, Position as _};

use outrider_engine::book::Book;
use outrider_engine::position::notation::format_move;
use outrider_engine::position::san::format_san;
use outrider_tools::games::{Opening, book_moves};
use outrider_tools::pages::board;

pub(crate) use own_games::{ChangedGames, OwnGames};

/// The server's opening book. Reading it moves a position in the file, so it has a lock.
#[derive(Default)]
pub(crate) struct SharedBook(Option<Mutex<Book>>);

impl SharedBook {
    pub(crate) fn new(book: Option<Book>) -> SharedBook {
        SharedBook(book.map(Mutex::new))
    }

    /// Returns the moves of a position with their weights; none without a book.
    fn moves(&self, chess: &Chess) -> io::Result<Vec<(Move, u32)>> {
        let Some(book) = &self.0 else {
            return Ok(Vec::new());
        };
        book.lock().unwrap_or_else(PoisonError::into_inner).moves(chess)
    }
}

/// The moves of a position in the form that the page receives.
#[derive(Debug, Serialize)]
pub(crate) struct ExplorerView {
    /// Number of the player's games with this position.
    games: u32,
    /// The server has an opening book.
    has_book: bool,
    /// Why the book cannot be read. The other moves are there.
    book_error: Option<String>,
    /// The move that was played most is first.
    moves: Vec<ExplorerMove>,
}

/// A move of the explorer.
#[derive(Debug, Serialize)]
pub(crate) struct ExplorerMove {
    san: String,
    uci: String,
    squares: [String; 2],
    /// Opening that ends with the move.
    opening: Option<&'static Opening>,
    /// Number of named openings that begin with it.
    lines: u32,
    /// Share of the move in the opening book, in percent.
    share: Option<u32>,
    /// Number of the player's games with the move.
    games: u32,
    /// Points of the player in these games in percent; `None` if none is over.
    score: Option<u32>,
    /// Last of these games.
    last: Option<LastGame>,
}

/// The last game with a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LastGame {
    id: String,
    /// Date in PGN notation.
    date: String,
}

impl ExplorerView {
    /// Collects the moves of a position.
    pub(crate) fn new(chess: &Chess, own: &OwnGames, book: &SharedBook) -> ExplorerView {
        let mut moves = BTreeMap::new();
        for found in book_moves(chess) {
            let explored = entry(&mut moves, chess, found.mv);
            (explored.opening, explored.lines) = (found.opening, found.lines);
        }
        let (weights, book_error) = match book.moves(chess) {
            Ok(weights) => (weights, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let total: u64 = weights.iter().map(|&(_, weight)| u64::from(weight)).sum();
        for (mv, weight) in weights {
            let share = (100 * u64::from(weight)).checked_div(total);
            entry(&mut moves, chess, mv).share = share.map(|share| share as u32);
        }
        let mut games = 0;
        for played in own.moves(chess) {
            let explored = entry(&mut moves, chess, played.mv);
            (explored.games, explored.score) = (played.games, played.score());
            explored.last = Some(played.last);
            games += played.games;
        }
        let mut moves: Vec<ExplorerMove> = moves.into_values().collect();
        moves.sort_by(|one, other| {
            let rank = |explored: &ExplorerMove| (explored.games, explored.share, explored.lines);
            rank(other).cmp(&rank(one)).then_with(|| one.san.cmp(&other.san))
        });
        ExplorerView { games, has_book: book.0.is_some(), book_error, moves }
    }
}

/// Returns the entry of a move, a new one if there is none.
fn entry<'a>(
    moves: &'a mut BTreeMap<String, ExplorerMove>,
    chess: &Chess,
    mv: Move,
) -> &'a mut ExplorerMove {
    let uci = format_move(mv, chess.castles().mode());
    moves.entry(uci.clone()).or_insert_with(|| ExplorerMove {
        san: format_san(chess, mv),
        uci,
        squares: board::squares(mv),
        opening: None,
        lines: 0,
        share: None,
        games: 0,
        score: None,
        last: None,
    })
}
