//! Random openings for games of the engine against itself.
//!
//! An opening is a few random legal moves. The kind of piece is drawn first, then one of its moves:
//! drawing from all legal moves would give too many pawn moves and too many rook moves to and fro. A
//! game that is decided before it begins teaches nothing. Such openings are rejected, most of them by
//! their static value, the others by a short search. Openings for matches have a narrower limit, a
//! [`Balance`], which a longer search checks.

#![forbid(unsafe_code)]

use arrayvec::ArrayVec;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _, Role};

use crate::evaluation::static_value;
use crate::evaluation::wdl::shown_score;
use crate::position::{Position, chess960};
use crate::search::{Control, Engine, Limits};

/// Numbers of random plies from the start of a game: one even, one odd, so that either side may be to
/// move after them.
const RANDOM_PLIES: [u32; 2] = [8, 9];
/// Numbers of random plies after a position of an opening book, so that games from it differ.
const RANDOM_PLIES_AFTER_BOOK: [u32; 4] = [1, 2, 3, 4];
/// Positions with an absolute score above this, in centipawns, are rejected: the side ahead nearly
/// always wins.
const DECIDED: i32 = 350;
/// Positions with an absolute static value above this, in centipawns, are rejected without a search.
/// The search would seldom disagree, and it costs more than another random opening.
const STATICALLY_DECIDED: i32 = 400;
/// Random openings that are tried before giving up. From the usual start every second one is accepted.
const MAX_TRIES: u32 = 10_000;

/// Settings for drawing random openings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Openings {
    /// Positions to begin from instead of the start of standard chess.
    pub book: Option<OpeningBook>,
    /// Openings per thousand that begin from a random start of Chess960 instead, 0 to 1,000.
    pub chess960_permille: u16,
    /// Nodes of the search that decides whether a position is decided. Not used with a balance.
    pub nodes: u64,
    /// The narrower limit for matches, if any.
    pub balance: Option<Balance>,
}

/// Positions from which openings begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBook {
    /// The positions.
    pub positions: Vec<Chess>,
    /// Openings per thousand that begin from them, 0 to 1,000.
    pub permille: u16,
    /// Only one to four random plies follow, not eight or nine.
    pub few_plies: bool,
}

/// A limit for openings of matches: a game from a position within it is open for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Largest score of either side in centipawns, on the scale shown to users.
    pub centipawns: i32,
    /// Nodes of the search that gives the score. It begins with an empty transposition table.
    pub nodes: u64,
}

impl Balance {
    /// Shorter searches that come first: the divisor of the nodes, and how many centipawns beyond the
    /// limit a score may be. Their scores are less certain, and most openings are far beyond the limit.
    const STAGES: [(u64, i32); 2] = [(50, 100), (8, 30)];
    /// Centipawns that a static value may be beyond the limit.
    const STATIC_MARGIN: i32 = 200;

    /// Returns true if the score of the position is within the limit. False if `control` is stopped.
    fn holds(self, chess: &Chess, engine: &mut Engine, control: &Control) -> bool {
        let is_within = |score, margin| {
            shown_score(score).centipawns().abs() <= self.centipawns.saturating_add(margin)
        };
        if !is_within(static_value(chess, engine.network()), Balance::STATIC_MARGIN) {
            return false;
        }
        let position = Position::new(chess.clone());
        Balance::STAGES.into_iter().chain([(1, 0)]).all(|(divisor, margin)| {
            engine.new_game();
            let limits = Limits::nodes((self.nodes / divisor).max(1));
            let outcome = engine.go_on_this_thread(&position, &limits, control, None);
            is_within(outcome.score, margin) && !control.is_stopped()
        })
    }
}

/// Returns the random numbers for one game of a run. They follow from the seed and the number of the
/// game, are the same on every machine, and are independent of those of other games.
pub fn random_numbers(seed: u64, game: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(game);
    random
}

impl Openings {
    /// Draws openings until one is within the limit and the game is not over. Returns `None` if `control`
    /// was stopped, or after 10,000 tries, if hardly any start leads to such a position.
    pub fn sample(
        &self,
        random: &mut ChaCha8Rng,
        engine: &mut Engine,
        control: &Control,
    ) -> Option<Chess> {
        for _ in 0..MAX_TRIES {
            if control.is_stopped() {
                return None;
            }
            let Some(chess) = self.play_out(random) else {
                continue;
            };
            let is_accepted = match self.balance {
                Some(balance) => balance.holds(&chess, engine, control),
                None => self.is_undecided(&chess, engine, control),
            };
            if is_accepted {
                return Some(chess);
            }
        }
        None
    }

