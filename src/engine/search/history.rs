//! The histories: how good moves were in the nodes searched so far, for ordering quiet moves and
//! captures, for reductions and pruning.
//!
//! The history heuristic (Schaeffer 1983) counts how often a move caused a cut-off anywhere. Here
//! it has gravity: a bonus moves an entry towards its limit by a share of the rest, so that old
//! results count less and less. A quiet move has a history of its own for each case of whether the
//! opponent attacks the squares that it leaves and goes to; before any cut-off, the change of the
//! static evaluation that the move caused is a hint for it (Stockfish, 2020). Continuation history
//! counts cut-offs of a move as the reply to an earlier one, pawn history (Caissa and Stockfish,
//! 2023) those with the same pawns, capture history those of captures. The counter-move heuristic
//! (Uiterwijk 1992) stores one refutation for each move.
//!
//! The second part of the file is the updates of a node: at its end killers and histories by its
//! best move, correction history by its score, and its entry in the transposition table (TT); before
//! that the histories of moves that an evaluation or a second search says something about.

use bytemuck::Zeroable;
use shakmaty::{Color, Move, Role, Square};

use super::node::{MoveLoop, Node, NodeType, ScoreWindow};
use super::parameters;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::Worker;
use crate::position::{Attacks, Board, PackedMove, is_tactical};
use crate::units::{Depth, Ply, Score};

/// Pieces of both sides times destinations.
pub(super) const PIECE_TO: usize = 12 * 64;
const PAWN_STRUCTURES: usize = 512;
/// The limit of every history entry.
const LIMIT: i32 = 1 << 14;
/// Capture history by victim: each role by its number from 1, or 0 for a promotion without capture.
const VICTIMS: usize = 7;

/// A move as continuation history sees it: which piece went where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move, as after a null move or before the root.
    pub const NONE: PieceTo = PieceTo(PIECE_TO as u16);

    /// The piece of `side` that `mv` moves and where it goes.
    pub fn new(side: Color, mv: Move) -> PieceTo {
        let (role, _, to) = role_and_squares(mv);
        PieceTo::from_parts(side, role, to)
    }

    fn from_parts(side: Color, role: Role, to: Square) -> PieceTo {
        let piece = side as usize * 6 + (role as usize - 1);
        PieceTo((piece * 64 + to.to_usize()) as u16)
    }

    /// Its number below [`PIECE_TO`], or that for no move.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// The circumstances that the history of a quiet move depends on.
#[derive(Clone, Copy, Default, Debug)]
pub struct HistoryContext {
    /// The moves one, two, four and six plies ago, to which continuation history knows replies.
    pub previous_moves: [PieceTo; 4],
    /// The index of the pawn structure.
    pub pawn_structure: u16,
    /// The squares that the opponent attacks.
    pub threats: Attacks,
}

impl HistoryContext {
    /// The index of the table with a move's own history: by whether the opponent attacks the square
    /// that it leaves and the one that it goes to.
    fn table(&self, from: Square, to: Square) -> usize {
        let attacked = |square| usize::from(self.threats.all.contains(square));
        parameters::threat_history() as usize * (2 * attacked(from) + attacked(to))
    }
}

/// An entry with gravity, within ±[`LIMIT`].
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

