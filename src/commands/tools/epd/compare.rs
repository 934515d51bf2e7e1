//! `outrider epd --compare A.json B.json`: compares the results of two runs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::input::read_text;
use super::super::output::{check_outputs, write_file};
use crate::commands::failure::WrongInput;
use outrider_engine::text::shorten;
use outrider_tools::suites::{AnswerRecord, Comparison, Results, comparison_page};

/// Compares two runs, and writes a page of their differences on request.
pub(super) fn command(
    files: &[PathBuf],
    html: Option<&Path>,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let [a, b] = [read_results(&files[0])?, read_results(&files[1])?];
    check_outputs(&html.into_iter().collect::<Vec<_>>(), files)?;
    for (letter, path, results) in [("A", &files[0], &a), ("B", &files[1], &b)] {
        writeln!(output, "{letter}: {}: {}", path.display(), describe_run(results))?;
    }
    if a.settings.limit != b.settings.limit || a.settings.threads != b.settings.threads {
        writeln!(output, "The runs had different limits or numbers of threads.")?;
    }
    let comparison = Comparison::new(&a, &b);
    for (letter, alone) in ["A", "B"].into_iter().zip(comparison.alone) {
        if alone > 0 {
            let positions = if alone == 1 { "position is" } else { "positions are" };
            writeln!(output, "{alone} {positions} only in {letter}: not counted.")?;
        }
    }
    if comparison.positions() == 0 {
        let [a, b] = [&files[0], &files[1]].map(|path| path.display());
        return Err(WrongInput(format!(
            "{a} and {b} have no position with an expected answer in common"
        ))
        .into());
    }
    if let Some(path) = html {
        let [from, to] = [&files[0], &files[1]].map(|path| path.display().to_string());
        let page =
            comparison_page(&comparison, [&from, &describe_run(&a)], [&to, &describe_run(&b)]);
        write_file(path, &page)?;
    }
    write_list(output, "won", "solved only by B", &comparison.won)?;
    write_list(output, "lost", "solved only by A", &comparison.lost)?;
    Ok(writeln!(output, "\n{}", summary(&comparison))?)
}

fn read_results(path: &Path) -> anyhow::Result<Results> {
    let text = read_text(path)?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    serde_json::from_slice(text).map_err(|error| {
        // The parser's error contains the place.
        WrongInput(format!("{}: not results of outrider epd: {error}", path.display())).into()
    })
}

/// Describes a run in one line.
fn describe_run(results: &Results) -> String {
    let (settings, total) = (&results.settings, &results.total);
    format!(
        "{} of {} solved ({:.1} %) by {} {}, {}",
        total.solved,
        total.positions,
        total.percent(),
        shorten(&settings.engine),
        shorten(&settings.commit),
        settings.limit
    )
}

/// Writes the positions that only one of the runs solved, with both answers.
fn write_list(
    output: &mut dyn Write,
    word: &str,
    meaning: &str,
    pairs: &[(&AnswerRecord, &AnswerRecord)],
) -> io::Result<()> {
    if pairs.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{word} ({meaning}): {}", pairs.len())?;
    // Texts from a file must be made safe for a terminal.
    let texts = |(before, after): &(&AnswerRecord, &AnswerRecord)| {
        let played = |record: &AnswerRecord| shorten(record.played.as_deref().unwrap_or("(none)"));
        [shorten(&after.name()), shorten(&after.wanted()), played(before), played(after)]
    };
    let lines: Vec<_> = pairs.iter().map(texts).collect();
    let widest =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let (name_width, expected_width) = (widest(0), widest(1));
    for [name, expected, before, after] in &lines {
        writeln!(output, "  {name:name_width$}  {expected:expected_width$}  {before} -> {after}")?;
    }
    Ok(())
}

/// Formats the totals and their statistical significance.
fn summary(comparison: &Comparison<'_>) -> String {
    let (won, lost) = (comparison.won.len(), comparison.lost.len());
    format!(
        "{} positions: {} solved by both, {} by neither, {won} won, {lost} lost.\n\
         {}",
        comparison.positions(),
        comparison.both,
        comparison.neither,
        comparison.significance()
    )
}