    /// Returns true if neither side is nearly certain to win. False if `control` is stopped.
    fn is_undecided(&self, chess: &Chess, engine: &mut Engine, control: &Control) -> bool {
        let value = static_value(chess, engine.network());
        if value.centipawns().abs() > STATICALLY_DECIDED {
            return false;
        }
        let position = Position::new(chess.clone());
        let limits = Limits::soft_nodes(self.nodes);
        let outcome = engine.go_on_this_thread(&position, &limits, control, None);
        outcome.score.centipawns().abs() <= DECIDED && !control.is_stopped()
    }

    /// Plays random moves from a random start; `None` if they end the game.
    fn play_out(&self, random: &mut ChaCha8Rng) -> Option<Chess> {
        let (mut chess, plies) = self.start(random);
        for _ in 0..*plies.choose(random)? {
            let mv = random_move(&chess, random)?;
            chess.play_unchecked(mv);
        }
        (!chess.is_game_over()).then_some(chess)
    }

    /// Returns a start position and the numbers of random plies that may follow it.
    fn start(&self, random: &mut ChaCha8Rng) -> (Chess, &'static [u32]) {
        if random.random_ratio(u32::from(self.chess960_permille.min(1000)), 1000) {
            let start = chess960::start(random.random_range(0..chess960::STARTS));
            return (start, &RANDOM_PLIES);
        }
        let Some(book) = &self.book else { return (Chess::default(), &RANDOM_PLIES) };
        if !random.random_ratio(u32::from(book.permille.min(1000)), 1000) {
            return (Chess::default(), &RANDOM_PLIES);
        }
        let start = book.positions.choose(random).cloned().unwrap_or_default();
        (start, if book.few_plies { &RANDOM_PLIES_AFTER_BOOK } else { &RANDOM_PLIES })
    }
}

/// Draws a kind of piece that can move, then one of its legal moves; `None` if there is no legal move.
fn random_move(chess: &Chess, random: &mut ChaCha8Rng) -> Option<Move> {
    let mut moves = chess.legal_moves();
    let can_move = |role: &Role| moves.iter().any(|mv| mv.role() == *role);
    let roles: ArrayVec<Role, 6> = Role::ALL.into_iter().filter(can_move).collect();
    let role = *roles.choose_weighted(random, |&role| weight(role)).ok()?;
    moves.retain(|mv| mv.role() == role);
    moves.choose(random).copied()
}

