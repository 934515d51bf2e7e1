//! Endgame tables (tablebases) in the search. They know the result of a position with few pieces,
//! just after a capture or pawn move, without a search.
//!
//! The tables probed here know only the result, for a fifty-move count of zero, and not the
//! distance of a win. Such a win scores less than any mate, and more the nearer it is to the root.
//! At the root, moves are ranked by distance (see `tablebases/ranking.rs`). Then the search probes
//! nothing, so that it can find the mate.

use shakmaty::Position as _;
use shakmaty_syzygy::Wdl;

use super::node::{NodeType, TablebaseScore};
use super::report::Bound;
use super::table::TableEntry;
use super::worker::Worker;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Plies added to the depth of a node for the table entry of its endgame table result.
const DEEPER: i32 = 6;

impl Worker<'_> {
    /// Probes the endgame tables. Returns `None` if the rules do not allow a probe or the tables do
    /// not know the position.
    pub(super) fn probe_tablebases<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
    ) -> Option<TablebaseScore> {
        let board = self.position.board();
        let max_pieces = self.shared.probe_max_pieces;
        // In nearly all searches, one of the first two conditions is true. The tables do not know
        // the fifty-move count, so they are probed only if it is zero.
        if N::ROOT || max_pieces == 0 || board.halfmoves() > 0 {
            return None;
        }
        let (chess, rules) = (board.chess(), &self.shared.limits.tablebases);
        let pieces = chess.board().occupied().count();
        let deep_enough = pieces < max_pieces || depth >= Depth::new(rules.min_depth);
        if pieces > max_pieces || !deep_enough || chess.castles().any() {
            return None;
        }
        let result = self.shared.tablebases?.result(chess)?;
        self.tablebase_hits += 1;
        // The probe may have waited for the disk.
        self.poll_at_next_node();
        Some(tablebase_score(result, ply, rules.fifty_move_rule))
    }

    /// Stores a score of the endgame tables, so that the next visit needs no probe.
    pub(super) fn store_tablebase_score(
        &self,
        tablebase_score: TablebaseScore,
        depth: Depth,
        ply: Ply,
        tt_pv: bool,
    ) {
        let TablebaseScore { score, bound } = tablebase_score;
        let depth = Depth::new((depth.plies() + DEEPER).min(MAX_PLY as i32));
        let entry = TableEntry { mv: None, score, bound, depth, evaluation: None, tt_pv };
        self.shared.table.store(self.position.board().key(), ply, entry);
    }
}

/// Converts a result of the endgame tables to a score for the side to move.
fn tablebase_score(result: Wdl, ply: Ply, fifty_move_rule: bool) -> TablebaseScore {
    let win = Score::tablebase_win_in(ply);
    let (score, bound) = match result {
        Wdl::Win => (win, Bound::Lower),
        Wdl::Loss => (-win, Bound::Upper),
        Wdl::CursedWin if !fifty_move_rule => (win, Bound::Lower),
        Wdl::BlessedLoss if !fifty_move_rule => (-win, Bound::Upper),
        Wdl::CursedWin => (Score::DRAW + 1, Bound::Exact),
        Wdl::BlessedLoss => (Score::DRAW - 1, Bound::Exact),
        Wdl::Draw => (Score::DRAW, Bound::Exact),
    };
    TablebaseScore { score, bound }
}
