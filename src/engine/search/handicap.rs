//! A weaker player, who errs as people do (`UCI_LimitStrength`, `UCI_Elo`, `Skill Level`).
//!
//! A person does not know the best move and then throw dice over the others. He plans a few plies
//! ahead, some moves do not come to his mind, and he misjudges what he sees by a little (de Groot
//! 1946, "Thought and Choice in Chess"). So a [`Handicap`] weakens the search in three ways:
//!
//! - It plans only so many plies ahead; beyond them only captures are looked at.
//! - It overlooks moves, the opponent's as well as its own. Captures are hard to overlook. Quiet
//!   moves, knights' moves and above all moves that go backwards are the ones that people miss
//!   (Neiman and Afek 2011, "Invisible Chess Moves"). Close to the board less is missed than far
//!   down a line.
//! - It judges positions with an error.
//!
//! What is overlooked or misjudged in a position stays so for a whole game, so that a weak player
//! has plans of his own and hardly wavers from one iteration to the next; but the move that the
//! search comes to first, such as that of the table, is never overlooked, lest none be left. Where there is more to
//! see, more goes wrong: hard positions are played worse than easy ones.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};
use std::ops::RangeInclusive;

use shakmaty::{Color, Move, Position as _, Role, Square};

use crate::engine::position::{Board, PackedMove, is_tactical};
use crate::engine::units::{Depth, Ply};

/// A level of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    /// Its strength, on the scale of Stockfish's `UCI_Elo`.
    elo: i32,
    /// How far it plans, in tenths of a ply: 25 is 2 plies in one half of all positions, 3 in the
    /// other.
    plan: i32,
    /// How many of a thousand quiet moves far down a line do not come to its mind.
    overlooked: i32,
    /// The standard deviation of its judgement from the evaluation, in centipawns.
    misjudgement: i32,
}

const fn level(elo: i32, plan: i32, overlooked: i32, misjudgement: i32) -> Level {
    Level { elo, plan, overlooked, misjudgement }
}

/// The levels that were measured; what lies between two of them is interpolated.
const LEVELS: [Level; 9] = [
    level(450, 10, 550, 120),
    level(750, 17, 400, 88),
    level(1100, 27, 290, 66),
    level(1350, 40, 190, 48),
    level(1600, 54, 115, 33),
    level(1850, 73, 65, 21),
    level(2150, 103, 36, 13),
    level(2350, 140, 12, 6),
    level(2700, 240, 3, 2),
];

/// The `Skill Level` that is no handicap.
pub const FULL_SKILL: i32 = 20;

/// How a weaker player sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    level: Level,
    seed: u64,
}

impl Handicap {
    /// The strengths that can be asked for.
    pub const ELO: RangeInclusive<i32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

    /// A player of this strength; strengths beyond [`Handicap::ELO`] are moved into it. Players
    /// with different seeds overlook different moves.
    pub fn of_elo(elo: i32, seed: u64) -> Handicap {
        let elo = elo.clamp(*Handicap::ELO.start(), *Handicap::ELO.end());
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1);
        let (below, above) = (LEVELS[above.saturating_sub(1)], LEVELS[above]);
        let span = (above.elo - below.elo).max(1);
        let between = |from: i32, to: i32| from + (to - from) * (elo - below.elo) / span;
        let level = Level {
            elo,
            plan: between(below.plan, above.plan),
            overlooked: between(below.overlooked, above.overlooked),
            misjudgement: between(below.misjudgement, above.misjudgement),
        };
        Handicap { level, seed }
    }

    /// The strength that a skill level below [`FULL_SKILL`] stands for: the levels divide the
    /// range evenly.
    pub fn elo_of_skill(skill: i32) -> i32 {
        let (least, greatest) = (*Handicap::ELO.start(), *Handicap::ELO.end());
        least + (greatest - least) * skill.clamp(0, FULL_SKILL - 1) / (FULL_SKILL - 1)
    }

    /// How deep this position is searched at most.
    pub fn depth(&self, board: &Board) -> Depth {
        let further =
            i32::from((self.draw((board.key().0, "plan")) % 10) < (self.level.plan % 10) as u64);
        Depth::new(self.level.plan / 10 + further)
    }

    /// Whether a move does not come to the player's mind, `ply` plies from the root. In check every
    /// move does: there are few.
    pub fn overlooks(&self, board: &Board, mv: Move, ply: Ply) -> bool {
        if board.in_check() {
            return false;
        }
        let percent = invisibility(board.chess().turn(), mv) * distance_share(ply) / 100;
        let drawn = self.draw((board.key().0, PackedMove::to_bits(Some(PackedMove::new(mv)))));
        ((drawn % 100_000) as i32) < self.level.overlooked * percent
    }

    /// What the player errs by in the judgement of a position, in centipawns.
    pub fn misjudgement(&self, board: &Board) -> i32 {
        // The sum of the four bytes of a random number is near to a normal distribution.
        let drawn = self.draw((board.key().0, "judgement")) as u32;
        let sum: i32 = drawn.to_le_bytes().map(i32::from).iter().sum();
        (sum - MEAN_OF_BYTES) * self.level.misjudgement / DEVIATION_OF_BYTES
    }

    /// A random number that depends on the game and on what it is for.
    fn draw(&self, about: impl Hash) -> u64 {
        BuildHasherDefault::<DefaultHasher>::new().hash_one((self.seed, about))
    }
}

