//! Limited playing strength (`UCI_LimitStrength`, `UCI_Elo`, `Skill Level`), with human errors.
//!
//! A weak human player does not find the best move and then choose another at random. Such a
//! player looks a few plies ahead, overlooks some moves, and misjudges positions slightly (de Groot
//! 1946, "Thought and Choice in Chess"). So a [`StrengthLimit`] weakens the search in three ways:
//!
//! - It limits the depth. Beyond the limit, only captures are searched. Strong levels look further ahead
//!   if there is more time, as strong players do (Stockfish's levels gain from time, too).
//! - It overlooks moves of both sides. People rarely overlook captures. They overlook quiet moves,
//!   knight moves and above all backward moves (Neiman and Afek 2011, "Invisible Chess Moves").
//!   Fewer moves are overlooked near the root than far down a line.
//! - It adds noise to the evaluation.
//!
//! The errors in a position stay the same for a whole game, so that a weak player follows plans and
//! does not change them with each iteration. Only the depth follows the time. One move is always left:
//! below the root the first move that is tried is never overlooked, and at the root the first move
//! stays if all would be overlooked. In quiescence, the side can stand pat. Difficult positions offer
//! more chances of an error, so they are played worse than easy ones.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};
use std::ops::RangeInclusive;
use std::time::Duration;

use shakmaty::{Color, Move, Position as _, Role, Square};

use crate::position::{Board, PackedMove, is_tactical};
use crate::units::{Depth, Ply};

/// A level of play and its errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Strength on the scale of Stockfish's `UCI_Elo`.
    pub elo: i32,
    /// Depth of the search in tenths of a ply if there is a second for the move. For example, 25 is 2
    /// plies in one half of all positions and 3 plies in the other half.
    pub depth: i32,
    /// Additional depth for each doubling of that time, in tenths of a ply.
    pub growth: i32,
    /// Number of overlooked moves in a thousand quiet moves far down a line.
    pub overlooked: i32,
    /// Standard deviation of the noise on the evaluation, in centipawns.
    pub noise: i32,
}

const fn level(elo: i32, depth: i32, growth: i32, overlooked: i32, noise: i32) -> Level {
    Level { elo, depth, growth, overlooked, noise }
}

/// The levels, fitted to measured games; the growth is estimated from games at two clocks. Strengths
/// between two of them are interpolated.
const LEVELS: [Level; 9] = [
    level(450, 10, 0, 566, 123),
    level(750, 13, 0, 486, 106),
    level(1100, 19, 0, 394, 87),
    level(1350, 27, 0, 303, 69),
    level(1600, 33, 0, 227, 54),
    level(1850, 53, 2, 154, 40),
    level(2150, 84, 3, 75, 23),
    level(2350, 109, 5, 38, 14),
    level(2700, 161, 9, 19, 6),
];

/// Time for a move with which a level has the depth of the table.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// Shortest time that changes the depth.
const LEAST_TIME: Duration = Duration::from_millis(125);
/// Longest time that changes the depth.
const GREATEST_TIME: Duration = Duration::from_secs(8);

/// The `Skill Level` of full strength.
pub const FULL_SKILL: i32 = 20;

/// A player of limited strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthLimit {
    level: Level,
    seed: u64,
}

impl StrengthLimit {
    /// The range of strengths.
    pub const ELO: RangeInclusive<i32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

    /// Returns the measured strengths in rising order.
    pub fn measured() -> impl Iterator<Item = i32> {
        LEVELS.iter().map(|level| level.elo)
    }

    /// Checksum of the network that played the games of the fit. A stronger network makes each level
    /// stronger; `.ci/weekly levels` measures them and prints a new table.
    pub const MEASURED_WITH: u32 = 0xef12_3b57;

