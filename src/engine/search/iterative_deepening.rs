//! Iterative deepening with aspiration windows. The search runs to one depth after another; each
//! iteration orders the moves for the next (Slate and Atkin 1977) and has a window around the
//! expected score.

use shakmaty::Move;

use super::clock::TimeFactors;
use super::node::{Root, ScoreWindow};
use super::parameters;
use super::report::Bound;
use super::root_move::{RootMove, sort_best_first};
use super::worker::{Stopped, Worker};
use crate::units::{Depth, Ply, Score};

/// Number of different depths at which threads begin, from 1.
const FIRST_DEPTHS: usize = 10;

impl Worker<'_> {
    /// Runs iterations until a limit is reached. Afterwards the first root move is the move to
    /// play.
    pub(super) fn iterative_deepening(&mut self) {
        if self.root_moves.is_empty() {
            return;
        }
        let mut factors = TimeFactors::default();
        let mut scores = Vec::with_capacity(Depth::MAX.plies() as usize);
        // Helpers begin at different depths, so that they search ahead of the main thread and of
        // each other.
        self.root_depth = Depth::new((self.id % FIRST_DEPTHS) as i32);
        while self.root_depth < self.last_depth() {
            self.root_depth += 1;
            let best_before = self.root_moves[0].mv;
            let finished = self.search_iteration();
            if finished.is_err() {
                break;
            }
            self.completed_depth = self.root_depth;
            self.publish_nodes();
            self.poll_at_next_node();
            self.report_iteration();
            let score = self.root_moves[0].score;
            scores.push(score);
            let back = 1 + parameters::clock_trend_iterations() as usize;
            let earlier = scores[scores.len().saturating_sub(back)];
            let same_move = self.root_moves[0].mv == best_before;
            let share = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
            factors.finish_iteration(same_move, earlier - score, share);
            if self.is_main_thread() {
                self.polling.past_soft_limit = self.is_past_soft_limit(&factors);
                let stopped = self.prove_mate().is_err();
                if stopped || self.is_limit_reached() || self.is_mate_disproved() {
                    break;
                }
            }
        }
        self.publish_nodes();
    }

    /// Returns the depth of the last iteration.
    fn last_depth(&self) -> Depth {
        let board = self.position.board();
        let time = self.shared.limits.time_for_move();
        let greatest = self.strength_limit.map_or(Depth::MAX, |limit| limit.depth(board, time));
        // Helper threads go on until the main thread stops them.
        match self.shared.limits.depth {
            Some(depth) if self.is_main_thread() => depth.clamp(Depth::ONE, greatest),
            _ => greatest,
        }
    }

    /// Runs one iteration: searches each of the requested lines, best first.
    fn search_iteration(&mut self) -> Result<(), Stopped> {
        self.seldepth = 0;
        for root_move in &mut self.root_moves {
            root_move.begin_iteration();
        }
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        // A move that took many nodes to refute is more likely to become the best.
        let key = |root_move: &RootMove| std::cmp::Reverse((root_move.rank(), root_move.nodes));
        self.root_moves[lines..].sort_by_key(key);
        let best_before = self.root_moves[0].mv;
        for index in 0..lines {
            self.pv_index = index;
            let searched = self.aspiration_search();
            sort_best_first(&mut self.root_moves[index..]);
            // A line stopped after it failed low has only an upper bound. It stays below the
            // finished lines.
            if searched.is_ok() || self.root_moves[index].bound != Bound::Upper {
                sort_best_first(&mut self.root_moves[..=index]);
            }
            if searched.is_err() && index == 0 {
                self.discard_unproven_loss(best_before);
            }
            if lines == 1 {
                self.keep_proven_mate(best_before);
            }
            searched?;
        }
        Ok(())
    }

    /// Restores the result of the previous iteration if the stopped iteration found only a loss. A
    /// loss is proven only after all moves have been searched.
    fn discard_unproven_loss(&mut self, best_before: Move) {
        if !self.root_moves[0].score.is_loss() {
            return;
        }
        for root_move in &mut self.root_moves {
            root_move.discard_iteration();
        }
        self.root_moves.sort_by_key(|root_move| root_move.mv != best_before);
    }

    /// Keeps the score and line of a mate that the previous iteration proved, for either side, if
    /// this iteration found no mate or a longer one. That happens if the transposition table has
    /// lost parts of the proof.
    fn keep_proven_mate(&mut self, best_before: Move) {
        let Some(index) = self.root_moves.iter().position(|root_move| root_move.mv == best_before)
        else {
            return;
        };
        let (proven, found) = (self.root_moves[index].previous_score, self.root_moves[0].score);
        let is_less = if proven.is_win() { found < proven } else { found > proven };
        let is_proven = proven.is_mate() && proven > Score::MINUS_INFINITE;
        if !is_proven || !is_less {
            return;
        }
        if proven.is_loss() {
            self.root_moves
                .iter_mut()
                .for_each(|root_move| root_move.score = Score::MINUS_INFINITE);
        }
        self.root_moves[index].restore_previous();
        sort_best_first(&mut self.root_moves);
    }

    /// Searches one line with a window that widens on the side where it fails.
    fn aspiration_search(&mut self) -> Result<(), Stopped> {
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut half_width = parameters::aspiration_window();
        let mut window = ScoreWindow::FULL;
        // The first iterations have no reliable expected score.
        let windowed = self.root_depth >= Depth::new(parameters::aspiration_min_depth());
        if windowed && !expected.is_decisive() {
            window = ScoreWindow::around(expected, half_width);
        }
        loop {
            let score = self.negascout::<Root>(window, self.root_depth, Ply::ROOT, false)?;
            sort_best_first(&mut self.root_moves[self.pv_index..]);
            half_width += 1 + half_width * parameters::aspiration_growth() / 100;
            if score <= window.alpha {
                // After a fail low, a score near the old beta is unlikely, and a lower beta cuts
                // off more.
                let middle = (window.alpha.centipawns() + window.beta.centipawns()) / 2;
                window = ScoreWindow {
                    alpha: ScoreWindow::around(score, half_width).alpha,
                    beta: Score::new(middle).max(window.alpha + 1),
                };
            } else if score >= window.beta {
                window.beta = ScoreWindow::around(score, half_width).beta;
            } else {
                return Ok(());
            }
            self.report_failed_window();
        }
    }

    /// Returns true if time allows no further iteration.
    fn is_past_soft_limit(&self, factors: &TimeFactors) -> bool {
        let shared = self.shared;
        // The only legal move needs no search if the clock runs.
        let only_move = self.root_moves.len() == 1 && shared.limits.clock.is_some();
        only_move || shared.clock.is_past_soft_limit(shared.nodes(), factors)
    }

    /// Returns true if a limit allows no further iteration.
    fn is_limit_reached(&self) -> bool {
        let shared = self.shared;
        let mated = shared.limits.mate.is_some_and(|moves| {
            let found = self.root_moves[0].score.mate_moves();
            found.is_some_and(|found| found > 0 && found as u32 <= moves)
        });
        let soft_nodes = shared.limits.soft_nodes.is_some_and(|limit| shared.nodes() >= limit);
        mated || soft_nodes || (self.polling.past_soft_limit && shared.time_limits_apply())
    }
}
