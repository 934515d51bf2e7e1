//! The game of a client.

use std::sync::Arc;
use std::time::Instant;

use shakmaty::Color;

use super::super::game::{Game, GameRefusal, KeptGame, NewGame};
use super::super::view::{
    ClockView, GameView, HintView, PositionView, StartView, color_name, plies,
};
use super::Client;
use super::state::{Job, State};
use outrider_engine::search::Outcome;
use outrider_protocol::session::EngineChange;

impl Client {
    /// Starts a new game.
    ///
    /// # Errors
    ///
    /// Fails if the start position or the clock is invalid.
    pub(crate) fn new_game(&self, request: &NewGame) -> Result<(), GameRefusal> {
        let game = Game::new(request)?;
        self.set_game(game);
        Ok(())
    }

    /// Restores a game that the page has stored.
    ///
    /// # Errors
    ///
    /// Fails if the stored game is invalid.
    pub(crate) fn restore_game(&self, kept: &KeptGame) -> Result<(), GameRefusal> {
        let game = Game::restore(kept, Instant::now())?;
        self.set_game(game);
        Ok(())
    }

    /// Leaves the game. The page has stored it or deletes it.
    pub(crate) fn close_game(&self) {
        let mut state = self.state();
        self.cancel_game_search(&mut state);
        state.game = None;
        state.hint = None;
        state.notice = None;
        self.game.send_replace(None);
    }

    fn set_game(&self, game: Game) {
        let mut state = self.state();
        self.cancel(&mut state);
        if let Some(session) = &mut state.session {
            // The running search was stopped; the session clears the engine after its end.
            session.change(EngineChange::Forget.into());
        }
        state.game = Some(game);
        state.notice = None;
        self.game_changed(&mut state);
    }

    /// Runs an action on the game. Then the engine moves if it is its turn.
    ///
    /// # Errors
    ///
    /// Fails if there is no game or the action fails.
    pub(crate) fn with_game<T>(
        &self,
        action: impl FnOnce(&mut Game, Instant) -> Result<T, GameRefusal>,
    ) -> Result<T, GameRefusal> {
        let mut state = self.state();
        let game = state.game.as_mut().ok_or(GameRefusal::NoGame)?;
        let done = action(game, Instant::now());
        let is_over = game.is_over();
        if done.is_ok() {
            state.notice = None;
        }
        // A refused action changes nothing, except that the game may have ended on time.
        if done.is_ok() || is_over {
            self.game_changed(&mut state);
        }
        done
    }

    /// Offers a draw to the engine. If it declines, the page gets a notice.
    ///
    /// # Errors
    ///
    /// Fails if there is no game or it is over.
    pub(crate) fn offer_draw(&self) -> Result<(), GameRefusal> {
        if !self.with_game(Game::offer_draw)? {
            let mut state = self.state();
            state.notice = Some("Draw declined.".to_owned());
            self.publish_game(&mut state);
        }
        Ok(())
    }

    /// Starts a search for a hint.
    ///
    /// # Errors
    ///
    /// Fails if there is no game, it is over, or it is the engine's turn.
    pub(crate) fn hint(&self) -> Result<(), GameRefusal> {
        let mut state = self.state();
        let game = state.game.as_ref().ok_or(GameRefusal::NoGame)?;
        game.check_running()?;
        if game.is_engines_turn() {
            return Err(GameRefusal::NotYourTurn);
        }
        self.request_search(&mut state, Job::Hint);
        self.publish_game(&mut state);
        Ok(())
    }

    /// Handles a change of the game: drops the hint and the searches for the previous position, and lets the
    /// engine reply.
    fn game_changed(&self, state: &mut State) {
        state.hint = None;
        let is_engines_turn = state.game.as_ref().is_some_and(Game::is_engines_turn);
        let is_replying = state.has_job(|job| *job == Job::Reply);
        if is_engines_turn && !is_replying {
            state.analysis.stop();
            self.publish_analysis(state);
            self.request_search(state, Job::Reply);
        } else if !is_engines_turn {
            self.cancel_game_search(state);
        }
        self.publish_game(state);
    }

    fn cancel_game_search(&self, state: &mut State) {
        if state.has_job(|job| !matches!(job, Job::Analysis(_))) {
            self.cancel(state);
        }
    }

    /// Applies the result of a search: the engine's move or a hint.
    pub(super) fn apply_result(&self, state: &mut State, job: &Job, outcome: Option<Outcome>) {
        let (Some(game), Some(outcome)) = (&mut state.game, outcome) else {
            return;
        };
        match (job, outcome.best) {
            (Job::Hint, best) => state.hint = best,
            (_, Some(best)) => game.reply(best, outcome.score, Instant::now()),
            _ => {}
        }
    }

    /// Ends the game if a side has run out of time.
    pub(super) fn check_clock(&self, state: &mut State) {
        if state.game.as_mut().is_some_and(|game| game.check_time(Instant::now())) {
            self.game_changed(state);
        }
    }

    /// Returns the game as PGN.
    ///
    /// # Errors
    ///
    /// Fails if there is no game.
    pub(crate) fn pgn(&self) -> Result<String, GameRefusal> {
        self.state().game.as_ref().map(Game::to_pgn).ok_or(GameRefusal::NoGame)
    }

    /// Sends the state of the game to the page.
    pub(super) fn publish_game(&self, state: &mut State) {
        let Some(game) = &state.game else {
            return;
        };
        state.version += 1;
        let now = Instant::now();
        let record = &game.record;
        // After too many failures of the engine nothing is searched, even on its turn.
        let thinking =
            game.is_engines_turn() && (state.running.is_some() || state.pending.is_some());
        let view = GameView {
            version: state.version,
            start: StartView::new(&record.start),
            plies: plies(record),
            position: PositionView::new(game.position().chess()),
            person: color_name(game.person),
            names: Color::ALL.map(|color| record.player(color).to_owned()),
            elo: game.elo,
            clock: game.clock.as_ref().map(|clock| ClockView::new(clock, now)),
            thinking,
            waiting: thinking && state.running.is_none(),
            hint: state.hint.map(|mv| HintView::new(game, mv)),
            notice: state.notice.clone(),
            ending: game.ending.map(Into::into),
            kept: game.keep(now),
        };
        self.game.send_replace(Some(Arc::new(view)));
    }
}
