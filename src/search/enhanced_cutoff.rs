//! Enhanced transposition cut-offs: before any move is searched, ask the table about every child
//! (Schaeffer and Plaat 1996, "New advances in alpha-beta searching").
//!
//! A child that is already known to be bad enough for the other side refutes this node at the cost
//! of a probe. Probing all children costs time, so it is done only well above the horizon, where a
//! cut-off saves much.

use arrayvec::ArrayVec;
use shakmaty::MoveList;

use super::node::Node;
use super::picker::MAX_MOVES;
use super::report::Bound;
use super::worker::Worker;
use crate::units::Score;

impl Worker<'_> {
    /// A score of at least `beta` that the table proves for one of the moves, if it does.
    pub fn enhanced_cutoff(&self, moves: &MoveList, node: &Node, beta: Score) -> Option<Score> {
        let board = self.position.board();
        // A child that repeats a position or ends the fifty moves is a draw, whatever the table
        // says of it; with few reversible plies behind us neither can be.
        if board.halfmoves() > 80 {
            return None;
        }
        let keys: ArrayVec<_, MAX_MOVES> = moves.iter().map(|&mv| board.key_after(mv)).collect();
        for &key in &keys {
            self.shared.table.prefetch(key);
        }
        keys.into_iter().find_map(|key| {
            let child = self.shared.table.probe(key, node.ply.next(), board.halfmoves() + 1)?;
            let proven = child.bound != Bound::Lower && child.depth + 1 >= node.depth;
            let score = -child.score;
            (proven && score >= beta && !self.position.has_occurred(key)).then_some(score)
        })
    }
}
