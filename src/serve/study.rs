//! Games with variations as trees: a list of moves, each with the index of its parent. The page uses this
//! form. PGN is parsed into it and written from it.

use std::{mem, slice};

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};
use thiserror::Error;

use super::view::{PlyView, StartView, move_number, ply_view};
use outrider_engine::position::notation::{FenError, MoveError, parse_fen, parse_move};
use outrider_engine::position::san::parse_san;
use outrider_engine::text::shorten;
use outrider_tools::pgn::{self, Element, Remark};

/// Maximum number of moves of a game, variations included.
const MAX_NODES: usize = 20_000;
/// Maximum nesting depth of variations.
const MAX_NESTING: usize = 50;

/// Reason why a game cannot be read or written.
#[derive(Debug, Error)]
pub(crate) enum StudyError {
    #[error("the text contains no game")]
    NoGame,
    #[error("line {line}: {reason}")]
    Unreadable { line: usize, reason: String },
    #[error(
        "the game is too large: at most {MAX_NODES} moves and {MAX_NESTING} levels of variations"
    )]
    TooLarge,
    #[error("node {0} comes before its parent")]
    Order(usize),
    #[error("\"{0}\" is not a line of moves")]
    Line(String),
    #[error(transparent)]
    Start(#[from] FenError),
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// All games of a PGN; one is parsed fully.
#[derive(Debug, Serialize)]
pub(crate) struct ParsedGames {
    /// Titles of all games: players and result.
    titles: Vec<String>,
    /// Index of the parsed game.
    game: usize,
    tags: Vec<(String, String)>,
    result: String,
    start: StartView,
    /// Annotations before the first move.
    annotations: Annotations,
    nodes: Vec<ParsedNode>,
}

/// A move of the parsed game.
#[derive(Debug, Serialize)]
struct ParsedNode {
    /// Index of the previous move; `None` at the start.
    parent: Option<usize>,
    #[serde(flatten)]
    ply: PlyView,
    annotations: Annotations,
}

/// Annotations of a move. The page receives them and sends them back.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Annotations {
    comment: String,
    /// Numeric annotation glyphs (NAGs).
    glyphs: Vec<u8>,
    /// PGN text of lines that cannot be played, because of a null move or an illegal move.
    unplayable: Vec<String>,
}

impl Annotations {
    /// Adds glyphs and comments; ignores variations.
    fn add(&mut self, remarks: &[Remark]) {
        for remark in remarks {
            match remark {
                Remark::Glyph(glyph) => self.glyphs.push(*glyph),
                Remark::Comment(text) => {
                    let gap = if self.comment.is_empty() { "" } else { " " };
                    self.comment += &format!("{gap}{text}");
                }
                Remark::Variation(_) => {}
            }
        }
    }

    /// Returns the glyphs and the comment for PGN.
    fn remarks(&self) -> Vec<Remark> {
        let text = self.comment.replace(['{', '}'], " ");
        let comment = (!text.trim().is_empty()).then(|| Remark::Comment(text.trim().to_owned()));
        self.glyphs.iter().map(|&glyph| Remark::Glyph(glyph)).chain(comment).collect()
    }
}

impl ParsedGames {
    /// Parses the game with this index in a PGN, or the first readable game if `number` is `None`.
    ///
    /// # Errors
    ///
    /// Fails if the text has no game, or the game is unreadable or too large.
    pub(crate) fn read(text: &str, number: Option<usize>) -> Result<ParsedGames, StudyError> {
        let games = pgn::games(text);
        let first = || games.iter().position(|game| pgn::read(game).is_ok()).unwrap_or(0);
        let number = number.unwrap_or_else(first);
        let (source, game) = parse_game_at(&games, number)?;
        let mode = game.start.castles().mode();
        let mut tree = TreeBuilder { annotations: Annotations::default(), nodes: Vec::new(), mode };
        tree.add_line(None, &game.start, source.elements(), 0)?;
        let tag = |tags: &[(String, String)], name: &str| {
            let tag = tags.iter().find(|(tag, _)| tag == name);
            tag.map_or_else(|| "?".to_owned(), |(_, value)| value.clone())
        };
        let title = |game: &pgn::GameText<'_>| {
            format!(
                "{} – {}, {}",
                tag(&game.tags, "White"),
                tag(&game.tags, "Black"),
                tag(&game.tags, "Result")
            )
        };
        Ok(ParsedGames {
            titles: games.iter().map(title).collect(),
            game: number,
            tags: game.tags,
            result: game.result,
            start: StartView::new(&game.start),
            annotations: tree.annotations,
            nodes: tree.nodes,
        })
    }
}

