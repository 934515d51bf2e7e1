//! The vote on the move to play (Stockfish, 2018). The threads of one search end with different
//! depths, moves and scores. Each votes for its move. A deeper search and a better score give a
//! vote more weight, and the move with the most weight is played.

use super::root_move::RootMove;
use super::worker::Worker;
use crate::units::{Depth, Score};

/// Centipawns added to the difference between a score and the worst score, so that the worst vote
/// has some weight too (14 in Stockfish).
const WEIGHT_OF_WORST: i32 = 10;

/// Result of one thread.
pub(super) struct Vote {
    /// Best root move.
    root_move: RootMove,
    /// Score of the last finished search of this move.
    score: Score,
    /// Depth of the last iteration begun.
    root_depth: Depth,
    /// Depth of the last iteration finished.
    completed_depth: Depth,
}

impl Vote {
    /// Returns the depth with which the line is reported.
    fn reported_depth(&self) -> Depth {
        if self.root_move.has_new_score() { self.root_depth } else { self.completed_depth }
    }
}

impl Worker<'_> {
    /// Returns the vote of this thread, if it has finished an iteration.
    pub(super) fn vote(&self) -> Option<Vote> {
        let root_move = self.root_moves.first().filter(|_| self.completed_depth > Depth::ZERO)?;
        Some(Vote {
            root_move: root_move.clone(),
            score: root_move.finished_score()?,
            root_depth: self.root_depth,
            completed_depth: self.completed_depth,
        })
    }

    /// Adopts the best of this thread's vote and the others'. There is no vote with a depth,
    /// several lines, a mate or limited strength: the main thread's result counts.
    pub(super) fn adopt_best_vote(&mut self, others: Vec<Vote>) {
        let limits = self.shared.limits;
        let without_vote = limits.depth.is_some()
            || limits.lines > 1
            || limits.mate.is_some()
            || limits.strength_limit.is_some();
        let Some(own) = self.vote().filter(|_| !without_vote) else {
            return;
        };
        // The rank by the endgame tables takes precedence over any score. The reported depth never
        // falls.
        let (rank, depth) = (own.root_move.rank(), own.reported_depth());
        let others = others
            .into_iter()
            .filter(|vote| vote.root_move.rank() == rank && vote.reported_depth() >= depth);
        let mut votes: Vec<_> = std::iter::once(own).chain(others).collect();
        let best = best_vote(&votes);
        if best == 0 {
            return;
        }
        let Vote { root_move, root_depth, completed_depth, .. } = votes.swap_remove(best);
        self.root_moves.retain(|other| other.mv != root_move.mv);
        self.root_moves.insert(0, root_move);
        (self.root_depth, self.completed_depth) = (root_depth, completed_depth);
        // The last report does not show the move that is played.
        self.reporting.lines_reported_at = None;
    }
}

/// Returns the index of the winning vote. The first vote is the main thread's, and it wins ties.
fn best_vote(votes: &[Vote]) -> usize {
    let first_of_greatest = |value: &dyn Fn(&Vote) -> (i64, i64)| {
        let indices = (0..votes.len()).rev();
        indices.max_by_key(|&index| value(&votes[index])).expect("the main thread votes")
    };
    let best = first_of_greatest(&|vote| (i64::from(vote.score.centipawns()), 0));
    // A win is proven, whichever thread found it.
    if votes[best].score.is_win() {
        return best;
    }
    let worst = votes.iter().map(|vote| vote.score).min().unwrap_or(Score::ZERO);
    let weight = |vote: &Vote| {
        let above = vote.score.centipawns() - worst.centipawns() + WEIGHT_OF_WORST;
        i64::from(above) * i64::from(vote.completed_depth.plies())
    };
    let support = |vote: &Vote| -> i64 {
        votes.iter().filter(|other| other.root_move.mv == vote.root_move.mv).map(weight).sum()
    };
    first_of_greatest(&|vote| (support(vote), weight(vote)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position as _};

    use super::*;
    use crate::units::Ply;

    /// Returns the index of the winning vote. A vote is the index of a move of the initial
    /// position, a score and a finished depth.
    fn best(votes: &[(usize, Score, i32)]) -> usize {
        let moves = Chess::default().legal_moves();
        let vote = |&(mv, score, depth): &(usize, Score, i32)| Vote {
            root_move: RootMove::new(moves[mv]),
            score,
            root_depth: Depth::new(depth),
            completed_depth: Depth::new(depth),
        };
        best_vote(&votes.iter().map(vote).collect::<Vec<_>>())
    }

    #[test]
    fn the_main_thread_wins_if_all_threads_agree() {
        let vote = (0, Score::new(20), 12);
        assert_eq!(best(&[vote; 4]), 0);
        assert_eq!(best(&[vote]), 0);
    }

    #[test]
    fn two_threads_outvote_one_thread_of_the_same_depth() {
        let [own, other] = [(0, Score::new(20), 12), (1, Score::new(20), 12)];
        assert_eq!(best(&[own, other]), 0);
        assert_eq!(best(&[own, other, other]), 1);
    }

    #[test]
    fn a_deeper_search_and_a_better_score_have_more_weight() {
        let vote = |mv, score, depth| (mv, Score::new(score), depth);
        assert_eq!(best(&[vote(0, 20, 12), vote(1, 20, 14)]), 1);
        assert_eq!(best(&[vote(0, 20, 12), vote(1, 40, 12)]), 1);
        assert_eq!(best(&[vote(0, 20, 14), vote(1, 21, 12)]), 0);
    }

    #[test]
    fn among_votes_for_the_same_move_the_heaviest_gives_score_and_line() {
        let vote = |mv, score, depth| (mv, Score::new(score), depth);
        assert_eq!(best(&[vote(0, 0, 9), vote(1, 20, 12), vote(1, 25, 13)]), 2);
    }

    #[test]
    fn the_shortest_mate_of_any_thread_is_played() {
        let mate = |plies| Score::mate_in(Ply::new(plies));
        assert_eq!(best(&[(0, mate(9), 20), (1, mate(5), 7), (0, mate(9), 20)]), 1);
        assert_eq!(best(&[(0, Score::new(900), 20), (1, mate(5), 7)]), 1);
    }
}
