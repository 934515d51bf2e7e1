//! Strengths from results of games, by maximum likelihood.
//!
//! A player's expected score is logistic in the difference of strengths (Elo 1978), and a draw is half a
//! win. Players with a known strength are the anchor of the scale. Games between two levels of the same
//! engine exaggerate its differences: a level that looks a few plies deeper sees just what the other
//! misses. So they have a slope of their own, which the fit finds too.

use std::f64::consts::LN_10;

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

/// A player: its strength is known, or expected and to be found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Player {
    Anchor(f64),
    Level(f64),
}

/// Wins, draws and losses of the first player against the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Tally {
    pub(super) fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Draws as many games again from the shares of these results.
    fn resampled(self, random: &mut ChaCha8Rng) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..self.games() {
            let drawn = random.random_range(0..self.games());
            match drawn {
                _ if drawn < self.wins => tally.wins += 1,
                _ if drawn < self.wins + self.draws => tally.draws += 1,
                _ => tally.losses += 1,
            }
        }
        tally
    }
}

/// The games of two players, given by their indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pairing {
    pub players: [usize; 2],
    pub tally: Tally,
}

/// Strengths that make the results likeliest.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// Strength of each player.
    pub strengths: Vec<f64>,
    /// Elo of a difference in games between levels, for one Elo of strength.
    pub slope: f64,
}

/// A fit with half the width of its 95 % intervals.
pub(super) struct Measured {
    pub fit: Fit,
    /// Half the width for each player, 0 for an anchor.
    pub errors: Vec<f64>,
    pub slope_error: f64,
}

/// Number of steps of a fit. Far fewer suffice.
const STEPS: usize = 2_000;
/// A step below this number of Elo ends a fit.
const TOLERANCE: f64 = 1e-4;
/// Deviations of the weak beliefs that strengths are as expected and the slope is 1. They keep a level
/// finite that has won or lost all its games.
const STRENGTH_DEVIATION: f64 = 1_000.0;
const SLOPE_DEVIATION: f64 = 2.0;
/// Number of resampled fits for the errors.
const RESAMPLED: usize = 200;
/// Deviations in half of a 95 % interval.
const NORMAL_95: f64 = 1.96;
/// Elo in the logistic scale of base e.
const UNIT: f64 = LN_10 / 400.0;

/// First and second derivative of the likelihood's logarithm.
#[derive(Clone, Copy, Default)]
struct Derivatives(f64, f64);

impl Derivatives {
    /// Adds the games of a pairing, whose difference in Elo changes by `rate` with the variable.
    fn add(&mut self, tally: Tally, difference: f64, rate: f64) {
        let expected = 1.0 / (1.0 + (-UNIT * difference).exp());
        let games = f64::from(tally.games());
        self.0 += UNIT * rate * (tally.points() - games * expected);
        self.1 -= (UNIT * rate).powi(2) * games * expected * (1.0 - expected);
    }

    /// Returns Newton's step from `value`, of at most `limit`, with a weak belief about the value.
    fn step(mut self, value: f64, belief: f64, deviation: f64, limit: f64) -> f64 {
        self.0 -= (value - belief) / deviation.powi(2);
        self.1 -= deviation.powi(-2);
        (-self.0 / self.1).clamp(-limit, limit)
    }
}

/// Finds the strengths that make the results likeliest.
pub(super) fn fit(players: &[Player], pairings: &[Pairing]) -> Fit {
    let expected = |player: &Player| match *player {
        Player::Anchor(elo) | Player::Level(elo) => elo,
    };
    let mut fit = Fit { strengths: players.iter().map(expected).collect(), slope: 1.0 };
    for _ in 0..STEPS {
        let mut greatest = 0.0_f64;
        for (player, kind) in players.iter().enumerate() {
            if let Player::Level(belief) = *kind {
                let derivatives = fit.by_strength(player, players, pairings);
                let strength = &mut fit.strengths[player];
                let step = derivatives.step(*strength, belief, STRENGTH_DEVIATION, 200.0);
                *strength += step;
                greatest = greatest.max(step.abs());
            }
        }
        let step = fit.by_slope(players, pairings).step(fit.slope, 1.0, SLOPE_DEVIATION, 0.2);
        fit.slope = (fit.slope + step).max(0.1);
        if greatest < TOLERANCE && step.abs() < TOLERANCE {
            break;
        }
    }
    fit
}

