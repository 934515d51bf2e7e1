//! Inputs of `outrider analyse`: several files, compressed files, and what is no file of games.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::{GAMES, file, files, outrider, text};

/// A folder with these files of games.
fn folder(names: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in names {
        fs::write(folder.path().join(name), GAMES).unwrap();
    }
    folder
}

fn ran(folder: &TempDir, arguments: &[&str]) -> Output {
    let arguments = [arguments, &["--hash", "1", "--nodes", "100"]].concat();
    outrider(folder.path(), &arguments).output().expect("the program runs")
}

/// Compresses a text with a program of the system; `None` if there is no such program.
fn compressed(program: &str, input: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let command = command.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(input).ok()?;
    Some(child.wait_with_output().ok()?.stdout)
}

#[test]
fn several_files_have_the_outputs_of_separate_runs_and_a_summary_of_all() {
    let folder = folder(&["a.pgn", "b.pgn"]);
    let both = ran(&folder, &["a.pgn", "b.pgn"]);
    assert_eq!((both.status.code(), text(&both.stderr)), (Some(0), ""));
    let expected = ["a-analysed.pgn", "a-pages", "a.pgn", "b-analysed.pgn", "b-pages", "b.pgn"];
    assert_eq!(files(&folder), expected);
    let said = text(&both.stdout);
    assert!(said.contains("\nall: 2 files, 4 games\n"), "{said}");
    let (_, summary) = said.split_once("\nall: ").unwrap();
    assert_eq!(summary.matches("Ann").count(), 1, "a player has one line for all files: {said}");
    let annotated = file(&folder, "a-analysed.pgn");
    fs::remove_file(folder.path().join("a-analysed.pgn")).unwrap();
    assert_eq!(ran(&folder, &["a.pgn"]).status.code(), Some(0));
    assert_eq!(file(&folder, "a-analysed.pgn"), annotated, "one run gives the same");
}

#[test]
fn a_second_run_with_all_names_skips_the_outputs_of_the_first() {
    let folder = folder(&["a.pgn", "b.pgn"]);
    assert_eq!(ran(&folder, &["a.pgn", "b.pgn", "--no-pages"]).status.code(), Some(0));
    let all = ["a-analysed.pgn", "a.pgn", "b-analysed.pgn", "b.pgn", "--no-pages"];
    let again = ran(&folder, &all);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(text(&again.stderr).matches("skipped").count(), 2);
    assert!(text(&again.stdout).contains("2 files done before"), "{}", text(&again.stdout));
    assert_eq!(files(&folder), ["a-analysed.pgn", "a.pgn", "b-analysed.pgn", "b.pgn"]);
    fs::write(folder.path().join("a-analysed.pgn"), GAMES).unwrap();
    let foreign = ran(&folder, &all);
    assert_eq!(foreign.status.code(), Some(2), "a file of another origin is not overwritten");
    assert_eq!(file(&folder, "a-analysed.pgn"), GAMES);
}

#[test]
fn outputs_of_several_files_go_to_a_folder() {
    let folder = folder(&["a.pgn", "b.pgn"]);
    fs::create_dir(folder.path().join("out")).unwrap();
    let ran_into = |option, path| ran(&folder, &["a.pgn", "b.pgn", "--no-pages", option, path]);
    for option in ["--output", "--json"] {
        let refused = ran_into(option, "file");
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("must be a folder"));
    }
    assert_eq!(files(&folder), ["a.pgn", "b.pgn", "out"]);
    let done = ran(
        &folder,
        &[
            "a.pgn",
            "b.pgn",
            "--output",
            "out",
            "--json",
            "out",
            "--pages",
            "out",
            "--one-file",
            "out",
        ],
    );
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
    let expected = [
        "a-analysed.pgn",
        "a-pages",
        "a.html",
        "a.jsonl",
        "b-analysed.pgn",
        "b-pages",
        "b.html",
        "b.jsonl",
    ];
    assert_eq!(super::files_in(&folder.path().join("out")), expected);
}

