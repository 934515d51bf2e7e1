//! Ranks the moves of a position by the tables, and finds best play by them.
//!
//! The move with the shortest distance to a capture is not always the best way to win. All moves that
//! win before the fifty-move rule ends the game get the same rank, and the search chooses among them.
//! Only if the fifty-move limit is near, or if a position has occurred twice, the distance alone decides,
//! so that the game makes progress (as in Stockfish since 2015).

use shakmaty::{Move, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Wdl};

use super::{TablebaseRules, Tablebases};
use crate::position::Position;
use crate::units::{Ply, Score};

/// Rank of a move that certainly wins; greater than all distances.
const CERTAIN: i32 = 1 << 18;
/// Plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: i32 = 100;
/// Rank and score of a cursed win: a draw, but above other draws.
const CURSED: i32 = 1;

/// A move of a position in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Rank; greater is better. Moves of the same rank have the same result.
    pub rank: i32,
    /// Score with best play: a win or loss by the tables, or a draw.
    pub score: Score,
}

/// The moves of a position, ranked by the tables.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The moves, in the order in which they were given.
    pub moves: Vec<RankedMove>,
    /// True if the ranks come from distances (DTZ). Results alone (WDL) show the winning moves, but not
    /// which of them make progress; the search has to find that.
    pub by_distance: bool,
}

impl Tablebases {
    /// Ranks these moves of a position by distance. If a distance is missing, ranks them by result, as
    /// if the fifty-move counter were zero. `None` if a result is missing too.
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
        let is_certain = !rules.fifty_move_rule || matches!(result, Wdl::Win | Wdl::Loss);
        let (rank, score) = if is_certain {
            (CERTAIN, Score::TABLEBASE_WIN.centipawns())
        } else {
            (CURSED, CURSED)
        };
        let sign = result.signum();
        Some(RankedMove { mv, rank: sign * rank, score: Score::new(sign * score) })
    }

    /// Returns true if a legal move wins before the fifty-move rule ends the game; `None` if it is not
    /// in the tables.
    pub fn wins_by(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<bool> {
        let count = fifty_move_count(position);
        Some(score(self.distance_by(position, mv, rules)?, count, rules).is_win())
    }

    /// Returns true if a position may be in the tables: it has few enough pieces and no castling rights.
    pub(crate) fn can_probe(&self, position: &Position, rules: &TablebaseRules) -> bool {
        let pieces = position.chess().board().occupied().count();
        pieces <= rules.max_pieces.min(self.max_pieces()) && position.chess().castles().is_empty()
    }

    /// Returns the move with the shortest distance to a win, else a drawing move, else the move with the
    /// longest distance to a loss. `None` if the game is over or a distance is not in the tables.
    pub fn best_move(&self, position: &mut Position, rules: &TablebaseRules) -> Option<Move> {
        let mut best = None;
        for mv in position.board().legal_moves() {
            let plies = self.distance_by(position, mv, rules)?.ignore_rounding().0;
            let merit =
                if plies > 0 { i32::MAX - plies } else { -plies - i32::from(plies < 0) * CERTAIN };
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Returns the distance to the next capture or pawn move, or to mate, in plies; the move itself
    /// counts as one.
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

    /// Returns the same distance for the move that was made last.
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

/// Returns the plies since the last capture or pawn move, at most [`FIFTY_MOVES`].
fn fifty_move_count(position: &Position) -> i32 {
    position.board().halfmoves().min(FIFTY_MOVES as u32) as i32
}

/// Returns the result for the side that made the last move, if the game has ended by mate, the
/// fifty-move rule or a repetition.
fn result_if_over(position: &Position, rules: &TablebaseRules) -> Option<Wdl> {
    let board = position.board();
    if board.in_check() && board.legal_moves().is_empty() {
        return Some(Wdl::Win);
    }
    let by_rule = rules.fifty_move_rule && position.is_drawn_by_fifty_moves();
    (by_rule || position.is_repetition(Ply::new(1))).then_some(Wdl::Draw)
}

/// Returns the score for this distance, `count` plies after the last capture or pawn move.
fn score(dtz: MaybeRounded<Dtz>, count: i32, rules: &TablebaseRules) -> Score {
    let plies = dtz.ignore_rounding().0;
    // A rounded distance may be one ply too short.
    let last = FIFTY_MOVES - i32::from(dtz.precise().is_none());
    let in_time = plies.abs() + count <= last || !rules.fifty_move_rule;
    match plies.signum() {
        0 => Score::DRAW,
        sign if in_time => Score::new(sign * Score::TABLEBASE_WIN.centipawns()),
        sign => Score::new(sign * CURSED),
    }
}
