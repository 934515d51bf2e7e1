//! The move tree: published counts are reached, and at every node the incrementally updated keys
//! equal those computed from scratch.

use std::collections::HashMap;

use outrider_engine::perft::perft;
use outrider_engine::perft::run;
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::position::{Board, Key, Keys};
use outrider_engine::search::Control;
use shakmaty::{Chess, Position as _};

use crate::support::epd::read_perft;
use crate::support::games::SHARP;

/// Published counts at depths that allow checks at every node: from the pages "Perft Results" and
/// "Chess960 Perft Results" of the Chess Programming Wiki.
const WALKS: [(&str, u32, u64); 8] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182_838),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12_189),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 3, 18_002),
];

fn board(fen: &str) -> Board {
    Board::new(parse_fen_any(fen).unwrap_or_else(|error| panic!("{error}")))
}

/// Counts leaves like perft, and checks all incrementally updated data of a board at every node.
fn checked_walk(board: &Board, depth: u32) -> u64 {
    let chess = board.chess();
    assert_eq!(*board.keys(), Keys::from_scratch(chess), "{chess:?}");
    assert_eq!(board.checkers(), chess.checkers(), "{chess:?}");
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in board.legal_moves() {
        let announced = board.key_after(mv);
        let mut child = board.clone();
        child.play(mv);
        assert_eq!(announced, child.key(), "{mv:?} in {chess:?}");
        leaves += checked_walk(&child, depth - 1);
    }
    leaves
}

#[test]
fn keys_equal_those_from_scratch_at_every_node_of_published_perfts() {
    for (fen, depth, leaves) in WALKS {
        assert_eq!(checked_walk(&board(fen), depth), leaves, "{fen}");
    }
}

#[test]
fn keys_equal_those_from_scratch_in_positions_with_special_rules() {
    for fen in SHARP {
        checked_walk(&board(fen), 3);
    }
}

/// Counts each position of a suite to the greatest depth within its share of `budget` nodes, at
/// least to the first depth.
fn count_suite(file: &str, budget: u64) {
    let cases = read_perft(file);
    let share = budget / cases.len() as u64;
    for case in cases {
        let board = Board::new(parse_fen_any(&case.fen).unwrap_or_else(|e| panic!("{e}")));
        let (first, others) = case.counts.split_first().expect("a line has counts");
        let affordable = others.iter().filter(|(_, leaves)| *leaves <= share);
        for &(depth, leaves) in std::iter::once(first).chain(affordable) {
            assert_eq!(perft(&board, depth), leaves, "{} at depth {depth}", case.place);
        }
    }
}

#[test]
fn the_counts_of_the_standard_perft_suite_are_reached() {
    count_suite("perft.epd", 100_000_000);
}

#[test]
fn the_counts_of_the_chess960_perft_suite_are_reached() {
    count_suite("perft-chess960.epd", 100_000_000);
}

#[test]
fn the_counts_of_the_root_moves_add_up() {
    for fen in SHARP {
        let board = board(fen);
        let mut shares = Vec::new();
        let summary =
            run(&board, 3, &Control::default(), &mut |share| shares.push((share.mv, share.nodes)));
        let moves: Vec<_> = shares.iter().map(|(mv, _)| *mv).collect();
        assert_eq!(moves, board.legal_moves().to_vec());
        assert_eq!(shares.iter().map(|(_, count)| count).sum::<u64>(), perft(&board, 3));
        assert_eq!(summary.map(|summary| summary.nodes), Some(perft(&board, 3)));
    }
    assert_eq!(perft(&board(SHARP[0]), 0), 1);
}

/// Collects the positions of a tree with their keys; a position seen before is not searched deeper.
fn collect_keys(board: &Board, depth: u32, seen: &mut HashMap<Chess, Key>) {
    if let Some(&key) = seen.get(board.chess()) {
        assert_eq!(key, board.key(), "two keys for {:?}", board.chess());
    }
    seen.insert(board.chess().clone(), board.key());
    if depth == 0 {
        return;
    }
    for mv in board.legal_moves() {
        let mut child = board.clone();
        child.play(mv);
        collect_keys(&child, depth - 1, seen);
    }
}

#[test]
fn transpositions_have_the_same_key_and_different_positions_have_different_keys() {
    for fen in SHARP.into_iter().chain([WALKS[0].0]) {
        let mut seen = HashMap::new();
        collect_keys(&board(fen), 3, &mut seen);
        let keys: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(keys.len(), seen.len(), "{fen}");
    }
}
