//! The state of a node's loop over its moves.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::report::Bound;
use super::tablebase_probe::TablebaseScore;
use super::window::ScoreWindow;
use crate::engine::units::Score;

/// How far the moves of a node have been searched.
pub struct MoveLoop {
    /// What is left of the node's window: alpha rises with the best score.
    pub window: ScoreWindow,
    /// The best score so far, whether within the window or not.
    pub best_score: Score,
    /// An upper limit of the score, if endgame tables give one.
    pub ceiling: Option<Score>,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// Moves taken from the picker, including those that were pruned.
    pub move_count: usize,
    /// Quiet moves that were searched and did not raise alpha.
    pub quiets: ArrayVec<Move, 64>,
    /// Captures and promotions that were searched and did not raise alpha.
    pub captures: ArrayVec<Move, 32>,
}

impl MoveLoop {
    /// The state before the first move. Endgame tables may have given a bound within the window.
    pub fn new(mut window: ScoreWindow, known: Option<TablebaseScore>) -> MoveLoop {
        let of = |bound| known.filter(|known| known.bound == bound).map(|known| known.score);
        let (floor, ceiling) = (of(Bound::Lower), of(Bound::Upper));
        window.alpha = floor.map_or(window.alpha, |floor| floor.max(window.alpha));
        MoveLoop {
            window,
            best_score: floor.unwrap_or(Score::MINUS_INFINITE),
            ceiling,
            best_move: None,
            move_count: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }
}
