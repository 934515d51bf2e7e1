//! An analysed game as a line of JSON, for other programs.

use serde_json::{Map, Value as Json, json};
use shakmaty::{Chess, Color, Position as _};

use super::annotate::sentence;
use super::clocks::{MoveTime, move_times, time_left};
use super::openings::opening;
use super::remarks::clock;
use super::{AnalysedGame, Fault, FoundLine, MissedChance, PlayerSummary, RemovedVerdicts};
use crate::pgn::AnnotatedGame;
use crate::score_record::ScoreRecord;
use outrider_engine::position::notation::{format_fen, format_move};
use outrider_engine::position::san::format_san;

/// Returns a game as a line of JSON: tags, summaries and moves. Scores and WDL (win, draw, loss in
/// permille) are from White's point of view. `replaced` counts verdicts of other programs; `analysis`
/// identifies the task for a later run.
pub(crate) fn game_line(
    number: usize,
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    replaced: RemovedVerdicts,
    analysis: Option<&str>,
) -> String {
    let tags: Map<String, Json> =
        game.tags.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let summary = PlayerSummary::by_color(game, analysed);
    let players = Color::ALL.map(|color| {
        let own = summary[color].map(|summary| {
            json!({
                "moves": summary.moves, "accuracy": summary.accuracy, "centipawnLoss": summary.centipawn_loss,
                "inaccuracies": summary.count(Fault::Inaccuracy), "mistakes": summary.count(Fault::Mistake),
                "blunders": summary.count(Fault::Blunder),
                "missedMates": summary.missed[0], "missedWins": summary.missed[1],
            })
        });
        json!({ "name": game.player(color), "summary": own })
    });
    let [white, black] = players;
    let times = move_times(game);
    let boards = game.positions();
    let moves = boards.iter().zip(&times).enumerate();
    let moves: Vec<Json> = moves
        .map(|(ply, (before, time))| move_record(game, analysed, ply, before, *time))
        .collect();
    let mut line = json!({
        "game": number, "tags": tags, "start": format_fen(&game.start), "result": game.result,
        "opening": opening(game).map(|(opening, plies)| json!({
            "eco": opening.eco, "name": opening.name, "plies": plies,
        })),
        "white": white, "black": black, "moves": moves,
    });
    if replaced != RemovedVerdicts::default() {
        line["replaced"] = json!({ "verdicts": replaced.verdicts, "scores": replaced.scores });
    }
    if let Some(course) = &analysed.repertoire {
        line["repertoire"] = course.record();
    }
    if let Some(analysis) = analysis {
        line["analysis"] = analysis.into();
    }
    line.to_string()
}

fn move_record(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    ply: usize,
    before: &Chess,
    time: Option<MoveTime>,
) -> Json {
    let mode = before.castles().mode();
    let (mv, judged) = (game.moves[ply].mv, &analysed.judged[ply]);
    let (found, after) = (&analysed.examined[ply], &analysed.examined[ply + 1]);
    let turn = game.mover(ply);
    let mut record = json!({
        "move": format_move(mv, mode), "san": format_san(before, mv),
        "score": ScoreRecord::for_white(after.score, !turn),
        "wdl": wdl_for_white(after.wdl.permille(), !turn),
        "depth": after.depth.plies(),
        "best": found.line.iter().map(|&mv| format_move(mv, mode)).collect::<Vec<_>>(),
        "bestScore": ScoreRecord::for_white(found.score, turn),
        "loss": judged.loss,
    });
    let mut add = |name: &str, value: Json| record[name] = value;
    if let Some(fault) = analysed.fault(game, ply) {
        add("fault", fault.name().into());
    }
    if let Some(sentence) = sentence(game, before, analysed, ply) {
        add("said", sentence.into());
    }
    let missed = analysed.missed_chance(game, ply);
    if let Some(MissedChance::Mate(moves)) = missed {
        add("missedMate", moves.into());
    }
    for (name, holds) in [
        ("missedWin", judged.missed_win || missed == Some(MissedChance::Win)),
        ("book", ply < analysed.book_plies),
        ("onlyMove", judged.only_move),
        ("timeTrouble", time.is_some_and(|time| time.in_trouble)),
    ] {
        if holds {
            add(name, true.into());
        }
    }
    let left = clock(&game.moves[ply].remarks).and_then(time_left);
    for (name, seconds) in [("seconds", time.map(|time| time.used)), ("clock", left)] {
        if let Some(seconds) = seconds {
            add(name, seconds.into());
        }
    }
    if !found.others.is_empty() {
        let line_record = |other: &FoundLine| {
            json!({
                "line": other.line.iter().map(|&mv| format_move(mv, mode)).collect::<Vec<_>>(),
                "score": ScoreRecord::for_white(other.score, turn),
                "wdl": wdl_for_white(other.wdl.permille(), turn),
            })
        };
        add("others", found.others.iter().map(line_record).collect());
    }
    record
}

/// Converts WDL of the side to move to White's point of view.
fn wdl_for_white([win, draw, loss]: [u16; 3], turn: Color) -> [u16; 3] {
    if turn.is_white() { [win, draw, loss] } else { [loss, draw, win] }
}

/// Returns the line of JSON for a game that was not analysed, with the reason.
pub(crate) fn failed_line(number: usize, line: Option<usize>, reason: &str) -> String {
    json!({ "game": number, "line": line, "error": reason }).to_string()
}
