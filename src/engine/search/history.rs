//! The histories: how good moves were in the nodes searched so far, for ordering quiet moves and
//! captures, and how wrong the static evaluation was, for correcting it.
//!
//! The history heuristic (Schaeffer 1983) counts how often a move caused a cut-off anywhere. Here
//! it has gravity: a bonus moves an entry towards its limit by a share of the rest, so that old
//! results count less and less. A quiet move has a history of its own for each case of whether the
//! opponent attacks the squares that it leaves and goes to; before any cut-off, the change of the
//! static evaluation that the move caused is a hint for it (Stockfish, 2020). Continuation history
//! counts cut-offs of a move as the reply to an earlier one, capture history those of captures. The
//! counter-move heuristic (Uiterwijk 1992) stores one refutation for each move. Correction history
//! (Caissa, 2023) stores by how much the search found the static evaluation wrong in positions with
//! the same pawns, the same minor pieces or the same pieces of one side.

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
/// Shares of an error by which corrections are updated are in 4096ths.
const CORRECTION_RATE_UNIT: i32 = 4096;
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

/// The circumstances that the history of a quiet move depends on.
#[derive(Clone, Copy, Default, Debug)]
pub struct HistoryContext {
    /// The moves one, two and four plies ago, to which continuation history knows replies.
    pub earlier: [PieceTo; 3],
    /// The squares that the opponent attacks.
    pub threats: Bitboard,
}

impl HistoryContext {
    /// The index of the table with a move's own history: by whether the opponent attacks the square
    /// that it leaves and the one that it goes to.
    fn table(&self, from: Square, to: Square) -> usize {
        let attacked = |square| usize::from(self.threats.contains(square));
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

/// The histories of one search thread.
#[derive(Zeroable)]
pub struct Histories {
    quiet: [[[[HistoryEntry; 64]; 64]; 4]; 2],
    capture: [[HistoryEntry; VICTIMS]; PIECE_TO],
    continuation: [[HistoryEntry; PIECE_TO]; PIECE_TO + 1],
    counter: [u16; PIECE_TO + 1],
    corrections: [[Correction; CORRECTIONS]; 2],
}

/// The corrections at one index, one for each partial key.
#[derive(Clone, Copy, Zeroable)]
struct Correction {
    by_structure: [i16; STRUCTURES],
}

/// The number of partial keys that select corrections.
const STRUCTURES: usize = 4;

impl Histories {
    /// Histories of a new game.
    pub fn new() -> Box<Histories> {
        bytemuck::allocation::zeroed_box()
    }

    /// The history score of the quiet moves of one node, by what [`role_and_squares`] returns for
    /// them: each move's own history and its continuation histories. A closure, so that what the
    /// moves share is looked up once.
    pub fn quiet(
        &self,
        side: Color,
        context: &HistoryContext,
    ) -> impl Fn((Role, Square, Square)) -> i32 + use<'_> {
        let own = &self.quiet[side as usize];
        let context = *context;
        let continuations = context.earlier.map(|earlier| &self.continuation[earlier.index()]);
        let weight = parameters::continuation_weight();
        move |(role, from, to)| {
            let piece_to = PieceTo::of(side, role, to).index();
            let replies: i32 = continuations.iter().map(|replies| replies[piece_to].get()).sum();
            let own = &own[context.table(from, to)][from.to_usize()][to.to_usize()];
            own.get() + replies * weight / 100
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

    /// Updates the histories after the quiet move `best` caused a cut-off at this depth: they rise,
    /// and those of the quiet moves `failed`, which were searched before it and did not raise
    /// alpha, fall.
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

    /// Updates the own history of a quiet move by which the static evaluation rose by `gain`
    /// centipawns for the side that made it.
    pub fn hint(&mut self, side: Color, mv: Move, gain: i32, context: &HistoryContext) {
        let bonus = (gain * parameters::evaluation_hint_weight())
            .clamp(-parameters::evaluation_hint_fall_max(), parameters::evaluation_hint_rise_max());
        self.own(side, mv, context).update(bonus);
    }

    /// Updates capture history after `best` caused a cut-off: it rises for `best`, if that is a
    /// capture, and falls for the captures `failed`, which were searched before it and did not
    /// raise alpha.
    pub fn update_captures(&mut self, side: Color, best: Move, failed: &[Move], depth: Depth) {
        let bonus = bonus(depth);
        if is_tactical(best) {
            self.update_capture(side, best, bonus);
        }
        for &mv in failed {
            self.update_capture(side, mv, -bonus);
        }
    }

    /// The correction of the static evaluation for positions like this one, in centipawns.
    pub fn correction(&self, board: &Board) -> i32 {
        let table = &self.corrections[board.chess().turn() as usize];
        let sum: i32 = structures(board)
            .into_iter()
            .enumerate()
            .map(|(kind, key)| i32::from(table[correction_index(key)].by_structure[kind]))
            .sum();
        sum * parameters::correction_weight() / (100 * STRUCTURES as i32 * CORRECTION_UNIT)
    }

    /// Updates the corrections after a search of this depth found the position worth `error`
    /// centipawns more than its static evaluation.
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

/// The piece that moves, the square that it leaves and the one that it goes to. One match on the
/// kind of move for all three, since the quiet moves of a node are scored often.
pub(super) fn role_and_squares(mv: Move) -> (Role, Square, Square) {
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
