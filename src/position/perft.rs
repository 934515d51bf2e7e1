//! Perft: the number of leaves of the legal move tree, the classic check of move generation.

use super::board::Board;

/// Counts the move sequences of exactly `depth` plies. The last ply is counted without being
/// played.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = moves.into_iter().map(|mv| {
        let mut child = board.clone();
        child.play(mv);
        perft(&child, depth - 1)
    });
    below.sum()
}
