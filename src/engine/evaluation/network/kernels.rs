//! The arithmetic of the network, compiled for several sets of vector instructions.
//!
//! The loops have fixed lengths, so the compiler vectorises them. It vectorises the sum of the last
//! layer only partly, so that sum is written with intrinsics: a clipped sum is at most 160 and a weight at
//! most 127, so their product fits 16 bits, and summing `v * (v * w)` in 32 bits takes one multiplication
//! of 16-bit lanes and one multiply-add of pairs. Sums of whole numbers do not depend on their order, so
//! all sets of instructions give the same values.
//!
//! The set is chosen once, when a network is created; calls go through a table of functions. In a build
//! with SSE4.1 enabled at compile time (`target-cpu=native`) the intrinsics could not be called without
//! `unsafe`, so the compiler's version is used there. The Makefile avoids such a build.

#[cfg(not(target_feature = "sse4.1"))]
use multiversion::target::match_target;
use multiversion::{inherit_target, multiversion};

use super::HIDDEN;
use super::features::{FEATURES, INPUTS};
use super::file::FIRST_LAYER_ONE;

/// One number per hidden unit: an accumulator, or the weights of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector(pub [i16; HIDDEN]);

/// The weights of one input of the first layer, or of one threatened piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct WeightRow(pub [i8; HIDDEN]);

/// The first layer's weights by input.
pub(super) type FeatureWeights = [WeightRow; INPUTS];

/// The weights of threats by feature.
pub(super) type ThreatWeights = [WeightRow; FEATURES];

/// The functions for one set of instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    /// `target = source - row + row`, for a quiet move or a promotion.
    pub add_sub: fn(&HiddenVector, &mut HiddenVector, &WeightRow, &WeightRow),
    /// `target = source - rows + row`, for a capture.
    pub add_sub_sub: fn(&HiddenVector, &mut HiddenVector, [&WeightRow; 2], &WeightRow),
    /// `target = source - rows + rows`, for castling.
    pub add_add_sub_sub: fn(&HiddenVector, &mut HiddenVector, [&WeightRow; 2], [&WeightRow; 2]),
    /// Subtracts the weights of the first features from an accumulator and adds those of the second.
    pub update: fn(&mut HiddenVector, &FeatureWeights, &[u16], &[u16]),
    /// Sum of `v * v * w` over the units, where `v` is the clipped sum of accumulator and rows, and `w`
    /// the weight.
    pub screlu_sum: fn(&HiddenVector, &[&WeightRow], &HiddenVector) -> i32,
}

