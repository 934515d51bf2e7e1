//! A game in the form that the page stores, to restore it after a restart of the page or the server.
//!
//! The browser stores games, not the server: the server writes no files, nothing must be cleaned up, and
//! users of one server cannot see each other's games. A restored game is untrusted input: its moves are
//! played again and an end by the rules is detected again.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use shakmaty::{ByColor, CastlingMode, Color};

use super::clock::ClockControl;
use super::{EndReason, Ending, Game, GameClock, GameRefusal, MAX_PLIES, PgnDate};
use outrider_engine::position::notation::{format_fen, format_move, parse_fen, parse_move};

/// A game as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptGame {
    fen: String,
    chess960: bool,
    /// In long algebraic notation.
    moves: Vec<String>,
    /// The human player has White.
    white: bool,
    elo: Option<i32>,
    /// Missing in games of earlier versions. A `u32`, since JavaScript numbers are exact up to 53 bits only.
    #[serde(default = "rand::random")]
    seed: u32,
    clock: Option<KeptClock>,
    /// Remaining time of the mover after each move in milliseconds, `null` if it is not known. Missing in games
    /// of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    times: Vec<Option<u64>>,
    /// Reason of the end. Used only where the rules do not end the game: resignation, time, agreement.
    ending: Option<EndReason>,
    date: PgnDate,
}

/// Remaining times, increment and time for the game, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptClock {
    white: u64,
    black: u64,
    increment: u64,
    /// Missing in games of earlier versions.
    #[serde(default)]
    initial: Option<u64>,
}

impl KeptGame {
    /// Reads a game from the JSON that the page has stored.
    ///
    /// # Errors
    ///
    /// Fails if the JSON is not a stored game, or as [`Game::restore`] does.
    pub(crate) fn read(saved: Json) -> Result<Game, GameRefusal> {
        let kept: KeptGame = serde_json::from_value(saved)?;
        Game::restore(&kept, Instant::now())
    }
}

impl Game {
    /// Returns the game in the form that the page stores.
    pub(crate) fn keep(&self, now: Instant) -> KeptGame {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let mode = self.mode();
        KeptGame {
            fen: format_fen(&self.record.start),
            chess960: mode.is_chess960(),
            moves: self.record.moves.iter().map(|played| format_move(played.mv, mode)).collect(),
            white: self.person.is_white(),
            elo: self.elo,
            seed: self.seed,
            clock: self.clock.as_ref().map(|clock| KeptClock {
                white: milliseconds(clock.remaining(Color::White, now)),
                black: milliseconds(clock.remaining(Color::Black, now)),
                increment: milliseconds(clock.control().increment),
                initial: clock.control().initial.map(milliseconds),
            }),
            times: match self.clock {
                Some(_) => self.times.iter().map(|time| time.map(milliseconds)).collect(),
                None => Vec::new(),
            },
            ending: self.ending.map(|ending| ending.reason),
            date: PgnDate::of(&self.record),
        }
    }

    /// Restores a stored game.
    ///
    /// # Errors
    ///
    /// Fails if its start position is invalid, a move is illegal or it has too many moves.
    pub(crate) fn restore(kept: &KeptGame, now: Instant) -> Result<Game, GameRefusal> {
        if kept.moves.len() > MAX_PLIES {
            return Err(GameRefusal::TooLong);
        }
        let start = parse_fen(&kept.fen, CastlingMode::from_chess960(kept.chess960))?;
        let bounded = |milliseconds: u64| Duration::from_millis(milliseconds.min(1 << 32));
        let clock = kept.clock.map(|clock| {
            let remaining = ByColor { white: bounded(clock.white), black: bounded(clock.black) };
            let (initial, increment) = (clock.initial.map(bounded), bounded(clock.increment));
            GameClock::new(remaining, ClockControl { initial, increment })
        });
        let person = Color::from_white(kept.white);
        // The clock is set after the moves are played, so that they use no time.
        let mut game = Game::begin(start, person, kept.elo, None, &kept.date);
        game.seed = kept.seed;
        for (index, text) in kept.moves.iter().enumerate() {
            game.check_running()?;
            let mv = parse_move(game.position.chess(), text)
                .map_err(|reason| GameRefusal::Kept { number: index + 1, reason })?;
            game.push(mv, now);
        }
        if clock.is_some() {
            for (time, kept) in game.times.iter_mut().zip(&kept.times) {
                *time = kept.map(bounded);
            }
        }
        game.clock = clock;
        if let (false, Some(reason)) = (game.is_over(), kept.ending) {
            game.end(game.claimed_ending(reason));
        }
        game.start_clock(now);
        Ok(game)
    }

    /// Returns the end for a reason that the position does not show.
    pub(super) fn claimed_ending(&self, reason: EndReason) -> Option<Ending> {
        match reason {
            EndReason::Resignation => Some(Ending::by_resignation(self.person)),
            EndReason::Time => Some(Ending::by_time(&self.position, self.position.turn())),
            EndReason::Agreement => Some(Ending::by_agreement()),
            _ => None,
        }
    }
}
