//! `outrider epd - --json -`: reads positions from a pipe and prints a line of JSON for each, as soon as
//! it is solved.

use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::bail;

use super::text;
use outrider_tools::STANDARD_INPUT;
use outrider_tools::suites::{
    AnswerRecord, RunSettings, StreamedLine, Suite, engines, solve_stream,
};

pub(super) fn command(
    settings: &RunSettings,
    unordered: bool,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let suite = Suite::new(Path::new(STANDARD_INPUT));
    let engines = engines(settings, settings.jobs)?;
    let mut is_readable = true;
    // A warning that cannot be written does not stop the command.
    let mut warn = |warning: String| drop(writeln!(warnings, "{warning}"));
    let input = BufReader::new(io::stdin());
    solve_stream(input, engines, settings.limit, !unordered, &mut |line| {
        match line {
            StreamedLine::Solved(entry, answer) => {
                let record = AnswerRecord::new(&suite, &entry, &answer);
                writeln!(output, "{}", serde_json::to_string(&record)?)?;
                output.flush()?;
            }
            StreamedLine::Broken(broken) => warn(text::broken_line(&suite, &broken)),
            StreamedLine::Unreadable(error) => {
                is_readable = false;
                warn(format!("{STANDARD_INPUT}: cannot be read: {error}"));
            }
        }
        Ok(())
    })?;
    if !is_readable {
        bail!("the standard input could not be read to the end");
    }
    Ok(())
}
