//! Quiescence search: beyond the horizon only captures and promotions that do not lose material
//! are tried, and in check every evasion, until the static evaluation can be trusted.

use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _, Rank, Role};

use super::history::is_tactical;
use super::negascout::{TRUSTED_HALFMOVES, sharpen};
use super::node::{NodeType, Window};
use super::parameters;
use super::picker::{MovePicker, Pick};
use super::report::Bound;
use super::table::Entry;
use super::worker::{Searched, Worker};
use crate::position::{Board, exchange_value};
use crate::units::{Depth, MAX_PLY, Ply, Score};

impl Worker<'_> {
    /// Searches until the position is quiet. Fail-soft, like the main search.
    pub fn quiescence<N: NodeType>(&mut self, window: Window, ply: Ply) -> Searched {
        self.poll()?;
        if N::PV {
            self.variations().clear(ply);
            self.seldepth = self.seldepth.max(ply.index());
        }
        if ply.index() > 0 && self.position.is_drawn(ply) {
            return Ok(Score::DRAW);
        }
        if ply.index() >= MAX_PLY {
            return Ok(self.leaf_evaluation());
        }

        let board = self.position.board();
        let (key, in_check) = (board.key(), board.in_check());
        let halfmoves = board.halfmoves();
        let hit = self.shared.table.probe(key, ply, halfmoves);
        if !N::PV
            && halfmoves < TRUSTED_HALFMOVES
            && let Some(hit) = hit
            && hit.decides(window.beta)
        {
            return Ok(hit.score);
        }

        // Standing pat: the side to move need not capture.
        let mut alpha = window.alpha;
        let mut best = -Score::INFINITE;
        let mut raw = None;
        if !in_check {
            let evaluation =
                hit.and_then(|hit| hit.evaluation).unwrap_or_else(|| self.raw_evaluation());
            raw = Some(evaluation);
            best = sharpen(self.corrected(evaluation), hit);
            if best >= window.beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let futility = best + parameters::quiescence_margin();
        if !in_check
            && let Some(gain) = greatest_gain(self.position.board())
            && futility + gain <= alpha
        {
            return Ok(futility + gain);
        }

        let table_move = hit.and_then(|hit| hit.mv);
        let table_move = table_move.and_then(|mv| self.position.board().legal_move(mv));
        let context = self.context(ply);
        let mut picker = if in_check {
            MovePicker::new(table_move, ArrayVec::new(), context)
        } else {
            // What gains no more cannot reach alpha.
            MovePicker::winning_captures(table_move, context, alpha - futility + 1)
        };
        let mut best_move: Option<Move> = None;
        let mut number = 0;
        while let Some(Pick { mv, .. }) = picker.next(self.position.board(), &self.mind.histories) {
            number += 1;
            if in_check {
                // One evasion that does not lose by force is enough to look at quiet ones.
                if !best.is_loss() && number > 1 {
                    picker.skip_quiets();
                    if !is_tactical(mv) {
                        continue;
                    }
                }
            }
            self.push(ply, mv);
            let child =
                self.quiescence::<N::Open>(Window { alpha, beta: window.beta }.flip(), ply.next());
            self.pop();
            let score = -child?;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.variations().extend(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && number == 0 {
            return Ok(Score::mated_in(ply));
        }
        if let Some(gain) = picker.gain_left_out() {
            best = best.max(futility + gain);
        }

        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            mv: best_move.map(Into::into),
            score: best,
            bound,
            depth: Depth::ZERO,
            evaluation: raw,
            pv: hit.is_some_and(|hit| hit.pv),
        };
        self.shared.table.store(key, ply, entry);
        Ok(best)
    }
}

/// The most that one capture can gain here, in centipawns; `None` if a pawn may promote.
fn greatest_gain(board: &Board) -> Option<i32> {
    let chess = board.chess();
    let seventh = chess.turn().fold_wb(Rank::Seventh, Rank::Second);
    if (chess.our(Role::Pawn) & seventh).any() {
        return None;
    }
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let victim = roles.into_iter().find(|&role| chess.their(role).any());
    Some(victim.map_or(0, exchange_value))
}
