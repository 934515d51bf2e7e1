//! Confirming a mate: finding the line of one that is known to be there.
//!
//! A mate found with a null window is certain, since no side counts as mated before all its moves
//! were searched. But it may rest on table entries of deeper searches. A search with an open
//! window, which does not cut off by the table, then does not reach the end of the line. The
//! distance of the mate is known, so a deeper search of this one move does, and with alpha just
//! below the mate it is small.

use super::node::NodeType;
use super::window::ScoreWindow;
use super::worker::{Stopped, Worker};
use crate::engine::units::{Depth, Ply, Score};

/// Nodes after which a confirmation is given up.
const BUDGET: u64 = 20_000;

impl Worker<'_> {
    /// Searches the move just made deeper and deeper until a mate as near as `mate`, for the side
    /// that made it, is found with its line. `None` if that takes too long.
    pub fn confirm_mate<N: NodeType>(
        &mut self,
        mate: Score,
        beta: Score,
        depth: Depth,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        // Not within another confirmation or a proof, whose budget would be lost.
        if !mate.is_mate() || self.give_up_at.is_some() {
            return Ok(None);
        }
        self.give_up_at = Some(self.nodes + BUDGET);
        self.poll_soon();
        let confirmed = self.search_for_mate::<N>(mate, beta, depth, ply);
        let spent = self.give_up_at.is_none_or(|end| self.nodes >= end);
        self.give_up_at = None;
        match confirmed {
            Err(Stopped) if spent && !self.is_stopped() => Ok(None),
            result => result,
        }
    }

    fn search_for_mate<N: NodeType>(
        &mut self,
        mate: Score,
        beta: Score,
        depth: Depth,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        let window = ScoreWindow::new(mate - 1, beta);
        let distance = Score::MATE - mate.max(-mate) - ply.index() as i32;
        for deeper in (2..).step_by(2).take_while(|&plies| depth.plies() + plies <= distance + 2) {
            let value = self.search_child::<N>(window, depth + deeper, ply, false)?;
            if value >= mate {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
