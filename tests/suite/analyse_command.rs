//! `outrider analyse` as a program: the files it writes, and what it makes of bad input.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

pub(super) const GAMES: &str = "\
[White \"Ann\"]
[Black \"Bob\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[White \"Bob\"]
[Black \"Ann\"]
[Result \"1-0\"]

1. e4 {[%clk 0:10:00]} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
";

pub(super) fn outrider(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.arg("analyse").args(arguments).current_dir(directory);
    command
}

pub(super) fn analyse(directory: &TempDir, games: &str, arguments: &[&str]) -> Output {
    fs::write(directory.path().join("games.pgn"), games).unwrap();
    let arguments = [&["games.pgn", "--hash", "1"], arguments].concat();
    outrider(directory.path(), &arguments).output().expect("the program runs")
}

pub(super) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

pub(super) fn file(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(super) fn files(directory: &TempDir) -> Vec<String> {
    files_in(directory.path())
}

fn files_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn games_are_annotated_and_each_has_a_page_and_a_picture() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    assert_eq!(files(&directory), ["games-analysed.pgn", "games-pages", "games.pgn"]);
    let expected = [
        "games-1.html",
        "games-1.svg",
        "games-2.html",
        "games-2.svg",
        "index.html",
        "player-1.html",
        "player-2.html",
        "puzzles.html",
    ];
    assert_eq!(files_in(&directory.path().join("games-pages")), expected);
    // Where the lines are broken depends on the scores.
    let annotated = file(&directory, "games-analysed.pgn");
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(annotated.contains("2. g4 $4 { [%eval #-1] }"), "{annotated}");
    assert!(annotated.contains(" [%clk 0:10:00] }"), "{annotated}");
    assert!(annotated.contains("3... Nf6 $4 { [%eval #1] }"), "{annotated}");
    let output = text(&ran.stdout);
    assert!(output.contains("game 1: Ann - Bob, 0-1, games-pages"), "{output}");
    let rows =
        |name: &str| output.lines().filter(|line| line.starts_with(&format!("  {name} "))).count();
    assert_eq!((rows("Ann"), rows("Bob")), (3, 3), "in each game and in all together: {output}");
}

#[test]
fn the_output_may_have_another_name_and_place() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("out")).unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "500", "--output", "out/done.pgn"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(files(&directory), ["games.pgn", "out"]);
    for name in ["out/done.pgn", "out/games-pages/games-1.html", "out/games-pages/games-2.svg"] {
        assert!(!file(&directory, name).is_empty());
    }
}

#[test]
fn a_game_that_cannot_be_read_is_reported_and_copied_and_the_others_are_analysed() {
    let directory = TempDir::new().unwrap();
    let broken = "[White \"C\"]\n\n1. e4 e5 2. Nf6 {what?} *";
    let ran = analyse(&directory, &format!("{broken}\n\n{GAMES}"), &["--depth", "2"]);
    assert_eq!(ran.status.code(), Some(1));
    let complaints: Vec<_> = text(&ran.stderr).lines().collect();
    assert_eq!(complaints[0], "games.pgn:3: game 1: move 2. Nf6 is not legal here");
    assert_eq!(complaints.len(), 2);
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(annotated.starts_with(&format!("{broken}\n\n[White \"Ann\"]")), "{annotated}");
    let pages = directory.path().join("games-pages");
    assert!(pages.join("games-3.html").exists() && !pages.join("games-1.html").exists());
}

#[test]
fn what_cannot_be_analysed_is_refused_in_a_line() {
    let directory = TempDir::new().unwrap();
    let refused = |ran: Output, code: i32, complaint: &str| {
        assert_eq!(ran.status.code(), Some(code));
        assert_eq!(text(&ran.stderr).lines().count(), 1);
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    };
    refused(analyse(&directory, "% nothing\n", &[]), 2, "games.pgn: there is no game in it");
    refused(analyse(&directory, GAMES, &["--output", "games.pgn"]), 2, "games.pgn: it is one");
    refused(analyse(&directory, GAMES, &["--output", "no/where.pgn"]), 1, "no/where.pgn");
    refused(analyse(&directory, GAMES, &["--output", "."]), 1, "cannot write .: ");
    refused(outrider(directory.path(), &["missing.pgn"]).output().unwrap(), 1, "missing.pgn: ");
    assert_eq!(file(&directory, "games.pgn"), GAMES, "the input stays as it is");
    assert_eq!(files(&directory), ["games.pgn"]);
}

#[test]
fn a_run_that_was_killed_is_resumed() {
    let directory = TempDir::new().unwrap();
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(12);
    fs::write(directory.path().join("games.pgn"), format!("{shuffle} *\n")).unwrap();
    let arguments = ["games.pgn", "--hash", "1", "--nodes", "20000"];
    let journal = directory.path().join("games-analysed.pgn.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut killed =
        outrider(directory.path(), &arguments).stdout(Stdio::null()).spawn().expect("it runs");
    while done() < 4 {
        thread::sleep(Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!directory.path().join("games-analysed.pgn").exists());
    let other = outrider(directory.path(), &["games.pgn", "--nodes", "30000"]).output().unwrap();
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("unfinished work with other settings"));
    let resumed = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0));
    let first = text(&resumed.stdout).lines().next().unwrap_or_default();
    assert!(first.starts_with("resumed after ") && first.ends_with(" of 49 positions"), "{first}");
    let annotated = file(&directory, "games-analysed.pgn");
    // One bracket is the annotator's, the others open lines with a score of their own.
    let lines = annotated.matches('(').count() - 1;
    assert_eq!(annotated.matches("[%eval").count() - lines, 48);
    assert!(!journal.exists());
}

