//! Extensions: which moves are searched deeper.
//!
//! Singular extensions are for a move that is much better than all others (Anantharaman, Campbell
//! and Hsu 1990, "Singular extensions: adding selectivity to brute-force searching", in its later
//! form). In today's form only the table's move can be singular: a singular search, without that move, to
//! a smaller depth and with a window below the table's score, finds out whether all others are much
//! worse. If instead another move reaches beta too, two moves do, and the node is settled:
//! multi-cut (Björnsson and Marsland 1998, "Multi-cut pruning in alpha-beta search").
//!
//! Check extensions are for a move that gives check: it leaves few answers, and mates are found by
//! checks (Slate and Atkin 1977, "Chess 4.5").

use shakmaty::Move;

use super::node::{MoveLoop, Node, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::{Stopped, Worker};
use crate::position::{PackedMove, is_tactical};
use crate::units::{Depth, Ply};

/// What a singular search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// Plies by which the move is searched deeper or, if negative, less deep.
    Extension(i32),
    /// Another move reaches beta too: the node fails high.
    MultiCut(Settled),
}

impl Worker<'_> {
    /// Singular extensions, double, triple and negative ones, and multi-cut. A move that is not the
    /// table's, or does not fulfil the conditions, is not extended and needs no search.
    pub(super) fn singular_extension(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        mv: Move,
    ) -> Result<Singular, Stopped> {
        let Some(tt_entry) = self.singular_candidate(node, moves.depth, mv) else {
            return Ok(Singular::Extension(0));
        };
        let beta = moves.window.beta;
        let margin = parameters::singular_margin() * moves.depth.plies() / 16;
        let singular_beta = tt_entry.score - margin;
        let plies = (moves.depth.plies() - 1) * parameters::singular_search_share() / 100;
        self.stack(node.ply).excluded = Some(mv);
        let rest = self.negascout::<NullWindow>(
            ScoreWindow::null(singular_beta - 1),
            Depth::new(plies),
            node.ply,
            node.cut_node,
        );
        self.stack(node.ply).excluded = None;
        let rest = rest?;
        // The move is singular. Double extensions are limited on each path, or the tree explodes.
        if rest < singular_beta {
            let clearly = singular_beta - rest > parameters::singular_double_margin();
            let double_extensions = i32::from(self.stack(node.ply).double_extensions);
            let double =
                clearly && !node.pv && double_extensions < parameters::singular_double_max();
            let very_clearly = singular_beta - rest > parameters::singular_triple_margin();
            let triple = double && very_clearly && !is_tactical(mv);
            return Ok(Singular::Extension(1 + i32::from(double) + i32::from(triple)));
        }
        if rest >= beta && !rest.is_decisive() && !node.pv {
            return Ok(Singular::MultiCut(Settled(rest)));
        }
        // Several moves are good. Where a cut-off is expected, one of them will cause it anyway.
        let less = tt_entry.score >= beta || node.cut_node;
        Ok(Singular::Extension(if less { -1 } else { 0 }))
    }

    /// By how many plies the move just made is extended because it gives check.
    pub(super) fn check_extension(&self, ply: Ply, depth: Depth) -> i32 {
        let extends = self.position.board().in_check()
            && depth >= Depth::new(parameters::check_extension_min_depth())
            && self.is_within_extension_limit(ply);
        i32::from(extends)
    }

    /// Whether moves are extended this far from the root.
    fn is_within_extension_limit(&self, ply: Ply) -> bool {
        let limit = self.root_depth.plies() * parameters::extension_ply_limit() / 100;
        ply.index() < limit as usize
    }

    /// The table's entry, if the conditions for a singular search of this move are met.
    fn singular_candidate(&self, node: &Node, depth: Depth, mv: Move) -> Option<TableEntry> {
        let tt_entry = node.tt_entry?;
        let deep_enough = depth >= Depth::new(parameters::singular_min_depth())
            && tt_entry.depth + parameters::singular_tt_depth_shortfall() >= depth
            && self.is_within_extension_limit(node.ply);
        let is_tt_move = tt_entry.mv == Some(PackedMove::new(mv));
        let usable = tt_entry.bound != Bound::Upper && !tt_entry.score.is_decisive();
        (node.ply.index() > 0 && node.excluded.is_none() && deep_enough && is_tt_move && usable)
            .then_some(tt_entry)
    }
}