/// Weight of a kind of piece in the drawing. The weights of all kinds add up to 100.
fn weight(role: Role) -> u32 {
    match role {
        Role::Pawn => 35,
        Role::Knight | Role::Bishop | Role::Queen => 15,
        Role::King => 12,
        Role::Rook => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation;
    use rand::Rng as _;
    use std::collections::HashSet;

    fn openings(chess960_permille: u16) -> Openings {
        Openings { nodes: 500, chess960_permille, ..Openings::default() }
    }

    #[test]
    fn random_numbers_differ_between_games_and_repeat_with_the_seed() {
        let first = |seed, game| random_numbers(seed, game).next_u64();
        assert_eq!(first(1, 5), first(1, 5));
        let different: HashSet<u64> =
            (0..10).flat_map(|seed| (0..10).map(move |game| first(seed, game))).collect();
        assert_eq!(different.len(), 100);
    }

    #[test]
    fn searches_by_soft_nodes_score_independently_of_the_fifty_move_count() {
        let mut engine = Engine::new(1, 1).unwrap();
        let mut score = |count: u32, limits: Limits| {
            let fen = format!("4k3/8/8/8/8/5p2/1R3P2/4K3 w - - {count} 90");
            let position = Position::new(notation::parse_fen_any(&fen).unwrap());
            engine.new_game();
            engine.go(&position, &limits, &Control::default(), &mut |_| {}).unwrap().score
        };
        let faded = [0, 60].map(|count| score(count, Limits::nodes(1)));
        assert!(faded[1] < faded[0] - 100, "{faded:?}");
        let labels = [0, 60].map(|count| score(count, Limits::soft_nodes(1)));
        assert_eq!(labels[0], labels[1]);
    }

    #[test]
    fn openings_have_eight_or_nine_plies_and_the_game_is_not_over() {
        let mut random = random_numbers(1, 0);
        let plies: HashSet<u32> = (0..200)
            .filter_map(|_| openings(0).play_out(&mut random))
            .inspect(|chess| assert!(!chess.legal_moves().is_empty()))
            .map(|chess| (chess.fullmoves().get() - 1) * 2 + chess.turn().fold_wb(0, 1))
            .collect();
        assert_eq!(plies, HashSet::from([8, 9]));
    }

    #[test]
    fn kinds_of_pieces_are_drawn_by_their_weights_not_by_their_number_of_moves() {
        let fen = "4k3/8/8/3q4/8/2N5/P7/R3K3 w - - 0 1";
        let chess = notation::parse_fen_any(fen).unwrap();
        let mut random = random_numbers(4, 0);
        let drawn: Vec<Role> =
            (0..1400).map(|_| random_move(&chess, &mut random).unwrap().role()).collect();
        let count = |role: Role| drawn.iter().filter(|&&drawn| drawn == role).count();
        // The weights add up to 70: pawn 35, knight 15, king 12, rook 8.
        assert!((600..800).contains(&count(Role::Pawn)), "{}", count(Role::Pawn));
        assert!((220..380).contains(&count(Role::Knight)), "{}", count(Role::Knight));
        assert!((100..230).contains(&count(Role::Rook)), "{}", count(Role::Rook));
        let mated = notation::parse_fen_any("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(random_move(&mated, &mut random), None);
    }

    #[test]
    fn the_given_share_of_openings_is_chess960() {
        let mut random = random_numbers(2, 0);
        let mut count = |share| {
            let drawn = (0..1000).map(|_| openings(share).start(&mut random));
            drawn.filter(|(chess, _)| chess.castles().mode().is_chess960()).count()
        };
        assert_eq!(count(0), 0);
        assert_eq!(count(1000), 1000);
        assert!((50..150).contains(&count(100)));
    }

    #[test]
    fn openings_begin_from_the_book_in_its_share() {
        let rooks = notation::parse_fen_any("8/4k3/8/8/8/8/4K3/R6r w - - 0 1");
        let positions = vec![rooks.unwrap()];
        let drawn = |permille, few_plies| {
            let book = OpeningBook { positions: positions.clone(), permille, few_plies };
            Openings { book: Some(book), ..openings(0) }.start(&mut random_numbers(1, 0))
        };
        assert_eq!(drawn(1000, false), (positions[0].clone(), &RANDOM_PLIES[..]));
        assert_eq!(drawn(1000, true), (positions[0].clone(), &RANDOM_PLIES_AFTER_BOOK[..]));
        assert_eq!(drawn(0, true), (Chess::default(), &RANDOM_PLIES[..]));
    }

    #[test]
    fn sampled_openings_are_balanced_and_a_stopped_control_ends_sampling() {
        let sample = || {
            let mut engine = Engine::new(1, 1).unwrap();
            let mut random = random_numbers(3, 1);
            let control = Control::default();
            for _ in 0..5 {
                let chess = openings(500).sample(&mut random, &mut engine, &control).unwrap();
                engine.new_game();
                let again = engine.go_on_this_thread(
                    &Position::new(chess),
                    &Limits::soft_nodes(500),
                    &control,
                    None,
                );
                // The transposition table is empty now, so the score may differ a little.
                assert!(again.score.centipawns().abs() < DECIDED + 200, "{}", again.score);
            }
            control.stop();
            assert_eq!(openings(500).sample(&mut random, &mut engine, &control), None);
        };
        Engine::run_on_own_thread(sample).unwrap();
    }

    #[test]
    fn openings_for_matches_are_within_their_limit_by_a_search_of_their_nodes() {
        let sample = || {
            let balance = Balance { centipawns: 30, nodes: 4_000 };
            let openings = Openings { balance: Some(balance), ..Openings::default() };
            let (mut random, control) = (random_numbers(5, 0), Control::default());
            let mut engine = Engine::new(1, 1).unwrap();
            for _ in 0..8 {
                let chess = openings.sample(&mut random, &mut engine, &control).unwrap();
                let position = Position::new(chess);
                let again = Engine::new(1, 1).unwrap().go_on_this_thread(
                    &position,
                    &Limits::nodes(4_000),
                    &control,
                    None,
                );
                assert!(shown_score(again.score).centipawns().abs() <= 30, "{}", again.score);
            }
            control.stop();
            assert_eq!(openings.sample(&mut random, &mut engine, &control), None);
        };
        Engine::run_on_own_thread(sample).unwrap();
    }
}
