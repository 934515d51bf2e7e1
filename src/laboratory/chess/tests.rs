//! The tree is the game tree, and every method finds the minimax value.

mod enhancements;

use std::collections::HashSet;

use proptest::prelude::*;
use shakmaty::{Chess, Position as _};

use super::tree::MATE;
use super::*;
use crate::algorithms::{Algorithm, AlgorithmSettings, alphabeta_soft};
use crate::{GameTree, Observer, Value, Window};
use outrider_engine::position::notation::{parse_fen_any, parse_move};

const OPENING: &str = "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1";
const PROMOTION: &str = "8/4P1k1/8/5pP1/8/8/6K1/3r4 w - f6 0 1";
const MATE_IN_TWO: &str = "6k1/8/5K2/8/8/8/8/R7 w - - 0 1";
const STALEMATE_NEAR: &str = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
const POSITIONS: [&str; 4] = [OPENING, PROMOTION, MATE_IN_TWO, STALEMATE_NEAR];

fn chess(fen: &str) -> Chess {
    parse_fen_any(fen).unwrap()
}

fn alphabeta(tree: &ChessTree) -> Value {
    alphabeta_soft::solve(tree, Window::FULL, &mut ())
}

/// Negamax with shakmaty alone.
fn plain_negamax(chess: &Chess, remaining: usize) -> Value {
    let moves = chess.legal_moves();
    if moves.is_empty() {
        return if chess.is_check() { -MATE - remaining as Value } else { 0 };
    }
    if remaining == 0 {
        return static_value::static_value(chess);
    }
    let after = |&mv| {
        let mut child = chess.clone();
        child.play_unchecked(mv);
        -plain_negamax(&child, remaining - 1)
    };
    moves.iter().map(after).max().unwrap()
}

/// All combinations of switches that differ in their effect.
fn methods() -> Vec<Method> {
    let algorithms = [
        BaseAlgorithm::AlphaBeta,
        BaseAlgorithm::NegaScout,
        BaseAlgorithm::PrincipalVariation,
        BaseAlgorithm::MtdF,
        BaseAlgorithm::SssStar,
    ];
    let mut methods = Vec::new();
    for base_algorithm in algorithms {
        for table in [TableUse::None, TableUse::Bounds, TableUse::BoundsAndMoves] {
            for switches in 0..32 {
                let on = |bit: u32| switches & (1 << bit) != 0;
                methods.push(Method {
                    base_algorithm,
                    table,
                    iterative_deepening: on(0),
                    killers: on(1),
                    history: on(2),
                    enhanced_cutoffs: on(3),
                    aspiration: on(4).then_some(30),
                });
            }
        }
    }
    methods
}

#[test]
fn the_value_is_that_of_plain_minimax() {
    for fen in POSITIONS {
        for depth in 0..=3 {
            let tree = ChessTree::new(chess(fen), depth);
            let value = plain_negamax(&chess(fen), depth);
            assert_eq!(alphabeta(&tree), value, "{fen} to depth {depth}");
        }
    }
}

#[test]
fn every_legal_move_is_one_child() {
    for fen in POSITIONS {
        let tree = ChessTree::new(chess(fen), 1);
        let root = tree.root();
        let children: HashSet<Chess> = (0..tree.width(&root))
            .map(|index| tree.child(&root, index).board().chess().clone())
            .collect();
        let after = |&mv| chess(fen).play(mv).unwrap();
        let expected: HashSet<Chess> = chess(fen).legal_moves().iter().map(after).collect();
        assert_eq!(children, expected);
        assert_eq!(tree.width(&root), expected.len());
    }
}

#[test]
fn good_captures_come_first_and_losing_captures_last() {
    // Rook takes queen, pawn takes knight, rook takes a protected pawn.
    let fen = "6k1/2p5/3p4/3R3q/2n5/1P6/8/6K1 w - - 0 1";
    let tree = ChessTree::new(chess(fen), 1);
    let root = tree.root();
    let moves = root.moves();
    let places = ["d5h5", "b3c4", "d5d6"].map(|text| {
        let mv = parse_move(&chess(fen), text).unwrap();
        moves.all().iter().position(|&other| other == mv).unwrap()
    });
    assert_eq!(places, [0, 1, moves.all().len() - 1]);
    assert!(moves.quiet().all(|place| !moves.all()[place].is_capture()));
}

