//! `OwnBook` and `BookFile`: moves of an opening book, or a one-line reason why not.

use std::fs;
use std::path::{Path, PathBuf};

use super::{KIWIPETE, START, assert_good, messages, session};
use crate::support::engine::Engine;
use crate::support::info::lines_of_play;

/// Key of the initial position in the description of Polyglot's format.
const START_KEY: u64 = 0x463b_9618_1691_fc9c;
/// The moves a2a3, which no search finds best, and a3a2, which is illegal, packed in Polyglot's
/// format.
const A2A3: u16 = 0o1020;
const A3A2: u16 = 0o2010;

/// Writes a book with these moves for the initial position, each with its weight.
fn book(folder: &Path, moves: &[(u16, u16)]) -> PathBuf {
    let mut bytes = Vec::new();
    for &(packed_move, weight) in moves {
        bytes.extend(START_KEY.to_be_bytes());
        bytes.extend(packed_move.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    let path = folder.join("my book.bin");
    fs::write(&path, bytes).expect("the file is written");
    path
}

fn use_book(engine: &mut Engine, path: &Path) {
    engine.send_unanswered("setoption name OwnBook value true");
    let said = engine.ask(&format!("setoption name BookFile value {}", path.display()));
    assert_eq!(messages(&said).len(), 1, "{said:#?}");
}

#[test]
fn a_book_move_is_played_with_a_score_and_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut engine, game) = session(START, "");
    use_book(&mut engine, &book(folder.path(), &[(A2A3, 3), (A3A2, 9)]));
    for go in ["go wtime 60000 btime 60000", "go depth 30", "go movetime 60000", "go nodes 9000000"]
    {
        let answer = engine.search(go);
        assert_good(&game, &answer);
        assert_eq!(answer.best.as_deref(), Some("a2a3"), "{go}");
        assert!(messages(&answer.lines).concat().contains("weight 3 of 3"), "{answer:?}");
        assert_eq!(lines_of_play(&answer.lines).len(), 1, "{answer:?}");
    }
    engine.send_unanswered(&format!("position fen {KIWIPETE}"));
    assert_ne!(engine.search("go depth 3").best.as_deref(), Some("a2a3"));
    engine.quit();
}

#[test]
fn the_book_is_used_only_if_it_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut engine, _) = session(START, "");
    let path = book(folder.path(), &[(A2A3, 1)]);
    engine.ask(&format!("setoption name BookFile value {}", path.display()));
    assert_ne!(engine.search("go depth 5").best.as_deref(), Some("a2a3"), "OwnBook is off");
    engine.send_unanswered("setoption name OwnBook value true");
    assert_eq!(engine.search("go depth 5").best.as_deref(), Some("a2a3"));
    engine.send("go infinite");
    engine.send("stop");
    assert_ne!(engine.answer().best.as_deref(), Some("a2a3"), "infinite");
    let only = engine.search("go depth 5 searchmoves b1c3");
    assert_eq!(only.best.as_deref(), Some("b1c3"));
    engine.send_unanswered("setoption name UCI_AnalyseMode value true");
    assert_ne!(engine.search("go depth 5").best.as_deref(), Some("a2a3"), "analysis");
    engine.send_unanswered("setoption name UCI_AnalyseMode value false");
    engine.send_unanswered("setoption name BookFile value <empty>");
    assert_ne!(engine.search("go depth 5").best.as_deref(), Some("a2a3"), "no book");
    engine.quit();
}

#[test]
fn a_file_that_is_not_a_book_gives_an_error_of_one_line_and_play_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut engine, game) = session(START, "");
    engine.send_unanswered("setoption name OwnBook value true");
    let bad = folder.path().join("bad.bin");
    fs::write(&bad, "1. e4 e5 *").expect("the file is written");
    let refused = |engine: &mut Engine, path: &Path, end: &str| {
        let said = engine.ask(&format!("setoption name BookFile value {}", path.display()));
        let reported = messages(&said).concat();
        assert_eq!(said.len(), 1, "{said:#?}");
        assert!(
            reported.starts_with(&format!("{}: ", path.display())) && reported.ends_with(end),
            "{reported}"
        );
    };
    for path in [&bad, folder.path(), &folder.path().join("nowhere.bin")] {
        refused(&mut engine, path, "no book is in use");
        assert_good(&game, &engine.search("go depth 4"));
    }
    let good = book(folder.path(), &[(A2A3, 1)]);
    use_book(&mut engine, &good);
    refused(&mut engine, &bad, &format!("the book {} is kept", good.display()));
    assert_eq!(engine.search("go depth 4").best.as_deref(), Some("a2a3"));
    engine.quit();
}
