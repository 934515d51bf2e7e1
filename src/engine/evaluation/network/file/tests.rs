use std::fs;

use super::*;
use proptest::prelude::*;

/// Generates small networks whose sums cannot overflow.
fn networks() -> impl Strategy<Value = NetworkWeights> {
    (1..5_usize, prop::sample::select(&BUCKETS[..]), 1..2_000_i32, r"\PC{0,20}").prop_flat_map(
        |(hidden, buckets, scale, description)| {
            let weights = prop::collection::vec(any::<i8>(), INPUTS * hidden);
            let threats = prop::collection::vec(any::<i8>(), FEATURES * hidden);
            let biases = prop::collection::vec(-999..999_i16, hidden);
            let outputs = prop::collection::vec(-127..=127_i8, buckets * 2 * hidden);
            let output_biases = prop::collection::vec(any::<i32>(), buckets);
            (weights, threats, biases, outputs, output_biases).prop_map(
                move |(
                    feature_weights,
                    threat_weights,
                    feature_biases,
                    output_weights,
                    output_biases,
                )| {
                    NetworkWeights {
                        hidden,
                        buckets,
                        scale,
                        description: description.clone(),
                        feature_weights,
                        threat_weights,
                        feature_biases,
                        output_weights,
                        output_biases,
                    }
                },
            )
        },
    )
}

fn small() -> NetworkWeights {
    NetworkWeights {
        hidden: 2,
        buckets: 1,
        scale: 400,
        description: "two units".to_owned(),
        feature_weights: vec![0; INPUTS * 2],
        threat_weights: vec![0; FEATURES * 2],
        feature_biases: vec![0; 2],
        output_weights: vec![0; 4],
        output_biases: vec![0],
    }
}

fn refusal(bytes: &[u8]) -> String {
    NetworkWeights::from_bytes(bytes).expect_err("this is refused").to_string()
}

/// Replaces the checksum at the end by the right one.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - CHECKSUM_SIZE);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_written_network_is_read_as_the_same_network(network in networks()) {
        let bytes = network.to_bytes();
        prop_assert_eq!(NetworkWeights::from_bytes(&bytes).unwrap(), network.clone());
        prop_assert_eq!(&bytes[bytes.len() - 4..], network.checksum().to_le_bytes());
    }

    #[test]
    fn a_truncated_file_is_refused(network in networks(), share in 0.0..1.0_f64) {
        let bytes = network.to_bytes();
        let kept = (bytes.len() as f64 * share) as usize;
        prop_assert!(NetworkWeights::from_bytes(&bytes[..kept]).is_err());
    }

    #[test]
    fn a_file_with_one_wrong_bit_is_refused(network in networks(), share in 0.0..1.0_f64, bit in 0..8_u32) {
        let mut bytes = network.to_bytes();
        let index = (bytes.len() as f64 * share) as usize;
        bytes[index] ^= 1 << bit;
        prop_assert!(NetworkWeights::from_bytes(&bytes).is_err());
    }
}

#[test]
fn the_largest_network_is_within_the_limit_of_a_read() {
    let largest = NetworkWeights {
        hidden: MAX_HIDDEN,
        buckets: BUCKETS[BUCKETS.len() - 1],
        scale: 400,
        description: "d".repeat(usize::from(u16::MAX)),
        feature_weights: vec![0; INPUTS * MAX_HIDDEN],
        threat_weights: vec![0; FEATURES * MAX_HIDDEN],
        feature_biases: vec![0; MAX_HIDDEN],
        output_weights: vec![0; BUCKETS[BUCKETS.len() - 1] * 2 * MAX_HIDDEN],
        output_biases: vec![0; BUCKETS[BUCKETS.len() - 1]],
    };
    assert!(largest.to_bytes().len() as u64 <= MAX_SIZE);
}

