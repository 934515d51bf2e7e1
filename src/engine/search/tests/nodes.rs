//! Tests of single nodes of the search, through a worker.

use std::thread;

use super::position;
use crate::evaluation::Network;
use crate::position::notation;
use crate::search::node::{MoveLoop, NullWindow, Pv, ScoreWindow};
use crate::search::shared::Shared;
use crate::search::thread_data::ThreadData;
use crate::search::worker::Worker;
use crate::search::{Control, Engine, Limits, TranspositionTable};
use crate::units::{Depth, MAX_PLY, Ply, Score};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs `work` with the worker of a new search, on a thread with `stack` bytes of stack.
fn with_worker_and_stack<T: Send>(
    fen: &str,
    limits: &Limits,
    stack: usize,
    work: impl FnOnce(&mut Worker) -> T + Send,
) -> T {
    let table = TranspositionTable::new(4).unwrap();
    let control = Control::default();
    let position = position(fen);
    let shared = Shared::new(&table, limits, &control, 1, &position);
    let mut thread_data = ThreadData::new(Network::built_in());
    let work = || work(&mut Worker::new(&shared, &mut thread_data, 0, &position, None));
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(stack);
        builder.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// Runs `work` with the worker of a new search.
fn with_worker<T: Send>(
    fen: &str,
    limits: &Limits,
    work: impl FnOnce(&mut Worker) -> T + Send,
) -> T {
    with_worker_and_stack(fen, limits, Engine::STACK_SIZE, work)
}

/// Makes these moves from the root and returns the ply reached.
fn make_all(worker: &mut Worker, moves: &[&str]) -> Ply {
    for (ply, mv) in moves.iter().enumerate() {
        let mv = notation::parse_move(worker.position.chess(), mv).unwrap();
        worker.make(Ply::new(ply), mv);
    }
    Ply::new(moves.len())
}

#[test]
fn a_former_best_move_is_not_among_the_failed_moves() {
    with_worker(START, &Limits::default(), |worker| {
        let window = ScoreWindow::new(Score::ZERO, Score::new(100));
        let floor = Score::MINUS_INFINITE;
        let mut moves = MoveLoop::new(window, floor, None, Depth::new(4), None);
        let [former_best, worse, best] = ["a2a3", "b2b3", "c2c3"]
            .map(|mv| notation::parse_move(worker.position.chess(), mv).unwrap());
        for (mv, score) in [(former_best, 10), (worse, 5), (best, 100)] {
            let _ = worker.record_score::<Pv>(&mut moves, Ply::new(1), mv, Score::new(score));
        }
        assert_eq!((moves.best_move, &moves.quiets[..]), (Some(best), &[worse][..]));
    });
}

#[test]
fn a_draw_by_repetition_is_seen_one_ply_early() {
    with_worker(START, &Limits::default(), |worker| {
        let ply = make_all(worker, &["e2e4", "g8f6", "g1f3", "f6g8"]);
        let below = ScoreWindow::null(Score::new(-30));
        let score = worker.negascout::<NullWindow>(below, Depth::new(5), ply, false);
        assert!(score.is_ok_and(|score| score == Score::DRAW));
        assert_eq!(worker.nodes, 4, "no move was tried");
    });
}

#[test]
fn a_side_that_can_repeat_scores_at_least_a_draw_even_if_the_move_is_pruned() {
    // White is a queen down and can take back its last move.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    for first in ["g1f3", "g1e2", "f1e2", "f1b5"] {
        with_worker(fen, &Limits::default(), |worker| {
            let ply = make_all(worker, &["e2e4", "g8f6", first, "f6g8"]);
            let open = ScoreWindow::new(Score::new(-900), Score::new(900));
            for depth in 1..6 {
                let score = worker.negascout::<Pv>(open, Depth::new(depth), ply, false);
                let at_least_a_draw = score.is_ok_and(|score| score >= Score::DRAW);
                assert!(at_least_a_draw, "{first}, depth {depth}: {score:?}");
            }
        });
    }
}

