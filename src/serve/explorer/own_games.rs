//! The player's games, indexed by position. The browser stores the games and sends them once; later it sends
//! only those that have changed.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use shakmaty::{Chess, Move};

use super::LastGame;
use crate::game::{Game, KeptGame};
use outrider_engine::position::{Board, Key};

/// Number of plies of a game that are indexed.
const MAX_PLIES: usize = 60;

/// Maximum number of games. It limits the memory that a page can use, to about 50 MB.
const MAX_GAMES: usize = 20_000;

/// Games that were stored, changed or deleted since the last time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangedGames {
    /// All games are sent; those of earlier requests no longer exist.
    pub all: bool,
    pub changed: Vec<SentGame>,
    /// Ids of deleted games.
    pub deleted: Vec<String>,
}

/// A stored game with its id in the browser.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SentGame {
    pub id: String,
    /// Time of the last change in milliseconds since 1970.
    pub time: f64,
    pub kept: Json,
}

/// Number of indexed games, and of games that were left out.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct IndexedGames {
    pub games: usize,
    /// Number of sent games that cannot be read.
    pub unreadable: usize,
    /// Number of sent games beyond the maximum.
    pub too_many: usize,
}

/// An index of games by position.
#[derive(Debug, Default)]
pub(crate) struct OwnGames {
    games: HashMap<u32, OwnGame>,
    numbers: HashMap<String, u32>,
    next_number: u32,
    positions: HashMap<Key, Vec<PlayedInGame>>,
}

/// An indexed game.
#[derive(Debug)]
struct OwnGame {
    id: String,
    date: String,
    time: f64,
    /// Half points of the player; `None` if the game is not over.
    half_points: Option<u32>,
    /// Positions of the game that are in the index.
    keys: Vec<Key>,
}

/// A move that was played in a game.
#[derive(Clone, Copy, Debug)]
struct PlayedInGame {
    game: u32,
    mv: Move,
}

/// A move that was played from a position, in all games together.
#[derive(Clone, Debug)]
pub(super) struct PlayedMove {
    pub mv: Move,
    pub games: u32,
    /// Number of these games that are over.
    over: u32,
    /// Half points of the player in these games.
    half_points: u32,
    /// Time of the last game.
    time: f64,
    pub last: LastGame,
}

impl PlayedMove {
    /// Points of the player in percent; `None` if no game is over.
    pub(super) fn score(&self) -> Option<u32> {
        (100 * self.half_points + self.over).checked_div(2 * self.over)
    }
}

impl OwnGames {
    /// Adds, replaces and removes games.
    pub(crate) fn update(&mut self, changes: ChangedGames) -> IndexedGames {
        if changes.all {
            *self = OwnGames::default();
        }
        changes.deleted.iter().for_each(|id| self.remove(id));
        let (mut unreadable, mut too_many) = (0, 0);
        for SentGame { id, time, kept } in changes.changed {
            self.remove(&id);
            match KeptGame::read(kept) {
                Err(_) => unreadable += 1,
                Ok(_) if self.games.len() >= MAX_GAMES => too_many += 1,
                Ok(game) => self.add(id, time, &game),
            }
        }
        IndexedGames { games: self.games.len(), unreadable, too_many }
    }

    fn add(&mut self, id: String, time: f64, game: &Game) {
        let number = self.next_number;
        self.next_number += 1;
        let mut board = Board::new(game.record.start.clone());
        let mut keys = HashSet::new();
        for played in game.record.moves.iter().take(MAX_PLIES) {
            // A repeated position counts once.
            if keys.insert(board.key()) {
                let played = PlayedInGame { game: number, mv: played.mv };
                self.positions.entry(board.key()).or_default().push(played);
            }
            board.play(played.mv);
        }
        let half_points = game.ending.map(|ending| match ending.winner {
            Some(winner) if winner == game.person => 2,
            Some(_) => 0,
            None => 1,
        });
        let date = game.record.tag("Date").unwrap_or_default().to_owned();
        self.numbers.insert(id.clone(), number);
        let keys = keys.into_iter().collect();
        self.games.insert(number, OwnGame { id, date, time, half_points, keys });
    }

    fn remove(&mut self, id: &str) {
        let number = self.numbers.remove(id);
        let Some((number, game)) = number.and_then(|number| self.games.remove_entry(&number))
        else {
            return;
        };
        for key in &game.keys {
            if let Some(played) = self.positions.get_mut(key) {
                played.retain(|played| played.game != number);
                if played.is_empty() {
                    self.positions.remove(key);
                }
            }
        }
    }

    /// Returns the moves that were played from a position.
    pub(super) fn moves(&self, chess: &Chess) -> Vec<PlayedMove> {
        let key = Board::new(chess.clone()).key();
        let mut moves: BTreeMap<String, PlayedMove> = BTreeMap::new();
        for played in self.positions.get(&key).into_iter().flatten() {
            let Some(game) = self.games.get(&played.game) else {
                continue;
            };
            let last = || LastGame { id: game.id.clone(), date: game.date.clone() };
            let name = played.mv.to_string();
            let found = moves.entry(name).or_insert_with(|| PlayedMove {
                mv: played.mv,
                games: 0,
                over: 0,
                half_points: 0,
                time: game.time,
                last: last(),
            });
            found.games += 1;
            found.over += u32::from(game.half_points.is_some());
            found.half_points += game.half_points.unwrap_or(0);
            if game.time > found.time {
                (found.time, found.last) = (game.time, last());
            }
        }
        moves.into_values().collect()
    }
}
