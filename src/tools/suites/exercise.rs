//! A position of a test suite with its expected answer.

use shakmaty::{Chess, Move, Position as _};

use outrider_engine::position::epd::{Epd, EpdError, Skipped};
use outrider_engine::position::san::format_san;
use outrider_engine::search::Bound;
use outrider_engine::units::Score;

/// A position with the conditions that an answer must meet, all of them together.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The position.
    pub chess: Chess,
    /// Name of the position, if any.
    pub id: Option<String>,
    /// Best moves: one of them must be played, unless the list is empty.
    pub best: Vec<Move>,
    /// Moves that must not be played.
    pub avoid: Vec<Move>,
    /// A mate in at most this number of full moves must be announced: by the side to move if positive,
    /// against it if negative.
    pub mate: Option<i32>,
    /// Points of moves. Other moves get none.
    pub points: Vec<(Move, u32)>,
    /// Parts of the line that were skipped.
    pub skipped: Vec<Skipped>,
}

impl Exercise {
    /// Reads a line of a suite.
    ///
    /// If a line has points but no other condition, the moves with the most points are the best moves.
    /// A line without any condition, such as a FEN, is a position that is only evaluated.
    ///
    /// # Errors
    ///
    /// Fails if the line is not valid EPD.
    pub fn read(line: &str) -> Result<Exercise, EpdError> {
        let epd: Epd = line.parse()?;
        let mut exercise = Exercise {
            id: epd.id().map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned),
            best: epd.best_moves(),
            avoid: epd.avoid_moves(),
            mate: epd.direct_mate(),
            points: epd.points()?,
            skipped: epd.skipped,
            chess: epd.chess,
        };
        if !exercise.has_condition() {
            let most = exercise.most_points();
            let worth_most =
                exercise.points.iter().filter(|(_, points)| *points == most && most > 0);
            exercise.best = worth_most.map(|(mv, _)| *mv).collect();
        }
        Ok(exercise)
    }

    /// Returns true if there is a condition that an answer must meet. Otherwise the position is only
    /// evaluated.
    pub fn has_condition(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some()
    }

    /// Theme of the position: its name without the number at the end.
    pub(crate) fn theme(&self) -> Option<&str> {
        let id = self.id.as_deref()?;
        let text = id.trim_end_matches(|c: char| c.is_ascii_digit());
        let theme = text.trim_end_matches(|c: char| c.is_whitespace() || ".,:-_#/".contains(c));
        (text.len() < id.len() && !theme.is_empty()).then_some(theme)
    }

    /// Describes the expected answer. Empty if there is no condition.
    pub fn wanted(&self) -> String {
        wanted(&self.names(&self.best), &self.names(&self.avoid), self.mate)
    }

    /// Formats moves in standard algebraic notation.
    pub(crate) fn names(&self, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| format_san(&self.chess, mv)).collect()
    }

    /// Formats a legal line from the position in standard algebraic notation.
    pub fn line_names(&self, line: &[Move]) -> Vec<String> {
        let mut chess = self.chess.clone();
        let name = |&mv: &Move| {
            let name = format_san(&chess, mv);
            chess.play_unchecked(mv);
            name
        };
        line.iter().map(name).collect()
    }

    /// Points of a move.
    pub(crate) fn points_of(&self, mv: Move) -> u32 {
        self.points.iter().find(|(named, _)| *named == mv).map_or(0, |(_, points)| *points)
    }

    /// Points of the move with the most points.
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }

    /// Returns true if a move with its score meets all conditions.
    pub(crate) fn is_solution(&self, mv: Move, score: Score, bound: Bound) -> bool {
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(|mate| announces(score, bound, mate))
    }
}

/// Describes an expected answer with the EPD opcodes bm, am and dm.
pub(super) fn wanted(best: &[String], avoid: &[String], mate: Option<i32>) -> String {
    let moves = |opcode: &str, moves: &[String]| {
        (!moves.is_empty()).then(|| format!("{opcode} {}", moves.join(" ")))
    };
    let mate = mate.map(|moves| format!("dm {moves}"));
    let parts = [moves("bm", best), moves("am", avoid), mate];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns true if a score announces a mate in at most `mate` moves for the same side.
fn announces(score: Score, bound: Bound, mate: i32) -> bool {
    let disproved = if mate > 0 { Bound::Upper } else { Bound::Lower };
    score.mate_moves().is_some_and(|moves| {
        bound != disproved
            && moves.signum() == mate.signum()
            && moves.unsigned_abs() <= mate.unsigned_abs()
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use outrider_engine::units::Ply;

    const ROOKS: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - -";

    /// Returns an exercise with these operations in a position with mates in one.
    pub(crate) fn exercise(operations: &str) -> Exercise {
        Exercise::read(&format!("{ROOKS} {operations}")).unwrap()
    }

    #[test]
    fn an_upper_bound_announces_no_mate() {
        let mate = Score::mate_in(Ply::new(1));
        assert!(announces(mate, Bound::Lower, 1));
        assert!(!announces(mate, Bound::Upper, 1));
        assert!(announces(-Score::mate_in(Ply::new(2)), Bound::Upper, -1));
    }

    #[test]
    fn points_alone_make_the_moves_with_the_most_points_the_best_moves() {
        assert_eq!(exercise("c0 \"Kf1=7, Ra8=100, Re8=100\";").wanted(), "bm Ra8# Re8#");
    }

    #[test]
    fn a_position_without_a_solution_has_no_condition() {
        for operations in ["", "id \"x\";", "c0 \"a comment\";", "c0 \"Kf1=0\";", "D1 20;", "3 9"] {
            let exercise = exercise(operations);
            assert!(!exercise.has_condition() && exercise.wanted().is_empty(), "{operations}");
        }
        for operations in ["bm Ra8;", "am Kf1;", "dm 1;", "bm #1;", "c0 \"Ra8=5\";"] {
            assert!(exercise(operations).has_condition(), "{operations}");
        }
    }

    #[test]
    fn a_mate_among_the_best_moves_is_a_mate_to_announce() {
        assert_eq!(exercise("bm #1; ep; 00:00;").wanted(), "dm 1");
        assert_eq!(exercise("bm #-3;").wanted(), "dm -3");
    }

    #[test]
    fn a_theme_is_a_name_without_its_number() {
        let theme =
            |id: &str| exercise(&format!("bm Ra8; id \"{id}\";")).theme().map(str::to_owned);
        assert_eq!(theme("WAC.001").as_deref(), Some("WAC"));
        assert_eq!(theme("STS(v1.0) Undermine.001").as_deref(), Some("STS(v1.0) Undermine"));
        assert_eq!(theme("STS(v14.0) 7th Rank.12").as_deref(), Some("STS(v14.0) 7th Rank"));
        assert_eq!(theme("mate-in-2.013").as_deref(), Some("mate-in-2"));
        assert_eq!(theme("Position 7").as_deref(), Some("Position"));
        assert_eq!(theme("Réti's study"), None);
        assert_eq!(theme("17"), None);
        assert_eq!(theme(""), None);
    }
}
