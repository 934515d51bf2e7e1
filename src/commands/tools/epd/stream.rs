//! `outrider epd - --json -`: reads positions from a pipe and prints a line of JSON for each, as soon as
//! it is solved.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use anyhow::bail;

use super::super::input::open_text;
use super::text;
use outrider_tools::STANDARD_INPUT;
use outrider_tools::suites::{
    AnswerRecord, RunSettings, StreamedLine, Suite, engines, solve_stream,
};

/// Solves the standard input. Names each kind of skipped text once. An empty input is not an error:
/// programs that divide work have empty parts.
///
/// # Errors
///
/// Fails if there are lines and none can be read, if the input cannot be read to its end, or if the
/// output cannot be written.
pub(super) fn command(
    settings: &RunSettings,
    unordered: bool,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let suite = Suite::new(Path::new(STANDARD_INPUT));
    let engines = engines(settings, settings.jobs)?;
    let mut is_readable = true;
    let (mut solved, mut broken_lines) = (0, 0);
    let mut named: HashSet<String> = HashSet::new();
    // A warning that cannot be written does not stop the command.
    let mut warn = |warning: String| drop(writeln!(warnings, "{warning}"));
    let input = open_text(Path::new(STANDARD_INPUT))?;
    solve_stream(input, engines, settings.limit, !unordered, &mut |line| {
        match line {
            StreamedLine::Solved(entry, answer) => {
                solved += 1;
                for reason in entry.exercise.skipped.iter().map(ToString::to_string) {
                    if !named.contains(&reason) {
                        warn(format!("{STANDARD_INPUT}:{}: {reason}, skipped", entry.line));
                        named.insert(reason);
                    }
                }
                let record = AnswerRecord::new(&suite, &entry, &answer);
                writeln!(output, "{}", serde_json::to_string(&record)?)?;
                output.flush()?;
            }
            StreamedLine::Broken(broken) => {
                broken_lines += 1;
                warn(text::broken_line(&suite, &broken));
            }
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
    if solved == 0 && broken_lines > 0 {
        bail!(text::nothing_read(broken_lines));
    }
    Ok(())
}
