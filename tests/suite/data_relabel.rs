//! `outrider data relabel` as a program: the games stay, their training scores are new.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use outrider_tools::selfplay::{Exclusion, Filter, Game, LabelledPosition, Reader, ScoredMove};
use shakmaty::Position as _;
use tempfile::TempDir;

fn outrider(directory: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    let command = command.args(arguments).current_dir(directory).env("RUST_BACKTRACE", "1");
    command.output().expect("the program runs")
}

/// Returns a directory with eight games of fifty nodes per move.
fn with_games() -> TempDir {
    let directory = TempDir::new().expect("there is a place for temporary files");
    let arguments =
        ["datagen", "--output", "games", "--nodes", "50", "--seed", "7", "--games", "8"];
    assert_eq!(outrider(&directory, &arguments).status.code(), Some(0));
    directory
}

fn relabel(directory: &TempDir, output: &str, arguments: &[&str]) -> Output {
    let fixed = ["data", "relabel", "games", "--output", output, "--nodes", "300"];
    outrider(directory, &[&fixed, arguments].concat())
}

fn games(directory: &TempDir, name: &str) -> Vec<Game> {
    let reader = Reader::open(&directory.path().join(name)).expect("a file of games");
    let mut games: Vec<Game> = reader.games().collect::<Result<_, _>>().expect("undamaged");
    games.sort_by_key(|game| game.number);
    games
}

/// Returns each position of the old games with the same position of the new games.
fn pairs(directory: &TempDir, new: &str) -> Vec<(LabelledPosition, LabelledPosition)> {
    let (old, new) = (games(directory, "games"), games(directory, new));
    assert_eq!(old.len(), new.len());
    let pairs = old.iter().zip(&new).flat_map(|(old, new)| {
        assert_eq!((old.number, &old.start, old.result), (new.number, &new.start, new.result));
        let all = |game: &Game| game.replay().chain(game.replay_deviations()).collect::<Vec<_>>();
        let (old, new) = (all(old).into_iter(), all(new).into_iter());
        old.zip(new).map(|(old, new)| (old.expect("legal"), new.expect("legal")))
    });
    pairs.collect()
}

