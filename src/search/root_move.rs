//! The moves of the root, with what the search has found out about each.

use std::cmp::Reverse;

use shakmaty::Move;

use super::pv_table::Variation;
use super::report::Bound;
use crate::position::Position;
use crate::units::{MAX_PLY, Ply, Score};

/// A move of the root with what is known about it.
#[derive(Clone)]
pub struct RootMove {
    pub mv: Move,
    /// The score of this iteration; minus infinity if the move was not better than others.
    pub score: Score,
    /// What the score means: inexact if the aspiration window was left.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous_score: Score,
    /// The greatest distance from the root reached when it was found best, in plies.
    pub seldepth: usize,
    /// Nodes spent below it in this search.
    pub nodes: u64,
    /// The best line that begins with it; in a box, since root moves are sorted often.
    pub variation: Box<Variation>,
}

impl RootMove {
    /// A move of which nothing is known yet.
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous_score: -Score::INFINITE,
            seldepth: 0,
            nodes: 0,
            variation: Box::new(Variation::from_iter([mv])),
        }
    }

    /// Another iteration begins: the score becomes that of the iteration before.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = -Score::INFINITE;
    }

    /// Takes the line that was found after the move.
    pub fn set_line(&mut self, reply: &Variation) {
        self.variation.clear();
        self.variation.push(self.mv);
        self.variation.extend(reply.iter().copied().take(MAX_PLY));
    }

    /// The score of the last search of this move that was finished. A bound, from a search that
    /// was stopped after its window had failed, counts only if there is nothing else.
    pub fn settled_score(&self) -> Score {
        let exact = (self.bound == Bound::Exact).then_some(self.score);
        let scores = exact.into_iter().chain([self.previous_score, self.score]);
        scores.into_iter().find(|&score| score > -Score::INFINITE).unwrap_or(Score::DRAW)
    }

    /// The moves of its line, up to where the game is over by rule.
    pub fn playable_line(&self, root: &Position) -> Vec<Move> {
        let mut position = root.clone();
        let mut moves = Vec::with_capacity(self.variation.len());
        for &mv in self.variation.iter() {
            if !moves.is_empty() && position.is_drawn(Ply::ROOT) {
                break;
            }
            if position.board().legal_move(mv.into()) != Some(mv) {
                debug_assert!(false, "a line holds the illegal move {mv}");
                break;
            }
            position.push(mv);
            moves.push(mv);
        }
        moves
    }
}

/// A stable sort: moves that were not better than others keep the order of the last iteration.
pub fn sort_best_first(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|root_move| Reverse((root_move.score, root_move.previous_score)));
}
