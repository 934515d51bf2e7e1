//! `outrider epd` as a program: its output, files and exit codes.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::Running;

fn outrider(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.arg("epd").args(arguments).env("RUST_BACKTRACE", "1");
    command
}

fn run(arguments: &[&str]) -> Output {
    outrider(arguments).output().expect("the program runs")
}

fn shipped(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "epd", name].iter().collect();
    path.display().to_string()
}

fn temporary(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the directory for tests can be written");
    path.display().to_string()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

#[test]
fn a_suite_of_the_repository_is_solved_with_a_line_per_position_and_a_summary() {
    let ran = run(&[&shipped("bratko-kopec.epd"), "--depth", "4", "--jobs", "2"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(text(&ran.stderr), "", "no bar and no complaint where there is no terminal");
    let lines: Vec<&str> = text(&ran.stdout).lines().collect();
    assert_eq!(lines.len(), 25);
    for (number, line) in (1..).zip(&lines[..24]) {
        assert!(line.contains(&format!("BK.{number:02} ")), "{line}");
        assert!(line.starts_with("solved ") || line.starts_with("failed "), "{line}");
    }
    assert!(lines[24].contains(" of 24 solved "), "{}", lines[24]);
}

#[test]
fn the_same_nodes_give_the_same_answers_for_any_number_of_jobs() {
    let solve = |jobs| {
        let json = temporary(&format!("jobs-{jobs}.json"), "");
        let suite = shipped("bratko-kopec.epd");
        let ran = run(&[&suite, "--nodes", "3000", "--jobs", jobs, "--json", &json]);
        assert_eq!(ran.status.code(), Some(0));
        let document = std::fs::read_to_string(&json).expect("the results were written");
        let is_timed = |line: &&str| line.contains("_ms\"") || line.contains("\"jobs\"");
        document.lines().filter(|line| !is_timed(line)).collect::<Vec<_>>().join("\n")
    };
    let alone = solve("1");
    assert!(alone.contains("\"played_uci\""));
    assert_eq!(alone, solve("3"));
}

#[test]
fn wrong_lines_are_reported_on_standard_error_and_do_not_fail_the_run() {
    let mate = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - dm 1; id \"mate\";";
    let suite = temporary("broken.epd", &format!("nonsense\n{mate}\n\u{0}\u{7}\n"));
    let ran = run(&[&suite, "--depth", "2"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(text(&ran.stdout).contains("1 of 1 solved (100.0 %)"));
    let complaints: Vec<&str> = text(&ran.stderr).lines().collect();
    assert_eq!(complaints.len(), 2);
    assert!(complaints[0].starts_with(&format!("{suite}:1: ")));
    assert!(complaints[1].starts_with(&format!("{suite}:3: ")));
}

#[test]
fn files_that_cannot_be_read_or_written_exit_with_one() {
    let suite = shipped("bratko-kopec.epd");
    let unreadable = run(&["no-such-file.epd", &suite, "--depth", "1"]);
    assert_eq!(unreadable.status.code(), Some(1));
    assert!(text(&unreadable.stdout).contains(" of 24 solved "), "the others are solved");
    assert!(text(&unreadable.stderr).contains("no-such-file.epd"));
    let unwritable = run(&[&suite, "--depth", "1", "--json", "no-such-directory/results.json"]);
    assert_eq!(unwritable.status.code(), Some(1));
    assert!(text(&unwritable.stderr).contains("cannot write no-such-directory"));
}

#[test]
fn wrong_usage_exits_with_two() {
    let suite = shipped("bratko-kopec.epd");
    for arguments in [&[][..], &[suite.as_str(), "--nodes", "1", "--depth", "1"], &["--fast"]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_closed_output_pipe_is_not_a_failure() {
    let suite = shipped("bratko-kopec.epd");
    let mut child = outrider(&[&suite, &suite, "--nodes", "2000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut first = String::new();
    let output = child.stdout.take().expect("the output is piped");
    BufReader::with_capacity(1, output).read_line(&mut first).expect("there is a line");
    assert!(first.contains("BK.01"));
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

#[test]
fn requested_results_are_written_even_if_the_output_pipe_is_closed() {
    let directory = TempDir::new().unwrap();
    let suite = shipped("bratko-kopec.epd");
    for option in ["--json", "--html"] {
        let mut child = outrider(&[&suite, "--nodes", "2000", option, "results"])
            .current_dir(directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("the program ends").code(), Some(0));
        let results = fs::read_to_string(directory.path().join("results")).unwrap();
        assert!(results.contains("BK.24"), "{option}");
        fs::remove_file(directory.path().join("results")).unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "no journal is left");
    }
}

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8 Re8; dm 1; id \"mate.1\";";

/// Solves some positions of the Bratko-Kopec suite; returns the program's output.
fn solve(directory: &TempDir, arguments: &[&str]) -> Output {
    let suite = shipped("bratko-kopec.epd");
    let arguments = [&[suite.as_str(), "--hash", "1"], arguments].concat();
    outrider(&arguments).current_dir(directory.path()).output().expect("the program runs")
}

#[test]
fn a_report_is_written_as_an_html_page() {
    let directory = TempDir::new().unwrap();
    let ran = solve(&directory, &["--nodes", "1000", "--html", "report.html"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let page = fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert_eq!(page.matches("data-board=").count(), 24);
    assert!(page.contains("title=\"Enlarge BK.01\""), "each button says what it enlarges");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no journal is left");
}

#[test]
fn a_killed_run_is_resumed() {
    let directory = TempDir::new().unwrap();
    let suite = shipped("bratko-kopec.epd");
    let arguments = [&suite, "--hash", "1", "--jobs", "1", "--nodes", "40000", "--json", "a.json"];
    let journal = directory.path().join("a.json.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let killed = outrider(&arguments).current_dir(directory.path()).stdout(Stdio::null()).spawn();
    let mut killed = Running(killed.expect("the program runs"));
    killed.until("four positions are solved", || done() >= 4);
    drop(killed);
    let other = solve(&directory, &["--nodes", "3000", "--json", "a.json"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("unfinished work with other settings"));
    let resumed = outrider(&arguments).current_dir(directory.path()).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0));
    let lines: Vec<_> = text(&resumed.stdout).lines().collect();
    assert!(lines[0].starts_with("resumed after ") && lines[0].ends_with(" of 24 positions"));
    assert_eq!(lines.len(), 26, "each position is reported, also the known ones");
    assert!(!journal.exists());
}

#[test]
fn a_list_of_positions_is_evaluated_into_a_table_and_a_killed_run_is_resumed() {
    let directory = TempDir::new().unwrap();
    let suite = fs::read_to_string(shipped("bratko-kopec.epd")).unwrap();
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    let fens = lines.map(|line| line.split(' ').take(4).collect::<Vec<_>>().join(" ") + " 0 1\n");
    fs::write(directory.path().join("list"), fens.collect::<String>()).unwrap();
    let solve = |name: &str| {
        let mut command =
            outrider(&["list", "--hash", "1", "--jobs", "1", "--nodes", "20000", "--csv", name]);
        command.current_dir(directory.path());
        command
    };
    let journal = directory.path().join("a.csv.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut killed = Running(solve("a.csv").stdout(Stdio::null()).spawn().unwrap());
    killed.until("four positions are evaluated", || done() >= 4);
    drop(killed);
    let resumed = solve("a.csv").output().unwrap();
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    let lines: Vec<_> = text(&resumed.stdout).lines().collect();
    assert!(lines[0].starts_with("resumed after ") && lines[0].ends_with(" of 24 positions"));
    assert!(lines[1].starts_with("evaluated  line 1 "), "{}", lines[1]);
    assert_eq!(lines[25], "list: 24 positions, only evaluated");
    assert!(!journal.exists());
    assert!(solve("b.csv").status().unwrap().success());
    let rows = |name: &str| {
        let mut reader = csv::Reader::from_path(directory.path().join(name)).unwrap();
        let columns = reader.headers().unwrap().clone();
        let is_timed = |column: &str| column.ends_with("_ms");
        let row = |row: csv::StringRecord| {
            let cells = columns.iter().zip(&row).filter(|(column, _)| !is_timed(column));
            cells.map(|(column, cell)| (column.to_owned(), cell.to_owned())).collect()
        };
        reader.records().map(|record| row(record.unwrap())).collect::<Vec<Vec<_>>>()
    };
    let whole = rows("b.csv");
    assert_eq!((rows("a.csv"), whole.len()), (whole.clone(), 24), "as without the interruption");
    let cell = |name: &str| whole[1].iter().find(|(column, _)| column == name).unwrap().1.as_str();
    assert!(cell("pv").starts_with(cell("played_uci")) && cell("pv").contains(' '));
    assert!(cell("cp").parse::<i32>().is_ok() && cell("solved").is_empty());
}

#[test]
fn answers_after_a_slow_position_survive_a_kill() {
    let directory = TempDir::new().unwrap();
    let slow = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm a3;";
    fs::write(
        directory.path().join("a.epd"),
        format!("{slow}\n{}", format!("{MATE}\n").repeat(50)),
    )
    .unwrap();
    let arguments = ["a.epd", "--depth", "200", "--jobs", "2", "--hash", "1", "--json", "a.json"];
    let mut killed = outrider(&arguments)
        .current_dir(directory.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let journal = directory.path().join("a.json.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    // The slow position is never finished; the others are finished almost at once.
    let patience = Instant::now();
    while done() < 51 && patience.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(10));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(done(), 51, "the head and an answer for each mate");
}

/// Returns a run's results with some positions changed between solved and failed.
fn changed(document: &str, flipped: &[usize]) -> String {
    let mut results: serde_json::Value = serde_json::from_str(document).unwrap();
    for &index in flipped {
        let solved = &mut results["results"][index]["solved"];
        *solved = (!solved.as_bool().unwrap()).into();
    }
    results.to_string()
}

#[test]
fn two_runs_are_compared_by_an_exact_test() {
    let directory = TempDir::new().unwrap();
    let suite = [MATE; 8].join("\n");
    fs::write(directory.path().join("a.epd"), suite).unwrap();
    let compare = |a: &str, b: &str| {
        outrider(&["--compare", a, b]).current_dir(directory.path()).output().unwrap()
    };
    let ran = outrider(&["a.epd", "--depth", "3", "--hash", "1", "--json", "b.json"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let b = fs::read_to_string(directory.path().join("b.json")).unwrap();
    fs::write(directory.path().join("a.json"), changed(&b, &[0, 1, 2, 3, 4, 5])).unwrap();
    let ran = compare("a.json", "b.json");
    assert_eq!(ran.status.code(), Some(0));
    let output = text(&ran.stdout);
    assert!(
        output.contains("8 positions: 2 solved by both, 0 by neither, 6 won, 0 lost."),
        "{output}"
    );
    assert!(
        output.contains("Exact McNemar test, two-sided: p = 0.0313, significant at"),
        "{output}"
    );
    assert!(
        output.contains("won (solved only by B): 6\n  mate.1  bm Ra8# Re8#; dm 1  "),
        "{output}"
    );
    let back = compare("b.json", "a.json");
    assert!(text(&back.stdout).contains("0 won, 6 lost"));
    let same = compare("b.json", "b.json");
    assert!(text(&same.stdout).contains("p = 1.0000, not significant at"));
    let page = outrider(&["--compare", "a.json", "b.json", "--html", "difference.html"])
        .current_dir(directory.path())
        .status()
        .unwrap();
    assert!(page.success());
    let page = fs::read_to_string(directory.path().join("difference.html")).unwrap();
    assert_eq!(page.matches("data-result=\"won\"").count(), 6);
    assert!(page.contains("title=\"Enlarge mate.1\""), "each button says what it enlarges");
    let with_nodes = ["--compare", "a.json", "b.json", "--nodes", "9"];
    assert_eq!(
        outrider(&with_nodes).current_dir(directory.path()).status().unwrap().code(),
        Some(2)
    );
    let refused = compare("a.epd", "b.json");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("a.epd: not results of outrider epd: "),
        "{}",
        text(&refused.stderr)
    );
    assert_eq!(compare("missing.json", "b.json").status.code(), Some(1));
    // As a shell of Windows writes the results of a command.
    fs::write(directory.path().join("marked.json"), format!("\u{feff}{b}")).unwrap();
    assert_eq!(compare("marked.json", "b.json").status.code(), Some(0));
}

#[test]
fn a_journal_overwrites_no_other_file() {
    let directory = TempDir::new().unwrap();
    let notes = directory.path().join("a.json.unfinished");
    fs::write(&notes, "my notes, no newline").unwrap();
    let ran = solve(&directory, &["--nodes", "100", "--json", "a.json"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stderr).contains("a.json.unfinished: "), "{}", text(&ran.stderr));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my notes, no newline");
    let arguments = ["--nodes", "100", "--json", "b", "--html", "b.unfinished"];
    let ran = solve(&directory, &arguments);
    assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn results_can_be_written_to_devices_and_pipes() {
    let directory = TempDir::new().unwrap();
    for device in ["/dev/stdout", "/dev/null"] {
        let ran = solve(&directory, &["--nodes", "100", "--json", device]);
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        let shown = text(&ran.stdout).contains("\"played_uci\"");
        assert_eq!(shown, device == "/dev/stdout");
    }
    let both = format!("{} --nodes 100 --json /dev/stdout > both", shipped("bratko-kopec.epd"));
    let shell = format!("{} epd {both}", env!("CARGO_BIN_EXE_outrider"));
    let mut command = Command::new("sh");
    let ran = command.args(["-c", &shell]).current_dir(directory.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    let both = fs::read_to_string(directory.path().join("both")).unwrap();
    assert!(both.contains(" of 24 solved ") && both.contains("\"played_uci\""), "{both}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn no_suite_is_overwritten() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("a.epd"), MATE).unwrap();
    for option in ["--json", "--html"] {
        let ran = outrider(&["a.epd", option, "./a.epd"]).current_dir(directory.path()).output();
        assert_eq!(ran.unwrap().status.code(), Some(2));
    }
    assert_eq!(fs::read_to_string(directory.path().join("a.epd")).unwrap(), MATE);
}

#[test]
fn standard_input_is_solved_with_one_line_of_json_per_position() {
    let suite = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8; id \"one\";\n\
                 rubbish\n\
                 7k/R7/8/8/8/8/8/1R4K1 w - - bm Rb8; id \"two\";\n";
    for order in [&[][..], &["--unordered"]] {
        let arguments = [&["-", "--nodes", "1000", "--hash", "1", "--json", "-"], order].concat();
        let mut command = outrider(&arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        child.stdin.take().expect("an input").write_all(suite.as_bytes()).unwrap();
        let ran = child.wait_with_output().expect("the program ends");
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        assert!(text(&ran.stderr).starts_with("-:2: "), "{}", text(&ran.stderr));
        let lines = text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap());
        let mut lines: Vec<serde_json::Value> = lines.collect();
        lines.sort_by_key(|line| line["line"].as_u64());
        let solved: Vec<_> = lines.iter().map(|line| (&line["id"], &line["solved"])).collect();
        assert_eq!(solved, [(&"one".into(), &true.into()), (&"two".into(), &true.into())]);
    }
}

#[test]
fn a_pipe_without_a_readable_position_fails_and_an_empty_one_does_not() {
    let solve = |input: &str| {
        let mut command = outrider(&["-", "--nodes", "100", "--hash", "1", "--json", "-"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        child.stdin.take().expect("an input").write_all(input.as_bytes()).unwrap();
        child.wait_with_output().expect("the program ends")
    };
    let broken = solve("rubbish\nmore rubbish\n");
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stderr).ends_with("no position could be read: 2 broken lines\n"));
    assert_eq!(solve("").status.code(), Some(0), "programs that divide work have empty parts");
    let fen = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1";
    let ran = solve(&format!("{fen}\n{fen} 00:00;\n{fen} 00:00;\n"));
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(text(&ran.stderr).lines().count(), 1, "the same fault is named once");
    assert!(text(&ran.stderr).starts_with("-:2: \"00:00\" is not"), "{}", text(&ran.stderr));
    for line in text(&ran.stdout).lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&answer["solved"], &answer["score"]["mate"]), (&().into(), &1.into()));
    }
}

#[test]
fn unordered_is_an_error_if_no_lines_of_json_are_printed() {
    let (suite, json) = (temporary("unordered.epd", MATE), temporary("unordered.json", ""));
    for (arguments, complaint) in [
        (&[&*suite][..], "give --json - too"),
        (&[&suite, "--json", &json], "give --json - too"),
        (&["--compare", &json, &json], "cannot be used with '--unordered'"),
    ] {
        let ran = run(&[arguments, &["--unordered"]].concat());
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
        assert!(ran.stdout.is_empty(), "{}", text(&ran.stdout));
    }
}

#[test]
fn a_position_is_answered_before_the_next_ones_arrive() {
    let mut command =
        outrider(&["-", "--nodes", "100", "--hash", "1", "--jobs", "2", "--json", "-"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().expect("the program runs");
    let mut positions = child.stdin.take().expect("an input");
    let mut answers = BufReader::new(child.stdout.take().expect("an output")).lines();
    for number in 1..=3 {
        writeln!(positions, "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8; id \"{number}\";").unwrap();
        let line = answers.next().expect("a line").unwrap();
        let answer: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&answer["line"], &answer["id"]), (&number.into(), &number.to_string().into()));
    }
    drop(positions);
    assert!(answers.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
