//! `outrider train` as a program: from games to a network, killed and resumed, and its errors for
//! bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use outrider_engine::evaluation::network::Network;
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_tools::selfplay::Endgames;
use outrider_tools::training::{Dataset, DatasetReader, Sample, SampleFile, WeightedFile};
use tempfile::TempDir;

use crate::support::Running;

/// Number of superbatches of a long run.
const LONG: [&str; 2] = ["--superbatches", "30"];

/// A directory with a file of games and the files made from it.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().expect("there is a place for temporary files"));
        // Enough games that some are kept for validation, with any network.
        let games = ["datagen", "--games", "600", "--nodes", "10", "--seed", "4", "--output"];
        let made = program(&[&games[..], &[&place.path("games")]].concat());
        assert_eq!(made.status.code(), Some(0));
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Writes the samples of the games, and returns the path.
    fn samples(&self) -> String {
        let samples = self.path("samples");
        let made = program(&["data", "samples", &self.path("games"), "--output", &samples]);
        assert_eq!(made.status.code(), Some(0));
        samples
    }

    fn train(&self, output: &str, arguments: &[&str]) -> Output {
        let small = ["--superbatches", "3"];
        let mut command = self.command(output);
        command.args(small).args(arguments).output().expect("the program runs")
    }

    fn command(&self, output: &str) -> Command {
        self.command_for(output, "32")
    }

    fn command_for(&self, output: &str, hidden: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
        command.args(["train", &self.path("games"), "--output", &self.path(output)]);
        command.args(["--hidden", hidden, "--batches", "3"]);
        command
    }

    /// Trains long enough that the run can be inspected before it ends.
    fn train_long(&self, output: &str, arguments: &[&str]) -> Output {
        let mut command = self.command(output);
        command.args(LONG).args(arguments).output().expect("the program runs")
    }

    /// Kills a long run after its first superbatch.
    fn train_and_kill(&self, output: &str) {
        let mut command = self.command(output);
        let child = command.args(LONG).stdout(Stdio::null()).spawn();
        let table = PathBuf::from(self.path(&format!("{output}.csv")));
        Running(child.expect("the program runs")).until("a superbatch is done", || table.exists());
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }
}

fn program(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.args(arguments).output().expect("the program runs")
}

