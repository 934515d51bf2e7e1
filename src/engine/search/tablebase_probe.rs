//! Endgame tables (tablebases) in the search: the result of a position with few pieces that was
//! just reached by a capture or pawn move is known without a search.
//!
//! The tables that are probed here know results only, for a fifty-move count of zero, and not how
//! far a win is. A win so found is worth less than any mate, and the nearer to the root the more.
//! At the root itself moves are ranked by distance, see `tablebases/ranking.rs`; then the search
//! probes nothing and is free to find the mate.

use shakmaty::Position as _;
use shakmaty_syzygy::Wdl;

use super::node::{NodeType, TablebaseScore};
use super::report::Bound;
use super::table::TableEntry;
use super::worker::Worker;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Plies by which a result of the tables counts as deeper than the search of the node.
const DEEPER: i32 = 6;

impl Worker<'_> {
    /// Looks a node up in the tables. `None` if it must not be looked up or they do not know it.
    pub(super) fn probe_tablebases<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
    ) -> Option<TablebaseScore> {
        let board = self.position.board();
        let max_pieces = self.shared.probe_max_pieces;
        // In nearly all searches the first two conditions return. The tables do not know the
        // fifty-move count, so they are probed only where it is zero.
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
        // A table may have been waited for: the disk is slow.
        self.poll_at_next_node();
        Some(tablebase_score(result, ply, rules.fifty_move_rule))
    }

    /// Stores a score of the endgame tables, so that the next visit need not probe them.
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
