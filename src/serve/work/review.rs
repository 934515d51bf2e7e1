//! Reviews a game with the code of `outrider analyse`, and judges answers to its mistakes.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use shakmaty::{Chess, Color, Move, Position as _};

use super::super::game::PLAYER;
use super::super::position_spec::PositionSpec;
use super::super::study::read_game;
use super::super::view::{StartView, move_number};
use super::{Files, WorkError, WorkKind, WorkSlot};
use outrider_engine::position::notation::format_move;
use outrider_engine::position::san::{format_san, parse_san};
use outrider_engine::search::Engine;
use outrider_tools::PositionLimit;
use outrider_tools::games::{
    AnalysedGame, AnalysisSettings, Fault, Finding, GameView, KnownGame, MissedChance, PageFrame,
    Puzzle, ReportedSides, ShownLines, analyse, annotate, page, puzzles_of, without_verdicts,
};
use outrider_tools::pages::board;
use outrider_tools::pgn::{self, AnnotatedGame, PlayedMove};
use outrider_tools::score_record::ScoreRecord;

/// Maximum length of a reviewed game in plies.
const MAX_PLIES: usize = 1_200;
/// Maximum time for a position in milliseconds.
const MAX_MILLISECONDS: u64 = 30_000;
/// Size of the transposition table for judging an answer, a short search.
const JUDGE_MEGABYTES: usize = 8;
/// Maximum number of moves shown of a line.
const MAX_LINE: usize = 10;

/// A game to review.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    pgn: String,
    /// Index of the game in the PGN.
    game: usize,
    milliseconds: u64,
}

fn settings(milliseconds: u64) -> AnalysisSettings {
    let time = Duration::from_millis(milliseconds.clamp(1, MAX_MILLISECONDS));
    let limit = PositionLimit::MoveTime(time);
    AnalysisSettings { limit, lines: ShownLines::Faults, multi_pv: 1, keep_verdicts: false }
}

/// Reviews a game.
///
/// # Errors
///
/// Fails if the game cannot be read or is too long, or if the work is stopped.
pub(super) fn run(slot: &mut WorkSlot, request: &ReviewRequest) -> Result<(), WorkError> {
    slot.begin(WorkKind::Review, 0);
    let (game, games) = read_game(&request.pgn, request.game).map_err(WorkError::failed)?;
    if game.moves.len() > MAX_PLIES {
        let plies = game.moves.len();
        let reason = format!("the game has {plies} plies; at most {MAX_PLIES} can be reviewed");
        return Err(WorkError::Failed(reason));
    }
    slot.begin(WorkKind::Review, game.moves.len() + 1);
    slot.work.show(|view| {
        view.games = games;
        // Without a game of this index, the first one is reviewed.
        view.game = if request.game < games { request.game } else { 0 };
    });
    slot.take_turn()?;
    let mut engine = slot.engine(slot.megabytes())?;
    let settings = settings(request.milliseconds);
    let stop = Arc::clone(&slot.stop);
    let analysed =
        analyse(&game, &mut engine, settings, KnownGame::default(), &stop, &mut |found| {
            if let Finding::Position(..) = found {
                slot.work.show(|view| view.done += 1);
            }
            slot.take_turn()
        })?;
    let analysed = analysed.ok_or(WorkError::Stopped)?;
    let (game, _) = without_verdicts(&game, settings.keep_verdicts);
    let puzzles = puzzles(slot, &mut engine, &game, &analysed, settings)?;
    let files = Files {
        view: Some(view(&game, &analysed, &puzzles).into()),
        page: Some(page(&game, &analysed, settings, &PageFrame::default()).into()),
        pgn: Some(pgn::write(&annotate(&game, &analysed, settings)).into()),
    };
    slot.keep(WorkKind::Review, files);
    Ok(())
}

