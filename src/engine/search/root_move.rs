//! The root moves with their results.

use std::cmp::Reverse;

use shakmaty::Move;

use super::report::Bound;
use super::thread_data::Variation;
use crate::position::{PackedMove, Position};
use crate::tablebases::RankedMove;
use crate::units::{MAX_PLY, Ply, Score};

/// A root move with its results.
#[derive(Clone)]
pub(super) struct RootMove {
    /// The move.
    pub mv: Move,
    /// Rank and score by the endgame tables, if they know the root.
    pub ranked: Option<RankedMove>,
    /// Score of this iteration; minus infinity if the move did not raise alpha.
    pub score: Score,
    /// Relation of the score to the true value; a bound if the aspiration window failed.
    pub bound: Bound,
    /// Score of the previous iteration.
    pub previous_score: Score,
    /// Greatest distance from the root, in plies, reached before the move was found best.
    pub seldepth: usize,
    /// Number of nodes spent on the move in this search.
    pub nodes: u64,
    /// Best line that begins with the move. Boxed, since root moves are sorted often.
    pub variation: Box<Variation>,
    /// Line of the previous iteration.
    pub previous_variation: Box<Variation>,
}

impl RootMove {
    /// Creates a root move before the first iteration.
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            ranked: None,
            score: Score::MINUS_INFINITE,
            bound: Bound::Exact,
            previous_score: Score::MINUS_INFINITE,
            seldepth: 0,
            nodes: 0,
            variation: Box::new(Variation::from_iter([mv])),
            previous_variation: Box::new(Variation::from_iter([mv])),
        }
    }

    /// Returns the rank by the endgame tables, which takes precedence over any score. Without
    /// tables all moves have the same rank.
    pub(super) fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    /// Returns the score by the endgame tables, if they know it. A mate found by the search takes
    /// precedence: then returns `None`.
    pub(super) fn tablebase_score(&self, searched: Score) -> Option<Score> {
        self.ranked.map(|ranked| ranked.score).filter(|_| !searched.is_mate())
    }

    /// Returns true if the move raised alpha in this iteration.
    pub(super) fn has_new_score(&self) -> bool {
        self.score > Score::MINUS_INFINITE
    }

    /// Starts an iteration: keeps the current score and line as those of the previous iteration.
    pub(super) fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = Score::MINUS_INFINITE;
        self.previous_variation.clone_from(&self.variation);
    }

    /// Restores score and line of the previous iteration.
    pub(super) fn restore_previous(&mut self) {
        self.score = self.previous_score;
        self.bound = Bound::Exact;
        self.variation.clone_from(&self.previous_variation);
    }

    /// Discards the result of this iteration, which was stopped too early. The line becomes that of
    /// the previous iteration again, and `previous_score` keeps its score.
    pub(super) fn discard_iteration(&mut self) {
        self.score = Score::MINUS_INFINITE;
        self.bound = Bound::Exact;
        self.variation.clone_from(&self.previous_variation);
    }

    /// Sets the line to the move followed by `reply`.
    pub(super) fn set_line(&mut self, reply: &Variation) {
        self.variation.clear();
        self.variation.push(self.mv);
        self.variation.extend(reply.iter().copied().take(MAX_PLY));
    }

    /// Returns the score of the last finished search of this move, if there was one. The bound of a
    /// search stopped after its window failed counts only if there is no other score.
    pub(super) fn finished_score(&self) -> Option<Score> {
        let exact = (self.bound == Bound::Exact).then_some(self.score);
        let scores = exact.into_iter().chain([self.previous_score, self.score]);
        let found = scores.into_iter().find(|&score| score > Score::MINUS_INFINITE);
        self.tablebase_score(found.unwrap_or(Score::ZERO)).or(found)
    }

    /// Returns the moves of the line up to the end of the game by rule, and plays them on
    /// `position`. The line is that of this iteration if the move raised alpha in it, or else of
    /// the previous iteration.
    pub(super) fn playable_line(&self, position: &mut Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(self.variation.len());
        let variation =
            if self.has_new_score() { &self.variation } else { &self.previous_variation };
        for &mv in variation.iter() {
            if !moves.is_empty() && position.is_drawn(Ply::ROOT) {
                break;
            }
            if position.board().legal_move(PackedMove::new(mv)) != Some(mv) {
                debug_assert!(false, "a line holds the illegal move {mv}");
                break;
            }
            position.push(mv);
            moves.push(mv);
        }
        moves
    }
}

/// Sorts root moves best first. Moves that did not raise alpha are sorted by their scores of the
/// previous iteration. The sort is stable.
pub(super) fn sort_best_first(root_moves: &mut [RootMove]) {
    let key = |root_move: &RootMove| (root_move.rank(), root_move.score, root_move.previous_score);
    root_moves.sort_by_key(|root_move| Reverse(key(root_move)));
}
