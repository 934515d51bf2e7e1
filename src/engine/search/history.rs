//! What moves were worth in the nodes searched so far: the histories that order quiet moves and
//! captures, and the corrections of the static evaluation.
//!
//! The history heuristic (Schaeffer 1983) counts how often a move caused a cut-off anywhere. Here
//! it has the form of history gravity: a bonus moves an entry towards its limit by a share of what
//! is left, so that what is old counts less and less. A quiet move's own history is kept apart by
//! whether the other side attacks the squares that it leaves and goes to, and before any cut-off
//! the change of the static evaluation that the move brought is a hint to it (Stockfish, 2020).
//! Continuation history counts cut-offs of a move as the answer to an earlier one, capture history
//! those of captures. The counter-move heuristic (Uiterwijk 1992) remembers one refutation a move.
//! Correction history (Caissa, 2023) remembers by how much the search found the static evaluation
//! wrong for positions that share the pawns, the minor pieces or one side's pieces.

use bytemuck::Zeroable;
use shakmaty::{Bitboard, Color, Move, Position as _, Role, Square};

use super::parameters;
use crate::engine::position::{Board, Key, PackedMove, is_tactical};
use crate::engine::units::Depth;

/// Pieces of both sides times destinations.
const PIECE_TO: usize = 12 * 64;
const CORRECTIONS: usize = 1 << 14;
/// The limit of every history entry.
const LIMIT: i32 = 1 << 14;
/// Corrections are stored in 256ths of a centipawn.
const CORRECTION_UNIT: i32 = 256;
/// The rate at which corrections are learned is in 4096ths.
const CORRECTION_RATE_UNIT: i32 = 4096;
/// What a capture may take: each role, by its number from 1, or nothing, where a pawn promotes.
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
        PieceTo::of(side, role, to)
    }

    fn of(side: Color, role: Role, to: Square) -> PieceTo {
        let piece = side as usize * 6 + (role as usize - 1);
        PieceTo((piece * 64 + to.to_usize()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// What the history of a quiet move depends on besides the move.
#[derive(Clone, Copy, Default, Debug)]
pub struct HistoryContext {
    /// The moves that led to the node and whose answers continuation history knows: one, two and
    /// four plies ago.
    pub earlier: [PieceTo; 3],
    /// The squares that the other side attacks.
    pub threats: Bitboard,
}

impl HistoryContext {
    /// Which of the tables of a move's own history counts: by whether the other side attacks the
    /// square that it leaves and the one that it goes to.
    fn table(&self, from: Square, to: Square) -> usize {
        let attacked = |square| usize::from(self.threats.contains(square));
        parameters::threat_history() as usize * (2 * attacked(from) + attacked(to))
    }
}

/// One entry with gravity.
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

/// All that one search thread has learned about moves and evaluations.
#[derive(Zeroable)]
pub struct Histories {
    quiet: [[[[HistoryEntry; 64]; 64]; 4]; 2],
    capture: [[HistoryEntry; VICTIMS]; PIECE_TO],
    continuation: [[HistoryEntry; PIECE_TO]; PIECE_TO + 1],
    counter: [u16; PIECE_TO + 1],
    corrections: [[Correction; CORRECTIONS]; 2],
}

/// The corrections for one index, one a structure.
#[derive(Clone, Copy, Zeroable)]
struct Correction {
    by_structure: [i16; STRUCTURES],
}

/// The partial keys that select corrections.
const STRUCTURES: usize = 4;

impl Histories {
    /// Histories that know nothing yet.
    pub fn new() -> Box<Histories> {
        bytemuck::allocation::zeroed_box()
    }

    /// The history score of quiet moves, all in one node, by what [`role_and_squares`] says of them:
    /// each move's own history and its history as an answer.
    pub fn quiet(
        &self,
        side: Color,
        context: &HistoryContext,
    ) -> impl Fn((Role, Square, Square)) -> i32 + use<'_> {
        let own = &self.quiet[side as usize];
        let context = *context;
        let answers = context.earlier.map(|earlier| &self.continuation[earlier.index()]);
        let weight = parameters::continuation_weight();
        move |(role, from, to)| {
            let piece_to = PieceTo::of(side, role, to).index();
            let answers: i32 = answers.iter().map(|answer| answer[piece_to].get()).sum();
            let own = &own[context.table(from, to)][from.to_usize()][to.to_usize()];
            own.get() + answers * weight / 100
        }
    }

    /// The history score of a capture or promotion, which orders captures of equal gain.
    pub fn capture(&self, side: Color, mv: Move) -> i32 {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].get()
    }

    /// The quiet move that last refuted the move before.
    pub fn counter_move(&self, earlier: PieceTo) -> Option<PackedMove> {
        PackedMove::from_bits(self.counter[earlier.index()])
    }

    /// `best`, a quiet move, caused a cut-off at this depth; the quiet moves `failed`, searched before
    /// it, did not even raise alpha.
    pub fn update_quiets(
        &mut self,
        side: Color,
        best: Move,
        failed: &[Move],
        depth: Depth,
        context: &HistoryContext,
    ) {
        let bonus = bonus(depth);
        self.update_quiet(side, best, bonus, context);
        for &mv in failed {
            self.update_quiet(side, mv, -bonus, context);
        }
        let last = context.earlier[0];
        if last != PieceTo::NONE {
            self.counter[last.index()] = PackedMove::to_bits(Some(PackedMove::new(best)));
        }
    }

    /// The static evaluation rose by `gain` centipawns for the side whose quiet move was just made:
    /// a hint to what the move is worth before any cut-off.
    pub fn hint(&mut self, side: Color, mv: Move, gain: i32, context: &HistoryContext) {
        let bonus = (gain * parameters::evaluation_hint_weight())
            .clamp(-parameters::evaluation_hint_fall_max(), parameters::evaluation_hint_rise_max());
        self.own(side, mv, context).update(bonus);
    }

    /// `best` caused a cut-off: its capture history rises, if it is a capture, and that of the captures
    /// `failed`, searched before it without raising alpha, falls.
    pub fn update_captures(&mut self, side: Color, best: Move, failed: &[Move], depth: Depth) {
        let bonus = bonus(depth);
        if is_tactical(best) {
            self.update_capture(side, best, bonus);
        }
        for &mv in failed {
            self.update_capture(side, mv, -bonus);
        }
    }

    /// By how much the static evaluation of such positions was found wrong, in centipawns.
    pub fn correction(&self, board: &Board) -> i32 {
        let table = &self.corrections[board.chess().turn() as usize];
        let sum: i32 = structures(board)
            .into_iter()
            .enumerate()
            .map(|(kind, key)| i32::from(table[correction_index(key)].by_structure[kind]))
            .sum();
        sum * parameters::correction_weight() / (100 * STRUCTURES as i32 * CORRECTION_UNIT)
    }

    /// A search of this depth found the position worth `error` centipawns more than its static
    /// evaluation said.
    pub fn update_correction(&mut self, board: &Board, depth: Depth, error: i32) {
        let table = &mut self.corrections[board.chess().turn() as usize];
        let share = (parameters::correction_rate() * (depth.plies() + 1))
            .min(parameters::correction_rate_max());
        let limit = parameters::correction_limit();
        let target = error.clamp(-limit, limit) * CORRECTION_UNIT;
        for (kind, key) in structures(board).into_iter().enumerate() {
            let entry = &mut table[correction_index(key)].by_structure[kind];
            let old = i32::from(*entry);
            *entry = (old + (target - old) * share / CORRECTION_RATE_UNIT) as i16;
        }
    }

    fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32, context: &HistoryContext) {
        self.own(side, mv, context).update(bonus);
        let piece_to = PieceTo::new(side, mv).index();
        for earlier in context.earlier.iter().filter(|&&earlier| earlier != PieceTo::NONE) {
            self.continuation[earlier.index()][piece_to].update(bonus);
        }
    }

    /// A quiet move's own history.
    fn own(&mut self, side: Color, mv: Move, context: &HistoryContext) -> &mut HistoryEntry {
        let (_, from, to) = role_and_squares(mv);
        let table = &mut self.quiet[side as usize][context.table(from, to)];
        &mut table[from.to_usize()][to.to_usize()]
    }

    fn update_capture(&mut self, side: Color, mv: Move, bonus: i32) {
        self.capture[PieceTo::new(side, mv).index()][victim(mv)].update(bonus);
    }
}

