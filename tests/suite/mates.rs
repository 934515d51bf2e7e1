//! Mate suites: the shortest mates of `epd/`, each proved by exhaustive search, are found.

use std::cmp::Reverse;

use outrider_engine::position::Position;
use outrider_engine::position::epd::Epd;
use outrider_engine::position::notation::{format_fen, parse_fen_any};
use outrider_engine::search::{Bound, Control, Engine, Limits, Line, Report};
use outrider_engine::units::Ply;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, Position as _, Role, Setup, Square, attacks,
};

use crate::support::epd::suite;

/// Searches each position of a suite; returns the true distance to mate and the announced one, in
/// full moves.
fn announced(file: &str, nodes: u64) -> Vec<(String, i32, Option<i32>)> {
    let mut engine = Engine::new(1, 16).unwrap();
    let lines = suite(file);
    let search = |line: &String| {
        let epd: Epd = line.parse().unwrap();
        let shortest = epd.direct_mate().unwrap();
        engine.new_game();
        let mate = Some(shortest.unsigned_abs());
        let limits = Limits { mate, ..Limits::nodes(nodes) };
        let position = Position::new(epd.chess.clone());
        let outcome =
            engine.go(&position, &limits, &Control::default(), &mut |_| {}).expect("a thread");
        (line.clone(), shortest, outcome.score.mate_moves())
    };
    lines.iter().map(search).collect()
}

#[test]
fn every_mate_in_two_and_three_is_found_with_its_exact_distance() {
    for file in ["mate-in-2.epd", "mate-in-3.epd"] {
        for (line, shortest, found) in announced(file, 16_000_000) {
            assert_eq!(found, Some(shortest), "{line}");
        }
    }
}

#[test]
fn no_announced_mate_is_shorter_than_the_shortest() {
    let mut announcements = 0;
    for file in ["mate-in-4.epd", "mate-endgames.epd"] {
        for (line, shortest, found) in announced(file, 20_000) {
            assert!(found.is_none_or(|found| found >= shortest), "{line}: {found:?}");
            announcements += usize::from(found.is_some());
        }
    }
    assert!(announcements > 10, "{announcements}");
}

#[test]
fn a_search_stopped_at_any_time_announces_no_mate_faster_than_the_best_defence_allows() {
    let mut engine = Engine::new(1, 16).unwrap();
    // Each is mated, but not before this many moves.
    for (fen, moves) in [
        ("5K2/8/8/8/2N5/1pp5/1R6/kN6 b - - 0 1", 6),
        ("k1K5/p5pp/P5p1/8/1p1p3P/3P2P1/3P2P1/1N6 b - - 0 1", 8),
        ("4k3/8/4K3/2N5/3N4/4B3/8/8 b - - 0 1", 6),
    ] {
        let root = Position::new(parse_fen_any(fen).unwrap());
        for nodes in (500..100_500).step_by(5_000) {
            engine.new_game();
            let mut reported: Vec<Line> = Vec::new();
            let limits = Limits::nodes(nodes);
            let outcome = engine
                .go(&root, &limits, &Control::default(), &mut |report| {
                    if let Report::Line(line) = report {
                        reported.push(line);
                    }
                })
                .expect("a thread");
            let last = reported.last().unwrap();
            assert_eq!(outcome.best, Some(last.moves[0]), "{fen} {nodes}: {last:?}");
            let exact = reported.iter().filter(|line| line.bound == Bound::Exact);
            let mates = exact.filter_map(|line| line.score.mate_moves());
            assert!(mates.into_iter().all(|mate| mate <= -moves), "{fen} {nodes}: {last:?}");
        }
    }
}

