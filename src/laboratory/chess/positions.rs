//! The positions that the chess experiments are made on.

use crate::laboratory::generated::Numbers;
use crate::position::epd::Epd;

/// The suites that are built in.
const SUITES: [&str; 2] =
    [include_str!("../../../epd/bratko-kopec.epd"), include_str!("../../../epd/bench.epd")];

/// The positions that are built in: Bratko and Kopec's 24 and the 54 of the bench, which are of
/// all phases of the game.
pub fn built_in() -> Vec<Epd> {
    let lines = SUITES.iter().flat_map(|suite| suite.lines());
    lines.map(|line| line.parse().expect("the positions shipped are playable")).collect()
}

/// So many of the positions that are built in, in their order; all of them if there are no more.
pub fn some(count: usize, seed: u64) -> Vec<Epd> {
    let all = built_in();
    let mut drawn: Vec<usize> = (0..all.len()).collect();
    let numbers = Numbers::from_key(seed);
    drawn.sort_by_key(|&index| numbers.of(index as u64));
    drawn.truncate(count);
    drawn.sort_unstable();
    drawn.into_iter().map(|index| all[index].clone()).collect()
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
}