#[test]
fn a_faster_mate_is_worth_more_and_stalemate_is_worth_zero() {
    let solve = |fen, depth| alphabeta(&ChessTree::new(chess(fen), depth));
    // The rook mates on the eighth rank at once, with two of four plies unused below it.
    let mate_in_one = "6k1/8/6K1/8/8/8/8/R7 w - - 0 1";
    assert_eq!(solve(mate_in_one, 1), MATE);
    assert_eq!(solve(mate_in_one, 3), MATE + 2);
    assert!(solve(MATE_IN_TWO, 2) < MATE);
    assert_eq!(solve(MATE_IN_TWO, 3), MATE);
    assert_eq!(solve(MATE_IN_TWO, 4), MATE + 1);
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(solve(stalemate, 0), 0);
    assert_eq!(solve(stalemate, 3), 0);
    let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    assert_eq!(solve(mated, 0), -MATE);
    assert_eq!(solve(mated, 2), -MATE - 2);
}

#[test]
fn the_value_does_not_depend_on_the_fifty_move_count() {
    let value = |halfmoves| {
        let fen = format!("8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - {halfmoves} 90");
        alphabeta(&ChessTree::new(chess(&fen), 4))
    };
    assert_eq!(value(0), value(99));
}

#[test]
fn rounding_keeps_mates_and_rounds_the_value_of_the_tree() {
    for fen in POSITIONS {
        let tree = ChessTree::new(chess(fen), 3);
        let value = alphabeta(&tree);
        for grain in [1, 7, 100] {
            let expected = if value.abs() >= MATE { value } else { value / grain * grain };
            assert_eq!(alphabeta(&tree.clone().rounded(grain)), expected, "{fen} by {grain}");
        }
    }
}

#[test]
fn ranks_ascend_from_left_to_right_and_identify_the_node() {
    fn walk(tree: &ChessTree, node: &ChessNode, last: &mut Option<u64>, path: &mut Vec<usize>) {
        assert!(*last < Some(tree.rank(node)), "a rank ascends in preorder");
        *last = Some(tree.rank(node));
        let mut on_the_way = tree.root();
        for &step in path.iter() {
            assert_eq!(on_the_way.step_towards(tree.rank(node)), Some(step));
            on_the_way = tree.child(&on_the_way, step);
        }
        assert_eq!(on_the_way.step_towards(tree.rank(node)), None);
        for index in 0..tree.width(node) {
            path.push(index);
            walk(tree, &tree.child(node, index), last, path);
            path.pop();
        }
    }
    let tree = ChessTree::new(chess(PROMOTION), 3);
    walk(&tree, &tree.root(), &mut None, &mut Vec::new());
    let elsewhere = tree.child(&tree.root(), 1);
    assert_eq!(
        elsewhere.step_towards(tree.rank(&tree.child(&tree.child(&tree.root(), 0), 0))),
        None
    );
}

#[test]
fn the_deepest_tree_has_valid_ranks() {
    let tree = ChessTree::new(chess("8/8/8/8/8/7k/7p/7K w - - 0 1"), ChessTree::MAX_DEPTH);
    assert_eq!(alphabeta(&tree), 0);
    let tree = ChessTree::new(chess("k7/8/8/p7/P7/8/8/K7 w - - 0 1"), ChessTree::MAX_DEPTH);
    let mut node = tree.root();
    while !tree.is_leaf(&node) {
        let last = tree.width(&node) - 1;
        let child = tree.child(&node, last);
        assert_eq!(node.step_towards(tree.rank(&child)), Some(last));
        assert!(tree.rank(&child) > tree.rank(&node));
        node = child;
    }
    assert_eq!(tree.ply(&node), ChessTree::MAX_DEPTH);
}

/// Ranks of the evaluated leaves, in order.
#[derive(Default)]
struct Leaves(Vec<u64>);

impl Observer<ChessTree> for Leaves {
    fn evaluate(&mut self, tree: &ChessTree, leaf: &ChessNode, _value: Value) {
        self.0.push(tree.rank(leaf));
    }
}

#[test]
fn every_algorithm_of_the_laboratory_finds_the_value_of_a_chess_tree() {
    for fen in POSITIONS {
        // Best-first searches keep the tree in memory, so the depth is 3 only on narrow trees.
        let deepest = if fen == OPENING { 2 } else { 3 };
        for depth in 0..=deepest {
            let tree = ChessTree::new(chess(fen), depth);
            let value = plain_negamax(&chess(fen), depth);
            for algorithm in Algorithm::ALL {
                let found = algorithm.solve(&tree, &AlgorithmSettings::default(), &mut ());
                assert_eq!(found, value, "{algorithm} on {fen} to depth {depth}");
            }
        }
    }
}

#[test]
fn without_enhancements_the_search_equals_the_laboratorys_algorithms_leaf_by_leaf() {
    for fen in POSITIONS {
        let tree = ChessTree::new(chess(fen), 3);
        for (base_algorithm, algorithm) in [
            (BaseAlgorithm::AlphaBeta, Algorithm::AlphaBetaSoft),
            (BaseAlgorithm::NegaScout, Algorithm::NegaScoutGuarded),
            (BaseAlgorithm::PrincipalVariation, Algorithm::Pvs),
        ] {
            let (mut ours, mut theirs) = (Leaves::default(), Leaves::default());
            solve(&tree, &Method::bare(base_algorithm), &mut ours);
            algorithm.solve(&tree, &AlgorithmSettings::default(), &mut theirs);
            assert_eq!(ours.0, theirs.0, "{algorithm} on {fen}");
        }
    }
}

