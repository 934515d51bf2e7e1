//! Tests of the search as a library.

mod nodes;

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Position as _;

use super::shared::Shared;
use super::thread_data::ThreadData;
use super::worker::Worker;
use super::*;
use crate::evaluation::Network;
use crate::evaluation::network::file::NetworkWeights;
use crate::position::{Board, PackedMove, Position, notation};
use crate::units::{Depth, Ply, Score};

fn position(fen: &str) -> Position {
    Position::new(notation::parse_fen_any(fen).unwrap())
}

fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> (Outcome, Vec<Line>) {
    let mut lines = Vec::new();
    let outcome = engine
        .go(&position(fen), limits, &Control::default(), &mut |report| {
            if let Report::Line(line) = report {
                lines.push(line);
            }
        })
        .unwrap();
    (outcome, lines)
}

fn best(engine: &mut Engine, fen: &str, depth: i32) -> (String, Score) {
    let outcome = search(engine, fen, &Limits::depth(depth)).0;
    (outcome.best.map_or_else(|| "none".into(), |mv| mv.to_string()), outcome.score)
}

#[test]
fn mates_are_found_with_their_distance_for_both_sides() {
    let mut engine = Engine::new(1, 4).unwrap();
    let cases = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &["Rd1-d8"][..], 1),
        ("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", &["Rd8-d1"], 1),
        ("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", &["Rb1-b8"], 1),
        ("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", &["Rb1-b7", "Ra2-a7"], 2),
    ];
    for (fen, best_moves, moves) in cases {
        let (found, score) = best(&mut engine, fen, 8);
        assert_eq!(score.mate_moves(), Some(moves), "{fen}");
        assert!(best_moves.contains(&found.as_str()), "{fen}: {found}");
    }
}

#[test]
fn a_side_without_moves_is_mated_or_stalemated() {
    let mut engine = Engine::new(1, 1).unwrap();
    let (mated, score) = best(&mut engine, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 4);
    assert_eq!((mated.as_str(), score.mate_moves()), ("none", Some(0)));
    let (stale, score) = best(&mut engine, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4);
    assert_eq!((stale.as_str(), score), ("none", Score::DRAW));
}

