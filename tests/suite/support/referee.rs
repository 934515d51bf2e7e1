//! A strict referee, based only on shakmaty's rules: it follows a game, checks every line that an
//! engine prints and every move that it plays, and keeps the clocks.

use std::fmt;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position as _};

use super::engine::{Answer, Engine};
use super::info::{self, Info, Line, Score};

/// A game: all positions since its start, and the moves between them.
#[derive(Clone, Debug)]
pub struct Game {
    mode: CastlingMode,
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

/// Reason why a game ended by rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// The position has occurred three times.
    Repetition,
}

/// Time or nodes that the engines may use for their moves.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// A clock for each side.
    Clock {
        /// Time at the start.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// Number of nodes per move.
    Nodes(u64),
}

impl Game {
    /// Creates a game from a position.
    pub fn new(start: Chess, mode: CastlingMode) -> Game {
        Game { mode, positions: vec![start], moves: Vec::new() }
    }

    /// Creates a game from a FEN and moves, each written for the mode.
    pub fn from_fen(fen: &str, mode: CastlingMode, moves: &str) -> Game {
        let setup: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let start = setup.into_position(mode).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut game = Game::new(start, mode);
        for text in moves.split_whitespace() {
            game.play(game.find(text).unwrap_or_else(|fault| panic!("{fault}")));
        }
        game
    }

    /// Returns the current position.
    pub fn chess(&self) -> &Chess {
        self.positions.last().expect("a game has a start")
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let mut chess = self.chess().clone();
        chess.play_unchecked(mv);
        self.positions.push(chess);
        self.moves.push(mv);
    }

    /// Returns the protocol's command for this game.
    pub fn position_command(&self) -> String {
        let fen = Fen::from_position(&self.positions[0], EnPassantMode::Legal);
        let mut command = format!("position fen {fen}");
        for (index, &mv) in self.moves.iter().enumerate() {
            command += if index == 0 { " moves " } else { " " };
            command += &UciMove::from_move(mv, self.mode).to_string();
        }
        command
    }

    /// Returns the legal move with exactly this text in the mode of the game.
    pub fn find(&self, text: &str) -> Result<Move, String> {
        let written = |mv: &Move| UciMove::from_move(*mv, self.mode).to_string() == text;
        let found = self.chess().legal_moves().into_iter().find(written);
        found.ok_or_else(|| format!("{text} is not legal after {}", self.position_command()))
    }

    /// Returns how the game has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let chess = self.chess();
        if chess.legal_moves().is_empty() {
            return Some(if chess.is_check() { Ending::Checkmate } else { Ending::Stalemate });
        }
        if chess.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if chess.halfmoves() >= 100 {
            return Some(Ending::FiftyMoves);
        }
        let occurrences = self.positions.iter().filter(|earlier| *earlier == chess).count();
        (occurrences >= 3).then_some(Ending::Repetition)
    }

    /// Follows a line of play move by move; it may not continue after the end of the game. The
    /// current position itself may be at an end, because an engine may be asked to search any
    /// position.
    pub fn follow(&self, line: &[String]) -> Result<Game, String> {
        let mut game = self.clone();
        for (index, text) in line.iter().enumerate() {
            if let (Some(ending), true) = (game.ending(), index > 0) {
                return Err(format!("{text} comes after {ending:?} in {line:?}"));
            }
            let mv = game.find(text).map_err(|fault| format!("{fault} in {line:?}"))?;
            game.play(mv);
        }
        Ok(game)
    }

    /// Judges the complete answer of an engine to a `go` in this position; returns its move.
    pub fn judge(&self, answer: &Answer) -> Result<Option<Move>, String> {
        let mut last: Option<Line> = None;
        let (mut nodes, mut time) = (0, 0);
        for said in &answer.lines {
            let line = match info::parse(said)? {
                Info::Line(line) => line,
                Info::CurrentMove { text, .. } => {
                    self.find(&text)?;
                    continue;
                }
                Info::Text(_) | Info::Progress => continue,
            };
            self.judge_line(&line).map_err(|fault| format!("{fault}: {said}"))?;
            if line.nodes < nodes || line.time < time {
                return Err(format!("nodes or time run backwards: {said}"));
            }
            (nodes, time) = (line.nodes, line.time);
            if line.rank == 1 {
                if last.as_ref().is_some_and(|last| last.depth > line.depth) {
                    return Err(format!("the depth sinks: {said}"));
                }
                last = Some(line);
            }
        }
        self.judge_move(answer, last.as_ref())
    }

    fn judge_line(&self, line: &Line) -> Result<(), String> {
        if line.moves.is_empty() {
            return Err("an empty pv".to_owned());
        }
        let end = self.follow(&line.moves)?;
        match line.score {
            Score::Centipawns(value) if value.abs() >= 30_000 => Err("no sane score".to_owned()),
            Score::Mate(moves) if !line.is_bound => {
                judge_mate(moves, line.moves.len(), end.ending())
            }
            _ => Ok(()),
        }
    }

    fn judge_move(&self, answer: &Answer, last: Option<&Line>) -> Result<Option<Move>, String> {
        let Some(best) = &answer.best else {
            let none = self.chess().legal_moves().is_empty();
            return if none {
                Ok(None)
            } else {
                Err("no bestmove, but there are moves".to_owned())
            };
        };
        if let Some(last) = last.filter(|last| last.moves[0] != *best) {
            return Err(format!("bestmove {best}, but the last pv is {:?}", last.moves));
        }
        let mut played = vec![best.clone()];
        played.extend(answer.ponder.clone());
        self.follow(&played)?;
        self.find(best).map(Some)
    }
}

