//! Tests of the transposition table.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use proptest::prelude::*;

use super::*;

fn entry(score: i32, depth: i32, bound: Bound) -> TableEntry {
    TableEntry {
        mv: PackedMove::from_bits(0x0123),
        score: Score::new(score),
        bound,
        depth: Depth::new(depth),
        evaluation: Some(Score::new(-score).clamp_static()),
        tt_pv: depth % 2 == 0,
    }
}

fn bounds() -> impl Strategy<Value = Bound> {
    prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)]
}

proptest! {
    #[test]
    fn a_stored_entry_is_found_again(
        key in any::<u64>(), score in -15_000..15_000_i32, depth in 0..200_i32,
        bound in bounds(), ply in 0..MAX_PLY,
    ) {
        let table = TranspositionTable::new(1).unwrap();
        let stored = entry(score, depth, bound);
        table.store(Key(key), Ply::new(ply), stored);
        prop_assert_eq!(table.probe(Key(key), Ply::new(ply), 0), Some(stored));
        prop_assert_eq!(table.probe(Key(key ^ 1), Ply::new(ply), 0), None);
    }

    #[test]
    fn a_mate_keeps_its_distance_from_the_node_at_every_ply(
        distance in 1..100_usize, here in 0..100_usize, there in 0..100_usize,
    ) {
        let table = TranspositionTable::new(1).unwrap();
        for sign in [1, -1] {
            let at = |ply| sign * Score::mate_in(Ply::new(ply + distance)).centipawns();
            table.store(Key(7), Ply::new(here), entry(at(here), 9, Bound::Exact));
            let found = table.probe(Key(7), Ply::new(there), 0).unwrap();
            prop_assert_eq!(found.score.centipawns(), at(there));
        }
    }

    #[test]
    fn a_win_beyond_the_greatest_ply_never_cuts_off(
        distance in 0..=100_usize, here in 0..=MAX_PLY - 100, there in 0..=MAX_PLY,
    ) {
        let table = TranspositionTable::new(1).unwrap();
        for win in [Score::mate_in, Score::tablebase_win_in] {
            let stored = win(Ply::new(here + distance));
            table.store(Key(7), Ply::new(here), entry(stored.centipawns(), 9, Bound::Exact));
            let found = table.probe(Key(7), Ply::new(there), 0).unwrap();
            let answers = found.allows_cutoff(Depth::new(9), Score::DRAW, 0);
            prop_assert_eq!(answers, there + distance <= MAX_PLY);
            prop_assert!(!answers || found.score.is_valid());
        }
    }

    #[test]
    fn a_damaged_entry_counts_as_empty(
        key in any::<u64>(), bit in 0..96_u32, score in -2_000..2_000_i32,
    ) {
        let table = TranspositionTable::new(1).unwrap();
        table.store(Key(key), Ply::ROOT, entry(score, 5, Bound::Exact));
        let bucket = table.bucket(Key(key));
        if bit < 64 {
            bucket.data[0].fetch_xor(1 << bit, Relaxed);
        } else {
            bucket.checks[0].fetch_xor(1 << (bit - 64), Relaxed);
        }
        prop_assert_eq!(table.probe(Key(key), Ply::ROOT, 0), None);
    }
}

#[test]
fn only_the_move_of_a_win_too_late_for_the_fifty_move_rule_is_used() {
    let table = TranspositionTable::new(1).unwrap();
    for win in [Score::mate_in(Ply::new(20)), Score::tablebase_win_in(Ply::new(20))] {
        for score in [win, -win] {
            table.store(Key(7), Ply::ROOT, entry(score.centipawns(), 9, Bound::Exact));
            let probe = |halfmoves| table.probe(Key(7), Ply::ROOT, halfmoves).unwrap();
            assert!(probe(80).allows_cutoff(Depth::new(9), Score::DRAW, 80));
            let late = probe(81);
            assert!(late.mv.is_some() && !late.allows_cutoff(Depth::ZERO, Score::DRAW, 81));
            assert_eq!(late.adjust(Score::new(30)), Score::new(30));
        }
    }
}

#[test]
fn a_full_bucket_replaces_its_shallowest_entry_and_entries_of_older_searches() {
    let table = TranspositionTable::new(1).unwrap();
    // Keys that differ only in low bits share a bucket.
    for (low, depth) in [(0, 9), (1, 3), (2, 8), (3, 7), (4, 6)] {
        table.store(Key(low), Ply::ROOT, entry(0, depth, Bound::Exact));
    }
    table.store(Key(5), Ply::ROOT, entry(0, 5, Bound::Exact));
    assert_eq!(table.probe(Key(1), Ply::ROOT, 0), None);
    assert!(table.probe(Key(0), Ply::ROOT, 0).is_some());
    for _ in 0..3 {
        table.new_search();
    }
    table.store(Key(6), Ply::ROOT, entry(0, 1, Bound::Exact));
    table.store(Key(7), Ply::ROOT, entry(0, 1, Bound::Exact));
    assert!(table.probe(Key(6), Ply::ROOT, 0).is_some());
    assert!(table.probe(Key(7), Ply::ROOT, 0).is_some());
}

