//! A game with its variations, as the page has it: a list of moves, each with the place of the one
//! before it. PGN is read into such a list and written from it.

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};
use thiserror::Error;

use super::view::{PlaceView, PlyView, move_number, ply_view};
use crate::engine::position::notation::{FenError, MoveError, parse_fen, parse_move};
use crate::engine::position::san::parse_san;
use crate::tools::pgn::{self, Element, Played, Remark};

/// The most moves of a game with its variations.
const MAX_NODES: usize = 20_000;
/// How deep variations may stand in each other.
const MAX_NESTING: usize = 50;

/// Why a game cannot be shown or written.
#[derive(Debug, Error)]
pub(crate) enum StudyError {
    #[error("there is no game in this text")]
    NoGame,
    #[error("line {line}: {reason}")]
    Unreadable { line: usize, reason: String },
    #[error(
        "a game has at most {MAX_NODES} moves here, variations nested up to {MAX_NESTING} deep"
    )]
    TooLarge,
    #[error("move {0} stands before the one that it follows")]
    Order(usize),
    #[error(transparent)]
    Start(#[from] FenError),
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// The games of a text, of which one is taken apart.
#[derive(Debug, Serialize)]
pub(crate) struct ReadGames {
    titles: Vec<String>,
    tags: Vec<(String, String)>,
    result: String,
    start: PlaceView,
    comment: String,
    nodes: Vec<ReadNode>,
}

#[derive(Debug, Serialize)]
struct ReadNode {
    /// The place of the move before it; `None` at the start.
    parent: Option<usize>,
    #[serde(flatten)]
    ply: PlyView,
    comment: String,
    glyphs: Vec<u8>,
}

impl ReadGames {
    /// Reads the game with this number, from 0, of a text in PGN.
    ///
    /// # Errors
    ///
    /// Fails if there is none or it cannot be read.
    pub(crate) fn read(text: &str, number: usize) -> Result<ReadGames, StudyError> {
        let games = pgn::games(text);
        let game = read_one(&games, number)?;
        let mut nodes = Nodes { nodes: Vec::new(), mode: game.start.castles().mode() };
        nodes.add_main_line(&game)?;
        let tag = |tags: &[(String, String)], name: &str| {
            let tag = tags.iter().find(|(tag, _)| tag == name);
            tag.map_or_else(|| "?".to_owned(), |(_, value)| value.clone())
        };
        let title = |it: &pgn::GameText<'_>| {
            format!(
                "{} – {}, {}",
                tag(&it.tags, "White"),
                tag(&it.tags, "Black"),
                tag(&it.tags, "Result")
            )
        };
        Ok(ReadGames {
            titles: games.iter().map(title).collect(),
            tags: game.tags.clone(),
            result: game.result.clone(),
            start: PlaceView::new(&game.start),
            comment: comments(&game.preface),
            nodes: nodes.nodes,
        })
    }
}

/// The game with this number, from 0, of a text in PGN, or the first if there are not so many; and how
/// many there are.
///
/// # Errors
///
/// Fails if there is none or it cannot be read.
pub(crate) fn read_game(
    text: &str,
    number: usize,
) -> Result<(pgn::AnnotatedGame, usize), StudyError> {
    let games = pgn::games(text);
    Ok((read_one(&games, number)?, games.len()))
}

