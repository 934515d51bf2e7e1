//! Missed chances: short mates and wins that a player did not take, and that cost too little to be a fault.

use shakmaty::Color;

use super::judge::{Fault, JudgedMove, NOT_WON, WON};
use super::{AnalysedGame, ExaminedPosition};
use crate::pgn::AnnotatedGame;

/// Longest mate whose loss is reported, in moves. Longer mates are not what a person looks for.
pub(super) const LONGEST_MATE: i32 = 3;

/// Smallest loss of points of a move by which a win slips away: half of an inaccuracy.
const MIN_LOSS: f64 = 0.05;

/// A chance that a move did not take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MissedChance {
    /// A mate in this number of moves, at most three.
    Mate(i32),
    /// A won game that is no longer won.
    Win,
}

impl MissedChance {
    /// English names of the kinds in lower case: mates, then wins.
    pub const KINDS: [&str; 2] = ["missed mate", "missed win"];

    /// Returns the index of the kind in [`MissedChance::KINDS`].
    pub fn kind(self) -> usize {
        usize::from(self == MissedChance::Win)
    }

    /// Returns the number of moves of a missed mate.
    pub fn mate_moves(self) -> Option<i32> {
        match self {
            MissedChance::Mate(moves) => Some(moves),
            MissedChance::Win => None,
        }
    }

    /// Returns the words after the move: `misses mate in 1`.
    pub fn words(self) -> String {
        match self {
            MissedChance::Mate(moves) => format!("misses mate in {moves}"),
            MissedChance::Win => "misses a win".to_owned(),
        }
    }

    /// Returns true if a score for the side to move takes the mate: it mates within the same limit, or at
    /// once if that was possible.
    pub(super) fn is_mate_taken(self, moves: Option<i32>) -> bool {
        let longest = if self == MissedChance::Mate(1) { 1 } else { LONGEST_MATE };
        moves.is_some_and(|moves| (1..=longest).contains(&moves))
    }
}

/// Returns the missed chances of a game, by ply.
pub(super) fn missed_chances(
    game: &AnnotatedGame,
    examined: &[ExaminedPosition],
    judged: &[JudgedMove],
) -> Vec<Option<MissedChance>> {
    let mut missed: Vec<_> = (0..judged.len())
        .map(|ply| {
            let is_best = examined[ply].line.first() == Some(&game.moves[ply].mv);
            let mate = missed_mate([&examined[ply], &examined[ply + 1]]).filter(|_| !is_best);
            mate.or(judged[ply].missed_win.then_some(MissedChance::Win))
        })
        .collect();
    for color in Color::ALL {
        for ply in slipped_wins(game, examined, judged, color) {
            missed[ply].get_or_insert(MissedChance::Win);
        }
    }
    missed
}

/// Returns the mate that a move misses. A mate in one is missed by every move that does not mate, a mate in
/// two or three only if no mate in up to three moves is left.
fn missed_mate([before, after]: [&ExaminedPosition; 2]) -> Option<MissedChance> {
    let moves = before.score.mate_moves().filter(|moves| (1..=LONGEST_MATE).contains(moves))?;
    let missed = MissedChance::Mate(moves);
    let left = after.score.mate_moves().filter(|&moves| moves <= 0).map(|moves| 1 - moves);
    (!missed.is_mate_taken(left)).then_some(missed)
}

/// Returns the moves by which a player gave up a won game without a fault: for each game that was won and
/// is not won a few moves later, the move with the largest loss in between.
fn slipped_wins(
    game: &AnnotatedGame,
    examined: &[ExaminedPosition],
    judged: &[JudgedMove],
    color: Color,
) -> Vec<usize> {
    let mut slipped = Vec::new();
    // The largest loss since the game was last won, with its ply; `None` while it is not won.
    let mut largest: Option<(f64, Option<usize>)> = None;
    for ply in (0..judged.len()).filter(|&ply| game.mover(ply) == color) {
        if examined[ply].wdl.expected_points() >= WON {
            largest = Some((0.0, None));
        }
        let loss = judged[ply].loss;
        match &mut largest {
            _ if judged[ply].fault.is_some() => largest = None,
            Some((most, at)) if loss > *most => (*most, *at) = (loss, Some(ply)),
            _ => {}
        }
        let kept = examined[ply + 1].wdl.for_opponent().expected_points();
        if kept <= NOT_WON
            && let Some((most, at)) = largest.take()
        {
            slipped.extend(at.filter(|_| most >= MIN_LOSS));
        }
    }
    slipped
}

