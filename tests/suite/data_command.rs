//! `outrider data` as a program: inspects files of games, and makes others from them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use outrider_engine::position::PackedMove;
use outrider_engine::position::notation::{parse_fen_any, parse_move};
use outrider_engine::units::{Ply, Score};
use outrider_tools::selfplay::frame::{OVERHEAD, PROLOGUE};
use outrider_tools::selfplay::{
    Deviation, Game, GameResult, GameSettings, Header, Reader, Record, ScoredMove, Writer,
};
use shakmaty::Position as _;
use tempfile::TempDir;

/// White to move, then Black; the usual filter keeps both positions.
const FEN: &str = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 40";

fn game(number: u32, result: GameResult) -> Game {
    let start = parse_fen_any(FEN).expect("a good FEN");
    let mut chess = start.clone();
    let moves = [("e1e7", 480 + number as i32), ("h7h6", 530)].map(|(text, score)| {
        let mv = parse_move(&chess, text).expect("a legal move");
        chess.play_unchecked(mv);
        ScoredMove { mv: PackedMove::new(mv), score: Score::new(score) }
    });
    Game {
        number,
        start,
        result,
        is_played_out: false,
        moves: moves.to_vec(),
        deviations: Vec::new(),
    }
}

fn games(count: u32) -> Vec<Game> {
    let results = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
    (0..count)
        .zip(results.into_iter().cycle())
        .map(|(number, result)| game(number, result))
        .collect()
}

fn write(path: &Path, seed: u64, games: &[Game]) {
    let settings =
        GameSettings { seed, nodes: 1000, winning_score: 600, ..GameSettings::default() };
    let opened = Writer::resume(path, &Header::new(settings, "a commit"));
    let (mut writer, _) = opened.expect("the file can be written");
    for game in games {
        writer.append(&Record::Game(game.clone())).expect("the game can be written");
    }
}

fn read(path: &Path) -> Vec<Game> {
    let reader = Reader::open(path).expect("a file of games");
    reader.games().collect::<Result<_, _>>().expect("an undamaged file")
}