    /// Returns the level of this player.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Creates a player of this strength, clamped to [`StrengthLimit::ELO`]. Players with different
    /// seeds overlook different moves.
    pub fn from_elo(elo: i32, seed: u64) -> StrengthLimit {
        let elo = elo.clamp(*StrengthLimit::ELO.start(), *StrengthLimit::ELO.end());
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1);
        let (below, above) = (LEVELS[above.saturating_sub(1)], LEVELS[above]);
        let span = (above.elo - below.elo).max(1);
        let between = |from: i32, to: i32| from + (to - from) * (elo - below.elo) / span;
        let level = Level {
            elo,
            depth: between(below.depth, above.depth),
            growth: between(below.growth, above.growth),
            overlooked: between(below.overlooked, above.overlooked),
            noise: between(below.noise, above.noise),
        };
        StrengthLimit { level, seed }
    }

    /// Returns the strength of a skill level below [`FULL_SKILL`]. The levels divide the range
    /// evenly.
    pub fn elo_from_skill(skill: i32) -> i32 {
        let (least, greatest) = (*StrengthLimit::ELO.start(), *StrengthLimit::ELO.end());
        least + (greatest - least) * skill.clamp(0, FULL_SKILL - 1) / (FULL_SKILL - 1)
    }

    /// Returns the greatest depth to which this position is searched with this time for the move.
    /// Without a time, [`USUAL_TIME`] is assumed.
    pub(crate) fn depth(&self, board: &Board, time: Option<Duration>) -> Depth {
        let depth = self.level.depth + self.more_depth(time.unwrap_or(USUAL_TIME));
        let drawn = random_number(self.seed, (board.key().0, "plan")) % 10;
        let one_more = i32::from(drawn < (depth % 10) as u64);
        Depth::new(depth / 10 + one_more)
    }

    /// Returns the depth that this time for a move adds or takes away, in tenths of a ply.
    fn more_depth(&self, time: Duration) -> i32 {
        let times = time.clamp(LEAST_TIME, GREATEST_TIME).as_secs_f64() / USUAL_TIME.as_secs_f64();
        (f64::from(self.level.growth) * times.log2()).round() as i32
    }

    /// Returns true if the player overlooks a move, `ply` plies from the root. In check no move is
    /// overlooked, since there are few moves.
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, ply: Ply) -> bool {
        if board.in_check() {
            return false;
        }
        let percent = share_of_move(board.chess().turn(), mv) * share_of_distance(ply) / 100;
        let drawn = random_number(
            self.seed,
            (board.key().0, PackedMove::to_bits(Some(PackedMove::new(mv)))),
        );
        ((drawn % 100_000) as i32) < self.level.overlooked * percent
    }

    /// Returns the noise on the evaluation of a position, in centipawns.
    pub(crate) fn evaluation_noise(&self, board: &Board) -> i32 {
        // The sum of the four bytes of a random number is nearly normally distributed.
        let drawn = random_number(self.seed, (board.key().0, "judgement")) as u32;
        let sum: i32 = drawn.to_le_bytes().map(i32::from).iter().sum();
        (sum - MEAN_OF_BYTES) * self.level.noise / DEVIATION_OF_BYTES
    }
}

/// Returns a random number that depends only on the seed of the game and on `purpose`.
pub(crate) fn random_number(game_seed: u64, purpose: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one((game_seed, purpose))
}

/// Mean and standard deviation of the sum of four random bytes.
const MEAN_OF_BYTES: i32 = 510;
const DEVIATION_OF_BYTES: i32 = 148;

/// Rate at which captures and promotions are overlooked, in percent of a quiet forward move.
const TACTICAL: i32 = 25;
/// Added to that percentage for a backward move.
const BACKWARDS: i32 = 40;
/// Added to that percentage for a knight move.
const KNIGHT_MOVE: i32 = 20;
/// Rate at which moves are overlooked at the root, in percent of the rate far down a line.
const AT_ROOT: i32 = 40;
/// Added to that percentage for each ply from the root.
const MORE_PER_PLY: i32 = 30;

/// Returns the rate at which a move is overlooked, in percent of a quiet forward move.
fn share_of_move(turn: Color, mv: Move) -> i32 {
    if is_tactical(mv) {
        return TACTICAL;
    }
    let rank = |square: Square| square.rank() as i32;
    let ahead = mv.from().map_or(0, |from| rank(mv.to()) - rank(from)) * turn.fold_wb(1, -1);
    let backwards = if ahead < 0 { BACKWARDS } else { 0 };
    let knight_move = if mv.role() == Role::Knight { KNIGHT_MOVE } else { 0 };
    100 + backwards + knight_move
}

