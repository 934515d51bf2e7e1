//! `outrider epd FILE…`: solves files of test positions and says how many, how fast and how well.
//!
//! The solving is [`suite`]'s; `report` puts what came out into text and JSON.

mod report;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::common::{LimitArguments, progress_bar};
use crate::analysis::suite::{self, Conditions, Exercise, Suite, Summary, Themes};
use crate::search::Engine;
use report::Columns;

/// What to solve and how.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of test positions, one a line, with the operations bm, am or dm
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Search threads a position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Positions searched at the same time; with more jobs times threads than processors, times
    /// are not comparable
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: u16,
    /// Size of the transposition table in megabytes, for each job
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Also write the results to this file, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Arguments {
    fn conditions(&self) -> Conditions {
        Conditions {
            limit: self.limit.limit(),
            threads: self.threads.into(),
            jobs: self.jobs.into(),
            table_megabytes: self.hash as usize,
        }
    }
}

/// The subcommand. Answers and summaries are written to `output`, what is wrong with the files to
/// `complaints`.
///
/// # Errors
///
/// Fails if a file cannot be read, after solving the others; if the output or the JSON file cannot
/// be written; or if there is no memory for the tables.
pub fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    complaints: &mut dyn Write,
) -> anyhow::Result<()> {
    let conditions = arguments.conditions();
    let cannot_write = || match &arguments.json {
        Some(path) => format!("cannot write {}", path.display()),
        None => String::new(),
    };
    let files = Files::read(&arguments.files, complaints);
    // Before the searches: nobody wants to learn after an hour that the results are lost. But not
    // before the reading, and not at all over a suite.
    let is_suite = |json: &PathBuf| arguments.files.contains(json);
    if arguments.json.as_ref().is_some_and(is_suite) {
        bail!("{}: it is one of the suites", cannot_write());
    }
    let json_file = arguments.json.as_ref().map(File::create).transpose();
    let json_file = json_file.with_context(cannot_write)?;
    let mut run = Run::new(conditions, &files.suites, output)?;
    for suite in &files.suites {
        run.solve(suite)?;
    }
    run.bar.finish_and_clear();
    if files.suites.len() > 1 {
        writeln!(run.output, "\ntotal: {}", run.total)?;
    }
    if let Some(file) = json_file {
        let document = run.document(&files);
        write_json(file, &document).with_context(cannot_write)?;
    }
    match files.unreadable.len() {
        0 => Ok(()),
        unreadable => bail!("{unreadable} of {} files could not be read", arguments.files.len()),
    }
}

fn write_json(file: File, document: &Value) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut writer, document)?;
    writeln!(writer)?;
    writer.flush()
}

/// The files asked for.
struct Files {
    suites: Vec<Suite>,
    unreadable: Vec<(PathBuf, io::Error)>,
}

impl Files {
    /// Reads them and complains about what cannot be read in them.
    fn read(paths: &[PathBuf], complaints: &mut dyn Write) -> Files {
        let mut files = Files { suites: Vec::new(), unreadable: Vec::new() };
        // A complaint that cannot be written is no reason to stop.
        let mut complain = |complaint: String| drop(writeln!(complaints, "{complaint}"));
        for path in paths {
            match Suite::read(path) {
                Ok(suite) => {
                    for broken in &suite.broken {
                        complain(report::broken_line(&suite, broken));
                    }
                    files.suites.push(suite);
                }
                Err(error) => {
                    complain(format!("{}: cannot be read: {error}", path.display()));
                    files.unreadable.push((path.clone(), error));
                }
            }
        }
        files
    }
}

/// Solving suites one after the other, with all that comes out.
struct Run<'a> {
    conditions: Conditions,
    engines: Vec<Engine>,
    output: &'a mut dyn Write,
    bar: ProgressBar,
    total: Summary,
    results: Vec<Value>,
    summaries: Vec<Value>,
}

impl<'a> Run<'a> {
    fn new(
        conditions: Conditions,
        suites: &[Suite],
        output: &'a mut dyn Write,
    ) -> anyhow::Result<Run<'a>> {
        let sizes = suites.iter().map(|suite| suite.entries.len());
        Ok(Run {
            conditions,
            engines: suite::engines(&conditions, sizes.clone().max().unwrap_or(0))?,
            output,
            bar: progress_bar(sizes.sum::<usize>() as u64, "{pos}/{len}  {msg}"),
            total: Summary::default(),
            results: Vec::new(),
            summaries: Vec::new(),
        })
    }

    fn solve(&mut self, suite: &Suite) -> io::Result<()> {
        let columns = Columns::of(suite);
        let (mut summary, mut themes) = (Summary::default(), Themes::default());
        let exercises: Vec<&Exercise> = suite.entries.iter().map(|entry| &entry.exercise).collect();
        let limit = self.conditions.limit;
        suite::solve(&exercises, limit, &mut self.engines, &mut |index, answer| {
            let entry = &suite.entries[index];
            for summary in [&mut summary, &mut self.total] {
                summary.add(&entry.exercise, &answer.verdict);
            }
            themes.add(&entry.exercise, &answer.verdict);
            self.results.push(report::result_json(suite, entry, &answer));
            self.bar.inc(1);
            self.bar.set_message(format!("{} solved", self.total.solved));
            self.bar.suspend(|| writeln!(self.output, "{}", columns.line(entry, &answer)))
        })?;
        let name = suite.path.display().to_string();
        self.summaries.push(report::summary_json(&name, &summary, Some(&themes)));
        let text = report::file_summary(suite, &summary, &themes);
        self.bar.suspend(|| writeln!(self.output, "{text}"))
    }

    /// All that came out, for programs.
    fn document(self, files: &Files) -> Value {
        let broken = files
            .suites
            .iter()
            .flat_map(|suite| suite.broken.iter().map(|broken| report::broken_json(suite, broken)));
        let unreadable =
            files.unreadable.iter().map(|(path, error)| report::unreadable_json(path, error));
        json!({
            "settings": report::conditions_json(&self.conditions),
            "total": report::summary_json("total", &self.total, None),
            "files": self.summaries,
            "results": self.results,
            "broken_lines": broken.collect::<Vec<_>>(),
            "unreadable_files": unreadable.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests;