#[test]
fn the_annotated_games_are_written_though_nobody_reads_the_summaries() {
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
fn files_of_somebody_else_are_not_written_over() {
    let directory = TempDir::new().unwrap();
    let arguments = ["--nodes", "100", "--pages", ".", "--again"];
    let theirs = [
        "games-1.html",
        "games-2.svg",
        "index.html",
        "player-1.html",
        "puzzles.html",
        "games-analysed.pgn.unfinished",
    ];
    for theirs in theirs {
        fs::write(directory.path().join(theirs), "mine").unwrap();
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(text(&ran.stdout), "", "it is known before the work");
        assert!(text(&ran.stderr).contains(theirs), "{}", text(&ran.stderr));
        assert_eq!(file(&directory, theirs), "mine");
        assert_eq!(files(&directory).len(), 2);
        fs::remove_file(directory.path().join(theirs)).unwrap();
    }
    for _ in 0..2 {
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""), "pages are made again");
    }
}

#[test]
fn no_output_is_a_page_or_beside_its_own_input() {
    let directory = TempDir::new().unwrap();
    for (option, page) in [
        ("--output", "games-1.html"),
        ("--output", "games-2.svg"),
        ("--output", "index.html"),
        ("--json", "player-1.html"),
        ("--one-file", "index.html"),
        ("--one-file", "puzzles.html"),
    ] {
        let arguments = ["--nodes", "100", "--pages", ".", option, page];
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
        assert!(text(&ran.stderr).contains(page), "{}", text(&ran.stderr));
        assert_eq!(files(&directory), ["games.pgn"]);
    }
    let unfinished = "[Event \"x\"]\n\n1. e4 e5 2. Qh5 1-0";
    fs::write(directory.path().join("b.unfinished"), unfinished).unwrap();
    let arguments = ["b.unfinished", "--nodes", "100", "--output", "b"];
    let ran = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
    assert_eq!(file(&directory, "b.unfinished"), unfinished);
}

