//! Weaker levels: they are weaker, and make human mistakes.

use outrider_engine::first_moves::learned_move;
use outrider_engine::position::epd::Epd;
use outrider_engine::position::{Position, notation};
use outrider_engine::search::{Control, Engine, Limits, StrengthLimit};
use proptest::prelude::*;
use shakmaty::{Chess, Color, Position as _, Role, Square};

use crate::support::epd::suite;
use crate::support::games::playouts;

fn limits(elo: i32, seed: u64) -> Limits {
    Limits { strength_limit: Some(StrengthLimit::from_elo(elo, seed)), ..Limits::nodes(20_000) }
}

/// Returns the number of mates in two that a player announces.
fn mates_seen(limits: &Limits) -> usize {
    let mut engine = Engine::new(1, 16).expect("sixteen megabytes are there");
    let sees = |line: &String| {
        let epd: Epd = line.parse().expect("an exercise");
        engine.new_game();
        let position = Position::new(epd.chess);
        let outcome =
            engine.go(&position, limits, &Control::default(), &mut |_| {}).expect("a thread");
        outcome.score.mate_moves() == Some(2)
    };
    suite("mate-in-2.epd").iter().take(60).map(sees).filter(|&seen| seen).count()
}

#[test]
fn weaker_levels_see_fewer_mates_in_two() {
    let seen = [*StrengthLimit::ELO.start(), 1900, *StrengthLimit::ELO.end()]
        .map(|elo| mates_seen(&limits(elo, 1)));
    let full = mates_seen(&Limits::nodes(20_000));
    assert!(seen[0] < seen[1] && seen[1] < seen[2] && seen[2] <= full, "{seen:?} of {full}");
}

#[test]
fn a_beginner_captures_a_hanging_queen() {
    let mut engine = Engine::new(1, 16).expect("sixteen megabytes are there");
    let fen = "rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3";
    let position = Position::new(notation::parse_fen_any(fen).expect("playable"));
    let takes = |seed| {
        engine.new_game();
        let limits = limits(*StrengthLimit::ELO.start(), seed);
        let outcome =
            engine.go(&position, &limits, &Control::default(), &mut |_| {}).expect("a thread");
        outcome.best.is_some_and(|mv| mv.to() == Square::G5)
    };
    let taken = (0..100).map(takes).filter(|&taken| taken).count();
    assert!((80..100).contains(&taken), "{taken} of 100: a beginner sees it nearly always");
}

/// Number of moves that count as the opening.
const OPENING_MOVES: u32 = 12;

/// Returns the position after the opening of a game between two players of this strength, or at its end.
fn after_opening(engine: &mut Engine, elo: i32, number: u64) -> Chess {
    let mut position = Position::default();
    engine.new_game();
    while position.chess().fullmoves().get() <= OPENING_MOVES {
        let seed = 2 * number + u64::from(position.turn() == Color::White);
        let limits = Limits { nodes: Some(3_000), ..limits(elo, seed) };
        let mut search = || engine.go(&position, &limits, &Control::default(), &mut |_| {});
        let learned = learned_move(&position, elo, seed);
        let Some(mv) = learned.or_else(|| search().expect("a thread").best) else { break };
        position.push(mv);
    }
    position.chess().clone()
}

/// Returns how many pawns' worth one side has more than the other.
fn imbalance(chess: &Chess) -> i32 {
    let worth = |color| {
        let side = chess.board().material_side(color);
        let values = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5)];
        let values = values.into_iter().chain([(Role::Queen, 9)]);
        values.map(|(role, value)| i32::from(side[role]) * value).sum::<i32>()
    };
    (worth(Color::White) - worth(Color::Black)).abs()
}

#[test]
fn weak_players_lose_pieces_in_the_opening_but_are_rarely_mated() {
    const GAMES: u64 = 80;
    let mut engine = Engine::new(1, 1).expect("a megabyte is there");
    let mut opening = |elo| {
        let ends: Vec<Chess> =
            (0..GAMES).map(|number| after_opening(&mut engine, elo, number)).collect();
        let mated = ends.iter().filter(|chess| chess.is_checkmate()).count();
        let ahead = ends.iter().filter(|chess| imbalance(chess) >= 3).count();
        (mated, ahead)
    };
    let experts = opening(2150);
    let weak = [450, 750, 1100].map(opening);
    assert!(weak.iter().all(|&(mated, _)| mated <= GAMES as usize / 10), "{weak:?}");
    assert!(weak.iter().all(|&(_, ahead)| ahead > 2 * experts.1), "{weak:?} and {experts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_level_answers_every_position_with_a_legal_move(
        playout in playouts(120), elo in 0..3_500, seed in any::<u64>(),
    ) {
        let position = Position::new(playout.end());
        let mut engine = Engine::new(1, 1).expect("a megabyte is there");
        let limits = Limits { nodes: Some(2_000), ..limits(elo, seed) };
        let outcome = engine.go(&position, &limits, &Control::default(), &mut |_| {}).expect("a thread");
        let legal = position.chess().legal_moves();
        prop_assert_eq!(outcome.best.is_none(), legal.is_empty());
        prop_assert!(outcome.best.is_none_or(|mv| legal.contains(&mv)));
    }
}
