//! The static evaluation as the search uses it: a rule's or the network's value, corrected by what
//! the search has learned of its errors and faded as the fifty-move count rises.

use shakmaty::Position as _;

use super::parameters;
use super::worker::Worker;
use crate::evaluation::{limited, value_by_rule};
use crate::units::{Ply, Score};

/// With debug assertions, the evaluation of one in so many positions is compared with one from
/// scratch, which is slow.
const REFRESH_CHECK: u64 = 64;

impl Worker<'_> {
    /// The static evaluation of the current position before any correction.
    pub(super) fn raw_evaluation(&self) -> Score {
        let board = self.position.board();
        if let Some(value) = value_by_rule(board.chess()) {
            return value;
        }
        let evaluation = &self.thread_data.evaluation;
        let value = evaluation.value(board);
        let from_scratch =
            || evaluation.network().value(board.chess().board(), self.position.turn());
        debug_assert!(
            !board.key().0.is_multiple_of(REFRESH_CHECK) || value == from_scratch(),
            "what the evaluation accumulated differs from a refresh: {board:?}"
        );
        limited(board.chess().board(), self.position.turn(), value)
    }

    /// The static evaluation as the search uses it: with correction history added and scaled towards a
    /// draw as the fifty-move count rises if the limits say so, unless a rule knows the value, and kept
    /// within the bounds of evaluations.
    pub(super) fn corrected(&self, raw: Score, ply: Ply) -> Score {
        let board = self.position.board();
        // A rule leads to a mate by steps that are smaller than most corrections.
        let value = if value_by_rule(board.chess()).is_some() {
            raw.centipawns()
        } else {
            let correction = self.thread_data.correction_history.get(board, &self.context(ply));
            let halfmoves = board.halfmoves().min(100) as i32;
            let fade = if self.shared.limits.fade { parameters::fifty_move_fade() } else { 0 };
            (raw.centipawns() + correction) * (10_000 - fade * halfmoves) / 10_000
        };
        let noise = self.strength_limit.map_or(0, |limit| limit.evaluation_noise(board));
        Score::new(value + noise).clamp_static()
    }

    /// The score of a node that cannot be searched any deeper.
    pub(super) fn leaf_evaluation(&self, ply: Ply) -> Score {
        if self.position.board().in_check() {
            return Score::ZERO;
        }
        let raw = self.raw_evaluation();
        self.corrected(raw, ply)
    }
}
