//! Selectivity: which nodes need no search, which moves may be skipped, and how deep the others
//! are searched.
//!
//! Each decision takes the [`Node`] that was built once and a few facts of the move. All numbers
//! are in [`parameters`].

use shakmaty::Move;

use super::history::PieceTo;
use super::node::{Node, NullWindow, Window};
use super::parameters;
use super::picker::Stage;
use super::report::Bound;
use super::table::Entry;
use super::worker::{Stopped, Worker};
use crate::position::{Board, exchange_wins, is_tactical};
use crate::units::{Depth, Ply, Score};

/// Late move reductions by depth and move number, in 1024ths of a ply: the product of logarithms
/// that grew out of Fruit's and Stockfish's experiments.
pub struct Reductions([[i32; 64]; 64]);

impl Reductions {
    /// Fills the table from the parameters.
    pub fn new() -> Reductions {
        let logarithms: [f64; 64] = std::array::from_fn(|n| (n.max(1) as f64).ln());
        let (base, scale) =
            (parameters::late_reduction_base(), f64::from(parameters::late_reduction_scale()));
        Reductions(std::array::from_fn(|depth| {
            std::array::from_fn(|number| {
                base + (logarithms[depth] * logarithms[number] * scale) as i32
            })
        }))
    }

    fn get(&self, depth: Depth, number: usize) -> i32 {
        self.0[(depth.plies().max(0) as usize).min(63)][number.min(63)]
    }
}

/// What pruning and reduction know of a move before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its place in the order, from 1.
    pub number: usize,
    /// Where in the order it came from.
    pub stage: Stage,
}

impl Worker<'_> {
    /// Tries to settle a null-window node without searching its moves.
    pub fn prune_node(&mut self, node: &Node, beta: Score) -> Result<Option<Score>, Stopped> {
        if node.pv || node.in_check || node.excluding {
            return Ok(None);
        }
        if let Some(score) = reverse_futility(node, beta) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razoring(node, beta)? {
            return Ok(Some(score));
        }
        self.null_move(node, beta)
    }

    /// Razoring: far below alpha near the horizon, only captures could help.
    fn razoring(&mut self, node: &Node, beta: Score) -> Result<Option<Score>, Stopped> {
        let margin = parameters::razoring_margin() * node.depth.plies();
        if node.depth > Depth::new(parameters::razoring_depth())
            || node.evaluation + margin >= beta
            || beta.is_mate()
        {
            return Ok(None);
        }
        let score = self.quiescence::<NullWindow>(Window::null(beta - 1), node.ply)?;
        Ok((score < beta).then_some(score))
    }

    /// Null move pruning (Beal 1989; Donninger 1993): if passing still fails high, a move will.
    /// In zugzwang it would not, so it is not tried with king and pawns alone, and at great depths
    /// a cut-off is verified by a search in which the side may not pass for a while.
    fn null_move(&mut self, node: &Node, beta: Score) -> Result<Option<Score>, Stopped> {
        let after_null = self.frame_before(node.ply, 1).played == PieceTo::default();
        if node.depth < Depth::new(parameters::null_move_depth())
            || node.evaluation < beta
            || beta.is_loss()
            || node.ply < self.no_null_before
            || (after_null && node.ply.index() > 0)
            || !self.position.board().has_pieces()
            || table_expects_less(node, beta)
            || !self.push_null(node.ply)
        {
            return Ok(None);
        }
        let advantage = (node.evaluation - beta) / parameters::null_move_advantage_divisor();
        let reduction = parameters::null_move_reduction()
            + node.depth.plies() / parameters::null_move_depth_divisor()
            + advantage.min(parameters::null_move_advantage_max());
        let depth = node.depth - reduction;
        let child = self.search_child::<NullWindow>(
            Window::null(beta - 1),
            depth,
            node.ply,
            !node.expected_cut,
        );
        self.pop();
        let score = child?;
        if score < beta {
            return Ok(None);
        }
        // What a pass "mates" is not mate yet.
        let score = if score.is_win() { beta } else { score };
        let verify_from = Depth::new(parameters::null_move_verification_depth());
        if node.depth < verify_from || self.no_null_before.index() > 0 {
            return Ok(Some(score));
        }
        self.verify_null_move(node, beta, depth).map(|verified| verified.then_some(score))
    }

    fn verify_null_move(
        &mut self,
        node: &Node,
        beta: Score,
        depth: Depth,
    ) -> Result<bool, Stopped> {
        let plies = depth.plies().max(0) * parameters::null_move_verification_share() / 100;
        self.no_null_before = Ply::new(node.ply.index() + plies as usize);
        let verification =
            self.negascout::<NullWindow>(Window::null(beta - 1), depth, node.ply, false);
        self.no_null_before = Ply::ROOT;
        Ok(verification? >= beta)
    }

    /// Whether a move that is not the first may be skipped. Called only once some move has shown
    /// that the side to move is not being mated.
    pub fn prune_move(&self, node: &Node, candidate: &Candidate, alpha: Score) -> bool {
        let depth = node.depth;
        if candidate.stage == Stage::Captures {
            return false;
        }
        if is_tactical(candidate.mv) {
            let margin = -parameters::exchange_capture_margin() * depth.plies();
            return self.prune_by_exchange(depth, candidate.mv, margin);
        }
        let reduced = depth - self.reductions.get(depth, candidate.number) / 1024;
        let reduced = reduced.max(Depth::ZERO);
        let margin = parameters::futility_base() + parameters::futility_margin() * reduced.plies();
        if !node.in_check
            && reduced < Depth::new(parameters::futility_depth())
            && !alpha.is_win()
            && node.evaluation + margin <= alpha
            && !self.position.board().gives_check(candidate.mv)
        {
            return true;
        }
        let margin = -parameters::exchange_quiet_margin() * reduced.plies() * reduced.plies();
        self.prune_by_exchange(depth, candidate.mv, margin)
    }

    fn prune_by_exchange(&self, depth: Depth, mv: Move, margin: i32) -> bool {
        let shallow = depth <= Depth::new(parameters::exchange_depth());
        shallow && !exchange_wins(self.position.chess(), mv, margin)
    }

    /// By how many plies the null-window search of a late move is reduced; asked after the move
    /// was played. Zero for moves that are searched to full depth at once.
    pub fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        if node.depth < Depth::new(parameters::late_reduction_depth()) {
            return 0;
        }
        let mut reduction = self.reductions.get(node.depth, candidate.number);
        if node.expected_cut {
            reduction += parameters::late_reduction_cut();
        }
        if node.pv || node.hit.is_some_and(|hit| hit.pv) {
            reduction -= parameters::late_reduction_pv();
        }
        if !node.improving {
            reduction += parameters::late_reduction_worsening();
        }
        if self.position.board().in_check() {
            reduction -= parameters::late_reduction_check();
        }
        reduction -= if is_tactical(candidate.mv) {
            parameters::late_reduction_tactical()
        } else {
            // The move was played: it was the other side's.
            let context = self.context(node.ply);
            let history = self.mind.histories.quiet(!self.position.turn(), &context);
            history(candidate.mv) * 1024 / parameters::late_reduction_history()
        };
        if candidate.stage == Stage::Killers {
            reduction -= parameters::late_reduction_killer();
        }
        (reduction / 1024).max(0)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1990, in its later form): the table's
    /// move is extended if all others fall well short of it. If instead another move reaches beta
    /// too, the node is settled.
    pub fn extension(&mut self, node: &Node, mv: Move, beta: Score) -> Result<Extension, Stopped> {
        let Some(hit) = self.singular_candidate(node, mv) else {
            return Ok(Extension::Plies(0));
        };
        let margin = parameters::singular_margin() * node.depth.plies() / 16;
        let singular_beta = hit.score - margin;
        let plies = (node.depth.plies() - 1) * parameters::singular_search_share() / 100;
        self.frame(node.ply).excluded = Some(mv);
        let rest = self.negascout::<NullWindow>(
            Window::null(singular_beta - 1),
            Depth::new(plies),
            node.ply,
            node.expected_cut,
        );
        self.frame(node.ply).excluded = None;
        let rest = rest?;
        if rest < singular_beta {
            let clearly = singular_beta - rest > parameters::singular_double_margin();
            let earlier = i32::from(self.frame(node.ply).double_extensions);
            let double = clearly && !node.pv && earlier < parameters::singular_double_max();
            return Ok(Extension::Plies(if double { 2 } else { 1 }));
        }
        if rest >= beta && !rest.is_mate() && !node.pv {
            return Ok(Extension::Settled(rest));
        }
        let less = hit.score >= beta || node.expected_cut;
        Ok(Extension::Plies(if less { -1 } else { 0 }))
    }

    fn singular_candidate(&self, node: &Node, mv: Move) -> Option<Entry> {
        let hit = node.hit?;
        let ply_limit = self.root_depth.plies() * parameters::singular_ply_limit() / 100;
        let deep_enough = node.depth >= Depth::new(parameters::singular_depth())
            && hit.depth + parameters::singular_table_shortfall() >= node.depth
            && node.ply.index() < ply_limit as usize;
        let is_table_move = hit.mv == Some(mv.into());
        let usable = hit.bound != Bound::Upper && !hit.score.is_mate();
        (node.ply.index() > 0 && !node.excluding && deep_enough && is_table_move && usable)
            .then_some(hit)
    }
}

