//! The arithmetic of the network, compiled for several sets of vector instructions.
//!
//! The loops have fixed lengths, so the compiler vectorises them. The compiler does not use the instructions that
//! multiply bytes and add neighbours, so the sums of the second layer are written with intrinsics: a
//! product of a pair is at most 127 and a weight at least -128, so the sum of two products fits 16 bits. Sums of whole
//! numbers do not depend on their order, and the order of the others is fixed, so all sets of instructions
//! give the same values.
//!
//! Of the processors with AVX-512, those since Ice Lake (2019) use it: `multiversion` asks for all of its
//! instructions that these have.
//!
//! The set is chosen once, when a network is created; calls go through a table of functions. In a build
//! with SSE4.1 enabled at compile time (`target-cpu=native`) the intrinsics could not be called without
//! `unsafe`, so the compiler's version is used there. The Makefile avoids such a build.

#[cfg(not(target_feature = "sse4.1"))]
use multiversion::target::match_target;
use multiversion::{inherit_target, multiversion};

use super::HIDDEN;
use super::features::FEATURES;
use super::file::{FIRST_LAYER_ONE, SECOND_LAYER_UNIT};
use super::head::{Head, SECOND_UNITS};

/// One number per hidden unit: an accumulator, or the weights of a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector(pub [i16; HIDDEN]);

/// The first layer's weights by feature.
pub(super) type FeatureWeights = [HiddenVector; FEATURES];

/// Weights of a feature that are added while its piece is threatened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct ThreatVector(pub [i8; HIDDEN]);

/// The weights of threats by feature.
pub(super) type ThreatWeights = [ThreatVector; FEATURES];

/// Number of pairs of a perspective.
const PAIRS: usize = HIDDEN / 2;

/// The products of all pairs, 0 to 127, those of the side to move first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct Products([u8; HIDDEN]);

/// Number of products whose weights are stored together for each unit.
const GROUP: usize = 4;

/// The weights of the second layer: for each group of products, each unit's weights of the group.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct SecondWeights(pub [[[i8; GROUP]; SECOND_UNITS]; HIDDEN / GROUP]);

impl SecondWeights {
    /// Creates the weights from those of each product.
    pub(super) fn new(weights: &[[i8; SECOND_UNITS]; HIDDEN]) -> Box<SecondWeights> {
        let mut grouped = Box::new(SecondWeights([[[0; GROUP]; SECOND_UNITS]; HIDDEN / GROUP]));
        for (product, weights) in weights.iter().enumerate() {
            for (unit, &weight) in weights.iter().enumerate() {
                grouped.0[product / GROUP][unit][product % GROUP] = weight;
            }
        }
        grouped
    }
}

/// The layers after the accumulators, for one number of pieces.
pub(super) struct OutputLayers {
    pub second: Box<SecondWeights>,
    pub head: Head,
}