fn read_one(games: &[pgn::GameText<'_>], number: usize) -> Result<pgn::AnnotatedGame, StudyError> {
    let source = games.get(number).or(games.first()).ok_or(StudyError::NoGame)?;
    pgn::read(source)
        .map_err(|error| StudyError::Unreadable { line: error.line(), reason: error.to_string() })
}

/// The moves of a game as they are read.
struct Nodes {
    nodes: Vec<ReadNode>,
    mode: CastlingMode,
}

impl Nodes {
    fn add_main_line(&mut self, game: &pgn::AnnotatedGame) -> Result<(), StudyError> {
        let mut chess = game.start.clone();
        let mut parent = None;
        for played in &game.moves {
            let before = chess.clone();
            let number = move_number(&chess);
            let ply = ply_view(&mut chess, played.mv, number, self.mode);
            let node = self.add(parent, ply)?;
            self.remark(node, &played.remarks);
            for remark in &played.remarks {
                if let Remark::Variation(elements) = remark {
                    self.add_variation(parent, &before, elements, 1)?;
                }
            }
            parent = Some(node);
        }
        Ok(())
    }

    /// Adds what could have been played behind a move, as far as it is legal.
    fn add_variation(
        &mut self,
        mut parent: Option<usize>,
        start: &Chess,
        elements: &[Element],
        nesting: usize,
    ) -> Result<(), StudyError> {
        if nesting > MAX_NESTING {
            return Err(StudyError::TooLarge);
        }
        let mut chess = start.clone();
        // The place of the last move, the move before it, and the board that it was made on.
        let mut last: Option<(usize, Option<usize>, Chess)> = None;
        for element in elements {
            match (element, &last) {
                (Element::Move(san), _) => {
                    let Ok(mv) = parse_san(&chess, &san.to_string()) else {
                        return Ok(());
                    };
                    let before = chess.clone();
                    let number = move_number(&chess);
                    let ply = ply_view(&mut chess, mv, number, self.mode);
                    let node = self.add(parent, ply)?;
                    last = Some((node, parent, before));
                    parent = Some(node);
                }
                (Element::Remark(Remark::Variation(inner)), Some((_, before, board))) => {
                    let (before, board) = (*before, board.clone());
                    self.add_variation(before, &board, inner, nesting + 1)?;
                }
                (Element::Remark(remark), Some((node, ..))) => {
                    let node = *node;
                    self.remark(node, std::slice::from_ref(remark));
                }
                (Element::Remark(_), None) => {}
            }
        }
        Ok(())
    }

    /// Adds a move, or finds it among those that follow the same one.
    fn add(&mut self, parent: Option<usize>, ply: PlyView) -> Result<usize, StudyError> {
        let behind = parent.map_or(0, |parent| parent + 1);
        let is_same = |it: &ReadNode| it.parent == parent && it.ply.uci == ply.uci;
        if let Some(known) = self.nodes[behind..].iter().position(is_same) {
            return Ok(behind + known);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(StudyError::TooLarge);
        }
        self.nodes.push(ReadNode { parent, ply, comment: String::new(), glyphs: Vec::new() });
        Ok(self.nodes.len() - 1)
    }

    fn remark(&mut self, node: usize, remarks: &[Remark]) {
        let node = &mut self.nodes[node];
        let text = comments(remarks);
        if !text.is_empty() {
            let gap = if node.comment.is_empty() { "" } else { " " };
            node.comment += &format!("{gap}{text}");
        }
        node.glyphs.extend(remarks.iter().filter_map(|remark| match remark {
            Remark::Glyph(glyph) => Some(*glyph),
            _ => None,
        }));
    }
}

fn comments(remarks: &[Remark]) -> String {
    let texts = remarks.iter().filter_map(|remark| match remark {
        Remark::Comment(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A game with variations that is to be written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenGame {
    fen: String,
    chess960: bool,
    tags: Vec<(String, String)>,
    result: String,
    comment: String,
    nodes: Vec<WrittenNode>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenNode {
    parent: Option<usize>,
    uci: String,
    comment: String,
    glyphs: Vec<u8>,
}

impl WrittenGame {
    /// The game as PGN.
    ///
    /// # Errors
    ///
    /// Fails if the start or a move is wrong or the game is too large.
    pub(crate) fn to_pgn(&self) -> Result<String, StudyError> {
        if self.nodes.len() > MAX_NODES {
            return Err(StudyError::TooLarge);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            if node.parent.is_some_and(|parent| parent >= index) {
                return Err(StudyError::Order(index));
            }
        }
        let children = Children::of(&self.nodes);
        let start = parse_fen(&self.fen, CastlingMode::from_chess960(self.chess960))?;
        let known = ["1-0", "0-1", "1/2-1/2"];
        let result = if known.contains(&&*self.result) { &self.result } else { "*" };
        let mut game = pgn::AnnotatedGame {
            tags: self.tags.iter().filter(|(name, _)| is_name(name)).cloned().collect(),
            start: start.clone(),
            preface: self.remarks(&self.comment, &[]),
            moves: Vec::new(),
            rest: Vec::new(),
            result: result.to_owned(),
        };
        let mut chess = start;
        let mut next = &*children.0[0];
        while let Some((&main, others)) = next.split_first() {
            let mv = parse_move(&chess, &self.nodes[main].uci)?;
            let mut remarks = self.remarks_of(main);
            for &other in others {
                remarks.push(Remark::Variation(self.variation(&children, other, &chess, 1)?));
            }
            game.moves.push(Played { mv, remarks });
            chess.play_unchecked(mv);
            next = children.of_node(main);
        }
        Ok(pgn::write(&game))
    }

    fn variation(
        &self,
        children: &Children,
        first: usize,
        start: &Chess,
        nesting: usize,
    ) -> Result<Vec<Element>, StudyError> {
        if nesting > MAX_NESTING {
            return Err(StudyError::TooLarge);
        }
        let mut elements = Vec::new();
        let mut chess = start.clone();
        let mut line = &[first][..];
        while let Some((&main, others)) = line.split_first() {
            let mv = parse_move(&chess, &self.nodes[main].uci)?;
            let before = chess.clone();
            elements.push(Element::Move(SanPlus::from_move_and_play_unchecked(&mut chess, mv)));
            elements.extend(self.remarks_of(main).into_iter().map(Element::Remark));
            for &other in others {
                let inner = self.variation(children, other, &before, nesting + 1)?;
                elements.push(Element::Remark(Remark::Variation(inner)));
            }
            line = children.of_node(main);
        }
        Ok(elements)
    }

    fn remarks_of(&self, node: usize) -> Vec<Remark> {
        let WrittenNode { comment, glyphs, .. } = &self.nodes[node];
        self.remarks(comment, glyphs)
    }

    fn remarks(&self, comment: &str, glyphs: &[u8]) -> Vec<Remark> {
        let text = comment.replace(['{', '}'], " ");
        let comment = (!text.trim().is_empty()).then(|| Remark::Comment(text.trim().to_owned()));
        glyphs.iter().map(|&glyph| Remark::Glyph(glyph)).chain(comment).collect()
    }
}

/// The moves that follow the start, then those that follow each move: the main line first.
struct Children(Vec<Vec<usize>>);

impl Children {
    fn of(nodes: &[WrittenNode]) -> Children {
        let mut children = vec![Vec::new(); nodes.len() + 1];
        for (index, node) in nodes.iter().enumerate() {
            children[node.parent.map_or(0, |parent| parent + 1)].push(index);
        }
        Children(children)
    }

    fn of_node(&self, node: usize) -> &[usize] {
        &self.0[node + 1]
    }
}

/// Whether a tag may be called so.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// What the page sends back of what it received.
    fn written(read: &ReadGames) -> WrittenGame {
        let sent = serde_json::to_value(read).unwrap();
        let nodes: Vec<Value> = sent["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| {
                json!({ "parent": node["parent"], "uci": node["uci"],
                    "comment": node["comment"], "glyphs": node["glyphs"] })
            })
            .collect();
        serde_json::from_value(json!({ "fen": sent["start"]["fen"], "chess960": sent["start"]["chess960"],
            "tags": sent["tags"], "result": sent["result"], "comment": sent["comment"], "nodes": nodes }))
        .unwrap()
    }

    #[test]
    fn a_game_with_nested_variations_comes_back_as_it_was() {
        let text = "[White \"A\"]\n\n{ Well } 1. e4 $1 { best by test } (1. d4 d5 (1... Nf6 2. c4 \
            { main }) 2. c4) 1... e5 2. Nf3 (2. f4 exf4) (2. Nc3) 2... Nc6 1-0";
        let read = ReadGames::read(text, 0).unwrap();
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
    fn what_is_no_game_or_no_order_is_refused() {
        assert!(matches!(ReadGames::read("hello", 0), Err(StudyError::NoGame)));
        let error = ReadGames::read("1. e4 e5 2. Ke3 *", 0).unwrap_err().to_string();
        assert!(error.contains("Ke3"), "{error}");
        let mut game = written(&ReadGames::read("1. e4 e5 *", 0).unwrap());
        game.nodes[0].parent = Some(1);
        assert!(matches!(game.to_pgn(), Err(StudyError::Order(0))));
        game.nodes[0].parent = None;
        game.nodes[1].uci = "e7e4".to_owned();
        assert!(game.to_pgn().is_err());
    }
}