fn bonus(depth: Depth) -> i32 {
    (parameters::history_bonus() * depth.plies()).min(parameters::history_bonus_max())
}

/// The piece that moves, the square that it leaves and the one that it goes to. One look at the
/// kind of move for all three, since scoring the quiet moves of a node is hot.
pub fn role_and_squares(mv: Move) -> (Role, Square, Square) {
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

fn structures(board: &Board) -> [Key; STRUCTURES] {
    let keys = board.keys();
    [keys.pawn, keys.minor, keys.non_pawn.white, keys.non_pawn.black]
}

fn correction_index(key: Key) -> usize {
    key.0 as usize % CORRECTIONS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::position::notation::{parse_fen_any, parse_move};

    #[test]
    fn a_move_that_cuts_off_rises_and_those_tried_before_it_fall_within_limits() {
        let board = Board::new(shakmaty::Chess::default());
        let [cut, failed, other] =
            ["e2e4", "d2d4", "c2c4"].map(|mv| parse_move(board.chess(), mv).unwrap());
        let before = parse_fen_any("4k2r/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let earlier = PieceTo::new(Color::Black, parse_move(&before, "h8h1").unwrap());
        let context = HistoryContext {
            earlier: [earlier, PieceTo::NONE, PieceTo::NONE],
            ..HistoryContext::default()
        };
        let mut histories = Histories::new();
        for _ in 0..1_000 {
            histories.update_quiets(Color::White, cut, &[failed], Depth::new(9), &context);
        }
        let score = |mv| histories.quiet(Color::White, &context)(role_and_squares(mv));
        assert!(score(cut) > LIMIT && score(failed) < -LIMIT, "{} {}", score(cut), score(failed));
        assert!(score(cut) <= 2 * LIMIT && score(failed) >= -2 * LIMIT, "its own and as an answer");
        assert_eq!(score(other), 0);
        let elsewhere = histories.quiet(Color::White, &HistoryContext::default());
        assert!(elsewhere(role_and_squares(cut)) <= LIMIT, "only its own without what it answers");
        assert_eq!(histories.counter_move(earlier), Some(PackedMove::new(cut)));
    }

    #[test]
    fn what_a_move_is_worth_is_kept_apart_by_what_the_other_side_attacks() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        let attacked = |threats| HistoryContext { threats, ..HistoryContext::default() };
        let to = Bitboard::from_square(Square::F3);
        let mut histories = Histories::new();
        histories.update_quiets(Color::White, mv, &[], Depth::new(5), &attacked(to));
        let score =
            |threats| histories.quiet(Color::White, &attacked(threats))(role_and_squares(mv));
        assert!(score(to) > 0);
        for elsewhere in [Bitboard::EMPTY, to.with(Square::G1), Bitboard::from_square(Square::G1)] {
            assert_eq!(score(elsewhere), 0, "{elsewhere:?}");
        }
    }

    #[test]
    fn a_move_that_raises_the_evaluation_rises_and_one_that_lowers_it_falls_within_limits() {
        let chess = shakmaty::Chess::default();
        let mv = parse_move(&chess, "g1f3").unwrap();
        for (gain, expected) in [(30, 150), (-20, -100), (9_000, 620), (-9_000, -250)] {
            let mut histories = Histories::new();
            let context = HistoryContext::default();
            histories.hint(Color::White, mv, gain, &context);
            let score = histories.quiet(Color::White, &context)(role_and_squares(mv));
            assert_eq!(score, expected, "{gain}");
        }
    }

    #[test]
    fn the_evaluation_is_corrected_by_what_searches_found_and_by_the_limit_at_most() {
        let board = |fen| Board::new(parse_fen_any(fen).unwrap());
        let (white, black) = (
            board("4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1"),
            board("4k3/pp6/8/8/8/8/PP6/4K1N1 b - - 0 1"),
        );
        for (error, expected) in [(40, 40), (-30, -30), (5_000, parameters::correction_limit())] {
            let mut histories = Histories::new();
            for _ in 0..2_000 {
                histories.update_correction(&white, Depth::new(8), error);
            }
            let found = histories.correction(&white);
            assert!((found - expected).abs() <= 1, "{found} for {error}");
            assert_eq!(histories.correction(&black), 0, "the other side's is another");
        }
    }
}
