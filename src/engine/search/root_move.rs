//! The moves of the root and what the search has found out about each.

use std::cmp::Reverse;

use shakmaty::Move;

use super::report::Bound;
use super::thread_data::Variation;
use crate::position::{PackedMove, Position};
use crate::tablebases::RankedMove;
use crate::units::{MAX_PLY, Ply, Score};

/// A move of the root with what is known about it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its rank and score by the endgame tables, if they know the root.
    pub ranked: Option<RankedMove>,
    /// The score of this iteration; minus infinity if the move did not raise alpha.
    pub score: Score,
    /// What the score means: inexact if the aspiration window was left.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous_score: Score,
    /// The greatest distance from the root reached when it was found best, in plies.
    pub seldepth: usize,
    /// Nodes spent below it in this search.
    pub nodes: u64,
    /// The best line that begins with it; boxed, since root moves are sorted often.
    pub variation: Box<Variation>,
    /// The line of the iteration before.
    pub previous_variation: Box<Variation>,
}

impl RootMove {
    /// A move before the first iteration.
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

    /// Its rank by the endgame tables, which counts more than any score; without tables all moves
    /// have the same.
    pub(super) fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    /// The score by the endgame tables, if they know it, unless the search found a mate, which says
    /// more.
    pub(super) fn tablebase_score(&self, searched: Score) -> Option<Score> {
        self.ranked.map(|ranked| ranked.score).filter(|_| !searched.is_mate())
    }

    /// Whether it raised alpha in this iteration.
    pub(super) fn has_new_score(&self) -> bool {
        self.score > Score::MINUS_INFINITE
    }

    /// Another iteration begins: the score becomes that of the iteration before.
    pub(super) fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = Score::MINUS_INFINITE;
        self.previous_variation.clone_from(&self.variation);
    }

    /// Restores score and line of the iteration before.
    pub(super) fn restore_previous(&mut self) {
        self.score = self.previous_score;
        self.bound = Bound::Exact;
        self.variation.clone_from(&self.previous_variation);
    }

    /// Discards what this iteration found, which was stopped too early; score and line of the one
    /// before stay the previous ones.
    pub(super) fn discard_iteration(&mut self) {
        self.score = Score::MINUS_INFINITE;
        self.bound = Bound::Exact;
        self.variation.clone_from(&self.previous_variation);
    }

    /// Sets the line to the move followed by these replies.
    pub(super) fn set_line(&mut self, reply: &Variation) {
        self.variation.clear();
        self.variation.push(self.mv);
        self.variation.extend(reply.iter().copied().take(MAX_PLY));
    }

    /// The score of the last finished search of this move, if there was one. The bound of a search that
    /// was stopped after its window had failed counts only if there is nothing else.
    pub(super) fn finished_score(&self) -> Option<Score> {
        let exact = (self.bound == Bound::Exact).then_some(self.score);
        let scores = exact.into_iter().chain([self.previous_score, self.score]);
        let found = scores.into_iter().find(|&score| score > Score::MINUS_INFINITE);
        self.tablebase_score(found.unwrap_or(Score::ZERO)).or(found)
    }

    /// The moves of its line up to where the game is over by rule, which are also played on
    /// `position`. The line is that of this iteration, or of the one before if the move did not
    /// raise alpha in this one.
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

/// A stable sort: moves that did not raise alpha are ordered by their scores of the iteration before,
/// and among equals as they stood.
pub(super) fn sort_best_first(root_moves: &mut [RootMove]) {
    let key = |root_move: &RootMove| (root_move.rank(), root_move.score, root_move.previous_score);
    root_moves.sort_by_key(|root_move| Reverse(key(root_move)));
}