/// Returns the one line of error output of a failed run.
fn complaint(ran: &Output) -> String {
    assert_eq!(ran.status.code(), Some(1));
    let text = String::from_utf8(ran.stderr.clone()).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn the_engine_can_use_a_network_of_the_default_size() {
    let place = Place::new();
    let output = place.path("network");
    let small = ["--superbatches", "1", "--batches", "1", "--batch", "64"];
    let ran =
        program(&[&["train", &place.path("games"), "--output", &output], &small[..]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(Network::load(Path::new(&output)).is_ok());
}

#[test]
fn later_scores_count_on_request_and_are_in_the_networks_description() {
    let place = Place::new();
    let refused = place.train("network", &["--lambda", "0.9"]);
    assert_eq!(refused.status.code(), Some(2), "the scores have no scale yet");
    for (output, arguments) in [("later", &["--lambda", "0.9"][..]), ("result", &[])] {
        let ran = place.train(output, &[&["--scale", "150"], arguments].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let load = |name| NetworkWeights::load(Path::new(&place.path(name))).expect("a network");
    let (later, result) = (load("later"), load("result"));
    assert!(later.description.contains("λ 0.9") && !result.description.contains('λ'));
    assert_ne!(later.feature_weights, result.feature_weights);
}

#[test]
fn training_writes_a_network_and_its_losses_as_a_table_and_a_picture() {
    let place = Place::new();
    let ran = place.train("network", &[]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let network = NetworkWeights::load(Path::new(&place.path("network"))).expect("a network");
    assert_eq!((network.hidden, network.buckets), (32, 1));
    let printed = String::from_utf8(ran.stdout).expect("text");
    assert!(printed.contains(&format!("network {:08x}", network.checksum())), "{printed}");

    let mut table = csv::Reader::from_path(place.path("network.csv")).expect("a table");
    let losses = |column: &str, table: &mut csv::Reader<fs::File>| -> Vec<f64> {
        let index = table.headers().unwrap().iter().position(|name| name == column).unwrap();
        table.records().map(|row| row.unwrap()[index].parse().unwrap()).collect()
    };
    let training = losses("training_loss", &mut table);
    assert_eq!(training.len(), 3);
    assert!(training[2] < training[0], "{training:?}");
    let picture = String::from_utf8(place.bytes("network.svg")).expect("text");
    assert!(picture.contains("training") && picture.contains("validation"));

    for record in ["network.csv", "network.svg"] {
        fs::remove_file(place.path(record)).expect("it is there");
    }
    assert!(complaint(&place.train("network", &[])).contains("its run is complete"));
    assert_eq!(place.train("network", &["--resume"]).status.code(), Some(0));
    assert!(Path::new(&place.path("network.csv")).exists(), "a record that was lost is renewed");
    assert_eq!(place.bytes("network.svg"), picture.into_bytes());
}

#[test]
fn a_run_can_begin_from_a_finished_network_and_be_wider() {
    let place = Place::new();
    let validate = ["--validate", &place.path("games")];
    let first = place.train("first", &validate);
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    let printed = String::from_utf8(first.stdout).expect("text");
    for part in ["rounding increases the loss", "2 to 8 pieces:", "25 to 32 pieces:"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let losses = |text: &str| text.split_once("games, scale").map(|(_, losses)| losses.to_owned());
    let games = place.path("games");
    let network = place.path("first");
    let again = program(&["data", "validate", &games, "--network", &network]);
    let again = String::from_utf8(again.stdout).expect("text");
    let again = losses(&again).expect("losses");
    assert!(losses(&printed).expect("losses").starts_with(again.trim_end()), "{printed}\n{again}");

    // With such a small rate nothing changes.
    let stage = |output: &str, hidden: &str, arguments: &[&str]| {
        let mut command = place.command_for(output, hidden);
        command.args(["--superbatches", "1", "--rate", "1e-9", "--last-rate", "1e-9"]);
        command.args(arguments).output().expect("the program runs")
    };
    let wider = stage("second", "64", &["--from", &network]);
    assert_eq!(wider.status.code(), Some(0), "{wider:?}");
    let last = |name: &str| -> f64 {
        let mut table = csv::Reader::from_path(place.path(name)).expect("a table");
        table.records().last().expect("a row").unwrap()[4].parse().unwrap()
    };
    let [first, second] = ["first.csv", "second.csv"].map(last);
    assert!((second - first).abs() < 1e-4, "{first} and {second}");
    let other = stage("second", "64", &["--resume"]);
    assert!(complaint(&other).contains("its first network is "), "{other:?}");
    // After a run with large changes, a share of 1 restores the weights of the first network.
    let long = ["--superbatches", "2", "--rate", "0.01", "--from", &network];
    let trained = |output: &str, share: &str| {
        let mut command = place.command_for(output, "32");
        let ran =
            command.args(long).args(["--from-share", share]).output().expect("the program runs");
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        let weights = NetworkWeights::load(Path::new(&place.path(output))).expect("a network");
        weights.feature_weights
    };
    let all_of_the_first =
        NetworkWeights::load(Path::new(&network)).expect("a network").feature_weights;
    assert_eq!(trained("kept", "1"), all_of_the_first);
    assert_ne!(trained("half", "0.5"), all_of_the_first);
    let without = place.train("fourth", &["--from-share", "0.5"]);
    assert_eq!(without.status.code(), Some(2), "there is nothing to keep a share of");
    let narrower = stage("third", "32", &["--from", &place.path("second")]);
    assert!(complaint(&narrower).contains("second: it has 64 hidden units, more than 32"));
}

#[test]
fn unusable_validation_games_lose_neither_the_training_nor_the_network() {
    let place = Place::new();
    fs::write(place.path("text"), "1. e4 e5").expect("it can be written");
    for (games, reason) in
        [("none", "none cannot be read"), ("text", "text is not a file of games")]
    {
        let refused = complaint(&place.train("network", &["--validate", &place.path(games)]));
        assert!(refused.contains(reason), "{refused}");
        assert!(!Path::new(&place.path("network.checkpoint")).exists(), "nothing was trained");
    }
    // The damage is detected when it is read.
    let (games, middle) = (place.bytes("games"), place.bytes("games").len() / 2);
    let hole = vec![0; 300_000];
    let damaged = [&games[..middle], &hole, &games[middle..]].concat();
    fs::write(place.path("damaged"), damaged).expect("it can be written");
    let refused = complaint(&place.train("network", &["--validate", &place.path("damaged")]));
    assert!(refused.contains("damaged is damaged at byte"), "{refused}");
    assert!(NetworkWeights::load(Path::new(&place.path("network"))).is_ok(), "it is there");
}

#[test]
fn a_wrong_bit_in_the_games_loses_one_game_and_a_large_hole_ends_the_run() {
    let place = Place::new();
    let (path, bytes) = (place.path("games"), place.bytes("games"));
    let middle = bytes.len() / 2;
    let mut flipped = bytes.clone();
    flipped[middle] ^= 1;
    fs::write(&path, &flipped).expect("it can be written");
    let ran = place.train("network", &["--dry-run"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let [printed, warned] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(printed.starts_with("599 games, "), "{printed}");
    assert!(warned.contains("in one place were skipped"), "{warned}");

    let hole = vec![0; 300_000];
    fs::write(&path, [&bytes[..middle], &hole, &bytes[middle..]].concat()).expect("a file");
    let refused = complaint(&place.train("network", &["--dry-run"]));
    assert!(refused.contains("--keep-going"), "{refused}");
    let ran = place.train("network", &["--dry-run", "--keep-going"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}

#[test]
fn a_dry_run_estimates_the_time_and_writes_nothing() {
    let place = Place::new();
    let ran = place.train("network", &["--dry-run", "--batch", "100"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let printed = String::from_utf8(ran.stdout).expect("text");
    assert!(printed.contains("would draw 900 samples") && printed.contains("minutes"), "{printed}");
    assert_eq!(fs::read_dir(place.0.path()).expect("a folder").count(), 1, "the games alone");
}

#[test]
fn a_file_without_samples_because_of_its_weight_is_named() {
    let place = Place::new();
    let games = place.path("games");
    let copy = place.path("copy");
    fs::copy(&games, &copy).expect("it can be copied");
    let ran = place.train("network", &[&copy, "--weights", "1,1e-9", "--dry-run"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let warned = String::from_utf8(ran.stderr).expect("text");
    assert!(warned.starts_with(&format!("{copy}: an epoch draws none of its ")), "{warned}");
    assert_eq!(warned.lines().count(), 1, "{warned}");
}

#[test]
fn all_copies_of_a_game_are_in_training_or_all_in_validation() {
    let place = Place::new();
    let read = |copies: usize| {
        let source = WeightedFile { path: place.path("games").into(), weight: 1.0 };
        let sources = vec![source; copies];
        let endgames = Endgames::default();
        DatasetReader::new(&endgames).read(&sources, &mut |_| {}).expect("games")
    };
    let (once, twice) = (read(1), read(2));
    let counts = |dataset: &Dataset| [dataset.samples().len(), dataset.validation().len()];
    assert_eq!(counts(&twice), counts(&once).map(|count| 2 * count));
    let share = once.validation().len() as f64 / once.samples().len() as f64;
    assert!((0.001..0.03).contains(&share), "about one game in a hundred: {share}");
}

#[test]
fn a_file_that_is_not_a_checkpoint_is_reported_and_kept() {
    let place = Place::new();
    let path = place.path("network.checkpoint");
    let printed = complaint(&place.train("network", &["--resume"]));
    assert!(printed.contains("network.checkpoint"), "{printed}");
    fs::write(&path, "something else").expect("it can be written");
    let printed = complaint(&place.train("network", &["--resume"]));
    assert!(
        printed.contains("network.checkpoint: is not a checkpoint of a training run"),
        "{printed}"
    );
    assert_eq!(
        complaint(&place.train("network", &[])),
        printed,
        "whether or not it shall be resumed"
    );
    assert_eq!(place.bytes("network.checkpoint"), b"something else");
    fs::remove_file(&path).expect("it is there");
    assert_eq!(place.train("network", &[]).status.code(), Some(0));
    let mut damaged = place.bytes("network.checkpoint");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, &damaged).expect("it can be written");
    let printed = complaint(&place.train("network", &["--resume"]));
    assert!(printed.contains("network.checkpoint: is damaged"), "{printed}");
    assert_eq!(place.bytes("network.checkpoint"), damaged);
}

#[test]
fn a_resumed_run_produces_the_same_network_as_an_uninterrupted_one() {
    let place = Place::new();
    assert_eq!(place.train_long("whole", &["--threads", "2"]).status.code(), Some(0));
    place.train_and_kill("killed");
    assert!(
        complaint(&place.train_long("killed", &[]))
            .contains("its run is unfinished: give --resume")
    );
    let resumed = place.train_long("killed", &["--resume"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(place.bytes("killed"), place.bytes("whole"));
    let checkpoints = ["killed", "whole"].map(|name| place.bytes(&format!("{name}.checkpoint")));
    assert!(checkpoints[0] == checkpoints[1], "history and moments too");
    let other = place.train_long("killed", &["--resume", "--buckets", "4"]);
    assert!(complaint(&other).contains("number of output buckets is 1, but this run has 4"));
}

#[test]
fn a_second_process_on_the_same_run_is_an_immediate_error() {
    let place = Place::new();
    let mut command = place.command("network");
    let endless = ["--superbatches", "100000"];
    let first = command.args(endless).stdout(Stdio::null()).spawn();
    let mut first = Running(first.expect("the program runs"));
    let table = PathBuf::from(place.path("network.csv"));
    first.until("a superbatch is done", || table.exists());
    for arguments in [&["--resume"][..], &[]] {
        let printed = complaint(&place.train_long("network", arguments));
        assert!(printed.contains("network: another process is writing it"), "{printed}");
    }
    assert_eq!(first.0.try_wait().expect("it runs"), None, "the first is not disturbed");
}

#[test]
fn a_loss_of_nan_ends_the_run_and_keeps_the_last_valid_checkpoint() {
    let place = Place::new();
    place.train_and_kill("network");
    let path = place.path("network.checkpoint");
    let mut bytes = place.bytes("network.checkpoint");
    // After magic, length and description come the weights and both moments, then the checksum.
    let length = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")) as usize;
    let (begin, end) = (12 + length, bytes.len() - 4);
    let (weights, _) = bytes[begin..begin + (end - begin) / 3].as_chunks_mut();
    weights.iter_mut().for_each(|weight| *weight = f32::NAN.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&checksum);
    fs::write(&path, &bytes).expect("it can be written");
    let printed = complaint(&place.train_long("network", &["--resume"]));
    assert!(
        printed.contains("is NaN") && printed.contains("network.checkpoint keeps the state"),
        "{printed}"
    );
    assert!(place.bytes("network.checkpoint") == bytes);
    assert!(!Path::new(&place.path("network")).exists());
}

/// The shell's limit on file sizes makes each write beyond it fail, like a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_in_one_line_and_the_last_checkpoint_is_kept() {
    let place = Place::new();
    assert_eq!(place.train_long("whole", &[]).status.code(), Some(0));
    place.train_and_kill("run");
    let checkpoint = place.bytes("run.checkpoint");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"]);
    limited.args([env!("CARGO_BIN_EXE_outrider"), "train", &place.path("games"), "--resume"]);
    limited.args(["--output", &place.path("run"), "--hidden", "32", "--batches", "3"]);
    let ran = limited.args(LONG).output().expect("a shell runs");
    assert!(complaint(&ran).contains("run.checkpoint"), "{ran:?}");
    assert!(place.bytes("run.checkpoint") == checkpoint, "the last checkpoint is kept");
    let mut left =
        fs::read_dir(place.0.path()).expect("it is there").map(|file| file.unwrap().path());
    assert!(
        !left.any(|path| path.extension().is_some_and(|it| it == "outrider")),
        "nothing is left over"
    );
    assert_eq!(place.train_long("run", &["--resume"]).status.code(), Some(0));
    assert_eq!(place.bytes("run"), place.bytes("whole"));
}

#[test]
fn a_run_completes_even_if_the_output_pipe_is_closed() {
    let place = Place::new();
    let mut command = place.command("network");
    let mut child = command.args(LONG).stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(Path::new(&place.path("network")).exists());
}

#[test]
fn bad_input_is_reported_in_one_line_with_the_file_and_the_reason() {
    let place = Place::new();
    let (games, none, text) = (place.path("games"), place.path("none"), place.path("text"));
    fs::write(&text, "1. e4 e5 2. Nf3").expect("it can be written");
    let empty = place.path("empty");
    let few = ["datagen", "--games", "1", "--nodes", "20", "--seed", "1", "--output", &empty];
    assert_eq!(program(&few).status.code(), Some(0));
    let nowhere = place.path("no-such-directory/network");
    let output = place.path("network");
    for (file, output, reason) in [
        (&none, &output, "none cannot be read"),
        (&text, &output, "text is not a file of games"),
        (&empty, &output, "empty: an epoch draws"),
        (&games, &nowhere, "no-such-directory/network"),
    ] {
        let printed = complaint(&program(&["train", file, "--output", output]));
        assert!(printed.contains(reason), "{printed}");
        assert!(!Path::new(output).exists());
    }
    let weights = program(&["train", &games, &games, "--weights", "0.5", "--output", &output]);
    assert_eq!(weights.status.code(), Some(2));
    let nothing = ["--piece-weights", "0,0,0,0", "--output", &output];
    let nothing = program(&[&["train", &*games][..], &nothing].concat());
    assert_eq!(nothing.status.code(), Some(2), "no position counts");
    let rises = program(&["train", &games, "--rate", "1e-6", "--output", &output]);
    let said = String::from_utf8_lossy(&rises.stderr);
    assert_eq!(rises.status.code(), Some(2), "{said}");
    assert!(said.contains("rise from 0.000001 to 0.00001: give --last-rate too"), "{said}");
}

#[test]
fn a_network_of_material_alone_needs_no_games() {
    let place = TempDir::new().expect("there is a place for temporary files");
    let path = place.path().join("material").display().to_string();
    let ran = program(&["material-network", "--output", &path]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(
        NetworkWeights::load(Path::new(&path)).expect("a network"),
        NetworkWeights::material()
    );
    assert_eq!(program(&["material-network"]).status.code(), Some(2));
}

#[test]
fn networks_are_averaged_if_they_have_one_shape() {
    let place = TempDir::new().expect("there is a place for temporary files");
    let path = |name: &str| place.path().join(name).display().to_string();
    let first = NetworkWeights::material();
    let mut second = first.clone();
    second.output_biases[0] += 2;
    let other_scale = NetworkWeights { scale: first.scale + 1, ..first.clone() };
    for (name, network) in [("first", &first), ("second", &second), ("other", &other_scale)] {
        network.save(Path::new(&path(name))).expect("a file");
    }
    let average = |names: [&str; 2]| {
        let [first, second] = names.map(path);
        program(&["average-networks", &first, &second, "--output", &path("mean")])
    };
    let refused = average(["first", "other"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("differ"), "{refused:?}");
    assert!(!Path::new(&path("mean")).exists());
    assert_eq!(average(["first", "second"]).status.code(), Some(0));
    let mean = NetworkWeights::load(Path::new(&path("mean"))).expect("a network");
    assert_eq!(mean.output_biases[0], first.output_biases[0] + 1);
    assert_eq!(mean.feature_weights, first.feature_weights);
    let checksums = format!("mean of {:08x}, {:08x}", first.checksum(), second.checksum());
    assert_eq!(mean.description, checksums);
}

#[test]
fn samples_of_games_train_the_same_network_as_the_games() {
    let place = Place::new();
    let scale = ["--scale", "150", "--lambda", "0.9"];
    let samples = |output: &str, arguments: &[&str]| {
        let (games, output) = (place.path("games"), place.path(output));
        let fixed = ["data", "samples", &games, "--output", &output];
        let made = program(&[&fixed, arguments].concat());
        assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
        String::from_utf8(made.stdout).expect("text")
    };
    let said = samples("samples", &scale);
    assert!(said.contains("positions to train on") && said.contains("for validation"), "{said}");
    samples("more", &["--successors", "0.5"]);

    let small = ["--hidden", "32", "--batches", "3", "--superbatches", "2", "--scale", "150"];
    let train = |files: &[&str], output: &str, arguments: &[&str]| {
        let files: Vec<String> = files.iter().map(|name| place.path(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let output = place.path(output);
        let ran =
            program(&[&["train"], &files[..], &["--output", &output], &small, arguments].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    train(&["games"], "by-games", &scale[2..]);
    train(&["samples"], "by-samples", &[]);
    train(&["samples", "more"], "by-both", &["--weights", "1,0.5"]);
    let weights = |name: &str| {
        let network = NetworkWeights::load(Path::new(&place.path(name))).expect("a network");
        network.feature_weights
    };
    assert_eq!(weights("by-games"), weights("by-samples"));
    assert_ne!(weights("by-games"), weights("by-both"));
}

#[test]
fn networks_label_samples_and_another_learns_from_them() {
    let place = Place::new();
    let (games, samples) = (place.path("games"), place.samples());
    let (network, labelled) = (place.path("material"), place.path("labelled"));
    assert_eq!(program(&["material-network", "--output", &network]).status.code(), Some(0));
    let label = |source: &str, output: &str| {
        let networks = ["--networks", &network, &network, "--weight", "0.5", "--scale", "150"];
        program(&[&["data", "label", source, "--output", output], &networks[..]].concat())
    };
    let made = label(&samples, &labelled);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let read = |path: &str| SampleFile::read(Path::new(path)).expect("a file of samples");
    let (before, after) = (read(&samples), read(&labelled));
    assert_eq!(before.training.len(), after.training.len());
    assert_eq!(before.validation.len(), after.validation.len());
    let scores = |samples: &SampleFile| -> Vec<_> {
        samples.training.iter().chain(&samples.validation).map(Sample::score).collect()
    };
    assert_ne!(scores(&before), scores(&after));

    let small = ["--hidden", "32", "--batches", "2", "--superbatches", "1", "--scale", "150"];
    let network = place.path("network");
    let trained = program(&[&["train", &labelled, "--output", &network], &small[..]].concat());
    assert_eq!(trained.status.code(), Some(0), "{}", String::from_utf8_lossy(&trained.stderr));

    assert!(complaint(&label(&samples, &labelled)).contains("labelled already exists"));
    let new = place.path("new");
    assert!(complaint(&label(&games, &new)).contains("is not a file of samples"));
    assert!(complaint(&label(&place.path("none"), &new)).contains("cannot be read"));
    assert!(!Path::new(&new).exists());
}

#[test]
fn a_damaged_file_of_samples_is_refused() {
    let place = Place::new();
    let (games, samples) = (place.path("games"), place.samples());
    let mut bytes = place.bytes("samples");
    bytes.pop();
    fs::write(&samples, bytes).expect("it can be written");
    let ran = program(&["train", &samples, "--output", &place.path("network")]);
    assert!(complaint(&ran).contains("samples ends too soon"));
    let over = program(&["data", "samples", &games, "--output", &games]);
    assert_eq!(over.status.code(), Some(2), "{over:?}");
    let again = program(&["data", "samples", &games, "--output", &samples]);
    assert!(complaint(&again).contains("samples already exists"));
}
