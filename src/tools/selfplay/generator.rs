//! Many games: workers that play, and one writer that receives what they have finished.
//!
//! Each game has a number, and everything about it follows from the settings and that number. A
//! run that resumes a file plays the numbers that the file lacks, so that no matter how often
//! a run was killed, the same games come out in the end; with one thread in the same order.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::game::Game;
use super::reader::Record;
use super::self_play::{Conditions, Player};
use super::writer::{Found, WriteError, Writer};
use crate::engine::search::{Control, Engine, MemoryError};
use crate::engine::tablebases::TablebaseError;

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
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
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
    fn new(found: &Found) -> GenerationProgress {
        GenerationProgress {
            games: found.numbers.len() as u64,
            positions: found.positions,
            new_games: 0,
            new_positions: 0,
            elapsed: Duration::ZERO,
        }
    }

    fn add(&mut self, game: &Game, elapsed: Duration) {
        self.elapsed = elapsed;
        let positions = game.moves.len() as u64;
        self.games += 1;
        self.new_games += 1;
        self.positions += positions;
        self.new_positions += positions;
    }
}

/// Plays games with `threads` threads, at least one, and appends them to a file that was found to
/// hold some already. Tells how far it is after each game; stops early if `control` says so.
///
/// # Errors
///
/// Fails if the file cannot be written, there is no memory or no thread, or no opening is balanced.
pub fn generate(
    conditions: &Conditions,
    goal: Goal,
    threads: usize,
    (mut writer, found): (Writer, Found),
    control: &Control,
    tell: &mut dyn FnMut(&GenerationProgress),
) -> Result<GenerationProgress, GenerateError> {
    let started = Instant::now();
    let mut progress = GenerationProgress::new(&found);
    let end = if let Goal::Games(games) = goal { games } else { u32::MAX };
    let numbers = Mutex::new(missing_numbers(found.numbers).take_while(|&number| number < end));
    let players = (0..threads.max(1)).map(|_| Player::new(conditions));
    let players: Vec<Player> = players.collect::<Result<_, _>>()?;
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| {
        // Whichever way this ends, the workers must not go on without a reader.
        let stop = StopOnDrop(control);
        if goal.is_reached(&progress) {
            return Ok(());
        }
        for player in players {
            let (sender, numbers) = (sender.clone(), &numbers);
            let builder = thread::Builder::new().stack_size(Engine::STACK_SIZE);
            builder
                .spawn_scoped(scope, move || work(player, numbers, control, &sender))
                .map_err(GenerateError::Thread)?;
        }
        drop(sender);
        for game in games {
            // A game that met a broken table was not ended as the header says.
            conditions.endgames().check()?;
            progress.add(&game, started.elapsed());
            writer.append(&Record::Game(game))?;
            tell(&progress);
            if goal.is_reached(&progress) {
                break;
            }
        }
        // A worker ends before its numbers do if it is stopped or finds no opening.
        let has_all = goal.is_reached(&progress) || progress.games >= u64::from(end);
        let complete = has_all || control.is_stopped();
        drop(stop);
        if complete { Ok(()) } else { Err(GenerateError::NoOpening) }
    })?;
    writer.finish()?;
    Ok(progress)
}

/// Plays one game after the other until there are no more numbers.
fn work(
    mut player: Player<'_>,
    numbers: &Mutex<impl Iterator<Item = u32>>,
    control: &Control,
    sender: &Sender<Game>,
) {
    loop {
        let number = numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(game) = number.and_then(|number| player.play(number, control)) else {
            return;
        };
        if sender.send(game).is_err() {
            return;
        }
    }
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

struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::network::Network;
    use crate::engine::evaluation::network::file::NetworkWeights;
    use crate::engine::units::Score;
    use crate::tools::selfplay::{Endgames, GameSettings, Header, Reader};
    use shakmaty::Color;
    use std::sync::Arc;

    #[test]
    fn a_network_to_which_no_opening_is_balanced_is_told_and_the_file_stays_sound() {
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
