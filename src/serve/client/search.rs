//! The engine of a client: one search at a time, each with threads from the common budget.
//!
//! A new request replaces the one before. The search under way is stopped; once it has ended, the newest
//! request waits for threads and begins.

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::super::analysis::Analysis;
use super::super::budget::ThreadPermit;
use super::super::game::{Game, GameRefusal};
use super::Client;
use super::state::{AnalysisRequest, Job, RunningSearch, State};
use outrider_engine::search::{Limits, Outcome};
use outrider_protocol::session::{
    Change, EngineChange, Message, PositionRequest, SearchRequest, Session, Settings, TaskEvent,
    TaskResult,
};

/// An analysis that others wait for has had its turn after this time.
const MIN_TURN: Duration = Duration::from_secs(3);
/// The time for a move of a game without a clock, and for a hint.
const MOVE_TIME: Duration = Duration::from_millis(1500);
const HINT_TIME: Duration = Duration::from_millis(700);
/// The most lines of an analysis.
const MAX_LINES: usize = 5;
/// How often the engine is started again for one request.
pub(super) const MAX_RESTARTS: u32 = 2;

/// Why a position is not analysed.
#[derive(Debug, Error)]
pub(crate) enum AnalysisRefusal {
    #[error("the engine is thinking about its move in your game; analyse after it has moved")]
    EngineToMove,
    #[error(transparent)]
    Position(#[from] Message),
}

impl Client {
    /// Begins to search for something as soon as it is possible; what was searched for before ends.
    pub(super) fn request_search(&self, state: &mut State, job: Job) {
        self.cancel(state);
        state.restarts = 0;
        state.pending = Some(job);
        if state.running.is_none() {
            self.wait_for_threads(state);
        }
    }

    /// Ends what is searched for.
    pub(super) fn cancel(&self, state: &mut State) {
        state.ticket += 1;
        state.pending = None;
        if let Some(running) = &mut state.running {
            running.is_cancelled = true;
            running.resumes = false;
            if let Some(session) = &state.session {
                session.stop();
            }
        }
    }

    /// Waits for threads, then begins what is pending.
    fn wait_for_threads(&self, state: &State) {
        let count = match state.pending {
            Some(Job::Reply) if state.game.as_ref().is_some_and(|game| game.elo.is_some()) => 1,
            _ => state.threads,
        };
        let (weak, ticket) = (self.weak.clone(), state.ticket);
        let budget = Arc::clone(&self.budget);
        tokio::spawn(async move {
            let Some(threads) = budget.acquire_threads(count).await else {
                return;
            };
            if let Some(client) = weak.upgrade() {
                let mut state = client.locked();
                if state.ticket == ticket {
                    client.begin_search(&mut state, count, threads);
                }
            }
        });
    }

    fn begin_search(&self, state: &mut State, count: usize, threads: ThreadPermit) {
        let Some(job) = state.pending.take() else {
            return;
        };
        if let Err(error) = self.start_engine(state, &job, count) {
            state.notice = Some(error.to_string());
            state.analysis.stop();
            self.publish_analysis(state);
            self.publish_game(state);
            return;
        }
        if matches!(job, Job::Analysis(_)) {
            state.analysis.begin();
            self.publish_analysis(state);
        }
        let begun = Instant::now();
        state.running = Some(RunningSearch {
            job,
            begun,
            is_cancelled: false,
            resumes: false,
            _threads: threads,
        });
        self.publish_game(state);
    }

    fn start_engine(&self, state: &mut State, job: &Job, count: usize) -> anyhow::Result<()> {
        let (request, search, settings) = search_plan(state, job)?;
        let megabytes = state.megabytes;
        let session = match &mut state.session {
            Some(session) => session,
            none => {
                let engine = self.budget.engine(megabytes)?;
                let events = self.events.clone();
                let on_event = move |event| drop(events.send(event));
                (state.engine_threads, state.engine_megabytes) = (1, megabytes);
                none.insert(Session::with_engine(engine, on_event)?)
            }
        };
        if *session.settings() != settings {
            session.change(Change::Settings(settings));
        }
        let mut changes = Vec::new();
        if state.engine_threads != count {
            changes.push(EngineChange::Threads(count));
        }
        if state.engine_megabytes != megabytes {
            changes.push(EngineChange::TableMegabytes(megabytes));
        }
        for change in changes {
            if let Some(refusal) = session.change(change.into()).pop() {
                state.notice = Some(refusal.to_string());
            }
        }
        (state.engine_threads, state.engine_megabytes) = (count, megabytes);
        session.set_position(request)?;
        session.search(&search)?;
        Ok(())
    }

    /// What the engine reports, or that it has finished.
    pub(super) fn on_event(&self, event: TaskEvent) {
        let mut state = self.locked();
        let state = &mut *state;
        match event {
            TaskEvent::Search { root, report } => {
                let is_current =
                    |it: &RunningSearch| matches!(it.job, Job::Analysis(_)) && !it.is_cancelled;
                if state.running.as_ref().is_some_and(is_current) {
                    state.analysis.add(&root, report);
                    self.publish_analysis(state);
                }
            }
            TaskEvent::Finished(finished) => {
                let outcome = match &finished.result {
                    TaskResult::Search { outcome, .. } => Some(outcome.clone()),
                    _ => None,
                };
                if let Some(session) = &mut state.session {
                    session.task_finished(finished);
                }
                self.finished(state, outcome);
            }
            TaskEvent::Panicked(message) => self.panicked(state, &message),
            TaskEvent::Perft(_) | TaskEvent::Bench(_) => {}
        }
    }

