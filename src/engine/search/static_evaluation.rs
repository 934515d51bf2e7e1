//! The static evaluation for the search: the value of a rule or of the network, corrected by
//! correction history and faded as the fifty-move count rises.
//!
//! Correction history (Caissa, 2023) learns the error of the static evaluation in positions with
//! the same pawns, the same minor pieces, the same pieces of one side or the same last moves. The
//! correction is a share of the sum of these histories. Each history learns from the error that all
//! of them left, as in a regression, so that histories that know the same error do not correct it
//! twice.

use bytemuck::Zeroable;
use shakmaty::{Color, Position as _};

use super::history::{PIECE_TO, PieceTo, PreviousMoves};
use super::parameters;
use super::worker::Worker;
use crate::evaluation::{scale_drawish, value_by_rule};
use crate::memory;
use crate::position::{Attacks, Board, Key, Keys};
use crate::units::{Depth, Ply, Score};

/// With debug assertions, one in this number of positions is also evaluated from scratch, as a
/// check. Checking every position would be slow.
const REFRESH_CHECK: u64 = 64;

impl Worker<'_> {
    /// Returns the attacks of both sides, White's first.
    pub(super) fn attacks(&self) -> [Attacks; 2] {
        Attacks::of_both(self.position.chess().board())
    }

    /// Returns the static evaluation of the current position before any correction. `attacks` are those
    /// of both sides, White's first.
    pub(super) fn raw_evaluation(&self, attacks: &[Attacks; 2]) -> Score {
        let board = self.position.board();
        if let Some(value) = value_by_rule(board.chess()) {
            return value;
        }
        let evaluation = &self.thread_data.evaluation;
        let value = evaluation.value_with_attacks(board, attacks);
        let from_scratch =
            || evaluation.network().value(board.chess().board(), self.position.turn());
        debug_assert!(
            !board.key().0.is_multiple_of(REFRESH_CHECK) || value == from_scratch(),
            "the accumulated evaluation differs from a refresh: {board:?}"
        );
        scale_drawish(board.chess().board(), self.position.turn(), value)
    }

    /// Returns the static evaluation for the search. Unless a rule knows the value, it adds
    /// correction history and, if the limits ask for it, fades the value as the fifty-move count
    /// rises. The result is within the bounds of evaluations.
    pub(super) fn corrected_evaluation(&self, raw: Score, ply: Ply) -> Score {
        let board = self.position.board();
        // The values of a rule lead to a mate in steps that are smaller than most corrections.
        let value = if value_by_rule(board.chess()).is_some() {
            raw.centipawns()
        } else {
            let correction =
                self.thread_data.correction_history.get(board, self.previous_moves(ply));
            let halfmoves = board.halfmoves().min(100) as i32;
            let fade =
                if self.shared.limits.fade_scores { parameters::fifty_move_fade() } else { 0 };
            (raw.centipawns() + correction) * (10_000 - fade * halfmoves) / 10_000
        };
        let noise = self.strength_limit.map_or(0, |limit| limit.evaluation_noise(board));
        Score::new(value + noise).clamp_static()
    }

    /// Returns the score of a node that cannot be searched deeper.
    pub(super) fn leaf_evaluation(&self, ply: Ply) -> Score {
        if self.position.board().in_check() {
            return Score::ZERO;
        }
        let raw = self.raw_evaluation(&self.attacks());
        self.corrected_evaluation(raw, ply)
    }
}

/// Number of partial keys that select corrections.
const STRUCTURES: usize = 4;
/// Number of entries for each side to move.
const ENTRIES: usize = 1 << 14;
/// Stored corrections are in 256ths of a centipawn.
const UNIT: i32 = 256;
/// Shares of an error are in 4096ths.
const RATE_UNIT: i32 = 4096;

/// The corrections that one search thread has learned.
#[derive(Zeroable)]
pub(super) struct CorrectionHistory {
    /// By side to move and partial key.
    by_structure: [[[i16; STRUCTURES]; ENTRIES]; 2],
    /// By the last move, and by the one two or four plies ago.
    continuation: [[i16; PIECE_TO]; PIECE_TO],
}

impl CorrectionHistory {
    /// Creates an empty correction history, as at the start of a game.
    pub(super) fn new() -> Box<CorrectionHistory> {
        bytemuck::allocation::zeroed_box()
    }

