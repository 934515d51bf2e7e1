//! Ranks the moves of a position in the tables, and follows best play by them.
//!
//! The best way to win is not the shortest to the next capture: any move is good that wins before
//! the fifty-move rule ends the game, and the search chooses among those. Only if that gets close,
//! or if a position has occurred twice, the distance alone decides, so that the game makes progress
//! (the ranking of Stockfish, since 2015).

use shakmaty::{Move, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Wdl};

use super::{TablebaseRules, Tablebases};
use crate::position::Position;
use crate::units::{Ply, Score};

/// The rank of moves that certainly win, greater than all distances.
const CERTAIN: i32 = 1 << 18;
/// The plies without a capture or pawn move that make a draw.
const FIFTY_MOVES: i32 = 100;
/// A win that the fifty-move rule prevents is a draw, but ranks above other draws.
const CURSED: i32 = 1;

/// A move of a position in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The ranked move.
    pub mv: Move,
    /// A greater rank is better; moves of the same rank have the same result.
    pub rank: i32,
    /// The result with best play: a win or loss by the tables, or a draw.
    pub score: Score,
}

/// Moves as the tables rank them.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The moves, in the order in which they were asked about.
    pub moves: Vec<RankedMove>,
    /// Whether the distances are known. Results alone say which moves win, but not which of them
    /// make progress: the search has to find that out.
    pub by_distance: bool,
}

impl Tablebases {
    /// Ranks these moves of a position, in any order: by distance, or where only results are known
    /// by those, for a fifty-move count of zero. `None` unless the tables know them all.
    pub fn rank(
        &self,
        position: &Position,
        moves: &[Move],
        rules: &TablebaseRules,
    ) -> Option<Ranking> {
        if !self.can_probe(position, rules) {
            return None;
        }
        let mut position = position.clone();
        let mut rank_all = |rank: &dyn Fn(&mut Position, Move) -> Option<RankedMove>| {
            moves.iter().map(|&mv| rank(&mut position, mv)).collect::<Option<Vec<_>>>()
        };
        if let Some(moves) = rank_all(&|position, mv| self.rank_by_distance(position, mv, rules)) {
            return Some(Ranking { moves, by_distance: true });
        }
        let moves = rank_all(&|position, mv| self.rank_by_result(position, mv, rules))?;
        Some(Ranking { moves, by_distance: false })
    }

    fn rank_by_distance(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<RankedMove> {
        let repeated = position.has_repetition();
        let count = fifty_move_count(position);
        let dtz = self.distance_by(position, mv, rules)?;
        let plies = dtz.ignore_rounding().0;
        let rank = match plies {
            1.. if plies + count < FIFTY_MOVES && !repeated => CERTAIN,
            1.. => CERTAIN - (plies + count),
            0 => 0,
            _ if -2 * plies + count < FIFTY_MOVES => -CERTAIN,
            _ => -CERTAIN - plies + count,
        };
        Some(RankedMove { mv, rank, score: score(dtz, count, rules) })
    }

    fn rank_by_result(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<RankedMove> {
        position.push(mv);
        let result =
            result_if_over(position, rules).or_else(|| Some(-self.result(position.chess())?));
        position.pop();
        let result = result?;
        let holds = !rules.fifty_move_rule || matches!(result, Wdl::Win | Wdl::Loss);
        let (rank, score) =
            if holds { (CERTAIN, Score::TABLEBASE_WIN.centipawns()) } else { (CURSED, CURSED) };
        let sign = result.signum();
        Some(RankedMove { mv, rank: sign * rank, score: Score::new(sign * score) })
    }

    /// Whether a move that the side to move can make wins before the fifty-move rule ends the game;
    /// `None` if the tables do not know.
    pub fn wins_by(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<bool> {
        let count = fifty_move_count(position);
        Some(score(self.distance_by(position, mv, rules)?, count, rules).is_win())
    }

    /// Whether the tables may hold a position: it has few enough pieces and no castling rights.
    pub fn can_probe(&self, position: &Position, rules: &TablebaseRules) -> bool {
        let pieces = position.chess().board().occupied().count();
        pieces <= rules.max_pieces.min(self.max_pieces()) && position.chess().castles().is_empty()
    }

    /// The move that makes most progress to the end of the game, or least for the side that loses;
    /// `None` if the game is over or the tables do not know.
    pub fn best_move(&self, position: &mut Position, rules: &TablebaseRules) -> Option<Move> {
        let mut best = None;
        for mv in position.board().legal_moves() {
            let plies = self.distance_by(position, mv, rules)?.ignore_rounding().0;
            // The nearest win, else a draw, else the farthest loss.
            let merit =
                if plies > 0 { i32::MAX - plies } else { -plies - i32::from(plies < 0) * CERTAIN };
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// The distance to the next capture or pawn move, or to mate, if this move is made; it counts
    /// itself.
    fn distance_by(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<MaybeRounded<Dtz>> {
        position.push(mv);
        let distance = self.distance_after(position, rules);
        position.pop();
        distance
    }

    /// The same for the move that was made last.
    fn distance_after(
        &self,
        position: &Position,
        rules: &TablebaseRules,
    ) -> Option<MaybeRounded<Dtz>> {
        let chess = position.chess();
        match result_if_over(position, rules) {
            Some(Wdl::Win) => Some(MaybeRounded::Precise(Dtz(1))),
            Some(_) => Some(MaybeRounded::Precise(Dtz(0))),
            None if position.board().halfmoves() == 0 => {
                let result = -self.result(chess)?;
                Some(MaybeRounded::Precise(Dtz::before_zeroing(result)))
            }
            None => Some((-self.distance(chess)?).add_plies_saturating(1)),
        }
    }
}

/// Plies since the last capture or pawn move, at most as many as make a draw.
fn fifty_move_count(position: &Position) -> i32 {
    position.board().halfmoves().min(FIFTY_MOVES as u32) as i32
}

/// The result for the side that made the last move, if it ended the game by mate, the fifty-move
/// rule or a repetition.
fn result_if_over(position: &Position, rules: &TablebaseRules) -> Option<Wdl> {
    let board = position.board();
    if board.in_check() && board.legal_moves().is_empty() {
        return Some(Wdl::Win);
    }
    let by_rule = rules.fifty_move_rule && position.is_drawn_by_fifty_moves();
    (by_rule || position.is_repetition(Ply::new(1))).then_some(Wdl::Draw)
}

/// The score at this distance, with `count` plies since the last capture or pawn move.
fn score(dtz: MaybeRounded<Dtz>, count: i32, rules: &TablebaseRules) -> Score {
    let plies = dtz.ignore_rounding().0;
    // A rounded distance may be a ply too short.
    let last = FIFTY_MOVES - i32::from(dtz.precise().is_none());
    let in_time = plies.abs() + count <= last || !rules.fifty_move_rule;
    match plies.signum() {
        0 => Score::DRAW,
        sign if in_time => Score::new(sign * Score::TABLEBASE_WIN.centipawns()),
        sign => Score::new(sign * CURSED),
    }
}
