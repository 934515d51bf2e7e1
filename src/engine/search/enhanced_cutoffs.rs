//! Enhanced transposition cut-offs (ETC): before any move is searched, the table is probed for
//! every child (Schaeffer and Plaat 1996, "New advances in alpha-beta searching").
//!
//! A child that is already known to be bad enough for the opponent causes a cut-off at the cost of
//! a probe. Probing all children costs time, so it is done only well above the horizon, where a
//! cut-off saves much, and only at expected cut nodes, where it is likely.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::node::{Node, Settled};
use super::parameters;
use super::picker::{MAX_MOVES, MovePicker};
use super::report::Bound;
use super::table::{CHILD_PROBE_MAX_HALFMOVES, TableEntry};
use super::worker::Worker;
use crate::position::PackedMove;
use crate::units::{Depth, Score};

impl Worker<'_> {
    /// A score of at least `beta` that the table proves for one of the moves, if it does; it is
    /// stored for the node itself. The moves that were generated for this go to the picker.
    pub(super) fn enhanced_transposition_cutoff(
        &self,
        node: &Node,
        beta: Score,
        picker: &mut MovePicker,
    ) -> Option<Settled> {
        let board = self.position.board();
        if !node.cut_node
            || node.excluded.is_some()
            || node.depth < Depth::new(parameters::enhanced_cutoff_min_depth())
            || board.halfmoves() > CHILD_PROBE_MAX_HALFMOVES
        {
            return None;
        }
        let moves = board.legal_moves();
        let keys: ArrayVec<_, MAX_MOVES> = moves.iter().map(|&mv| board.key_after(mv)).collect();
        // All of them before the first probe, so that memory loads one while another is on its way.
        for &key in &keys {
            self.shared.table.prefetch(key);
        }
        for (&mv, key) in moves.iter().zip(keys) {
            let child = self.shared.table.probe(key, node.ply.next(), board.halfmoves() + 1);
            if let Some(child) = child
                && child.bound != Bound::Lower
                && child.depth + 1 >= node.depth
                && -child.score >= beta
                // The table's score of a position that would be a repetition is not its score here.
                && !self.position.has_occurred(key)
            {
                self.store_cutoff(node, mv, -child.score);
                return Some(Settled(-child.score));
            }
        }
        picker.provide(&moves, board, &self.thread_data.histories);
        None
    }

    fn store_cutoff(&self, node: &Node, mv: Move, score: Score) {
        let entry = TableEntry {
            mv: Some(PackedMove::new(mv)),
            score,
            bound: Bound::Lower,
            depth: node.depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }
}
