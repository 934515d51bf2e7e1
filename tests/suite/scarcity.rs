//! Commands with too few resources: no thread, a full disk; and file names that are not UTF-8. Each
//! fails in one line with exit code 1, and leaves no partial files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const GAME: &str =
    "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;\n";

/// Returns a folder with a game, a suite, and a file of games.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("a.pgn"), GAME).expect("a file");
    fs::write(folder.path().join("a.epd"), SUITE).expect("a file");
    let material = ["material-network", "--output", "a.network"];
    assert_eq!(limited(folder.path(), "true", &material).status.code(), Some(0));
    let games = ["datagen", "--games", "8", "--nodes", "10", "--seed", "1", "--output", "games"];
    assert_eq!(limited(folder.path(), "true", &games).status.code(), Some(0));
    folder
}

/// Runs the program in this folder under a limit set by the shell.
fn limited(folder: &Path, limit: &str, arguments: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; {limit} || exit 99; exec \"$@\""), "sh"]);
    shell.arg(env!("CARGO_BIN_EXE_outrider")).args(arguments).current_dir(folder);
    shell.env("RUST_BACKTRACE", "0").output().expect("a shell runs")
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into()).collect();
    names.sort();
    names
}

/// With less memory than a stack needs, the system starts no thread.
#[cfg(target_os = "linux")]
#[test]
fn a_command_reports_that_it_cannot_start_a_thread() {
    let folder = folder();
    for command in [
        &["bench", "1"][..],
        &["epd", "a.epd", "--depth", "2", "--hash", "1"],
        &["analyse", "a.pgn", "--depth", "2", "--hash", "1"],
    ] {
        let mut refusals = 0;
        for megabytes in (40..140).step_by(4) {
            let limit = format!("ulimit -v {}", megabytes << 10);
            let ran = limited(folder.path(), &limit, command);
            let complaint = String::from_utf8_lossy(&ran.stderr);
            // A panic would print the system's error like this.
            assert!(!complaint.contains("WouldBlock"), "{command:?}: {complaint}");
            if complaint.contains("cannot start a thread") {
                assert_eq!((ran.status.code(), complaint.lines().count()), (Some(1), 1));
                assert!(!complaint.contains("a."), "no file is to blame: {complaint}");
                refusals += 1;
            }
        }
        assert!(refusals > 0, "{command:?}: no limit left it without a thread");
    }
}

/// The threads that clear the table have their own stacks, and there may be no memory for them.
#[cfg(target_os = "linux")]
#[test]
fn a_new_game_begins_even_if_no_thread_can_clear_the_table() {
    let folder = folder();
    fs::write(
        folder.path().join("lines"),
        "setoption name Threads value 16\nucinewgame\nisready\n",
    )
    .expect("a file");
    let mut answered = 0;
    for megabytes in (80..400).step_by(4) {
        let limit = format!("exec < lines; ulimit -v {}", megabytes << 10);
        let ran = limited(folder.path(), &limit, &[]);
        let complaint = String::from_utf8_lossy(&ran.stderr);
        assert!(!complaint.contains("WouldBlock"), "{megabytes} MB: {complaint}");
        answered += usize::from(ran.stdout.ends_with(b"readyok\n"));
    }
    assert!(answered > 0, "no limit let it answer");
}

