//! Proven mates: proofs that there is a mate within N moves, or none (`go mate N`), and the
//! complete line of a known mate.
//!
//! # Proof
//!
//! The ordinary search finds most mates faster, but the lines that it prunes and reduces are not
//! refuted. Therefore a second search, with as many nodes, leaves nothing out. It tests if the side
//! to move can force mate in one move, in two moves, and so on. The values of its tree are only
//! "yes" and "no". It knows no draws by repetition or by the fifty-move rule, so an answer does not
//! depend on the moves before, and the transposition table keeps it under a separate key. Draws can
//! only prevent a mate. So "no" always holds, and "yes" holds at the root if the mate comes within
//! the fifty-move rule and no position of the game has occurred twice: a shortest mate repeats no
//! position of its own.
//!
//! # Confirmation
//!
//! A mate found with a null window is certain, since no side counts as mated before all its moves
//! were searched. But it may depend on table entries of deeper searches. A search with an open
//! window does not cut off by the table, and so may not reach the end of the line. The distance of
//! the mate is known, so a deeper search of this single move reaches it. That search is small,
//! because its alpha is just below the mate.

use shakmaty::{Move, MoveList};

use super::node::{NodeType, ScoreWindow};
use super::report::{Bound, Report};
use super::table::TableEntry;
use super::thread_data::Variation;
use super::worker::{Stopped, Worker};
use crate::position::{Key, PackedMove};
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Combined with the position's key for the question "can the side to move force mate?".
const MATES: u64 = 0x6d61_7465_7300_0001;
/// Combined with the position's key for the question "is the side to move mated by force?".
const IS_MATED: u64 = 0x6d61_7465_6400_0002;
/// Least number of nodes for the proof between two iterations.
const MIN_PROOF_BUDGET: u64 = 2_000;
/// Number of nodes after which a confirmation is given up.
const CONFIRMATION_BUDGET: u64 = 20_000;

/// Progress of the proof of a mate (`go mate N`).
#[derive(Default)]
pub(super) struct MateProof {
    /// No mate exists within this number of moves.
    disproved_moves: u32,
    /// Number of nodes searched by the proof.
    nodes: u64,
}

