//! Reports of a search: its lines after each iteration and before the answer, and its progress once
//! a second. A long search also reports the current root move and failed windows.
//!
//! A line of play (PV) is reported as the search found it. If it ended early, moves of the
//! transposition table extend it. A line ends early if two searches with different windows
//! contradict each other; the following moves in the table were searched nevertheless. The line of
//! a mate is always complete: see `search_again` in `negascout.rs`.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use shakmaty::{Move, Position as _};

use super::limits::Limits;
use super::node::Candidate;
use super::worker::Worker;
use crate::position::{Key, Position};
use crate::tablebases::TablebaseError;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Only longer searches report the current root move and failed windows.
const LONG_SEARCH: Duration = Duration::from_secs(3);
/// Time without any report after which progress is reported.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most the score (the search failed low).
    Upper = 1,
    /// The true value is at least the score (the search failed high).
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

/// An event of a running search. Before its answer, the search reports its final lines, or that no
/// move is legal.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line was searched to a depth, or failed high or low on the way.
    Line(Line),
    /// The main thread begins to search this root move. Reported only in long searches.
    CurrentMove {
        /// Depth of the iteration in plies.
        depth: Depth,
        /// The root move.
        mv: Move,
        /// Number of the move in the order, from 1.
        number: usize,
    },
    /// Progress, reported once a second if there is nothing else to report.
    Progress(Progress),
    /// No move is legal. The score is that of mate or stalemate.
    NoMove(Score),
    /// The requested mate was not found.
    NoMateFound {
        /// Requested limit of the mate, in full moves.
        moves: u32,
        /// The mate is proven not to exist; false if that is undecided.
        disproved: bool,
    },
    /// A file of endgame tables is damaged. The engine continues without endgame tables.
    TablebasesFailed(TablebaseError),
}

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Positions entered so far by all threads.
    pub nodes: u64,
    /// Positions found in the endgame tables so far by all threads.
    pub tablebase_hits: u64,
    /// Share of the transposition table used by entries of this search, in permille.
    pub hashfull: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// One line of play with its score.
#[derive(Clone, Debug)]
pub struct Line {
    /// Depth of the iteration in plies.
    pub depth: Depth,
    /// Greatest distance from the root reached, in plies.
    pub seldepth: usize,
    /// Rank among the requested lines, from 1.
    pub rank: usize,
    /// Score for the side to move at the root, in centipawns of the search.
    /// [`WDL_MODEL`](crate::evaluation::wdl::WDL_MODEL) converts them to the centipawns shown.
    pub score: Score,
    /// Relation of the score to the true value; a bound if the aspiration window failed.
    pub bound: Bound,
    /// Progress of the search when it reported the line.
    pub progress: Progress,
    /// Legal moves of the line, at most to the end of the game.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Move to play; `None` if no move is legal.
    pub best: Option<Move>,
    /// Expected reply, for pondering.
    pub ponder: Option<Move>,
    /// Score of the best move for the side to move, in centipawns of the search.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: Depth,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Returns the nodes per second. A time below a microsecond counts as a microsecond.
pub fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// Returns the score of a position without a legal move.
pub(super) fn no_move_score(position: &Position) -> Score {
    if position.board().in_check() { Score::mated_in(Ply::ROOT) } else { Score::DRAW }
}

/// State of the reports of the main thread.
pub(super) struct Reporting<'a> {
    /// The callback; `None` in helper threads and if nothing is to be reported.
    pub on_report: Option<&'a mut dyn FnMut(Report)>,
    /// Node count of the thread at its last report of lines.
    pub lines_reported_at: Option<u64>,
    /// Time of the last report of progress or lines, since the start of the search.
    progress_reported_at: Duration,
    /// Best moves by the endgame tables, cached from earlier extensions of lines.
    tablebase_moves: HashMap<Key, Move>,
    /// Time left for extending lines by the endgame tables; `None` without a time limit.
    line_time_left: Option<Duration>,
}

impl<'a> Reporting<'a> {
    /// Creates the state for the start of a search.
    pub(super) fn new(
        limits: &Limits,
        on_report: Option<&'a mut dyn FnMut(Report)>,
    ) -> Reporting<'a> {
        Reporting {
            on_report,
            lines_reported_at: None,
            progress_reported_at: Duration::ZERO,
            tablebase_moves: HashMap::new(),
            line_time_left: limits.has_time_limit().then(|| limits.move_overhead / 2),
        }
    }
}

