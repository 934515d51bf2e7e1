//! What a search reports, and when: its lines after each iteration and before it answers, in long
//! searches also the move under search and windows that failed, and once a second its progress.
//!
//! A line of play (PV) is reported as the search found it, extended by moves of the transposition
//! table where it ended early. That happens where two searches with different windows contradicted
//! each other; what the table holds of the moves that follow was searched all the same. The line of
//! a mate is always complete: see `search_again` in `negascout.rs`.

use std::time::{Duration, Instant};

use shakmaty::{Move, Position as _};

use super::node::Candidate;
use super::report::{Bound, Line, Progress, Report};
use super::worker::Worker;
use crate::position::Position;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Moves under search and windows that failed are reported only in searches longer than this.
const LONG_SEARCH: Duration = Duration::from_secs(3);
/// Progress is reported after this time without any report.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// The score of a position in which no move is legal.
pub(super) fn no_move_score(position: &Position) -> Score {
    if position.board().in_check() { Score::mated_in(Ply::ROOT) } else { Score::DRAW }
}

impl Worker<'_> {
    /// Reports the lines as they are now, best first.
    fn report_lines(&mut self) {
        if self.on_report.is_none() {
            return;
        }
        self.publish_nodes();
        let progress = self.progress();
        self.progress_reported_at = progress.elapsed;
        self.lines_reported_at = Some(self.nodes);
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        for index in 0..lines {
            if let Some(line) = self.line(index, progress) {
                self.report(Report::Line(line));
            }
        }
    }

    /// Reports the lines as they are when the search answers, unless that was just done. Reports
    /// made while it pondered or waited for `stop` do not count: chess programs forget them.
    pub(super) fn report_answer(&mut self) {
        let limits = self.shared.limits;
        let is_new = self.lines_reported_at != Some(self.nodes);
        if self.root_moves.is_empty() {
            self.report(Report::NoMove(no_move_score(&self.position)));
        } else if is_new || limits.ponder || limits.infinite {
            self.report_lines();
        }
    }

    /// Reports progress if nothing was reported for a while.
    pub(super) fn report_progress(&mut self) {
        if self.on_report.is_some() {
            let last_report = self.progress_reported_at;
            if self.shared.clock.elapsed().saturating_sub(last_report) >= PROGRESS_INTERVAL {
                let progress = self.progress();
                self.progress_reported_at = progress.elapsed;
                self.report(Report::Progress(progress));
            }
        }
    }

    /// Reports the lines after an iteration. On its own time a brief search reports only what it
    /// answers: each report wakes a thread of the chess program, which on a busy machine gets this
    /// one's processor.
    pub(super) fn report_iteration(&mut self) {
        if !self.shared.clock.is_brief() || self.shared.is_pondering() {
            self.report_lines();
        }
    }

    /// Reports a line whose window failed, once the search has taken a while.
    pub(super) fn report_failed_window(&mut self) {
        if self.is_long() && self.shared.limits.lines == 1 {
            self.report_lines();
        }
    }

    /// Reports which root move is being searched, once the search has taken a while.
    pub(super) fn report_root_move(&mut self, candidate: &Candidate) {
        if self.on_report.is_some() && self.is_long() {
            let number = self.pv_index + candidate.move_count;
            let mv = candidate.mv;
            self.report(Report::CurrentMove { depth: self.root_depth, mv, number });
        }
    }

    /// The line of the root move with this index; `None` if it has no score yet. The best one has
    /// at least the static evaluation.
    fn line(&mut self, index: usize, progress: Progress) -> Option<Line> {
        let known = |score: Score| score > Score::MINUS_INFINITE;
        let root_move = &self.root_moves[index];
        let (score, depth, bound) = if known(root_move.score) {
            (root_move.score, self.root_depth, root_move.bound)
        } else if known(root_move.previous_score) {
            (root_move.previous_score, self.completed_depth, Bound::Exact)
        } else if index == 0 {
            (self.leaf_evaluation(Ply::ROOT), self.completed_depth, Bound::Exact)
        } else {
            return None;
        };
        let (seldepth, by_tablebases) =
            (self.root_moves[index].seldepth, self.root_moves[index].tablebase_score(score));
        let (score, bound) = by_tablebases.map_or((score, bound), |score| (score, Bound::Exact));
        let moves = self.extended_pv(index, score, depth);
        let is_mate = score.is_mate() && bound == Bound::Exact;
        debug_assert!(!is_mate || is_whole_mate(&self.position, &moves, score), "{moves:?}");
        Some(Line { depth, seldepth, rank: index + 1, score, bound, progress, moves })
    }

    fn progress(&self) -> Progress {
        Progress {
            nodes: self.shared.nodes(),
            tablebase_hits: self.shared.tablebase_hits(),
            hashfull: self.shared.table.hashfull(),
            elapsed: self.shared.clock.elapsed(),
        }
    }

    fn is_long(&self) -> bool {
        self.shared.clock.elapsed() > LONG_SEARCH
    }

    /// Reports that a file of endgame tables is broken, if one turned out to be.
    pub(super) fn report_failed_tablebases(&mut self) {
        let failure = self.shared.tablebases.and_then(|tables| tables.failure());
        if let Some(failure) = failure.cloned() {
            self.report(Report::TablebasesFailed(failure));
        }
    }

    /// Calls back with a report, if there is a callback.
    pub(super) fn report(&mut self, report: Report) {
        if let Some(on_report) = &mut self.on_report {
            on_report(report);
        }
    }

    /// The line of the root move with this index and of this score, extended up to this depth.
    fn extended_pv(&mut self, index: usize, score: Score, depth: Depth) -> Vec<Move> {
        if score.is_decisive() && !score.is_mate() {
            return self.line_by_tablebases(index, score);
        }
        let mut position = self.position.clone();
        let mut moves = self.root_moves[index].playable_line(&mut position);
        if score.is_mate() {
            return moves;
        }
        while moves.len() < depth.plies() as usize
            && !position.is_drawn(Ply::ROOT)
            && let Some(mv) = self.table_move(&position, moves.len())
        {
            position.push(mv);
            moves.push(mv);
        }
        moves
    }

    /// The table's best move in a position `plies` plies from the root.
    fn table_move(&self, position: &Position, plies: usize) -> Option<Move> {
        let board = position.board();
        let entry = self.shared.table.probe(board.key(), Ply::new(plies), board.halfmoves())?;
        board.legal_move(entry.mv?)
    }

    /// The line of a win or loss by the tables for the root move with this index, to the end of the
    /// game if they know it: the search's line up to the first move that gives the win away, then
    /// best play by the tables.
    fn line_by_tablebases(&mut self, index: usize, score: Score) -> Vec<Move> {
        let mut position = self.position.clone();
        let found = self.root_moves[index].playable_line(&mut position);
        let (Some(tablebases), rules) = (self.shared.tablebases, &self.shared.limits.tablebases)
        else {
            return found;
        };
        position = self.position.clone();
        let (began, most) = (Instant::now(), self.time_for_lines);
        let in_time = || most.is_none_or(|time| began.elapsed() < time);
        let mut moves = Vec::with_capacity(MAX_PLY);
        for mv in found {
            let winner_moves = score.is_win() == moves.len().is_multiple_of(2);
            let checks = winner_moves && in_time() && tablebases.can_probe(&position, rules);
            if checks && tablebases.wins_by(&mut position, mv, rules) == Some(false) {
                break;
            }
            position.push(mv);
            moves.push(mv);
        }
        while moves.len() < MAX_PLY
            && in_time()
            && tablebases.can_probe(&position, rules)
            && !position.is_drawn(Ply::ROOT)
        {
            // A search reports the same line many times, and following it in the tables is slow.
            let key = position.board().key();
            let known = self.tablebase_moves.get(&key).copied();
            let Some(mv) = known.or_else(|| tablebases.best_move(&mut position, rules)) else {
                break;
            };
            self.tablebase_moves.insert(key, mv);
            position.push(mv);
            moves.push(mv);
        }
        if let Some(time) = &mut self.time_for_lines {
            *time = time.saturating_sub(began.elapsed());
        }
        moves
    }
}

/// Whether these moves are the whole line of a mate that is announced: they end with it, at the
/// distance that the score says.
fn is_whole_mate(root: &Position, moves: &[Move], score: Score) -> bool {
    let mut chess = root.chess().clone();
    moves.iter().for_each(|&mv| chess.play_unchecked(mv));
    let distance = (Score::MATE - score.max(-score)) as usize;
    chess.is_checkmate() && moves.len() == distance
}