#[test]
fn no_switch_changes_the_value() {
    for fen in POSITIONS {
        let tree = ChessTree::new(chess(fen), 3);
        let value = alphabeta(&tree);
        for method in methods() {
            assert_eq!(solve(&tree, &method, &mut ()).value, value, "{method:?} on {fen}");
        }
    }
}

#[test]
fn a_table_saves_leaves_and_stores_them() {
    let tree = ChessTree::new(chess(OPENING), 3);
    let mut without = Leaves::default();
    let bare = Method::bare(BaseAlgorithm::AlphaBeta);
    assert_eq!(solve(&tree, &bare, &mut without).remembered, 0);
    let mut with = Leaves::default();
    let solved = solve(&tree, &bare.with(TableUse::Bounds), &mut with);
    assert!(with.0.len() < without.0.len());
    assert!(solved.remembered > with.0.len());
}

#[test]
fn a_right_first_guess_takes_mtd_two_passes() {
    let passes = |depth| {
        let tree = ChessTree::new(chess(OPENING), depth);
        solve(&tree, &Method::bare(BaseAlgorithm::MtdF).with(TableUse::Bounds), &mut ()).passes
    };
    // The guess is the static value, which is the value of a tree of depth 0.
    assert_eq!(passes(0), 2);
    assert!(passes(3) > 2);
}

#[test]
fn the_minimal_tree_of_one_ply_is_every_move() {
    let tree = ChessTree::new(chess(OPENING), 1);
    let minimal = minimal_tree(&tree, alphabeta(&tree));
    let moves = chess(OPENING).legal_moves().len();
    assert_eq!(minimal.leaves, moves as u64);
    assert_eq!(minimal.uniform_leaves(1), moves as f64);
    let leaf = ChessTree::new(chess(OPENING), 0);
    assert_eq!(minimal_tree(&leaf, alphabeta(&leaf)).leaves, 1);
}

#[test]
fn the_minimal_tree_is_a_part_of_what_its_two_proofs_visit() {
    for fen in POSITIONS {
        for depth in 2..=4 {
            let tree = ChessTree::new(chess(fen), depth);
            let value = alphabeta(&tree);
            let minimal = minimal_tree(&tree, value);
            let mut visited = Leaves::default();
            for window in [Window::above(value - 1), Window::above(value)] {
                alphabeta_soft::solve(&tree, window, &mut visited);
            }
            assert!(minimal.positions <= minimal.leaves);
            assert!(minimal.leaves < visited.0.len() as u64, "{fen} to depth {depth}");
        }
    }
}

/// Position after some moves from the start.
fn played(choices: &[usize]) -> Chess {
    let mut chess = Chess::default();
    for &choice in choices {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        chess.play_unchecked(moves[choice % moves.len()]);
    }
    chess
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_method_finds_the_value_of_any_position(
        choices in prop::collection::vec(0..200_usize, 0..80),
        depth in 0..=3_usize,
        method in prop::sample::select(methods()),
        grain in prop::sample::select(vec![1, 10]),
    ) {
        let tree = ChessTree::new(played(&choices), depth).rounded(grain);
        prop_assert_eq!(solve(&tree, &method, &mut ()).value, alphabeta(&tree));
    }

    #[test]
    fn a_window_gets_the_value_or_a_bound(
        choices in prop::collection::vec(0..200_usize, 0..80),
        depth in 0..=2_usize,
        method in prop::sample::select(methods()),
        offset in -200..200_i32,
        width in 1..100_i32,
    ) {
        let tree = ChessTree::new(played(&choices), depth);
        let value = alphabeta(&tree);
        let window = Window::new(value + offset, value + offset + width);
        let mut state = search::SearchState::default();
        let found = search::ChessSearch::new(&tree, &method, &mut state, &mut ()).pass(window);
        if found <= window.alpha {
            prop_assert!(value <= found);
        } else if found >= window.beta {
            prop_assert!(value >= found);
        } else {
            prop_assert_eq!(value, found);
        }
    }

    #[test]
    fn the_tree_of_any_position_has_the_value_of_a_plain_minimax(
        choices in prop::collection::vec(0..200_usize, 0..120),
        depth in 0..=2_usize,
    ) {
        let chess = played(&choices);
        let tree = ChessTree::new(chess.clone(), depth);
        prop_assert_eq!(alphabeta(&tree), plain_negamax(&chess, depth));
    }
}
