//! The command line: without a subcommand a UCI session, with one a task that ends.

#![forbid(unsafe_code)]

pub mod bench;
mod failure;
pub mod genfens;
#[cfg(feature = "laboratory")]
pub mod lab;
pub mod perft;
pub mod spsa;
#[cfg(feature = "tools")]
pub mod tools;

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::protocol::uci;

pub use failure::WrongInput;

/// A UCI chess engine built on NegaScout. Without a command it speaks UCI with a chess program.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "\
Examples:
  outrider                                          speak UCI
  outrider bench                                    search 54 positions, print nodes and speed
  outrider epd suite.epd --movetime 500             solve a test suite
  outrider analyse games.pgn --movetime 2000        annotate games
  outrider datagen --output games --minutes 30      play games for training
  outrider help epd                                 explain a command"
)]
pub struct Cli {
    /// What to do instead.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done from the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search fixed positions; print the nodes searched, which are the same every time, and the
    /// nodes per second
    Bench(bench::Arguments),
    /// Count the legal move sequences of a length in plies, by first move
    Perft(perft::Arguments),
    /// Print random balanced openings, as the OpenBench framework asks for them
    Genfens(genfens::Arguments),
    /// Print the parameters of the search as OpenBench takes them for tuning by SPSA; an engine built
    /// with the feature `tune` has them as options
    Spsa,
    /// Commands that make and read files.
    #[cfg(feature = "tools")]
    #[command(flatten)]
    Tools(tools::Command),
    /// The laboratory.
    #[cfg(feature = "laboratory")]
    #[command(flatten)]
    Laboratory(lab::Command),
}

impl Cli {
    /// Reads the arguments of the program; exits if they are wrong or ask for help.
    pub fn from_arguments() -> Cli {
        Cli::parse_from(genfens::split_request(env::args_os()))
    }

    /// Does what was asked for. Files that are written name `commit` as the program's.
    #[cfg_attr(not(feature = "tools"), expect(unused_variables))]
    fn execute(self, commit: &str) -> anyhow::Result<()> {
        let output = &mut io::stdout();
        match self.command {
            None => Ok(uci::run(io::stdin(), output, io::stdin().is_terminal())?),
            Some(Command::Bench(arguments)) => bench::command(&arguments, output),
            Some(Command::Perft(arguments)) => perft::command(&arguments, output),
            Some(Command::Genfens(arguments)) => genfens::command(&arguments, output),
            Some(Command::Spsa) => spsa::command(output),
            #[cfg(feature = "tools")]
            Some(Command::Tools(command)) => command.execute(commit, output, &mut io::stderr()),
            #[cfg(feature = "laboratory")]
            Some(Command::Laboratory(command)) => command.execute(output),
        }
    }
}

/// Runs the program, built from this commit, with the arguments that it was called with. Returns
/// its exit code: 0 done, 1 failed, 2 wrong usage or input.
pub fn run(commit: &str) -> ExitCode {
    match Cli::from_arguments().execute(commit) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn exit_code(arguments: &[&str]) -> Option<i32> {
        Cli::try_parse_from(arguments).err().map(|error| error.exit_code())
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_arguments_mean_a_uci_session() {
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
    fn perft_takes_a_chess960_position_as_it_comes() {
        let fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
        assert_eq!(exit_code(&["outrider", "perft", "2", fen]), None);
    }
}
