//! The option `EvalFile`: another network, or a one-line reason why not.

use std::fs;
use std::path::Path;

use outrider_engine::evaluation::Network;
use outrider_engine::evaluation::network::features::{FEATURES, INPUTS};
use outrider_engine::evaluation::network::file::{FIRST_LAYER_ONE, NetworkWeights, OUTPUT_ONE};

use super::{KIWIPETE, assert_good, messages, session};
use crate::support::engine::Engine;

fn eval_file(path: &Path) -> String {
    format!("setoption name EvalFile value {}", path.display())
}

/// Returns the name of the current network.
fn network(engine: &mut Engine) -> String {
    let said = engine.ask("eval");
    let line = said.iter().find_map(|line| line.strip_prefix("Network: "));
    line.unwrap_or_else(|| panic!("no network is named: {said:#?}")).to_owned()
}

#[test]
fn another_network_is_used_until_the_built_in_one_is_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("of material alone.network");
    let material = NetworkWeights::material();
    material.save(&path).expect("the file is written");

    let (mut engine, game) = session(KIWIPETE, "");
    let built_in = network(&mut engine);
    assert_eq!(built_in, Network::built_in().to_string());
    let said = engine.ask(&eval_file(&path));
    let checksum = format!("{:08x}", material.checksum());
    assert!(messages(&said).concat().contains(&checksum), "{said:#?}");
    assert_eq!(network(&mut engine), format!("{checksum} (material alone)"));
    assert_good(&game, &engine.search("go depth 4"));
    engine.send("bench 1");
    let bench = engine.read_to("nodes", |line| line.contains(" nps"));
    assert!(bench.iter().any(|line| line.contains(&checksum)), "{bench:#?}");

    engine.ask("setoption name EvalFile value <empty>");
    assert_eq!(network(&mut engine), built_in);
    engine.quit();
}

#[test]
fn a_file_that_is_not_a_network_gives_an_error_with_the_reason_and_the_network_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = NetworkWeights::material().to_bytes();
    let mut damaged = good.clone();
    damaged[5_000] ^= 1;
    let mut newer = good.clone();
    newer[7] = 5;
    let mut overflowing = NetworkWeights::material();
    overflowing.feature_biases.fill(i16::MAX);
    let other_size = NetworkWeights {
        hidden: 1,
        feature_weights: vec![0; INPUTS],
        threat_weights: vec![0; FEATURES],
        feature_biases: vec![0],
        output_weights: vec![0; 2],
        ..NetworkWeights::material()
    };
    let (mut engine, game) = session(KIWIPETE, "");
    let built_in = network(&mut engine);
    for (name, bytes, reason) in [
        ("other", &b"1. e4 e5 2. Nf3 *"[..], "not a network"),
        ("newer", &newer, "version 5"),
        ("truncated", &good[..good.len() / 2], "truncated"),
        ("damaged", &damaged, "damaged"),
        ("overflowing", &overflowing.to_bytes(), "overflow"),
        ("small", &other_size.to_bytes(), "1 hidden units"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("the file is written");
        let said = engine.ask(&eval_file(&path));
        assert_eq!(said.len(), 1, "{name}: {said:#?}");
        let reported = messages(&said).concat();
        assert!(reported.starts_with(&format!("{}: ", path.display())), "{reported}");
        assert!(reported.contains(reason) && reported.ends_with("is kept"), "{reported}");
        assert_eq!(network(&mut engine), built_in);
    }
    let said = engine.ask(&eval_file(folder.path()));
    assert!(messages(&said).concat().contains("not a file"), "a folder: {said:#?}");
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let said = engine.ask(&eval_file(&pipe));
        assert!(messages(&said).concat().contains("not a file"), "{said:#?}");
    }
    assert_good(&game, &engine.search("go depth 4"));
    engine.quit();
}

#[test]
fn eval_shows_the_value_of_each_piece_and_of_each_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("network");
    let material = NetworkWeights::material();
    let twice = |weights: &[i8]| [weights, &vec![0; weights.len()]].concat();
    // For more than sixteen pieces only a bias counts.
    let worth_of_bias = f64::from(material.scale) / 100.0;
    let network = NetworkWeights {
        buckets: 2,
        output_weights: twice(&material.output_weights),
        output_biases: vec![0, FIRST_LAYER_ONE * OUTPUT_ONE],
        ..material
    };
    network.save(&path).expect("the file is written");
    let (mut engine, _) = session("4k3/1q6/8/8/8/8/1P6/R3K3 b - - 0 1", "");
    engine.ask(&eval_file(&path));
    let said = engine.ask("eval");
    let squares = |rank: char| -> Vec<String> {
        let row = said.iter().position(|line| line.starts_with(rank)).expect("the rank is drawn");
        said[row + 1].split('|').map(|square| square.trim().to_owned()).collect()
    };
    let near = |square: &str, worth: f64| {
        let number: f64 = square.parse().expect("a number");
        assert!((number - worth).abs() < 0.02 * worth.abs(), "{square} instead of {worth}");
    };
    near(&squares('1')[1], 5.0);
    near(&squares('2')[2], 1.0);
    near(&squares('7')[2], -9.0);
    assert_eq!(squares('1')[5], "", "a king has no worth");
    let line = |start: &str| {
        let line = said.iter().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("no line begins with {start}: {said:#?}"))
    };
    assert!(line("Output 1 of 2 for White: -3.0").ends_with("used here"));
    let output_of_bias = format!("Output 2 of 2 for White: {:.2}", -worth_of_bias);
    assert_eq!(line("Output 2 of 2 for White"), &output_of_bias);
    let value = |start: &str| line(start).rsplit(' ').next().expect("a value").to_owned();
    let black = value("Static evaluation for the side to move (Black)");
    near(&black, 3.0);
    assert_eq!(value("Static evaluation for White"), black.replace('+', "-"));
    engine.quit();
}
