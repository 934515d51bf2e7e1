//! Files without an end. Each command that reads one fails with a message, in little memory.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs the program with 3 GB of memory; `script` is for the shell, with `$0` for the program.
fn limited(folder: &TempDir, script: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v 3000000 || exit 99; {script}")]);
    shell.arg(env!("CARGO_BIN_EXE_outrider")).current_dir(folder.path());
    shell.env("RUST_BACKTRACE", "0").output().expect("a shell runs")
}

#[test]
fn endless_files_are_refused_with_a_message_that_names_them() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.epd"), "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;\n").unwrap();
    let not_text = "cannot read /dev/zero: it is not text";
    let line = "a line is longer than 64 MiB";
    for (script, complaint) in [
        ("$0 lab solve --algorithm negascout --tree /dev/zero", not_text),
        ("$0 lab draw --algorithm negascout --tree /dev/zero --output a.svg", not_text),
        ("$0 genfens 1 seed 1 book /dev/zero", "cannot read /dev/zero: it is longer than"),
        ("$0 epd /dev/zero", "/dev/zero: cannot be read: it is not text"),
        ("$0 epd --compare /dev/zero /dev/zero", not_text),
        ("$0 analyse /dev/zero", not_text),
        ("$0 analyse a.epd --network /dev/zero", "/dev/zero"),
        ("$0 data inspect /dev/zero", "/dev/zero is not a file of games"),
        ("$0 train /dev/zero --output net", "/dev/zero"),
        ("yes x | tr -d '\\n' | $0 analyse -", line),
        ("yes x | tr -d '\\n' | $0 analyse - --no-pages --output a.pgn", line),
        ("yes x | tr -d '\\n' | $0 epd -", line),
        ("yes x | tr -d '\\n' | $0 epd - --json -", line),
        ("yes '[' | tr -d '\\n' | $0 lab solve --algorithm negascout --tree -", line),
        ("yes 'Nf3 Nf6' | $0 analyse -", "a game is longer than 256 MiB"),
        ("yes 'Nf3 Nf6' | $0 analyse - --no-pages --output a.pgn", "it is longer than 256 MiB"),
    ] {
        let ran = limited(&folder, script);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(matches!(ran.status.code(), Some(1 | 2)), "{script}: {ran:?}");
        assert!(said.contains(complaint), "{script}: {said}");
    }
}

#[test]
fn an_endless_file_in_place_of_an_output_is_an_error() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pgn"), "1. e4 e5 *\n").unwrap();
    for name in ["a-1.html", "a-analysed.pgn.unfinished"] {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let ran = limited(&folder, "$0 analyse a.pgn --nodes 100 --hash 1");
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains(name), "{ran:?}");
        fs::remove_file(link).unwrap();
    }
}