/// Defines a function that returns the kernels for the first of these targets that the machine
/// supports, or else portable kernels.
macro_rules! kernels_for {
    ($(#[$attribute:meta])* $name:ident, $targets:meta) => {
        $(#[$attribute])*
        #[cfg_attr(target_feature = "sse4.1", allow(dead_code))]
        #[multiversion($targets)]
        pub(super) fn $name() -> Kernels {
            #[inherit_target]
            fn add_sub(
                source: &HiddenVector,
                target: &mut HiddenVector,
                removed: &WeightRow,
                added: &WeightRow,
            ) {
                add_and_sub(source, target, [removed], [added]);
            }
            #[inherit_target]
            fn add_sub_sub(
                source: &HiddenVector,
                target: &mut HiddenVector,
                removed: [&WeightRow; 2],
                added: &WeightRow,
            ) {
                add_and_sub(source, target, removed, [added]);
            }
            #[inherit_target]
            fn add_add_sub_sub(
                source: &HiddenVector,
                target: &mut HiddenVector,
                removed: [&WeightRow; 2],
                added: [&WeightRow; 2],
            ) {
                add_and_sub(source, target, removed, added);
            }
            #[inherit_target]
            fn update(
                accumulator: &mut HiddenVector,
                weights: &FeatureWeights,
                removed: &[u16],
                added: &[u16],
            ) {
                apply(accumulator, weights, removed, added);
            }
            #[inherit_target]
            fn sum_with<const N: usize>(
                accumulator: &HiddenVector,
                rows: [&WeightRow; N],
                weights: &HiddenVector,
            ) -> i32 {
                #[cfg(target_feature = "sse4.1")]
                {
                    plain_screlu_sum(accumulator, rows, weights)
                }
                #[cfg(not(target_feature = "sse4.1"))]
                match_target! {
                    "x86_64+avx512f+avx512bw" => x86::screlu_sum_32(accumulator, rows, weights),
                    "x86_64+avx2" => x86::screlu_sum_16(accumulator, rows, weights),
                    "x86_64+sse4.1" => x86::screlu_sum_8(accumulator, rows, weights),
                    _ => plain_screlu_sum(accumulator, rows, weights),
                }
            }
            #[inherit_target]
            fn screlu_sum(
                accumulator: &HiddenVector,
                rows: &[&WeightRow],
                weights: &HiddenVector,
            ) -> i32 {
                // There are rarely more than two rows, and up to two are added within the loop.
                match *rows {
                    [] => sum_with(accumulator, [], weights),
                    [a] => sum_with(accumulator, [a], weights),
                    [a, b] => sum_with(accumulator, [a, b], weights),
                    [a, b, ref rest @ ..] => {
                        let mut sum = *accumulator;
                        rest.iter().for_each(|row| add(&mut sum, row));
                        sum_with(&sum, [a, b], weights)
                    }
                }
            }
            Kernels { add_sub, add_sub_sub, add_add_sub_sub, update, screlu_sum }
        }
    };
}

kernels_for!(
    /// Returns the fastest kernels for this machine.
    fastest,
    targets("x86_64+avx512f+avx512bw", "x86_64+avx2", "x86_64+sse4.1")
);

#[inline(always)]
fn add_and_sub<const R: usize, const A: usize>(
    source: &HiddenVector,
    target: &mut HiddenVector,
    removed: [&WeightRow; R],
    added: [&WeightRow; A],
) {
    for unit in 0..HIDDEN {
        let mut sum = source.0[unit];
        for row in removed {
            sum = sum.wrapping_sub(row.0[unit].into());
        }
        for row in added {
            sum = sum.wrapping_add(row.0[unit].into());
        }
        target.0[unit] = sum;
    }
}

/// Number of sums that stay in registers while rows are added.
const TILE: usize = 128;
const _: () = assert!(
    HIDDEN > 0 && HIDDEN.is_multiple_of(TILE),
    "the number of hidden units must be a multiple of 128"
);

#[inline(always)]
fn apply(accumulator: &mut HiddenVector, weights: &FeatureWeights, removed: &[u16], added: &[u16]) {
    let (tiles, _) = accumulator.0.as_chunks_mut::<TILE>();
    for (index, tile) in tiles.iter_mut().enumerate() {
        let row = |feature: u16| &weights[usize::from(feature)].0.as_chunks::<TILE>().0[index];
        let mut sums = *tile;
        for &feature in removed {
            for (sum, weight) in sums.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_sub((*weight).into());
            }
        }
        for &feature in added {
            for (sum, weight) in sums.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_add((*weight).into());
            }
        }
        *tile = sums;
    }
}

#[inline(always)]
fn add(sum: &mut HiddenVector, row: &WeightRow) {
    for (sum, weight) in sum.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight.into());
    }
}

#[inline(always)]
fn plain_screlu_sum<const N: usize>(
    accumulator: &HiddenVector,
    rows: [&WeightRow; N],
    weights: &HiddenVector,
) -> i32 {
    let mut total = 0_i32;
    for unit in 0..HIDDEN {
        let weight = weights.0[unit];
        let add = |sum: i16, row: &&WeightRow| sum.wrapping_add(row.0[unit].into());
        let sum = rows.iter().fold(accumulator.0[unit], add);
        let value = sum.clamp(0, FIRST_LAYER_ONE as i16);
        let weighted = value.wrapping_mul(weight);
        total = total.wrapping_add(i32::from(weighted) * i32::from(value));
    }
    total
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "sse4.1")))]
mod x86 {
    use std::arch::x86_64::*;

    use bytemuck::must_cast;

    use super::{FIRST_LAYER_ONE, HIDDEN, HiddenVector, WeightRow};

    /// Number of independent sums, so that an addition need not wait for the previous one. The loop
    /// over them has a fixed length, so it is unrolled and they stay in registers. With a computed
    /// index the compiler keeps them in memory.
    const PARALLEL: usize = 4;

