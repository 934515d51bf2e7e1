//! Tests of each enhancement in positions where its effect is known beforehand.

use super::*;
use crate::chess::table::PositionBounds;
use crate::{INFINITY, Pass};

/// Black has two king moves and two pawn moves, and after each of them the rook mates on the eighth
/// rank. There are no captures.
const ROOK_MATES_NEXT: &str = "6k1/8/3P2K1/2p5/7p/8/8/R7 b - - 0 1";
/// The same position with White to move.
const ROOK_MATES: &str = "6k1/8/3P2K1/2p5/7p/8/8/R7 w - - 0 1";

const ALPHABETA: Method = Method::bare(BaseAlgorithm::AlphaBeta);

/// Index of the first move that mates.
fn place_of_mate(node: &ChessNode) -> usize {
    let mates = |&mv: &_| {
        let mut after = node.board().chess().clone();
        after.play_unchecked(mv);
        after.is_checkmate()
    };
    node.moves().all().iter().position(mates).expect("there is a mate")
}

fn leaves(tree: &ChessTree, method: &Method) -> usize {
    let mut leaves = Leaves::default();
    solve(tree, method, &mut leaves);
    leaves.0.len()
}

/// One search of the root.
struct RootSearch {
    depth: usize,
    window: Window,
    /// Indices of the moves in search order.
    moves: Vec<usize>,
}

/// All searches of the root.
#[derive(Default)]
struct RootSearches(Vec<RootSearch>);

impl RootSearches {
    fn record(tree: &ChessTree, method: &Method) -> Vec<RootSearch> {
        let mut searches = RootSearches::default();
        solve(tree, method, &mut searches);
        searches.0
    }
}

impl Observer<ChessTree> for RootSearches {
    fn enter(&mut self, tree: &ChessTree, node: &ChessNode, window: Window, _pass: Pass) {
        match (tree.ply(node), self.0.last_mut()) {
            (0, _) => self.0.push(RootSearch { depth: tree.height(), window, moves: Vec::new() }),
            (1, Some(search)) => search.moves.extend(tree.root().step_towards(tree.rank(node))),
            _ => {}
        }
    }
}

#[test]
fn killers_and_history_first_try_the_quiet_move_that_refuted_the_previous_move() {
    let tree = ChessTree::new(chess(ROOK_MATES_NEXT), 2);
    let root = tree.root();
    let replies: Vec<ChessNode> = (0..tree.width(&root)).map(|n| tree.child(&root, n)).collect();
    let until_mate: Vec<usize> = replies.iter().map(|reply| place_of_mate(reply) + 1).collect();
    // After the first move all replies are searched, because no bound exists yet. After each other
    // move the mate refutes: at its place in the order, or at once when it is known.
    let first = tree.width(&replies[0]);
    let in_order = first + until_mate[1..].iter().sum::<usize>();
    let learned = first + until_mate[1] + (replies.len() - 2);
    assert!(learned < in_order);
    assert_eq!(leaves(&tree, &ALPHABETA), in_order);
    assert_eq!(leaves(&tree, &Method { killers: true, ..ALPHABETA }), learned);
    assert_eq!(leaves(&tree, &Method { history: true, ..ALPHABETA }), learned);
}

#[test]
fn iterative_deepening_begins_with_the_best_move_of_the_previous_depth() {
    let tree = ChessTree::new(chess(ROOK_MATES), 2);
    let mate = place_of_mate(&tree.root());
    assert!(mate > 0);
    let deepening = Method { iterative_deepening: true, ..ALPHABETA };
    let searches = RootSearches::record(&tree, &deepening);
    let begins: Vec<_> = searches.iter().map(|search| (search.depth, search.moves[0])).collect();
    assert_eq!(begins, [(1, 0), (2, mate)]);
}

#[test]
fn with_moves_in_the_table_a_pass_begins_with_the_refuting_move_of_the_previous_pass() {
    let tree = ChessTree::new(chess(ROOK_MATES), 1);
    for (table, goes_on) in [(TableUse::Bounds, false), (TableUse::BoundsAndMoves, true)] {
        let passes = RootSearches::record(&tree, &Method::bare(BaseAlgorithm::MtdF).with(table));
        let upward = passes.windows(2).filter(|pair| pair[1].window.alpha > pair[0].window.alpha);
        let mut refuted_late = false;
        for pair in upward {
            let refuting = *pair[0].moves.last().expect("some move was searched");
            refuted_late |= refuting > 0;
            assert_eq!(pair[1].moves[0], if goes_on { refuting } else { 0 });
        }
        assert!(refuted_late, "a later move in the order refuted a pass");
    }
}

#[test]
fn an_enhanced_cutoff_evaluates_no_leaf_if_the_table_has_a_refuting_move() {
    let tree = ChessTree::new(chess(ROOK_MATES), 2);
    let mated = tree.child(&tree.root(), place_of_mate(&tree.root()));
    let value = plain_negamax(mated.board().chess(), 1);
    let search = |enhanced_cutoffs| {
        let mut state = search::SearchState::default();
        state.table.store(
            mated.key(),
            1,
            PositionBounds { lower: value, upper: value, best: None },
        );
        let method = Method { enhanced_cutoffs, ..ALPHABETA.with(TableUse::Bounds) };
        let mut leaves = Leaves::default();
        let window = Window::above(0);
        let found = search::ChessSearch::new(&tree, &method, &mut state, &mut leaves).pass(window);
        assert!(found >= window.beta);
        leaves.0.len()
    };
    assert_eq!(search(true), 0);
    assert!(search(false) > 0);
}

#[test]
fn aspiration_begins_around_the_expected_value_and_continues_on_the_side_that_failed() {
    let width = 30;
    let method = Method { iterative_deepening: true, aspiration: Some(width), ..ALPHABETA };
    for fen in POSITIONS {
        let tree = ChessTree::new(chess(fen), 3);
        let values = [1, 2, 3].map(|depth| alphabeta(&tree.to_depth(depth)));
        let estimate = tree.estimate(&tree.root()).expect("every position has an estimate");
        let searches = RootSearches::record(&tree, &method);
        // The value of the depth before the last one is expected, or that of the last if there is
        // none.
        let expected = [estimate, values[0], values[0]];
        for (depth, (expected, value)) in (1..).zip(expected.into_iter().zip(values)) {
            let of_depth = searches.iter().filter(|search| search.depth == depth);
            let windows: Vec<Window> = of_depth.map(|search| search.window).collect();
            assert_eq!(windows[0], Window::new(expected - width, expected + width), "{fen}");
            let beyond = match windows[1..] {
                [] => (value - expected).abs() < width,
                [Window { alpha, beta: INFINITY }] => alpha >= expected + width && alpha <= value,
                [Window { alpha, beta }] => {
                    alpha == -INFINITY && beta <= expected - width && value <= beta
                }
                _ => false,
            };
            assert!(beyond, "{fen} to depth {depth}: {windows:?}");
        }
    }
}
