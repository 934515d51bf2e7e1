//! Static exchange evaluation (SEE): the material that a sequence of captures on one square gains.
//!
//! This is the swap algorithm with a threshold: it does not compute the exact value, only if the side
//! to move gains at least `threshold`, so it can stop early. Both sides capture with their least valuable
//! piece and may stop capturing when that is better. X-ray attackers, sliders that were hidden by a
//! capturing piece, join in. Pins are ignored.

use shakmaty::attacks;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square};

use super::changes::captured_en_passant;

/// Value of a piece in static exchange evaluation (SEE), in centipawns. The king is worth more than all
/// other pieces of a side together, so it never captures a defended piece.
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

/// Returns true if a move is a capture or a promotion.
pub fn is_tactical(mv: Move) -> bool {
    // One test of the kind of move serves both questions; this runs for every move of a node.
    if let Move::Normal { capture, promotion, .. } = mv {
        return capture.is_some() || promotion.is_some();
    }
    mv.is_en_passant()
}

/// Returns the material that a capture or promotion gains before any reply, in centipawns.
pub fn tactical_gain(mv: Move) -> i32 {
    mv.capture().map_or(0, see_value)
        + mv.promotion().map_or(0, |role| see_value(role) - see_value(Role::Pawn))
}

/// Returns true if the static exchange evaluation (SEE) of `mv` is at least `threshold` centipawns for
/// the side to move.
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

/// Runs the swap algorithm; `moved` is the piece on the destination after the move.
fn wins_exchange(chess: &Chess, mv: Move, moved: Role, threshold: i32) -> bool {
    // Too little even if nothing recaptures.
    let mut balance = tactical_gain(mv) - threshold;
    if balance < 0 {
        return false;
    }
    // Enough even if the moved piece is lost.
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
        // Now `balance` is from the view of the side that has just captured, minus one: if the
        // threshold is met exactly, the side that began has succeeded.
        balance = -balance - 1 - see_value(role);
        side = !side;
        if balance >= 0 {
            break;
        }
    }
    // At the end `side` has no attacker left or cannot gain by capturing.
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

/// Returns the pieces of both sides that attack a square.
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
    // Most exchanges are short, so this early return saves time.
    if ours.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| {
        let square = (ours & board.by_role(role)).first()?;
        Some((square, role))
    })
}

/// Returns the sliders that may attack `to` after a piece of role `moved` has left its line.
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
