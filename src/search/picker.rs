//! The move picker: hands out the moves of a node one by one, the most promising first, and does
//! no work for moves that a cut-off makes unnecessary.
//!
//! The stages: the table's move (before anything is generated), captures and queen promotions that
//! do not lose material, killers and the counter-move, quiet moves by history, and at last the
//! captures that lose material. Generation is shakmaty's and yields all legal moves at once, since
//! generating captures alone is no cheaper; what is staged is the scoring and the sorting.

use arrayvec::ArrayVec;
use shakmaty::{Color, Move, MoveList, Position as _, Role};

use super::history::{Context, Histories, is_tactical, tactical_gain};
use crate::position::{Board, exchange_wins};

/// More moves than any position has.
pub const MAX_MOVES: usize = 270;
/// Sorts a promotion to less than a queen behind everything.
const UNDERPROMOTION: i32 = -1_000_000;

/// Where a picker is in its work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move that the transposition table remembers.
    Table,
    /// All moves are generated and captures valued.
    Generate,
    /// Captures and promotions that do not lose material.
    Captures,
    /// Killers and the counter-move.
    Killers,
    /// Quiet moves are valued.
    ScoreQuiets,
    /// Quiet moves by history.
    Quiets,
    /// Captures that lose material.
    LosingCaptures,
    /// Nothing is left.
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// What a picker is asked to hand out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Captures and queen promotions that do not lose material.
    Winning,
}

/// Hands out the moves of one node.
pub struct MovePicker {
    stage: Stage,
    scope: Scope,
    table_move: Option<Move>,
    /// Quiet moves that refuted siblings, and the refutation of the move before.
    killers: ArrayVec<Move, 3>,
    context: Context,
    generated: Option<MoveList>,
    captures: ArrayVec<Scored, MAX_MOVES>,
    losing: ArrayVec<Move, MAX_MOVES>,
    quiets: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
}

impl MovePicker {
    /// A picker of all legal moves. `table_move` and `killers` may hold moves that are not legal
    /// here, except that the table move must be checked before.
    pub fn new(
        table_move: Option<Move>,
        killers: ArrayVec<Move, 3>,
        context: Context,
    ) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            scope: Scope::All,
            table_move,
            killers,
            context,
            generated: None,
            captures: ArrayVec::new(),
            losing: ArrayVec::new(),
            quiets: ArrayVec::new(),
            next: 0,
        }
    }

    /// A picker of the captures and queen promotions that do not lose material.
    pub fn winning_captures(table_move: Option<Move>, context: Context) -> MovePicker {
        let table_move = table_move.filter(|&mv| is_tactical(mv));
        MovePicker {
            scope: Scope::Winning,
            ..MovePicker::new(table_move, ArrayVec::new(), context)
        }
    }

    /// Takes over the legal moves where they had to be generated before.
    pub fn provide(&mut self, moves: MoveList) {
        self.generated = Some(moves);
    }

    /// The stage that the picker has reached.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Hands out no more quiet moves.
    pub fn skip_quiets(&mut self) {
        if (Stage::Killers..=Stage::Quiets).contains(&self.stage) {
            self.begin(Stage::LosingCaptures);
        }
    }

    /// The next move, or `None` when all were handed out.
    pub fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::Generate => {
                    self.generate(board, histories);
                    self.begin(Stage::Captures);
                }
                Stage::Captures => match self.next_capture(board) {
                    None if self.scope == Scope::Winning => self.stage = Stage::Done,
                    None => self.begin(Stage::Killers),
                    capture => return capture,
                },
                Stage::Killers => match self.next_killer() {
                    None => self.begin(Stage::ScoreQuiets),
                    killer => return killer,
                },
                Stage::ScoreQuiets => {
                    let side = board.chess().turn();
                    for quiet in &mut self.quiets {
                        quiet.score = histories.quiet(side, quiet.mv, &self.context);
                    }
                    self.begin(Stage::Quiets);
                }
                Stage::Quiets => match take_best(&mut self.quiets, self.next) {
                    None => self.begin(Stage::LosingCaptures),
                    Some(quiet) => {
                        self.next += 1;
                        return Some(quiet.mv);
                    }
                },
                Stage::LosingCaptures => match self.losing.get(self.next) {
                    None => self.stage = Stage::Done,
                    losing => {
                        self.next += 1;
                        return losing.copied();
                    }
                },
                Stage::Done => return None,
            }
        }
    }

    fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = 0;
    }

    fn generate(&mut self, board: &Board, histories: &Histories) {
        let side = board.chess().turn();
        let moves = self.generated.take().unwrap_or_else(|| board.legal_moves());
        for mv in moves {
            if Some(mv) == self.table_move {
                continue;
            }
            if is_tactical(mv) {
                let score = capture_score(side, mv, histories);
                self.captures.push(Scored { mv, score });
            } else if self.scope == Scope::All {
                self.quiets.push(Scored { mv, score: 0 });
            }
        }
    }

    fn next_capture(&mut self, board: &Board) -> Option<Move> {
        while let Some(capture) = take_best(&mut self.captures, self.next) {
            self.next += 1;
            if capture.score > UNDERPROMOTION / 2 && exchange_wins(board.chess(), capture.mv, 0) {
                return Some(capture.mv);
            }
            self.losing.push(capture.mv);
        }
        None
    }

    /// A killer is handed out only if it stands among the legal quiet moves, and then removed.
    fn next_killer(&mut self) -> Option<Move> {
        while let Some(&killer) = self.killers.get(self.next) {
            self.next += 1;
            if let Some(index) = self.quiets.iter().position(|quiet| quiet.mv == killer) {
                self.quiets.swap_remove(index);
                return Some(killer);
            }
        }
        None
    }
}

/// The victim's value first, then the capture's history.
fn capture_score(side: Color, mv: Move, histories: &Histories) -> i32 {
    if mv.promotion().is_some_and(|role| role != Role::Queen) {
        return UNDERPROMOTION + tactical_gain(mv);
    }
    tactical_gain(mv) * 16 + histories.capture(side, mv)
}

/// Moves the best of the moves from `start` on to that place and returns it. Most nodes need only
/// the first few moves, so this beats sorting them all.
fn take_best(moves: &mut [Scored], start: usize) -> Option<Scored> {
    let rest = moves.get_mut(start..)?;
    let best = (0..rest.len()).rev().max_by_key(|&index| rest[index].score)?;
    rest.swap(0, best);
    Some(rest[0])
}