/// Returns the game with this index in a PGN, or the first if there are fewer, and the number of games.
///
/// # Errors
///
/// Fails if the text has no game or the game is unreadable.
pub(crate) fn read_game(
    text: &str,
    number: usize,
) -> Result<(pgn::AnnotatedGame, usize), StudyError> {
    let games = pgn::games(text);
    Ok((parse_game_at(&games, number)?.1, games.len()))
}

/// Returns the text of a game and the parsed game. Takes the first game if the index is too large.
fn parse_game_at<'a, 'b>(
    games: &'b [pgn::GameText<'a>],
    number: usize,
) -> Result<(&'b pgn::GameText<'a>, pgn::AnnotatedGame), StudyError> {
    let source = games.get(number).or(games.first()).ok_or(StudyError::NoGame)?;
    let game = pgn::read(source).map_err(|error| StudyError::Unreadable {
        line: error.line(),
        reason: error.to_string(),
    })?;
    Ok((source, game))
}

/// Builds the tree of a game.
struct TreeBuilder {
    /// Annotations before the first move.
    annotations: Annotations,
    nodes: Vec<ParsedNode>,
    mode: CastlingMode,
}

impl TreeBuilder {
    /// Adds a line that follows the node `at`, or the start position: the game at nesting 0, otherwise a
    /// variation. Nested variations are added after the line itself, so that a variation that begins with
    /// the line's own move does not become the main line.
    fn add_line(
        &mut self,
        mut at: Option<usize>,
        start: &Chess,
        elements: &[Element],
        nesting: usize,
    ) -> Result<(), StudyError> {
        if nesting > MAX_NESTING {
            return Err(StudyError::TooLarge);
        }
        let mut chess = start.clone();
        // Node and board before the last move.
        let mut before = (at, start.clone());
        let mut variations = Vec::new();
        // Remarks before the first move of a variation.
        let mut early = Vec::new();
        // Elements not played yet; at the end, those that cannot be played.
        let mut rest: &[Element] = if nesting == 0 { &[] } else { elements };
        for (index, element) in elements.iter().enumerate() {
            let is_begun = rest.is_empty();
            match element {
                Element::Move(san) => {
                    let Ok(mv) = parse_san(&chess, &san.to_string()) else {
                        rest = if is_begun { &elements[index..] } else { elements };
                        break;
                    };
                    before = (at, chess.clone());
                    let ply = ply_view(&mut chess, mv, move_number(&before.1), self.mode);
                    at = Some(self.add(at, ply)?);
                    self.annotations(at).add(&mem::take(&mut early));
                    rest = &[];
                }
                Element::Remark(Remark::Variation(inner)) => {
                    variations.push((before.clone(), inner));
                }
                Element::Remark(remark) if is_begun => {
                    self.annotations(at).add(slice::from_ref(remark));
                }
                Element::Remark(remark) => early.push(remark.clone()),
            }
        }
        if !rest.is_empty() {
            self.annotations(at).unplayable.push(format_line(&chess, rest));
        }
        if rest.len() < elements.len() {
            for ((at, board), inner) in variations {
                self.add_line(at, &board, inner, nesting + 1)?;
            }
        }
        Ok(())
    }

    /// Adds a move and returns its index. Returns the existing node if the parent already has this move.
    fn add(&mut self, parent: Option<usize>, ply: PlyView) -> Result<usize, StudyError> {
        let first = parent.map_or(0, |parent| parent + 1);
        let is_same = |node: &ParsedNode| node.parent == parent && node.ply.uci == ply.uci;
        if let Some(known) = self.nodes[first..].iter().position(is_same) {
            return Ok(first + known);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(StudyError::TooLarge);
        }
        self.nodes.push(ParsedNode { parent, ply, annotations: Annotations::default() });
        Ok(self.nodes.len() - 1)
    }

    /// Returns the annotations of a move, or those before the first move.
    fn annotations(&mut self, node: Option<usize>) -> &mut Annotations {
        match node {
            Some(node) => &mut self.nodes[node].annotations,
            None => &mut self.annotations,
        }
    }
}

/// Formats a line as PGN on one line of text.
fn format_line(start: &Chess, line: &[Element]) -> String {
    let game = unparsed_game(start.clone(), Vec::new(), line.to_vec(), String::new());
    pgn::write(&game).trim().replace('\n', " ")
}

/// Parses the text of a line.
fn parse_line(text: &str) -> Result<Vec<Element>, StudyError> {
    match &pgn::games(&format!("{text} *"))[..] {
        [line] if line.is_sound() => Ok(line.elements().to_vec()),
        _ => Err(StudyError::Line(shorten(text))),
    }
}

