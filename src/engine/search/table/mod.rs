//! The transposition table (TT): results of earlier searches of a position, shared by all threads
//! without locks.
//!
//! A bucket is one cache line of five entries. An entry is one word of data and a check of 32 bits,
//! the low half of the Zobrist key xored with the data (Hyatt and Mann 2002, "A lock-less
//! transposition table implementation"). If two threads write an entry at once, or one reads while
//! another writes, data and check do not match, and the entry counts as empty. They may match by
//! chance, so a move from the table is tested for legality before it is made.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bytemuck::Zeroable;

use super::parameters;
use super::report::Bound;
use crate::memory::{self, Zeroed};
use crate::memory_limit::{MemoryError, available_megabytes, check_tables_within};
use crate::position::{Key, PackedMove};
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Number of entries in a bucket.
const ENTRIES: usize = 5;
const MEGABYTE: usize = 1 << 20;
/// Number of different ages of entries.
const AGES: u8 = 32;
/// Stored if there is no static evaluation. Every evaluation is higher.
const NO_EVALUATION: i16 = i16::MIN;
/// Greatest fifty-move count at which a stored score cuts off. Close to the fifty moves the score
/// may be wrong, since it was found with more moves left.
const CUTOFF_MAX_HALFMOVES: u32 = 89;
/// Number of buckets in the sample that tells how full the table is: a thousand entries.
const SAMPLE: usize = 1_000 / ENTRIES;
/// Depth of an entry with an unusable score. It is below every search depth, so it never cuts off.
const UNUSABLE_DEPTH: Depth = Depth::new(-1);
/// Greatest fifty-move count of a node for probing its children. It is well below the fifty moves,
/// since a subtree that reaches them ends in a draw, which the table does not know.
pub(super) const CHILD_PROBE_MAX_HALFMOVES: u32 = 80;

/// An entry of the table for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Best move, or the move that caused the cut-off.
    pub mv: Option<PackedMove>,
    /// Score for the side to move. A win counts plies from the root.
    pub score: Score,
    /// Relation of the score to the true value.
    pub bound: Bound,
    /// Depth to which the position was searched.
    pub depth: Depth,
    /// Static evaluation before any correction; `None` in check.
    pub evaluation: Option<Score>,
    /// The position was once on a principal variation (PV).
    pub tt_pv: bool,
}

impl TableEntry {
    /// Returns true if the entry's score ends a search to `depth` with the null window below `beta`.
    /// `halfmoves` is the position's fifty-move count.
    pub fn allows_cutoff(&self, depth: Depth, beta: Score, halfmoves: u32) -> bool {
        halfmoves <= CUTOFF_MAX_HALFMOVES
            && self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score < beta,
            }
    }

    /// Returns `evaluation`, or the entry's score where that proves more.
    pub fn adjust(&self, evaluation: Score) -> Score {
        match self.bound {
            _ if self.score.is_decisive() => evaluation,
            Bound::Exact => self.score,
            Bound::Lower => evaluation.max(self.score),
            Bound::Upper => evaluation.min(self.score),
        }
    }
}

#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket {
    data: [AtomicU64; ENTRIES],
    checks: [AtomicU32; ENTRIES],
    unused: u32,
}