#[test]
fn mate_on_the_hundredth_ply_takes_precedence_over_the_fifty_move_rule() {
    let mut engine = Engine::new(1, 1).unwrap();
    let (_, mates) = best(&mut engine, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80", 5);
    assert_eq!(mates.mate_moves(), Some(1));
    let (_, draws) = best(&mut engine, "6k1/8/8/8/8/8/R7/1R4K1 w - - 99 80", 5);
    assert_eq!(draws, Score::DRAW);
}

#[test]
fn mates_too_late_for_the_fifty_move_rule_do_not_affect_other_scores() {
    let mut engine = Engine::new(1, 16).unwrap();
    let mut game = position("8/8/8/3k4/8/8/8/KR6 w - - 70 1");
    while !game.chess().is_game_over() && !game.is_drawn(Ply::ROOT) {
        let on_report = &mut |report| {
            if let Report::Line(line) = report {
                let centipawns = line.score.centipawns().abs();
                let plausible = line.score.is_mate() || centipawns < 3_000;
                assert!(plausible, "{centipawns} for {:?}", game.board());
            }
        };
        let outcome =
            engine.go(&game, &Limits::nodes(20_000), &Control::default(), on_report).unwrap();
        game.push(outcome.best.unwrap());
    }
}

#[test]
fn every_iteration_reports_a_legal_line_and_the_last_begins_with_the_best_move() {
    let mut engine = Engine::new(1, 4).unwrap();
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (outcome, lines) = search(&mut engine, fen, &Limits::depth(9));
    let depths: Vec<_> = lines.iter().map(|line| line.depth.plies()).collect();
    assert_eq!(depths, (1..=9).collect::<Vec<_>>());
    for line in &lines {
        let mut position = position(fen);
        for &mv in &line.moves {
            assert!(position.chess().is_legal(mv));
            position.push(mv);
        }
    }
    assert_eq!(lines.last().unwrap().moves.first().copied(), outcome.best);
}

#[test]
fn lines_have_more_than_one_move_if_the_game_goes_on() {
    let mut engine = Engine::new(1, 16).unwrap();
    for fen in [
        "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
        "8/7p/8/6k1/1R4P1/4K3/1P3r2/8 b - - 0 1",
    ] {
        let (_, lines) = search(&mut engine, fen, &Limits::depth(12));
        for line in lines.iter().filter(|line| line.depth > Depth::ONE) {
            assert!(line.moves.len() > 1, "depth {:?} of {fen}", line.depth);
        }
    }
}

/// Searches for a mate. Returns the report of no mate found, if there was one, and the outcome.
fn search_for_mate(fen: &str, moves: u32, limits: Limits) -> (Option<(u32, bool)>, Outcome) {
    let mut reported = None;
    let limits = Limits { mate: Some(moves), ..limits };
    let mut engine = Engine::new(1, 16).unwrap();
    let outcome = engine
        .go(&position(fen), &limits, &Control::default(), &mut |report| {
            if let Report::NoMateFound { moves, disproved } = report {
                reported = Some((moves, disproved));
            }
        })
        .unwrap();
    (reported, outcome)
}

#[test]
fn a_mate_is_reported_as_disproved_only_after_all_lines_were_searched() {
    // Mate in three, not in two.
    let fen = "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 0 1";
    let (reported, outcome) = search_for_mate(fen, 2, Limits::default());
    assert_eq!(reported, Some((2, true)));
    assert!(outcome.best.is_some());
    let (reported, outcome) = search_for_mate(fen, 3, Limits::default());
    assert_eq!((reported, outcome.score.mate_moves()), (None, Some(3)));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (reported, _) = search_for_mate(start, 9, Limits::nodes(3_000));
    assert_eq!(reported, Some((9, false)));
}

#[test]
fn draws_can_prevent_a_mate_but_not_its_absence() {
    // Without the fifty-move rule there is no mate in two either.
    let far = "7k/8/8/8/5K2/8/8/R7 w - - 98 90";
    assert_eq!(search_for_mate(far, 2, Limits::depth(6)).0, Some((2, true)));
    // The mate in two would be a ply too late.
    let late = "7k/8/8/6K1/8/8/8/R7 w - - 98 90";
    assert_eq!(search_for_mate(late, 2, Limits::depth(6)).0, Some((2, false)));
    let in_time = "7k/8/8/6K1/8/8/8/R7 w - - 97 90";
    assert_eq!(search_for_mate(in_time, 2, Limits::depth(6)).1.score.mate_moves(), Some(2));
}

#[test]
fn a_move_to_a_third_repetition_is_not_a_proven_mate() {
    let mut game = position("7k/5K2/8/8/8/8/8/6R1 b - - 0 1");
    for mv in "h8h7 f7f6 h7h8 f6f7 h8h7 f7f6 h7h8".split(' ') {
        game.push(notation::parse_move(game.chess(), mv).unwrap());
    }
    let mut engine = Engine::new(1, 16).unwrap();
    let limits = Limits { mate: Some(2), ..Limits::depth(12) };
    let outcome = engine.go(&game, &limits, &Control::default(), &mut |_| {}).unwrap();
    assert_eq!(outcome.score.mate_moves(), Some(3), "Kf7 would be a draw");
}

#[test]
fn a_reported_mate_is_not_lost_in_later_iterations() {
    let mut engine = Engine::new(1, 16).unwrap();
    for fen in ["8/6K1/7N/6k1/4p3/4p1PB/4P3/8 w - - 0 1", "8/p7/N7/8/8/p7/8/k1K5 b - - 0 1"] {
        engine.new_game();
        let (_, lines) = search(&mut engine, fen, &Limits::nodes(1_000_000));
        let exact = lines.iter().filter(|line| line.bound == Bound::Exact);
        let mates: Vec<_> = exact.map(|line| line.score.mate_moves()).collect();
        let first = mates.iter().position(Option::is_some).expect("a mate is found");
        assert!(mates[first..].iter().all(Option::is_some), "{fen}: {mates:?}");
    }
}

#[test]
fn the_same_search_in_a_new_game_gives_the_same_result() {
    let mut engine = Engine::new(1, 4).unwrap();
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let runs = [0, 1].map(|_| {
        engine.new_game();
        let (outcome, _) = search(&mut engine, fen, &Limits::nodes(20_000));
        (outcome.best, outcome.score, outcome.nodes)
    });
    assert_eq!(runs[0], runs[1]);
    assert!((20_000..20_010).contains(&runs[0].2), "{} nodes", runs[0].2);
}

#[test]
fn a_stopped_search_stores_no_exact_root_entry_of_an_unfinished_iteration() {
    let mut engine = Engine::new(1, 4).unwrap();
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    for nodes in (500..20_000).step_by(977) {
        engine.new_game();
        let (outcome, _) = search(&mut engine, fen, &Limits::nodes(nodes));
        let root = position(fen);
        let entry = engine.table.probe(root.board().key(), Ply::ROOT, 0).unwrap();
        assert!(entry.depth <= outcome.depth + 1);
        let finished = entry.bound == Bound::Exact && entry.depth > outcome.depth;
        assert!(!finished, "an unfinished iteration stored an exact score");
    }
}

#[test]
fn the_first_iteration_is_finished_even_after_an_early_stop() {
    let mut engine = Engine::new(2, 4).unwrap();
    let control = Control::default();
    control.stop();
    let outcome =
        engine.go(&Position::default(), &Limits::default(), &control, &mut |_| {}).unwrap();
    assert!(outcome.best.is_some());
    assert_eq!(outcome.depth, Depth::ONE);
}

#[test]
fn any_thread_ends_the_search_at_the_time_limit_but_the_main_thread_finishes_depth_one() {
    let (table, control) = (TranspositionTable::new(1).unwrap(), Control::default());
    let started = Instant::now().checked_sub(Duration::from_secs(1));
    let limits = Limits { started, ..Limits::move_time(Duration::from_millis(20)) };
    let kings = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let shared = Shared::new(&table, &limits, &control, 2, &kings);
    for (id, depth) in [(1, Depth::ZERO), (0, Depth::ONE)] {
        let mut thread_data = ThreadData::new(Network::built_in());
        let mut worker = Worker::new(&shared, &mut thread_data, id, &kings, None);
        worker.iterative_deepening();
        assert_eq!(worker.completed_depth, depth, "thread {id}");
        assert!(shared.stop_flag.load(Relaxed), "thread {id}");
    }
}

#[test]
fn only_the_requested_root_moves_are_searched() {
    let mut engine = Engine::new(1, 1).unwrap();
    let start = Position::default();
    let wanted = notation::parse_move(start.chess(), "h2h3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(6) };
    let outcome = engine.go(&start, &limits, &Control::default(), &mut |_| {}).unwrap();
    assert_eq!(outcome.best, Some(wanted));
}

#[test]
fn several_lines_are_distinct_and_sorted_best_first() {
    let mut engine = Engine::new(1, 4).unwrap();
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let (_, lines) = search(&mut engine, fen, &Limits { lines: 4, ..Limits::depth(7) });
    let last: Vec<_> = lines[lines.len() - 4..].iter().collect();
    assert_eq!(last.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));
    let moves: HashSet<_> = last.iter().map(|line| line.moves[0]).collect();
    assert_eq!(moves.len(), 4);
}

#[test]
fn a_line_stopped_after_a_fail_low_is_ranked_below_finished_lines() {
    let mut engine = Engine::new(1, 4).unwrap();
    for fen in [
        "r3brkn/1p5p/2p2Ppq/2Pp3B/3Pp2Q/4P1R1/6PP/5R1K w - - 0 1",
        "r5k1/pb2rpp1/1p6/2p4q/5R2/2PB2Q1/P1P3PP/5R1K w - - 0 1",
    ] {
        for nodes in (3_000..18_000).step_by(211) {
            engine.new_game();
            let limits = Limits { lines: 3, ..Limits::nodes(nodes) };
            let (outcome, lines) = search(&mut engine, fen, &limits);
            let last = &lines[lines.len() - 3..];
            assert_eq!(outcome.best, Some(last[0].moves[0]));
            let finished = |line: &&Line| line.depth == last[0].depth && line.bound == Bound::Exact;
            let failed_low = last[0].bound == Bound::Upper;
            assert!(!failed_low || last[1..].iter().find(finished).is_none(), "{nodes}: {last:#?}");
        }
    }
}

#[test]
fn a_move_back_to_a_position_seen_twice_is_a_draw() {
    let queen_ahead = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let mut game = position(queen_ahead);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        game.push(notation::parse_move(game.chess(), text).unwrap());
    }
    let back = notation::parse_move(game.chess(), "f6g8").unwrap();
    let mut engine = Engine::new(1, 1).unwrap();
    let limits = Limits { search_moves: vec![back], ..Limits::depth(6) };
    let outcome = engine.go(&game, &limits, &Control::default(), &mut |_| {}).unwrap();
    assert_eq!(outcome.score, Score::DRAW);
    let unseen = Position::new(game.chess().clone());
    let outcome = engine.go(&unseen, &limits, &Control::default(), &mut |_| {}).unwrap();
    assert!(outcome.score > Score::DRAW, "{:?}", outcome.score);
}

