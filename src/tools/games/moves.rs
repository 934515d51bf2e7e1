//! The moves of a game as HTML: one row per move, with annotations below it.

use shakmaty::{Chess, Position as _};

use super::annotate::{MAX_LINE_PLIES, ONLY_MOVE, capitalised};
use super::remarks::without_commands;
use super::variations::{Variations, button, numbered};
use super::{AnalysedGame, Fault, Lesson};
use crate::pages::escape;
use crate::pgn::{AnnotatedGame, Remark, sign};
use crate::score_record::ScoreRecord;
use outrider_engine::position::san::format_san;

/// Returns the list of moves as HTML, and its variations.
pub(super) fn move_list(game: &AnnotatedGame, analysed: &AnalysedGame) -> (String, Variations) {
    let mut variations = Variations::default();
    let mut list = notes(game, &game.preface, 0, &game.start, &mut variations);
    let positions = game.positions();
    let mut row_is_open = false;
    for (ply, played) in game.moves.iter().enumerate() {
        let is_white = game.mover(ply).is_white();
        if !row_is_open {
            let number = game.number(ply);
            let number = number.trim_end_matches("...").trim_end_matches('.');
            list.push_str(&format!(r#"<div class="row"><span class="number">{number}</span>"#));
            if !is_white {
                list.push_str(r#"<span class="gap">…</span>"#);
            }
            row_is_open = true;
        }
        let (fault, after) = (analysed.fault(game, ply), &analysed.examined[ply + 1]);
        let chance = analysed.missed_chance(game, ply);
        list.push_str(&cell(
            ply + 1,
            &format_san(&positions[ply], played.mv),
            &signs(&played.remarks, fault, analysed.judged[ply].only_move),
            fault,
            &ScoreRecord::for_white(after.score, positions[ply + 1].turn()).to_string(),
        ));
        let lesson = fault.map(Lesson::Fault).or(chance.map(Lesson::Missed));
        let mut below = lesson.map(|lesson| verdict(game, analysed, ply, lesson));
        let notes = notes(game, &played.remarks, ply, &positions[ply], &mut variations);
        below.get_or_insert_default().push_str(&notes);
        let below = below.unwrap_or_default();
        if !is_white || !below.is_empty() || ply + 1 == game.moves.len() {
            list.push_str("</div>\n");
            row_is_open = false;
        }
        list.push_str(&below);
    }
    if let (false, Some(last)) = (game.rest.is_empty(), positions.last()) {
        let rest = variations.add(game, &game.rest, game.moves.len(), last);
        list += &format!("<p class=\"variation\">{rest}</p>\n");
    }
    list += &format!(r#"<p class="result">{}</p>"#, game.result.replace("1/2", "½"));
    (list, variations)
}

/// Returns a move as a link.
fn cell(ply: usize, san: &str, signs: &str, fault: Option<Fault>, score: &str) -> String {
    let class = fault.map(|fault| format!(" {}", fault.name())).unwrap_or_default();
    format!(
        r##"<a class="move{class}" href="#{ply}" id="m{ply}"><span class="san">{san}{signs}</span><span class="score">{score}</span></a>"##
    )
}

/// Returns the signs after a move: those of its glyphs and, if none of them judges the move, that of its
/// fault. An only move without glyphs gets a box.
fn signs(remarks: &[Remark], fault: Option<Fault>, only_move: bool) -> String {
    let glyphs = remarks.iter().filter_map(|remark| match remark {
        Remark::Glyph(glyph) => Some(*glyph),
        _ => None,
    });
    let given: String = glyphs.clone().map(sign).collect();
    let has_merit = glyphs.clone().any(|glyph| matches!(glyph, 1..=6));
    match fault {
        Some(fault) if !has_merit => sign(fault.glyph()).to_owned() + &given,
        None if only_move && given.is_empty() => sign(ONLY_MOVE).to_owned(),
        _ => given,
    }
}

/// Returns the paragraph about a fault or a missed chance: its kind, the best line and the reason.
fn verdict(game: &AnnotatedGame, analysed: &AnalysedGame, ply: usize, lesson: Lesson) -> String {
    let percent = analysed.judged[ply].percent();
    let missed = if analysed.judged[ply].missed_win { ", a win missed" } else { "" };
    let (class, kind) = match lesson {
        Lesson::Fault(fault) => (fault.name(), capitalised(fault.name())),
        Lesson::Missed(chance) => ("missed", capitalised(&chance.words())),
    };
    let cost = if percent > 0 { format!(", −{percent} %") } else { String::new() };
    let reason = analysed.reasons[ply].as_ref().map(|why| format!(" {}", escape(&why.text)));
    let before = &analysed.examined[ply];
    let mut chess = game.positions()[ply].clone();
    let worth = ScoreRecord::for_white(before.score, chess.turn());
    let mut line = String::new();
    for (index, &mv) in before.line.iter().take(MAX_LINE_PLIES / 2).enumerate() {
        let number = game.number_if_needed(ply + index, index == 0);
        let text = numbered(&number, &format_san(&chess, mv));
        line.push_str(&format!("{} ", button(&format!("b{ply}"), index, &text)));
        chess.play_unchecked(mv);
    }
    format!(
        r#"<p class="verdict"><b class="{class}">{kind}</b>{missed}{cost}. Best: {line}<span class="note">({worth})</span>{}</p>
<svg class="board diagram" data-ply="{}" viewBox="0 0 800 800"></svg>
"#,
        reason.unwrap_or_default(),
        ply + 1
    )
}

/// Returns comments and variations as HTML, one paragraph each.
fn notes(
    game: &AnnotatedGame,
    remarks: &[Remark],
    ply: usize,
    before: &Chess,
    variations: &mut Variations,
) -> String {
    let paragraphs = remarks.iter().filter_map(|remark| match remark {
        Remark::Glyph(_) => None,
        Remark::Comment(text) => {
            let text = without_commands(text);
            (!text.is_empty()).then(|| format!("<p class=\"comment\">{}</p>\n", escape(&text)))
        }
        Remark::Variation(elements) => {
            let text = variations.add(game, elements, ply, before);
            Some(format!("<p class=\"variation\">{text}</p>\n"))
        }
    });
    paragraphs.collect()
}