/// The transposition table. All methods except those that replace its memory take a shared
/// reference.
pub struct TranspositionTable {
    buckets: Zeroed<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates an empty table of this size, at least one megabyte.
    ///
    /// # Errors
    ///
    /// Fails if the size exceeds nine tenths of the memory available to this process.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, MemoryError> {
        TranspositionTable::new_within(megabytes, available_megabytes(0))
    }

    /// Replaces the table with an empty one of another size. The old table's memory counts as
    /// available.
    ///
    /// # Errors
    ///
    /// Fails if the size exceeds nine tenths of the memory available to this process. The old table
    /// is then kept.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        // Both tables exist for a moment, but new memory takes no space before it is written.
        *self = TranspositionTable::new_within(megabytes, available_megabytes(self.megabytes()))?;
        Ok(())
    }

    fn new_within(megabytes: usize, available: usize) -> Result<TranspositionTable, MemoryError> {
        let asked = megabytes.max(1);
        check_tables_within(asked, available)?;
        let count = asked.saturating_mul(MEGABYTE) / size_of::<Bucket>();
        let buckets = Zeroed::new(count).map_err(|_| MemoryError::Refused { asked })?;
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// Returns the size in megabytes, rounded down.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.buckets) / MEGABYTE
    }

    /// Clears the table with up to `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        let share = self.buckets.len().div_ceil(threads.max(1));
        let parts = Mutex::new(self.buckets.chunks_mut(share));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let clear_parts = || {
            while let Some(part) = next() {
                part.fill_with(Bucket::zeroed);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // A thread that cannot be started only makes this slower.
                let _ = thread::Builder::new().spawn_scoped(scope, clear_parts);
            }
            clear_parts();
        });
        self.age.store(0, Relaxed);
    }

    /// Starts a new search. Existing entries age, and are replaced sooner.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Returns the share of entries of the current search, in permille, from a sample.
    pub fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let age = self.age.load(Relaxed);
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.data)
            .map(|data| Packed(data.load(Relaxed)))
            .filter(|packed| packed.bound().is_some() && packed.age() == age)
            .count();
        used * 1_000 / (sample.len() * ENTRIES)
    }

    /// Starts to load the bucket of a position that will soon be probed.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    /// Returns the entry of the position with this key. `halfmoves` is the position's fifty-move
    /// count. If a win or a loss in the entry comes too late for the fifty-move rule, or beyond the
    /// greatest ply, the entry's depth is [`UNUSABLE_DEPTH`], so that the score never cuts off.
    pub fn probe(&self, key: Key, ply: Ply, halfmoves: u32) -> Option<TableEntry> {
        let bucket = self.bucket(key);
        for (data, check) in bucket.data.iter().zip(&bucket.checks) {
            let packed = Packed(data.load(Relaxed));
            if packed.check(key) == check.load(Relaxed)
                && let Some(bound) = packed.bound()
            {
                return Some(packed.unpack(bound, ply, halfmoves));
            }
        }
        None
    }

    /// Stores the result of a search. It replaces an entry of the same position, or else the entry
    /// of the bucket with the least worth by depth and age. An entry of the same position stays if
    /// it is much deeper. Its move is kept if the new entry has none.
    pub fn store(&self, key: Key, ply: Ply, mut entry: TableEntry) {
        debug_assert!(entry.score.is_valid(), "{entry:?}");
        debug_assert!(entry.evaluation.is_none_or(|value| !value.is_decisive()), "{entry:?}");
        let bucket = self.bucket(key);
        let age = self.age.load(Relaxed);
        let mut replaced = 0;
        let mut min_worth = i32::MAX;
        for index in 0..ENTRIES {
            let old = Packed(bucket.data[index].load(Relaxed));
            if old.bound().is_none() {
                replaced = index;
                break;
            }
            if old.check(key) == bucket.checks[index].load(Relaxed) {
                let margin = parameters::table_much_deeper();
                let deeper = old.depth() >= entry.depth.plies() + margin;
                if deeper && entry.bound != Bound::Exact && old.age() == age {
                    return;
                }
                entry.mv = entry.mv.or(old.mv());
                replaced = index;
                break;
            }
            let searches_since = i32::from((AGES + age - old.age()) % AGES);
            let worth = old.depth() - parameters::table_age_penalty() * searches_since;
            if worth < min_worth {
                min_worth = worth;
                replaced = index;
            }
        }
        let packed = Packed::new(&entry, ply, age);
        bucket.data[replaced].store(packed.0, Relaxed);
        bucket.checks[replaced].store(packed.check(key), Relaxed);
    }

    /// Flips a bit of each word of data and of some checks, like faulty memory.
    #[cfg(test)]
    pub(in crate::search) fn flip_bits(&self) {
        for (number, bucket) in (0_u64..).zip(&*self.buckets) {
            let noise = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for (place, data) in bucket.data.iter().enumerate() {
                data.fetch_xor(1 << (noise >> (6 * place) & 63), Relaxed);
            }
            for (place, check) in bucket.checks.iter().enumerate() {
                // Some checks stay unchanged.
                let flipped = if noise >> 63 == 0 { 1 << (noise >> (5 * place) & 31) } else { 0 };
                check.fetch_xor(flipped, Relaxed);
            }
        }
    }

    fn bucket(&self, key: Key) -> &Bucket {
        // Lemire's reduction takes the key as a fraction of all keys, so any number of buckets
        // works.
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// Data of an entry in one word of 64 bits: 16 for the move, 16 for the score, 16 for the
/// evaluation, 8 for the depth, 5 for the age, 1 for the PV flag and 2 for the bound. The bound is
/// never zero, so a zero word is an empty entry.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: &TableEntry, ply: Ply, age: u8) -> Packed {
        let score = score_to_tt(entry.score, ply).centipawns() as i16;
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.centipawns() as i16);
        let depth = entry.depth.plies().clamp(0, i32::from(u8::MAX)) as u8;
        Packed(
            u64::from(PackedMove::to_bits(entry.mv))
                | u64::from(score as u16) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(depth) << 48
                | u64::from(age) << 56
                | u64::from(entry.tt_pv) << 61
                | (entry.bound as u64) << 62,
        )
    }

    fn unpack(self, bound: Bound, ply: Ply, halfmoves: u32) -> TableEntry {
        let score = Score::new(i32::from((self.0 >> 16) as i16));
        let evaluation = (self.0 >> 32) as i16;
        let usable = is_reachable(score, ply, halfmoves);
        TableEntry {
            mv: self.mv(),
            score: score_from_tt(score, ply),
            bound,
            depth: if usable { Depth::new(self.depth()) } else { UNUSABLE_DEPTH },
            evaluation: (evaluation != NO_EVALUATION).then(|| Score::new(i32::from(evaluation))),
            tt_pv: self.0 >> 61 & 1 == 1,
        }
    }

    fn check(self, key: Key) -> u32 {
        key.0 as u32 ^ self.0 as u32 ^ (self.0 >> 32) as u32
    }

    fn mv(self) -> Option<PackedMove> {
        PackedMove::from_bits(self.0 as u16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn age(self) -> u8 {
        (self.0 >> 56) as u8 % AGES
    }

    fn bound(self) -> Option<Bound> {
        match self.0 >> 62 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }
}

/// Converts a score for the table. A win counts plies from the root in the search. In the table it
/// counts plies from the node, since other paths reach the node at other plies.
fn score_to_tt(score: Score, ply: Ply) -> Score {
    let ply = ply.index() as i32;
    if score.is_win() {
        score + ply
    } else if score.is_loss() {
        score - ply
    } else {
        score
    }
}

/// Converts a score from the table; the inverse of [`score_to_tt`].
fn score_from_tt(score: Score, ply: Ply) -> Score {
    let ply = ply.index() as i32;
    if score.is_win() {
        score - ply
    } else if score.is_loss() {
        score + ply
    } else {
        score
    }
}

/// Returns true if a win or loss, counted from the node, comes before the fifty-move rule makes it a
/// draw, and not beyond the greatest ply, for which no score exists. Is true for all other scores.
fn is_reachable(score: Score, ply: Ply, halfmoves: u32) -> bool {
    let end = if score.is_mate() { Score::MATE } else { Score::TABLEBASE_WIN };
    let plies = end.centipawns() - score.centipawns().abs();
    let max_plies = (100 - halfmoves.min(100) as i32).min(MAX_PLY as i32 - ply.index() as i32);
    !score.is_decisive() || plies <= max_plies
}

#[cfg(test)]
mod tests;