#[test]
fn a_shallow_bound_does_not_replace_a_much_deeper_one_of_the_same_search() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(Key(7), Ply::ROOT, entry(50, 12, Bound::Lower));
    table.store(Key(7), Ply::ROOT, entry(10, 2, Bound::Upper));
    assert_eq!(table.probe(Key(7), Ply::ROOT, 0).unwrap().depth, Depth::new(12));
    table.new_search();
    table.store(Key(7), Ply::ROOT, entry(10, 2, Bound::Upper));
    assert_eq!(table.probe(Key(7), Ply::ROOT, 0).unwrap().depth, Depth::new(2));
}

#[test]
fn a_new_entry_without_a_move_keeps_the_old_move() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(Key(7), Ply::ROOT, entry(50, 3, Bound::Lower));
    table.store(Key(7), Ply::ROOT, TableEntry { mv: None, ..entry(10, 4, Bound::Upper) });
    assert_eq!(table.probe(Key(7), Ply::ROOT, 0).unwrap().mv, PackedMove::from_bits(0x0123));
}

#[test]
fn hashfull_counts_only_entries_of_the_current_search() {
    let table = TranspositionTable::new(1).unwrap();
    for n in 0..1_000_000_u64 {
        let key = Key(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        table.store(key, Ply::ROOT, entry(0, 1, Bound::Exact));
    }
    assert!(table.hashfull() > 900);
    table.new_search();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn any_number_of_threads_clears_the_whole_table() {
    for threads in [1, 3, 64] {
        let mut table = TranspositionTable::new(1).unwrap();
        let keys = (0..10_000_u64).map(|n| Key(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        for key in keys.clone() {
            table.store(key, Ply::ROOT, entry(0, 1, Bound::Exact));
        }
        let found = |table: &TranspositionTable| {
            keys.clone().filter(|&key| table.probe(key, Ply::ROOT, 0).is_some()).count()
        };
        assert!(found(&table) > 9_000, "most entries are found before");
        table.clear(threads);
        assert_eq!(found(&table), 0);
    }
}

#[test]
fn a_table_larger_than_the_memory_is_refused_with_both_sizes() {
    let refusal = TranspositionTable::new(usize::MAX / MEGABYTE / 2)
        .err()
        .expect("no machine has so much memory");
    assert!(matches!(refusal, MemoryError::Table { .. }));
    assert!(refusal.to_string().contains("nine tenths of the"));
}

#[test]
fn a_resized_table_is_empty_and_has_the_requested_size() {
    let mut table = TranspositionTable::new(1).unwrap();
    for megabytes in [3, 1] {
        table.store(Key(7), Ply::ROOT, entry(50, 3, Bound::Lower));
        table.resize(megabytes).unwrap();
        assert_eq!(table.megabytes(), megabytes);
        assert_eq!(table.probe(Key(7), Ply::ROOT, 0), None);
    }
}

#[test]
fn a_table_that_cannot_grow_is_unchanged() {
    let mut table = TranspositionTable::new(2).unwrap();
    let stored = entry(50, 3, Bound::Lower);
    table.store(Key(7), Ply::ROOT, stored);
    assert!(table.resize(usize::MAX / MEGABYTE / 2).is_err());
    assert_eq!(table.megabytes(), 2);
    assert_eq!(table.probe(Key(7), Ply::ROOT, 0), Some(stored));
}

#[test]
fn a_bucket_is_one_cache_line() {
    let table = TranspositionTable::new(1).unwrap();
    assert_eq!(size_of::<Bucket>(), 64);
    assert!(table.buckets.iter().all(|bucket| std::ptr::from_ref(bucket).addr() % 64 == 0));
}

#[test]
fn concurrent_writes_to_a_bucket_never_give_a_mixed_entry() {
    let table = TranspositionTable::new(1).unwrap();
    // Score, evaluation and depth of an entry follow from its key, so that a mixture of two writes
    // is noticed.
    let expected = |low: u64| entry(low as i32 * 101 - 700, low as i32 + 1, Bound::Exact);
    thread::scope(|scope| {
        for worker in 0..4_u64 {
            let table = &table;
            scope.spawn(move || {
                for step in 0..200_000_u64 {
                    let low = (step * 7 + worker * 3) % 16;
                    table.store(Key(low), Ply::ROOT, expected(low));
                    let other = (step * 5 + worker) % 16;
                    if let Some(found) = table.probe(Key(other), Ply::ROOT, 0) {
                        assert_eq!(found, expected(other));
                    }
                }
            });
        }
    });
}
