//! `outrider epd FILE…`: solves files of test positions and says how many, how fast and how well;
//! `outrider epd --compare A.json B.json` says what two runs differ in.
//!
//! The solving and the reports are [`suites`]'s; `stream` answers a pipe, `text` puts what
//! came out into lines.

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
With --json or --html a run that was stopped is resumed when the same command is given again.

Examples:
  outrider epd wac.epd --nodes 100000 --json before.json --html before.html
  outrider epd --compare before.json after.json --html difference.html")]
pub(crate) struct Arguments {
    /// Files of test positions, one a line, with the operations bm, am, dm or c0; - is the standard
    /// input
    #[arg(required_unless_present = "compare", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Search threads a position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Positions searched at the same time; with more jobs times threads than processors, times
    /// are not comparable [default: processors divided by threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Size of the transposition table in megabytes, for each job
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Also write the results to this file, as JSON; with -, print a line of JSON a position instead
    /// of all else, as soon as it is solved
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print lines of JSON (--json -) as positions are solved, not in their order
    #[arg(long)]
    unordered: bool,
    /// Also write a report to this file, as a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Say what was won and lost between two runs, from their JSON files, and whether that is more
    /// than chance
    #[arg(long, num_args = 2, value_names = ["A.json", "B.json"],
        conflicts_with_all = ["files", "threads", "jobs", "hash", "json", "limit", "unordered"])]
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

    /// Whether the answers go to a file too, so that the work is wanted though nobody reads on.
    pub(super) fn writes_files(&self) -> bool {
        self.outputs().next().is_some()
    }

    /// The files that are written.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.json.iter().filter(|_| !self.prints_json()).chain(&self.html).map(PathBuf::as_path)
    }

    /// Whether lines of JSON are printed in place of tables.
    fn prints_json(&self) -> bool {
        self.json.as_deref() == Some(Path::new(STANDARD_INPUT))
    }

    /// Whether positions come from the standard input, and go as lines to the standard output and
    /// nowhere else.
    fn is_pipe(&self) -> bool {
        let is_input = self.files.iter().map(PathBuf::as_path).eq([Path::new(STANDARD_INPUT)]);
        is_input && self.prints_json() && self.html.is_none()
    }
}

/// Answers and summaries are written to `output`, what is wrong with the files to
/// `warnings`.
///
/// # Errors
///
/// Fails if a file cannot be read, after solving the others; if the output or the files asked for
/// cannot be written; or if there is no memory for the tables.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    if arguments.unordered && !arguments.prints_json() {
        bail!(WrongInput("--unordered needs JSON lines: give --json - too".to_owned()));
    }
    if let Some(files) = &arguments.compare {
        return compare::command(files, arguments.html.as_deref(), output);
    }
    if arguments.is_pipe() {
        return stream::command(&arguments.settings(commit), arguments.unordered, output, warnings);
    }
    let files = ReadSuites::read(&arguments.files, warnings);
    if files.suites.is_empty() {
        // Nothing was solved, so that results of an earlier run stay.
        bail!("{0} of {0} files could not be read", arguments.files.len());
    }
    // Before the searches, but not before the reading.
    let journal = arguments.outputs().find_map(Journal::path_for);
    let outputs: Vec<&Path> = arguments.outputs().chain(journal.as_deref()).collect();
    check_outputs(&outputs, &arguments.files)?;
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
        unreadable => bail!("{unreadable} of {} files could not be read", arguments.files.len()),
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

/// Solves the suites and prints what comes out.
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
            (printed, right) = (printed + 1, right + usize::from(answer.verdict.solved));
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
    if let Some(path) = &arguments.html {
        write_file(path, &suites::report(settings, solved, unreadable))?;
    }
    Ok(())
}

/// The files asked for.
struct ReadSuites {
    suites: Vec<Suite>,
    unreadable: Vec<UnreadableRecord>,
}

impl ReadSuites {
    /// Reads them and complains about what cannot be read in them.
    fn read(paths: &[PathBuf], warnings: &mut dyn Write) -> ReadSuites {
        let mut files = ReadSuites { suites: Vec::new(), unreadable: Vec::new() };
        // A warning that cannot be written is no reason to stop.
        let mut warn = |warning: String| drop(writeln!(warnings, "{warning}"));
        for path in paths {
            match Suite::read(path) {
                Ok(suite) => {
                    for broken in &suite.broken {
                        warn(text::broken_line(&suite, broken));
                    }
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
