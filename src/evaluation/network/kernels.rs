//! The network's arithmetic, compiled once for each set of vector instructions worth having.
//!
//! The loops have fixed lengths, so that the compiler turns them into vector instructions. It does
//! so by halves with the weighted sum, which is therefore spelled out: since a clipped sum is at
//! most 255 and a weight at most 127, their product fits 16 bits, and `v * (v * w)` summed in 32
//! bits is one multiplication of 16-bit lanes and one multiply-add of pairs. Sums of whole numbers
//! do not depend on their order, so every set of instructions gives the same values.
//!
//! The set is chosen once, when a network is made; calls go through a table of functions. A build
//! for newer machines only (`target-cpu=native`) has less to choose from and no safe way to the
//! sum that is spelled out: there it is left to the compiler.

#[cfg(not(target_feature = "sse4.1"))]
use multiversion::target::match_target;
use multiversion::{inherit_target, multiversion};

use super::HIDDEN;
use super::features::FEATURES;
use super::file::FIRST_LAYER_ONE;

/// One number for each hidden unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Units(pub [i16; HIDDEN]);

/// The first layer's weights by feature.
pub type Rows = [Units; FEATURES];

/// The functions for one set of instructions.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// `target = source - row + row`: a piece moves.
    pub moved: fn(&Units, &mut Units, &Units, &Units),
    /// `target = source - rows + row`: a piece captures.
    pub captured: fn(&Units, &mut Units, [&Units; 2], &Units),
    /// `target = source - rows + rows`: king and rook castle.
    pub castled: fn(&Units, &mut Units, [&Units; 2], [&Units; 2]),
    /// Takes the rows of the first features from sums and adds those of the second.
    pub changed: fn(&mut Units, &Rows, &[u16], &[u16]),
    /// The sum of `v * v * w` over the units, where `v` is the clipped sum and `w` the weight.
    pub weighted: fn(&Units, &Units) -> i32,
}