    /// Starts to load the corrections of a position with `side` to move, before it is entered: they
    /// are too far apart to stay in the processor's caches. `previous_moves` lead there.
    #[inline]
    pub(super) fn prefetch(&self, side: Color, keys: &Keys, previous_moves: PreviousMoves) {
        let table = &self.by_structure[side as usize];
        for key in structure_keys(keys) {
            memory::prefetch(&table[entry_index(key)]);
        }
        for (last, earlier) in move_pairs(previous_moves) {
            memory::prefetch(&self.continuation[last][earlier]);
        }
    }

    /// Returns the correction of the static evaluation in centipawns: a share of the sum of the
    /// histories. `previous_moves` led here.
    pub(super) fn get(&self, board: &Board, previous_moves: PreviousMoves) -> i32 {
        let table = &self.by_structure[board.chess().turn() as usize];
        let kinds = structure_keys(board.keys()).into_iter().enumerate();
        let mut sum: i32 = kinds.map(|(kind, key)| i32::from(table[entry_index(key)][kind])).sum();
        for (last, earlier) in move_pairs(previous_moves) {
            sum += i32::from(self.continuation[last][earlier]);
        }
        sum * parameters::correction_weight() / (100 * UNIT)
    }

    /// Updates the corrections after a search to `depth` returned `error` centipawns more than the
    /// corrected evaluation. Each history learns a share of the error that all of them together
    /// left. The nearer an entry is to its limit, the more it forgets.
    pub(super) fn update(
        &mut self,
        board: &Board,
        depth: Depth,
        error: i32,
        previous_moves: PreviousMoves,
    ) {
        let share = (parameters::correction_rate() * (depth.plies() + 1))
            .min(parameters::correction_rate_max());
        let limit = parameters::correction_limit();
        let bonus = error.clamp(-limit, limit) * UNIT * share / RATE_UNIT;
        let limit = limit * UNIT;
        let update = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / limit) as i16;
        };
        let table = &mut self.by_structure[board.chess().turn() as usize];
        for (kind, key) in structure_keys(board.keys()).into_iter().enumerate() {
            update(&mut table[entry_index(key)][kind]);
        }
        for (last, earlier) in move_pairs(previous_moves) {
            update(&mut self.continuation[last][earlier]);
        }
    }
}

fn structure_keys(keys: &Keys) -> [Key; STRUCTURES] {
    [keys.pawn, keys.minor, keys.non_pawn.white, keys.non_pawn.black]
}

/// Returns pairs of indices: the last move with the moves two and four plies ago, where they exist.
fn move_pairs(previous_moves: PreviousMoves) -> impl Iterator<Item = (usize, usize)> {
    let [last, earlier @ .., _] = previous_moves;
    let known = move |&mv: &PieceTo| last != PieceTo::NONE && mv != PieceTo::NONE;
    earlier.into_iter().filter(known).map(move |earlier| (last.index(), earlier.index()))
}

fn entry_index(key: Key) -> usize {
    key.0 as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen_any;

    const NO_MOVES: PreviousMoves = [PieceTo::NONE; 4];

    fn board(fen: &str) -> Board {
        Board::new(parse_fen_any(fen).unwrap())
    }

    /// Returns the history learned from many searches that found a score of `score` centipawns more
    /// than the static evaluation.
    fn learned(white: &Board, score: i32) -> Box<CorrectionHistory> {
        let mut history = CorrectionHistory::new();
        for _ in 0..2_000 {
            let error = score - history.get(white, NO_MOVES);
            history.update(white, Depth::new(8), error, NO_MOVES);
        }
        history
    }

    #[test]
    fn correction_history_learns_the_error_for_the_same_side_to_move() {
        let white = board("4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1");
        let black = board("4k3/pp6/8/8/8/8/PP6/4K1N1 b - - 0 1");
        for score in [40, -30, 0] {
            let history = learned(&white, score);
            let found = history.get(&white, NO_MOVES);
            assert!((found - score).abs() <= 1, "{found} for {score}");
            assert_eq!(history.get(&black, NO_MOVES), 0, "the other side has its own correction");
        }
    }

    #[test]
    fn a_correction_never_exceeds_its_share_of_the_limits() {
        let white = board("4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1");
        let most = parameters::correction_limit() * STRUCTURES as i32;
        let most = most * parameters::correction_weight() / 100;
        for score in [5_000, -5_000] {
            let found = learned(&white, score).get(&white, NO_MOVES);
            assert!(found.abs() <= most && found.signum() == score.signum(), "{found}");
        }
    }
}
