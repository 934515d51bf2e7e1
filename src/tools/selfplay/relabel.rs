//! Relabels games: the moves stay as they were played, and the scores become those of another search,
//! by a better network or with more nodes.
//!
//! The positions of a game are searched in order with one transposition table. This is worth twice the
//! nodes of searches that each begin with an empty table. Only positions that the default filter keeps
//! are searched; the others keep their old scores. If the best move of the new search is a capture or
//! promotion, the position is in the middle of an exchange and loses its label.
//!
//! Deep searches of all positions are expensive, and neighbours in a game teach nearly the same. So a
//! [`Selection`] can leave out some. They lose their label, so nothing learns from their old scores.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::Position as _;
use thiserror::Error;

use super::filter::Filter;
use super::game::{Game, ScoredMove};
use super::header::{GameSettings, Header};
use super::reader::{ReadError, Record};
use super::replay::{BrokenGame, LabelledPosition};
use super::self_play::{TABLE_MEGABYTES, nodes_for};
use super::valid_records::{Damage, OnDamage, ValidRecords};
use super::writer::{Resumed, WriteError, Writer};
use crate::workers;
use outrider_engine::evaluation::network::Network;
use outrider_engine::position::{Position, is_tactical};
use outrider_engine::search::{Control, Engine, Limits, MemoryError, ThreadError};
use outrider_engine::units::Score;

/// Settings for relabelling.
#[derive(Clone, Debug)]
pub struct RelabelSettings {
    /// Network that searches the positions.
    pub network: Arc<Network>,
    /// Soft node limit per position: no iteration begins after it. It is lower with few pieces or if a
    /// capture wins material.
    pub nodes: u32,
    /// Share of the old score in the new score, 0 to 1.
    pub old_share: f64,
    /// Positions to search.
    pub selection: Selection,
}

/// Selects the positions to search among those that the filter keeps. The others lose their label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Share of the positions, above 0 and at most 1, spread evenly over each game.
    pub share: f64,
    /// Fewest pieces on the board, kings included.
    pub min_pieces: u8,
}

impl Default for Selection {
    /// Selects all positions.
    fn default() -> Selection {
        Selection { share: 1.0, min_pieces: 0 }
    }
}

impl Selection {
    /// Returns true if the position is selected. `index` is its index among the moves or the deviations
    /// of the game. The number of the game shifts the selected indices, so games with the same first
    /// moves do not all have the same positions selected.
    fn selects(self, game: u32, index: usize, pieces: usize) -> bool {
        let place = f64::from(game) + index as f64;
        let is_drawn = ((place + 1.0) * self.share).floor() > (place * self.share).floor();
        is_drawn && pieces >= usize::from(self.min_pieces)
    }

    /// Describes the selection for the header of a file; empty if all positions are selected.
    fn description(self) -> String {
        if self == Selection::default() {
            return String::new();
        }
        let percent = (self.share * 1e6).round() / 1e4;
        format!(" at {percent} % of the positions with {} pieces or more", self.min_pieces)
    }
}