/// The functions for one set of instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    /// `target = source - row + row`, for a quiet move or a promotion.
    pub add_sub: fn(&HiddenVector, &mut HiddenVector, &HiddenVector, &HiddenVector),
    /// `target = source - rows + row`, for a capture.
    pub add_sub_sub: fn(&HiddenVector, &mut HiddenVector, [&HiddenVector; 2], &HiddenVector),
    /// `target = source - rows + rows`, for castling.
    pub add_add_sub_sub:
        fn(&HiddenVector, &mut HiddenVector, [&HiddenVector; 2], [&HiddenVector; 2]),
    /// Subtracts the weights of the first features from an accumulator and adds those of the second.
    pub update: fn(&mut HiddenVector, &FeatureWeights, &[u16], &[u16]),
    /// Output of the layers after the accumulators, from the accumulators and the rows of threats of the side
    /// to move and the other one.
    pub output: fn([&HiddenVector; 2], [&[&ThreatVector]; 2], &OutputLayers) -> f32,
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
                removed: &HiddenVector,
                added: &HiddenVector,
            ) {
                add_and_sub(source, target, [removed], [added]);
            }
            #[inherit_target]
            fn add_sub_sub(
                source: &HiddenVector,
                target: &mut HiddenVector,
                removed: [&HiddenVector; 2],
                added: &HiddenVector,
            ) {
                add_and_sub(source, target, removed, [added]);
            }
            #[inherit_target]
            fn add_add_sub_sub(
                source: &HiddenVector,
                target: &mut HiddenVector,
                removed: [&HiddenVector; 2],
                added: [&HiddenVector; 2],
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
            fn activate(
                accumulator: &HiddenVector,
                rows: &[&ThreatVector],
                products: &mut [u8; PAIRS],
            ) {
                // There are rarely more than two rows, and up to two are added within the loop.
                match *rows {
                    [] => multiply_pairs(accumulator, [], products),
                    [a] => multiply_pairs(accumulator, [a], products),
                    [a, b] => multiply_pairs(accumulator, [a, b], products),
                    [a, b, ref rest @ ..] => {
                        let mut sum = *accumulator;
                        rest.iter().for_each(|row| add(&mut sum, row));
                        multiply_pairs(&sum, [a, b], products);
                    }
                }
            }
            #[inherit_target]
            fn second_sums(products: &Products, weights: &SecondWeights) -> [i32; SECOND_UNITS] {
                #[cfg(target_feature = "sse4.1")]
                {
                    plain_second_sums(products, weights)
                }
                #[cfg(not(target_feature = "sse4.1"))]
                match_target! {
                    "x86_64+avx512f+avx512vnni" => x86::sums_64(products, weights),
                    "x86_64+avx2" => x86::sums_32(products, weights),
                    "x86_64+sse4.1" => x86::sums_16(products, weights),
                    _ => plain_second_sums(products, weights),
                }
            }
            #[inherit_target]
            fn output(
                [own, other]: [&HiddenVector; 2],
                [own_rows, other_rows]: [&[&ThreatVector]; 2],
                layers: &OutputLayers,
            ) -> f32 {
                let mut products = Products([0; HIDDEN]);
                let (first, second) = products.halves_mut();
                activate(own, own_rows, first);
                activate(other, other_rows, second);
                let sums = second_sums(&products, &layers.second);
                head_output(&layers.head, sums)
            }
            Kernels { add_sub, add_sub_sub, add_add_sub_sub, update, output }
        }
    };
}

kernels_for!(
    /// Returns the fastest kernels for this machine.
    fastest,
    targets("x86_64+avx512f+avx512vnni", "x86_64+avx2", "x86_64+sse4.1")
);

#[inline(always)]
fn add_and_sub<const R: usize, const A: usize>(
    source: &HiddenVector,
    target: &mut HiddenVector,
    removed: [&HiddenVector; R],
    added: [&HiddenVector; A],
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
                *sum = sum.wrapping_sub(*weight);
            }
        }
        for &feature in added {
            for (sum, weight) in sums.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        *tile = sums;
    }
}

#[inline(always)]
fn add(sum: &mut HiddenVector, row: &ThreatVector) {
    for (sum, weight) in sum.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight.into());
    }
}

/// Computes the products of the pairs of one perspective.
#[inline(always)]
fn multiply_pairs<const N: usize>(
    accumulator: &HiddenVector,
    rows: [&ThreatVector; N],
    products: &mut [u8; PAIRS],
) {
    for (pair, product) in products.iter_mut().enumerate() {
        let value = |unit: usize| {
            let add = |sum: i16, row: &&ThreatVector| sum.wrapping_add(row.0[unit].into());
            let sum = rows.iter().fold(accumulator.0[unit], add);
            sum.clamp(0, FIRST_LAYER_ONE as i16) as u16
        };
        // At most 255 * 255 + 256, which fits.
        let sum = value(pair).wrapping_mul(value(PAIRS + pair)).wrapping_add(256);
        *product = (sum >> 9) as u8;
    }
}

#[inline(always)]
fn plain_second_sums(products: &Products, weights: &SecondWeights) -> [i32; SECOND_UNITS] {
    let mut sums = [0; SECOND_UNITS];
    for (products, weights) in products.0.as_chunks::<GROUP>().0.iter().zip(&weights.0) {
        for unit in 0..SECOND_UNITS {
            for place in 0..GROUP {
                sums[unit] += i32::from(products[place]) * i32::from(weights[unit][place]);
            }
        }
    }
    sums
}

