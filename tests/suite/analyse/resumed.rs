//! Resuming `outrider analyse`: the files that a killed, failed or finished run leaves, and what
//! the next run does with them.

use std::fs;
use std::process::Stdio;

use tempfile::TempDir;

use super::{GAMES, analyse, file, files, outrider, text};
use crate::support::Running;

#[test]
fn a_killed_run_is_resumed() {
    let directory = TempDir::new().unwrap();
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(12);
    fs::write(directory.path().join("games.pgn"), format!("{shuffle} *\n")).unwrap();
    let arguments = ["games.pgn", "--hash", "1", "--nodes", "20000"];
    let journal = directory.path().join("games-analysed.pgn.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let killed = outrider(directory.path(), &arguments).stdout(Stdio::null()).spawn();
    let mut killed = Running(killed.expect("it runs"));
    killed.until("four positions are known", || done() >= 4);
    drop(killed);
    assert!(!directory.path().join("games-analysed.pgn").exists());
    let other = outrider(directory.path(), &["games.pgn", "--nodes", "30000"]).output().unwrap();
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("unfinished work with other settings"));
    let resumed = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0));
    let first = text(&resumed.stdout).lines().next().unwrap_or_default();
    assert!(first.starts_with("resumed after ") && first.ends_with(" of 49 positions"), "{first}");
    let annotated = file(&directory, "games-analysed.pgn");
    // One bracket is the annotator's, the others open lines with their own score.
    let lines = annotated.matches('(').count() - 1;
    assert_eq!(annotated.matches("[%eval").count() - lines, 48);
    assert!(!journal.exists());
}

#[test]
fn the_annotated_games_are_written_even_if_the_output_pipe_is_closed() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), GAMES).unwrap();
    let mut command = outrider(directory.path(), &["games.pgn", "--hash", "1", "--nodes", "100"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    assert!(file(&directory, "games-analysed.pgn").contains("[White \"Bob\"]"));
    assert!(!directory.path().join("games-analysed.pgn.unfinished").exists());
}

#[test]
fn a_finished_analysis_names_games_that_cannot_be_read_again() {
    let directory = TempDir::new().unwrap();
    let games = format!("{GAMES}\n[White \"C\"]\n\n1. e4 e5 2. Ke3 *\n");
    let ran = || analyse(&directory, &games, &["--nodes", "100", "--no-pages"]);
    let (first, second) = (ran(), ran());
    let unread = "game 3: move 2. Ke3 is not legal here";
    for run in [&first, &second] {
        assert_eq!(run.status.code(), Some(1));
        assert!(text(&run.stderr).contains(unread), "{}", text(&run.stderr));
    }
    assert!(text(&second.stdout).contains("was kept"));
    assert_eq!(text(&first.stderr), text(&second.stderr));
}

#[test]
fn a_finished_analysis_is_kept_unless_it_is_requested_again() {
    let directory = TempDir::new().unwrap();
    let ran = |arguments: &[&str]| {
        let ran = analyse(&directory, GAMES, &[&["--nodes", "200"], arguments].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        text(&ran.stdout).to_owned()
    };
    ran(&[]);
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(
        ran(&[])
            .contains("games-analysed.pgn is complete for these settings and was kept; --again")
    );
    fs::write(directory.path().join("games-analysed.pgn"), format!("{annotated}% mine")).unwrap();
    assert!(ran(&[]).contains("was kept"));
    for other in [
        &["--again"][..],
        &["--lines", "all"],
        &["--player", "ann"],
        &["--multipv", "2"],
        &["--threads", "2"],
    ] {
        assert!(ran(other).contains("games-analysed.pgn was written"), "{other:?}");
    }
    ran(&[]);
    let with_more_memory = ["games.pgn", "--nodes", "200", "--hash", "2"];
    let ran = outrider(directory.path(), &with_more_memory).output().unwrap();
    assert!(text(&ran.stdout).contains("games-analysed.pgn was written"));
}

#[test]
fn deleted_pages_are_made_again() {
    let directory = TempDir::new().unwrap();
    let kept = || {
        let arguments = ["--nodes", "100", "--one-file", "all.html"];
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        text(&ran.stdout).contains("was kept")
    };
    kept();
    for page in ["games-pages/games-2.html", "games-pages/index.html", "all.html"] {
        assert!(kept(), "all is there");
        let page = directory.path().join(page);
        fs::remove_file(&page).unwrap();
        assert!(!kept() && page.exists(), "{}", page.display());
    }
}

#[test]
fn a_file_of_all_pages_that_another_run_has_replaced_is_written_again() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), GAMES).unwrap();
    fs::write(directory.path().join("other.pgn"), ["1. d4 *", "1. c4 *"].join("\n\n")).unwrap();
    let kept = |name: &str| {
        let arguments = [name, "--hash", "1", "--nodes", "100", "--one-file", "all.html"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        text(&ran.stdout).contains("was kept")
    };
    assert!(!kept("games.pgn") && kept("games.pgn"));
    let all = file(&directory, "all.html");
    assert!(!kept("other.pgn") && file(&directory, "all.html") != all);
    assert!(!kept("games.pgn") && file(&directory, "all.html") == all);
}

