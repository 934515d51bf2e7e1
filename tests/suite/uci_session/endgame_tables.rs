//! The options for endgame tables, as a GUI sets them.

use super::{KING_AND_QUEEN, assert_good, messages, session};
use crate::support::engine::Answer;
use crate::support::syzygy_folder;

/// Returns the score of the last line.
fn score(answer: &Answer) -> String {
    let line = answer.lines.iter().rfind(|line| line.contains(" pv ")).expect("a line");
    let rest = line.split_once(" score ").expect("a score").1;
    rest.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn tables_can_be_found_used_and_disabled() {
    let (mut engine, game) = session("8/8/8/8/8/8/1k1P4/3K4 w - - 0 1", "");
    let said =
        engine.ask(&format!("setoption name SyzygyPath value {}", syzygy_folder().display()));
    let found = "found 5 WDL tables and 5 DTZ tables, up to 3 pieces";
    assert_eq!(messages(&said), [found], "{said:#?}");
    let asked = engine.search("go depth 3");
    assert_good(&game, &asked);
    assert_eq!(score(&asked), "cp 20000");
    engine.ask("setoption name SyzygyProbeLimit value 2");
    let without = engine.search("go depth 3");
    assert_ne!(score(&without), "cp 20000");
    engine.quit();
}

#[test]
fn a_wrong_path_gives_an_error_of_one_line_and_play_continues() {
    let (mut engine, game) = session(KING_AND_QUEEN, "");
    let said = engine.ask("setoption name SyzygyPath value /there/is/nothing");
    assert_eq!(said.len(), 1, "{said:#?}");
    let reported = messages(&said).concat();
    assert!(
        reported.starts_with("/there/is/nothing: ") && reported.contains("found 0"),
        "{reported}"
    );
    assert_good(&game, &engine.search("go depth 4"));
    engine.quit();
}
