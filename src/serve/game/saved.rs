//! Games against the engine, read from the PGN in which the page saves them.

use std::time::{Duration, Instant};

use serde::Serialize;
use shakmaty::{ByColor, Color};

use super::{EndReason, Game, GameClock, KeptGame, MAX_PLIES, PLAYER, PgnDate, TimeControl};
use outrider_tools::ENGINE;
use outrider_tools::pgn::{self, AnnotatedGame, Remark};

/// The games of a PGN that were played against the engine, in the form that the page stores.
#[derive(Debug, Serialize)]
pub(crate) struct SavedGames {
    pub games: Vec<KeptGame>,
    /// Number of the other games.
    pub others: usize,
}

impl SavedGames {
    /// Reads the games of a PGN.
    pub(crate) fn read(text: &str) -> SavedGames {
        let now = Instant::now();
        let all = pgn::games(text);
        let read = |game| Some(Game::from_saved_pgn(&pgn::read(game).ok()?, now)?.keep(now));
        let games: Vec<KeptGame> = all.iter().filter_map(read).collect();
        SavedGames { others: all.len() - games.len(), games }
    }
}

impl Game {
    /// Returns the game that [`Game::to_saved_pgn`] has written; `None` if it is another one.
    fn from_saved_pgn(saved: &AnnotatedGame, now: Instant) -> Option<Game> {
        let person = Color::ALL.into_iter().find(|&color| saved.player(color) == PLAYER)?;
        let engine = ENGINE.split(' ').next()?;
        let is_own = saved.player(person.other()).starts_with(engine);
        if !is_own || saved.moves.is_empty() || saved.moves.len() > MAX_PLIES {
            return None;
        }
        let elo = saved.tag(person.fold_wb("BlackElo", "WhiteElo"));
        let elo = elo.and_then(|elo| elo.parse().ok());
        // The clock is set after the moves are played, so that they use no time.
        let mut game = Game::begin(saved.start.clone(), person, elo, None, &PgnDate::of(saved));
        for played in &saved.moves {
            game.check_running().ok()?;
            game.push(played.mv, now);
        }
        if let (false, Some(reason)) = (game.is_over(), end_reason(saved)) {
            game.end(game.claimed_ending(reason));
        }
        if game.record.result != saved.result {
            return None;
        }
        if let Some(full) = saved.tag("TimeControl").and_then(full_clock) {
            game.times = saved.moves.iter().map(|played| time_left(&played.remarks)).collect();
            game.clock = Some(game.clock_at_end(&full));
        }
        game.start_clock(now);
        Some(game)
    }

    /// Returns the clock after the moves. `full` is the clock before them.
    fn clock_at_end(&self, full: &GameClock) -> GameClock {
        let is_time_out = self.ending.is_some_and(|ending| ending.reason == EndReason::Time);
        let loser = is_time_out.then(|| self.position.turn());
        let remaining = ByColor::new_with(|color| {
            if loser == Some(color) {
                return Duration::ZERO;
            }
            let plies = self.times.iter().enumerate().rev();
            let mut own = plies.filter(|(ply, _)| self.record.mover(*ply) == color);
            let last = own.find_map(|(_, time)| *time);
            last.or(full.control().initial).unwrap_or_default()
        });
        GameClock::new(remaining, full.control())
    }
}

/// Returns why a game is over if the position does not show it.
fn end_reason(saved: &AnnotatedGame) -> Option<EndReason> {
    match (saved.result.as_str(), saved.tag("Termination")) {
        ("*", _) => None,
        (_, Some("time forfeit")) => Some(EndReason::Time),
        ("1/2-1/2", _) => Some(EndReason::Agreement),
        _ => Some(EndReason::Resignation),
    }
}

/// Returns the clock at the start of a game with this tag `TimeControl`.
fn full_clock(tag: &str) -> Option<GameClock> {
    let (seconds, increment) = tag.split_once('+')?;
    let seconds: f64 = seconds.parse().ok()?;
    let control = TimeControl { minutes: seconds / 60.0, increment: increment.parse().ok()? };
    GameClock::try_from(control).ok()
}

/// Returns the time in the `%clk` command of a move.
fn time_left(remarks: &[Remark]) -> Option<Duration> {
    let text = remarks.iter().find_map(|remark| match remark {
        Remark::Comment(text) => text.split_once("[%clk ")?.1.split_once(']'),
        _ => None,
    });
    let parts: Result<Vec<u16>, _> = text?.0.split(':').map(str::parse).collect();
    let parts = parts.ok()?;
    let [hours, minutes, seconds] = parts[..] else {
        return None;
    };
    let minutes = 60 * u64::from(hours) + u64::from(minutes);
    Some(Duration::from_secs(60 * minutes + u64::from(seconds)))
}
