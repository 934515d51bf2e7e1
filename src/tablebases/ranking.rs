//! How the moves of a position in the tables rank, and the lines of play that follow from it.
//!
//! The best way to win is not the shortest to the next capture: any move will do that wins before
//! the fifty-move rule ends the game, and the search is free to choose among those. Only where that
//! gets tight, or where a position has come back already, the distance alone decides, so that the
//! game goes on to its end (the ranking of Stockfish, since 2015).

use shakmaty::{Move, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Wdl};

use super::{TablebaseRules, Tablebases};
use crate::position::Position;
use crate::units::{Ply, Score};

/// The rank of moves that win for certain; above all distances.
const CERTAIN: i32 = 1 << 18;
/// The plies without a capture or pawn move that make a draw.
const FIFTY_MOVES: i32 = 100;
/// A win that the fifty-move rule prevents is a draw that is still better than others.
const CURSED: i32 = 1;

/// A move of a position in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Its rank; a greater one is better, and moves of one rank are as good for the result.
    pub rank: i32,
    /// What it leads to with best play: a win or loss by the tables, or a draw.
    pub score: Score,
}

impl Tablebases {
    /// These moves of a position, in any order, as the tables rank them; `None` if the tables do
    /// not know them all.
    pub fn rank(
        &self,
        position: &Position,
        moves: &[Move],
        rules: &TablebaseRules,
    ) -> Option<Vec<RankedMove>> {
        if !self.reach(position, rules) {
            return None;
        }
        let repeated = position.has_repetition();
        let mut position = position.clone();
        let count = position.board().halfmoves() as i32;
        let rank = |&mv: &Move| {
            let dtz = self.distance_by(&mut position, mv, rules)?;
            let plies = dtz.ignore_rounding().0;
            let rank = match plies {
                1.. if plies + count < FIFTY_MOVES && !repeated => CERTAIN,
                1.. => CERTAIN - (plies + count),
                0 => 0,
                _ if -2 * plies + count < FIFTY_MOVES => -CERTAIN,
                _ => -CERTAIN - plies + count,
            };
            Some(RankedMove { mv, rank, score: score(dtz, count, rules) })
        };
        moves.iter().map(rank).collect()
    }

    /// The same by results alone, for positions that only the tables of results know: which moves win
    /// is known, but not which comes nearer to the end; that is for the search to find. The
    /// fifty-move count is taken for zero.
    pub fn rank_by_results(
        &self,
        position: &Position,
        moves: &[Move],
        rules: &TablebaseRules,
    ) -> Option<Vec<RankedMove>> {
        if !self.reach(position, rules) {
            return None;
        }
        let mut position = position.clone();
        let rank = |&mv: &Move| {
            position.push(mv);
            let result = self.result_after(&position, rules);
            position.pop();
            let result = result?;
            let holds = !rules.fifty_move_rule || matches!(result, Wdl::Win | Wdl::Loss);
            let (rank, score) =
                if holds { (CERTAIN, Score::TABLE_WIN.centipawns()) } else { (CURSED, CURSED) };
            let sign = result.signum();
            Some(RankedMove { mv, rank: sign * rank, score: Score::new(sign * score) })
        };
        moves.iter().map(rank).collect()
    }

    /// Whether a move that the side to move can make wins before the fifty-move rule ends the game;
    /// `None` if the tables do not know.
    pub fn wins_by(
        &self,
        position: &mut Position,
        mv: Move,
        rules: &TablebaseRules,
    ) -> Option<bool> {
        let count = position.board().halfmoves() as i32;
        Some(score(self.distance_by(position, mv, rules)?, count, rules).is_win())
    }

    /// Whether the tables may be asked about a position.
    pub fn reach(&self, position: &Position, rules: &TablebaseRules) -> bool {
        let men = position.chess().board().occupied().count();
        men <= rules.most_men.min(self.most_men()) && position.chess().castles().is_empty()
    }

    /// The move that comes nearest to the end of the game, or stays farthest from it for the side
    /// that loses; `None` if the game is over or the tables do not know.
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

    /// The distance to the next capture or pawn move, or to mate, if this move is made; that move
    /// counts too.
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

    /// The result for the side that made the last move.
    fn result_after(&self, position: &Position, rules: &TablebaseRules) -> Option<Wdl> {
        let board = position.board();
        let by_rule = rules.fifty_move_rule && position.is_drawn_by_fifty_moves();
        if board.in_check() && board.legal_moves().is_empty() {
            Some(Wdl::Win)
        } else if by_rule || position.is_repetition(Ply::new(1)) {
            Some(Wdl::Draw)
        } else {
            Some(-self.result(board.chess())?)
        }
    }

    /// The distance of [`Tablebases::distance_by`] of the move that was made last.
    fn distance_after(
        &self,
        position: &Position,
        rules: &TablebaseRules,
    ) -> Option<MaybeRounded<Dtz>> {
        let (board, chess) = (position.board(), position.chess());
        let by_rule = rules.fifty_move_rule && position.is_drawn_by_fifty_moves();
        if board.in_check() && board.legal_moves().is_empty() {
            Some(MaybeRounded::Precise(Dtz(1)))
        } else if by_rule || position.is_repetition(Ply::new(1)) {
            Some(MaybeRounded::Precise(Dtz(0)))
        } else if board.halfmoves() == 0 {
            let result = -self.result(chess)?;
            Some(MaybeRounded::Precise(Dtz::before_zeroing(result)))
        } else {
            Some((-self.distance(chess)?).add_plies_saturating(1))
        }
    }
}

/// The score at this distance, with this number of plies since the last capture or pawn move.
fn score(dtz: MaybeRounded<Dtz>, count: i32, rules: &TablebaseRules) -> Score {
    let plies = dtz.ignore_rounding().0;
    // What was rounded may be a ply farther.
    let last = FIFTY_MOVES - i32::from(dtz.precise().is_none());
    let in_time = plies.abs() + count <= last || !rules.fifty_move_rule;
    match plies.signum() {
        0 => Score::DRAW,
        sign if in_time => Score::new(sign * Score::TABLE_WIN.centipawns()),
        sign => Score::new(sign * CURSED),
    }
}