/// The shell's limit on file sizes makes each write beyond it fail, like a full disk.
#[test]
fn commands_report_a_full_disk_and_leave_no_hidden_files() {
    let files = folder();
    // Enough games that some are kept for validation.
    let many = ["datagen", "--games", "600", "--nodes", "10", "--seed", "4", "--output", "many"];
    let samples = ["data", "samples", "many", "--output", "a.samples"];
    let label = [
        "data",
        "label",
        "a.samples",
        "--networks",
        "a.network",
        "--scale",
        "134",
        "--output",
        "out",
    ];
    for command in [&many[..], &samples] {
        assert_eq!(limited(files.path(), "true", command).status.code(), Some(0));
    }
    for (command, output) in [
        (&["data", "merge", "games", "games", "--output", "out"][..], "out"),
        (&["data", "split", "games", "--validation", "0.5"], "games."),
        (&["data", "samples", "many", "--output", "out"], "out"),
        (&label, "out"),
        (&["datagen", "--games", "4", "--nodes", "10", "--seed", "1", "--output", "out"], "out"),
        (&["analyse", "a.pgn", "--depth", "2", "--hash", "1"], "a-analysed.pgn"),
        (&["epd", "a.epd", "--depth", "2", "--json", "out", "--hash", "1"], "out"),
        (&["epd", "a.epd", "--depth", "2", "--html", "out", "--hash", "1"], "out"),
        (&["material-network", "--output", "out"], "out"),
        (&["average-networks", "a.network", "a.network", "--output", "out"], "out"),
    ] {
        for blocks in [0, 1] {
            let folder = TempDir::new().expect("a folder");
            for name in names(files.path()) {
                fs::copy(files.path().join(&name), folder.path().join(&name)).expect("a copy");
            }
            let ran = limited(folder.path(), &format!("ulimit -f {blocks}"), command);
            let complaint = String::from_utf8_lossy(&ran.stderr);
            let is_one_line = complaint.lines().count() == 1 && complaint.starts_with("Error: ");
            assert!(is_one_line && ran.status.code() == Some(1), "{command:?}: {ran:?}");
            assert!(complaint.contains(output), "{command:?}: {complaint}");
            let names = names(folder.path());
            let is_hidden = |name: &PathBuf| name.as_os_str().as_bytes().starts_with(b".");
            assert!(!names.iter().any(is_hidden), "{command:?}: {names:?}");
            // With enough space the same command succeeds.
            let again = limited(folder.path(), "true", command);
            assert_eq!(again.status.code(), Some(0), "{command:?}: {again:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn with_names_that_are_not_utf_8_an_analysis_is_recognized_by_its_settings() {
    let folder = folder();
    let tables = OsStr::from_bytes(b"tables-\xff");
    let linked = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/files/syzygy");
    std::os::unix::fs::symlink(linked, folder.path().join(tables)).expect("a link");
    let ran = |option: &str, name: &[u8], depth: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
        command.args(["analyse", "a.pgn", "--hash", "1", "--depth", depth, option]);
        command.arg(OsStr::from_bytes(name)).current_dir(folder.path());
        let ran = command.output().expect("it runs");
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        String::from_utf8_lossy(&ran.stdout).contains("was kept")
    };
    for (option, name) in [("--json", &b"\xff.jsonl"[..]), ("--syzygy", tables.as_bytes())] {
        let kept = ["1", "2", "2"].map(|depth| ran(option, name, depth));
        assert_eq!(kept, [false, false, true], "{option}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_have_separate_outputs() {
    let folder = folder();
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let outrider = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
        let ran = command.args(arguments).current_dir(folder.path()).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    };
    for byte in [0xfe, 0xff] {
        let games = [b'b', byte, b'.', b'p', b'g', b'n'];
        fs::copy(folder.path().join("a.pgn"), path(&games)).expect("a copy");
        let arguments = ["analyse", "--depth", "1", "--hash", "1"].map(OsStr::new);
        outrider(&[&arguments[..], &[OsStr::from_bytes(&games)]].concat());
        let played = [b'g', byte];
        fs::copy(folder.path().join("games"), path(&played)).expect("a copy");
        let arguments = ["data", "split", "--validation", "0.5"].map(OsStr::new);
        outrider(&[&arguments[..], &[OsStr::from_bytes(&played)]].concat());
    }
    for byte in [0xfe, 0xff] {
        for (begin, end) in [
            ("b", "-analysed.pgn"),
            ("b", "-1.html"),
            ("b", "-1.svg"),
            ("g", ".training"),
            ("g", ".validation"),
        ] {
            let name = [begin.as_bytes(), &[byte], end.as_bytes()].concat();
            assert!(path(&name).exists(), "{:?}", names(folder.path()));
        }
    }
}
