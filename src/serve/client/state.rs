//! State of a client.

use std::time::{Duration, Instant};

use serde::Deserialize;
use shakmaty::Move;

use super::super::analysis::Analysis;
use super::super::budget::{Budget, ThreadPermit};
use super::super::game::Game;
use super::super::position_spec::PositionSpec;
use outrider_protocol::session::Session;

/// Request for an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisRequest {
    /// The position with the moves before it, for repetitions.
    pub position: PositionSpec,
    pub lines: usize,
    pub threads: usize,
    pub megabytes: usize,
}

/// State of a client, guarded by one lock.
pub(crate) struct State {
    pub(super) game: Option<Game>,
    /// Message for the player.
    pub(super) notice: Option<String>,
    pub(super) hint: Option<Move>,
    /// Increases with each published game view.
    pub(super) version: u64,
    pub(super) analysis: Analysis,
    /// The engine's session, created for the first job.
    pub(super) session: Option<Session>,
    pub(super) running: Option<RunningSearch>,
    /// Job that waits for threads or for the end of the running search.
    pub(super) pending: Option<Job>,
    /// Number of restarts of the engine for the current job.
    pub(super) restarts: u32,
    /// Increases with each request and cancellation. Threads acquired for an older ticket are given back.
    pub(super) ticket: u64,
    /// Requested number of threads, for every job but a move at limited strength.
    pub(super) threads: usize,
    /// Requested size of the transposition table.
    pub(super) megabytes: usize,
    /// Number of threads last set in the engine.
    pub(super) engine_threads: usize,
    /// Table size last set in the engine.
    pub(super) engine_megabytes: usize,
    pub(super) last_use: Instant,
    /// Last time that work was running.
    pub(super) last_work: Instant,
}

/// A job for the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Job {
    /// The engine's move in the game.
    Reply,
    /// A move suggestion for the player.
    Hint,
    Analysis(AnalysisRequest),
}

/// The running search.
pub(super) struct RunningSearch {
    pub(super) job: Job,
    pub(super) begun: Instant,
    /// Its result is held back until this time has passed.
    pub(super) pause: Duration,
    /// Its result is no longer needed.
    pub(super) is_cancelled: bool,
    /// It was interrupted for other clients and resumes later.
    pub(super) resumes: bool,
    pub(super) _threads: ThreadPermit,
}

impl State {
    pub(super) fn new(budget: &Budget) -> State {
        State {
            game: None,
            notice: None,
            hint: None,
            version: 0,
            analysis: Analysis::default(),
            session: None,
            running: None,
            pending: None,
            restarts: 0,
            ticket: 0,
            threads: budget.threads(),
            megabytes: budget.megabytes_per_engine(),
            engine_threads: 0,
            engine_megabytes: 0,
            last_use: Instant::now(),
            last_work: Instant::now(),
        }
    }

    /// Returns true if the running job, unless cancelled, or the pending job satisfies the predicate.
    pub(super) fn has_job(&self, predicate: impl Fn(&Job) -> bool) -> bool {
        let running = self.running.as_ref().filter(|search| !search.is_cancelled);
        running.map(|search| &search.job).into_iter().chain(&self.pending).any(predicate)
    }
}