    fn finished(&self, state: &mut State, outcome: Option<Outcome>) {
        if let Some(running) = state.running.take() {
            match running.job {
                job if running.resumes => state.pending = Some(job),
                _ if running.is_cancelled => {}
                Job::Analysis(_) => {
                    state.analysis.stop();
                    self.publish_analysis(state);
                }
                job => self.apply_result(state, &job, outcome),
            }
        }
        if state.pending.is_some() {
            self.wait_for_threads(state);
        }
        self.publish_game(state);
    }

    /// The engine is lost. Another one goes on with what is still pending, unless that failed before.
    fn panicked(&self, state: &mut State, message: &str) {
        state.session = None;
        let running = state.running.take().filter(|it| !it.is_cancelled).map(|it| it.job);
        state.pending = state.pending.take().or(running);
        state.notice = if state.restarts < MAX_RESTARTS {
            state.restarts += 1;
            Some(format!("The engine failed and was restarted: {message}."))
        } else {
            state.pending = None;
            Some(format!(
                "The engine failed {} times: {message}. The game is saved: take back a move or start a new game.",
                MAX_RESTARTS + 1
            ))
        };
        if state.pending.is_some() {
            self.wait_for_threads(state);
        } else {
            state.analysis.stop();
        }
        self.publish_analysis(state);
        self.publish_game(state);
    }

    /// Stops an analysis that has had its turn while others wait; it goes on after them.
    pub(super) fn yield_threads(&self, state: &mut State) {
        let Some(running) = &mut state.running else {
            return;
        };
        let has_no_end = matches!(running.job, Job::Analysis(_)) && !running.is_cancelled;
        if has_no_end && running.begun.elapsed() > MIN_TURN && self.budget.has_waiters() {
            running.resumes = true;
            if let Some(session) = &state.session {
                session.stop();
            }
        }
    }

    /// Begins to analyse; an analysis of the same position goes on.
    pub(crate) fn analyse(&self, request: AnalysisRequest) -> Result<(), AnalysisRefusal> {
        let mut state = self.state();
        if state.game.as_ref().is_some_and(Game::is_engines_turn) {
            return Err(AnalysisRefusal::EngineToMove);
        }
        let position = request.position.play()?;
        let request = AnalysisRequest {
            lines: request.lines.clamp(1, MAX_LINES),
            threads: request.threads.clamp(1, self.budget.threads()),
            megabytes: request.megabytes.clamp(1, self.budget.megabytes_per_engine()),
            ..request
        };
        state.threads = request.threads;
        state.megabytes = request.megabytes;
        state.analysis = Analysis::waiting(position.chess(), request.lines);
        if position.board().legal_moves().is_empty() {
            self.cancel(&mut state);
            state.analysis.stop();
        } else {
            self.request_search(&mut state, Job::Analysis(request));
        }
        self.publish_analysis(&state);
        Ok(())
    }

    /// Ends an analysis, if one is under way or waits.
    pub(crate) fn stop_analysis(&self, state: &mut State) {
        let is_analysis = |job: &Job| matches!(job, Job::Analysis(_));
        let running = state.running.as_ref().filter(|it| !it.is_cancelled).map(|it| &it.job);
        if running.into_iter().chain(&state.pending).any(is_analysis) {
            self.cancel(state);
            state.analysis.stop();
            self.publish_analysis(state);
        }
    }

    pub(super) fn publish_analysis(&self, state: &State) {
        self.analysis.send_replace(Arc::new(state.analysis.clone()));
    }
}

/// What the engine is given for a job: the game, the search, the settings.
fn search_plan(
    state: &State,
    job: &Job,
) -> anyhow::Result<(PositionRequest, SearchRequest, Settings)> {
    let limited = |limits| SearchRequest { limits, ..SearchRequest::default() };
    if let Job::Analysis(analysis) = job {
        let limits = Limits { infinite: true, ..Limits::default() };
        let settings = Settings {
            multi_pv: analysis.lines,
            analyse_mode: true,
            chess960: analysis.position.chess960,
            ..Settings::default()
        };
        return Ok((analysis.position.to_request(), limited(limits), settings));
    }
    let game = state.game.as_ref().ok_or(GameRefusal::NoGame)?;
    let chess960 = game.mode().is_chess960();
    let settings = match (job, game.elo) {
        (Job::Reply, Some(elo)) => {
            Settings { limit_strength: true, elo, chess960, ..Settings::default() }
        }
        _ => Settings { chess960, ..Settings::default() },
    };
    let search = match job {
        Job::Hint => limited(Limits::move_time(HINT_TIME)),
        _ if game.clock.is_some() => {
            SearchRequest { clocks: game.clocks(Instant::now()), ..SearchRequest::default() }
        }
        _ => limited(Limits::move_time(MOVE_TIME)),
    };
    let search = SearchRequest { game_seed: Some(game.seed.into()), ..search };
    Ok((game.request(), search, settings))
}
