//! A game against the engine: moves, clock and end. The server checks moves and ends by the rules; the page
//! is not trusted with either.

mod clock;
mod date;
mod ending;
mod kept;
mod saved;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use rand::RngExt as _;
use serde::Deserialize;
use shakmaty::{ByColor, Color, Move, Position as _};
use thiserror::Error;

use outrider_engine::position::chess960;
use outrider_engine::position::notation::{FenError, format_fen, format_move, parse_fen_any};
use outrider_engine::position::san::{SanError, parse_san};
use outrider_engine::position::{Position, notation};
use outrider_engine::search::StrengthLimit;
use outrider_engine::units::Score;
use outrider_protocol::session::{Clocks, PositionRequest, Start};
use outrider_tools::ENGINE;
use outrider_tools::games::opening;
use outrider_tools::pgn::{self, PlayedMove, Remark};

use clock::ClockControl;

pub(crate) use clock::GameClock;
pub(crate) use date::PgnDate;
pub(crate) use ending::{EndReason, Ending};
pub(crate) use kept::KeptGame;
pub(crate) use saved::SavedGames;

/// Name of the human player in the PGN.
pub(crate) const PLAYER: &str = "Player";

/// Maximum length of a game in plies. It limits the memory that a page can use and exceeds any real game.
const MAX_PLIES: usize = 1200;

/// The engine accepts a draw up to this score, in centipawns from its own side.
const DRAW_SCORE: i32 = 0;
/// Time in milliseconds that the engine takes at least for a move at limited strength, so that the player can
/// follow it.
const PAUSE: std::ops::Range<u64> = 400..900;
/// Number of pauses for which the remaining time must last.
const PAUSES_LEFT: u32 = 40;
/// The engine accepts no draw before this ply.
const MIN_DRAW_PLIES: usize = 20;

/// Request for a new game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The human player's side.
    pub side: Side,
    /// The engine's strength; `None` for full strength.
    pub elo: Option<i32>,
    pub clock: Option<TimeControl>,
    pub start: StartPosition,
    /// Local date of the browser.
    pub date: PgnDate,
}

/// Choice of side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    White,
    Black,
    Random,
}

/// Time for a game and increment.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeControl {
    pub minutes: f64,
    /// Seconds added after each move.
    pub increment: f64,
}

/// Start position of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StartPosition {
    Standard,
    /// The Chess960 start position with this number, or a random one.
    Chess960(Option<u32>),
    Fen(String),
}

/// Reason why a request about the game is refused.
#[derive(Debug, Error)]
pub(crate) enum GameRefusal {
    #[error("there is no game; start one first")]
    NoGame,
    #[error("the game is over")]
    Over,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("there is no move to take back")]
    NothingToTakeBack,
    #[error("a game has at most {MAX_PLIES} plies")]
    TooLong,
    #[error("the clock takes 0.05 to 600 minutes and 0 to 600 seconds per move")]
    Clock,
    #[error(transparent)]
    Move(#[from] SanError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} of the saved game: {reason}")]
    Kept { number: usize, reason: notation::MoveError },
    #[error("the saved game cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}

/// A game of a human player against the engine.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// Tags, start position and moves.
    pub(super) record: pgn::AnnotatedGame,
    position: Position,
    /// The human player's side.
    pub(super) person: Color,
    pub(super) elo: Option<i32>,
    /// Seed of the engine's choice of openings and of its errors at limited strength.
    pub(super) seed: u32,
    pub(super) clock: Option<GameClock>,
    /// Remaining time of the mover after each move, if it is known.
    times: Vec<Option<Duration>>,
    pub(super) ending: Option<Ending>,
    /// Score of the engine's last move from its own side.
    engine_score: Option<Score>,
}

