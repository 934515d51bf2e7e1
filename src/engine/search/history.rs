//! The histories: statistics of the moves searched so far, for ordering, reductions and pruning.
//!
//! The history heuristic (Schaeffer 1983) counts how often a move caused a cut-off anywhere. Here
//! the entries have gravity: a bonus moves an entry towards its limit by a share of the distance
//! left, so that old results count less and less.
//!
//! - Quiet history has four entries for each move, by the opponent's attacks on the square that the
//!   move leaves and on the square that it goes to. The change of the static evaluation by the move
//!   updates it even before any cut-off (Stockfish, 2020).
//! - Continuation history counts the cut-offs of a move as the reply to an earlier move.
//! - Pawn history (Caissa and Stockfish, 2023) counts them for each pawn structure.
//! - Capture history counts those of captures.
//! - The counter-move heuristic (Uiterwijk 1992) stores one refutation for each move.
//!
//! The second part of the file updates these data from a node. At the end of a node, its best move
//! updates the killers and the histories, its score updates correction history, and its entry is
//! stored in the transposition table (TT). Before the end, the static evaluation and a search at
//! full depth after a reduced one update the history of single moves.

use bytemuck::Zeroable;
use shakmaty::{Bitboard, Color, Move, Role, Square};

use super::node::{MoveLoop, Node, NodeType, ScoreWindow};
use super::parameters;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::Worker;
use crate::position::{Board, PackedMove, is_tactical};
use crate::units::{Depth, Ply, Score};

/// Number of pieces of both sides times number of destination squares.
pub(super) const PIECE_TO: usize = 12 * 64;
const PAWN_STRUCTURES: usize = 512;
/// Greatest absolute value of a history entry.
const LIMIT: i32 = 1 << 14;
/// Number of victims in capture history: the six roles from 1, and 0 for a promotion without
/// capture.
const VICTIMS: usize = 7;

/// A move as continuation history sees it: the piece and its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move: a null move, or a ply before the root.
    pub const NONE: PieceTo = PieceTo(PIECE_TO as u16);

    /// Returns the piece of `side` that `mv` moves, and its destination.
    pub fn new(side: Color, mv: Move) -> PieceTo {
        let (role, _, to) = role_and_squares(mv);
        PieceTo::from_parts(side, role, to)
    }

    fn from_parts(side: Color, role: Role, to: Square) -> PieceTo {
        let piece = side as usize * 6 + (role as usize - 1);
        PieceTo((piece * 64 + to.to_usize()) as u16)
    }

    /// Returns an index below [`PIECE_TO`], or `PIECE_TO` for no move.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// The moves one, two, four and six plies ago.
pub(super) type PreviousMoves = [PieceTo; 4];

/// Facts about a node that select the history entries of its quiet moves.
#[derive(Clone, Copy, Default, Debug)]
pub struct HistoryContext {
    /// Select the entries of continuation history.
    pub previous_moves: PreviousMoves,
    /// Index of the pawn structure in pawn history.
    pub pawn_structure: u16,
    /// Squares that the opponent attacks.
    pub threatened: Bitboard,
}

/// Returns the index of the table of quiet history for a move: it depends on the opponent's attacks
/// on the two squares.
fn threat_table(threatened: Bitboard, from: Square, to: Square) -> usize {
    let attacked = |square| usize::from(threatened.contains(square));
    parameters::threat_history() as usize * (2 * attacked(from) + attacked(to))
}

/// A history entry with gravity, within ±[`LIMIT`].
#[derive(Clone, Copy, Zeroable)]
#[repr(transparent)]
struct HistoryEntry(i16);

impl HistoryEntry {
    fn get(self) -> i32 {
        i32::from(self.0)
    }

    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

/// The histories of one search thread. The alignment makes the replies of one piece fill exactly
/// two cache lines.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct Histories {
    quiet: [[[[HistoryEntry; 64]; 64]; 4]; 2],
    capture: [[HistoryEntry; VICTIMS]; PIECE_TO],
    continuation: [[HistoryEntry; PIECE_TO]; PIECE_TO + 1],
    pawn: [[HistoryEntry; PIECE_TO]; PAWN_STRUCTURES],
    counter_moves: [u16; PIECE_TO + 1],
}

