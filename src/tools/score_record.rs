//! Scores in files, `{"cp": 31}` or `{"mate": -2}`, and on pages.

use std::fmt;

use serde::{Deserialize, Serialize};

use shakmaty::Color;

use outrider_engine::units::{Ply, Score};

/// A score as it is written to files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreRecord {
    /// Centipawns.
    Cp(i32),
    /// Full moves to a mate; negative or zero if the side that the score is for is mated.
    Mate(i32),
}

impl ScoreRecord {
    /// The same for the other side.
    pub fn turned(self) -> ScoreRecord {
        match self {
            ScoreRecord::Cp(centipawns) => ScoreRecord::Cp(-centipawns),
            ScoreRecord::Mate(moves) => ScoreRecord::Mate(-moves),
        }
    }

    /// A score for the side to move, from White's side.
    pub fn of_white(score: Score, turn: Color) -> ScoreRecord {
        // Whole moves are counted for the side to move, and turned round afterwards.
        let record = ScoreRecord::from(score);
        if turn.is_white() { record } else { record.turned() }
    }
}

/// As chess programs show it, from the side that it is for: `+0.13`, `#2`, `#−2`.
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

/// What is out of range becomes the nearest score that is not.
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
    fn a_mate_of_black_has_as_many_moves_from_the_side_of_white() {
        let shown = |score, turn| ScoreRecord::of_white(score, turn).to_string();
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
    fn a_number_out_of_range_does_no_harm() {
        for record in
            [ScoreRecord::Cp(i32::MAX), ScoreRecord::Mate(i32::MIN), ScoreRecord::Mate(i32::MAX)]
        {
            let score = Score::from(record);
            assert!(score < Score::INFINITE && score > -Score::INFINITE);
        }
    }
}
