//! Generates games: workers play them, and one writer appends them to the file.
//!
//! A game is determined by the settings and its number. A run that resumes a file plays the numbers
//! that are missing, so the same games result however often a run was killed; with one thread also in
//! the same order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::adjudication_check::AdjudicationCheck;
use super::game::Game;
use super::reader::Record;
use super::self_play::{Conditions, Player};
use super::writer::{Resumed, WriteError, Writer};
use crate::workers;
use outrider_engine::search::{Control, MemoryError, ThreadError};
use outrider_engine::tablebases::TablebaseError;

/// Condition at which a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The file holds all games with numbers below this.
    Games(u32),
    /// The file holds at least this number of positions.
    Positions(u64),
    /// The run has taken this time.
    Time(Duration),
}

impl Goal {
    /// Returns true if the run ends by positions or time. [`Goal::Games`] ends with the numbers of the
    /// games.
    fn is_reached(self, progress: &GenerationProgress) -> bool {
        match self {
            Goal::Games(_) => false,
            Goal::Positions(positions) => progress.positions >= positions,
            Goal::Time(time) => progress.elapsed >= time,
        }
    }
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenerationProgress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games played in this run.
    pub new_games: u64,
    /// Positions of the games played in this run.
    pub new_positions: u64,
    /// Accuracy of adjudication, from the played-out games of this run.
    pub played_out: AdjudicationCheck,
    /// Time since the run began.
    pub elapsed: Duration,
}

/// Reason why a run failed.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is not enough memory for the transposition tables.
    #[error(transparent)]
    Table(#[from] MemoryError),
    /// An endgame table cannot be read. The games before that are in the file.
    #[error("{0}; the games before that were kept")]
    Tables(#[from] TablebaseError),
    /// No opening was found for a game.
    #[error(
        "this network evaluates no opening as balanced: ten thousand were tried for a game; the \
         games before that were kept"
    )]
    NoOpening,
    /// The system cannot start a thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

impl GenerationProgress {
    /// Positions per second in this run.
    pub fn positions_per_second(&self) -> f64 {
        self.new_positions as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// Games per second in this run.
    pub fn games_per_second(&self) -> f64 {
        self.new_games as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// Progress at the start of a run that resumes a file with these games.
    fn new(found: &Resumed) -> GenerationProgress {
        GenerationProgress {
            games: found.numbers.len() as u64,
            positions: found.positions,
            new_games: 0,
            new_positions: 0,
            played_out: AdjudicationCheck::default(),
            elapsed: Duration::ZERO,
        }
    }

    fn add(&mut self, game: &Game, conditions: &Conditions, elapsed: Duration) {
        self.elapsed = elapsed;
        let positions = game.position_count();
        self.games += 1;
        self.new_games += 1;
        self.positions += positions;
        self.new_positions += positions;
        if game.is_played_out {
            let replayed: Vec<_> =
                game.replay_knowing(conditions.endgames()).filter_map(Result::ok).collect();
            self.played_out.add(&replayed, conditions.settings().winning_score);
        }
    }
}

/// Plays games with `threads` threads, at least one, and appends them to a file that [`Writer::resume`]
/// opened. Reports progress after each game. Stops early if `control` is stopped.
///
/// # Errors
///
/// Fails if the file cannot be written, an endgame table cannot be read, there is not enough memory,
/// a thread cannot be started, or no balanced opening is found for a game.
pub fn generate(
    conditions: &Conditions,
    goal: Goal,
    threads: usize,
    (mut writer, found): (Writer, Resumed),
    control: &Control,
    report: &mut dyn FnMut(&GenerationProgress),
) -> Result<GenerationProgress, GenerateError> {
    let started = Instant::now();
    let mut progress = GenerationProgress::new(&found);
    let end = if let Goal::Games(games) = goal { games } else { u32::MAX };
    let numbers = missing_numbers(found.numbers).take_while(|&number| number < end);
    let players = (0..threads.max(1)).map(|_| Player::new(conditions));
    let players: Vec<Player> = players.collect::<Result<_, _>>()?;
    if goal.is_reached(&progress) {
        writer.finish()?;
        return Ok(progress);
    }
    let no_opening = AtomicBool::new(false);
    let play = |player: &mut Player<'_>, number| {
        let game = player.play(number, control);
        // There is no game if the run was stopped or no opening was found.
        no_opening.fetch_or(game.is_none() && !control.is_stopped(), Ordering::Relaxed);
        game
    };
    workers::run(players, numbers, control, play, |game| -> Result<_, GenerateError> {
        // A game that probed an unreadable table was not ended as the header says.
        conditions.endgames().check()?;
        progress.add(&game, conditions, started.elapsed());
        writer.append(&Record::Game(game))?;
        report(&progress);
        let is_done = goal.is_reached(&progress);
        Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if no_opening.into_inner() && !goal.is_reached(&progress) {
        return Err(GenerateError::NoOpening);
    }
    writer.finish()?;
    Ok(progress)
}

/// Returns the numbers that are not in `present`, in ascending order.
fn missing_numbers(mut present: Vec<u32>) -> impl Iterator<Item = u32> {
    present.sort_unstable();
    let mut present = present.into_iter().peekable();
    (0..u32::MAX).filter(move |&number| {
        let is_missing = present.peek() != Some(&number);
        while present.next_if_eq(&number).is_some() {}
        is_missing
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Endgames, GameSettings, Header, Reader};
    use outrider_engine::evaluation::network::Network;
    use outrider_engine::evaluation::network::file::NetworkWeights;
    use outrider_engine::units::Score;
    use shakmaty::Color;
    use std::sync::Arc;

    #[test]
    fn generation_fails_if_no_opening_is_balanced_and_the_file_stays_valid() {
        let weights = NetworkWeights { output_biases: vec![1 << 18], ..NetworkWeights::material() };
        let network = Arc::new(Network::new(&weights).unwrap());
        assert!(network.value(&shakmaty::Board::new(), Color::White) > Score::new(5_000));
        let settings = GameSettings { nodes: 1, ..GameSettings::default() };
        let conditions = Conditions::new(settings, network, Endgames::default());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let file = Writer::resume(&path, &Header::new(conditions.settings(), "a commit")).unwrap();
        let control = Control::default();
        let ended = generate(&conditions, Goal::Games(3), 1, file, &control, &mut |_| {});
        assert!(matches!(ended, Err(GenerateError::NoOpening)), "{ended:?}");
        let records: Vec<_> = Reader::open(&path).unwrap().collect();
        assert!(matches!(records[..], [Ok(Record::Header(_))]), "{records:?}");
    }

    #[test]
    fn missing_numbers_are_played_first() {
        let numbers: Vec<u32> = missing_numbers(vec![5, 0, 2, 2, 1]).take(4).collect();
        assert_eq!(numbers, [3, 4, 6, 7]);
        assert_eq!(missing_numbers(Vec::new()).next(), Some(0));
    }
}