impl Histories {
    /// Creates the empty histories of a new game.
    pub fn new() -> Box<Histories> {
        bytemuck::allocation::zeroed_box()
    }

    /// Returns a function from the `role_and_squares` of a quiet move to its history score: quiet
    /// history plus weighted continuation histories and pawn history. The function holds the tables
    /// that all moves of the node share, so that they are looked up only once.
    pub fn quiet(
        &self,
        side: Color,
        context: &HistoryContext,
    ) -> impl Fn((Role, Square, Square)) -> i32 + use<'_> {
        let own = &self.quiet[side as usize];
        let threatened = context.threatened;
        let continuations =
            context.previous_moves.map(|earlier| &self.continuation[earlier.index()]);
        let pawn_history = &self.pawn[usize::from(context.pawn_structure)];
        let weights = [
            parameters::continuation_one_weight(),
            parameters::continuation_two_weight(),
            parameters::continuation_four_weight(),
            parameters::continuation_six_weight(),
        ];
        let pawn_weight = parameters::pawn_history_weight();
        move |(role, from, to)| {
            let piece_to = PieceTo::from_parts(side, role, to).index();
            let weighted = continuations.iter().zip(weights);
            let replies: i32 =
                weighted.map(|(replies, weight)| replies[piece_to].get() * weight).sum();
            let table = threat_table(threatened, from, to);
            let own = &own[table][from.to_usize()][to.to_usize()];
            own.get() + (replies + pawn_history[piece_to].get() * pawn_weight) / 100
        }
    }

    /// Returns the history score of a capture or promotion.
    pub fn capture(&self, side: Color, mv: Move) -> i32 {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].get()
    }

    /// Returns the quiet move that last refuted the move `previous`.
    pub fn counter_move(&self, previous: PieceTo) -> Option<PackedMove> {
        PackedMove::from_bits(self.counter_moves[previous.index()])
    }

    /// Updates the histories after the quiet move `best` raised alpha in a node of this depth and
    /// was its best move. The histories of `best` rise. Those of the quiet moves in `failed`, which
    /// were searched and did not raise alpha, fall.
    pub fn update_quiets(
        &mut self,
        side: Color,
        best: Move,
        failed: &[Move],
        depth: Depth,
        context: &HistoryContext,
    ) {
        self.update_quiet(side, best, bonus(depth), context);
        let reduction = parameters::history_malus_by_count() * failed.len() as i32;
        let malus = (malus(depth) - reduction).max(0);
        for &mv in failed {
            self.update_quiet(side, mv, -malus, context);
        }
        let last = context.previous_moves[0];
        if last != PieceTo::NONE {
            self.counter_moves[last.index()] = PackedMove::to_bits(Some(PackedMove::new(best)));
        }
    }

    /// Updates quiet history after a quiet move changed the static evaluation by `gain` centipawns
    /// for the side that made it. The opponent attacked the `threatened` squares before the move.
    pub fn update_quiet_from_evaluation(
        &mut self,
        side: Color,
        mv: Move,
        gain: i32,
        threatened: Bitboard,
    ) {
        let bonus = (gain * parameters::evaluation_hint_weight())
            .clamp(-parameters::evaluation_hint_fall_max(), parameters::evaluation_hint_rise_max());
        self.own_entry(side, mv, threatened).update(bonus);
    }

    /// Updates capture history after `best` raised alpha and was the best move of a node. It rises
    /// for `best` if `best` is a capture or promotion. It falls for the moves in `failed`, which
    /// were searched and did not raise alpha.
    pub fn update_captures(&mut self, side: Color, best: Move, failed: &[Move], depth: Depth) {
        if is_tactical(best) {
            self.update_capture(side, best, bonus(depth));
        }
        for &mv in failed {
            self.update_capture(side, mv, -malus(depth));
        }
    }

    /// Adds `bonus` to all histories of a quiet move.
    pub fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32, context: &HistoryContext) {
        self.own_entry(side, mv, context.threatened).update(bonus);
        let piece_to = PieceTo::new(side, mv).index();
        self.pawn[usize::from(context.pawn_structure)][piece_to].update(bonus);
        self.update_continuation(side, mv, bonus, context);
    }

    /// Adds `bonus` to the continuation histories of a quiet move.
    pub fn update_continuation(
        &mut self,
        side: Color,
        mv: Move,
        bonus: i32,
        context: &HistoryContext,
    ) {
        let piece_to = PieceTo::new(side, mv).index();
        for earlier in context.previous_moves.iter().filter(|&&earlier| earlier != PieceTo::NONE) {
            self.continuation[earlier.index()][piece_to].update(bonus);
        }
    }

    /// Returns the entry of a move in quiet history.
    fn own_entry(&mut self, side: Color, mv: Move, threatened: Bitboard) -> &mut HistoryEntry {
        let (_, from, to) = role_and_squares(mv);
        let table = &mut self.quiet[side as usize][threat_table(threatened, from, to)];
        &mut table[from.to_usize()][to.to_usize()]
    }

    fn update_capture(&mut self, side: Color, mv: Move, bonus: i32) {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].update(bonus);
    }
}

