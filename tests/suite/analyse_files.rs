//! The files of `outrider analyse`: what is refused before the work, and what a run leaves that is killed
//! or finds no room.

use std::process::Stdio;

use tempfile::TempDir;

use super::analyse_command::{GAMES, analyse, file, files, outrider, text};

#[test]
fn one_file_for_all_pages_is_refused_where_there_are_no_pages() {
    let directory = TempDir::new().unwrap();
    let one_file = ["--one-file", "all.html"];
    let mut from_input = outrider(directory.path(), &[&["-"], &one_file[..]].concat());
    let of_input = from_input.stdin(Stdio::null()).output().unwrap();
    let of_json = analyse(&directory, GAMES, &[&["--json", "-"], &one_file[..]].concat());
    for ran in [of_input, of_json] {
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
        let complaint = text(&ran.stderr);
        assert!(complaint.starts_with("Error: --one-file has no pages"), "{complaint}");
        assert_eq!((complaint.lines().count(), text(&ran.stdout)), (1, ""));
    }
    assert_eq!(files(&directory), ["games.pgn"]);
    let in_a_folder = ["--nodes", "100", "--json", "-", "--pages", "p"];
    let ran = analyse(&directory, GAMES, &[&in_a_folder, &one_file[..]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert_eq!(files(&directory), ["all.html", "games.pgn", "p"]);
    assert!(file(&directory, "all.html").contains("[\"index.html\",["));
}

/// The device refuses what is written to it, as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_taken_for_done_whose_lines_of_json_found_no_room() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--json", "/dev/full"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stderr).starts_with("Error: /dev/full: "), "{}", text(&ran.stderr));
    let kept = ["games-analysed.pgn.unfinished", "games-pages", "games.pgn"];
    assert_eq!(files(&directory), kept, "what was found is kept, but not as done");
    let again = analyse(&directory, GAMES, &["--nodes", "100", "--json", "games.jsonl"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert!(text(&again.stdout).starts_with("resumed after 13 of 13 positions\n"));
    assert_eq!(file(&directory, "games.jsonl").lines().count(), 2);
    assert_eq!(
        files(&directory),
        ["games-analysed.pgn", "games-pages", "games.jsonl", "games.pgn"]
    );
}

/// The device keeps a run from its end, so that its journal is there to be kept.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_a_kill_left_beside_finished_games_is_removed() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("games-analysed.pgn.unfinished");
    let ran = |arguments: &[&str]| {
        let ran = analyse(&directory, GAMES, &[&["--nodes", "100"], arguments].concat());
        (ran.status.code(), text(&ran.stdout).contains("was kept"))
    };
    assert_eq!(ran(&["--json", "/dev/full"]), (Some(1), false));
    let whole = file(&directory, "games-analysed.pgn.unfinished");
    assert_eq!(ran(&[]), (Some(0), false));
    assert!(!journal.exists());
    let begun: String = whole.split_inclusive('\n').take(3).collect();
    for (left, is_kept) in [(whole.as_str(), false), (&begun, true), ("my notes", true)] {
        std::fs::write(&journal, left).unwrap();
        assert_eq!(ran(&[]), (Some(0), true));
        assert_eq!(journal.exists(), is_kept, "{left}");
    }
}