impl AnalysedGame {
    /// Returns the missed chance of a move, if it is reported.
    pub(crate) fn missed_chance(&self, game: &AnnotatedGame, ply: usize) -> Option<MissedChance> {
        self.missed[ply].filter(|_| self.reported.includes(game.mover(ply)))
    }

    /// Returns the reported faults and missed chances with their plies: moves to learn from.
    pub fn lessons(&self, game: &AnnotatedGame) -> Vec<(usize, Lesson)> {
        let lesson = |ply| {
            let chance = || self.missed_chance(game, ply).map(Lesson::Missed);
            Some((ply, self.fault(game, ply).map(Lesson::Fault).or_else(chance)?))
        };
        (0..game.moves.len()).filter_map(lesson).collect()
    }
}

/// Something to learn from a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// The move was a fault.
    Fault(Fault),
    /// The move was no fault but missed a chance.
    Missed(MissedChance),
}

impl Lesson {
    /// English name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Lesson::Fault(fault) => fault.name(),
            Lesson::Missed(chance) => MissedChance::KINDS[chance.kind()],
        }
    }

    /// The missed chance of a move that is no fault.
    pub fn missed(self) -> Option<MissedChance> {
        match self {
            Lesson::Fault(_) => None,
            Lesson::Missed(chance) => Some(chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;
    use outrider_engine::evaluation::wdl::Wdl;
    use outrider_engine::units::{Depth, Ply, Score};

    /// A search result with this score and these expected points, in permille.
    fn found(score: Score, points: u16) -> ExaminedPosition {
        let wdl = Wdl { win: points, draw: 0, loss: 1000 - points };
        ExaminedPosition { score, wdl, line: Vec::new(), depth: Depth::new(9), others: Vec::new() }
    }

    /// The mate that is missed if the mover mates in `before` moves and, after the move, is to mate in
    /// `after` more moves.
    fn mate(before: u16, after: Option<u16>) -> Option<MissedChance> {
        let ply = |plies: u16| Ply::new(usize::from(plies));
        let before = found(Score::mate_in(ply(2 * before - 1)), 1000);
        let after = after.map_or(Score::new(-900), |moves| Score::mated_in(ply(2 * moves)));
        missed_mate([&before, &found(after, 0)])
    }

    #[test]
    fn a_mate_in_one_is_missed_by_every_move_that_does_not_mate() {
        assert_eq!(mate(1, Some(0)), None);
        assert_eq!(mate(1, Some(1)), Some(MissedChance::Mate(1)));
        assert_eq!(mate(1, None), Some(MissedChance::Mate(1)));
    }

    #[test]
    fn a_mate_in_two_or_three_is_missed_if_no_short_mate_is_left() {
        assert_eq!([mate(2, Some(1)), mate(2, Some(2)), mate(3, Some(2))], [None; 3]);
        assert_eq!(mate(2, Some(3)), Some(MissedChance::Mate(2)));
        assert_eq!(mate(3, None), Some(MissedChance::Mate(3)));
        assert_eq!(mate(4, None), None, "a mate in four may be missed");
    }

    /// The plies of White's missed wins, by the expected points in permille before each move of White; the
    /// last is that after the last move. Black gives nothing back.
    fn wins(points: &[u16]) -> Vec<usize> {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(points.len().div_ceil(2));
        let plies = 2 * (points.len() - 1);
        let moves: Vec<_> = moves.split_whitespace().take(plies).collect();
        let game = pgn::read(&pgn::games(&format!("{} *", moves.join(" ")))[0]).unwrap();
        let at = |ply: usize| {
            let white = points[ply.div_ceil(2)];
            found(Score::DRAW, if ply.is_multiple_of(2) { white } else { 1000 - white })
        };
        let examined: Vec<_> = (0..=plies).map(at).collect();
        let judged: Vec<_> =
            examined.windows(2).map(|pair| JudgedMove::new(&pair[0], &pair[1])).collect();
        let missed = missed_chances(&game, &examined, &judged);
        assert!(missed.iter().flatten().all(|chance| *chance == MissedChance::Win));
        (0..plies).filter(|&ply| missed[ply].is_some()).collect()
    }

    #[test]
    fn a_win_that_slips_away_without_a_fault_is_missed_at_the_largest_loss() {
        assert_eq!(wins(&[950, 880, 785, 700, 620, 590]), [2]);
        assert_eq!(wins(&[950, 880, 790, 940, 930]), [0_usize; 0], "it is won again");
        assert_eq!(wins(&[850, 790, 700, 620, 590]), [0_usize; 0], "it was never won");
        assert_eq!(wins(&[950, 590]), [0], "a blunder gives up the win at once");
        assert_eq!(wins(&[950, 800, 720, 650, 590]), [0_usize; 0], "a fault explains the loss");
    }
}
