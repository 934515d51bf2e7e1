//! `outrider epd FILE…`: solves files of test positions and reports number, speed and quality of the
//! solutions, and evaluates positions without an expected answer;
//! `outrider epd --compare A.json B.json` compares two runs.
//!
//! [`suites`] solves and makes the reports; `stream` answers a pipe; `text` formats lines.

mod compare;
mod stream;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::common::{LimitArguments, processors, progress_bar};
use super::output::{check_outputs, write_file};
use crate::commands::failure::WrongInput;
use outrider_tools::suites::{
    self, AnswerRecord, Results, RunSettings, SolvedSuite, Suite, SuiteRun, UnreadableRecord,
};
use outrider_tools::{ENGINE, Journal, STANDARD_INPUT};
use text::Columns;

#[derive(Debug, Args)]
#[command(after_help = "\
With --json, --csv or --html, the same command resumes a run that was stopped.

A position with none of the operations bm, am, dm and c0, such as a plain FEN, is only evaluated:
score for the side to move, best move and best line. bm #N is a mate, as dm N. Skipped text is named;
if nothing can be read, the exit code is 1. Themes are the names (id) without their numbers; those of a
single position are not listed.

Examples:
  outrider epd wac.epd --nodes 100000 --json before.json --html before.html
  outrider epd positions.fen --nodes 100000 --csv scores.csv
  outrider epd --compare before.json after.json --html difference.html")]
pub(crate) struct Arguments {
    /// Files of positions, one per line: EPD with the operations bm, am, dm or c0, or plain FEN; - is
    /// the standard input
    #[arg(required_unless_present = "compare", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Search threads per position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Positions searched at the same time. Times are comparable only if jobs times threads does not
    /// exceed the number of processors [default: processors divided by threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Size of the transposition table in megabytes per job
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Also write the results to this file as JSON; with -, print only one line of JSON per position,
    /// as soon as it is solved
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the results to this file as a table (CSV) with a row for each position
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print the JSON lines (--json -) as positions are solved instead of in their order
    #[arg(long)]
    unordered: bool,
    /// Also write a report to this file, as a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Compare two runs from their JSON files: positions won and lost, and the significance of the
    /// difference
    #[arg(long, num_args = 2, value_names = ["A.json", "B.json"],
        conflicts_with_all = ["files", "threads", "jobs", "hash", "json", "csv", "limit", "unordered"])]
    compare: Option<Vec<PathBuf>>,
}

impl Arguments {
    fn settings(&self, commit: &str) -> RunSettings {
        let threads = usize::from(self.threads);
        RunSettings {
            engine: ENGINE.to_owned(),
            commit: commit.to_owned(),
            limit: self.limit.limit(),
            threads,
            jobs: self.jobs.map_or((processors() / threads).max(1), usize::from),
            table_megabytes: self.hash as usize,
        }
    }

    /// Returns true if results also go to a file, so that the work continues with a broken pipe.
    pub(super) fn writes_files(&self) -> bool {
        self.outputs().next().is_some()
    }

    /// Output files.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        let json = self.json.iter().filter(|_| !self.prints_json());
        json.chain(&self.csv).chain(&self.html).map(PathBuf::as_path)
    }

    /// Returns true if lines of JSON are printed instead of tables.
    fn prints_json(&self) -> bool {
        self.json.as_deref() == Some(Path::new(STANDARD_INPUT))
    }

    /// Returns true if positions come from the standard input and results go only to the standard output,
    /// as lines of JSON.
    fn is_pipe(&self) -> bool {
        let is_input = self.files.iter().map(PathBuf::as_path).eq([Path::new(STANDARD_INPUT)]);
        is_input && self.prints_json() && !self.writes_files()
    }
}

/// Runs the subcommand. Writes answers and summaries to `output`, and errors in the files to `warnings`.
///
/// # Errors
///
/// Fails if no position can be read, the output or a file cannot be written, or there is not enough
/// memory for the tables. If a file cannot be read, fails after solving the others.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    if arguments.unordered && !arguments.prints_json() {
        bail!(WrongInput("--unordered needs JSON lines: give --json - too".to_owned()));
    }
    if arguments.csv.as_deref() == Some(Path::new(STANDARD_INPUT)) {
        bail!(WrongInput("--csv needs the name of a file".to_owned()));
    }
    if let Some(files) = &arguments.compare {
        return compare::command(files, arguments.html.as_deref(), output);
    }
    if arguments.is_pipe() {
        return stream::command(&arguments.settings(commit), arguments.unordered, output, warnings);
    }
    let files = ReadSuites::read(&arguments.files, warnings);
    if files.suites.is_empty() {
        // Nothing was solved, so the results of an earlier run are kept.
        bail!(unreadable(arguments.files.len(), arguments.files.len()));
    }
    // The outputs are checked after the inputs are read, but before the searches.
    let journal = arguments.outputs().find_map(Journal::path_for);
    let outputs: Vec<&Path> = arguments.outputs().chain(journal.as_deref()).collect();
    check_outputs(&outputs, &arguments.files)?;
    if files.suites.iter().all(|suite| suite.entries.is_empty()) {
        let broken = files.suites.iter().map(|suite| suite.broken.len()).sum();
        bail!(text::nothing_read(broken));
    }
    let mut run = SuiteRun::new(&files.suites, arguments.settings(commit), journal)?;
    let solved = if arguments.prints_json() {
        print_lines(&mut run, &files.suites, !arguments.unordered, output)?
    } else {
        solve(&mut run, &files.suites, output)?
    };
    write_results(arguments, run.settings(), &solved, &files.unreadable)?;
    run.close()?;
    match files.unreadable.len() {
        0 => Ok(()),
        number => bail!(unreadable(number, arguments.files.len())),
    }
}