/// Returns the rate at which moves are overlooked at `ply`, in percent of the rate far down a line.
fn share_of_distance(ply: Ply) -> i32 {
    (AT_ROOT + MORE_PER_PLY * ply.index() as i32).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Network;
    use crate::position::notation;
    use proptest::prelude::*;

    const KNIGHTS: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

    fn board(fen: &str) -> Board {
        Board::new(notation::parse_fen_any(fen).unwrap())
    }

    /// Returns the number of games in a thousand in which a move is overlooked at `ply`.
    fn times_overlooked(elo: i32, uci: &str, ply: usize) -> usize {
        let board = board(KNIGHTS);
        let mv = notation::parse_move(board.chess(), uci).unwrap();
        (0..1_000)
            .filter(|&seed| StrengthLimit::from_elo(elo, seed).overlooks(&board, mv, Ply::new(ply)))
            .count()
    }

    proptest! {
        #[test]
        fn a_stronger_level_searches_deeper_and_errs_less(
            one in 0..4_000_i32, other in 0..4_000_i32,
        ) {
            let (weaker, stronger) = (one.min(other), one.max(other));
            let (weaker, stronger) = (StrengthLimit::from_elo(weaker, 1).level, StrengthLimit::from_elo(stronger, 1).level);
            prop_assert!(weaker.depth <= stronger.depth);
            prop_assert!(weaker.overlooked >= stronger.overlooked);
            prop_assert!(weaker.noise >= stronger.noise);
        }
    }

    #[test]
    fn levels_were_measured_with_the_built_in_network() {
        let (built_in, measured) = (Network::built_in().checksum(), StrengthLimit::MEASURED_WITH);
        assert_eq!(
            built_in, measured,
            "the levels were measured with network {measured:08x}, but {built_in:08x} is built in: run \
             `.ci/weekly levels FOLDER`, replace LEVELS by the rows that it prints, and set MEASURED_WITH"
        );
    }

    #[test]
    fn each_level_is_stronger_than_the_one_before_in_each_way() {
        assert!(LEVELS.is_sorted_by(|one, next| {
            one.elo < next.elo
                && one.depth < next.depth
                && one.growth <= next.growth
                && one.overlooked > next.overlooked
                && one.noise > next.noise
        }));
    }

    #[test]
    fn strong_levels_look_further_ahead_with_more_time_and_weak_ones_do_not() {
        let board = board(KNIGHTS);
        // Summed over seeds, since each seed draws whether a fraction of a ply counts.
        let depth = |elo: i32, time: Option<Duration>| -> i32 {
            let of_seed = |seed| StrengthLimit::from_elo(elo, seed).depth(&board, time).plies();
            (0..2_000).map(of_seed).sum()
        };
        let at = |elo, milliseconds| depth(elo, Some(Duration::from_millis(milliseconds)));
        let strong = *StrengthLimit::ELO.end();
        let growth = StrengthLimit::from_elo(strong, 1).level.growth;
        let doubled = f64::from(at(strong, 2_000) - at(strong, 1_000)) / 200.0;
        assert!((doubled - f64::from(growth)).abs() < 0.5, "{doubled} instead of {growth}");
        assert!(at(strong, 500) < at(strong, 1_000));
        assert_eq!(at(strong, 1_000), depth(strong, None));
        assert_eq!(at(strong, 3_600_000), at(strong, 8_000));
        assert_eq!(at(strong, 1), at(strong, 125));
        assert_eq!(at(1_350, 100), at(1_350, 60_000));
    }

    #[test]
    fn a_measured_strength_has_exactly_its_level() {
        for level in LEVELS {
            assert_eq!(StrengthLimit::from_elo(level.elo, 1).level, level);
        }
    }

    #[test]
    fn skill_levels_rise_from_the_least_strength_to_the_greatest() {
        let strengths: Vec<i32> = (0..FULL_SKILL).map(StrengthLimit::elo_from_skill).collect();
        assert!(strengths.is_sorted_by(|one, other| one < other), "{strengths:?}");
        assert_eq!(strengths.first(), Some(StrengthLimit::ELO.start()));
        assert_eq!(strengths.last(), Some(StrengthLimit::ELO.end()));
    }

    #[test]
    fn retreats_are_overlooked_more_often_than_advances_and_advances_more_often_than_captures() {
        let (weak, far) = (*StrengthLimit::ELO.start(), 5);
        let overlooked =
            ["d3b1", "d3e2", "h2h3", "d4c5"].map(|uci| times_overlooked(weak, uci, far));
        let [retreat, other_retreat, advance, capture] = overlooked;
        assert!(retreat > advance + 50 && other_retreat > advance + 50, "{overlooked:?}");
        assert!(advance > capture + 100 && capture > 0, "{overlooked:?}");
        assert!(
            times_overlooked(weak, "d2b1", far) > retreat,
            "a knight's retreat is overlooked even more often"
        );
    }

    #[test]
    fn fewer_moves_are_overlooked_near_the_root_and_by_strong_players() {
        let weak = *StrengthLimit::ELO.start();
        assert!(times_overlooked(weak, "h2h3", 0) < times_overlooked(weak, "h2h3", 1));
        assert!(times_overlooked(weak, "h2h3", 1) < times_overlooked(weak, "h2h3", 2));
        assert!(times_overlooked(*StrengthLimit::ELO.end(), "h2h3", 5) < 50);
    }

    #[test]
    fn the_noise_has_mean_zero_and_the_deviation_of_the_level() {
        let board = board(KNIGHTS);
        let noise =
            |seed| f64::from(StrengthLimit::from_elo(LEVELS[0].elo, seed).evaluation_noise(&board));
        let errors: Vec<f64> = (0..4_000).map(noise).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let variance = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / errors.len() as f64;
        let wanted = f64::from(LEVELS[0].noise);
        assert!(mean.abs() < wanted / 10.0, "mean {mean}");
        assert!((variance.sqrt() - wanted).abs() < wanted / 10.0, "{}", variance.sqrt());
    }
}
