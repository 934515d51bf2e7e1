//! Quiescence search (QS, qsearch): beyond the horizon, searches only captures and promotions that
//! lose no material, and in check every evasion, until the static evaluation is reliable.
//!
//! Out of check, the side to move may stand pat, that is, take the static evaluation instead of a
//! capture. Delta pruning leaves out captures that cannot reach alpha even with a margin, by the
//! value of the captured piece or by the result of the exchanges.

use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _, Rank, Role};

use super::node::{NodeType, ScoreWindow, Settled};
use super::parameters;
use super::picker::{MovePicker, Pick};
use super::pruning::blend_with_beta;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::{Searched, Stopped, Worker};
use crate::position::{Board, PackedMove, is_tactical, see_value};
use crate::units::{Depth, MAX_PLY, Ply, Score};

impl Worker<'_> {
    /// Searches until the position is quiet. Returns the score, fail-soft like the main search.
    /// `known` is the static evaluation before any correction, if it was computed already.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        ply: Ply,
        known: Option<Score>,
    ) -> Searched {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()), "{window:?}");
        debug_assert!((1..=MAX_PLY).contains(&ply.index()), "{ply:?}");
        self.begin_node::<N>(ply)?;
        if self.position.is_drawn(ply) {
            return Ok(Score::DRAW);
        }
        if ply.index() >= MAX_PLY {
            return Ok(self.leaf_evaluation(ply));
        }

        let board = self.position.board();
        let (in_check, halfmoves) = (board.in_check(), board.halfmoves());
        let tt_entry = self.shared.table.probe(board.key(), ply, halfmoves);
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.allows_cutoff(Depth::ZERO, window.beta, halfmoves)
        {
            return Ok(entry.score);
        }
        if in_check {
            self.search_evasions::<N>(window, ply, tt_entry)
        } else {
            self.search_captures::<N>(window, ply, tt_entry, known)
        }
    }

    /// Stands pat or searches good captures, since no side has to capture.
    fn search_captures<N: NodeType>(
        &mut self,
        mut window: ScoreWindow,
        ply: Ply,
        tt_entry: Option<TableEntry>,
        known: Option<Score>,
    ) -> Searched {
        let known = known.or_else(|| tt_entry.and_then(|entry| entry.evaluation));
        let raw = known.unwrap_or_else(|| self.raw_evaluation(&self.attacks()));
        let evaluation = self.corrected_evaluation(raw, ply);
        let best = tt_entry.map_or(evaluation, |entry| entry.adjust(evaluation));
        if best >= window.beta {
            return Ok(stand_pat_score(best, window.beta));
        }
        window.alpha = window.alpha.max(best);

        let optimistic = best + parameters::delta_pruning_margin();
        // A capture that gains less cannot raise alpha.
        let min_gain = window.alpha - optimistic + 1;
        let board = self.position.board();
        if let Some(Settled(score)) = delta_pruning(board, optimistic, min_gain) {
            return Ok(score);
        }
        let tt_move = self.legal_tt_move(tt_entry);
        let picker = MovePicker::good_captures(tt_move, min_gain);
        let (mut best, mv) = self.search_quiescence_moves::<N>(picker, window, ply, best)?;
        // Fail-soft: the captures left out could have scored more. Those that capture enough but
        // lose it in exchanges count as a gain of zero.
        if min_gain > 0 {
            let gain = max_gain(self.position.board(), min_gain).unwrap_or(0);
            best = best.max((optimistic + gain).clamp_static());
        }
        self.store_quiescence(ply, tt_entry, quiescence_entry(best, window.beta, mv, Some(raw)));
        Ok(best)
    }

    /// Searches the evasions of a check. An evaluation in check is unreliable, so no side stands
    /// pat.
    fn search_evasions<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        ply: Ply,
        tt_entry: Option<TableEntry>,
    ) -> Searched {
        let tt_move = self.legal_tt_move(tt_entry);
        let threats = self.prepare_ordering(ply, None);
        let picker = MovePicker::new(tt_move, ArrayVec::new(), self.context(ply), threats);
        let (best, mv) =
            self.search_quiescence_moves::<N>(picker, window, ply, Score::MINUS_INFINITE)?;
        if best == Score::MINUS_INFINITE {
            return Ok(Score::mated_in(ply));
        }
        self.store_quiescence(ply, tt_entry, quiescence_entry(best, window.beta, mv, None));
        Ok(best)
    }

    /// Searches moves until one fails high. Returns the best score, at least `best`, and the move
    /// that raised alpha last. In check, leaves out quiet moves after one move does not lose by
    /// force.
    fn search_quiescence_moves<N: NodeType>(
        &mut self,
        mut picker: MovePicker,
        mut window: ScoreWindow,
        ply: Ply,
        mut best: Score,
    ) -> Result<(Score, Option<Move>), Stopped> {
        let in_check = self.position.board().in_check();
        let mut best_move = None;
        while let Some(Pick { mv, .. }) =
            picker.next(self.position.board(), &self.thread_data.histories)
        {
            if in_check && !best.is_loss() {
                picker.skip_quiets();
                if !is_tactical(mv) {
                    continue;
                }
            }
            if self.overlooks(mv, ply) {
                continue;
            }
            self.make(ply, mv);
            let child = self.quiescence::<N::FullWindow>(window.flip(), ply.next(), None);
            self.unmake();
            let score = -child?;
            best = best.max(score);
            if score > window.alpha {
                best_move = Some(mv);
                if N::PV {
                    self.pv_table().extend(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
                window.alpha = score;
            }
        }
        Ok((best, best_move))
    }

    /// Stores an entry. It keeps the PV flag of the old entry.
    fn store_quiescence(&self, ply: Ply, tt_entry: Option<TableEntry>, entry: TableEntry) {
        let entry = TableEntry { tt_pv: tt_entry.is_some_and(|entry| entry.tt_pv), ..entry };
        self.shared.table.store(self.position.board().key(), ply, entry);
    }
}

fn quiescence_entry(
    best: Score,
    beta: Score,
    mv: Option<Move>,
    evaluation: Option<Score>,
) -> TableEntry {
    let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
    TableEntry {
        mv: mv.map(PackedMove::new),
        score: best,
        bound,
        depth: Depth::ZERO,
        evaluation,
        tt_pv: false,
    }
}

/// Returns the score of a side that stands pat above beta. It moves towards beta, since nothing was
/// searched.
fn stand_pat_score(best: Score, beta: Score) -> Score {
    if best.is_decisive() || beta.is_decisive() {
        return best;
    }
    blend_with_beta(best, beta, parameters::stand_pat_trust())
}

/// Delta pruning: if no capture gains enough to reach alpha, returns the score with the greatest
/// possible gain.
fn delta_pruning(board: &Board, optimistic: Score, min_gain: i32) -> Option<Settled> {
    if has_pawn_on_seventh_rank(board) {
        return None;
    }
    let gain = max_gain(board, i32::MAX).unwrap_or(0);
    (gain < min_gain).then_some(Settled((optimistic + gain).clamp_static()))
}

/// Returns the greatest gain, in centipawns, of capturing a piece of a value below `below`, if
/// there is such a piece.
fn max_gain(board: &Board, below: i32) -> Option<i32> {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let mut victims = roles.into_iter().filter(|&role| see_value(role) < below);
    victims.find(|&role| board.chess().their(role).any()).map(see_value)
}

/// Returns true if a pawn of the side to move is one step from promotion.
fn has_pawn_on_seventh_rank(board: &Board) -> bool {
    let chess = board.chess();
    let seventh = chess.turn().fold_wb(Rank::Seventh, Rank::Second);
    (chess.our(Role::Pawn) & seventh).any()
}
