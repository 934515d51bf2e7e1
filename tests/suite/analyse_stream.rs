//! `outrider analyse -` between other programs: games come one after another, and so do the answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value;

#[test]
fn a_game_is_answered_while_the_others_have_yet_to_come() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.args(["analyse", "-", "--hash", "1", "--nodes", "100", "--jobs", "2", "--json", "-"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().expect("the program runs");
    let mut games = child.stdin.take().expect("an input");
    let mut answers = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut answer = || -> Value {
        serde_json::from_str(&answers.next().expect("a line").unwrap()).expect("JSON")
    };
    let begin = |number: usize| format!("[Event \"{number}\"]\n[White \"Ann\"]\n\n");
    write!(games, "{}1. e4 e5 *\n\n{}", begin(1), begin(2)).unwrap();
    let first = answer();
    assert_eq!((&first["game"], &first["tags"]["Event"]), (&1.into(), &"1".into()));
    write!(games, "1. Ke5 *\n\n{}1. d4 *\n", begin(3)).unwrap();
    let second = answer();
    assert_eq!((&second["game"], &second["line"]), (&2.into(), &9.into()));
    drop(games);
    assert_eq!(answer()["tags"]["Event"], "3");
    assert_eq!(child.wait().unwrap().code(), Some(1), "a game cannot be read");
}
