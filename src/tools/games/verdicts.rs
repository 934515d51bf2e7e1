//! Removal of earlier verdicts from a game: those of other programs, and those of this program.

use std::borrow::Cow;

use shakmaty::{Chess, Move};

use super::annotate::{ANNOTATOR, ONLY_MOVE, OWN_NAME};
use crate::pgn::verdict::{
    FAULTS, MachineKind, MachineText, PICTURE, is_evaluation_sign, machine_text,
    without_evaluations,
};
use crate::pgn::{AnnotatedGame, Element, Remark};
use outrider_engine::position::san::parse_san;

/// Numbers of verdicts and scores of other programs that were removed from a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RemovedVerdicts {
    /// Moves with a sentence that judged them.
    pub verdicts: usize,
    /// Positions with a score.
    pub scores: usize,
}

impl RemovedVerdicts {
    /// Adds those of another game.
    pub fn add(&mut self, other: RemovedVerdicts) {
        self.verdicts += other.verdicts;
        self.scores += other.scores;
    }
}

/// Removes the sentences, scores, glyphs and lines of an earlier analysis by this or, unless `keeps_others`,
/// another program. Everything else is kept: comments, glyphs and variations of people, clocks, and notes
/// of match runners.
///
/// A glyph is removed only together with a sentence that gives this glyph. A variation is removed if it
/// contains no text of a person, and either begins with the better move of the sentence, or contains a
/// score or the sign of an evaluation as an engine's line does.
pub fn without_verdicts(
    game: &AnnotatedGame,
    keeps_others: bool,
) -> (Cow<'_, AnnotatedGame>, RemovedVerdicts) {
    let is_own = game.tag(ANNOTATOR).is_some_and(|name| name.contains(OWN_NAME));
    let mut removed = RemovedVerdicts::default();
    let remover = Remover { is_own, keeps_others };
    let mut cleaned = game.clone();
    if !keeps_others {
        let preface = std::mem::take(&mut cleaned.preface);
        removed.scores += usize::from(has_score(&preface) && !is_own);
        cleaned.preface = preface.into_iter().filter_map(without_evaluation).collect();
    }
    for (played, before) in cleaned.moves.iter_mut().zip(game.positions()) {
        let remarks = std::mem::take(&mut played.remarks);
        let found = remover.find(&remarks);
        removed.verdicts += usize::from(found.has_others_verdict);
        let is_scored = found.has_score || (has_score(&remarks) && !is_own);
        removed.scores += usize::from(is_scored && !keeps_others);
        played.remarks = remover.clean(remarks, &found, &before);
    }
    let is_changed = cleaned.preface != game.preface
        || cleaned.moves.iter().zip(&game.moves).any(|(one, other)| one.remarks != other.remarks);
    (if is_changed { Cow::Owned(cleaned) } else { Cow::Borrowed(game) }, removed)
}

/// Machine texts in the comments on a move.
#[derive(Default)]
struct Found {
    /// Another program judged the move.
    has_others_verdict: bool,
    /// Another program scored the position.
    has_score: bool,
    /// Glyphs that belong to the texts.
    glyphs: Vec<u8>,
    /// Better moves that other programs name. The lines of this program always have a score.
    better: Vec<String>,
}

impl Found {
    /// Returns true if evaluation signs beside these texts belong to them. This program writes none.
    fn has_signs(&self) -> bool {
        self.has_others_verdict || self.has_score
    }
}

/// Rules of the removal in a game.
struct Remover {
    /// This program annotated the game before.
    is_own: bool,
    keeps_others: bool,
}

impl Remover {
    /// Returns the text of a program in a comment, if it is to be removed.
    fn machine_text(&self, comment: &str) -> Option<MachineText> {
        machine_text(comment).filter(|text| !self.keeps_others || self.wrote(text))
    }

    /// Returns true if this program wrote the text.
    fn wrote(&self, text: &MachineText) -> bool {
        self.is_own && text.may_be_own
    }

    fn find(&self, remarks: &[Remark]) -> Found {
        let mut found = Found::default();
        for remark in remarks {
            let Remark::Comment(comment) = remark else {
                continue;
            };
            // Several programs may have appended to one comment.
            let mut rest = comment.clone();
            while let Some(text) = self.machine_text(&rest) {
                self.add(&text, &mut found);
                rest = text.rest;
            }
            found.has_others_verdict |= comment.contains(PICTURE) && !self.keeps_others;
        }
        found
    }

    fn add(&self, text: &MachineText, found: &mut Found) {
        match &text.kind {
            MachineKind::Verdict { glyphs, .. } if self.wrote(text) => {
                found.glyphs.extend(*glyphs);
            }
            MachineKind::Verdict { glyphs, best } => {
                found.has_others_verdict = true;
                found.glyphs.extend(*glyphs);
                found.better.extend(best.clone());
            }
            MachineKind::NamedScore => {
                found.has_score = true;
                found.glyphs.extend(FAULTS);
            }
            MachineKind::Score => found.has_score = true,
        }
    }

