//! Endgame tables in the search: a position that was just reached by a capture or pawn move, and
//! has few pieces, need not be searched to know its result.
//!
//! The tables that are asked here know results only, with the fifty-move count at zero; how far a
//! win is they do not say. A win so found is worth less than any mate, and the nearer to the root
//! the more. At the root itself moves are ranked by distance, see `tablebases/ranking.rs`; then the
//! search looks nothing up and is free to find the mate.

use std::time::Instant;

use shakmaty::{Move, Position as _};
use shakmaty_syzygy::Wdl;

use super::node::NodeType;
use super::report::Bound;
use super::table::TableEntry;
use super::window::ScoreWindow;
use super::worker::Worker;
use crate::engine::units::{Depth, MAX_PLY, Ply, Score};

/// What the tables say is as good as a search that is deeper by this number of plies.
const DEEPER: i32 = 6;

/// What the tables say of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseScore {
    /// The score.
    pub score: Score,
    /// What it means: a win may still be a mate, which is better, and a loss too.
    pub bound: Bound,
}

impl TablebaseScore {
    /// Whether nothing is left to be searched for with this window.
    pub fn settles(self, window: ScoreWindow) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

impl Worker<'_> {
    /// Asks the tables about a node. `None` where they are not to be asked or do not know.
    pub fn probe_tablebases<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
    ) -> Option<TablebaseScore> {
        let board = self.position.board();
        let max_pieces = self.shared.probe_max_pieces;
        // Nearly always the first of these ends it.
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
        Some(known(result, ply, rules.fifty_move_rule))
    }

    /// Writes down what the tables said of a node, so that the next visit need not ask.
    pub fn store_known(&self, known: TablebaseScore, depth: Depth, ply: Ply, tt_pv: bool) {
        let TablebaseScore { score, bound } = known;
        let depth = Depth::new((depth.plies() + DEEPER).min(MAX_PLY as i32));
        let entry = TableEntry { mv: None, score, bound, depth, evaluation: None, tt_pv };
        self.shared.table.store(self.position.board().key(), ply, entry);
    }

    /// The line of a win by the tables for the root move at this place, to the end of the game if
    /// they know how: from the first move on that gives the win away, best play.
    pub fn line_by_tablebases(&mut self, index: usize, score: Score) -> Vec<Move> {
        let mut position = self.position.clone();
        let found = self.root_moves[index].playable_line(&mut position);
        let (Some(tablebases), rules) = (self.shared.tablebases, &self.shared.limits.tablebases)
        else {
            return found;
        };
        position = self.position.clone();
        let mut moves = Vec::with_capacity(MAX_PLY);
        for mv in found {
            let winner_moves = score.is_win() == moves.len().is_multiple_of(2);
            let checks = winner_moves && tablebases.can_probe(&position, rules);
            if checks && tablebases.wins_by(&mut position, mv, rules) == Some(false) {
                break;
            }
            position.push(mv);
            moves.push(mv);
        }
        let began = Instant::now();
        while moves.len() < MAX_PLY
            && self.time_for_lines.is_none_or(|time| began.elapsed() < time)
            && tablebases.can_probe(&position, rules)
            && !position.is_drawn(Ply::ROOT)
        {
            // A search reports the same line many times, and following it in the tables is slow.
            let key = position.board().key();
            let known = self.tablebase_moves.get(&key).copied();
            let Some(mv) = known.or_else(|| tablebases.best_move(&mut position, rules)) else {
                break;
            };
            self.tablebase_moves.insert(key, mv);
            position.push(mv);
            moves.push(mv);
        }
        if let Some(time) = &mut self.time_for_lines {
            *time = time.saturating_sub(began.elapsed());
        }
        moves
    }
}

fn known(result: Wdl, ply: Ply, fifty_move_rule: bool) -> TablebaseScore {
    let win = Score::table_win_in(ply);
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