/// Makes a function that gives the functions for the first of these targets that the machine has,
/// or else for what every machine has.
macro_rules! kernels_for {
    ($(#[$attribute:meta])* $name:ident, $targets:meta) => {
        $(#[$attribute])*
        #[cfg_attr(target_feature = "sse4.1", allow(dead_code))]
        #[multiversion($targets)]
        pub fn $name() -> Kernels {
            #[inherit_target]
            fn moved(source: &Units, target: &mut Units, removed: &Units, added: &Units) {
                advance(source, target, [removed], [added]);
            }
            #[inherit_target]
            fn captured(source: &Units, target: &mut Units, removed: [&Units; 2], added: &Units) {
                advance(source, target, removed, [added]);
            }
            #[inherit_target]
            fn castled(source: &Units, target: &mut Units, removed: [&Units; 2], added: [&Units; 2]) {
                advance(source, target, removed, added);
            }
            #[inherit_target]
            fn changed(sums: &mut Units, rows: &Rows, removed: &[u16], added: &[u16]) {
                change(sums, rows, removed, added);
            }
            #[inherit_target]
            fn weighted(sums: &Units, weights: &Units) -> i32 {
                #[cfg(target_feature = "sse4.1")]
                {
                    weigh(sums, weights)
                }
                #[cfg(not(target_feature = "sse4.1"))]
                match_target! {
                    "x86_64+avx2" => x86::weigh_by_16(sums, weights),
                    "x86_64+sse4.1" => x86::weigh_by_8(sums, weights),
                    _ => weigh(sums, weights),
                }
            }
            Kernels { moved, captured, castled, changed, weighted }
        }
    };
}

kernels_for!(
    /// The fastest functions for this machine. Wider vectors than these were not faster.
    fastest,
    targets("x86_64+avx2", "x86_64+sse4.1")
);

#[inline(always)]
fn advance<const R: usize, const A: usize>(
    source: &Units,
    target: &mut Units,
    removed: [&Units; R],
    added: [&Units; A],
) {
    for unit in 0..HIDDEN {
        let mut sum = source.0[unit];
        for row in removed {
            sum = sum.wrapping_sub(row.0[unit]);
        }
        for row in added {
            sum = sum.wrapping_add(row.0[unit]);
        }
        target.0[unit] = sum;
    }
}

/// So many sums stay in registers while rows are added to them.
const TILE: usize = 128;
const _: () = assert!(HIDDEN.is_multiple_of(TILE));

#[inline(always)]
fn change(sums: &mut Units, rows: &Rows, removed: &[u16], added: &[u16]) {
    let (tiles, _) = sums.0.as_chunks_mut::<TILE>();
    for (index, tile) in tiles.iter_mut().enumerate() {
        let row = |feature: u16| &rows[usize::from(feature)].0.as_chunks::<TILE>().0[index];
        let mut held = *tile;
        for &feature in removed {
            for (sum, weight) in held.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        for &feature in added {
            for (sum, weight) in held.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        *tile = held;
    }
}

#[inline(always)]
fn weigh(sums: &Units, weights: &Units) -> i32 {
    let mut total = 0_i32;
    for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
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

    use super::{FIRST_LAYER_ONE, Units};

    /// Independent sums, so that one addition need not wait for the last.
    const PARALLEL: usize = 4;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn weigh_by_16(sums: &Units, weights: &Units) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(FIRST_LAYER_ONE as i16));
        let mut totals = [zero; PARALLEL];
        let pairs = sums.0.as_chunks::<16>().0.iter().zip(weights.0.as_chunks::<16>().0);
        for (index, (&sums, &weights)) in pairs.enumerate() {
            let values = _mm256_min_epi16(_mm256_max_epi16(must_cast(sums), zero), one);
            let weighted = _mm256_mullo_epi16(values, must_cast(weights));
            let total = &mut totals[index % PARALLEL];
            *total = _mm256_add_epi32(*total, _mm256_madd_epi16(weighted, values));
        }
        let total = totals.into_iter().fold(zero, |sum, total| _mm256_add_epi32(sum, total));
        must_cast::<__m256i, [i32; 8]>(total).into_iter().fold(0, i32::wrapping_add)
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub fn weigh_by_8(sums: &Units, weights: &Units) -> i32 {
        let (zero, one) = (_mm_setzero_si128(), _mm_set1_epi16(FIRST_LAYER_ONE as i16));
        let mut totals = [zero; PARALLEL];
        let pairs = sums.0.as_chunks::<8>().0.iter().zip(weights.0.as_chunks::<8>().0);
        for (index, (&sums, &weights)) in pairs.enumerate() {
            let values = _mm_min_epi16(_mm_max_epi16(must_cast(sums), zero), one);
            let weighted = _mm_mullo_epi16(values, must_cast(weights));
            let total = &mut totals[index % PARALLEL];
            *total = _mm_add_epi32(*total, _mm_madd_epi16(weighted, values));
        }
        let total = totals.into_iter().fold(zero, |sum, total| _mm_add_epi32(sum, total));
        must_cast::<__m128i, [i32; 4]>(total).into_iter().fold(0, i32::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    kernels_for!(for_avx2, targets("x86_64+avx2"));
    kernels_for!(for_sse41, targets("x86_64+sse4.1"));
    // No machine is both, so that what every machine has is taken.
    kernels_for!(for_every_machine, targets("wasm32+simd128"));

    fn units(range: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = Units> {
        prop::collection::vec(range, HIDDEN)
            .prop_map(|numbers| Units(numbers.try_into().expect("so many units")))
    }

    fn rows() -> impl Strategy<Value = Box<Rows>> {
        prop::collection::vec(any::<i16>(), FEATURES).prop_map(|numbers| {
            let row = |number: i16| {
                Units(std::array::from_fn(|unit| number.wrapping_mul(2 * unit as i16 + 1)))
            };
            let rows: Vec<Units> = numbers.into_iter().map(row).collect();
            rows.into_boxed_slice().try_into().expect("so many features")
        })
    }

    /// Each sum by the definition, without any vectors.
    fn expected(source: &Units, removed: &[&Units], added: &[&Units]) -> Units {
        let sum = |unit: usize, rows: &[&Units]| -> i64 {
            rows.iter().map(|row| i64::from(row.0[unit])).sum()
        };
        Units(std::array::from_fn(|unit| {
            (i64::from(source.0[unit]) - sum(unit, removed) + sum(unit, added)) as i16
        }))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn all_sets_of_instructions_give_the_sums_of_the_definition(
            source in units(i16::MIN..=i16::MAX),
            rows in rows(),
            features in prop::array::uniform4(0..FEATURES as u16),
        ) {
            let [a, b, c, d] = features.map(|feature| &rows[usize::from(feature)]);
            for kernels in [for_avx2(), for_sse41(), for_every_machine(), fastest()] {
                let mut target = Units([7; HIDDEN]);
                (kernels.moved)(&source, &mut target, a, b);
                prop_assert_eq!(target, expected(&source, &[a], &[b]));
                (kernels.captured)(&source, &mut target, [a, b], c);
                prop_assert_eq!(target, expected(&source, &[a, b], &[c]));
                (kernels.castled)(&source, &mut target, [a, b], [c, d]);
                prop_assert_eq!(target, expected(&source, &[a, b], &[c, d]));
                target = source;
                (kernels.changed)(&mut target, &rows, &features[..1], &features[1..]);
                prop_assert_eq!(target, expected(&source, &[a], &[b, c, d]));
            }
        }

        #[test]
        fn all_sets_of_instructions_weigh_as_the_definition_says(
            sums in units(-600..=600), weights in units(-127..=127),
        ) {
            let expected: i64 = sums.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
                i64::from(sum).clamp(0, 255).pow(2) * i64::from(weight)
            }).sum();
            for kernels in [for_avx2(), for_sse41(), for_every_machine(), fastest()] {
                prop_assert_eq!(i64::from((kernels.weighted)(&sums, &weights)), expected);
            }
        }
    }

    #[test]
    fn the_greatest_sums_that_a_file_may_have_fit() {
        let full = Units([i16::MAX; HIDDEN]);
        for kernels in [for_avx2(), for_sse41(), for_every_machine()] {
            for weight in [127, -127] {
                let expected = 255 * 255 * i32::from(weight) * 256;
                let weights =
                    Units(std::array::from_fn(|unit| if unit < 256 { weight } else { 0 }));
                assert_eq!((kernels.weighted)(&full, &weights), expected);
            }
        }
    }
}
