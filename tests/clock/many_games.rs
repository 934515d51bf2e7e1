//! Many games against the clock, half of them Chess960, some with pondering, some with several
//! threads: no illegal move or line, no time forfeit, no stall. `.ci/weekly games` runs them. Environment
//! variables define the number of games, the clock and the number of busy threads on the machine.

use std::env;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use outrider_engine::position::chess960::start as chess960_start;
use shakmaty::{CastlingMode, Chess, Move, Position as _};

use crate::support::engine::{Answer, Engine};
use crate::support::referee::Game;

/// Maximum length of a game in plies.
const MAX_PLIES: usize = 600;

/// Threads and pondering of consecutive pairs of games: standard chess, then Chess960.
const KINDS: [(u32, bool); 6] =
    [(1, false), (1, true), (2, false), (1, false), (3, true), (4, false)];

/// Results of all games together.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    moves: u32,
    /// Games that ended by rule.
    ended: u32,
    pondered: u32,
    ponder_hits: u32,
    forfeits: u32,
    /// Minimum that any clock showed after a move, before the increment.
    lowest: Option<Duration>,
}

fn setting<T: std::str::FromStr>(name: &str, usual: T) -> T {
    match env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not understood")),
        Err(_) => usual,
    }
}

#[test]
#[ignore = "takes from minutes to hours; .ci/weekly games runs it"]
fn many_games_are_played_without_a_fault() {
    let games = setting("OUTRIDER_GAMES", 40);
    let load = setting("OUTRIDER_LOAD", 0);
    let base = Duration::from_millis(setting("OUTRIDER_CLOCK_MS", 1_000));
    let increment = Duration::from_millis(setting("OUTRIDER_INCREMENT_MS", 10));
    let (mut tally, over) = (Tally::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..load {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        // A failure must end the threads too, otherwise the test would wait for them forever.
        let _end = OnDrop(|| over.store(true, Ordering::Relaxed));
        let mut engines = [Engine::outrider(), Engine::outrider()];
        for number in 0..games {
            Match { engines: &mut engines, base, increment, tally: &mut tally }.play(number);
        }
        engines.into_iter().for_each(Engine::quit);
    });
    println!("{tally:?}");
    assert_eq!(tally.forfeits, 0, "{tally:?}");
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

struct Match<'a> {
    engines: &'a mut [Engine; 2],
    base: Duration,
    increment: Duration,
    tally: &'a mut Tally,
}

/// A game in progress, with what is sent to the engines about the clocks.
struct Table {
    game: Game,
    clocks: [Duration; 2],
    /// Clock before each move, and time used for the move.
    used: [Vec<(Duration, Duration)>; 2],
    increment: Duration,
    /// Position that each engine ponders on, with the move that led to it.
    pondering: [Option<(Game, Move)>; 2],
}