/// Checks that an announced mate has its complete line: as many moves as announced, the last of
/// them mate.
fn judge_mate(moves: i32, length: usize, ending: Option<Ending>) -> Result<(), String> {
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    let mates = ending == Some(Ending::Checkmate);
    if plies <= 0 || plies > 250 {
        return Err(format!("no mate can be {moves} moves away"));
    }
    if length != plies || !mates {
        return Err(format!("mate {moves} with {length} plies, {ending:?} at their end"));
    }
    Ok(())
}

/// A breach of the rules: by which side, and what.
#[derive(Debug)]
pub struct Breach {
    /// The side.
    pub side: Color,
    /// The fault.
    pub fault: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.side, self.fault)
    }
}

/// Allowance for the delay between the engine's move and its reception, while other tests run on
/// the machine.
const GRACE: Duration = Duration::from_millis(50);

/// Lets two engines play `game` to its end, or until `longest` plies were played.
pub fn play(
    game: &mut Game,
    mut engines: [&mut Engine; 2],
    budget: Budget,
    longest: usize,
) -> Result<Option<Ending>, Breach> {
    for engine in &mut engines {
        engine.send_unanswered(&format!(
            "setoption name UCI_Chess960 value {}",
            game.mode.is_chess960()
        ));
        engine.send_unanswered("ucinewgame");
    }
    let mut clocks = match budget {
        Budget::Clock { base, .. } => [base; 2],
        Budget::Nodes(_) => [Duration::from_secs(3600); 2],
    };
    for _ in 0..longest {
        if let Some(ending) = game.ending() {
            return Ok(Some(ending));
        }
        let side = game.chess().turn();
        let index = side.fold_wb(0, 1);
        let breach = |fault| Breach { side, fault };
        engines[index].send(&game.position_command());
        let begun = Instant::now();
        let answer = engines[index].search(&go_command(budget, &clocks));
        let left = (clocks[index] + GRACE).checked_sub(begun.elapsed());
        let left = left.ok_or_else(|| breach(format!("{:?} over time", begun.elapsed())))?;
        if let Budget::Clock { increment, .. } = budget {
            clocks[index] = left.saturating_sub(GRACE) + increment;
        }
        let mv = game.judge(&answer).map_err(breach)?;
        game.play(mv.ok_or_else(|| breach("no move".to_owned()))?);
    }
    Ok(game.ending())
}

fn go_command(budget: Budget, clocks: &[Duration; 2]) -> String {
    match budget {
        Budget::Nodes(nodes) => format!("go nodes {nodes}"),
        Budget::Clock { increment, .. } => {
            let [white, black] = clocks.map(|clock| clock.as_millis());
            let increment = increment.as_millis();
            format!("go wtime {white} btime {black} winc {increment} binc {increment}")
        }
    }
}

/// Plays a game of the engine against itself; returns it with its ending.
pub fn self_play(mut game: Game, budget: Budget, longest: usize) -> (Game, Option<Ending>) {
    let (mut white, mut black) = (Engine::outrider(), Engine::outrider());
    let ending = play(&mut game, [&mut white, &mut black], budget, longest)
        .unwrap_or_else(|breach| panic!("{breach}"));
    white.quit();
    black.quit();
    (game, ending)
}