/// Creates a game whose moves are not checked for legality.
fn unparsed_game(
    start: Chess,
    tags: Vec<(String, String)>,
    line: Vec<Element>,
    result: String,
) -> pgn::AnnotatedGame {
    let (preface, moves) = (Vec::new(), Vec::new());
    pgn::AnnotatedGame { tags, start, preface, moves, rest: line, result, wrong_number: None }
}

/// A game with variations, to be written as PGN.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameTree {
    fen: String,
    chess960: bool,
    tags: Vec<(String, String)>,
    result: String,
    annotations: Annotations,
    nodes: Vec<TreeNode>,
}

/// A move of the tree.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeNode {
    parent: Option<usize>,
    uci: String,
    annotations: Annotations,
}

impl GameTree {
    /// Returns the game as PGN.
    ///
    /// # Errors
    ///
    /// Fails if the start position or a move is invalid, a node comes before its parent, or the game is too
    /// large.
    pub(crate) fn to_pgn(&self) -> Result<String, StudyError> {
        if self.nodes.len() > MAX_NODES {
            return Err(StudyError::TooLarge);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            if node.parent.is_some_and(|parent| parent >= index) {
                return Err(StudyError::Order(index));
            }
        }
        let children = Children::new(&self.nodes);
        let start = parse_fen(&self.fen, CastlingMode::from_chess960(self.chess960))?;
        let known = ["1-0", "0-1", "1/2-1/2"];
        let result = if known.contains(&&*self.result) { &self.result } else { "*" };
        let tags = self.tags.iter().filter(|(name, _)| is_tag_name(name)).cloned().collect();
        let mut line: Vec<Element> =
            self.annotations.remarks().into_iter().map(Element::Remark).collect();
        line.extend(self.line(
            &children,
            (&children.0[0], &self.annotations.unplayable),
            &start,
            0,
        )?);
        Ok(pgn::write(&unparsed_game(start, tags, line, result.to_owned())))
    }

    /// Returns the elements that follow a position. `following` has the indices of the next moves and the
    /// lines that cannot be played. The first entry continues the line; the others become variations.
    fn line(
        &self,
        children: &Children,
        following: (&[usize], &[String]),
        start: &Chess,
        nesting: usize,
    ) -> Result<Vec<Element>, StudyError> {
        if nesting > MAX_NESTING {
            return Err(StudyError::TooLarge);
        }
        let variation = |line| Element::Remark(Remark::Variation(line));
        let mut elements = Vec::new();
        let mut chess = start.clone();
        let (mut moves, mut unplayable) = following;
        while let Some((&main, others)) = moves.split_first() {
            let node = &self.nodes[main];
            let mv = parse_move(&chess, &node.uci)?;
            let before = chess.clone();
            elements.push(Element::Move(SanPlus::from_move_and_play_unchecked(&mut chess, mv)));
            elements.extend(node.annotations.remarks().into_iter().map(Element::Remark));
            for other in others {
                let following = (slice::from_ref(other), &[][..]);
                let inner = self.line(children, following, &before, nesting + 1)?;
                elements.push(variation(inner));
            }
            for text in unplayable {
                elements.push(variation(parse_line(text)?));
            }
            (moves, unplayable) = (children.of(main), &node.annotations.unplayable);
        }
        if let Some((first, others)) = unplayable.split_first() {
            let mut line = parse_line(first)?;
            let is_move = |element: &Element| matches!(element, Element::Move(_));
            let after_move = line.iter().position(is_move).map_or(line.len(), |index| index + 1);
            let rest = line.split_off(after_move);
            elements.append(&mut line);
            for text in others {
                elements.push(variation(parse_line(text)?));
            }
            elements.extend(rest);
        }
        Ok(elements)
    }
}

/// Indices of the moves that follow the start position, then of those that follow each move. The main line
/// comes first.
struct Children(Vec<Vec<usize>>);

impl Children {
    fn new(nodes: &[TreeNode]) -> Children {
        let mut children = vec![Vec::new(); nodes.len() + 1];
        for (index, node) in nodes.iter().enumerate() {
            children[node.parent.map_or(0, |parent| parent + 1)].push(index);
        }
        Children(children)
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.0[node + 1]
    }
}

