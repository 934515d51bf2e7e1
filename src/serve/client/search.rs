//! The searches of a client: one at a time, each with threads from the shared budget.
//!
//! A new job replaces the pending one and stops the running one. When the running search has ended, the
//! pending job waits for threads and starts.

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
    Change, EngineChange, PositionError, PositionRequest, SearchRequest, Session, Settings,
    TaskEvent, TaskResult,
};

/// An analysis runs at least this long before it yields its threads to waiting clients.
const MIN_TURN: Duration = Duration::from_secs(3);
/// Time for a move in a game without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);
/// Time for a hint.
const HINT_TIME: Duration = Duration::from_millis(700);
/// Maximum number of lines of an analysis.
const MAX_LINES: usize = 5;
/// Maximum number of restarts of the engine for one job.
pub(super) const MAX_RESTARTS: u32 = 2;

/// Reason why an analysis is refused.
#[derive(Debug, Error)]
pub(crate) enum AnalysisRefusal {
    #[error("the engine is thinking about its move in your game; analyse after it has moved")]
    EngineToMove,
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl Client {
    /// Starts a job as soon as threads are free. Cancels the running and the pending job.
    pub(super) fn request_search(&self, state: &mut State, job: Job) {
        self.cancel(state);
        state.restarts = 0;
        state.pending = Some(job);
        if state.running.is_none() {
            self.wait_for_threads(state);
        }
    }

    /// Cancels the running and the pending job.
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

    /// Spawns a task that waits for threads and then starts the pending job.
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

    /// Starts the pending job with the acquired threads.
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
        let game = state.game.as_ref().filter(|_| job == Job::Reply);
        let pause = game.map_or(Duration::ZERO, |game| game.pause(begun));
        state.running = Some(RunningSearch {
            job,
            begun,
            pause,
            is_cancelled: false,
            resumes: false,
            _threads: threads,
        });
        self.publish_game(state);
    }

    /// Configures the engine for a job, after creating it if needed, and starts its search.
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

    /// Handles an event of the engine's thread.
    pub(super) fn on_event(&self, event: TaskEvent) {
        let mut state = self.locked();
        let state = &mut *state;
        match event {
            TaskEvent::Search { root, report } => {
                let is_current = |search: &RunningSearch| {
                    matches!(search.job, Job::Analysis(_)) && !search.is_cancelled
                };
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
                let running = state.running.as_ref().filter(|running| !running.is_cancelled);
                let rest =
                    running.map(|running| running.pause.saturating_sub(running.begun.elapsed()));
                match rest.filter(|rest| !rest.is_zero()) {
                    Some(rest) => self.finish_after(rest, outcome),
                    None => self.finished(state, outcome),
                }
            }
            TaskEvent::Panicked(message) => self.panicked(state, &message),
            TaskEvent::NoPosition(_) | TaskEvent::Perft(_) | TaskEvent::Bench(_) => {}
        }
    }

    /// Handles the end of the running search after a pause. No other search starts before.
    fn finish_after(&self, pause: Duration, outcome: Option<Outcome>) {
        let weak = self.weak.clone();
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            if let Some(client) = weak.upgrade() {
                client.finished(&mut client.locked(), outcome);
            }
        });
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

    /// Handles a panic of the engine's thread, which loses the engine. A new engine takes over the pending or
    /// running job, at most [`MAX_RESTARTS`] times.
    fn panicked(&self, state: &mut State, message: &str) {
        state.session = None;
        let running = state.running.take().filter(|search| !search.is_cancelled);
        let running = running.map(|search| search.job);
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

    /// Interrupts an analysis after [`MIN_TURN`] if other clients wait. It resumes after them.
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

    /// Starts an analysis instead of the current search.
    ///
    /// # Errors
    ///
    /// Fails if the position is invalid or the engine is to move in the game. Then no analysis runs, since
    /// an earlier one would report lines of another position.
    pub(crate) fn analyse(&self, request: AnalysisRequest) -> Result<(), AnalysisRefusal> {
        let mut state = self.state();
        if state.game.as_ref().is_some_and(Game::is_engines_turn) {
            return Err(AnalysisRefusal::EngineToMove);
        }
        let position = request.position.play().inspect_err(|_| self.stop_analysis(&mut state))?;
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

    /// Stops the running or pending analysis, if there is one.
    pub(crate) fn stop_analysis(&self, state: &mut State) {
        if state.has_job(|job| matches!(job, Job::Analysis(_))) {
            self.cancel(state);
            state.analysis.stop();
            self.publish_analysis(state);
        }
    }

    pub(super) fn publish_analysis(&self, state: &State) {
        // The engine reports the error after its search, which may have no end.
        let tablebase_error = self.budget.tablebase_error();
        let analysis = state.analysis.clone().with_tablebase_error(tablebase_error);
        self.analysis.send_replace(Arc::new(analysis));
    }
}

/// Returns the position, the search request and the settings for a job.
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
