use clap::CommandFactory as _;

use super::*;

#[cfg(all(feature = "laboratory", feature = "serve"))]
mod documentation;

fn exit_code(arguments: &[&str]) -> Option<i32> {
    Cli::try_parse_from(arguments).err().map(|error| error.exit_code())
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn without_arguments_there_is_no_subcommand() {
    assert!(Cli::try_parse_from(["outrider"]).unwrap().command.is_none());
}

#[test]
fn wrong_usage_has_exit_code_two() {
    for arguments in [
        &["outrider", "bensch"][..],
        &["outrider", "bench", "0"],
        &["outrider", "bench", "many"],
        &["outrider", "perft"],
        &["outrider", "perft", "-1"],
        &["outrider", "perft", "4000000000"],
        &["outrider", "perft", "3", "no position"],
    ] {
        assert_eq!(exit_code(arguments), Some(2), "{arguments:?}");
    }
}

#[test]
#[cfg(feature = "tools")]
fn wrong_usage_of_the_epd_command_has_exit_code_two() {
    for arguments in [
        &["outrider", "epd"][..],
        &["outrider", "epd", "a.epd", "--nodes", "0"],
        &["outrider", "epd", "a.epd", "--depth", "0"],
        &["outrider", "epd", "a.epd", "--movetime", "-5"],
        &["outrider", "epd", "a.epd", "--movetime", "5", "--nodes", "5"],
        &["outrider", "epd", "a.epd", "--threads", "0"],
        &["outrider", "epd", "a.epd", "--jobs", "many"],
        &["outrider", "epd", "a.epd", "--hash", "0"],
        &["outrider", "epd", "a.epd", "--json"],
    ] {
        assert_eq!(exit_code(arguments), Some(2), "{arguments:?}");
    }
    let usual = ["outrider", "epd", "a.epd", "b.epd", "--nodes", "5", "--json", "c.json"];
    assert_eq!(exit_code(&usual), None);
}

#[test]
#[cfg(feature = "tools")]
fn wrong_usage_of_the_datagen_command_has_exit_code_two() {
    for arguments in [
        &["outrider", "datagen"][..],
        &["outrider", "datagen", "--games", "5"],
        &["outrider", "datagen", "--output", "a"],
        &["outrider", "datagen", "--output", "a", "--games", "0"],
        &["outrider", "datagen", "--output", "a", "--games", "5", "--positions", "5"],
        &["outrider", "datagen", "--output", "a", "--games", "5", "--nodes", "0"],
        &["outrider", "datagen", "--output", "a", "--games", "5", "--chess960-share", "1.5"],
        &["outrider", "datagen", "--output", "a", "--games", "5", "--chess960-share", "nan"],
        &["outrider", "datagen", "--output", "a", "--minutes", "-1"],
    ] {
        assert_eq!(exit_code(arguments), Some(2), "{arguments:?}");
    }
    let usual = ["outrider", "datagen", "--output", "a", "--minutes", "0.5", "--seed", "1"];
    assert_eq!(exit_code(&usual), None);
}

#[test]
fn perft_accepts_a_chess960_position() {
    let fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
    assert_eq!(exit_code(&["outrider", "perft", "2", fen]), None);
}
