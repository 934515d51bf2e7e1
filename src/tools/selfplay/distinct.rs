//! Counts the distinct items of a stream in bounded memory.
//!
//! Adaptive sampling (Wegman 1984; Flajolet 1990): only hashes with a required number of trailing zero
//! bits are stored. When there are too many, one more zero bit is required. The number of stored hashes,
//! doubled for each required bit, estimates the number of distinct hashes. The count is exact as long
//! as no zero bit is required.

use std::collections::HashSet;

/// Largest number of stored hashes; the error of the estimate is then about a tenth of a percent.
const MAX_REMEMBERED: usize = 1 << 20;

/// A counter of distinct hashes.
#[derive(Clone, Debug, Default)]
pub struct DistinctCounter {
    remembered: HashSet<u64>,
    zero_bits: u32,
}

impl DistinctCounter {
    /// Counts a hash. Its bits must be well mixed.
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

    /// Number of distinct hashes so far.
    pub fn count(&self) -> u64 {
        (self.remembered.len() as u64) << self.zero_bits
    }

    /// Returns true if [`DistinctCounter::count`] is exact, false if it is an estimate.
    pub fn is_exact(&self) -> bool {
        self.zero_bits == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    #[test]
    fn few_hashes_are_counted_exactly_and_without_repetitions() {
        let mut distinct = DistinctCounter::default();
        for hash in (0..1000).chain(0..1000) {
            distinct.add(hash);
        }
        assert_eq!(distinct.count(), 1000);
        assert!(distinct.is_exact());
    }

    #[test]
    fn many_hashes_are_estimated_to_a_percent_in_bounded_memory() {
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
