//! Hashes of a seed and a node's place, so that no part of a tree needs to be stored.

use rand::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers of one tree: one for each node, in any order.
///
/// The number of node n is the output of the SplitMix64 generator (Steele, Lea and Flood 2014)
/// after n steps from a key, computed by one jump and one mix. The key comes from a ChaCha stream.
/// Both are defined to the bit, so a seed gives the same tree everywhere. A ChaCha stream has
/// random access too, but it takes longer than everything else that alpha-beta does at a leaf, so
/// it would hide the differences that `execution-time` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RandomNumbers {
    key: u64,
}

/// Identifies a tree of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Seed of the whole series.
    pub series: u64,
    /// Index of the tree in the series.
    pub tree: u64,
}

impl RandomNumbers {
    /// Creates the numbers for a tree of this width and height, one sequence for each `purpose`.
    /// Trees of other sizes get independent numbers, so a lower tree is not a part of a higher one
    /// (Marsland, Reinefeld and Schaeffer 1987, section 4.1.1).
    pub(super) fn new(seed: Seed, width: usize, height: usize, purpose: u64) -> RandomNumbers {
        let mut key = <ChaCha8Rng as SeedableRng>::Seed::default();
        let words = [seed.series, width as u64, height as u64, purpose];
        for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let mut stream = ChaCha8Rng::from_seed(key);
        stream.set_stream(seed.tree);
        RandomNumbers::from_key(stream.next_u64())
    }

    pub(super) fn from_key(key: u64) -> RandomNumbers {
        RandomNumbers { key }
    }

    /// Returns a number for the node of this rank, uniformly from 0 to `count` - 1.
    pub(super) fn below(self, count: u64, rank: u64) -> u64 {
        let wide = u128::from(self.number(rank)) * u128::from(count);
        (wide >> 64) as u64
    }

    /// Returns the number of a node.
    pub(super) fn number(self, rank: u64) -> u64 {
        let state = self.key.wrapping_add(rank.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
