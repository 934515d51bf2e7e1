//! Weaker levels: they are weaker, and make human mistakes.

use outrider_engine::position::epd::Epd;
use outrider_engine::position::{Position, notation};
use outrider_engine::search::{Control, Engine, Limits, StrengthLimit};
use proptest::prelude::*;
use shakmaty::{Position as _, Square};

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