/// Computes the output from the sums of the second layer.
#[inline(always)]
fn head_output(head: &Head, sums: [i32; SECOND_UNITS]) -> f32 {
    let mut second = [0.0; SECOND_UNITS];
    for unit in 0..SECOND_UNITS {
        second[unit] = sums[unit] as f32 * SECOND_LAYER_UNIT + head.second_biases[unit];
    }
    head.output(&head.third_sums(&Head::third_inputs(&second)))
}

impl Products {
    fn halves_mut(&mut self) -> (&mut [u8; PAIRS], &mut [u8; PAIRS]) {
        let [own, other] = bytemuck::must_cast_mut::<_, [[u8; PAIRS]; 2]>(&mut self.0);
        (own, other)
    }
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "sse4.1")))]
mod x86 {
    use std::arch::x86_64::*;

    use bytemuck::must_cast;

    use super::{GROUP, HIDDEN, Products, SECOND_UNITS, SecondWeights};

    /// Number of independent sums, so that an addition need not wait for the previous one.
    const PARALLEL: usize = 4;
    /// Bytes of the weights of a group.
    const BYTES: usize = GROUP * SECOND_UNITS;

    /// The groups of products as numbers of 32 bits, with their weights, in blocks of [`PARALLEL`].
    fn blocks<'a>(
        products: &Products,
        weights: &'a SecondWeights,
    ) -> impl Iterator<Item = ([i32; PARALLEL], &'a [[[i8; GROUP]; SECOND_UNITS]; PARALLEL])> {
        let groups: [i32; HIDDEN / GROUP] = must_cast(products.0);
        let blocks: [[i32; PARALLEL]; HIDDEN / GROUP / PARALLEL] = must_cast(groups);
        blocks.into_iter().zip(weights.0.as_chunks::<PARALLEL>().0)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(super) fn sums_64(products: &Products, weights: &SecondWeights) -> [i32; SECOND_UNITS] {
        let mut sums = [_mm512_setzero_si512(); PARALLEL];
        for (groups, weights) in blocks(products, weights) {
            for lane in 0..PARALLEL {
                let weights: [i8; BYTES] = must_cast(weights[lane]);
                let group = _mm512_set1_epi32(groups[lane]);
                sums[lane] = _mm512_dpbusd_epi32(sums[lane], group, must_cast(weights));
            }
        }
        let [a, b, c, d] = sums;
        must_cast(_mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sums_32(products: &Products, weights: &SecondWeights) -> [i32; SECOND_UNITS] {
        let one = _mm256_set1_epi16(1);
        let mut sums = [[_mm256_setzero_si256(); 2]; PARALLEL];
        for (groups, weights) in blocks(products, weights) {
            for lane in 0..PARALLEL {
                let group = _mm256_set1_epi32(groups[lane]);
                let weights: [[i8; BYTES / 2]; 2] = must_cast(weights[lane]);
                for half in 0..2 {
                    let pairs = _mm256_maddubs_epi16(group, must_cast(weights[half]));
                    let of_group = _mm256_madd_epi16(pairs, one);
                    sums[lane][half] = _mm256_add_epi32(sums[lane][half], of_group);
                }
            }
        }
        let [a, b, c, d] = sums;
        let add = |half: usize| {
            _mm256_add_epi32(_mm256_add_epi32(a[half], b[half]), _mm256_add_epi32(c[half], d[half]))
        };
        must_cast([add(0), add(1)])
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn sums_16(products: &Products, weights: &SecondWeights) -> [i32; SECOND_UNITS] {
        let one = _mm_set1_epi16(1);
        let mut sums = [_mm_setzero_si128(); 4];
        for (groups, weights) in blocks(products, weights) {
            for lane in 0..PARALLEL {
                let group = _mm_set1_epi32(groups[lane]);
                let weights: [[i8; BYTES / 4]; 4] = must_cast(weights[lane]);
                for quarter in 0..4 {
                    let pairs = _mm_maddubs_epi16(group, must_cast(weights[quarter]));
                    sums[quarter] = _mm_add_epi32(sums[quarter], _mm_madd_epi16(pairs, one));
                }
            }
        }
        must_cast(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    kernels_for!(for_avx512, targets("x86_64+avx512f+avx512vnni"));
    kernels_for!(for_avx2, targets("x86_64+avx2"));
    kernels_for!(for_sse41, targets("x86_64+sse4.1"));
    // No machine supports both x86-64 and wasm32, so this selects the portable kernels.
    kernels_for!(portable, targets("wasm32+simd128"));

    fn all_kernels() -> [Kernels; 5] {
        [for_avx512(), for_avx2(), for_sse41(), portable(), fastest()]
    }

    fn vectors(range: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = HiddenVector> {
        prop::collection::vec(range, HIDDEN)
            .prop_map(|numbers| HiddenVector(numbers.try_into().expect("one number per unit")))
    }

    fn rows() -> impl Strategy<Value = Box<FeatureWeights>> {
        prop::collection::vec(any::<i16>(), FEATURES).prop_map(|numbers| {
            let row = |number: i16| {
                HiddenVector(std::array::from_fn(|unit| number.wrapping_mul(2 * unit as i16 + 1)))
            };
            let rows: Vec<HiddenVector> = numbers.into_iter().map(row).collect();
            rows.into_boxed_slice().try_into().expect("one row per feature")
        })
    }

    /// Computes each sum from the definition.
    fn expected(
        source: &HiddenVector,
        removed: &[&HiddenVector],
        added: &[&HiddenVector],
    ) -> HiddenVector {
        let sum = |unit: usize, rows: &[&HiddenVector]| -> i64 {
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
            features in prop::array::uniform4(0..FEATURES as u16),
        ) {
            let [a, b, c, d] = features.map(|feature| &rows[usize::from(feature)]);
            for kernels in all_kernels() {
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
            accumulators in prop::array::uniform2(vectors(-600..=600)),
            rows in prop::array::uniform2(prop::collection::vec(vectors(-128..=127), 0..6)),
            weights in prop::collection::vec(any::<i8>(), HIDDEN * SECOND_UNITS),
            head in prop::collection::vec(-1.0..1.0_f32, Head::PARAMETERS),
        ) {
            let weights = weights.as_chunks().0;
            let layers = OutputLayers {
                second: SecondWeights::new(weights.try_into().expect("one row per product")),
                head: bytemuck::must_cast::<[f32; Head::PARAMETERS], _>(head.try_into().expect("all")),
            };
            let mut sums = [0_i32; SECOND_UNITS];
            for side in 0..2 {
                let value = |unit: usize| {
                    let rows: i32 = rows[side].iter().map(|row| i32::from(row.0[unit])).sum();
                    (i32::from(accumulators[side].0[unit]) + rows).clamp(0, 255)
                };
                for pair in 0..PAIRS {
                    let product = (value(pair) * value(PAIRS + pair) + 256) / 512;
                    for unit in 0..SECOND_UNITS {
                        sums[unit] += product * i32::from(weights[side * PAIRS + pair][unit]);
                    }
                }
            }
            let expected = head_output(&layers.head, sums);
            let narrow = |row: &HiddenVector| ThreatVector(row.0.map(|weight| weight as i8));
            let rows = rows.map(|rows| rows.iter().map(narrow).collect::<Vec<_>>());
            let [own, other] = [&rows[0], &rows[1]].map(|rows| rows.iter().collect::<Vec<_>>());
            for kernels in all_kernels() {
                let [a, b] = &accumulators;
                let found = (kernels.output)([a, b], [&own, &other], &layers);
                prop_assert_eq!(found.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn the_greatest_valid_sums_do_not_overflow() {
        let full = HiddenVector([i16::MAX; HIDDEN]);
        let mut head = Head::default();
        head.third_weights[0][0] = 1.0;
        head.output_weights[0] = 1.0;
        for kernels in all_kernels() {
            for (weight, wanted) in [(i8::MAX, 0.25), (i8::MIN, 0.0)] {
                let second = SecondWeights::new(&[[weight; SECOND_UNITS]; HIDDEN]);
                // With this bias a correct sum becomes ½ or −½.
                let sum = 127 * i32::from(weight) * HIDDEN as i32;
                let wanted_sum = if weight > 0 { 0.5 } else { -0.5 };
                head.second_biases[0] = wanted_sum - sum as f32 * SECOND_LAYER_UNIT;
                let layers = OutputLayers { second, head };
                let found = (kernels.output)([&full, &full], [&[], &[]], &layers);
                assert!((found - wanted).abs() < 0.01, "{found}");
            }
        }
    }
}