#[test]
fn a_single_file_may_have_a_folder_for_its_outputs_and_folders_are_created() {
    let folder = folder(&["a.pgn", "b.pgn"]);
    let into_new = ["--no-pages", "--output", "new/annotated/", "--json", "new/"];
    let one = ran(&folder, &[&["a.pgn"], &into_new[..]].concat());
    assert_eq!((one.status.code(), text(&one.stderr)), (Some(0), ""));
    let new = folder.path().join("new");
    assert_eq!(super::files_in(&new), ["a.jsonl", "annotated"]);
    assert_eq!(super::files_in(&new.join("annotated")), ["a-analysed.pgn"]);
    let several = ran(&folder, &["a.pgn", "b.pgn", "--no-pages", "--output", "both/"]);
    assert_eq!((several.status.code(), text(&several.stderr)), (Some(0), ""));
    let expected = ["a-analysed.pgn", "b-analysed.pgn"];
    assert_eq!(super::files_in(&folder.path().join("both")), expected);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_analysed() {
    let folder = folder(&["a.pgn", "c.pgn"]);
    fs::create_dir(folder.path().join("b")).unwrap();
    let done = ran(&folder, &["a.pgn", "b", "missing.pgn", "c.pgn", "--no-pages"]);
    assert_eq!(done.status.code(), Some(1));
    let complaint = text(&done.stderr);
    assert!(
        complaint.contains("cannot read b: it is a folder; give the files in it\n"),
        "{complaint}"
    );
    assert!(complaint.contains("cannot read missing.pgn: "), "{complaint}");
    assert!(complaint.ends_with("Error: 2 of 4 files could not be analysed\n"), "{complaint}");
    assert_eq!(files(&folder), ["a-analysed.pgn", "a.pgn", "b", "c-analysed.pgn", "c.pgn"]);
    let twice = ran(&folder, &["a.pgn", "./a.pgn", "--no-pages"]);
    let clash = text(&twice.stderr);
    assert!(clash.ends_with("a-analysed.pgn: it is given for two outputs\n"), "{clash}");
    let with_input = ran(&folder, &["-", "a.pgn"]);
    assert_eq!(with_input.status.code(), Some(2));
}

#[test]
fn a_missing_input_is_named_before_its_outputs() {
    let folder = folder(&["a.pgn"]);
    let refused = |path: &str, complaint: &str| {
        let ran = ran(&folder, &[path]);
        let said = text(&ran.stderr);
        assert!(said.starts_with(&format!("Error: cannot read {path}: {complaint}")), "{said}");
        assert_eq!((said.lines().count(), text(&ran.stdout)), (1, ""));
        assert_eq!(files(&folder), ["a.pgn"]);
    };
    refused("nodir/x.pgn", "No such file");
    refused("https://lichess.org/abcdefgh", "it is an address, not a file; download it first");
    refused(".", "it is a folder; give the files in it");
}

#[test]
fn compressed_games_and_utf_16_are_analysed_like_plain_ones() {
    let folder = folder(&["plain"]);
    let annotated = |name: &str| {
        let done = ran(&folder, &[name, "--no-pages"]);
        assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""), "{name}");
        let games = file(&folder, &format!("{name}-analysed.pgn"));
        games
            .lines()
            .filter(|line| !line.starts_with("[AnalysisId "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let plain = annotated("plain");
    let utf16: Vec<u8> =
        format!("\u{feff}{GAMES}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let forms = [
        ("mark", Some(format!("\u{feff}{GAMES}").into_bytes())),
        ("utf16", Some(utf16.clone())),
        ("gz", compressed("gzip", GAMES.as_bytes())),
        ("zst", compressed("zstd", GAMES.as_bytes())),
        ("utf16.gz", compressed("gzip", &utf16)),
    ];
    for (name, bytes) in forms {
        let Some(bytes) = bytes else {
            continue;
        };
        fs::write(folder.path().join(name), bytes).unwrap();
        assert_eq!(annotated(name), plain, "{name}");
    }
}

#[test]
fn binary_files_are_named_and_nothing_is_written() {
    let folder = folder(&[]);
    for (name, bytes, complaint) in [
        ("zip.pgn", &b"PK\x03\x04\x14\0\0\0\x08\0"[..], "it is a zip archive; unpack it first"),
        ("data.pgn", &[0, 1, 2, 3, 4, 5, 200, 201], "it is not text"),
        ("half.pgn", b"\x1f\x8b\x08\0\0\0\0\0", "its gzip data is damaged or incomplete"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let ran = ran(&folder, &[name]);
        assert_eq!(ran.status.code(), Some(2), "{name}");
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert_eq!(files(&folder), [""; 0]);
}

#[test]
fn a_wrong_move_number_is_reported_once_per_game_and_the_game_is_analysed() {
    let folder = folder(&[]);
    let games = "1. e4 e5\n3. Nf3 Nc6\n5. Bb5 *\n\n1. d4 *\n\n2. c4 1-0\n";
    fs::write(folder.path().join("a.pgn"), games).unwrap();
    let done = ran(&folder, &["a.pgn", "--no-pages"]);
    let expected = "a.pgn:2: game 1: move number 3 where 2 is expected; moves may be missing\n\
                    a.pgn:7: game 3: move number 2 where 1 is expected; moves may be missing\n";
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), expected));
    assert!(file(&folder, "a-analysed.pgn").contains("2. Nf3 { [%eval"));
}