#[test]
fn files_that_differ_in_their_ending_share_nothing() {
    let directory = TempDir::new().unwrap();
    for name in ["a.pgn", "a.txt"] {
        fs::write(directory.path().join(name), GAMES).unwrap();
        let arguments = [name, "--hash", "1", "--nodes", "100"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    }
    assert_eq!(files(&directory).len(), 6);
    assert!(directory.path().join("a-pages/a-1.html").exists());
    assert!(directory.path().join("a.txt-analysed.pgn").exists());
}

#[test]
#[cfg(unix)]
fn a_pipe_gets_the_games_alone() {
    let directory = TempDir::new().unwrap();
    let made = Command::new("mkfifo").arg(directory.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let reader = thread::spawn({
        let pipe = directory.path().join("pipe");
        move || fs::read_to_string(pipe).unwrap()
    });
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--output", "pipe"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert!(reader.join().unwrap().contains("[White \"Bob\"]"));
    assert_eq!(files(&directory), ["games.pgn", "pipe"]);
}

#[test]
fn games_in_latin_1_are_read_also_beside_others() {
    let directory = TempDir::new().unwrap();
    let old = b"[White \"R\xe9ti\"]\n\n1. Nf3 *\n\n".to_vec();
    let both = [old.as_slice(), "[White \"Réti\"]\n\n1. Nf3 *\n".as_bytes()].concat();
    for (games, count) in [(old, 1), (both, 2)] {
        fs::write(directory.path().join("games.pgn"), games).unwrap();
        let arguments = ["games.pgn", "--depth", "1", "--again"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        let annotated = file(&directory, "games-analysed.pgn");
        assert_eq!(annotated.matches("[White \"Réti\"]").count(), count, "{annotated}");
    }
}

/// Analyses what the program reads from its standard input; returns its output.
fn analyse_input(directory: &TempDir, games: &str, arguments: &[&str]) -> Output {
    let arguments = [&["-", "--hash", "1", "--nodes", "300"], arguments].concat();
    let mut command = outrider(directory.path(), &arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.take().expect("an input").write_all(games.as_bytes()).unwrap();
    child.wait_with_output().expect("the program ends")
}

#[test]
fn a_single_game_gets_its_page_beside_it_and_no_others() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, "1. e4 e5 *\n", &["--nodes", "100"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(
        files(&directory),
        ["games-1.html", "games-1.svg", "games-analysed.pgn", "games.pgn"]
    );
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--no-pages"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(files(&directory), ["games-analysed.pgn", "games.pgn"]);
}

#[test]
fn the_puzzles_of_a_single_game_are_a_click_from_its_page() {
    let directory = TempDir::new().unwrap();
    let game = GAMES.split_inclusive("0-1\n").take(1).collect::<String>();
    let arguments = ["--depth", "5", "--one-file", "all.html"];
    assert_eq!(analyse(&directory, &game, &arguments).status.code(), Some(0));
    let page = file(&directory, "games-1.html");
    assert!(page.contains(r#"<a href="games-puzzles.html">Find better</a>"#));
    let puzzles = file(&directory, "games-puzzles.html");
    assert!(puzzles.contains(r#"<a href="games-1.html">The game</a>"#));
    assert!(puzzles.contains(r#""played":"2. g4""#));
    let all = file(&directory, "all.html");
    assert!(all.contains("[[\"games-1.html\",[") && all.contains("[\"games-puzzles.html\",["));
    fs::write(directory.path().join("games-puzzles.html"), "my own").unwrap();
    let refused = analyse(&directory, &game, &["--depth", "5", "--again"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    assert_eq!(file(&directory, "games-puzzles.html"), "my own");
}

#[test]
fn all_games_and_players_have_a_page_with_links() {
    let directory = TempDir::new().unwrap();
    assert_eq!(
        analyse(&directory, GAMES, &["--depth", "5", "--pages", "p"]).status.code(),
        Some(0)
    );
    let index = file(&directory, "p/index.html");
    for promise in [
        r#""page":"games-2.html""#,
        r#""playerPages":["player-1.html","player-2.html"]"#,
        r#""name":"2. g4""#,
    ] {
        assert!(index.contains(promise), "{promise}");
    }
    let ann = file(&directory, "p/player-1.html");
    assert!(ann.contains("<h1>Ann</h1>") && ann.contains(r#"href="index.html""#), "{ann}");
    assert!(ann.contains("With White") && ann.contains("Opening"), "{ann}");
    let puzzles = file(&directory, "p/puzzles.html");
    assert!(puzzles.contains(r#""played":"2. g4""#), "{puzzles}");
    assert!(index.contains(r#"href="puzzles.html""#) && puzzles.contains(r#"href="index.html""#));
}

#[test]
fn a_games_page_leads_to_its_neighbours_and_players_whatever_the_file_is_called() {
    let directory = TempDir::new().unwrap();
    let four = [GAMES, GAMES].join("\n");
    fs::write(directory.path().join("#1 at 50%.pgn"), four).unwrap();
    let arguments = ["#1 at 50%.pgn", "--depth", "1", "--pages", "p"];
    assert!(outrider(directory.path(), &arguments).output().unwrap().status.success());
    let page = file(&directory, "p/#1 at 50%-2.html");
    let links: Vec<String> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .filter(|address| !address.starts_with('#'))
        .map(|address| {
            let file = address.split('#').next().unwrap_or_default();
            percent_encoding::percent_decode_str(file).decode_utf8().unwrap().into_owned()
        })
        .collect();
    for name in ["index.html", "#1 at 50%-1.html", "#1 at 50%-3.html", "player-1.html"] {
        assert!(links.iter().any(|link| link == name), "{name}: {links:?}");
    }
    let pages = files_in(&directory.path().join("p"));
    let lost: Vec<_> = links.iter().filter(|link| !pages.contains(link)).collect();
    assert!(lost.is_empty(), "{lost:?} of {pages:?}");
}

#[test]
fn all_pages_can_be_one_file_to_be_sent_to_somebody() {
    let directory = TempDir::new().unwrap();
    let arguments = ["--depth", "3", "--one-file", "all.html"];
    assert_eq!(analyse(&directory, GAMES, &arguments).status.code(), Some(0));
    let all = file(&directory, "all.html");
    for name in ["index.html", "puzzles.html", "player-2.html", "games-1.html", "games-2.html"] {
        assert!(all.contains(&format!("[\"{name}\",[")), "{name}");
    }
    let pages = files_in(&directory.path().join("games-pages"));
    let separate = |name: &&String| name.ends_with(".html");
    let bytes: u64 = pages
        .iter()
        .filter(separate)
        .map(|name| fs::metadata(directory.path().join("games-pages").join(name)).unwrap().len())
        .sum();
    assert!((all.len() as u64) < bytes, "what pages share is there once");
    let refused = analyse(&directory, GAMES, &["--one-file", "games.pgn", "--again"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_finished_analysis_is_kept_until_it_is_asked_for_again() {
    let directory = TempDir::new().unwrap();
    let ran = |arguments: &[&str]| {
        let ran = analyse(&directory, GAMES, &[&["--nodes", "200"], arguments].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        text(&ran.stdout).to_owned()
    };
    ran(&[]);
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(
        ran(&[]).contains("games-analysed.pgn is done with these settings and was kept; --again")
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
fn games_without_a_move_are_reported() {
    let directory = TempDir::new().unwrap();
    let headers = "[White \"A\"]\n\n*\n\n";
    let ran = analyse(&directory, &format!("{headers}{headers}{GAMES}"), &["--nodes", "100"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(text(&ran.stdout).contains("2 games have no move and were copied as they are"));
    assert_eq!(file(&directory, "games-analysed.pgn").matches("[White \"A\"]").count(), 2);
}

#[test]
fn a_players_own_faults_are_reported_and_strangers_refused() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5", "--player", "bob"]);
    assert_eq!(ran.status.code(), Some(0));
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(!annotated.contains("$4"), "both blunders are Ann's: {annotated}");
    let ran = analyse(&directory, GAMES, &["--player", "Carl"]);
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(text(&ran.stderr), "Error: games.pgn: no game of Carl is in it\n");
}

#[test]
fn several_jobs_write_what_one_writes() {
    let games = GAMES.repeat(4);
    let [one, four] = ["1", "4"].map(|jobs| {
        let directory = TempDir::new().unwrap();
        let ran = analyse(&directory, &games, &["--nodes", "300", "--jobs", jobs]);
        assert_eq!(ran.status.code(), Some(0));
        (text(&ran.stdout).to_owned(), file(&directory, "games-analysed.pgn"))
    });
    assert_eq!(one, four);
}

#[test]
fn players_are_summed_up_in_the_order_in_which_they_came() {
    let directory = TempDir::new().unwrap();
    let names = ["Eve", "Bob", "Dan", "Ann", "Carl", "Fay"];
    let games = names.map(|name| format!("[White \"{name}\"]\n\n1. e4 *\n\n")).concat();
    let ran = analyse(&directory, &games.repeat(2), &["--nodes", "50", "--no-pages"]);
    let (_, sums) = text(&ran.stdout).split_once("\n12 games\n").expect("all together");
    let rows = sums.lines().skip(1).take(6).map(|row| row.split_whitespace().take(2).collect());
    let expected = names.map(|name| vec![name, "2"]);
    assert_eq!(rows.collect::<Vec<Vec<_>>>(), expected, "name and moves: {sums}");
}

#[test]
fn the_standard_input_is_analysed_to_the_standard_output() {
    let directory = TempDir::new().unwrap();
    let ran = analyse_input(&directory, GAMES, &[]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let written = text(&ran.stdout);
    assert!(written.starts_with("[White \"Ann\"]") && written.contains("[%eval"), "{written}");
    assert_eq!(files(&directory), [""; 0]);
}

#[test]
fn a_line_of_json_is_printed_for_each_game_in_their_order_or_as_they_come() {
    let directory = TempDir::new().unwrap();
    let games = format!("1. e5 *\n\n{}[White \"C\"]\n\n*\n", GAMES.repeat(3));
    let lines = |arguments: &[&str]| {
        let ran = analyse_input(&directory, &games, &[&["--json", "-"], arguments].concat());
        assert_eq!(ran.status.code(), Some(1), "a game cannot be read");
        assert!(text(&ran.stderr).starts_with("-:1: game 1: "), "{}", text(&ran.stderr));
        let lines = text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<serde_json::Value>>()
    };
    let ordered = lines(&["--jobs", "3"]);
    let numbers = |lines: &[serde_json::Value]| {
        lines.iter().map(|line| line["game"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&ordered), (1..=8).collect::<Vec<_>>());
    assert!(ordered[0]["error"].is_string() && ordered[7]["error"].is_string());
    let (game, third) = (&ordered[1], &ordered[1]["moves"][2]);
    assert_eq!((&game["white"]["name"], &game["result"]), (&"Ann".into(), &"0-1".into()));
    assert_eq!(
        (&third["san"], &third["move"], &third["fault"]),
        (&"g4".into(), &"g2g4".into(), &"blunder".into())
    );
    assert_eq!(
        (&third["score"]["mate"], &third["wdl"]),
        (&(-1).into(), &serde_json::json!([0, 0, 1000]))
    );
    assert_eq!(third["missedWin"], serde_json::Value::Null);
    assert_eq!(game["white"]["summary"]["blunders"], 1);
    let mut unordered = lines(&["--jobs", "3", "--unordered"]);
    unordered.sort_by_key(|line| line["game"].as_u64());
    assert_eq!(unordered, ordered);
    assert_eq!(files(&directory), [""; 0]);
}

#[test]
fn the_lines_of_json_may_go_to_a_file() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--json", "games.jsonl"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(file(&directory, "games.jsonl").lines().count(), 2);
    assert!(text(&ran.stdout).contains("game 1: Ann - Bob"));
}

#[test]
fn tables_and_networks_are_used_or_refused() {
    let directory = TempDir::new().unwrap();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/files/syzygy");
    let ending = "[FEN \"8/8/8/8/8/2k5/2p5/2K5 w - - 0 1\"]\n\n*\n\n1. e4 *\n";
    let ran = analyse(&directory, ending, &["--nodes", "100", "--syzygy", tables]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    for (option, complaint) in [("--syzygy", "no/such"), ("--network", "no/such")] {
        let ran = analyse(&directory, GAMES, &["--nodes", "100", option, "no/such"]);
        assert_eq!(ran.status.code(), Some(1));
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    }
}

#[test]
fn the_american_spelling_is_understood() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), "1. e4 *\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    let arguments = ["analyze", "games.pgn", "--hash", "1", "--nodes", "50"];
    let ran = command.args(arguments).current_dir(directory.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
}