/// Returns true if PGN can represent the name of a tag.
fn is_tag_name(name: &str) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, '"' | '[' | ']');
    !name.is_empty() && name == name.trim() && !name.contains(breaks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The request that the page sends to write a game that it has received.
    fn written(read: &ParsedGames) -> GameTree {
        let sent = serde_json::to_value(read).unwrap();
        let nodes: Vec<Value> = sent["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| {
                json!({ "parent": node["parent"], "uci": node["uci"], "annotations": node["annotations"] })
            })
            .collect();
        serde_json::from_value(
            json!({ "fen": sent["start"]["fen"], "chess960": sent["start"]["chess960"],
            "tags": sent["tags"], "result": sent["result"], "annotations": sent["annotations"], "nodes": nodes }),
        )
        .unwrap()
    }

    #[test]
    fn nested_variations_survive_a_round_trip() {
        let text = "[White \"A\"]\n\n{ Well } 1. e4 $1 { best by test } (1. d4 d5 (1... Nf6 2. c4 \
            { main }) 2. c4) 1... e5 2. Nf3 (2. f4 exf4) (2. Nc3) 2... Nc6 1-0";
        let read = ParsedGames::read(text, None).unwrap();
        assert_eq!(read.titles, ["A – ?, ?"]);
        let again = written(&read).to_pgn().unwrap();
        let moves = again.replace('\n', " ");
        for part in [
            "{ Well } 1. e4 $1 { best by test } (1. d4 d5 (1... Nf6 2. c4 { main }) 2. c4) 1... e5",
            "2. Nf3 (2. f4 exf4) (2. Nc3) 2... Nc6 1-0",
        ] {
            assert!(moves.contains(part), "{again}");
        }
    }

    #[test]
    fn unplayable_lines_survive_a_round_trip() {
        for text in [
            "1. e4 e5 (1... c5 2. -- d6 (2... g6 { so } 3. c4) 3. c4 { why } ) 2. Nf3 *",
            "1. e4 e5 (1... c5 2. Ke3 $2 d6) 2. Nf3 *",
            "1. e4 (1. Ke3 { no } (1. Ke4) 1... e5) (1. Qh5) 1... e5 *",
            "1. e4 ({ words alone } ) ({ before } 1. Ke3 e5) 1... e5 *",
            "1. e4 -- (1... Ke3) 2. d4 (2. c4 $1) 2... d5 { a threat } 1-0",
            "-- 1... e5 *",
            "$13 { said first } 1. e4 *",
            "[White Elo \"2000\"]\n[Black \"\"]\n\n1. e4 *",
        ] {
            let game = pgn::read(&pgn::games(text)[0]).unwrap();
            let again = written(&ParsedGames::read(text, None).unwrap()).to_pgn().unwrap();
            assert_eq!(again, pgn::write(&game), "{text}");
        }
    }

    #[test]
    fn remarks_before_the_first_move_of_a_variation_move_after_it() {
        let again = |text: &str| {
            let again = written(&ParsedGames::read(text, None).unwrap()).to_pgn().unwrap();
            again.trim_end().replace('\n', " ")
        };
        let moved = "1. e4 (1. d4 { early }) 1... e5 *";
        assert_eq!(again("1. e4 ({ early } 1. d4) 1... e5 *"), moved);
        assert_eq!(again("(1. d4) 1. e4 *"), "1. e4 (1. d4) *");
    }

    #[test]
    fn a_variation_with_the_move_of_the_main_line_does_not_replace_it() {
        let text = "1. e4 (1. e4 e5 2. f4 (2. f4 exf4) 2... d5) 1... c5 2. Nf3 *";
        let again = written(&ParsedGames::read(text, None).unwrap()).to_pgn().unwrap();
        let expected = "1. e4 c5 (1... e5 2. f4 d5 (2... exf4)) 2. Nf3 *";
        assert_eq!(again.trim_end(), expected);
    }

    #[test]
    fn invalid_unplayable_lines_from_the_page_are_refused() {
        let mut game = written(&ParsedGames::read("1. e4 -- *", None).unwrap());
        for text in ["1. e4 (", "1. e4 * 1. d4"] {
            game.nodes[0].annotations.unplayable = vec![text.to_owned()];
            let error = game.to_pgn().unwrap_err().to_string();
            assert!(error.ends_with("is not a line of moves"), "{error}");
        }
    }

    #[test]
    fn texts_without_a_game_and_wrong_node_orders_are_refused() {
        assert!(matches!(ParsedGames::read("hello", None), Err(StudyError::NoGame)));
        let error = ParsedGames::read("1. e4 e5 2. Ke3 *", None).unwrap_err().to_string();
        assert!(error.contains("Ke3"), "{error}");
        let mut game = written(&ParsedGames::read("1. e4 e5 *", None).unwrap());
        game.nodes[0].parent = Some(1);
        assert!(matches!(game.to_pgn(), Err(StudyError::Order(0))));
        game.nodes[0].parent = None;
        game.nodes[1].uci = "e7e4".to_owned();
        assert!(game.to_pgn().is_err());
    }
}
