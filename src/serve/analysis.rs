//! Results of an analysis and their view for the page.

use std::time::Duration;

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use super::view::move_number;
use outrider_engine::evaluation::wdl::{WDL_MODEL, Wdl, material};
use outrider_engine::position::Position;
use outrider_engine::position::notation::{format_fen, format_move};
use outrider_engine::position::san::format_san;
use outrider_engine::search::{Bound, Line, Progress, Report, nodes_per_second};
use outrider_tools::score_record::ScoreRecord;

/// Maximum number of moves shown of a line.
const MAX_MOVES: usize = 16;

/// State of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Activity {
    #[default]
    Off,
    /// Waits for a free thread.
    Waiting,
    Searching,
}

/// The lines found so far for a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    activity: Activity,
    root: Option<Chess>,
    lines: Vec<Option<Line>>,
    progress: Progress,
    /// Error of the endgame tables. The engine continues without them.
    tablebase_error: Option<String>,
}

impl Analysis {
    /// Creates an analysis that waits for its threads.
    pub(crate) fn waiting(root: &Chess, lines: usize) -> Analysis {
        let lines = vec![None; lines.min(root.legal_moves().len())];
        let root = Some(root.clone());
        Analysis { activity: Activity::Waiting, root, lines, ..Analysis::default() }
    }

    pub(crate) fn begin(&mut self) {
        self.activity = Activity::Searching;
    }

    pub(crate) fn stop(&mut self) {
        self.activity = Activity::Off;
    }

    /// Adds a report of the search. Ignores reports on any other position.
    pub(crate) fn add(&mut self, position: &Position, report: Report) {
        if self.root.as_ref() != Some(position.chess()) {
            return;
        }
        match report {
            Report::Line(line) => {
                self.progress = line.progress;
                let slot = line.rank.checked_sub(1).and_then(|index| self.lines.get_mut(index));
                // The exact score soon follows a bound. Until then the previous line tells more.
                if let Some(slot) = slot
                    && (slot.is_none() || line.bound == Bound::Exact)
                {
                    *slot = Some(line);
                }
            }
            Report::Progress(progress) => self.progress = progress,
            _ => {}
        }
    }

    pub(crate) fn with_tablebase_error(self, tablebase_error: Option<String>) -> Analysis {
        Analysis { tablebase_error, ..self }
    }

    pub(crate) fn has_lines(&self) -> bool {
        self.lines.iter().any(Option::is_some)
    }

    pub(crate) fn view(&self) -> AnalysisView {
        let Progress { nodes, tablebase_hits, hashfull, elapsed } = self.progress;
        let lines = self
            .root
            .iter()
            .flat_map(|root| self.lines.iter().flatten().map(|line| LineView::new(root, line)));
        AnalysisView {
            activity: self.activity,
            fen: self.root.as_ref().map(format_fen),
            lines: lines.collect(),
            nodes,
            nodes_per_second: if elapsed < Duration::from_millis(1) {
                0
            } else {
                nodes_per_second(nodes, elapsed)
            },
            tablebase_hits,
            hashfull,
            milliseconds: elapsed.as_millis() as u64,
            tablebase_error: self.tablebase_error.clone(),
        }
    }
}

/// An analysis in the form that the page receives. Scores and WDL are from White's point of view.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysisView {
    activity: Activity,
    /// FEN of the analysed position.
    fen: Option<String>,
    lines: Vec<LineView>,
    nodes: u64,
    nodes_per_second: u64,
    tablebase_hits: u64,
    /// Used part of the transposition table in permille.
    hashfull: usize,
    milliseconds: u64,
    /// Why the endgame tables are no longer used.
    tablebase_error: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct LineView {
    score: String,
    /// Win, draw and loss in permille.
    wdl: [u16; 3],
    depth: i32,
    seldepth: usize,
    moves: Vec<LineMove>,
}

#[derive(Clone, Debug, Serialize)]
struct LineMove {
    /// Move number with dots for White's moves and the first move, otherwise empty.
    number: String,
    san: String,
    uci: String,
    squares: [String; 2],
}

impl LineView {
    fn new(root: &Chess, line: &Line) -> LineView {
        let material = material(root.board());
        let Wdl { win, draw, loss } = WDL_MODEL.wdl(line.score, material);
        let shown = WDL_MODEL.shown(line.score);
        LineView {
            score: ScoreRecord::for_white(shown, root.turn()).to_string(),
            wdl: match root.turn() {
                Color::White => [win, draw, loss],
                Color::Black => [loss, draw, win],
            },
            depth: line.depth.plies(),
            seldepth: line.seldepth,
            moves: line_moves(root, &line.moves),
        }
    }
}

fn line_moves(root: &Chess, moves: &[Move]) -> Vec<LineMove> {
    let mode: CastlingMode = root.castles().mode();
    let mut chess = root.clone();
    let mut shown = Vec::new();
    for (index, &mv) in moves.iter().take(MAX_MOVES).enumerate() {
        let is_numbered = index == 0 || chess.turn().is_white();
        shown.push(LineMove {
            number: if is_numbered { move_number(&chess) } else { String::new() },
            san: format_san(&chess, mv),
            uci: format_move(mv, mode),
            squares: outrider_tools::pages::board::squares(mv),
        });
        chess.play_unchecked(mv);
    }
    shown
}