#[test]
fn files_of_another_kind_version_or_length_are_refused_with_the_reason() {
    let bytes = small().to_bytes();
    assert_eq!(refusal(b""), "not a network of this engine");
    assert_eq!(refusal(b"rnbqkbnr/pppppppp w"), "not a network of this engine");
    for version in [3, 5] {
        let mut other = bytes.clone();
        other[7] = version;
        let reason = format!("version {version}, but this build reads version 4");
        assert!(refusal(&other).contains(&reason));
    }
    assert!(refusal(&bytes[..bytes.len() - 1]).contains("truncated: "));
    assert!(refusal(&bytes[..10]).contains("truncated: 10 bytes of 12"));
    assert!(refusal(&[&bytes[..], b"\n"].concat()).contains("1 bytes too many"));
    let mut damaged = bytes;
    damaged[100] ^= 1;
    assert!(refusal(&damaged).contains("its checksum is"));
}

#[test]
fn invalid_headers_are_refused_with_the_name_of_the_field() {
    for (network, reason) in [
        (NetworkWeights { hidden: 0, ..small() }, "hidden units cannot be 0"),
        (NetworkWeights { hidden: MAX_HIDDEN + 1, ..small() }, "hidden units cannot be 4097"),
        (NetworkWeights { buckets: 3, ..small() }, "outputs cannot be 3"),
        (NetworkWeights { scale: 0, ..small() }, "the scale cannot be 0"),
    ] {
        assert!(refusal(&network.to_bytes()).contains(reason));
    }
    for no_line in [0xff, b'\n', 0x1b] {
        let mut bytes = small().to_bytes();
        bytes[22] = no_line;
        assert!(refusal(&resealed(bytes)).contains("description is not a line of text"));
    }
}

#[test]
fn biases_that_could_make_an_accumulator_exceed_16_bits_are_refused() {
    let with_bias = |bias| NetworkWeights { feature_biases: vec![0, bias], ..small() };
    let least = -MAX_BIAS;
    // The greatest sum is a bias and 32 pieces, all threatened.
    assert_eq!(i32::from(MAX_BIAS) + 64 * 128, i32::from(i16::MAX));
    for bias in [MAX_BIAS, least] {
        assert!(with_bias(bias).check().is_ok());
    }
    for bias in [MAX_BIAS + 1, least - 1, i16::MIN] {
        let refusal = with_bias(bias).check().unwrap_err().to_string();
        let reason = format!("hidden unit 1 could overflow: its bias {bias} is beyond ±24575");
        assert_eq!(refusal, reason);
    }
}

#[test]
fn outputs_that_could_exceed_32_bits_are_refused() {
    let with_hidden = |hidden: usize, weight| NetworkWeights {
        hidden,
        feature_weights: vec![0; INPUTS * hidden],
        threat_weights: vec![0; FEATURES * hidden],
        feature_biases: vec![0; hidden],
        output_weights: vec![weight; 2 * hidden],
        ..small()
    };
    assert!(with_hidden(660, 127).check().is_ok());
    assert!(with_hidden(661, 127).check().is_err());
    assert!(with_hidden(661, -127).check().is_err());
    let refusal = with_hidden(1, -128).check().unwrap_err().to_string();
    assert!(refusal.contains("weight 0 is beyond ±127"), "{refusal}");
}

#[test]
fn a_network_is_saved_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("material.network");
    NetworkWeights::material().save(&path).unwrap();
    assert_eq!(NetworkWeights::load(&path).unwrap(), NetworkWeights::material());
    let wrong = NetworkWeights { scale: 0, ..NetworkWeights::material() };
    let refusal = wrong.save(&path).unwrap_err().to_string();
    assert!(refusal.ends_with("material.network: the scale cannot be 0"), "{refusal}");
    assert_eq!(NetworkWeights::load(&path).unwrap(), NetworkWeights::material());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_read_error_has_the_path_and_the_reason() {
    let refusal = NetworkWeights::load(Path::new("/nowhere/a.network")).unwrap_err().to_string();
    assert!(refusal.starts_with("/nowhere/a.network: No such file"), "{refusal}");
}
