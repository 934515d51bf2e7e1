//! The command line: a UCI session without a subcommand, else a task that ends.

#![forbid(unsafe_code)]
mod bench;
mod failure;
mod genfens;
#[cfg(feature = "laboratory")]
mod lab;
mod perft;
#[cfg(feature = "serve")]
mod serve;
mod spsa;
#[cfg(feature = "tools")]
mod tools;

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use outrider_protocol::uci;

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
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search fixed positions; print the number of nodes, which is the same every time, and the speed
    Bench(bench::Arguments),
    /// Count the legal move sequences of a given length in plies, by first move
    Perft(perft::Arguments),
    /// Print random openings: undecided ones in the form that the OpenBench framework expects, or
    /// balanced ones for matches
    Genfens(genfens::Arguments),
    /// Print the search parameters in the form that OpenBench expects for tuning by SPSA; an engine
    /// built with the feature `tune` has them as options
    Spsa,
    #[cfg(feature = "serve")]
    #[command(flatten)]
    Serve(serve::Command),
    #[cfg(feature = "tools")]
    #[command(flatten)]
    Tools(tools::Command),
    #[cfg(feature = "laboratory")]
    #[command(flatten)]
    Laboratory(lab::Command),
}

impl Cli {
    /// Parses the arguments of the program. Exits if they are invalid or ask for help.
    pub(crate) fn from_arguments() -> Cli {
        Cli::parse_from(genfens::split_request(env::args_os()))
    }

    /// Runs the command. Written files contain `commit` as that of the program. Results go to the
    /// standard output, warnings to the standard error.
    #[cfg_attr(
        not(feature = "tools"),
        expect(unused_variables, reason = "the bare engine writes no files")
    )]
    fn execute(self, commit: &str) -> anyhow::Result<()> {
        let (output, warnings) = (&mut io::stdout(), &mut io::stderr());
        match self.command {
            None => Ok(uci::run(io::stdin(), output, io::stdin().is_terminal())?),
            Some(Command::Bench(arguments)) => bench::command(&arguments, output),
            Some(Command::Perft(arguments)) => perft::command(&arguments, output),
            Some(Command::Genfens(arguments)) => genfens::command(&arguments, output),
            Some(Command::Spsa) => spsa::command(output),
            #[cfg(feature = "serve")]
            Some(Command::Serve(command)) => command.execute(output),
            #[cfg(feature = "tools")]
            Some(Command::Tools(command)) => command.execute(commit, output, warnings),
            #[cfg(feature = "laboratory")]
            Some(Command::Laboratory(command)) => command.execute(output),
        }
    }
}

/// Runs the program, built from `commit`, with its command-line arguments. Returns the exit code: 0 for
/// success, 1 for failure, 2 for wrong usage or input.
pub fn run(commit: &str) -> ExitCode {
    match Cli::from_arguments().execute(commit) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

#[cfg(test)]
mod tests;