/// A file of games to relabel, after a first pass.
#[derive(Debug)]
pub struct GamesToRelabel {
    header: Header,
    /// Number of games.
    pub games: u64,
    /// Damage that was skipped.
    pub damage: Option<Damage>,
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RelabelProgress {
    /// Games in the new file.
    pub games: u64,
    /// Games relabelled in this run.
    pub new_games: u64,
    /// Positions searched in this run.
    pub searched: u64,
    /// Searched positions that lost their label, since their best move is a capture or promotion.
    pub unlabelled: u64,
    /// Time since the run began.
    pub elapsed: Duration,
}

/// Reason why games were not relabelled.
#[derive(Debug, Error)]
pub enum RelabelError {
    /// The games cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A game has an illegal move.
    #[error(transparent)]
    Game(#[from] BrokenGame),
    /// The file has no header.
    #[error("has no header with the settings of its games")]
    NoHeader,
    /// The file was merged from several runs.
    #[error(
        "holds games of several runs, whose numbers may repeat; relabel the files that it was \
         merged from"
    )]
    SeveralRuns,
    /// The new file cannot be written.
    #[error("the new file {0}")]
    Write(#[from] WriteError),
    /// There is not enough memory for the transposition tables.
    #[error(transparent)]
    Table(#[from] MemoryError),
    /// The system cannot start a thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

impl GamesToRelabel {
    /// Reads a file once to get its header and the number of its games.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not hold the games of exactly one run.
    pub fn inspect(path: &Path, on_damage: OnDamage) -> Result<GamesToRelabel, RelabelError> {
        let mut records = ValidRecords::open(path, on_damage)?;
        let (mut header, mut games) = (None, 0);
        for record in records.by_ref() {
            match record? {
                Record::Game(_) => games += 1,
                Record::Header(found) if header.as_ref().is_none_or(|header| *header == found) => {
                    header = Some(found);
                }
                Record::Header(_) => return Err(RelabelError::SeveralRuns),
            }
        }
        let header = header.ok_or(RelabelError::NoHeader)?;
        Ok(GamesToRelabel { header, games, damage: records.into_damage() })
    }

    /// Creates the header of the new file. `commit` is the commit that this program was built from.
    pub fn new_header(&self, settings: &RelabelSettings, commit: &str) -> Header {
        let Header { settings: old, version: old_version, commit: old_commit } = &self.header;
        // Four decimals: a run with another share must get another header, or it would be resumed.
        let (old_nodes, percent) = (old.nodes, (settings.old_share * 1e6).round() / 1e4);
        let network = Some(settings.network.checksum());
        let from = format!("version {old_version}, commit {old_commit}, {old_nodes} nodes");
        let selection = settings.selection.description();
        let commit =
            format!("{commit}, relabelled{selection} with {percent} % of the scores of {from}");
        Header::new(GameSettings { nodes: settings.nodes, network, ..*old }, &commit)
    }
}

impl RelabelProgress {
    /// Positions searched per second in this run.
    pub fn positions_per_second(&self) -> f64 {
        self.searched as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }
}

/// Relabels the games of a file with `threads` threads, at least one, and appends them to a new file
/// that [`Writer::resume`] opened. Skips the games that the new file already holds. Reports progress
/// after each game. Stops early if `control` is stopped.
///
/// # Errors
///
/// Fails if a file cannot be read or written, a game has an illegal move, there is not enough memory,
/// or a thread cannot be started.
pub fn relabel(
    settings: &RelabelSettings,
    (games, on_damage): (&Path, OnDamage),
    threads: usize,
    (mut writer, found): (Writer, Resumed),
    control: &Control,
    report: &mut dyn FnMut(&RelabelProgress),
) -> Result<RelabelProgress, RelabelError> {
    let started = Instant::now();
    let mut done = found.numbers;
    done.sort_unstable();
    let mut progress = RelabelProgress { games: done.len() as u64, ..RelabelProgress::default() };
    let missing = ValidRecords::open(games, on_damage)?.filter_map(|record| match record {
        Ok(Record::Game(game)) => done.binary_search(&game.number).is_err().then_some(Ok(game)),
        Ok(Record::Header(_)) => None,
        Err(error) => Some(Err(error)),
    });
    let searchers = (0..threads.max(1)).map(|_| Relabeller::new(settings));
    let searchers: Vec<Relabeller> = searchers.collect::<Result<_, _>>()?;
    let work = |searcher: &mut Relabeller<'_>, game: Result<Game, ReadError>| match game {
        Ok(game) => searcher.relabel(game, control).map_err(RelabelError::from).transpose(),
        Err(error) => Some(Err(error.into())),
    };
    workers::run(searchers, missing, control, work, |relabelled| -> Result<_, RelabelError> {
        let Relabelled { game, searched, unlabelled } = relabelled?;
        writer.append(&Record::Game(game))?;
        progress.games += 1;
        progress.new_games += 1;
        progress.searched += searched;
        progress.unlabelled += unlabelled;
        progress.elapsed = started.elapsed();
        report(&progress);
        Ok(ControlFlow::Continue(()))
    })?;
    writer.finish()?;
    Ok(progress)
}

/// A game with new labels, the number of positions searched, and the number that lost their label.
struct Relabelled {
    game: Game,
    searched: u64,
    unlabelled: u64,
}

/// Relabels one game after another. Its thread needs [`Engine::STACK_SIZE`] bytes of stack.
struct Relabeller<'a> {
    settings: &'a RelabelSettings,
    engine: Engine,
}

impl<'a> Relabeller<'a> {
    fn new(settings: &'a RelabelSettings) -> Result<Relabeller<'a>, MemoryError> {
        let mut engine = Engine::new(1, TABLE_MEGABYTES)?;
        engine.set_network(Arc::clone(&settings.network));
        Ok(Relabeller { settings, engine })
    }

    /// Relabels a game. The labels depend only on the game and [`RelabelSettings`]. Returns `None` if
    /// `control` is stopped before the end of the game.
    fn relabel(&mut self, game: Game, control: &Control) -> Result<Option<Relabelled>, BrokenGame> {
        self.engine.new_game();
        let mut position = Position::new(game.start.clone());
        let mut relabelled = Relabelled { game: game.clone(), searched: 0, unlabelled: 0 };
        for (ply, labelled) in game.replay().enumerate() {
            let labelled = labelled?;
            let score = self.count_score((&labelled, ply), &position, &mut relabelled, control);
            relabelled.game.moves[ply].score = score;
            position.push(labelled.best);
        }
        for (index, labelled) in game.replay_deviations().enumerate() {
            let labelled = labelled?;
            let position = Position::new(labelled.board.chess().clone());
            let score = self.count_score((&labelled, index), &position, &mut relabelled, control);
            relabelled.game.deviations[index].found.score = score;
        }
        // The new scores say nothing about the adjudication of the old run.
        relabelled.game.is_played_out = false;
        Ok(Some(relabelled).filter(|_| !control.is_stopped()))
    }

    /// Returns White's new score of a position, or its old score if the filter excludes it. Adds to the
    /// counts. `index` is that of [`Selection::selects`].
    fn count_score(
        &mut self,
        (labelled, index): (&LabelledPosition, usize),
        position: &Position,
        counts: &mut Relabelled,
        control: &Control,
    ) -> Score {
        if control.is_stopped() || !Filter::default().keeps(labelled) {
            return labelled.white_score;
        }
        let pieces = position.board().chess().board().occupied().count();
        if !self.settings.selection.selects(counts.game.number, index, pieces) {
            return ScoredMove::NO_LABEL;
        }
        let score = self.score(position, labelled.white_score, control);
        counts.searched += 1;
        counts.unlabelled += u64::from(score == ScoredMove::NO_LABEL);
        score
    }

    /// Searches a position and returns White's new score.
    fn score(&mut self, position: &Position, old: Score, control: &Control) -> Score {
        let limits = Limits::soft_nodes(nodes_for(position.board(), self.settings.nodes));
        let outcome = self.engine.go_on_this_thread(position, &limits, control, None);
        if outcome.best.is_none_or(is_tactical) {
            return ScoredMove::NO_LABEL;
        }
        let new = position.turn().fold_wb(outcome.score, -outcome.score);
        if new.is_decisive() {
            return new;
        }
        let [old, new] = [old, new].map(|score| f64::from(score.centipawns()));
        let share = self.settings.old_share;
        Score::new((old * share + new * (1.0 - share)).round() as i32)
    }
}
