//! Many games: workers play them, one writer appends them to the file.
//!
//! Each game has a number, and everything about it follows from the settings and that number. A
//! run that resumes a file plays the numbers that the file lacks, so that no matter how often
//! a run was killed, the same games come out in the end; with one thread in the same order.

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

/// When there are enough games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Once the file holds the games with numbers below this.
    Games(u32),
    /// Once the file holds this number of positions.
    Positions(u64),
    /// After this time.
    Time(Duration),
}

impl Goal {
    /// Whether a run ends before the numbers of its games do.
    fn is_reached(self, progress: &GenerationProgress) -> bool {
        match self {
            Goal::Games(_) => false,
            Goal::Positions(positions) => progress.positions >= positions,
            Goal::Time(time) => progress.elapsed >= time,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenerationProgress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games of this run.
    pub new_games: u64,
    /// Positions of this run.
    pub new_positions: u64,
    /// What the games of this run that were played out say about the others.
    pub played_out: AdjudicationCheck,
    /// Time since the run began.
    pub elapsed: Duration,
}

/// Why a run ended too early.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Table(#[from] MemoryError),
    /// An endgame table cannot be read; the games before are in the file.
    #[error("{0}; the games before that were kept")]
    Tables(#[from] TablebaseError),
    /// For some game there is no opening.
    #[error(
        "to this network no opening looks balanced: ten thousand were tried for a game; the games \
         before that were kept"
    )]
    NoOpening,
    /// The system grants no threads.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

impl GenerationProgress {
    /// Positions a second in this run.
    pub fn positions_per_second(&self) -> f64 {
        self.new_positions as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// Games a second in this run.
    pub fn games_per_second(&self) -> f64 {
        self.new_games as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// The beginning of a run that resumes a file with these games.
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

/// Plays games with `threads` threads, at least one, and appends them to a file that was found to
/// hold some already. Reports progress after each game; stops early if `control` is stopped.
///
/// # Errors
///
/// Fails if the file cannot be written, there is no memory or no thread, or no opening is balanced.
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
        // A game is missing if it is stopped, or else if there is no opening for it.
        no_opening.fetch_or(game.is_none() && !control.is_stopped(), Ordering::Relaxed);
        game
    };
    workers::run(players, numbers, control, play, |game| -> Result<_, GenerateError> {
        // A game that met a broken table was not ended as the header says.
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

/// The numbers that are not among these, in order.
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
    fn a_network_to_which_no_opening_is_balanced_is_an_error_and_the_file_stays_sound() {
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
    fn the_numbers_that_are_missing_come_first() {
        let numbers: Vec<u32> = missing_numbers(vec![5, 0, 2, 2, 1]).take(4).collect();
        assert_eq!(numbers, [3, 4, 6, 7]);
        assert_eq!(missing_numbers(Vec::new()).next(), Some(0));
    }
}
