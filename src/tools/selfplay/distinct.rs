//! The number of different things in a stream, counted in bounded memory.
//!
//! Adaptive sampling (Wegman 1984; Flajolet 1990): only hashes that end in a certain number of zero
//! bits are remembered, and whenever too many are, one more zero bit is asked for. What is remembered,
//! times two for each bit, estimates the number of different hashes; as long as no bit was asked
//! for, it is exact.

use std::collections::HashSet;

/// Hashes remembered at most: the estimate is then good to about a tenth of a percent.
const MAX_REMEMBERED: usize = 1 << 20;

/// A counter of different hashes.
#[derive(Clone, Debug, Default)]
pub struct DistinctCounter {
    remembered: HashSet<u64>,
    zero_bits: u32,
}

impl DistinctCounter {
    /// Counts a hash, whose bits must be well mixed.
    pub(crate) fn add(&mut self, hash: u64) {
        if hash.trailing_zeros() < self.zero_bits {
            return;
        }
        self.remembered.insert(hash);
        while self.remembered.len() > MAX_REMEMBERED {
            self.zero_bits += 1;
            self.remembered.retain(|hash| hash.trailing_zeros() >= self.zero_bits);
        }
    }

    /// The number of different hashes so far.
    pub fn count(&self) -> u64 {
        (self.remembered.len() as u64) << self.zero_bits
    }

    /// Whether [`DistinctCounter::count`] is exact rather than an estimate.
    pub fn is_exact(&self) -> bool {
        self.zero_bits == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    #[test]
    fn a_few_are_counted_exactly_and_repetitions_not_at_all() {
        let mut distinct = DistinctCounter::default();
        for hash in (0..1000).chain(0..1000) {
            distinct.add(hash);
        }
        assert_eq!(distinct.count(), 1000);
        assert!(distinct.is_exact());
    }

    #[test]
    fn many_are_estimated_to_a_percent_in_bounded_memory() {
        let mut distinct = DistinctCounter::default();
        let mut random = StdRng::seed_from_u64(1);
        let many = 5 * MAX_REMEMBERED;
        for _ in 0..many {
            distinct.add(random.random());
        }
        assert!(!distinct.is_exact() && distinct.remembered.len() <= MAX_REMEMBERED);
        assert!(distinct.count().abs_diff(many as u64) < many as u64 / 100);
    }
}
