//! Variations of a game, as HTML with clickable moves and as lines for the page's script.

use serde_json::{Value as Json, json};
use shakmaty::{Chess, Move, Position as _};

use super::remarks::{remarks_for_page, without_commands};
use crate::pages::{board, escape};
use crate::pgn::{AnnotatedGame, Element, Remark, sign};
use outrider_engine::position::notation::format_fen;
use outrider_engine::position::san::{format_san, parse_san};

/// Plays a move and returns it as a step for the page's script: number (may be empty), name, FEN after the
/// move, and squares.
pub(super) fn step(number: &str, chess: &mut Chess, mv: Move) -> Vec<Json> {
    let san = format_san(chess, mv);
    chess.play_unchecked(mv);
    vec![json!(number), json!(san), json!(format_fen(chess)), json!(board::squares(mv))]
}

/// Returns a move after its number, which may be empty.
pub(super) fn numbered(number: &str, san: &str) -> String {
    format!("{number}\u{a0}{san}").trim_start().to_owned()
}

/// Returns a move of a line as a button; `line` is the key of the line.
pub(super) fn button(line: &str, index: usize, text: &str) -> String {
    format!(
        r#"<button type="button" class="step" data-line="{line}" data-step="{index}">{}</button>"#,
        escape(text)
    )
}

/// Variations of a game; the index is the number in the key.
#[derive(Debug, Default)]
pub(super) struct Variations(Vec<Json>);

/// Start of a variation.
#[derive(Clone)]
struct VariationStart {
    /// Ply at which the line leaves the game.
    branch_ply: usize,
    /// Ply of the first move.
    ply: usize,
    /// Position before the first move; `None` after an illegal move.
    chess: Option<Chess>,
    /// Index of the enclosing variation, and number of its steps before this one.
    parent: Option<(usize, usize)>,
}

impl Variations {
    /// Adds a variation that replaces the move of a ply, and returns it as HTML.
    pub(super) fn add(
        &mut self,
        game: &AnnotatedGame,
        elements: &[Element],
        ply: usize,
        chess: &Chess,
    ) -> String {
        let chess = Some(chess.clone());
        self.line(game, elements, VariationStart { branch_ply: ply, ply, chess, parent: None })
    }

    /// Returns the variations for the page's script.
    pub(super) fn into_json(self) -> Json {
        self.0.into()
    }

    fn line(
        &mut self,
        game: &AnnotatedGame,
        elements: &[Element],
        start: VariationStart,
    ) -> String {
        let number = self.0.len();
        self.0.push(Json::Null);
        let mut writer = VariationWriter {
            key: format!("v{number}"),
            ply: start.ply,
            needs_number: true,
            before: start.chess.clone(),
            chess: start.chess,
            words: Vec::new(),
            steps: Vec::new(),
        };
        for element in elements {
            match element {
                Element::Move(san) => writer
                    .play(game, &san.to_string(), |chess| parse_san(chess, &san.to_string()).ok()),
                Element::Remark(Remark::Variation(inner)) => {
                    let inner_start = VariationStart {
                        branch_ply: start.branch_ply,
                        ply: writer.ply.saturating_sub(1).max(start.ply),
                        chess: writer.before.clone().filter(|_| writer.chess.is_some()),
                        parent: Some((number, writer.steps.len().saturating_sub(1))),
                    };
                    let inner = self.line(game, inner, inner_start);
                    writer.text(format!("({inner})"));
                }
                Element::Remark(remark) => writer.remark(remark),
            }
        }
        let steps = writer.steps.into_iter().map(|(mut step, remarks)| {
            step.extend(remarks_for_page(&remarks));
            Json::from(step)
        });
        self.0[number] = json!({
            "at": start.branch_ply,
            "parent": start.parent,
            "steps": steps.collect::<Vec<_>>(),
        });
        writer.words.join(" ")
    }
}

/// Writer of a variation.
struct VariationWriter {
    key: String,
    /// Ply of the next move.
    ply: usize,
    /// The next move needs its number even if it is Black's.
    needs_number: bool,
    /// Position before the last move.
    before: Option<Chess>,
    /// Position after the last move; `None` after an illegal move.
    chess: Option<Chess>,
    /// Parts of the HTML.
    words: Vec<String>,
    /// Steps, each with its remarks.
    steps: Vec<(Vec<Json>, Vec<Remark>)>,
}

impl VariationWriter {
    fn play(&mut self, game: &AnnotatedGame, san: &str, find: impl Fn(&Chess) -> Option<Move>) {
        let number = game.number_if_needed(self.ply, self.needs_number);
        let text = numbered(&number, san);
        (self.ply, self.needs_number) = (self.ply + 1, false);
        self.before.clone_from(&self.chess);
        // Moves after an illegal move are written, but cannot be clicked.
        let legal = self.chess.as_mut().and_then(|chess| Some((find(chess)?, chess)));
        match legal {
            Some((mv, chess)) => {
                let step = step(&number, chess, mv);
                self.words.push(button(&self.key, self.steps.len(), &text));
                self.steps.push((step, Vec::new()));
            }
            None => {
                self.chess = None;
                self.words.push(escape(&text));
            }
        }
    }

    fn remark(&mut self, remark: &Remark) {
        match remark {
            Remark::Glyph(glyph) => {
                if let Some(last) = self.words.last_mut() {
                    last.push_str(sign(*glyph));
                }
            }
            Remark::Comment(text) => {
                self.text(escape(&without_commands(text)));
                if let (Some((_, remarks)), true) = (self.steps.last_mut(), self.chess.is_some()) {
                    remarks.push(remark.clone());
                }
            }
            Remark::Variation(_) => {}
        }
    }

    /// Writes text between moves. The next move then needs its number.
    fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.words.push(text);
        }
        self.needs_number = true;
    }
}