#[test]
fn moves_and_results_stay_and_training_positions_have_new_scores() {
    let directory = with_games();
    let ran = relabel(&directory, "new", &["--old-share", "0"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let filter = Filter::default();
    let (mut changed, mut unlabelled, mut kept) = (0, 0, 0);
    for (old, new) in pairs(&directory, "new") {
        assert_eq!(old.best, new.best);
        if !filter.keeps(&old) {
            assert_eq!(old.white_score, new.white_score, "what nobody learns from is not searched");
            continue;
        }
        kept += 1;
        if new.white_score == ScoredMove::NO_LABEL {
            unlabelled += 1;
            assert_eq!(filter.excludes(&new), Some(Exclusion::Unlabelled));
            assert!(!Filter::NONE.keeps(&new), "no filter keeps what has no label");
        } else {
            changed += usize::from(old.white_score != new.white_score);
        }
    }
    assert!(unlabelled > 0 && changed > kept / 2, "{unlabelled}, {changed} of {kept}");
}

#[test]
fn with_only_old_scores_nothing_changes_except_that_exchanges_are_removed() {
    let directory = with_games();
    assert_eq!(relabel(&directory, "new", &["--old-share", "1"]).status.code(), Some(0));
    for (old, new) in pairs(&directory, "new") {
        let is_same = old.white_score == new.white_score;
        assert!(
            is_same || new.white_score == ScoredMove::NO_LABEL || new.white_score.is_decisive()
        );
    }
}

#[test]
fn only_selected_positions_are_searched_and_keep_a_label() {
    let directory = with_games();
    let ran = relabel(&directory, "new", &["--share", "0.25", "--min-pieces", "20"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let (mut few, mut many, mut labelled) = (0, 0, 0);
    for (old, new) in pairs(&directory, "new") {
        if !Filter::default().keeps(&old) {
            assert_eq!(old.white_score, new.white_score, "what nobody learns from is not searched");
            continue;
        }
        let has_label = new.white_score != ScoredMove::NO_LABEL;
        if old.board.chess().board().occupied().count() < 20 {
            assert!(!has_label, "a position with few pieces is not searched");
            few += 1;
        } else {
            many += 1;
            labelled += usize::from(has_label);
        }
    }
    assert!(few > 0 && labelled > 0, "{few}, {labelled} of {many}");
    let share = labelled as f64 / many as f64;
    assert!((0.1..=0.3).contains(&share), "some selected ones are in the middle of an exchange");
    let searched = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(!searched.contains(" 0 positions searched"), "{searched}");
    let all = relabel(&directory, "new", &[]);
    assert_eq!(all.status.code(), Some(1), "labels of two selections are not mixed in a file");
    let none = relabel(&directory, "none", &["--share", "0"]);
    assert_eq!(none.status.code(), Some(2), "{none:?}");
}

#[test]
fn the_output_does_not_depend_on_threads_and_kills() {
    let directory = with_games();
    let path = |name: &str| directory.path().join(name);
    assert_eq!(relabel(&directory, "one", &["--threads", "1"]).status.code(), Some(0));
    assert_eq!(relabel(&directory, "two", &["--threads", "2"]).status.code(), Some(0));
    assert_eq!(games(&directory, "one"), games(&directory, "two"));
    let whole = fs::read(path("one")).expect("a file");
    for part in [whole.len() / 3, whole.len() / 2] {
        fs::write(path("killed"), &whole[..part]).expect("a place to write");
        let ran = relabel(&directory, "killed", &["--threads", "1"]);
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("resumed: "));
        assert_eq!(fs::read(path("killed")).expect("a file"), whole);
    }
    let otherwise = relabel(&directory, "one", &["--threads", "1", "--old-share", "0.5"]);
    assert_eq!(otherwise.status.code(), Some(1), "labels of two kinds are not mixed in a file");
    let nearly = relabel(&directory, "one", &["--threads", "1", "--old-share", "0.253"]);
    assert_eq!(nearly.status.code(), Some(1), "nor those of two shares that are nearly the same");
    assert_eq!(fs::read(path("one")).expect("a file"), whole);
}

#[test]
fn the_header_of_the_new_file_describes_its_labels() {
    let directory = with_games();
    assert_eq!(relabel(&directory, "new", &[]).status.code(), Some(0));
    let header = |name: &str| match Reader::open(Path::new(&directory.path().join(name))) {
        Ok(mut reader) => format!("{:?}", reader.next()),
        Err(error) => panic!("{error}"),
    };
    let (old, new) = (header("games"), header("new"));
    assert!(old.contains("nodes: 50,") && new.contains("nodes: 300,"), "{old} {new}");
    assert!(
        new.contains("relabelled with 25 % of the scores of version") && new.contains("50 nodes")
    );
}

#[test]
fn an_input_that_cannot_be_relabelled_is_named_in_the_error_and_unchanged() {
    let directory = with_games();
    let refused = |games: &str, output: &str| {
        let ran = outrider(&directory, &["data", "relabel", games, "--output", output]);
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        String::from_utf8_lossy(&ran.stderr).into_owned()
    };
    let before = fs::read(directory.path().join("games")).expect("a file");
    let itself = outrider(&directory, &["data", "relabel", "games", "--output", "./games"]);
    assert_eq!(itself.status.code(), Some(2), "{itself:?}");
    let complaint = String::from_utf8_lossy(&itself.stderr).into_owned();
    assert!(complaint.contains("it is one of the input files"), "{complaint}");
    assert_eq!(fs::read(directory.path().join("games")).expect("a file"), before);
    let other = ["datagen", "--output", "other", "--nodes", "50", "--seed", "8", "--games", "1"];
    assert_eq!(outrider(&directory, &other).status.code(), Some(0));
    let merged = outrider(&directory, &["data", "merge", "games", "other", "--output", "merged"]);
    assert_eq!(merged.status.code(), Some(0));
    let several = refused("merged", "new");
    assert!(several.contains("merged holds games of several runs"), "{several}");
    fs::write(directory.path().join("text"), "1. e4 e5").expect("a place to write");
    assert!(refused("text", "new").contains("text is not a file of games"));
    assert!(!directory.path().join("new").exists());
}
