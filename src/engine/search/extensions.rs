//! Extensions: moves that are searched deeper.
//!
//! Singular extensions apply to a move that is much better than all others (Anantharaman, Campbell
//! and Hsu 1990, "Singular extensions: adding selectivity to brute-force searching"). In the modern
//! form only the table's move can be singular. A singular search tests if all other moves are much
//! worse: it leaves that move out, and has a smaller depth and a window below the table's score. If
//! another move reaches beta in it, two moves do, and the node fails high: multi-cut (Björnsson and
//! Marsland 1998, "Multi-cut pruning in alpha-beta search").
//!
//! Check extensions apply to moves that give check: a check leaves few replies, and checks find
//! mates (Slate and Atkin 1977, "Chess 4.5").

use shakmaty::Move;

use super::node::{MoveLoop, Node, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::{Stopped, Worker};
use crate::position::{PackedMove, is_tactical};
use crate::units::{Depth, Ply};

/// Result of a singular search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// Plies added to the depth of the move. A negative number is a reduction.
    Extension(i32),
    /// Another move reaches beta too, so the node fails high with this score.
    MultiCut(Settled),
}

impl Worker<'_> {
    /// Decides the singular extension of a move, which can be double, triple or negative, and
    /// multi-cut. Returns no extension, without a search, for a move that is not the table's or
    /// does not meet the conditions.
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
        // The move is singular. Without a limit of double extensions on a path the tree would
        // explode.
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
        // Several moves are good. If a cut-off is expected, one of them will cause it anyway.
        let reduces = tt_entry.score >= beta || node.cut_node;
        Ok(Singular::Extension(if reduces { -1 } else { 0 }))
    }

    /// Returns the plies by which the move just made is extended because it gives check.
    pub(super) fn check_extension(&self, ply: Ply, depth: Depth) -> i32 {
        let extends = self.position.board().in_check()
            && depth >= Depth::new(parameters::check_extension_min_depth())
            && self.is_within_extension_limit(ply);
        i32::from(extends)
    }

    /// Returns true if moves may be extended this far from the root.
    fn is_within_extension_limit(&self, ply: Ply) -> bool {
        let limit = self.root_depth.plies() * parameters::extension_ply_limit() / 100;
        ply.index() < limit as usize
    }

    /// Returns the table's entry if the conditions for a singular search of this move are met.
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