/// What singular extension found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// Search the move deeper (or, if negative, less deep) by so many plies.
    Plies(i32),
    /// The node fails high with at least this score.
    Settled(Score),
}

/// Reverse futility pruning: so far above beta near the horizon, no reply will bring it below.
fn reverse_futility(node: &Node, beta: Score) -> Option<Score> {
    let plies = node.depth.plies() - i32::from(node.improving);
    let margin = parameters::reverse_futility_margin() * plies.max(0);
    let high = node.depth <= Depth::new(parameters::reverse_futility_depth())
        && node.evaluation - margin >= beta
        && !beta.is_loss();
    let trust = parameters::reverse_futility_trust();
    let (evaluation, beta) = (node.evaluation.centipawns(), beta.centipawns());
    high.then(|| Score::new((evaluation * trust + beta * (100 - trust)) / 100))
}

/// Internal iterative reduction (Schröder 2020): a node whose best move is unknown is searched a
/// ply less, and finds one for the next visit.
pub fn internal_reduction(node: &Node, table_move: Option<Move>) -> i32 {
    let wanted = node.pv || node.expected_cut;
    let deep = node.depth >= Depth::new(parameters::internal_reduction_depth());
    i32::from(wanted && deep && table_move.is_none() && !node.excluding)
}

/// Late move pruning: after so many moves near the horizon, no quiet move will help any more.
/// Under the same condition as [`Worker::prune_move`].
pub fn enough_moves(node: &Node, searched: usize) -> bool {
    let limit = parameters::late_move_base() + node.depth.plies() * node.depth.plies();
    let percent = if node.improving { 100 } else { parameters::late_move_worsening() };
    searched as i32 >= limit * percent / 100
}

fn table_expects_less(node: &Node, beta: Score) -> bool {
    node.hit.is_some_and(|hit| hit.bound == Bound::Upper && hit.score < beta)
}

/// Whether the side to move has material left besides king and pawns, so that pruning by static
/// judgement is safe from most zugzwangs.
pub fn may_prune_moves(board: &Board, best: Score) -> bool {
    !best.is_loss() && board.has_pieces()
}