#[test]
fn the_fade_with_the_fifty_move_count_is_not_learned_as_an_error() {
    let fen = "4k3/pppp4/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 80 90";
    with_worker(fen, &Limits { fade_scores: true, ..Limits::default() }, |worker| {
        let (ply, depth) = (Ply::new(1), Depth::new(8));
        let raw = worker.raw_evaluation(&worker.attacks());
        let faded = worker.corrected_evaluation(raw, ply);
        assert!(faded < raw);
        let node = worker.enter_node::<Pv>(depth, ply, false, None, None);
        let window = ScoreWindow::new(raw - 2_000, raw + 2_000);
        let mut moves = MoveLoop::new(window, Score::MINUS_INFINITE, None, depth, None);
        moves.best_score = faded;
        worker.record_node::<Pv>(&node, &moves, window.alpha);
        assert_eq!(
            worker.corrected_evaluation(raw, ply),
            faded,
            "the search agreed with the evaluation"
        );
        moves.best_score = faded - 300;
        worker.record_node::<Pv>(&node, &moves, window.alpha);
        assert!(worker.corrected_evaluation(raw, ply) < faded, "the search found less");
    });
}

#[test]
fn a_side_far_ahead_needs_no_search_unless_its_king_cannot_move() {
    let nodes = |fen: &str| {
        with_worker(fen, &Limits::default(), |worker| {
            let window = ScoreWindow::null(Score::ZERO);
            let score =
                worker.negascout::<NullWindow>(window, Depth::new(4), Ply::new(1), true).unwrap();
            assert!(score > Score::ZERO, "{fen}");
            worker.nodes
        })
    };
    let can_move = nodes("6k1/5ppp/8/8/8/7P/5QP1/6RK w - - 0 1");
    let cannot = nodes("6k1/5ppp/8/8/8/8/5QPP/6RK w - - 0 1");
    assert_eq!(can_move, 0);
    assert!(cannot > 0);
}

#[test]
fn a_move_that_gives_check_is_searched_a_ply_deeper() {
    let reached = |mv: &str| {
        with_worker("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", &Limits::default(), |worker| {
            worker.root_depth = Depth::new(8);
            let ply = Ply::new(1);
            let mv = notation::parse_move(worker.position.chess(), mv).unwrap();
            worker.make(ply, mv);
            worker.check_extension(ply, Depth::new(4))
        })
    };
    assert_eq!((reached("d1d8"), reached("d1d7")), (1, 0));
}

#[test]
fn an_eighth_of_the_stack_suffices_for_an_eighth_of_the_greatest_ply() {
    let fen = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    let limits = Limits::nodes(2_000_000);
    let reached = with_worker_and_stack(fen, &limits, Engine::STACK_SIZE / 8, |worker| {
        worker.iterative_deepening();
        worker.root_moves.iter().map(|root_move| root_move.seldepth).max().unwrap()
    });
    assert!(reached >= MAX_PLY / 8, "only {reached} plies were reached");
}

#[test]
fn at_the_greatest_ply_the_search_returns_an_evaluation() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/4q3/3QK2R w - - 0 1",
    ];
    for fen in fens {
        for above in 0..4 {
            let ply = Ply::new(MAX_PLY - above);
            let (evaluation, main, quiescence) =
                with_worker(fen, &Limits::nodes(50_000), |worker| {
                    let evaluation = worker.leaf_evaluation(Ply::ROOT);
                    let main = worker.negascout::<Pv>(ScoreWindow::FULL, Depth::new(9), ply, false);
                    let window = ScoreWindow::null(Score::DRAW);
                    (evaluation, main, worker.quiescence::<NullWindow>(window, ply, None))
                });
            if above == 0 {
                assert_eq!((main, quiescence), (Ok(evaluation), Ok(evaluation)), "{fen}");
            } else {
                assert!(main.is_ok() && quiescence.is_ok(), "{fen}");
            }
        }
    }
}