impl Worker<'_> {
    /// Continues the proof until it is finished or has searched as many nodes as the ordinary
    /// search. A mate found becomes the best line.
    pub(super) fn prove_mate(&mut self) -> Result<(), Stopped> {
        let Some(wanted) = self.requested_mate() else {
            return Ok(());
        };
        let ordinary = self.nodes - self.mate_proof.nodes;
        let budget = ordinary.saturating_sub(self.mate_proof.nodes).max(MIN_PROOF_BUDGET);
        let before = self.nodes;
        self.polling.give_up_at = Some(before + budget);
        self.poll_at_next_node();
        while self.mate_proof.disproved_moves < wanted {
            match self.prove_mate_in(self.mate_proof.disproved_moves + 1) {
                Ok(true) | Err(Stopped) => break,
                Ok(false) => self.mate_proof.disproved_moves += 1,
            }
        }
        self.polling.give_up_at = None;
        self.poll_at_next_node();
        self.mate_proof.nodes += self.nodes - before;
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Returns true if a mate was requested and is proven not to exist.
    pub(super) fn is_mate_disproved(&self) -> bool {
        self.requested_mate().is_some_and(|wanted| self.mate_proof.disproved_moves >= wanted)
    }

    /// Reports that a requested mate was not found, and if it is proven not to exist.
    pub(super) fn report_mate_search(&mut self) {
        let (Some(wanted), Some(best)) = (self.shared.limits.mate, self.root_moves.first()) else {
            return;
        };
        let found = best.finished_score().and_then(Score::mate_moves).unwrap_or(0);
        if found <= 0 || found as u32 > wanted {
            // With limited strength or only some root moves, not all lines were searched.
            let all_lines =
                self.strength_limit.is_none() && self.shared.limits.search_moves.is_empty();
            let disproved = all_lines && self.is_mate_disproved();
            self.report(Report::NoMateFound { moves: wanted, disproved });
        }
    }

    /// Returns the number of moves of the requested mate. Returns `None` if none was requested or
    /// the mate is too long for a proof.
    fn requested_mate(&self) -> Option<u32> {
        let is_provable = |wanted: &u32| wanted.saturating_mul(2) < MAX_PLY as u32;
        self.shared.limits.mate.filter(is_provable).filter(|_| self.is_main_thread())
    }

    /// Returns true if a draw by the fifty-move rule or by repetition might prevent a mate within
    /// `moves` moves from the root.
    fn may_be_drawn(&self, moves: u32) -> bool {
        let plies = 2 * moves - 1;
        self.position.board().halfmoves() + plies > 100 || self.position.has_repetition()
    }

    /// Returns true if one of the root moves forces mate within `moves` moves, draws aside. If no
    /// draw might prevent it, that move becomes the best, with its line.
    fn prove_mate_in(&mut self, moves: u32) -> Result<bool, Stopped> {
        for index in 0..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            if self.can_mate_with(mv, moves, Ply::ROOT)? {
                if self.may_be_drawn(moves) {
                    return Ok(true);
                }
                let line = self.mating_line(mv, moves)?;
                let root_move = &mut self.root_moves[index];
                root_move.score = Score::mate_in(Ply::new(2 * moves as usize - 1));
                root_move.bound = Bound::Exact;
                root_move.seldepth = line.len() + 1;
                root_move.set_line(&line);
                self.root_moves[..=index].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if the side to move can force mate within `moves` moves.
    fn can_mate(&mut self, moves: u32, ply: Ply) -> Result<bool, Stopped> {
        self.poll()?;
        let key = Key(self.position.board().key().0 ^ MATES);
        if let Some(answer) = self.known_answer(key, moves) {
            return Ok(answer);
        }
        let legal = self.ordered_moves(key);
        for mv in legal {
            if self.can_mate_with(mv, moves, ply)? {
                self.store_answer(key, moves, true, Some(mv));
                return Ok(true);
            }
        }
        self.store_answer(key, moves, false, None);
        Ok(false)
    }

    /// Returns true if the side to move can force mate within `moves` moves, the first being `mv`.
    fn can_mate_with(&mut self, mv: Move, moves: u32, ply: Ply) -> Result<bool, Stopped> {
        // A mating move gives check.
        if moves == 1 && !self.position.board().gives_check(mv) {
            return Ok(false);
        }
        self.make(ply, mv);
        let answer = self.is_mated(moves - 1, ply.next());
        self.unmake();
        answer
    }

    /// Returns true if the opponent can mate the side to move within `moves` moves by force.
    fn is_mated(&mut self, moves: u32, ply: Ply) -> Result<bool, Stopped> {
        self.poll()?;
        let key = Key(self.position.board().key().0 ^ IS_MATED);
        if let Some(answer) = self.known_answer(key, moves) {
            return Ok(answer);
        }
        let replies = self.ordered_moves(key);
        if replies.is_empty() || moves == 0 {
            return Ok(replies.is_empty() && self.position.board().in_check());
        }
        for mv in replies {
            if !self.is_mated_after(mv, moves, ply)? {
                self.store_answer(key, moves, false, Some(mv));
                return Ok(false);
            }
        }
        self.store_answer(key, moves, true, None);
        Ok(true)
    }

    /// Returns true if the side to move is still mated by force, within `moves` moves, after it
    /// plays `mv`.
    fn is_mated_after(&mut self, mv: Move, moves: u32, ply: Ply) -> Result<bool, Stopped> {
        self.make(ply, mv);
        let answer = self.can_mate(moves, ply.next());
        self.unmake();
        answer
    }

    /// Returns the line of a proven mate after its first move. The opponent delays the mate as long
    /// as possible.
    fn mating_line(&mut self, first: Move, moves: u32) -> Result<Variation, Stopped> {
        let mut line = Variation::new();
        self.make(Ply::ROOT, first);
        let found = self.extend_mating_line(&mut line, moves - 1);
        for _ in 0..=line.len() {
            self.unmake();
        }
        found.map(|()| line)
    }

    /// Extends a line move by move until the mate, and plays it on the board too.
    fn extend_mating_line(&mut self, line: &mut Variation, mut left: u32) -> Result<(), Stopped> {
        while left > 0 {
            let ply = Ply::new(line.len() + 1);
            let (mut longest, mut best) = (0, None);
            for mv in self.position.board().legal_moves() {
                let mut moves = 1;
                while moves < left && !self.is_mated_after(mv, moves, ply)? {
                    moves += 1;
                }
                if moves > longest {
                    (longest, best) = (moves, Some(mv));
                }
            }
            let Some(reply) = best else { return Ok(()) };
            self.make(ply, reply);
            line.push(reply);
            let legal = self.ordered_moves(Key(self.position.board().key().0 ^ MATES));
            for mv in legal {
                if self.can_mate_with(mv, longest, ply.next())? {
                    self.make(ply.next(), mv);
                    line.push(mv);
                    break;
                }
            }
            left = longest - 1;
        }
        Ok(())
    }

    /// Returns the stored answer of an earlier search. A mate within fewer moves is also a mate
    /// within more, and no mate within more moves means no mate within fewer.
    fn known_answer(&self, key: Key, moves: u32) -> Option<bool> {
        let entry = self.shared.table.probe(key, Ply::ROOT, 0)?;
        let known = entry.depth.plies() as u32;
        match entry.bound {
            Bound::Lower if known <= moves => Some(true),
            Bound::Upper if known >= moves => Some(false),
            _ => None,
        }
    }

    fn store_answer(&self, key: Key, moves: u32, answer: bool, mv: Option<Move>) {
        let entry = TableEntry {
            mv: mv.map(PackedMove::new),
            score: Score::DRAW,
            bound: if answer { Bound::Lower } else { Bound::Upper },
            depth: Depth::new(moves as i32),
            evaluation: None,
            tt_pv: false,
        };
        self.shared.table.store(key, Ply::ROOT, entry);
    }

    /// Returns all legal moves: the stored move first, then checks, then captures.
    fn ordered_moves(&self, key: Key) -> MoveList {
        let board = self.position.board();
        let entry = self.shared.table.probe(key, Ply::ROOT, 0);
        let known = entry.and_then(|entry| entry.mv).and_then(|mv| board.legal_move(mv));
        let mut moves = board.legal_moves();
        moves.sort_by_cached_key(|&mv| {
            (Some(mv) != known, !board.gives_check(mv), !mv.is_capture())
        });
        moves
    }
}

impl Worker<'_> {
    /// Searches the move just made to increasing depths until it finds a score of at least `mate`,
    /// for the side that made the move, with its line. Returns `None` if that takes too many nodes.
    pub(super) fn confirm_mate<N: NodeType>(
        &mut self,
        mate: Score,
        beta: Score,
        depth: Depth,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        // Not within another confirmation or a proof: that would lose its budget.
        if !mate.is_mate() || self.polling.give_up_at.is_some() {
            return Ok(None);
        }
        self.polling.give_up_at = Some(self.nodes + CONFIRMATION_BUDGET);
        self.poll_at_next_node();
        let confirmed = self.search_for_mate::<N>(mate, beta, depth, ply);
        let spent = self.polling.give_up_at.is_none_or(|end| self.nodes >= end);
        self.polling.give_up_at = None;
        match confirmed {
            Err(Stopped) if spent && !self.is_stopped() => Ok(None),
            result => result,
        }
    }

    fn search_for_mate<N: NodeType>(
        &mut self,
        mate: Score,
        beta: Score,
        depth: Depth,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        let window = ScoreWindow::new(mate - 1, beta);
        let distance = Score::MATE - mate.max(-mate) - ply.index() as i32;
        for deeper in (2..).step_by(2).take_while(|&plies| depth.plies() + plies <= distance + 2) {
            let value = self.search_child::<N>(window, depth + deeper, ply, false)?;
            if value >= mate {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