    fn clean(&self, remarks: Vec<Remark>, found: &Found, before: &Chess) -> Vec<Remark> {
        let better: Vec<Move> =
            found.better.iter().filter_map(|san| parse_san(before, san).ok()).collect();
        let kept = remarks.into_iter().filter_map(|remark| match remark {
            Remark::Glyph(ONLY_MOVE) if self.is_own => None,
            Remark::Glyph(glyph) if found.glyphs.contains(&glyph) => None,
            Remark::Glyph(glyph) if is_evaluation_glyph(glyph) && found.has_signs() => None,
            Remark::Glyph(_) => Some(remark),
            Remark::Comment(text) if is_evaluation_sign(&text) && found.has_signs() => None,
            Remark::Comment(text) => self.without_machine_text(text).map(Remark::Comment),
            Remark::Variation(elements) => {
                let is_machine = self.is_line(&elements, found, &better, before);
                let kept = if self.is_own { without_old_score(elements) } else { elements };
                (!is_machine).then_some(Remark::Variation(kept))
            }
        });
        kept.collect()
    }

    /// Removes the texts of programs from a comment; returns `None` if nothing is left.
    fn without_machine_text(&self, comment: String) -> Option<String> {
        let mut text = comment;
        while let Some(found) = self.machine_text(&text) {
            text = found.rest;
        }
        (!text.is_empty()).then_some(text)
    }

    /// Returns true if a program wrote the variation.
    fn is_line(
        &self,
        elements: &[Element],
        found: &Found,
        better: &[Move],
        before: &Chess,
    ) -> bool {
        let Some(marks) = line_marks(elements) else {
            return false;
        };
        let begins_better = first_move(elements, before).is_some_and(|mv| better.contains(&mv));
        match marks {
            _ if begins_better => true,
            LineMarks::None | LineMarks::Evals => false,
            LineMarks::Eval => self.is_own,
            LineMarks::Signs => found.has_signs(),
            LineMarks::Score => !self.keeps_others,
        }
    }
}

/// Marks of a line without a person's remarks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LineMarks {
    /// No remark.
    None,
    /// Only a command `[%eval]` on the first move, as in a line of this program.
    Eval,
    /// Such commands on other moves.
    Evals,
    /// Signs of evaluations.
    Signs,
    /// A score in words or numbers.
    Score,
}

/// Returns the marks of a line; `None` if it contains a remark of a person or a variation.
fn line_marks(elements: &[Element]) -> Option<LineMarks> {
    let mut marks = LineMarks::None;
    for (index, element) in elements.iter().enumerate() {
        let Element::Remark(remark) = element else {
            continue;
        };
        let mark = match remark {
            Remark::Glyph(glyph) if is_evaluation_glyph(*glyph) => LineMarks::Signs,
            Remark::Comment(text) if is_evaluation_sign(text) => LineMarks::Signs,
            Remark::Comment(text) if without_evaluations(text).is_empty() => match index {
                1 => LineMarks::Eval,
                _ => LineMarks::Evals,
            },
            Remark::Comment(text) => match machine_text(&without_evaluations(text)) {
                Some(found) if found.rest.is_empty() => LineMarks::Score,
                _ => return None,
            },
            Remark::Glyph(_) | Remark::Variation(_) => return None,
        };
        marks = marks.max(mark);
    }
    Some(marks)
}

/// True for glyphs that evaluate the position: from `=` to `−+−`.
fn is_evaluation_glyph(glyph: u8) -> bool {
    matches!(glyph, 10..=21)
}

/// Returns the first move of a variation.
pub(super) fn first_move(elements: &[Element], chess: &Chess) -> Option<Move> {
    elements.iter().find_map(|element| match element {
        Element::Move(san) => Some(parse_san(chess, &san.to_string()).ok()),
        Element::Remark(_) => None,
    })?
}

/// Returns true if a comment contains the command `[%eval]`.
pub(super) fn has_score(remarks: &[Remark]) -> bool {
    remarks.iter().any(|remark| matches!(remark, Remark::Comment(text) if text.contains("[%eval")))
}

/// Removes the evaluations from a remark; returns `None` if nothing is left.
pub(super) fn without_evaluation(remark: Remark) -> Option<Remark> {
    let Remark::Comment(text) = remark else {
        return Some(remark);
    };
    let text = without_evaluations(&text);
    (!text.is_empty()).then_some(Remark::Comment(text))
}

/// Removes the score that an earlier analysis added to another annotator's variation.
fn without_old_score(mut elements: Vec<Element>) -> Vec<Element> {
    if let [Element::Move(_), Element::Remark(Remark::Comment(text)), ..] = &mut elements[..] {
        let rest = without_evaluations(text);
        if !rest.is_empty() {
            *text = rest;
        }
    }
    elements
}