#[test]
fn the_best_of_several_lines_is_the_only_winning_move() {
    let mut engine = Engine::new(1, 16).unwrap();
    let mut search = |root: &Position, lines: usize| {
        engine.new_game();
        let mut last: Vec<Line> = Vec::new();
        let limits = Limits { lines, ..Limits::depth(10) };
        let outcome = engine
            .go(root, &limits, &Control::default(), &mut |report| {
                if let Report::Line(line) = report {
                    last.truncate(line.rank - 1);
                    last.push(line);
                }
            })
            .expect("a thread");
        assert_eq!(outcome.best, Some(last[0].moves[0]));
        last
    };
    let mut compared = 0;
    for text in suite("mate-in-2.epd") {
        let epd: Epd = text.parse().unwrap();
        let root = Position::new(epd.chess.clone());
        let (single, several) = (search(&root, 1), search(&root, 3));
        assert!(several.is_sorted_by_key(|line| Reverse(line.score)), "{text}: {several:?}");
        if single[0].score.mate_moves() == Some(2) {
            assert_eq!(several[0].score, single[0].score, "{text}");
            if several.get(1).is_some_and(|line| line.score < single[0].score) {
                compared += 1;
                assert_eq!(several[0].moves[0], single[0].moves[0], "{text}");
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_announced_mate_has_a_complete_line() {
    let mut engine = Engine::new(1, 16).unwrap();
    let mut announced = 0;
    // In these positions some of the mates come from the transposition table.
    for fen in [
        "8/8/8/8/2B2K2/7N/6r1/5N1k b - - 0 1",
        "7B/8/3p3p/3B1k1p/7P/2P3K1/8/8 b - - 0 1",
        "8/p7/Kp6/3P4/k7/1p6/1P6/4B3 b - - 0 1",
        "8/7K/7N/7k/4p3/4p1PB/4P3/8 w - - 0 1",
        "8/8/8/2r5/8/2n5/3R3r/1k2K2R w K - 0 1",
        "8/2p5/6p1/6Pp/2PN4/6pP/6P1/5KBk w - - 0 1",
    ] {
        let root = Position::new(parse_fen_any(fen).unwrap());
        engine.new_game();
        engine
            .go(&root, &Limits::nodes(100_000), &Control::default(), &mut |report| {
                let Report::Line(line) = report else { return };
                let Some(moves) = line.score.mate_moves() else { return };
                if line.bound != Bound::Exact {
                    return;
                }
                announced += 1;
                let mut end = root.clone();
                line.moves.iter().for_each(|&mv| end.push(mv));
                assert!(end.chess().is_checkmate(), "{fen}: {line:?}");
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                assert_eq!(line.moves.len(), plies as usize, "{fen}: {line:?}");
            })
            .expect("a thread");
    }
    assert!(announced > 15, "{announced}");
}

/// Returns the end of the game if both sides play with ten thousand nodes per move.
fn play_out(engine: &mut Engine, start: &Chess) -> Position {
    let mut position = Position::new(start.clone());
    engine.new_game();
    while !position.chess().is_game_over() && !position.is_drawn(Ply::ROOT) {
        let limits = Limits::nodes(10_000);
        let outcome =
            engine.go(&position, &limits, &Control::default(), &mut |_| {}).expect("a thread");
        position.push(outcome.best.unwrap());
    }
    position
}

/// Returns positions with White to move, with a bare black king against White's king and these
/// pieces, none of them attacked.
fn bare_king_positions(pieces: &[Role], count: usize) -> Vec<Chess> {
    let mut random = StdRng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = Board::empty();
        let black = Role::King.of(Color::Black);
        let white = pieces.iter().chain([&Role::King]).map(|role| role.of(Color::White));
        for piece in white.chain([black]) {
            board.set_piece_at(Square::new(random.random_range(0..64)), piece);
        }
        let king = board.king_of(Color::Black);
        let near = king.map_or(Bitboard::EMPTY, |king| attacks::king_attacks(king) & board.white());
        let setup = Setup { board, ..Setup::empty() };
        let is_whole = setup.board.occupied().count() == pieces.len() + 2;
        let lights = setup.board.bishops() & Bitboard::LIGHT_SQUARES;
        let mates = !pieces.starts_with(&[Role::Bishop, Role::Bishop]) || lights.count() == 1;
        if let Ok(chess) = setup.position::<Chess>(CastlingMode::Standard)
            && is_whole
            && near.is_empty()
            && mates
        {
            positions.push(chess);
        }
    }
    positions
}

#[test]
fn a_bare_king_is_mated_with_ten_thousand_nodes_per_move() {
    let mut engine = Engine::new(1, 16).unwrap();
    for (pieces, fen) in [
        (&[Role::Queen][..], "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"),
        (&[Role::Rook], "8/8/8/3k4/8/8/8/KR6 w - - 0 1"),
        (&[Role::Bishop, Role::Bishop], "8/8/8/3k4/8/8/8/KBB5 w - - 0 1"),
        (&[Role::Bishop, Role::Knight], "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"),
    ] {
        let corner = parse_fen_any(fen).unwrap();
        for start in bare_king_positions(pieces, 10).into_iter().chain([corner]) {
            let end = play_out(&mut engine, &start);
            assert!(
                end.chess().is_checkmate(),
                "{} ended with {:?}",
                format_fen(&start),
                end.chess()
            );
        }
    }
}