/// Says how many of the files could not be read.
fn unreadable(number: usize, all: usize) -> String {
    match all {
        1 => "the file could not be read".to_owned(),
        _ => format!("{number} of {all} files could not be read"),
    }
}

/// Solves the suites and prints a line of JSON for each position.
fn print_lines<'a>(
    run: &mut SuiteRun<'a>,
    suites: &'a [Suite],
    in_order: bool,
    output: &mut dyn Write,
) -> io::Result<Vec<SolvedSuite<'a>>> {
    let solve = |(index, suite): (usize, &'a Suite)| {
        run.solve(index, in_order, &mut |entry, answer| {
            let line = serde_json::to_string(&AnswerRecord::new(suite, entry, answer))?;
            writeln!(output, "{line}")?;
            output.flush()
        })
    };
    suites.iter().enumerate().map(solve).collect()
}

/// Solves the suites and prints the answers and summaries.
fn solve<'a>(
    run: &mut SuiteRun<'a>,
    suites: &'a [Suite],
    output: &mut dyn Write,
) -> io::Result<Vec<SolvedSuite<'a>>> {
    let known = run.known();
    let positions = suites.iter().map(|suite| suite.entries.len()).sum::<usize>();
    if known > 0 {
        writeln!(output, "resumed after {known} of {positions} positions")?;
    }
    let bar = progress_bar(positions as u64, "{pos}/{len}  {msg}");
    bar.set_position(known as u64);
    bar.reset_eta();
    let (mut printed, mut right) = (0, 0);
    let mut solved = Vec::new();
    for (index, suite) in suites.iter().enumerate() {
        let columns = Columns::for_suite(suite);
        solved.push(run.solve(index, true, &mut |entry, answer| {
            (printed, right) =
                (printed + 1, right + usize::from(answer.verdict.solved == Some(true)));
            bar.set_position(printed.max(known as u64));
            bar.set_message(format!("{right} solved"));
            bar.suspend(|| writeln!(output, "{}", columns.line(entry, answer)))
        })?);
        bar.suspend(|| writeln!(output, "{}", text::file_summary(&solved[index])))?;
    }
    bar.finish_and_clear();
    if suites.len() > 1 {
        writeln!(output, "\ntotal: {}", SolvedSuite::total(&solved))?;
    }
    Ok(solved)
}

fn write_results(
    arguments: &Arguments,
    settings: &RunSettings,
    solved: &[SolvedSuite<'_>],
    unreadable: &[UnreadableRecord],
) -> anyhow::Result<()> {
    if let Some(path) = arguments.json.as_ref().filter(|_| !arguments.prints_json()) {
        let results = Results::new(settings, solved, unreadable);
        let text = serde_json::to_string_pretty(&results)? + "\n";
        write_file(path, &text)?;
    }
    if let Some(path) = &arguments.csv {
        let table = suites::table(solved)?;
        write_file(path, &table)?;
    }
    if let Some(path) = &arguments.html {
        write_file(path, suites::report(settings, solved, unreadable))?;
    }
    Ok(())
}

/// Suites read from the files, and files that cannot be read.
struct ReadSuites {
    suites: Vec<Suite>,
    unreadable: Vec<UnreadableRecord>,
}

impl ReadSuites {
    /// Reads the files. Reports files and lines that cannot be read to `warnings`.
    fn read(paths: &[PathBuf], warnings: &mut dyn Write) -> ReadSuites {
        let mut files = ReadSuites { suites: Vec::new(), unreadable: Vec::new() };
        // A warning that cannot be written does not stop the command.
        let mut warn = |warning: String| drop(writeln!(warnings, "{warning}"));
        for path in paths {
            match Suite::read(path) {
                Ok(suite) => {
                    for broken in &suite.broken {
                        warn(text::broken_line(&suite, broken));
                    }
                    text::skipped_parts(&suite).into_iter().for_each(&mut warn);
                    files.suites.push(suite);
                }
                Err(error) => {
                    warn(format!("{}: cannot be read: {error}", path.display()));
                    let (file, reason) = (path.display().to_string(), error.to_string());
                    files.unreadable.push(UnreadableRecord { file, reason });
                }
            }
        }
        files
    }
}

#[cfg(test)]
mod tests;