impl Match<'_> {
    fn play(&mut self, number: u32) {
        let (threads, ponder) = KINDS[number as usize / 2 % KINDS.len()];
        let is_chess960 = number % 2 == 1;
        let mode = CastlingMode::from_chess960(is_chess960);
        let start = if is_chess960 { chess960_start(number * 37 % 960) } else { Chess::default() };
        for engine in self.engines.iter_mut() {
            // The last game's position may have no castling rights that the option applies to.
            engine.send_unanswered("position startpos");
            engine.send_unanswered(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            engine.send_unanswered(&format!("setoption name Threads value {threads}"));
            engine.send_unanswered("ucinewgame");
        }
        let mut table = Table {
            game: opened(Game::new(start, mode), number),
            clocks: [self.base; 2],
            used: [Vec::new(), Vec::new()],
            increment: self.increment,
            pondering: [None, None],
        };
        let ended = (0..MAX_PLIES).find_map(|_| {
            let ending = table.game.ending();
            if ending.is_none() && !self.play_move(&mut table, ponder) {
                return Some(false);
            }
            ending.map(|_| true)
        });
        for (engine, pondering) in self.engines.iter_mut().zip(table.pondering) {
            if let Some((game, _)) = pondering {
                engine.send("stop");
                judged(&game, &engine.answer());
            }
        }
        self.tally.games += 1;
        self.tally.ended += u32::from(ended == Some(true));
        self.tally.forfeits += u32::from(ended == Some(false));
    }

    /// Lets the side to move play; returns `false` if it exceeded its time.
    fn play_move(&mut self, table: &mut Table, ponder: bool) -> bool {
        let side = table.game.chess().turn().fold_wb(0, 1);
        let engine = &mut self.engines[side];
        let (answer, used) = table.answer(engine, side, self.tally);
        let (mv, reply) = judged(&table.game, &answer);
        table.game.play(mv.expect("there is a move"));
        self.tally.moves += 1;
        let Some(left) = table.clocks[side].checked_sub(used) else {
            println!("game {}: {used:?} of {:?}", self.tally.games, table.clocks[side]);
            println!("before that, clock and time used: {:?}", table.used[side]);
            println!("{}", table.game.position_command());
            return false;
        };
        table.used[side].push((table.clocks[side], used));
        let lowest = self.tally.lowest.get_or_insert(left);
        *lowest = left.min(*lowest);
        table.clocks[side] = left + table.increment;
        if ponder && table.game.ending().is_none() {
            table.pondering[side] = table.ponder(engine, reply.as_deref());
            self.tally.pondered += u32::from(table.pondering[side].is_some());
        }
        true
    }
}

impl Table {
    /// Returns the answer of an engine in the current position, and the time that it took.
    fn answer(
        &mut self,
        engine: &mut Engine,
        side: usize,
        tally: &mut Tally,
    ) -> (Answer, Duration) {
        if let Some((expected, _)) = self.pondering[side].take() {
            if expected.position_command() == self.game.position_command() {
                tally.ponder_hits += 1;
                let begun = Instant::now();
                engine.send("ponderhit");
                let answer = engine.answer();
                return (answer, begun.elapsed());
            }
            engine.send("stop");
            judged(&expected, &engine.answer());
        }
        engine.send(&self.game.position_command());
        let begun = Instant::now();
        let answer = engine.search(&format!("go {}", self.clock_words()));
        (answer, begun.elapsed())
    }

    /// Lets an engine ponder on the reply that it expects.
    fn ponder(&self, engine: &mut Engine, reply: Option<&str>) -> Option<(Game, Move)> {
        let mut expected = self.game.clone();
        let mv = expected.find(reply?).unwrap_or_else(|fault| panic!("{fault}"));
        expected.play(mv);
        expected.ending().is_none().then(|| {
            engine.send(&expected.position_command());
            engine.send(&format!("go ponder {}", self.clock_words()));
            (expected, mv)
        })
    }

    fn clock_words(&self) -> String {
        let [white, black] = self.clocks.map(|clock| clock.as_millis());
        let increment = self.increment.as_millis();
        format!("wtime {white} btime {black} winc {increment} binc {increment}")
    }
}

/// Returns the move of an answer and the expected reply, after the referee has found no fault.
fn judged(game: &Game, answer: &Answer) -> (Option<Move>, Option<String>) {
    let mv = game.judge(answer).unwrap_or_else(|fault| panic!("{fault}"));
    (mv, answer.ponder.clone())
}

/// Returns the game after some moves chosen by its number.
fn opened(start: Game, number: u32) -> Game {
    let mut game = start;
    let mut state = u64::from(number) + 1;
    for _ in 0..6 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let moves = game.chess().legal_moves();
        let quiet: Vec<Move> = moves.iter().copied().filter(|mv| !mv.is_capture()).collect();
        if let Some(&mv) = quiet.get((state >> 33) as usize % quiet.len().max(1)) {
            game.play(mv);
        }
    }
    game
}
