//! The positions of the chess experiments.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use outrider_engine::position::epd::Epd;

/// The built-in suites.
const SUITES: [&str; 2] =
    [include_str!("../../../epd/bratko-kopec.epd"), include_str!("../../../epd/bench.epd")];

/// The built-in positions: the 24 of Bratko and Kopec and the 54 of the bench, from all phases of
/// the game.
pub(crate) fn built_in() -> Vec<Epd> {
    let lines = SUITES.iter().flat_map(|suite| suite.lines());
    lines.map(|line| line.parse().expect("the built-in positions are legal")).collect()
}

/// Returns a random sample of `count` built-in positions in their order; all of them if there are
/// no more. Each position gets a number from the ChaCha stream with the seed as its key, and those
/// with the smallest numbers are drawn: the same on every machine.
pub(crate) fn sample(count: usize, seed: u64) -> Vec<Epd> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    let mut drawn: Vec<_> =
        built_in().into_iter().enumerate().map(|place| (stream.next_u64(), place)).collect();
    drawn.sort_by_key(|&(number, _)| number);
    drawn.truncate(count);
    drawn.sort_by_key(|&(_, (index, _))| index);
    drawn.into_iter().map(|(_, (_, position))| position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(positions: &[Epd]) -> Vec<&str> {
        positions.iter().filter_map(Epd::id).collect()
    }

    #[test]
    fn the_built_in_positions_are_those_of_the_two_suites() {
        let all = built_in();
        let count = |suite| ids(&all).iter().filter(|id| id.starts_with(suite)).count();
        assert_eq!((count("BK."), count("bench."), all.len()), (24, 54, 78));
    }

    #[test]
    fn the_same_seed_draws_the_same_positions_and_another_seed_draws_others() {
        assert_eq!(sample(10, 1), sample(10, 1));
        assert_ne!(sample(10, 1), sample(10, 2));
        assert_eq!(sample(10, 1).len(), 10);
        assert_eq!(sample(1000, 1), built_in());
    }

    #[test]
    fn the_sample_follows_the_published_chacha_stream() {
        // From an independent ChaCha8, whose first number for seed 0 is 0xd640_5f89_2fef_003e.
        assert_eq!(ids(&sample(4, 0)), ["BK.07", "bench.08", "bench.37", "bench.50"]);
        assert_eq!(ids(&sample(4, 9)), ["BK.10", "bench.07", "bench.17", "bench.33"]);
    }
}