impl Worker<'_> {
    /// Reports the current lines, best first.
    fn report_lines(&mut self) {
        if self.reporting.on_report.is_none() {
            return;
        }
        self.publish_nodes();
        let progress = self.progress();
        self.reporting.progress_reported_at = progress.elapsed;
        self.reporting.lines_reported_at = Some(self.nodes);
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        for index in 0..lines {
            if let Some(line) = self.line(index, progress) {
                self.report(Report::Line(line));
            }
        }
    }

    /// Reports the final lines before the answer, unless the last report already has them. Reports
    /// made during pondering or `go infinite` do not count, since chess programs may discard them.
    pub(super) fn report_answer(&mut self) {
        let limits = self.shared.limits;
        let is_new = self.reporting.lines_reported_at != Some(self.nodes);
        if self.root_moves.is_empty() {
            self.report(Report::NoMove(no_move_score(&self.position)));
        } else if is_new || limits.ponder || limits.infinite {
            self.report_lines();
        }
    }

    /// Reports progress if there was no report for a while.
    pub(super) fn report_progress(&mut self) {
        if self.reporting.on_report.is_some() {
            let last_report = self.reporting.progress_reported_at;
            if self.shared.clock.elapsed().saturating_sub(last_report) >= PROGRESS_INTERVAL {
                let progress = self.progress();
                self.reporting.progress_reported_at = progress.elapsed;
                self.report(Report::Progress(progress));
            }
        }
    }

    /// Reports the lines after an iteration. A search that is short of time, and not pondering,
    /// reports only its answer: each report wakes a thread of the chess program, which on a busy
    /// machine may take this thread's processor.
    pub(super) fn report_iteration(&mut self) {
        if !self.shared.clock.is_short_of_time() || self.shared.is_pondering() {
            self.report_lines();
        }
    }

    /// Reports a line after its window failed, if the search is long.
    pub(super) fn report_failed_window(&mut self) {
        if self.is_long() && self.shared.limits.lines == 1 {
            self.report_lines();
        }
    }

    /// Reports the current root move, if the search is long.
    pub(super) fn report_root_move(&mut self, candidate: &Candidate) {
        if self.reporting.on_report.is_some() && self.is_long() {
            let number = self.pv_index + candidate.move_count;
            let mv = candidate.mv;
            self.report(Report::CurrentMove { depth: self.root_depth, mv, number });
        }
    }

    /// Returns the line of the root move with this index. Returns `None` if the move has no score
    /// yet; the first move then gets the static evaluation.
    fn line(&mut self, index: usize, progress: Progress) -> Option<Line> {
        let is_known = |score: Score| score > Score::MINUS_INFINITE;
        let root_move = &self.root_moves[index];
        let (score, depth, bound) = if is_known(root_move.score) {
            (root_move.score, self.root_depth, root_move.bound)
        } else if is_known(root_move.previous_score) {
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
        debug_assert!(
            !is_mate || is_complete_mate_line(&self.position, &moves, score),
            "{moves:?}"
        );
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

    /// Reports that a file of endgame tables is damaged, if the search found one.
    pub(super) fn report_failed_tablebases(&mut self) {
        let failure = self.shared.tablebases.and_then(|tables| tables.failure());
        if let Some(failure) = failure.cloned() {
            self.report(Report::TablebasesFailed(failure));
        }
    }

    /// Passes a report to the callback, if there is one.
    pub(super) fn report(&mut self, report: Report) {
        if let Some(on_report) = &mut self.reporting.on_report {
            on_report(report);
        }
    }

    /// Returns the line of the root move with this index and score, extended up to `depth` plies.
    fn extended_pv(&mut self, index: usize, score: Score, depth: Depth) -> Vec<Move> {
        if score.is_decisive() && !score.is_mate() {
            return self.tablebase_line(index, score);
        }
        let mut position = self.position.clone();
        let mut moves = self.root_moves[index].playable_line(&mut position);
        if score.is_mate() {
            return moves;
        }
        while moves.len() < depth.plies() as usize
            && !position.is_drawn(Ply::ROOT)
            && let Some(mv) = self.probe_tt_move(&position, moves.len())
        {
            position.push(mv);
            moves.push(mv);
        }
        moves
    }

    /// Returns the transposition table's move in a position `plies` plies from the root, if it is
    /// legal.
    fn probe_tt_move(&self, position: &Position, plies: usize) -> Option<Move> {
        let board = position.board();
        let entry = self.shared.table.probe(board.key(), Ply::new(plies), board.halfmoves())?;
        board.legal_move(entry.mv?)
    }

    /// Returns the line of a win or loss by the endgame tables for the root move with this index.
    /// It follows the search's line up to the first move that gives away the win, then the best
    /// moves of the tables, to the end of the game if the tables know it.
    fn tablebase_line(&mut self, index: usize, score: Score) -> Vec<Move> {
        let mut position = self.position.clone();
        let found = self.root_moves[index].playable_line(&mut position);
        let (Some(tablebases), rules) = (self.shared.tablebases, &self.shared.limits.tablebases)
        else {
            return found;
        };
        position = self.position.clone();
        let (started, time_left) = (Instant::now(), self.reporting.line_time_left);
        let in_time = || time_left.is_none_or(|time| started.elapsed() < time);
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
            // A search reports the same line many times, and probes are slow.
            let key = position.board().key();
            let known = self.reporting.tablebase_moves.get(&key).copied();
            let Some(mv) = known.or_else(|| tablebases.best_move(&mut position, rules)) else {
                break;
            };
            self.reporting.tablebase_moves.insert(key, mv);
            position.push(mv);
            moves.push(mv);
        }
        if let Some(time) = &mut self.reporting.line_time_left {
            *time = time.saturating_sub(started.elapsed());
        }
        moves
    }
}

/// Returns true if these moves are the complete line of the mate in `score`: they end with mate, at
/// the distance of the score.
fn is_complete_mate_line(root: &Position, moves: &[Move], score: Score) -> bool {
    let mut chess = root.chess().clone();
    moves.iter().for_each(|&mv| chess.play_unchecked(mv));
    let distance = (Score::MATE - score.max(-score)) as usize;
    chess.is_checkmate() && moves.len() == distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second_is_finite_even_if_no_time_has_passed() {
        assert_eq!(nodes_per_second(500, Duration::from_millis(250)), 2000);
        assert_eq!(nodes_per_second(3, Duration::ZERO), 3_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