/// Mean and standard deviation of the sum of four random bytes.
const MEAN_OF_BYTES: i32 = 510;
const DEVIATION_OF_BYTES: i32 = 148;

/// How easily moves are overlooked, in percent of a quiet move forwards: captures and promotions, and
/// what is added for moves backwards and for those of knights.
const TACTICAL: i32 = 25;
const BACKWARDS: i32 = 40;
const OF_KNIGHT: i32 = 20;
/// How easily moves are overlooked at the root, in percent of far down a line, and how much more so
/// with each ply.
const AT_ROOT: i32 = 40;
const MORE_A_PLY: i32 = 30;

/// How easily a move is overlooked, in percent of a quiet move forwards.
fn invisibility(turn: Color, mv: Move) -> i32 {
    if is_tactical(mv) {
        return TACTICAL;
    }
    let rank = |square: Square| square.rank() as i32;
    let ahead = mv.from().map_or(0, |from| rank(mv.to()) - rank(from)) * turn.fold_wb(1, -1);
    let backwards = if ahead < 0 { BACKWARDS } else { 0 };
    let of_knight = if mv.role() == Role::Knight { OF_KNIGHT } else { 0 };
    100 + backwards + of_knight
}

/// How easily moves are overlooked at this distance from the root, in percent of far down a line.
fn distance_share(ply: Ply) -> i32 {
    (AT_ROOT + MORE_A_PLY * ply.index() as i32).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::position::notation;
    use proptest::prelude::*;

    const KNIGHTS: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

    fn board(fen: &str) -> Board {
        Board::new(notation::parse_fen_any(fen).unwrap())
    }

    /// In how many of a thousand games a move is overlooked so many plies from the root.
    fn overlooked(elo: i32, uci: &str, ply: usize) -> usize {
        let board = board(KNIGHTS);
        let mv = notation::parse_move(board.chess(), uci).unwrap();
        (0..1_000)
            .filter(|&seed| Handicap::of_elo(elo, seed).overlooks(&board, mv, Ply::new(ply)))
            .count()
    }

    proptest! {
        #[test]
        fn the_stronger_a_level_the_further_it_plans_and_the_less_it_errs(
            one in 0..4_000_i32, other in 0..4_000_i32,
        ) {
            let (weaker, stronger) = (one.min(other), one.max(other));
            let (weaker, stronger) = (Handicap::of_elo(weaker, 1).level, Handicap::of_elo(stronger, 1).level);
            prop_assert!(weaker.plan <= stronger.plan);
            prop_assert!(weaker.overlooked >= stronger.overlooked);
            prop_assert!(weaker.misjudgement >= stronger.misjudgement);
        }
    }

    #[test]
    fn each_level_that_was_measured_is_met_exactly() {
        for level in LEVELS {
            assert_eq!(Handicap::of_elo(level.elo, 1).level, level);
        }
    }

    #[test]
    fn skill_levels_rise_from_the_weakest_strength_to_the_greatest() {
        let strengths: Vec<i32> = (0..FULL_SKILL).map(Handicap::elo_of_skill).collect();
        assert!(strengths.is_sorted_by(|one, other| one < other), "{strengths:?}");
        assert_eq!(strengths.first(), Some(Handicap::ELO.start()));
        assert_eq!(strengths.last(), Some(Handicap::ELO.end()));
    }

    #[test]
    fn retreats_are_missed_more_often_than_advances_and_those_more_often_than_captures() {
        let (weak, far) = (*Handicap::ELO.start(), 5);
        let missed = ["d3b1", "d3e2", "h2h3", "d4c5"].map(|uci| overlooked(weak, uci, far));
        let [retreat, other_retreat, advance, capture] = missed;
        assert!(retreat > advance + 50 && other_retreat > advance + 50, "{missed:?}");
        assert!(advance > capture + 100 && capture > 0, "{missed:?}");
        assert!(overlooked(weak, "d2b1", far) > retreat, "a knight's retreat is missed more still");
    }

    #[test]
    fn less_is_missed_on_the_board_than_far_down_a_line_and_less_by_the_strong() {
        let weak = *Handicap::ELO.start();
        assert!(overlooked(weak, "h2h3", 0) < overlooked(weak, "h2h3", 1));
        assert!(overlooked(weak, "h2h3", 1) < overlooked(weak, "h2h3", 2));
        assert!(overlooked(*Handicap::ELO.end(), "h2h3", 5) < 50);
    }

    #[test]
    fn the_judgement_errs_to_both_sides_by_as_much_as_the_level_says() {
        let board = board(KNIGHTS);
        let of = |seed| f64::from(Handicap::of_elo(LEVELS[0].elo, seed).misjudgement(&board));
        let errors: Vec<f64> = (0..4_000).map(of).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let variance = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / errors.len() as f64;
        let wanted = f64::from(LEVELS[0].misjudgement);
        assert!(mean.abs() < wanted / 10.0, "mean {mean}");
        assert!((variance.sqrt() - wanted).abs() < wanted / 10.0, "{}", variance.sqrt());
    }
}
