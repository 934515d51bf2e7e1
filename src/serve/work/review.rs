//! A game reviewed by the code of `outrider analyse`, and answers to its mistakes judged by the same.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use shakmaty::{Chess, Color, Move, Position as _};

use super::super::position_spec::PositionSpec;
use super::super::study::read_game;
use super::super::view::{StartView, color_name, move_number};
use super::{Files, WorkError, WorkKind, WorkSlot};
use outrider_engine::position::notation::format_move;
use outrider_engine::position::san::{format_san, parse_san};
use outrider_tools::PositionLimit;
use outrider_tools::games::{
    Analysed, AnalysisSettings, Fault, Found, KnownGame, PageFrame, PlayerSummary, ShownLines,
    analyse, annotate, page,
};
use outrider_tools::pages::board;
use outrider_tools::pgn::{self, AnnotatedGame, Played};
use outrider_tools::score_record::ScoreRecord;

/// The most moves of a game that is reviewed, and the most milliseconds for each position.
const MAX_PLIES: usize = 1_200;
const MAX_MILLISECONDS: u64 = 30_000;
/// The size of the table with which an answer is judged: the search is short.
const JUDGE_MEGABYTES: usize = 8;
/// The most moves of a line that is shown.
const MAX_LINE: usize = 10;

/// A game to review.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    pgn: String,
    /// Which game of the text, from 0.
    game: usize,
    milliseconds: u64,
}

fn settings(milliseconds: u64) -> AnalysisSettings {
    let time = Duration::from_millis(milliseconds.clamp(1, MAX_MILLISECONDS));
    let limit = PositionLimit::MoveTime(time);
    AnalysisSettings { limit, lines: ShownLines::Faults, multi_pv: 1 }
}

pub(super) fn run(slot: &mut WorkSlot, request: &ReviewRequest) -> Result<(), WorkError> {
    slot.begin(WorkKind::Review, 0);
    let (game, games) = read_game(&request.pgn, request.game).map_err(WorkError::failed)?;
    if game.moves.len() > MAX_PLIES {
        let plies = game.moves.len();
        let reason = format!("the game has {plies} plies; at most {MAX_PLIES} can be reviewed");
        return Err(WorkError::Failed(reason));
    }
    slot.begin(WorkKind::Review, game.moves.len() + 1);
    slot.work.show(|view| view.games = games);
    slot.take_turn()?;
    let mut engine = slot.engine(slot.megabytes())?;
    let settings = settings(request.milliseconds);
    let stop = Arc::clone(&slot.stop);
    let analysed =
        analyse(&game, &mut engine, settings, KnownGame::default(), &stop, &mut |found| {
            if let Found::Position(..) = found {
                slot.work.show(|view| view.done += 1);
            }
            slot.take_turn()
        })?;
    let analysed = analysed.ok_or(WorkError::Stopped)?;
    let files = Files {
        page: Some(page(&game, &analysed, settings, &PageFrame::default()).into()),
        pgn: Some(pgn::write(&annotate(&game, &analysed, settings)).into()),
    };
    slot.keep(WorkKind::Review, files);
    slot.work.show(|view| view.result = Some(result(&game, &analysed)));
    Ok(())
}

/// What the page receives: who played how well, and the mistakes to learn from.
fn result(game: &AnnotatedGame, analysed: &Analysed) -> Json {
    let summary = PlayerSummary::of(game, analysed);
    let players = Color::ALL.map(|color| {
        summary[color].map(|it| {
            json!({
                "name": game.player(color),
                "accuracy": it.accuracy,
                "loss": it.centipawn_loss,
                "faults": it.faults,
            })
        })
    });
    let positions = game.positions();
    let faults = analysed.judged.iter().enumerate().filter_map(|(ply, judged)| {
        let fault = judged.fault?;
        Some(mistake(game, analysed, ply, &positions[ply], fault))
    });
    json!({ "players": players, "mistakes": faults.collect::<Vec<_>>() })
}

/// A position in which a player gave chances away.
fn mistake(
    game: &AnnotatedGame,
    analysed: &Analysed,
    ply: usize,
    before: &Chess,
    fault: Fault,
) -> Json {
    let mode = game.start.castles().mode();
    let moves: Vec<String> =
        game.moves[..ply].iter().map(|played| format_move(played.mv, mode)).collect();
    let start = StartView::new(&game.start);
    json!({
        "position": { "fen": start.fen, "chess960": start.chess960, "moves": moves },
        "side": color_name(game.mover(ply)),
        "number": game.number(ply),
        "played": format_san(before, game.moves[ply].mv),
        "squares": board::squares(game.moves[ply].mv),
        "fault": fault.name(),
        "loss": analysed.judged[ply].percent(),
        "reason": analysed.reasons[ply].as_ref().map(|why| &why.text),
        "best": line(before, &analysed.examined[ply].line),
    })
}

/// A line with its numbers, for reading.
fn line(start: &Chess, moves: &[Move]) -> String {
    let mut chess = start.clone();
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().take(MAX_LINE).enumerate() {
        if index == 0 || chess.turn().is_white() {
            words.push(move_number(&chess));
        }
        words.push(format_san(&chess, mv));
        chess.play_unchecked(mv);
    }
    words.join(" ")
}

/// An answer to a mistake that is to be judged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeRequest {
    position: PositionSpec,
    #[serde(rename = "move")]
    text: String,
    milliseconds: u64,
}

/// What an answer is worth.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Judgement {
    san: String,
    squares: [String; 2],
    /// Whether the engine would have played it.
    best: bool,
    /// The fault that it is, if it is one.
    fault: Option<&'static str>,
    /// Why it is one, if that is proven.
    reason: Option<String>,
    /// What it gives away, in percent of a point.
    loss: u32,
    /// What is to be expected after it, and how White stands then.
    line: String,
    score: String,
    board: String,
}

/// Judges an answer. It takes about twice the time that is given, and four times more where a reason
/// has to be proven.
///
/// # Errors
///
/// Fails if the position or the move is wrong.
pub(super) fn judge(slot: &WorkSlot, request: &JudgeRequest) -> Result<Judgement, WorkError> {
    let position = request.position.play().map_err(WorkError::failed)?;
    let start = position.chess().clone();
    let mv = parse_san(&start, &request.text).map_err(WorkError::failed)?;
    let game = AnnotatedGame {
        tags: Vec::new(),
        start: start.clone(),
        preface: Vec::new(),
        moves: vec![Played { mv, remarks: Vec::new() }],
        rest: Vec::new(),
        result: "*".to_owned(),
    };
    let settings = settings(request.milliseconds);
    let mut engine = slot.engine(JUDGE_MEGABYTES)?;
    let ignore = &mut |_: Found<'_>| Ok::<(), WorkError>(());
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
        reason: analysed.reasons[0].as_ref().map(|why| why.text.clone()),
        loss: judged.percent(),
        line: line(&after_move, &after.line),
        score: ScoreRecord::of_white(after.score, after_move.turn()).to_string(),
        board: board::placement(&after_move),
    })
}