/// Returns the puzzles of a game: the faults of the player in a game against the engine, those of both sides
/// in other games.
fn puzzles(
    slot: &mut WorkSlot,
    engine: &mut Engine,
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    settings: AnalysisSettings,
) -> Result<Vec<Puzzle>, WorkError> {
    let player = Color::ALL.into_iter().find(|&color| game.player(color) == PLAYER);
    let reported = player.map_or(ReportedSides::Both, ReportedSides::Only);
    let analysed = AnalysedGame { reported, ..analysed.clone() };
    let searches = analysed.lessons(game).len();
    slot.work.show(|view| view.puzzles = [0, searches]);
    let stop = Arc::clone(&slot.stop);
    let found = puzzles_of(game, &analysed, engine, settings.limit, &stop, &mut || {
        slot.take_turn()?;
        slot.work.show(|view| view.puzzles[0] += 1);
        Ok::<_, WorkError>(())
    })?;
    slot.take_turn()?;
    Ok(found)
}

/// Returns the review in the form that the page receives.
fn view(game: &AnnotatedGame, analysed: &AnalysedGame, puzzles: &[Puzzle]) -> Json {
    let mode = game.start.castles().mode();
    let moves: Vec<_> = game.moves.iter().map(|played| format_move(played.mv, mode)).collect();
    let start = StartView::new(&game.start);
    json!({
        "names": Color::ALL.map(|color| game.player(color)),
        "position": { "fen": start.fen, "chess960": start.chess960, "moves": moves },
        "game": GameView::new(game, analysed, ""),
        "puzzles": puzzles,
    })
}

/// Formats a line with move numbers.
fn line(start: &Chess, moves: &[Move]) -> String {
    let mut chess = start.clone();
    let mut parts = Vec::new();
    for (index, &mv) in moves.iter().take(MAX_LINE).enumerate() {
        if index == 0 || chess.turn().is_white() {
            parts.push(move_number(&chess));
        }
        parts.push(format_san(&chess, mv));
        chess.play_unchecked(mv);
    }
    parts.join(" ")
}

/// Request to judge an answer to a mistake.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeRequest {
    position: PositionSpec,
    #[serde(rename = "move")]
    text: String,
    milliseconds: u64,
}

/// Judgement of an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Judgement {
    san: String,
    squares: [String; 2],
    /// It is the engine's best move.
    best: bool,
    /// Kind of fault; `None` for a good move.
    fault: Option<&'static str>,
    /// Missed chance: `misses mate in 1`.
    missed: Option<String>,
    /// Proven reason of the fault.
    reason: Option<String>,
    /// Lost expectation in percent of a point.
    loss: u32,
    /// Expected continuation.
    line: String,
    /// Score after the move from White's point of view.
    score: String,
    /// Piece placement after the move.
    board: String,
}

/// Judges an answer. Takes about twice the requested time, and four times more if it proves a reason.
///
/// # Errors
///
/// Fails if the position or the move is invalid, or if the work is stopped.
pub(super) fn judge(slot: &WorkSlot, request: &JudgeRequest) -> Result<Judgement, WorkError> {
    let position = request.position.play().map_err(WorkError::failed)?;
    let start = position.chess().clone();
    let mv = parse_san(&start, &request.text).map_err(WorkError::failed)?;
    let game = AnnotatedGame {
        tags: Vec::new(),
        start: start.clone(),
        preface: Vec::new(),
        moves: vec![PlayedMove { mv, remarks: Vec::new() }],
        rest: Vec::new(),
        result: "*".to_owned(),
        wrong_number: None,
    };
    let settings = settings(request.milliseconds);
    let mut engine = slot.engine(JUDGE_MEGABYTES)?;
    let ignore = &mut |_: Finding<'_>| Ok::<(), WorkError>(());
    let known = KnownGame::default();
    let analysed = analyse(&game, &mut engine, settings, known, &slot.stop, ignore)?;
    let analysed = analysed.ok_or(WorkError::Stopped)?;
    let (judged, after) = (&analysed.judged[0], &analysed.examined[1]);
    let mut after_move = start.clone();
    after_move.play_unchecked(mv);
    Ok(Judgement {
        san: format_san(&start, mv),
        squares: board::squares(mv),
        best: analysed.examined[0].line.first() == Some(&mv),
        fault: judged.fault.map(Fault::name),
        missed: analysed.missed[0].map(MissedChance::words),
        reason: analysed.reasons[0].as_ref().map(|why| why.text.clone()),
        loss: judged.percent(),
        line: line(&after_move, &after.line),
        score: ScoreRecord::for_white(after.score, after_move.turn()).to_string(),
        board: board::placement(&after_move),
    })
}