#[test]
fn pondering_waits_for_the_ponder_hit_and_an_infinite_search_for_the_stop() {
    let mut engine = Engine::new(1, 1).unwrap();
    for infinite in [false, true] {
        let control = Arc::new(Control::default());
        let limits = Limits { infinite, ponder: !infinite, ..Limits::depth(1) };
        let listener = Arc::clone(&control);
        let (sender, done) = mpsc::channel();
        thread::scope(|scope| {
            let engine = &mut engine;
            scope.spawn(move || {
                engine.go(&Position::default(), &limits, &listener, &mut |_| {}).unwrap();
                sender.send(()).unwrap();
            });
            assert!(done.recv_timeout(Duration::from_millis(200)).is_err());
            if infinite {
                control.stop()
            } else {
                control.ponder_hit()
            }
            done.recv_timeout(Duration::from_secs(20)).unwrap();
        });
    }
}

#[test]
fn time_limits_apply_after_the_ponder_hit_or_at_once_if_time_is_short() {
    let engine = Engine::new(1, 1).unwrap();
    for (milliseconds, at_once) in [(60_000, false), (90, true)] {
        let control = Control::default();
        let remaining = Duration::from_millis(milliseconds);
        let clock = ClockTime { remaining, increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
        let shared = Shared::new(&engine.table, &limits, &control, 1, &Position::default());
        assert_eq!(shared.time_limits_apply(), at_once);
        control.ponder_hit();
        assert!(shared.time_limits_apply());
    }
}

#[test]
fn a_search_of_a_few_milliseconds_reports_one_line() {
    let mut engine = Engine::new(1, 1).unwrap();
    let mut lines = 0;
    let limits = Limits::move_time(Duration::from_millis(10));
    let mut count = |report| lines += usize::from(matches!(report, Report::Line(_)));
    engine.go(&Position::default(), &limits, &Control::default(), &mut count).unwrap();
    assert_eq!(lines, 1);
}

#[test]
fn wrong_table_entries_cause_no_illegal_move_and_no_empty_line() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::new(1, 1).unwrap();
    let root = position(fen);
    // Stores random moves, scores and bounds for the root, its children and its grandchildren.
    let mut stored = 0_u64;
    let mut store_random = |board: &Board, engine: &Engine| {
        stored += 1;
        let noise = stored.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = TableEntry {
            mv: PackedMove::from_bits((noise >> 40) as u16 | 1),
            score: Score::new((noise >> 8) as i32 % 500),
            bound: [Bound::Lower, Bound::Upper][stored as usize % 2],
            depth: Depth::new(1),
            evaluation: Some(Score::new((noise >> 20) as i32 % 500)),
            tt_pv: stored.is_multiple_of(3),
        };
        engine.table.store(board.key(), Ply::ROOT, entry);
    };
    let children = |board: &Board| {
        let after = |mv| {
            let mut child = board.clone();
            child.play(mv);
            child
        };
        board.legal_moves().into_iter().map(after).collect::<Vec<_>>()
    };
    store_random(root.board(), &engine);
    for child in children(root.board()) {
        store_random(&child, &engine);
        for grandchild in children(&child) {
            store_random(&grandchild, &engine);
        }
    }
    let (outcome, lines) = search(&mut engine, fen, &Limits::depth(8));
    assert!(root.chess().is_legal(outcome.best.unwrap()));
    assert!(lines.iter().all(|line| !line.moves.is_empty()));
}