/// Returns the bonus of a success at this depth.
pub(super) fn bonus(depth: Depth) -> i32 {
    let bonus = parameters::history_bonus() * depth.plies() - parameters::history_bonus_offset();
    bonus.clamp(0, parameters::history_bonus_max())
}

/// Returns the malus of a failure at this depth.
fn malus(depth: Depth) -> i32 {
    let malus = parameters::history_malus() * depth.plies() - parameters::history_malus_offset();
    malus.clamp(0, parameters::history_malus_max())
}

/// Returns the index of a position's pawn structure in pawn history.
pub(super) fn pawn_history_index(board: &Board) -> u16 {
    (board.keys().pawn.0 % PAWN_STRUCTURES as u64) as u16
}

/// Returns the piece that moves, the square that it leaves and its destination. One test of the
/// kind of the move serves all three: quiet moves are scored often, and nearly all are normal
/// moves.
#[inline]
pub(super) fn role_and_squares(mv: Move) -> (Role, Square, Square) {
    if let Move::Normal { role, from, to, .. } = mv {
        return (role, from, to);
    }
    special_role_and_squares(mv)
}

#[cold]
fn special_role_and_squares(mv: Move) -> (Role, Square, Square) {
    match mv {
        Move::Normal { role, from, to, .. } => (role, from, to),
        Move::EnPassant { from, to } => (Role::Pawn, from, to),
        Move::Castle { king, rook } => (Role::King, king, rook),
        Move::Put { role, to } => (role, to, to),
    }
}

fn victim(mv: Move) -> usize {
    mv.capture().map_or(0, |role| role as usize)
}

