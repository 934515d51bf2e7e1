//! The transposition table (TT): what earlier searches found out about a position, shared by all
//! threads without locks.
//!
//! A bucket is one cache line of five entries. An entry is one word of data and a check of 32 bits,
//! which is the low half of the Zobrist key xored with the data (Hyatt and Mann 2002, "A lock-less
//! transposition table implementation"): if two threads write an entry at once, or one reads while
//! another writes, data and check do not fit together and the entry counts as empty. The check may
//! fit by chance, so a move from the table is tested for legality before it is made.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bytemuck::Zeroable;

use super::parameters;
use super::report::Bound;
use crate::memory::{self, Zeroed};
use crate::memory_limit::{MemoryError, available_megabytes, fits};
use crate::position::{Key, PackedMove};
use crate::units::{Depth, MAX_PLY, Ply, Score};

const ENTRIES: usize = 5;
const MEGABYTE: usize = 1 << 20;
const AGES: u8 = 32;
/// Stored for no static evaluation; none is as low.
const NO_EVALUATION: i16 = i16::MIN;
/// The greatest fifty-move count at which a stored score cuts off. Close to the fifty moves it may
/// be wrong, since it was found with more moves left.
const CUTOFF_MAX_HALFMOVES: u32 = 89;
/// The depth of an entry whose score proves nothing: every search asks for more.
const UNUSABLE_DEPTH: Depth = Depth::new(-1);
/// The greatest fifty-move count of a node whose children are probed. It is well below the fifty
/// moves, since a subtree that reaches them ends in a draw, whatever the table says.
pub(super) const CHILD_PROBE_MAX_HALFMOVES: u32 = 80;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The move that was best or caused the cut-off.
    pub mv: Option<PackedMove>,
    /// The score for the side to move; that of a win counts plies from the root.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// The depth to which the position was searched.
    pub depth: Depth,
    /// The static evaluation before any correction; `None` in check.
    pub evaluation: Option<Score>,
    /// Whether the position was ever on a principal variation (PV).
    pub tt_pv: bool,
}

impl TableEntry {
    /// Whether the entry's score answers a search to `depth` with the null window below `beta`;
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

    /// A static evaluation, replaced by the entry's score where that proves more.
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

/// The table. All methods except those that replace its memory take a shared reference.
pub struct TranspositionTable {
    buckets: Zeroed<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of this size, at least a megabyte.
    ///
    /// # Errors
    ///
    /// Refuses a size above nine tenths of the memory available to this process.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, MemoryError> {
        TranspositionTable::new_within(megabytes, available_megabytes(0))
    }

    /// Replaces the table by an empty one of another size; the old one's memory counts as free.
    ///
    /// # Errors
    ///
    /// Refuses a size above nine tenths of the memory available to this process; then the old
    /// table stays.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        // Both exist for a moment, but new memory takes no space before it is written to.
        *self = TranspositionTable::new_within(megabytes, available_megabytes(self.megabytes()))?;
        Ok(())
    }

    fn new_within(megabytes: usize, available: usize) -> Result<TranspositionTable, MemoryError> {
        let asked = megabytes.max(1);
        if !fits(asked, available) {
            return Err(MemoryError::Table { asked, available });
        }
        let count = asked.saturating_mul(MEGABYTE) / size_of::<Bucket>();
        let buckets = Zeroed::new(count).map_err(|_| MemoryError::Refused { asked })?;
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// The size in megabytes, rounded down.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.buckets) / MEGABYTE
    }

    /// Clears the table, with `threads` threads if the system grants them.
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
                // One that the system does not grant only makes it slower.
                let _ = thread::Builder::new().spawn_scoped(scope, clear_parts);
            }
            clear_parts();
        });
        self.age.store(0, Relaxed);
    }

    /// A new search begins: entries that are there already age, and are replaced sooner.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How full the table is with entries of the current search, in permille, from a sample.
    pub fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1_000)];
        let age = self.age.load(Relaxed);
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.data)
            .map(|data| Packed(data.load(Relaxed)))
            .filter(|packed| packed.bound().is_some() && packed.age() == age)
            .count();
        used * 1_000 / (sample.len() * ENTRIES)
    }

    /// Starts loading the bucket of a position that will soon be probed.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    /// The entry of the position with this key. `halfmoves` is its fifty-move count: of a win that
    /// would come too late for it, or beyond the greatest ply, only the move is used.
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

    /// Stores what a search found out. It replaces an entry of the same position or else the one of
    /// the bucket that is worth least by depth and age. An entry of the same position stays if it
    /// is much deeper, and its move is kept if the new entry has none.
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

    /// Flips a bit of each word, entries and checks: what broken memory does.
    #[cfg(test)]
    pub(in crate::search) fn flip_bits(&self) {
        for (number, bucket) in (0_u64..).zip(&*self.buckets) {
            let noise = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for (place, data) in bucket.data.iter().enumerate() {
                data.fetch_xor(1 << (noise >> (6 * place) & 63), Relaxed);
            }
            for (place, check) in bucket.checks.iter().enumerate() {
                // Some checks stay right for the key that the entry is of.
                let flipped = if noise >> 63 == 0 { 1 << (noise >> (5 * place) & 31) } else { 0 };
                check.fetch_xor(flipped, Relaxed);
            }
        }
    }

    fn bucket(&self, key: Key) -> &Bucket {
        // The key as a fraction of all keys (Lemire's reduction): any number of buckets will do.
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// An entry's data in a word: move 16 bits, score 16, evaluation 16, depth 8, age 5, PV 1, bound 2.
/// The bound is never zero, so a zero word is no entry.
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

/// The score of a win counts plies from the root; in the table it counts from the node, which other
/// paths reach at other plies.
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

/// Whether a win or loss, counted from the node, comes before the fifty-move rule makes it a draw, and
/// not beyond the greatest ply, for which there is no score.
fn is_reachable(score: Score, ply: Ply, halfmoves: u32) -> bool {
    let end = if score.is_mate() { Score::MATE } else { Score::TABLEBASE_WIN };
    let plies = end.centipawns() - score.centipawns().abs();
    let max_plies = (100 - halfmoves.min(100) as i32).min(MAX_PLY as i32 - ply.index() as i32);
    !score.is_decisive() || plies <= max_plies
}

#[cfg(test)]
mod tests;