#[test]
fn flipped_bits_in_the_table_make_no_illegal_move() {
    let mut engine = Engine::new(2, 1).unwrap();
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ] {
        for _ in 0..4 {
            let (outcome, lines) = search(&mut engine, fen, &Limits::nodes(30_000));
            assert!(position(fen).chess().is_legal(outcome.best.unwrap()));
            for line in lines {
                let mut chess = position(fen).chess().clone();
                for mv in line.moves {
                    assert!(chess.is_legal(mv), "{fen}: {mv}");
                    chess.play_unchecked(mv);
                }
            }
            engine.table.flip_bits();
        }
    }
}

#[test]
fn the_last_line_of_several_threads_shows_the_winner_of_the_vote() {
    let mut engine = Engine::new(4, 4).unwrap();
    for fen in [
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    ] {
        for nodes in [2_000, 20_000, 100_000] {
            let (outcome, lines) = search(&mut engine, fen, &Limits::nodes(nodes));
            let last = lines.last().expect("a line is reported");
            assert!(lines.is_sorted_by_key(|line| line.depth), "{fen}");
            assert_eq!(outcome.best, last.moves.first().copied(), "{fen}");
            assert!(last.bound != Bound::Exact || outcome.score == last.score, "{fen}");
        }
    }
}

#[test]
fn a_search_on_the_calling_thread_gives_the_same_result() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let limits = Limits::nodes(5_000);
    let mut engine = Engine::new(1, 4).unwrap();
    let (expected, _) = search(&mut engine, fen, &limits);
    let caller = Engine::thread("caller");
    let found = caller.spawn(move || {
        let mut engine = Engine::new(1, 4).unwrap();
        engine.go_on_this_thread(&position(fen), &limits, &Control::default(), None);
        engine.new_game();
        engine.go_on_this_thread(&position(fen), &limits, &Control::default(), None)
    });
    let found = found.unwrap().join().unwrap();
    assert_eq!(
        (found.best, found.score, found.nodes),
        (expected.best, expected.score, expected.nodes)
    );
}

