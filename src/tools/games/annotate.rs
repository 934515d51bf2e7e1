//! Adds an analysis to its game: scores, best lines and glyphs in the forms that chess programs read.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position as _};

use super::openings::opening;
use super::verdicts::{first_move, has_score, without_evaluation, without_verdicts};
use super::{AnalysedGame, AnalysisSettings, ExaminedPosition, Fault, MissedChance, ShownLines};
use crate::pgn::comment::EngineNote;
use crate::pgn::verdict::without_evaluations;
use crate::pgn::{AnnotatedGame, Element, Remark};
use crate::score_record::ScoreRecord;
use crate::{ENGINE, PositionLimit};
use outrider_engine::position::san::format_san;
use outrider_engine::units::Score;

/// Maximum number of plies written of a best line.
pub(super) const MAX_LINE_PLIES: usize = 12;

/// Tag with the names of the annotators.
pub(super) const ANNOTATOR: &str = "Annotator";
/// Start of this program's name in that tag.
pub(super) const OWN_NAME: &str = "Outrider ";

/// Returns the game with the analysis: after each move its score in a comment `[%eval]` from White's point
/// of view; after a fault a glyph, a sentence, and the best line as a variation; after a
/// missed chance a sentence and the best line; after an only move a box.
///
/// Missing tags of the opening are added. Existing annotations are kept, except the sentences, scores,
/// glyphs and lines of an earlier analysis by this or another program. If a person gave a move a glyph from
/// `!` to `?!`, no glyph of a fault is added; if a variation begins with the best move, no second one is
/// added.
pub fn annotate(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    settings: AnalysisSettings,
) -> AnnotatedGame {
    let mut annotated = without_verdicts(game, settings.keep_verdicts).0.into_owned();
    let positions = game.positions();
    if has_score(&game.preface) {
        let eval = eval(analysed.examined[0].score, positions[0].turn());
        annotated.preface = with_eval(annotated.preface, eval);
    }
    for (ply, played) in annotated.moves.iter_mut().enumerate() {
        let remarks = std::mem::take(&mut played.remarks);
        let after = &analysed.examined[ply + 1];
        let mut remarks = with_eval(remarks, eval(after.score, positions[ply + 1].turn()));
        add_glyphs(&mut remarks, game, analysed, ply);
        if let Some(sentence) = sentence(game, &positions[ply], analysed, ply) {
            let place = remarks.iter().position(is_score).map_or(remarks.len(), |place| place + 1);
            remarks.insert(place, Remark::Comment(sentence));
        }
        let is_wanted = match settings.lines {
            ShownLines::Faults => {
                analysed.fault(game, ply).is_some() || analysed.missed_chance(game, ply).is_some()
            }
            ShownLines::All => true,
            ShownLines::None => false,
        };
        if is_wanted {
            add_lines(&mut remarks, &positions[ply], &analysed.examined[ply], played.mv);
        }
        played.remarks = remarks;
    }
    if let Some((opening, _)) = opening(game) {
        for (tag, value) in [("ECO", opening.eco), ("Opening", &opening.name)] {
            if game.tag(tag).is_none() {
                annotated.set_tag(tag, value.to_owned());
            }
        }
    }
    annotated.set_tag(ANNOTATOR, annotator(game.tag(ANNOTATOR), settings.limit));
    annotated
}

/// Returns the sentence about a fault or a missed chance, for PGN and pages: its kind, the better move and
/// the reason.
pub(crate) fn sentence(
    game: &AnnotatedGame,
    before: &Chess,
    analysed: &AnalysedGame,
    ply: usize,
) -> Option<String> {
    let best = format_san(before, *analysed.examined[ply].line.first()?);
    let Some(fault) = analysed.fault(game, ply) else {
        return Some(match analysed.missed_chance(game, ply)? {
            MissedChance::Mate(moves) => format!("Misses mate in {moves}: {best}."),
            MissedChance::Win => format!("Misses a win. {best} was best."),
        });
    };
    let missed = if analysed.judged[ply].missed_win { ", a win missed" } else { "" };
    let reason =
        analysed.reasons[ply].as_ref().map(|why| format!(" {}", why.text)).unwrap_or_default();
    Some(format!("{}{missed}. {best} was best.{reason}", capitalised(fault.name())))
}

pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Adds the glyph of a fault if no glyph judges the move yet, or the box of an only move.
fn add_glyphs(
    remarks: &mut Vec<Remark>,
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    ply: usize,
) {
    let has = |glyphs: std::ops::RangeInclusive<u8>| {
        remarks
            .iter()
            .any(|remark| matches!(remark, Remark::Glyph(glyph) if glyphs.contains(glyph)))
    };
    let fault = analysed.fault(game, ply).filter(|_| !has(1..=6)).map(Fault::glyph);
    let only = (analysed.judged[ply].only_move && !has(7..=8)).then_some(ONLY_MOVE);
    if let Some(glyph) = fault.or(only) {
        remarks.insert(0, Remark::Glyph(glyph));
    }
}

/// Glyph of an only move: a box.
pub(super) const ONLY_MOVE: u8 = 8;

/// Adds the lines that do not begin with the played move. If a variation already begins with the same
/// move, it only gets the score.
fn add_lines(remarks: &mut Vec<Remark>, chess: &Chess, before: &ExaminedPosition, played: Move) {
    for (line, score) in before.lines() {
        let Some(&first) = line.first().filter(|first| **first != played) else {
            continue;
        };
        let eval = eval(score, chess.turn());
        let same = remarks.iter_mut().find_map(|remark| match remark {
            Remark::Variation(elements) if first_move(elements, chess) == Some(first) => {
                Some(elements)
            }
            _ => None,
        });
        match same {
            Some(elements) => give_score(elements, eval),
            None => remarks.push(Remark::Variation(best_line(chess, line, eval))),
        }
    }
}

/// Adds a score to an existing variation if its first move has a comment. A variation without a comment is
/// left unchanged, since with a score it would look like one of this program.
fn give_score(elements: &mut [Element], eval: Option<String>) {
    if let [Element::Move(_), Element::Remark(Remark::Comment(text)), ..] = elements
        && let Some(eval) = eval
    {
        let rest = without_evaluations(text);
        if !rest.is_empty() {
            *text = format!("{eval} {rest}");
        }
    }
}

/// Returns the earlier annotators and this program.
fn annotator(before: Option<&str>, limit: PositionLimit) -> String {
    let others = before.unwrap_or_default().split(';').map(str::trim);
    let others = others.filter(|name| !name.is_empty() && !name.starts_with(OWN_NAME));
    let own = format!("{ENGINE} ({limit})");
    others.map(str::to_owned).chain([own]).collect::<Vec<_>>().join("; ")
}

/// Returns a score as the command `[%eval]`, from White's point of view; `None` after checkmate.
fn eval(score: Score, turn: Color) -> Option<String> {
    match ScoreRecord::for_white(score, turn) {
        ScoreRecord::Mate(0) => None,
        ScoreRecord::Mate(moves) => Some(format!("[%eval #{moves}]")),
        ScoreRecord::Cp(centipawns) => {
            Some(format!("[%eval {:.2}]", f64::from(centipawns) / 100.0))
        }
    }
}

fn is_score(remark: &Remark) -> bool {
    matches!(remark, Remark::Comment(text) if text.starts_with("[%eval "))
}

/// Replaces the scores in the remarks by this one. It is put before other commands such as `[%clk]` or an
/// engine's note in the same comment, or else into a new comment before the others.
fn with_eval(remarks: Vec<Remark>, eval: Option<String>) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = remarks.into_iter().filter_map(without_evaluation).collect();
    let Some(eval) = eval else {
        return remarks;
    };
    let with_commands = remarks.iter_mut().find_map(|remark| match remark {
        Remark::Comment(text) if text.starts_with("[%") || EngineNote::read(text).is_some() => {
            Some(text)
        }
        _ => None,
    });
    match with_commands {
        Some(text) => text.insert_str(0, &format!("{eval} ")),
        None => {
            let is_glyph = |remark: &&Remark| matches!(remark, Remark::Glyph(_));
            let place = remarks.iter().take_while(is_glyph).count();
            remarks.insert(place, Remark::Comment(eval));
        }
    }
    remarks
}

/// Returns a line with its score after the first move.
fn best_line(chess: &Chess, line: &[Move], eval: Option<String>) -> Vec<Element> {
    let mut chess = chess.clone();
    let mut elements = Vec::new();
    for &mv in line.iter().take(MAX_LINE_PLIES) {
        elements.push(Element::Move(SanPlus::from_move_and_play_unchecked(&mut chess, mv)));
    }
    let eval = eval.map(|eval| Element::Remark(Remark::Comment(eval)));
    elements.splice(1..1, eval);
    elements
}
