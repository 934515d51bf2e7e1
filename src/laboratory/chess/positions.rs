//! The positions that the chess experiments are made on.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use outrider_engine::position::epd::Epd;

/// The suites that are built in.
const SUITES: [&str; 2] =
    [include_str!("../../../epd/bratko-kopec.epd"), include_str!("../../../epd/bench.epd")];

/// The positions that are built in: Bratko and Kopec's 24 and the 54 of the bench, which are of
/// all phases of the game.
pub(crate) fn built_in() -> Vec<Epd> {
    let lines = SUITES.iter().flat_map(|suite| suite.lines());
    lines.map(|line| line.parse().expect("the positions shipped are playable")).collect()
}

/// `count` of the positions that are built in, in their order; all of them if there are no more.
/// Each has a number from the ChaCha stream whose key is the seed, and those with the least numbers
/// are drawn: the same on every machine.
pub(crate) fn some(count: usize, seed: u64) -> Vec<Epd> {
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
    fn a_seed_draws_the_same_positions_again_and_another_draws_others() {
        assert_eq!(some(10, 1), some(10, 1));
        assert_ne!(some(10, 1), some(10, 2));
        assert_eq!(some(10, 1).len(), 10);
        assert_eq!(some(1000, 1), built_in());
    }

    #[test]
    fn the_draw_is_that_of_the_published_chacha_stream() {
        // From a ChaCha8 written apart, whose first number of seed 0 is 0xd640_5f89_2fef_003e.
        assert_eq!(ids(&some(4, 0)), ["BK.07", "bench.08", "bench.37", "bench.50"]);
        assert_eq!(ids(&some(4, 9)), ["BK.10", "bench.07", "bench.17", "bench.33"]);
    }
}