/// Finds the strengths with their errors, from fits of resampled results.
pub(super) fn measure(
    players: &[Player],
    pairings: &[Pairing],
    random: &mut ChaCha8Rng,
) -> Measured {
    let found = fit(players, pairings);
    let resampled: Vec<Fit> = (0..RESAMPLED)
        .map(|_| {
            let again =
                |pairing: &Pairing| Pairing { tally: pairing.tally.resampled(random), ..*pairing };
            fit(players, &pairings.iter().map(again).collect::<Vec<_>>())
        })
        .collect();
    let error = |value: &dyn Fn(&Fit) -> f64| {
        let squares = resampled.iter().map(|again| (value(again) - value(&found)).powi(2));
        NORMAL_95 * (squares.sum::<f64>() / RESAMPLED as f64).sqrt()
    };
    Measured {
        errors: (0..players.len()).map(|player| error(&|fit| fit.strengths[player])).collect(),
        slope_error: error(&|fit| fit.slope),
        fit: found,
    }
}

impl Fit {
    /// Returns the slope of a pairing: that of two levels, or 1.
    fn slope_of(&self, pairing: &Pairing, players: &[Player]) -> f64 {
        let is_level = |&player: &usize| matches!(players[player], Player::Level(_));
        if pairing.players.iter().all(is_level) { self.slope } else { 1.0 }
    }

    /// Returns how much stronger the first player of a pairing is.
    fn difference(&self, pairing: &Pairing) -> f64 {
        let [first, second] = pairing.players;
        self.strengths[first] - self.strengths[second]
    }

    fn by_strength(&self, player: usize, players: &[Player], pairings: &[Pairing]) -> Derivatives {
        let mut derivatives = Derivatives::default();
        for pairing in pairings {
            let slope = self.slope_of(pairing, players);
            let sign = match pairing.players {
                [first, _] if first == player => 1.0,
                [_, second] if second == player => -1.0,
                _ => continue,
            };
            derivatives.add(pairing.tally, slope * self.difference(pairing), sign * slope);
        }
        derivatives
    }

    fn by_slope(&self, players: &[Player], pairings: &[Pairing]) -> Derivatives {
        let mut derivatives = Derivatives::default();
        let is_level = |player: usize| matches!(players[player], Player::Level(_));
        for pairing in pairings.iter().filter(|pairing| pairing.players.into_iter().all(is_level)) {
            let difference = self.difference(pairing);
            derivatives.add(pairing.tally, self.slope * difference, difference);
        }
        derivatives
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    /// True strengths of three levels, and an anchor for the two upper ones.
    const TRUE: [f64; 5] = [900.0, 1_300.0, 1_650.0, 1_350.0, 1_600.0];
    const PLAYERS: [Player; 5] = [
        Player::Level(1_000.0),
        Player::Level(1_200.0),
        Player::Level(1_800.0),
        Player::Anchor(1_350.0),
        Player::Anchor(1_600.0),
    ];

    /// Returns pairings with exactly the expected results, for a slope between levels.
    fn expected(slope: f64, games: u32) -> Vec<Pairing> {
        [[0, 1], [1, 2], [1, 3], [2, 4], [2, 3]]
            .map(|players| {
                let slope = if players[1] < 3 { slope } else { 1.0 };
                let difference = slope * (TRUE[players[0]] - TRUE[players[1]]);
                let share = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
                let wins = (share * f64::from(games)).round() as u32;
                Pairing { players, tally: Tally { wins, draws: 0, losses: games - wins } }
            })
            .to_vec()
    }

    #[test]
    fn the_fit_finds_the_strengths_and_the_slope_that_results_were_made_with() {
        for slope in [0.8, 1.0, 1.6] {
            let fit = fit(&PLAYERS, &expected(slope, 100_000));
            for (found, truth) in fit.strengths.iter().zip(TRUE) {
                assert!((found - truth).abs() < 5.0, "{fit:?}");
            }
            assert!((fit.slope - slope).abs() < 0.02, "{fit:?}");
        }
    }

    #[test]
    fn a_draw_is_half_a_win_and_half_a_loss() {
        let players = [Player::Level(1_000.0), Player::Anchor(1_500.0)];
        let strength = |tally| fit(&players, &[Pairing { players: [0, 1], tally }]).strengths[0];
        let drawn = strength(Tally { wins: 0, draws: 40, losses: 0 });
        let divided = strength(Tally { wins: 20, draws: 0, losses: 20 });
        assert!((drawn - divided).abs() < 0.01 && (drawn - 1_500.0).abs() < 5.0, "{drawn}");
    }

    #[test]
    fn a_level_that_wins_all_its_games_has_a_finite_strength() {
        let players = [Player::Level(1_500.0), Player::Anchor(1_500.0)];
        let tally = Tally { wins: 20, draws: 0, losses: 0 };
        let strength = fit(&players, &[Pairing { players: [0, 1], tally }]).strengths[0];
        assert!((1_800.0..3_500.0).contains(&strength), "{strength}");
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_number_of_games() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut error = |games| measure(&PLAYERS, &expected(1.2, games), &mut random).errors[1];
        let (few, many) = (error(100), error(1_600));
        assert!((2.5..6.0).contains(&(few / many)), "{few} and {many}");
        assert!((20.0..150.0).contains(&few), "{few}");
    }
}