/// The histories of one search thread. The replies of one piece fill two cache lines, where they
/// begin with one.
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
    /// Histories of a new game.
    pub fn new() -> Box<Histories> {
        bytemuck::allocation::zeroed_box()
    }

    /// The history score of the quiet moves of one node, by what [`role_and_squares`] returns for
    /// them: each move's own history, its continuation histories and its pawn history. A closure, so
    /// that what the moves share is looked up once.
    pub fn quiet(
        &self,
        side: Color,
        context: &HistoryContext,
    ) -> impl Fn((Role, Square, Square)) -> i32 + use<'_> {
        let own = &self.quiet[side as usize];
        let context = *context;
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
            let own = &own[context.table(from, to)][from.to_usize()][to.to_usize()];
            own.get() + (replies + pawn_history[piece_to].get() * pawn_weight) / 100
        }
    }

    /// The history score of a capture or promotion.
    pub fn capture(&self, side: Color, mv: Move) -> i32 {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].get()
    }

    /// The quiet move that last refuted the move before.
    pub fn counter_move(&self, earlier: PieceTo) -> Option<PackedMove> {
        PackedMove::from_bits(self.counter_moves[earlier.index()])
    }

    /// Updates the histories after the quiet move `best` was the best of a node of this depth and
    /// raised alpha, which it does in every cut-off: they rise, and those of the quiet moves
    /// `failed`, which were searched and did not raise alpha, fall.
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

    /// Updates the own history of a quiet move by which the static evaluation rose by `gain`
    /// centipawns for the side that made it.
    pub fn update_quiet_from_evaluation(
        &mut self,
        side: Color,
        mv: Move,
        gain: i32,
        context: &HistoryContext,
    ) {
        let bonus = (gain * parameters::evaluation_hint_weight())
            .clamp(-parameters::evaluation_hint_fall_max(), parameters::evaluation_hint_rise_max());
        self.own_entry(side, mv, context).update(bonus);
    }

    /// Updates capture history after `best` was the best of a node and raised alpha: it rises for
    /// `best`, if that is a capture or promotion, and falls for those in `failed`, which were searched
    /// and did not raise alpha.
    pub fn update_captures(&mut self, side: Color, best: Move, failed: &[Move], depth: Depth) {
        if is_tactical(best) {
            self.update_capture(side, best, bonus(depth));
        }
        for &mv in failed {
            self.update_capture(side, mv, -malus(depth));
        }
    }

    /// Updates the histories of a quiet move.
    pub fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32, context: &HistoryContext) {
        self.own_entry(side, mv, context).update(bonus);
        let piece_to = PieceTo::new(side, mv).index();
        self.pawn[usize::from(context.pawn_structure)][piece_to].update(bonus);
        self.update_continuation(side, mv, bonus, context);
    }

    /// Updates the continuation histories of a quiet move.
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

    /// A quiet move's own history.
    fn own_entry(&mut self, side: Color, mv: Move, context: &HistoryContext) -> &mut HistoryEntry {
        let (_, from, to) = role_and_squares(mv);
        let table = &mut self.quiet[side as usize][context.table(from, to)];
        &mut table[from.to_usize()][to.to_usize()]
    }

    fn update_capture(&mut self, side: Color, mv: Move, bonus: i32) {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].update(bonus);
    }
}

/// What a success at this depth adds to a history.
pub(super) fn bonus(depth: Depth) -> i32 {
    let bonus = parameters::history_bonus() * depth.plies() - parameters::history_bonus_offset();
    bonus.clamp(0, parameters::history_bonus_max())
}

/// What a failure at this depth takes off a history.
fn malus(depth: Depth) -> i32 {
    let malus = parameters::history_malus() * depth.plies() - parameters::history_malus_offset();
    malus.clamp(0, parameters::history_malus_max())
}

/// The index of a position in pawn history.
pub(super) fn pawn_history_index(board: &Board) -> u16 {
    (board.keys().pawn.0 % PAWN_STRUCTURES as u64) as u16
}

