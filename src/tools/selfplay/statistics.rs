//! Statistics of files of games, counted in one pass and bounded memory.

use shakmaty::Position as _;

use super::adjudication_check::AdjudicationCheck;
use super::distinct::DistinctCounter;
use super::endgames::Endgames;
use super::filter::{Exclusion, Filter};
use super::game::{Game, GameResult, ScoredMove};
use super::replay::{BrokenGame, LabelledPosition};
use super::scale::ScorePoints;
use outrider_engine::position::PackedMove;

/// Width of a bar of the score histogram, in centipawns.
pub(crate) const SCORE_STEP: i32 = 100;
/// Bars on each side of the middle bar. The outermost bars also hold all scores beyond, including mates.
const SCORE_BARS: i32 = 10;
/// Width of a bar of the length histogram, in plies.
pub const LENGTH_STEP: usize = 40;
const LENGTH_BARS: usize = 10;
/// Width of a bar of the histogram of piece counts, including pawns and kings.
pub const PIECES_STEP: usize = 4;

/// Counts of games and their positions.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Number of games.
    pub games: u64,
    /// Games of Chess960.
    pub chess960_games: u64,
    /// Positions, including those off the lines of play.
    pub positions: u64,
    /// Positions off the lines of play.
    pub deviations: u64,
    /// Games by stored result, indexed by [`GameResult`].
    pub results: [u64; 3],
    /// Games whose result is corrected, by stored result.
    pub corrected: [u64; 3],
    /// Games by length in plies after the opening, in steps of [`LENGTH_STEP`]. The last bar also holds
    /// all longer games.
    pub lengths: [u64; LENGTH_BARS],
    /// Positions by White's score. Bars are 100 centipawns wide, the middle one is centred on zero.
    pub scores: [u64; 2 * SCORE_BARS as usize + 1],
    /// Positions by number of pieces, in steps of [`PIECES_STEP`]: 1 to 4, 5 to 8, up to 32.
    pub pieces: [u64; 32 / PIECES_STEP],
    /// Positions with White to move.
    pub white_to_move: u64,
    /// Positions that the filter keeps.
    pub kept: u64,
    /// Positions that the filter excludes, indexed by [`Exclusion`].
    pub excluded: [u64; Exclusion::ALL.len()],
    /// Scores and points of the kept positions.
    pub score_points: ScorePoints,
    /// Accuracy of adjudication, from played-out games.
    pub played_out: AdjudicationCheck,
    /// Distinct games, by positions and last move.
    pub different_games: DistinctCounter,
    /// Distinct positions, by key.
    pub different_positions: DistinctCounter,
}

impl Statistics {
    /// Counts a game and its positions. `winning_score` is the score in centipawns that won the other
    /// games of its run, 0 if unknown.
    ///
    /// # Errors
    ///
    /// Fails if a move is illegal. The game is then not counted.
    pub fn add(
        &mut self,
        game: &Game,
        filter: &Filter,
        endgames: &Endgames,
        winning_score: u16,
    ) -> Result<(), BrokenGame> {
        let positions: Vec<LabelledPosition> =
            game.replay_knowing(endgames).collect::<Result<_, _>>()?;
        let deviations: Vec<LabelledPosition> =
            game.replay_deviations().collect::<Result<_, _>>()?;
        self.games += 1;
        self.chess960_games += u64::from(game.start.castles().mode().is_chess960());
        self.results[game.result as usize] += 1;
        self.lengths[(game.moves.len() / LENGTH_STEP).min(LENGTH_BARS - 1)] += 1;
        let mut hash = 0_u64;
        let mut mix = |word: u64| {
            hash = hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word;
        };
        let is_corrected = positions.first().is_some_and(|first| first.result != Some(game.result));
        self.corrected[game.result as usize] += u64::from(is_corrected);
        if game.is_played_out {
            self.played_out.add(&positions, winning_score);
        }
        for position in positions {
            let key = position.board.key().0;
            mix(key);
            self.different_positions.add(key);
            self.count(&position, filter);
        }
        self.deviations += deviations.len() as u64;
        for position in deviations {
            self.different_positions.add(position.board.key().0);
            self.count(&position, filter);
        }
        let last = game.moves.last().map(|scored| scored.mv);
        mix(u64::from(PackedMove::to_bits(last)));
        self.different_games.add(hash);
        Ok(())
    }

    /// Number of games with this stored result.
    pub fn games_with(&self, result: GameResult) -> u64 {
        self.results[result as usize]
    }

    /// Smallest score of a bar of [`Statistics::scores`], in centipawns; `None` for the first bar, which
    /// has no lower end.
    pub fn lowest_score(bar: usize) -> Option<i32> {
        (bar > 0).then(|| (bar as i32 - SCORE_BARS) * SCORE_STEP - SCORE_STEP / 2)
    }

    fn count(&mut self, position: &LabelledPosition, filter: &Filter) {
        self.positions += 1;
        self.white_to_move += position.turn().fold_wb(1, 0);
        if position.white_score != ScoredMove::NO_LABEL {
            let score = position.white_score.centipawns();
            let bar = (score + SCORE_STEP / 2).div_euclid(SCORE_STEP);
            self.scores[(bar.clamp(-SCORE_BARS, SCORE_BARS) + SCORE_BARS) as usize] += 1;
        }
        let pieces = position.board.chess().board().occupied().count();
        self.pieces[pieces.saturating_sub(1) / PIECES_STEP] += 1;
        match filter.excludes(position) {
            None => {
                self.kept += 1;
                if let Some(points) = position.points_for_mover() {
                    self.score_points.add(position.score_for_mover(), points, 1.0);
                }
            }
            Some(reason) => self.excluded[reason as usize] += 1,
        }
    }
}