impl Game {
    /// Creates a game.
    ///
    /// # Errors
    ///
    /// Fails if the FEN is invalid or the clock is out of range.
    pub(crate) fn new(request: &NewGame) -> Result<Game, GameRefusal> {
        let mut random = rand::rng();
        let start = match &request.start {
            StartPosition::Standard => shakmaty::Chess::default(),
            StartPosition::Chess960(number) => {
                chess960::start(number.unwrap_or_else(|| random.random_range(0..chess960::STARTS)))
            }
            StartPosition::Fen(fen) => parse_fen_any(fen)?,
        };
        let person = match request.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Random => Color::from_white(random.random()),
        };
        let clock = request.clock.map(GameClock::try_from).transpose()?;
        Ok(Game::begin(start, person, request.elo, clock, &request.date))
    }

    fn begin(
        start: shakmaty::Chess,
        person: Color,
        elo: Option<i32>,
        clock: Option<GameClock>,
        date: &PgnDate,
    ) -> Game {
        let elo = elo.map(|elo| elo.clamp(*StrengthLimit::ELO.start(), *StrengthLimit::ELO.end()));
        let engine = elo.map_or_else(|| ENGINE.to_owned(), |elo| format!("{ENGINE}, Elo {elo}"));
        let name = |color| if color == person { PLAYER.to_owned() } else { engine.clone() };
        let mut tags: Vec<(String, String)> = [
            ("Event", "Game against the engine".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", date.as_str().to_owned()),
            ("Round", "-".to_owned()),
            ("White", name(Color::White)),
            ("Black", name(Color::Black)),
            ("Result", "*".to_owned()),
        ]
        .map(|(tag, value)| (tag.to_owned(), value))
        .into();
        if start.castles().mode().is_chess960() {
            tags.push(("Variant".to_owned(), "Chess960".to_owned()));
        }
        if start != shakmaty::Chess::default() {
            tags.push(("SetUp".to_owned(), "1".to_owned()));
            tags.push(("FEN".to_owned(), format_fen(&start)));
        }
        let position = Position::new(start.clone());
        let record = pgn::AnnotatedGame {
            tags,
            start,
            preface: Vec::new(),
            moves: Vec::new(),
            rest: Vec::new(),
            result: "*".to_owned(),
            wrong_number: None,
        };
        let mut game = Game {
            record,
            position,
            person,
            elo,
            seed: rand::random(),
            clock,
            times: Vec::new(),
            ending: None,
            engine_score: None,
        };
        game.end(Ending::by_rule(&game.position));
        game
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// The engine is to move.
    pub(crate) fn is_engines_turn(&self) -> bool {
        !self.is_over() && self.position.turn() != self.person
    }

    /// Returns the position with its moves in the form for a search.
    pub(crate) fn request(&self) -> PositionRequest {
        let mode = self.mode();
        let moves = self.record.moves.iter().map(|played| format_move(played.mv, mode)).collect();
        PositionRequest { start: Start::Fen(format_fen(&self.record.start)), moves }
    }

    pub(crate) fn mode(&self) -> shakmaty::CastlingMode {
        self.record.start.castles().mode()
    }

    pub(crate) fn clocks(&self, now: Instant) -> Clocks {
        self.clock.as_ref().map_or_else(Clocks::default, |clock| clock.search_clocks(now))
    }

    /// Returns the time that the engine takes at least for its move, within its clock. At full strength it
    /// needs all of its time to think.
    pub(crate) fn pause(&self, now: Instant) -> Duration {
        if self.elo.is_none() {
            return Duration::ZERO;
        }
        let pause = Duration::from_millis(rand::rng().random_range(PAUSE));
        let engine = self.person.other();
        let remaining = self.clock.as_ref().map(|clock| clock.remaining(engine, now));
        remaining.map_or(pause, |remaining| pause.min(remaining / PAUSES_LEFT))
    }

    /// Plays a move of the human player, in short or long algebraic notation.
    ///
    /// # Errors
    ///
    /// Fails if the game is over or too long, it is the engine's turn, or the move is illegal.
    pub(crate) fn play(&mut self, text: &str, now: Instant) -> Result<(), GameRefusal> {
        self.check_time(now);
        self.check_running()?;
        if self.is_engines_turn() {
            return Err(GameRefusal::NotYourTurn);
        }
        if self.record.moves.len() >= MAX_PLIES {
            return Err(GameRefusal::TooLong);
        }
        let mv = parse_san(self.position.chess(), text)?;
        self.push(mv, now);
        Ok(())
    }

    /// Plays a move of the engine. The score is from the engine's side.
    pub(crate) fn reply(&mut self, mv: Move, score: Score, now: Instant) {
        self.check_time(now);
        if self.is_engines_turn() {
            self.engine_score = Some(score);
            self.push(mv, now);
        }
    }

    fn push(&mut self, mv: Move, now: Instant) {
        let mover = self.position.turn();
        if let Some(clock) = &mut self.clock {
            clock.press(mover, now);
        }
        self.times.push(self.clock.as_ref().map(|clock| clock.remaining(mover, now)));
        self.position.push(mv);
        self.record.moves.push(PlayedMove { mv, remarks: Vec::new() });
        self.end(Ending::by_rule(&self.position));
        if self.is_over() {
            self.stop_clock(now);
        }
    }

    /// Takes back the human player's last move and the engine's reply, with their increments.
    ///
    /// # Errors
    ///
    /// Fails if the player has not moved, or the game ended on time: the time cannot be given back.
    pub(crate) fn take_back(&mut self, now: Instant) -> Result<(), GameRefusal> {
        if self.ending.is_some_and(|ending| ending.reason == EndReason::Time) {
            return Err(GameRefusal::Over);
        }
        let mine = |ply: &usize| self.record.mover(*ply) == self.person;
        let last = (0..self.record.moves.len()).rev().find(mine);
        let keep = last.ok_or(GameRefusal::NothingToTakeBack)?;
        if self.record.moves.len() > keep + 1 {
            // The engine's move is taken back too, so its score no longer counts.
            self.engine_score = None;
        }
        self.stop_clock(now);
        while self.record.moves.len() > keep {
            self.record.moves.pop();
            self.times.pop();
            self.position.pop();
            let mover = self.position.turn();
            if let Some(clock) = &mut self.clock {
                clock.take_back(mover);
            }
        }
        self.end(None);
        self.start_clock(now);
        Ok(())
    }

    /// Resigns for the human player.
    ///
    /// # Errors
    ///
    /// Fails if the game is over.
    pub(crate) fn resign(&mut self, now: Instant) -> Result<(), GameRefusal> {
        self.check_running()?;
        self.end(Some(Ending::by_resignation(self.person)));
        self.stop_clock(now);
        Ok(())
    }

    /// Offers a draw to the engine. Returns true if it accepts, which it does after the opening if it is not
    /// ahead.
    ///
    /// # Errors
    ///
    /// Fails if the game is over.
    pub(crate) fn offer_draw(&mut self, now: Instant) -> Result<bool, GameRefusal> {
        self.check_running()?;
        let is_not_ahead = self.engine_score.is_some_and(|score| score.centipawns() <= DRAW_SCORE);
        let takes = is_not_ahead && self.record.moves.len() >= MIN_DRAW_PLIES;
        if takes {
            self.end(Some(Ending::by_agreement()));
            self.stop_clock(now);
        }
        Ok(takes)
    }

    /// Ends the game if a side has run out of time. Returns true if it did.
    pub(crate) fn check_time(&mut self, now: Instant) -> bool {
        let out_of_time = self.clock.as_ref().and_then(|clock| clock.out_of_time(now));
        let Some(loser) = out_of_time.filter(|_| !self.is_over()) else {
            return false;
        };
        self.end(Some(Ending::by_time(&self.position, loser)));
        self.stop_clock(now);
        true
    }

    /// Checks that the game is not over.
    ///
    /// # Errors
    ///
    /// Fails if it is.
    pub(crate) fn check_running(&self) -> Result<(), GameRefusal> {
        if self.is_over() { Err(GameRefusal::Over) } else { Ok(()) }
    }

    /// Sets or removes the end of the game, with the result of the record.
    fn end(&mut self, ending: Option<Ending>) {
        self.ending = ending;
        self.record.result = ending.map_or("*", |ending| ending.result()).to_owned();
        self.record.set_tag("Result", self.record.result.clone());
    }

    /// Starts the clock of the side to move, unless the game is over or has no move yet.
    fn start_clock(&mut self, now: Instant) {
        let turn = self.position.turn();
        let runs = !self.is_over() && !self.record.moves.is_empty();
        if let Some(clock) = self.clock.as_mut().filter(|_| runs) {
            clock.start(turn, now);
        }
    }

    fn stop_clock(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Returns the game as PGN.
    pub(crate) fn to_pgn(&self) -> String {
        self.to_pgn_with("unterminated")
    }

    /// Returns a stored game as PGN. If it is not over, the player has left it.
    pub(crate) fn to_saved_pgn(&self) -> String {
        self.to_pgn_with("abandoned")
    }

    /// Returns the game as PGN. `unfinished` is the termination of a game that is not over.
    fn to_pgn_with(&self, unfinished: &str) -> String {
        let mut record = self.record.clone();
        let control = self.clock.as_ref().map(|clock| clock.control().to_tag());
        record.set_tag("TimeControl", control.unwrap_or_else(|| "-".to_owned()));
        if let Some(elo) = self.elo {
            record.set_tag(self.person.fold_wb("BlackElo", "WhiteElo"), elo.to_string());
        }
        let termination = self.ending.map_or(unfinished, |ending| ending.termination());
        record.set_tag("Termination", termination.to_owned());
        for (played, time) in record.moves.iter_mut().zip(&self.times) {
            played.remarks.extend(time.map(|left| Remark::Comment(clock_comment(left))));
        }
        if let Some((opening, _)) = opening(&record) {
            record.set_tag("ECO", opening.eco.to_owned());
            record.set_tag("Opening", opening.name.clone());
        }
        if let Some(ending) = self.ending {
            let reason = Remark::Comment(ending.text());
            match record.moves.last_mut() {
                Some(last) => last.remarks.push(reason),
                None => record.preface.push(reason),
            }
        }
        pgn::write(&record)
    }
}

impl TryFrom<TimeControl> for GameClock {
    type Error = GameRefusal;

    fn try_from(control: TimeControl) -> Result<GameClock, GameRefusal> {
        let within = |value: f64, least: f64| (least..=600.0).contains(&value);
        if !within(control.minutes, 0.05) || !within(control.increment, 0.0) {
            return Err(GameRefusal::Clock);
        }
        let initial = Duration::from_secs_f64(60.0 * control.minutes);
        let increment = Duration::from_secs_f64(control.increment);
        let control = ClockControl { initial: Some(initial), increment };
        Ok(GameClock::new(ByColor::new_with(|_| initial), control))
    }
}

/// Returns the remaining time as a `%clk` command, which other programs read.
fn clock_comment(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
