//! Perft: the number of leaves of the legal move tree, the classic check of move generation.

use shakmaty::Move;

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
    moves.into_iter().map(|mv| perft(&after(board, mv), depth - 1)).sum()
}

/// The count below each legal move, in generation order; `depth` counts the move itself and is at
/// least 1.
pub fn divide(board: &Board, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
    let below = depth.saturating_sub(1);
    board.legal_moves().into_iter().map(move |mv| (mv, perft(&after(board, mv), below)))
}

fn after(board: &Board, mv: Move) -> Board {
    let mut child = board.clone();
    child.play(mv);
    child
}