impl Worker<'_> {
    /// Updates the histories and the table from a finished node. `alpha` is the alpha of its window
    /// before the first move.
    pub(super) fn record_node<N: NodeType>(&mut self, node: &Node, moves: &MoveLoop, alpha: Score) {
        let bound = ScoreWindow::new(alpha, moves.window.beta).bound(moves.best_score);
        if let Some(best_move) = moves.best_move {
            self.update_histories(node, moves, best_move);
            if !N::ROOT && bound == Bound::Lower {
                self.penalise_previous_move(node.ply, moves.depth);
            }
        } else if !N::ROOT {
            self.reward_previous_move(node, moves);
        }
        // A search of only some root moves does not know the value of the position.
        let all_moves = self.pv_index == 0 && self.shared.limits.search_moves.is_empty();
        if N::ROOT && !all_moves {
            return;
        }
        self.update_correction_history(node, moves, bound);
        let entry = TableEntry {
            mv: moves.best_move.map(PackedMove::new),
            score: moves.best_score,
            bound,
            depth: moves.depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }

    /// Updates the history of the quiet move that led to this node from the change of the static
    /// evaluation.
    pub(super) fn update_history_from_evaluation(&mut self, ply: Ply) {
        let evaluation = |plies| self.stack_before(ply, plies).static_evaluation;
        if let Some(now) = evaluation(0)
            && let Some(earlier) = evaluation(1)
            && let Some((side, mv)) = self.previous_quiet_move(ply)
        {
            // Each evaluation is for its own side to move, and the two sides differ.
            let gain = -now - earlier;
            let threatened = self.stack_before(ply, 1).threatened;
            let histories = &mut self.thread_data.histories;
            histories.update_quiet_from_evaluation(side, mv, gain, threatened);
        }
    }

    /// Returns the move that led to this ply, with its side, if it was quiet.
    fn previous_quiet_move(&self, ply: Ply) -> Option<(Color, Move)> {
        let mv = self.stack_before(ply, 1).mv.filter(|&mv| !is_tactical(mv))?;
        Some((!self.position.turn(), mv))
    }

    /// Rewards the quiet move that led to a node that failed low.
    fn reward_previous_move(&mut self, node: &Node, moves: &MoveLoop) {
        let Some((side, mv)) = self.previous_quiet_move(node.ply) else { return };
        let context = self.context(node.ply.previous());
        let surprise = !node.in_check
            && moves.best_score + parameters::fail_low_margin() <= node.static_evaluation;
        let percent = parameters::fail_low_bonus() * if surprise { 2 } else { 1 };
        let bonus = bonus(moves.depth) * percent / 100;
        self.thread_data.histories.update_quiet(side, mv, bonus, &context);
    }

    /// Penalises the quiet move that led to a node that failed high, if it was the first move of
    /// its node: the continuation histories rated it too high.
    fn penalise_previous_move(&mut self, ply: Ply, depth: Depth) {
        let before = self.previous_quiet_move(ply);
        let is_first_move = self.stack_before(ply, 1).is_first_move;
        let Some((side, mv)) = before.filter(|_| is_first_move) else { return };
        let context = self.context(ply.previous());
        let malus = (parameters::first_move_malus() * depth.plies())
            .min(parameters::first_move_malus_max());
        self.thread_data.histories.update_continuation(side, mv, -malus, &context);
    }

    /// Updates the continuation histories of a quiet move after its search at full depth confirmed
    /// the result of the reduced search, or did not. The move is still made on the board.
    pub(super) fn update_after_re_search(
        &mut self,
        ply: Ply,
        depth: Depth,
        mv: Move,
        confirmed: bool,
    ) {
        let bonus = bonus(depth) * parameters::re_search_bonus() / 100;
        let bonus = if confirmed { bonus } else { -bonus };
        let (side, context) = (!self.position.turn(), self.context(ply));
        self.thread_data.histories.update_continuation(side, mv, bonus, &context);
    }

    /// Updates the histories and killers from the best move of a node, which caused a cut-off or
    /// gave an exact score. A quiet best move becomes a killer. Its histories rise, and those of
    /// the searched moves that did not raise alpha fall.
    fn update_histories(&mut self, node: &Node, moves: &MoveLoop, best_move: Move) {
        let side = self.position.turn();
        let context = self.context(node.ply);
        if !is_tactical(best_move) {
            let killers = &mut self.stack(node.ply).killers;
            if killers[0] != Some(best_move) {
                *killers = [Some(best_move), killers[0]];
            }
            let histories = &mut self.thread_data.histories;
            histories.update_quiets(side, best_move, &moves.quiets, moves.depth, &context);
        }
        let histories = &mut self.thread_data.histories;
        histories.update_captures(side, best_move, &moves.captures, moves.depth);
    }

    /// Updates correction history by the difference between the score and the static evaluation.
    fn update_correction_history(&mut self, node: &Node, moves: &MoveLoop, bound: Bound) {
        if node.in_check {
            return;
        }
        let quiet = moves.best_move.is_none_or(|mv| !is_tactical(mv));
        // For example, a score of at least 20 does not contradict an evaluation of 50.
        let error = moves.best_score - node.static_evaluation;
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        // If a capture is best, the score differs by the material that it wins, not by an error of
        // the evaluation.
        if quiet && contradicts && !moves.best_score.is_decisive() {
            let previous_moves = self.previous_moves(node.ply);
            let history = &mut self.thread_data.correction_history;
            history.update(self.position.board(), moves.depth, error, previous_moves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen_any, parse_move};

    #[test]
    fn a_move_that_cuts_off_rises_and_moves_tried_before_it_fall_within_limits() {
        let board = Board::new(shakmaty::Chess::default());
        let [cut, failed, other] =
            ["e2e4", "d2d4", "c2c4"].map(|mv| parse_move(board.chess(), mv).unwrap());
        let before = parse_fen_any("4k2r/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let earlier = PieceTo::new(Color::Black, parse_move(&before, "h8h1").unwrap());
        let context = HistoryContext {
            previous_moves: [earlier, PieceTo::NONE, PieceTo::NONE, PieceTo::NONE],
            ..HistoryContext::default()
        };
        let mut histories = Histories::new();
        for _ in 0..1_000 {
            histories.update_quiets(Color::White, cut, &[failed], Depth::new(9), &context);
        }
        let score = |mv| histories.quiet(Color::White, &context)(role_and_squares(mv));
        assert!(score(cut) > LIMIT && score(failed) < -LIMIT, "{} {}", score(cut), score(failed));
        assert!(
            score(cut) <= 3 * LIMIT && score(failed) >= -3 * LIMIT,
            "quiet, continuation and pawn history"
        );
        assert_eq!(score(other), 0);
        let elsewhere = HistoryContext { pawn_structure: 1, ..HistoryContext::default() };
        let elsewhere = histories.quiet(Color::White, &elsewhere);
        assert!(
            elsewhere(role_and_squares(cut)) <= LIMIT,
            "only quiet history, without the previous move and with other pawns"
        );
        assert_eq!(histories.counter_move(earlier), Some(PackedMove::new(cut)));
    }

    #[test]
    fn quiet_history_is_separate_for_each_case_of_attacked_squares() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        let attacked = |threatened| HistoryContext { threatened, ..HistoryContext::default() };
        let to = Bitboard::from_square(Square::F3);
        let mut histories = Histories::new();
        histories.update_quiets(Color::White, mv, &[], Depth::new(5), &attacked(to));
        // Other pawns, so that pawn history does not count.
        let score = |threats| {
            let context = HistoryContext { pawn_structure: 1, ..attacked(threats) };
            histories.quiet(Color::White, &context)(role_and_squares(mv))
        };
        assert!(score(to) > 0);
        for elsewhere in [Bitboard::EMPTY, to.with(Square::G1), Bitboard::from_square(Square::G1)] {
            assert_eq!(score(elsewhere), 0, "{elsewhere:?}");
        }
    }

    #[test]
    fn a_move_rises_and_falls_with_the_evaluation_within_limits() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        let weight = parameters::evaluation_hint_weight();
        let (rise, fall) =
            (parameters::evaluation_hint_rise_max(), parameters::evaluation_hint_fall_max());
        let cases = [(30, 30 * weight), (-20, -20 * weight), (9_000, rise), (-9_000, -fall)];
        for (gain, expected) in cases {
            let mut histories = Histories::new();
            let context = HistoryContext::default();
            histories.update_quiet_from_evaluation(Color::White, mv, gain, context.threatened);
            let score = histories.quiet(Color::White, &context)(role_and_squares(mv));
            assert_eq!(score, expected, "{gain}");
        }
    }
}