#[test]
fn a_json_file_that_another_run_has_replaced_is_written_again() {
    let directory = TempDir::new().unwrap();
    let ran = |name: &str| {
        let arguments = [name, "--hash", "1", "--nodes", "100", "--json", "lines.jsonl"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        (text(&ran.stdout).contains("was kept"), file(&directory, "lines.jsonl"))
    };
    fs::write(directory.path().join("games.pgn"), GAMES).unwrap();
    fs::write(directory.path().join("other.pgn"), "1. d4 *\n").unwrap();
    let (_, lines) = ran("games.pgn");
    assert_eq!(ran("games.pgn"), (true, lines.clone()));
    let (_, others) = ran("other.pgn");
    assert_ne!(others, lines);
    assert_eq!(ran("games.pgn"), (false, lines.clone()));
    fs::remove_file(directory.path().join("lines.jsonl")).unwrap();
    assert_eq!(ran("games.pgn"), (false, lines));
}

/// The device fails every write, like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_run_is_not_complete_if_its_json_could_not_be_written() {
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

/// The device prevents the run from completing, so that its journal can be resumed.
#[cfg(target_os = "linux")]
#[test]
fn a_resumed_run_does_not_search_reasons_and_puzzles_again() {
    let directory = TempDir::new().unwrap();
    let hung = "1. e4 e5 2. Nf3 Nc6 3. Ba6 Nf6 *\n";
    let arguments = ["--nodes", "2000", "--json", "/dev/full"];
    let left = || {
        let ran = analyse(&directory, hung, &arguments);
        assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stderr));
        let names = ["games-analysed.pgn.unfinished", "games-1.html", "games-puzzles.html"];
        names.map(|name| file(&directory, name))
    };
    let first = left();
    for kind in ["position", "reason", "puzzle"] {
        let begin = format!("{{\"{kind}\":");
        assert!(first[0].lines().any(|line| line.starts_with(&begin)), "{kind}: {}", first[0]);
    }
    assert_eq!(left(), first, "nothing was found again");
    // Stored results are used, right or wrong.
    let journal = directory.path().join("games-analysed.pgn.unfinished");
    fs::write(&journal, first[0].replace("\"proven\":true", "\"proven\":false")).unwrap();
    assert_ne!(left()[1], first[1], "the reason is not said");
}

/// The device prevents the run from completing, so that its journal can be kept.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_left_by_a_killed_run_with_finished_games_is_removed() {
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
        fs::write(&journal, left).unwrap();
        assert_eq!(ran(&[]), (Some(0), true));
        assert_eq!(journal.exists(), is_kept, "{left}");
    }
}
