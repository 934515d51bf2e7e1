//! Quiescence search: beyond the horizon only captures and promotions that do not lose material
//! are tried, and in check every evasion, until the static evaluation can be trusted.

use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _, Rank, Role};

use super::negascout::{TRUSTED_HALFMOVES, sharpen};
use super::node::{NodeType, Window};
use super::parameters;
use super::picker::{MovePicker, Pick};
use super::report::Bound;
use super::table::Entry;
use super::worker::{Searched, Stopped, Worker};
use crate::position::{Board, exchange_value, is_tactical};
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
        let (in_check, halfmoves) = (board.in_check(), board.halfmoves());
        let hit = self.shared.table.probe(board.key(), ply, halfmoves);
        if !N::PV
            && halfmoves < TRUSTED_HALFMOVES
            && let Some(hit) = hit
            && hit.decides(window.beta)
        {
            return Ok(hit.score);
        }
        if in_check {
            self.evasions::<N>(window, ply, hit)
        } else {
            self.captures::<N>(window, ply, hit)
        }
    }

    /// Tries captures and promotions, or stands pat: the side to move need not capture.
    fn captures<N: NodeType>(
        &mut self,
        mut window: Window,
        ply: Ply,
        hit: Option<Entry>,
    ) -> Searched {
        let stored = hit.and_then(|hit| hit.evaluation);
        let raw = stored.unwrap_or_else(|| self.raw_evaluation());
        let best = sharpen(self.corrected(raw), hit);
        if best >= window.beta {
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);

        let futility = best + parameters::quiescence_margin();
        // What gains no more cannot reach alpha.
        let least_gain = window.alpha - futility + 1;
        let board = self.position.board();
        if !may_promote(board) {
            let gain = greatest_gain(board, i32::MAX).unwrap_or(0);
            if gain < least_gain {
                return Ok(futility + gain);
            }
        }
        let left_out = greatest_gain(board, least_gain);

        let table_move = self.quiescence_table_move(hit);
        let picker = MovePicker::winning_captures(table_move, self.context(ply), least_gain);
        let (mut best, mv) = self.quiescence_moves::<N>(picker, window, ply, best)?;
        if let Some(gain) = left_out {
            best = best.max(futility + gain);
        }
        self.store_quiescence(ply, hit, entry(best, window.beta, mv, Some(raw)));
        Ok(best)
    }

    /// Tries the ways out of check.
    fn evasions<N: NodeType>(&mut self, window: Window, ply: Ply, hit: Option<Entry>) -> Searched {
        let table_move = self.quiescence_table_move(hit);
        let picker = MovePicker::new(table_move, ArrayVec::new(), self.context(ply));
        let (best, mv) = self.quiescence_moves::<N>(picker, window, ply, -Score::INFINITE)?;
        if best == -Score::INFINITE {
            return Ok(Score::mated_in(ply));
        }
        self.store_quiescence(ply, hit, entry(best, window.beta, mv, None));
        Ok(best)
    }

    fn quiescence_table_move(&self, hit: Option<Entry>) -> Option<Move> {
        hit.and_then(|hit| hit.mv).and_then(|packed| self.position.board().legal_move(packed))
    }

    /// Searches moves until one fails high; returns the best score, `best` being had without a
    /// move, and the move that raised alpha. Of the ways out of check, once one does not lose by
    /// force, the quiet ones are left out.
    fn quiescence_moves<N: NodeType>(
        &mut self,
        mut picker: MovePicker,
        mut window: Window,
        ply: Ply,
        mut best: Score,
    ) -> Result<(Score, Option<Move>), Stopped> {
        let in_check = self.position.board().in_check();
        let mut best_move = None;
        while let Some(Pick { mv, .. }) = picker.next(self.position.board(), &self.mind.histories) {
            if in_check && !best.is_loss() {
                picker.skip_quiets();
                if !is_tactical(mv) {
                    continue;
                }
            }
            self.push(ply, mv);
            let child = self.quiescence::<N::Open>(window.flip(), ply.next());
            self.pop();
            let score = -child?;
            best = best.max(score);
            if score > window.alpha {
                best_move = Some(mv);
                if N::PV {
                    self.variations().extend(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
                window.alpha = score;
            }
        }
        Ok((best, best_move))
    }

    fn store_quiescence(&self, ply: Ply, hit: Option<Entry>, entry: Entry) {
        let entry = Entry { pv: hit.is_some_and(|hit| hit.pv), ..entry };
        self.shared.table.store(self.position.board().key(), ply, entry);
    }
}

fn entry(best: Score, beta: Score, mv: Option<Move>, evaluation: Option<Score>) -> Entry {
    let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
    Entry { mv: mv.map(Into::into), score: best, bound, depth: Depth::ZERO, evaluation, pv: false }
}

/// The most that capturing a piece worth less than `below` can gain, in centipawns, if there is one.
fn greatest_gain(board: &Board, below: i32) -> Option<i32> {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let mut victims = roles.into_iter().filter(|&role| exchange_value(role) < below);
    victims.find(|&role| board.chess().their(role).any()).map(exchange_value)
}

/// Whether a pawn of the side to move stands one step from promotion.
fn may_promote(board: &Board) -> bool {
    let chess = board.chess();
    let seventh = chess.turn().fold_wb(Rank::Seventh, Rank::Second);
    (chess.our(Role::Pawn) & seventh).any()
}