/// The piece that moves, the square that it leaves and the one that it goes to. One look at the kind of
/// move for all three, since the quiet moves of a node are scored often, and nearly all are normal.
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
    /// Updates the histories and the table with what a finished node found; `alpha` is that of its
    /// window before its first move.
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
        // A search of some of the root's moves does not know the value of the position.
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

    /// Updates the history of the quiet move that led to this node by how much it changed the
    /// static evaluation.
    pub(super) fn update_history_from_evaluation(&mut self, ply: Ply) {
        let evaluation = |plies| self.stack_before(ply, plies).static_evaluation;
        if let Some(now) = evaluation(0)
            && let Some(earlier) = evaluation(1)
            && let Some((side, mv, context)) = self.previous_quiet_move(ply)
        {
            // Each evaluation is for its side to move, and these are different sides.
            self.thread_data.histories.update_quiet_from_evaluation(
                side,
                mv,
                -now - earlier,
                &context,
            );
        }
    }

    /// The quiet move that led to this ply, if one did, with its side and context.
    fn previous_quiet_move(&self, ply: Ply) -> Option<(Color, Move, HistoryContext)> {
        let mv = self.stack_before(ply, 1).mv.filter(|&mv| !is_tactical(mv))?;
        Some((!self.position.turn(), mv, self.context(ply.previous())))
    }

    /// A node failed low: the quiet move that led to it was good.
    fn reward_previous_move(&mut self, node: &Node, moves: &MoveLoop) {
        let Some((side, mv, context)) = self.previous_quiet_move(node.ply) else { return };
        let surprise = !node.in_check
            && moves.best_score + parameters::fail_low_margin() <= node.static_evaluation;
        let percent = parameters::fail_low_bonus() * if surprise { 2 } else { 1 };
        let bonus = bonus(moves.depth) * percent / 100;
        self.thread_data.histories.update_quiet(side, mv, bonus, &context);
    }

    /// A node failed high: if the quiet move that led to it was the first of its node, the
    /// continuation histories thought too well of it.
    fn penalise_previous_move(&mut self, ply: Ply, depth: Depth) {
        let before = self.previous_quiet_move(ply);
        let is_first_move = self.stack_before(ply, 1).is_first_move;
        let Some((side, mv, context)) = before.filter(|_| is_first_move) else { return };
        let malus = (parameters::first_move_malus() * depth.plies())
            .min(parameters::first_move_malus_max());
        self.thread_data.histories.update_continuation(side, mv, -malus, &context);
    }

    /// The search at full depth confirmed what a reduced one found of a quiet move, or not. The move
    /// is made.
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

    /// Updates histories by the best move, which caused a cut-off or is that of an exact score: it
    /// becomes a killer, if it is quiet, and its histories rise; those of the searched moves that did
    /// not raise alpha fall.
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

    /// Updates correction history by how much the score differs from the static evaluation.
    fn update_correction_history(&mut self, node: &Node, moves: &MoveLoop, bound: Bound) {
        if node.in_check {
            return;
        }
        let quiet = moves.best_move.is_none_or(|mv| !is_tactical(mv));
        // A score that is at least 20 does not contradict an evaluation of 50.
        let error = moves.best_score - node.static_evaluation;
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        // Where a capture is best, the score differs by what it wins, not by an error of
        // evaluation.
        if quiet && contradicts && !moves.best_score.is_decisive() {
            let context = self.context(node.ply);
            let history = &mut self.thread_data.correction_history;
            history.update(self.position.board(), moves.depth, error, &context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen_any, parse_move};
    use shakmaty::Bitboard;

    #[test]
    fn a_move_that_cuts_off_rises_and_those_tried_before_it_fall_within_limits() {
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
            "its own, as an answer, and with these pawns"
        );
        assert_eq!(score(other), 0);
        let elsewhere = HistoryContext { pawn_structure: 1, ..HistoryContext::default() };
        let elsewhere = histories.quiet(Color::White, &elsewhere);
        assert!(
            elsewhere(role_and_squares(cut)) <= LIMIT,
            "only its own without what it answers and with other pawns"
        );
        assert_eq!(histories.counter_move(earlier), Some(PackedMove::new(cut)));
    }

    #[test]
    fn what_a_move_is_worth_is_kept_apart_by_what_the_other_side_attacks() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        let attacked = |all| {
            let threats = Attacks { all, ..Attacks::default() };
            HistoryContext { threats, ..HistoryContext::default() }
        };
        let to = Bitboard::from_square(Square::F3);
        let mut histories = Histories::new();
        histories.update_quiets(Color::White, mv, &[], Depth::new(5), &attacked(to));
        // With other pawns, so that what the pawns say is left out.
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
    fn a_move_that_raises_the_evaluation_rises_and_one_that_lowers_it_falls_within_limits() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        let weight = parameters::evaluation_hint_weight();
        let (rise, fall) =
            (parameters::evaluation_hint_rise_max(), parameters::evaluation_hint_fall_max());
        let cases = [(30, 30 * weight), (-20, -20 * weight), (9_000, rise), (-9_000, -fall)];
        for (gain, expected) in cases {
            let mut histories = Histories::new();
            let context = HistoryContext::default();
            histories.update_quiet_from_evaluation(Color::White, mv, gain, &context);
            let score = histories.quiet(Color::White, &context)(role_and_squares(mv));
            assert_eq!(score, expected, "{gain}");
        }
    }
}
