//! A game as the page keeps it, so that it is there after the page or the server was started again.
//!
//! The page keeps it and not the server: nothing is written to the server's disk, no file has to be found
//! or cleaned up, and two people at one server cannot see each other's games. What comes back is read like
//! anything from outside: the moves are played again, and an end by rule is found again.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, CastlingMode, Color};

use super::{EndReason, Ending, Game, GameClock, GameRefusal, MAX_PLIES};
use outrider_engine::position::notation::{format_fen, format_move, parse_fen, parse_move};

/// A game as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptGame {
    fen: String,
    chess960: bool,
    /// In long algebraic notation.
    moves: Vec<String>,
    /// Whether the person plays White.
    white: bool,
    elo: Option<i32>,
    /// Games of earlier versions have none. A page's numbers are exact up to 53 bits.
    #[serde(default = "rand::random")]
    seed: u32,
    clock: Option<KeptClock>,
    /// Why the game is over, if somebody said so and no rule.
    ending: Option<EndReason>,
    date: String,
}

/// What was left on the clocks, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptClock {
    white: u64,
    black: u64,
    increment: u64,
}

impl Game {
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
                increment: milliseconds(clock.increment()),
            }),
            ending: self.ending.map(|ending| ending.reason),
            date: self.record.tag("Date").unwrap_or_default().to_owned(),
        }
    }

    /// Goes on with a game that was kept.
    ///
    /// # Errors
    ///
    /// Refused if its start or one of its moves is wrong.
    pub(crate) fn restore(kept: &KeptGame, now: Instant) -> Result<Game, GameRefusal> {
        if kept.moves.len() > MAX_PLIES {
            return Err(GameRefusal::TooLong);
        }
        let start = parse_fen(&kept.fen, CastlingMode::from_chess960(kept.chess960))?;
        let clock = kept.clock.map(|clock| {
            let bounded = |milliseconds: u64| Duration::from_millis(milliseconds.min(1 << 32));
            let remaining = ByColor { white: bounded(clock.white), black: bounded(clock.black) };
            GameClock::new(remaining, bounded(clock.increment))
        });
        let person = Color::from_white(kept.white);
        // Without a clock until the moves are played, so that they cost no time.
        let mut game = Game::begin(start, person, kept.elo, None, &kept.date);
        game.seed = kept.seed;
        for (index, text) in kept.moves.iter().enumerate() {
            game.check_running()?;
            let mv = parse_move(game.position.chess(), text)
                .map_err(|reason| GameRefusal::Kept { number: index + 1, reason })?;
            game.push(mv, now);
        }
        game.clock = clock;
        if let (false, Some(reason)) = (game.is_over(), kept.ending) {
            game.end(game.claimed_ending(reason));
        }
        game.start_clock(now);
        Ok(game)
    }

    /// An end that no rule but somebody's word makes.
    fn claimed_ending(&self, reason: EndReason) -> Option<Ending> {
        match reason {
            EndReason::Resignation => Some(Ending::by_resignation(self.person)),
            EndReason::Time => Some(Ending::by_time(&self.position, self.position.turn())),
            EndReason::Agreement => Some(Ending::by_agreement()),
            _ => None,
        }
    }
}