#[test]
fn a_limit_of_nodes_is_exact() {
    let mut engine = Engine::new(1, 4).unwrap();
    for nodes in [1_000, 5_000, 50_000] {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let (outcome, _) = search(&mut engine, fen, &Limits::nodes(nodes));
        assert_eq!(outcome.nodes, nodes);
    }
}

#[test]
fn no_iteration_begins_after_the_soft_limit_of_nodes() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let mut engine = Engine::new(1, 4).unwrap();
    let (_, lines) = search(&mut engine, fen, &Limits::depth(12));
    let caller = Engine::thread("caller");
    let searched = caller.spawn(move || {
        let mut engine = Engine::new(1, 4).unwrap();
        for soft_nodes in [1, 300, 1_000, 2_500, 10_000] {
            engine.new_game();
            let limits = Limits { soft_nodes: Some(soft_nodes), ..Limits::default() };
            let outcome =
                engine.go_on_this_thread(&position(fen), &limits, &Control::default(), None);
            let last = lines
                .iter()
                .find(|line| line.progress.nodes >= soft_nodes)
                .expect("a line with so many nodes");
            assert_eq!(
                (outcome.depth, outcome.nodes),
                (last.depth, last.progress.nodes),
                "{soft_nodes}"
            );
        }
    });
    searched.unwrap().join().unwrap();
}

#[test]
fn helpers_search_and_the_main_thread_reports_the_nodes_of_all() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let reported = |threads| {
        let mut engine = Engine::new(threads, 4).unwrap();
        let (outcome, lines) = search(&mut engine, fen, &Limits::depth(9));
        let last = lines.last().unwrap();
        assert_eq!(last.depth, Depth::new(9));
        assert!(outcome.nodes >= last.progress.nodes);
        last.progress.nodes
    };
    let alone = reported(1);
    // A helper may get no processor until the search is over, but not every time.
    assert!((0..100).any(|_| reported(3) > alone * 3 / 2));
}

#[test]
fn helpers_that_use_up_all_nodes_leave_a_searched_move() {
    let mate_in_one = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let mut engine = Engine::new(16, 4).unwrap();
    for _ in 0..200 {
        engine.new_game();
        let outcome = search(&mut engine, mate_in_one, &Limits::nodes(1_000)).0;
        assert_eq!(outcome.score.mate_moves(), Some(1), "{outcome:?}");
    }
}

#[test]
fn a_new_network_is_used_and_clears_the_data_of_the_previous_one() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::new(1, 4).unwrap();
    let built_in = search(&mut engine, fen, &Limits::depth(8)).0.nodes;
    let material = Arc::new(Network::new(&NetworkWeights::material()).unwrap());
    engine.set_network(Arc::clone(&material));
    let by_material = search(&mut engine, fen, &Limits::depth(8)).0.nodes;
    assert_ne!(by_material, built_in);
    engine.set_threads(2).unwrap();
    assert_eq!(engine.network().checksum(), material.checksum());
    engine.set_threads(1).unwrap();
    engine.set_network(Network::built_in());
    assert_eq!(search(&mut engine, fen, &Limits::depth(8)).0.nodes, built_in);
}
