//! An analysis put into its game: scores, best lines and glyphs as programs for chess read them.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position as _};

use super::Analysed;
use crate::engine::units::Score;
use crate::tools::pgn::{Element, Game, Remark};
use crate::tools::score_record::ScoreRecord;
use crate::tools::{ENGINE, PositionLimit};

/// The most plies of a best line that are written down.
pub(super) const MAX_LINE_PLIES: usize = 12;

/// The tag that names who annotated, and how it begins where that was this program.
const ANNOTATOR: &str = "Annotator";
const OWN_NAME: &str = "Outrider ";

/// The game with the analysis in it: behind each move its score in a comment `[%eval]` from
/// White's side, the glyph of its fault, if it is one, and the best line as a variation, if that
/// begins with another move.
///
/// All that is there stays, with two exceptions. Scores of an earlier analysis are replaced; in a
/// game that was annotated by this program its glyphs and best lines are, too. A glyph for a
/// move's merit that somebody else gave stays, and there is none beside it.
pub(crate) fn annotate(game: &Game, analysed: &Analysed, limit: PositionLimit) -> Game {
    let mut annotated = game.clone();
    let own_before = game.tag(ANNOTATOR).is_some_and(|name| name.contains(OWN_NAME));
    let positions = game.positions();
    for (ply, played) in annotated.moves.iter_mut().enumerate() {
        let mut remarks = std::mem::take(&mut played.remarks);
        if own_before {
            remarks.retain(|remark| !is_own(remark));
        }
        let before = &analysed.examined[ply];
        let after = &analysed.examined[ply + 1];
        remarks = with_eval(remarks, eval(after.score, positions[ply + 1].turn()));
        let has_merit = |remark: &Remark| matches!(remark, Remark::Glyph(1..=6));
        if let Some(fault) = analysed.judged[ply].fault
            && !remarks.iter().any(has_merit)
        {
            remarks.insert(0, Remark::Glyph(fault.glyph()));
        }
        if before.line.first().is_some_and(|best| *best != played.mv) {
            let eval = eval(before.score, positions[ply].turn());
            remarks.push(Remark::Variation(best_line(&positions[ply], &before.line, eval)));
        }
        played.remarks = remarks;
    }
    annotated.set_tag(ANNOTATOR, annotator(game.tag(ANNOTATOR), limit));
    annotated
}

/// Whoever annotated before, and this program.
fn annotator(before: Option<&str>, limit: PositionLimit) -> String {
    let others = before.unwrap_or_default().split(';').map(str::trim);
    let others = others.filter(|name| !name.is_empty() && !name.starts_with(OWN_NAME));
    let own = format!("{ENGINE} ({limit})");
    others.map(str::to_owned).chain([own]).collect::<Vec<_>>().join("; ")
}

/// Whether this program said it, in a game that it annotated: a fault's glyph, or a variation that
/// begins with a score and says nothing else.
fn is_own(remark: &Remark) -> bool {
    match remark {
        Remark::Glyph(glyph) => matches!(glyph, 2 | 4 | 6),
        Remark::Comment(_) => false,
        Remark::Variation(elements) => {
            let mut said = elements.iter().filter_map(|element| match element {
                Element::Remark(remark) => Some(remark),
                Element::Move(_) => None,
            });
            let first = said.next();
            let is_eval = |remark: &Remark| matches!(remark, Remark::Comment(text) if text.starts_with("[%eval ") && text.ends_with(']'));
            first.is_some_and(is_eval) && said.next().is_none()
        }
    }
}

/// A score as programs read it, from White's side; `None` for a mate on the board.
fn eval(score: Score, turn: Color) -> Option<String> {
    match ScoreRecord::of_white(score, turn) {
        ScoreRecord::Mate(0) => None,
        ScoreRecord::Mate(moves) => Some(format!("[%eval #{moves}]")),
        ScoreRecord::Cp(centipawns) => {
            Some(format!("[%eval {:.2}]", f64::from(centipawns) / 100.0))
        }
    }
}

/// The remarks with this score and no other: before other commands, as `[%clk]` is one, else in a
/// comment of its own before the others.
fn with_eval(remarks: Vec<Remark>, eval: Option<String>) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = remarks.into_iter().filter_map(without_eval).collect();
    let Some(eval) = eval else {
        return remarks;
    };
    let with_commands = remarks.iter_mut().find_map(|remark| match remark {
        Remark::Comment(text) if text.starts_with("[%") => Some(text),
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

/// The remark without scores; nothing if it is no more than that.
fn without_eval(remark: Remark) -> Option<Remark> {
    let Remark::Comment(mut text) = remark else {
        return Some(remark);
    };
    while let Some(begin) = text.find("[%eval") {
        let end = text[begin..].find(']').map_or(text.len(), |length| begin + length + 1);
        text.replace_range(begin..end, "");
    }
    let text = text.trim();
    (!text.is_empty()).then(|| Remark::Comment(text.to_owned()))
}

/// A line with its score behind the first move.
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
