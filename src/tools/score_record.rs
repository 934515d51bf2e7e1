//! Scores for files, `{"cp": 31}` or `{"mate": -2}`, and for pages.

use std::fmt;

use serde::{Deserialize, Serialize};

use shakmaty::Color;

use outrider_engine::units::{Ply, Score};

/// A score in the form used in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreRecord {
    /// Centipawns.
    Cp(i32),
    /// Full moves to mate; negative or zero if the side with this score is mated.
    Mate(i32),
}

impl ScoreRecord {
    /// Returns the score from the other side's point of view.
    pub fn for_opponent(self) -> ScoreRecord {
        match self {
            ScoreRecord::Cp(centipawns) => ScoreRecord::Cp(-centipawns),
            ScoreRecord::Mate(moves) => ScoreRecord::Mate(-moves),
        }
    }

    /// Converts a score of the side to move to White's point of view.
    pub fn for_white(score: Score, turn: Color) -> ScoreRecord {
        // The full moves of a mate are counted for the side to move, then negated.
        let record = ScoreRecord::from(score);
        if turn.is_white() { record } else { record.for_opponent() }
    }
}

/// Formats the score as chess programs show it: `+0.13`, `#2`, `#−2`.
impl fmt::Display for ScoreRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ScoreRecord::Cp(centipawns) => {
                let sign = if centipawns < 0 { '−' } else { '+' };
                write!(f, "{sign}{:.2}", f64::from(centipawns.unsigned_abs()) / 100.0)
            }
            ScoreRecord::Mate(0) => f.write_str("mate"),
            ScoreRecord::Mate(moves @ 1..) => write!(f, "#{moves}"),
            ScoreRecord::Mate(moves) => write!(f, "#−{}", moves.unsigned_abs()),
        }
    }
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> ScoreRecord {
        match score.mate_moves() {
            Some(moves) => ScoreRecord::Mate(moves),
            None => ScoreRecord::Cp(score.centipawns()),
        }
    }
}

/// Clamps values out of range to the nearest valid score.
impl From<ScoreRecord> for Score {
    fn from(record: ScoreRecord) -> Score {
        let plies =
            |moves: u32| Ply::new((2 * moves as usize).min(outrider_engine::units::MAX_PLY));
        match record {
            ScoreRecord::Cp(centipawns) if Score::new(centipawns).is_valid() => {
                Score::new(centipawns)
            }
            ScoreRecord::Cp(centipawns) => Score::new(centipawns).clamp_static(),
            ScoreRecord::Mate(moves) if moves > 0 => {
                Score::mate_in(plies(moves.unsigned_abs())) + 1
            }
            ScoreRecord::Mate(moves) => Score::mated_in(plies(moves.unsigned_abs())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_writing_and_reading() {
        for moves in [-60, -2, -1, 0, 1, 2, 60] {
            let score = Score::from(ScoreRecord::Mate(moves));
            assert_eq!(score.mate_moves(), Some(moves));
            assert_eq!(ScoreRecord::from(score), ScoreRecord::Mate(moves));
        }
        let score = Score::new(-37);
        assert_eq!(Score::from(ScoreRecord::from(score)), score);
        assert_eq!(serde_json::to_string(&ScoreRecord::from(score)).unwrap(), r#"{"cp":-37}"#);
    }

    #[test]
    fn a_mate_by_black_is_the_same_number_of_moves_with_a_minus_sign_for_white() {
        let shown = |score, turn| ScoreRecord::for_white(score, turn).to_string();
        let mate = |plies| Score::mate_in(Ply::new(plies));
        assert_eq!(shown(mate(1), Color::Black), "#−1");
        assert_eq!(shown(-mate(2), Color::Black), "#1");
        assert_eq!(shown(mate(3), Color::White), "#2");
        assert_eq!(shown(-mate(4), Color::White), "#−2");
        assert_eq!(shown(-mate(0), Color::Black), "mate");
        assert_eq!(shown(Score::new(-7), Color::Black), "+0.07");
        assert_eq!(shown(Score::new(-1234), Color::White), "−12.34");
    }

    #[test]
    fn numbers_out_of_range_become_valid_scores() {
        for record in
            [ScoreRecord::Cp(i32::MAX), ScoreRecord::Mate(i32::MIN), ScoreRecord::Mate(i32::MAX)]
        {
            let score = Score::from(record);
            assert!(score < Score::INFINITE && score > -Score::INFINITE);
        }
    }
}