    /// The numbers of a vector in blocks of [`PARALLEL`] registers with `LANES` numbers each.
    fn blocks<T, const LANES: usize>(numbers: &[T; HIDDEN]) -> &[[[T; LANES]; PARALLEL]] {
        numbers.as_chunks::<LANES>().0.as_chunks::<PARALLEL>().0
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn screlu_sum_32<const N: usize>(
        accumulator: &HiddenVector,
        rows: [&WeightRow; N],
        weights: &HiddenVector,
    ) -> i32 {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(FIRST_LAYER_ONE as i16));
        let mut totals = [zero; PARALLEL];
        let rows = rows.map(|row| blocks::<_, 32>(&row.0));
        let pairs = blocks::<_, 32>(&accumulator.0).iter().zip(blocks::<_, 32>(&weights.0));
        for (block, (sums, weights)) in pairs.enumerate() {
            for lane in 0..PARALLEL {
                let add = |sums, row: &[[[i8; 32]; PARALLEL]]| {
                    _mm512_add_epi16(sums, _mm512_cvtepi8_epi16(must_cast(row[block][lane])))
                };
                let sums = rows.into_iter().fold(must_cast(sums[lane]), add);
                let values = _mm512_min_epi16(_mm512_max_epi16(sums, zero), one);
                let weighted = _mm512_mullo_epi16(values, must_cast(weights[lane]));
                let products = _mm512_madd_epi16(weighted, values);
                totals[lane] = _mm512_add_epi32(totals[lane], products);
            }
        }
        let total = totals.into_iter().fold(zero, |sum, total| _mm512_add_epi32(sum, total));
        _mm512_reduce_add_epi32(total)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn screlu_sum_16<const N: usize>(
        accumulator: &HiddenVector,
        rows: [&WeightRow; N],
        weights: &HiddenVector,
    ) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(FIRST_LAYER_ONE as i16));
        let mut totals = [zero; PARALLEL];
        let rows = rows.map(|row| blocks::<_, 16>(&row.0));
        let pairs = blocks::<_, 16>(&accumulator.0).iter().zip(blocks::<_, 16>(&weights.0));
        for (block, (sums, weights)) in pairs.enumerate() {
            for lane in 0..PARALLEL {
                let add = |sums, row: &[[[i8; 16]; PARALLEL]]| {
                    _mm256_add_epi16(sums, _mm256_cvtepi8_epi16(must_cast(row[block][lane])))
                };
                let sums = rows.into_iter().fold(must_cast(sums[lane]), add);
                let values = _mm256_min_epi16(_mm256_max_epi16(sums, zero), one);
                let weighted = _mm256_mullo_epi16(values, must_cast(weights[lane]));
                let products = _mm256_madd_epi16(weighted, values);
                totals[lane] = _mm256_add_epi32(totals[lane], products);
            }
        }
        let total = totals.into_iter().fold(zero, |sum, total| _mm256_add_epi32(sum, total));
        must_cast::<__m256i, [i32; 8]>(total).into_iter().fold(0, i32::wrapping_add)
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn screlu_sum_8<const N: usize>(
        accumulator: &HiddenVector,
        rows: [&WeightRow; N],
        weights: &HiddenVector,
    ) -> i32 {
        let (zero, one) = (_mm_setzero_si128(), _mm_set1_epi16(FIRST_LAYER_ONE as i16));
        let mut totals = [zero; PARALLEL];
        let rows = rows.map(|row| blocks::<_, 8>(&row.0));
        let pairs = blocks::<_, 8>(&accumulator.0).iter().zip(blocks::<_, 8>(&weights.0));
        for (block, (sums, weights)) in pairs.enumerate() {
            for lane in 0..PARALLEL {
                let add = |sums, row: &[[[i8; 8]; PARALLEL]]| {
                    let row = i64::from_le_bytes(must_cast(row[block][lane]));
                    _mm_add_epi16(sums, _mm_cvtepi8_epi16(_mm_cvtsi64_si128(row)))
                };
                let sums = rows.into_iter().fold(must_cast(sums[lane]), add);
                let values = _mm_min_epi16(_mm_max_epi16(sums, zero), one);
                let weighted = _mm_mullo_epi16(values, must_cast(weights[lane]));
                let products = _mm_madd_epi16(weighted, values);
                totals[lane] = _mm_add_epi32(totals[lane], products);
            }
        }
        let total = totals.into_iter().fold(zero, |sum, total| _mm_add_epi32(sum, total));
        must_cast::<__m128i, [i32; 4]>(total).into_iter().fold(0, i32::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    kernels_for!(for_avx512, targets("x86_64+avx512f+avx512bw"));
    kernels_for!(for_avx2, targets("x86_64+avx2"));
    kernels_for!(for_sse41, targets("x86_64+sse4.1"));
    // No machine supports both x86-64 and wasm32, so this selects the portable kernels.
    kernels_for!(portable, targets("wasm32+simd128"));

    fn vectors(range: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = HiddenVector> {
        prop::collection::vec(range, HIDDEN)
            .prop_map(|numbers| HiddenVector(numbers.try_into().expect("one number per unit")))
    }

    fn rows() -> impl Strategy<Value = Box<FeatureWeights>> {
        prop::collection::vec(any::<i8>(), INPUTS).prop_map(|numbers| {
            let row = |number: i8| {
                WeightRow(std::array::from_fn(|unit| number.wrapping_mul(2 * unit as i8 + 1)))
            };
            let rows: Vec<WeightRow> = numbers.into_iter().map(row).collect();
            rows.into_boxed_slice().try_into().expect("one row per feature")
        })
    }

    /// Computes each sum from the definition.
    fn expected(
        source: &HiddenVector,
        removed: &[&WeightRow],
        added: &[&WeightRow],
    ) -> HiddenVector {
        let sum = |unit: usize, rows: &[&WeightRow]| -> i64 {
            rows.iter().map(|row| i64::from(row.0[unit])).sum()
        };
        HiddenVector(std::array::from_fn(|unit| {
            (i64::from(source.0[unit]) - sum(unit, removed) + sum(unit, added)) as i16
        }))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn all_sets_of_instructions_give_the_sums_of_the_definition(
            source in vectors(i16::MIN..=i16::MAX),
            rows in rows(),
            features in prop::array::uniform4(0..INPUTS as u16),
        ) {
            let [a, b, c, d] = features.map(|feature| &rows[usize::from(feature)]);
            for kernels in [for_avx512(), for_avx2(), for_sse41(), portable(), fastest()] {
                let mut target = HiddenVector([7; HIDDEN]);
                (kernels.add_sub)(&source, &mut target, a, b);
                prop_assert_eq!(target, expected(&source, &[a], &[b]));
                (kernels.add_sub_sub)(&source, &mut target, [a, b], c);
                prop_assert_eq!(target, expected(&source, &[a, b], &[c]));
                (kernels.add_add_sub_sub)(&source, &mut target, [a, b], [c, d]);
                prop_assert_eq!(target, expected(&source, &[a, b], &[c, d]));
                target = source;
                (kernels.update)(&mut target, &rows, &features[..1], &features[1..]);
                prop_assert_eq!(target, expected(&source, &[a], &[b, c, d]));
            }
        }

        #[test]
        fn all_sets_of_instructions_give_the_output_of_the_definition(
            accumulator in vectors(-600..=600), weights in vectors(-127..=127),
            rows in prop::collection::vec(prop::collection::vec(any::<i8>(), HIDDEN), 0..6),
        ) {
            let row = |numbers: Vec<i8>| WeightRow(numbers.try_into().expect("one per unit"));
            let rows: Vec<WeightRow> = rows.into_iter().map(row).collect();
            let rows: Vec<&WeightRow> = rows.iter().collect();
            let sums = expected(&accumulator, &[], &rows);
            let expected: i64 = sums.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
                i64::from(sum).clamp(0, 160).pow(2) * i64::from(weight)
            }).sum();
            for kernels in [for_avx512(), for_avx2(), for_sse41(), portable(), fastest()] {
                let found = (kernels.screlu_sum)(&accumulator, &rows, &weights);
                prop_assert_eq!(i64::from(found), expected);
            }
        }
    }

    #[test]
    fn the_greatest_valid_sums_do_not_overflow() {
        let full = HiddenVector([i16::MAX; HIDDEN]);
        for kernels in [for_avx512(), for_avx2(), for_sse41(), portable()] {
            for weight in [127, -127] {
                let full_weights = HIDDEN.min(660);
                let expected = 160 * 160 * i32::from(weight) * full_weights as i32;
                let weight = |unit| if unit < full_weights { weight } else { 0 };
                let weights = HiddenVector(std::array::from_fn(weight));
                assert_eq!((kernels.screlu_sum)(&full, &[], &weights), expected);
            }
        }
    }
}
