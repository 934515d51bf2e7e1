//! Scores in files: `{"cp": 31}` or `{"mate": -2}`.

use serde::{Deserialize, Serialize};

use crate::units::{Ply, Score};

/// A score as it is written to files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreRecord {
    /// Centipawns.
    Cp(i32),
    /// Full moves to a mate; negative or zero if the side that the score is for is mated.
    Mate(i32),
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> ScoreRecord {
        match score.mate_moves() {
            Some(moves) => ScoreRecord::Mate(moves),
            None => ScoreRecord::Cp(score.centipawns()),
        }
    }
}

/// What is out of range becomes the nearest score that is not.
impl From<ScoreRecord> for Score {
    fn from(record: ScoreRecord) -> Score {
        let plies = |moves: u32| Ply::new((2 * moves as usize).min(crate::units::MAX_PLY));
        match record {
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
    fn a_score_that_was_written_is_read_again() {
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
    fn a_number_out_of_range_does_no_harm() {
        for record in
            [ScoreRecord::Cp(i32::MAX), ScoreRecord::Mate(i32::MIN), ScoreRecord::Mate(i32::MAX)]
        {
            let score = Score::from(record);
            assert!(score < Score::INFINITE && score > -Score::INFINITE);
        }
    }
}