fn data(directory: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outrider"))
        .arg("data")
        .args(arguments)
        .current_dir(directory)
        .env("RUST_BACKTRACE", "1")
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

/// Returns a directory with two files of three games each, with different seeds.
fn two_files() -> TempDir {
    let directory = TempDir::new().expect("there is a place for temporary files");
    write(&directory.path().join("a"), 1, &games(3));
    write(&directory.path().join("b"), 2, &games(3));
    directory
}

#[test]
fn merging_keeps_every_game_in_order_and_every_header() {
    let directory = two_files();
    let ran = data(&directory, &["merge", "a", "b", "--output", "both"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(text(&ran.stdout), "both: 6 games, 12 positions\n");
    let both = directory.path().join("both");
    assert_eq!(read(&both), [games(3), games(3)].concat());
    let seeds = Reader::open(&both).expect("a file of games").flatten().filter_map(|record| {
        if let Record::Header(header) = record { Some(header.settings.seed) } else { None }
    });
    assert_eq!(seeds.collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn merging_keeps_and_counts_positions_off_the_line_of_play() {
    let directory = TempDir::new().expect("there is a place for temporary files");
    let mut game = game(0, GameResult::WhiteWins);
    let mut chess = game.start.clone();
    chess.play_unchecked(parse_move(&chess, "e1e7").expect("a legal move"));
    let mv = parse_move(&chess, "h7h5").expect("a legal move");
    chess.play_unchecked(mv);
    let best = parse_move(&chess, "e7e8").expect("a legal move");
    let found = ScoredMove { mv: PackedMove::new(best), score: Score::new(520) };
    game.deviations = vec![Deviation { ply: 1, mv: PackedMove::new(mv), found }];
    write(&directory.path().join("a"), 1, &[game.clone()]);
    let ran = data(&directory, &["merge", "a", "--output", "copy"]);
    assert_eq!(text(&ran.stdout), "copy: 1 games, 3 positions\n", "{ran:?}");
    assert_eq!(read(&directory.path().join("copy")), [game]);
}

#[test]
fn existing_files_are_not_overwritten() {
    let directory = two_files();
    let before = fs::read(directory.path().join("b")).expect("a file");
    let ran = data(&directory, &["merge", "a", "--output", "b"]);
    assert_eq!(ran.status.code(), Some(1));
    assert_eq!(fs::read(directory.path().join("b")).expect("a file"), before);
}

#[test]
fn splitting_puts_all_copies_of_a_game_into_the_same_part() {
    let directory = TempDir::new().expect("there is a place for temporary files");
    let original = games(200);
    write(&directory.path().join("a"), 1, &original);
    write(&directory.path().join("a"), 1, &original);
    let ran = data(&directory, &["split", "a", "--validation", "0.25"]);
    assert_eq!(ran.status.code(), Some(0));
    let training = read(&directory.path().join("a.training"));
    let validation = read(&directory.path().join("a.validation"));
    assert_eq!(training.len() + validation.len(), 400);
    assert!((50..150).contains(&validation.len()), "{} of 400", validation.len());
    for game in &original {
        let copies = |part: &[Game]| part.iter().filter(|other| *other == game).count();
        let counts = [copies(&training), copies(&validation)];
        assert!(counts == [2, 0] || counts == [0, 2], "game {}: {counts:?}", game.number);
    }
}

#[test]
fn the_two_parts_of_a_split_need_two_files() {
    let directory = two_files();
    let outputs = ["--training-output", "one", "--validation-output", "./one"];
    let ran = data(&directory, &[&["split", "a", "--validation", "0.5"], &outputs[..]].concat());
    assert_eq!(ran.status.code(), Some(2));
    assert!(text(&ran.stderr).contains("it is given for two outputs"), "{}", text(&ran.stderr));
    assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 2);
}

#[test]
fn exporting_prints_score_and_result_from_whites_side() {
    let directory = two_files();
    let ran = data(&directory, &["export", "a", "--text", "3"]);
    assert_eq!(ran.status.code(), Some(0));
    let black_to_move = "6k1/4Rppp/8/8/8/8/5PPP/6K1 b - - 1 40";
    let lines: Vec<&str> = text(&ran.stdout).lines().collect();
    let expected = [
        format!("{FEN} | 480 | 1.0"),
        format!("{black_to_move} | 530 | 1.0"),
        format!("{FEN} | 481 | 0.5"),
    ];
    assert_eq!(lines, expected);
    let ran = data(&directory, &["export", "a", "--text", "5"]);
    let won_by_black = text(&ran.stdout).lines().last().expect("a line");
    assert_eq!(won_by_black, format!("{FEN} | 482 | 0.0"));
}

#[test]
fn exporting_as_epd_prints_each_position_once_in_the_format_of_match_runners() {
    let directory = two_files();
    let ran = data(&directory, &["export", "a", "--epd", "5"]);
    assert_eq!(ran.status.code(), Some(0));
    let expected = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - hmvc 0; fmvn 40;\n\
                    6k1/4Rppp/8/8/8/8/5PPP/6K1 b - - hmvc 1; fmvn 40;\n";
    assert_eq!(text(&ran.stdout), expected);
    let ran = data(&directory, &["export", "a", "--epd", "1"]);
    assert_eq!(text(&ran.stdout).lines().count(), 1);
}

#[test]
fn exporting_skips_filtered_positions() {
    let directory = two_files();
    let ran = data(&directory, &["export", "a", "--text", "100", "--first-plies", "79"]);
    let lines: Vec<&str> = text(&ran.stdout).lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.contains(" b ")), "{lines:?}");
}

#[test]
fn a_command_without_games_to_work_on_fails_and_writes_no_file() {
    let directory = TempDir::new().expect("a directory");
    write(&directory.path().join("a"), 1, &[]);
    for arguments in [
        &["inspect", "a"][..],
        &["export", "a", "--text", "5"],
        &["export", "a", "--epd", "5"],
        &["merge", "a", "--output", "b"],
        &["split", "a", "--validation", "0.5"],
    ] {
        let ran = data(&directory, arguments);
        assert_eq!(ran.status.code(), Some(1), "{arguments:?}");
        assert!(text(&ran.stderr).contains("there are no "), "{}", text(&ran.stderr));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "{arguments:?}");
    }
}

#[test]
fn mates_are_exported_if_they_are_requested() {
    let directory = TempDir::new().unwrap();
    let mut mates = game(0, GameResult::WhiteWins);
    mates.moves[0].score = Score::mate_in(Ply::new(5));
    write(&directory.path().join("mates"), 1, &[mates]);
    let exported = |arguments: &[&str]| {
        let ran = data(&directory, &[&["export", "mates", "--text", "9"], arguments].concat());
        text(&ran.stdout).lines().count()
    };
    assert_eq!((exported(&[]), exported(&["--keep-mates"])), (1, 2));
}

#[test]
fn inspecting_counts_games_results_positions_and_duplicates() {
    let directory = two_files();
    let ran = data(&directory, &["inspect", "a", "b"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(ran.stderr.is_empty());
    let report = text(&ran.stdout);
    for line in [
        "6 games, 0 (0.0 %) Chess960",
        "  5 (83.3 %) duplicates",
        "  2 (33.3 %) won by White",
        "  2 (33.3 %) drawn",
        "  2 (33.3 %) won by Black",
        "12 positions, 2.0 a game",
        "  10 (83.3 %) duplicates",
        "  6 (50.0 %) with White to move",
        "  12 (100.0 %) kept by the filter",
    ] {
        assert!(report.lines().any(|found| found == line), "{line:?} is missing in\n{report}");
    }
    assert!(report.contains("a: seed 1, 1000 nodes per move"));
    assert!(report.contains("b: seed 2, 1000 nodes per move"));
}

#[test]
fn inspecting_reports_how_often_the_scores_would_have_adjudicated_games_wrongly() {
    let directory = TempDir::new().expect("a directory");
    let (start, mut games) = (game(0, GameResult::Draw).start, games(6));
    let shuffle = ["e1e7", "g8h8", "e7e1", "h8g8", "e1e7", "g8h8"];
    for game in &mut games {
        let mut chess = start.clone();
        game.is_played_out = game.number > 0;
        game.moves = shuffle
            .iter()
            .map(|text| {
                let mv = parse_move(&chess, text).expect("a legal move");
                chess.play_unchecked(mv);
                ScoredMove { mv: PackedMove::new(mv), score: Score::new(900) }
            })
            .collect();
    }
    games[5].moves.truncate(3);
    write(&directory.path().join("a"), 1, &games);
    let report = data(&directory, &["inspect", "a"]);
    let report = text(&report.stdout);
    for line in [
        "  5 (83.3 %) played out",
        "    adjudication would have ended 4 as won, 3 (75.0 %) of them wrongly",
        "    adjudication would have ended 0 as drawn, 0 (0.0 %) of them wrongly",
    ] {
        assert!(report.lines().any(|found| found == line), "{line:?} is missing in\n{report}");
    }

    // If a header is damaged, the winning score of its games is unknown, even if other headers have
    // one.
    let mut bytes = fs::read(directory.path().join("a")).expect("a file");
    bytes[PROLOGUE.len() + 8] ^= 1;
    fs::write(directory.path().join("b"), bytes).expect("a file");
    for (files, played_out, ended) in [(&["b"][..], 5, 0), (&["a", "b"], 10, 4)] {
        let ran = data(&directory, &[&["inspect"], files].concat());
        let report = text(&ran.stdout);
        assert!(report.contains(&format!("  {played_out} (83.3 %) played out\n")), "{report}");
        let said = format!("adjudication would have ended {ended} as won");
        assert!(report.contains(&said), "{report}");
    }
}

#[test]
fn a_damaged_end_is_reported_and_the_games_before_it_are_used() {
    let directory = two_files();
    let path = directory.path().join("a");
    let whole = fs::read(&path).expect("a file");
    fs::write(&path, &whole[..whole.len() - 1]).expect("a file");
    let ran = data(&directory, &["inspect", "a", "b"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(text(&ran.stdout).contains("5 games,"));
    assert!(text(&ran.stderr).starts_with("a is damaged at byte "), "{}", text(&ran.stderr));
}

/// Returns the offsets of the games of a file, and its length.
fn places_of_games(path: &Path, games: &[Game]) -> Vec<usize> {
    let length = fs::metadata(path).expect("a file").len() as usize;
    let lengths = games.iter().map(|game| game.to_bytes().len() + 4 + OVERHEAD);
    let whole: usize = lengths.clone().sum();
    let ends = lengths.scan(length - whole, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(length - whole).chain(ends).collect()
}

#[test]
fn one_wrong_bit_loses_only_its_game_and_is_reported() {
    let directory = TempDir::new().expect("a directory");
    let (path, games) = (directory.path().join("a"), games(9));
    write(&path, 1, &games);
    let places = places_of_games(&path, &games);
    // In the kind, the length and the body of the fifth game.
    for inside in [0, 1, 2, 20] {
        let mut bytes = fs::read(&path).expect("a file");
        bytes[places[4] + inside] ^= 0x40;
        fs::write(directory.path().join("damaged"), bytes).expect("a file");
        let printed = format!("damaged is damaged at byte {}: ", places[4]);
        let skipped = format!("{} bytes in one place were skipped", places[5] - places[4]);
        let rest = [&games[..4], &games[5..]].concat();

        let merge = ["merge", "damaged", "a", "--output", "merged"];
        let split = ["split", "damaged", "--validation", "0.5"];
        let inspect = ["inspect", "damaged"];
        let export = ["export", "damaged", "--text", "100"];
        for arguments in [&merge[..], &split, &inspect, &export] {
            let ran = data(&directory, arguments);
            let warned = text(&ran.stderr);
            assert_eq!(ran.status.code(), Some(0), "{warned}");
            assert!(warned.starts_with(&printed) && warned.contains(&skipped), "{warned}");
            match arguments[0] {
                "inspect" => assert!(text(&ran.stdout).contains("8 games,")),
                "export" => assert_eq!(text(&ran.stdout).lines().count(), 16),
                _ => {}
            }
        }
        assert_eq!(read(&directory.path().join("merged")), [&rest[..], &games].concat());
        let parts = ["damaged.training", "damaged.validation"];
        let [training, validation] = parts.map(|name| read(&directory.path().join(name)));
        assert_eq!(training.len() + validation.len(), rest.len());
        for name in ["merged", parts[0], parts[1]] {
            fs::remove_file(directory.path().join(name)).expect("a file");
        }
    }
}

#[test]
fn a_file_with_a_large_hole_is_used_only_with_keep_going() {
    let directory = TempDir::new().expect("a directory");
    let (path, games) = (directory.path().join("a"), games(4));
    write(&path, 1, &games);
    let places = places_of_games(&path, &games);
    let bytes = fs::read(&path).expect("a file");
    let hole = vec![0; 300_000];
    fs::write(&path, [&bytes[..places[2]], &hole, &bytes[places[3]..]].concat()).expect("a file");
    let merge = ["merge", "a", "--output", "merged", "--keep-going"];
    let split = ["split", "a", "--validation", "0.5", "--keep-going"];
    let inspect = ["inspect", "a", "--keep-going"];
    let export = ["export", "a", "--text", "100", "--keep-going"];
    for arguments in [&merge[..], &split, &inspect, &export] {
        let refused = data(&directory, &arguments[..arguments.len() - 1]);
        let warned = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{warned}");
        let printed = format!("Error: a is damaged at byte {}: ", places[2]);
        assert!(warned.starts_with(&printed) && warned.contains("--keep-going"), "{warned}");
        let files = fs::read_dir(directory.path()).expect("a directory").count();
        assert!(files == 1 || arguments[0] != "merge", "{files}");

        let ran = data(&directory, arguments);
        let warned = text(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{warned}");
        assert!(warned.contains("300000 bytes in one place were skipped"), "{warned}");
    }
    let rest = [&games[..2], &games[3..]].concat();
    assert_eq!(read(&directory.path().join("merged")), rest);
}

#[test]
fn a_file_that_is_not_a_file_of_games_exits_with_one() {
    let directory = two_files();
    fs::write(directory.path().join("letter"), "To my aunt.").expect("a file");
    for file in ["letter", "no-such-file"] {
        let ran = data(&directory, &["inspect", file]);
        assert_eq!(ran.status.code(), Some(1));
        assert!(text(&ran.stderr).contains(file));
    }
}

#[test]
fn a_failed_merge_or_split_leaves_no_files() {
    let directory = TempDir::new().expect("a directory");
    write(&directory.path().join("a"), 1, &games(3));
    let merge = |second: &str| data(&directory, &["merge", "a", second, "--output", "both"]);
    assert_eq!(merge("missing").status.code(), Some(1));
    assert!(!directory.path().join("both").exists());
    assert_eq!(merge("a").status.code(), Some(0));
    assert_eq!(read(&directory.path().join("both")).len(), 6);

    fs::write(directory.path().join("a.validation"), "a letter").expect("a file");
    assert_eq!(data(&directory, &["split", "a", "--validation", "0.5"]).status.code(), Some(1));
    assert!(!directory.path().join("a.training").exists());
}

#[test]
fn a_killed_merge_leaves_no_file_that_looks_complete() {
    let directory = two_files();
    // The file that a killed process leaves.
    let unfinished = directory.path().join(".both.outrider");
    fs::copy(directory.path().join("a"), &unfinished).expect("a file");
    let ran = data(&directory, &["merge", "a", "b", "--output", "both"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert_eq!(read(&directory.path().join("both")), [games(3), games(3)].concat());
    assert!(!unfinished.exists());
}

#[test]
fn games_are_split_even_if_the_output_pipe_is_closed() {
    let directory = two_files();
    let mut child = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["data", "split", "a", "--validation", "0.5"])
        .current_dir(&directory)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    let parts = ["a.training", "a.validation"].map(|name| read(&directory.path().join(name)));
    assert_eq!(parts.concat().len(), 3);
}

#[test]
fn the_wdl_model_is_fitted_to_games_and_drawn() {
    let directory = TempDir::new().unwrap();
    let (games, picture) = (directory.path().join("games"), directory.path().join("wdl.svg"));
    let played = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["datagen", "--games", "300", "--nodes", "30", "--seed", "2", "--output"])
        .arg(&games)
        .output()
        .unwrap();
    assert!(played.status.success());
    let output = data(&directory, &["wdl", "games", "--output", "wdl.svg"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let fitted = text(&output.stdout).lines().filter(|line| line.contains("even chance to win at"));
    assert!(fitted.count() >= 3);
    assert!(fs::read_to_string(picture).unwrap().contains("even chance to win"));

    fs::write(directory.path().join("none"), &fs::read(&games).unwrap()[..8]).unwrap();
    for name in ["wdl", "chances"] {
        let too_few = data(&directory, &[name, "none", "--output", "none.svg"]);
        assert_eq!(too_few.status.code(), Some(1));
        let complaint = text(&too_few.stderr);
        assert!(complaint.starts_with("Error: none: too few positions"), "{complaint}");
    }
}
