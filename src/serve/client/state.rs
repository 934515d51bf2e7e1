//! What a client is at.

use std::time::Instant;

use serde::Deserialize;
use shakmaty::Move;

use super::super::analysis::Analysis;
use super::super::budget::{Budget, ThreadPermit};
use super::super::game::Game;
use super::super::position_spec::PositionSpec;
use outrider_protocol::session::Session;

/// What is to be analysed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisRequest {
    /// The position with the moves that led to it, so that repetitions are seen.
    pub position: PositionSpec,
    pub lines: usize,
    pub threads: usize,
    pub megabytes: usize,
}

/// What a client is at. All of it changes together, under one lock.
pub(crate) struct State {
    pub(super) game: Option<Game>,
    /// What was answered to the person's last request.
    pub(super) notice: Option<String>,
    pub(super) hint: Option<Move>,
    /// Rises with each change of the game that the page must learn of.
    pub(super) version: u64,
    pub(super) analysis: Analysis,
    /// The engine; made when it is needed first.
    pub(super) session: Option<Session>,
    pub(super) running: Option<RunningSearch>,
    pub(super) pending: Option<Job>,
    /// How often the engine was started again for what is pending.
    pub(super) restarts: u32,
    /// Rises with each request, so that threads that come too late for one are given back.
    pub(super) ticket: u64,
    pub(super) threads: usize,
    pub(super) megabytes: usize,
    /// What the engine was given last.
    pub(super) engine_threads: usize,
    pub(super) engine_megabytes: usize,
    pub(super) last_use: Instant,
    /// When work was seen under way last.
    pub(super) last_work: Instant,
}

/// What the engine is asked to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Job {
    /// Its move in the game.
    Reply,
    /// A move that the person could play.
    Hint,
    Analysis(AnalysisRequest),
}

/// A search under way.
pub(super) struct RunningSearch {
    pub(super) job: Job,
    pub(super) begun: Instant,
    /// Whether nobody wants its result any more.
    pub(super) is_cancelled: bool,
    /// Whether it was stopped only to make room, and goes on later.
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
}
