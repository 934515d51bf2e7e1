//! Static exchange evaluation (SEE): what a sequence of captures on one square wins or loses.
//!
//! The swap algorithm in its threshold form: instead of the exact value it answers whether the
//! side that starts comes out at least `threshold` ahead, which lets it stop early. Both sides
//! always capture with their least valuable piece and may stop when that is better; sliders behind
//! a piece that captured join in. Pins are not seen.

use shakmaty::attacks;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square};

use super::changes::captured_en_passant;

/// The value of a piece in a static exchange evaluation (SEE), in centipawns. The king is worth
/// more than all else together, so that it never captures what is still defended.
pub const fn see_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 10_000,
    }
}

/// Whether a move captures or promotes: such moves change the material at once.
pub fn is_tactical(mv: Move) -> bool {
    // One look at the kind of move for both, since every move of a node is asked.
    if let Move::Normal { capture, promotion, .. } = mv {
        return capture.is_some() || promotion.is_some();
    }
    mv.is_en_passant()
}

/// The material that a capture or promotion gains at once, in centipawns.
pub fn tactical_gain(mv: Move) -> i32 {
    mv.capture().map_or(0, see_value)
        + mv.promotion().map_or(0, |role| see_value(role) - see_value(Role::Pawn))
}

/// Whether the static exchange evaluation (SEE) of `mv` is at least `threshold` centipawns for the
/// side to move: both sides play the exchange as well as they can on that square alone.
///
/// Castling exchanges nothing and counts as zero.
pub fn see_ge(chess: &Chess, mv: Move, threshold: i32) -> bool {
    let Move::Normal { role, .. } = mv else {
        return match mv {
            Move::EnPassant { .. } => wins_exchange(chess, mv, Role::Pawn, threshold),
            _ => threshold <= 0,
        };
    };
    wins_exchange(chess, mv, mv.promotion().unwrap_or(role), threshold)
}

fn wins_exchange(chess: &Chess, mv: Move, moved: Role, threshold: i32) -> bool {
    // If the gain falls short even when nothing recaptures, no exchange makes up for it.
    let mut balance = tactical_gain(mv) - threshold;
    if balance < 0 {
        return false;
    }
    // If it is enough even when our piece is lost for nothing, no recapture hurts.
    balance -= see_value(moved);
    if balance >= 0 {
        return true;
    }

    let board = chess.board();
    let to = mv.to();
    let mut occupied = occupied_after(board, mv);
    let mut attackers = attackers_of(board, to, occupied) & occupied;
    let mut side = !chess.turn();
    while let Some((square, role)) = least_valuable(board, attackers & occupied, side) {
        occupied.toggle(square);
        attackers |= x_ray_attackers(board, to, role, occupied);
        // From now on `balance` is that of the side that has just captured, less one: a threshold
        // that is met exactly counts for the side that began.
        balance = -balance - 1 - see_value(role);
        side = !side;
        if balance >= 0 {
            break;
        }
    }
    // The loop ends when `side` has nothing left to capture with, or cannot gain by it.
    side != chess.turn()
}

fn occupied_after(board: &Board, mv: Move) -> Bitboard {
    let mut occupied = board.occupied().with(mv.to());
    if let Some(from) = mv.from() {
        occupied.discard(from);
        if mv.is_en_passant() {
            occupied.discard(captured_en_passant(from, mv.to()));
        }
    }
    occupied
}

/// The pieces of both sides that attack a square.
fn attackers_of(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    let pawns = (attacks::pawn_attacks(Color::White, to) & board.black())
        | (attacks::pawn_attacks(Color::Black, to) & board.white());
    (pawns & board.pawns())
        | (attacks::knight_attacks(to) & board.knights())
        | (attacks::king_attacks(to) & board.kings())
        | (attacks::bishop_attacks(to, occupied) & board.bishops_and_queens())
        | (attacks::rook_attacks(to, occupied) & board.rooks_and_queens())
}

fn least_valuable(board: &Board, attackers: Bitboard, side: Color) -> Option<(Square, Role)> {
    let ours = attackers & board.by_color(side);
    // Most exchanges end soon.
    if ours.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| {
        let square = (ours & board.by_role(role)).first()?;
        Some((square, role))
    })
}

fn x_ray_attackers(board: &Board, to: Square, moved: Role, occupied: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    if matches!(moved, Role::Pawn | Role::Bishop | Role::Queen) {
        found |= attacks::bishop_attacks(to, occupied) & board.bishops_and_queens();
    }
    if matches!(moved, Role::Rook | Role::Queen) {
        found |= attacks::rook_attacks(to, occupied) & board.rooks_and_queens();
    }
    found
}
