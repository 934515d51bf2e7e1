//! Material that a line wins and keeps.

use shakmaty::{Chess, Color, Move, Position as _, Role, Square};

use outrider_engine::position::{is_tactical, see_ge, see_value};

/// Minimum gain worth a sentence, in centipawns: a rook for a bishop, or more.
pub(super) const MIN_GAIN: i32 = 150;

/// Returns the piece that the first move of a line captures with a gain, if the line keeps the gain of the
/// exchange. `prior` is the material that the other side gained with its last move.
pub(super) fn wins_piece(chess: &Chess, line: &[Move], prior: i32) -> Option<Role> {
    let taking = *line.first()?;
    let role = taking.capture().filter(|&role| role != Role::Pawn)?;
    let kept = least_gain(chess, line, 2, prior).filter(|&kept| kept >= MIN_GAIN)?;
    let wins = |gain| see_ge(chess, taking, gain + prior);
    // If the line gives much of it back, this piece is not the gain.
    (wins(MIN_GAIN) && !wins(kept + MIN_GAIN)).then_some(role)
}

/// Returns true if the side to move has gained at least [`MIN_GAIN`], after deduction of `prior`, at each
/// quiet point of the line from ply `from` on.
pub(super) fn keeps_gain(chess: &Chess, line: &[Move], from: usize, prior: i32) -> bool {
    least_gain(chess, line, from, prior).is_some_and(|gain| gain >= MIN_GAIN)
}

/// Returns the smallest gain of the side to move at these points, if there are any.
fn least_gain(chess: &Chess, line: &[Move], from: usize, prior: i32) -> Option<i32> {
    let us = chess.turn();
    let beginning = balance(chess, us) + prior;
    let mut chess = chess.clone();
    let mut least: Option<i32> = None;
    for (ply, &mv) in (1..).zip(line) {
        chess.play_unchecked(mv);
        let is_quiet = match line.get(ply) {
            Some(&next) => !is_tactical(next),
            None => {
                !is_tactical(mv) || chess.is_game_over() || is_final_capture(&chess, us, mv.to())
            }
        };
        if ply >= from && is_quiet {
            let gain = balance(&chess, us) - beginning;
            least = Some(least.map_or(gain, |least| least.min(gain)));
        }
    }
    least
}

/// Returns true if the opponent has just captured on this square and cannot be captured there without
/// loss.
fn is_final_capture(chess: &Chess, us: Color, square: Square) -> bool {
    let takes_back = |mv: &Move| mv.is_capture() && mv.to() == square && see_ge(chess, *mv, 0);
    chess.turn() == us && !chess.legal_moves().iter().any(takes_back)
}

/// Returns the material balance from the point of view of `us`, in centipawns.
fn balance(chess: &Chess, us: Color) -> i32 {
    let worth = |color| {
        let material = chess.board().material_side(color);
        let each = material.zip_role().into_iter().filter(|(role, _)| *role != Role::King);
        each.map(|(role, count)| see_value(role) * i32::from(count)).sum::<i32>()
    };
    worth(us) - worth(!us)
}
