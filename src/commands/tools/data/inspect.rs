//! `outrider data inspect`: statistics of files of games, with small bar charts.

use std::io::{self, Write};

use anyhow::{Context as _, bail};
use clap::Args;

use super::super::common::{EndgameArguments, file_progress_bar, share_of, write_verdicts};
use super::input::{FilterArguments, GameFiles};
use outrider_tools::selfplay::{
    DistinctCounter, Exclusion, GameResult, Record, Statistics, statistics,
};

/// Maximum length of a bar, in characters.
const MAX_BAR: u64 = 50;

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data inspect games")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: GameFiles,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Prints the headers of each file, and the statistics of all files together.
///
/// # Errors
///
/// Fails if a file cannot be read, there are no games, or the output cannot be written.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let (filter, endgames) = (arguments.filter.filter(), arguments.endgames.endgames()?);
    let mut statistics = Statistics::default();
    let (mut file, mut winning_score) = (None, 0);
    let bar = file_progress_bar(&arguments.games.files);
    for record in arguments.games.records(&bar, warnings) {
        let (path, record) = record?;
        if file.replace(path) != Some(path) {
            // The header of the new file may be damaged.
            winning_score = 0;
        }
        match record {
            Record::Header(header) => {
                bar.suspend(|| writeln!(output, "{}: {header}", path.display()))?;
                winning_score = header.settings.winning_score;
            }
            Record::Game(game) => {
                let added = statistics.add(&game, &filter, &endgames, winning_score);
                added.with_context(|| path.display().to_string())?;
            }
        }
    }
    bar.finish_and_clear();
    endgames.check()?;
    if statistics.games == 0 {
        bail!("{}: there are no games", arguments.games.names());
    }
    Ok(write_statistics(&statistics, output)?)
}

fn write_statistics(all: &Statistics, output: &mut dyn Write) -> io::Result<()> {
    let Statistics { games, positions, chess960_games, .. } = *all;
    writeln!(output, "\n{games} games, {}", share_of(chess960_games, games, "Chess960"))?;
    writeln!(output, "  {}", duplicates(&all.different_games, games))?;
    for (result, name) in [
        (GameResult::WhiteWins, "won by White"),
        (GameResult::Draw, "drawn"),
        (GameResult::BlackWins, "won by Black"),
    ] {
        let (count, corrected) = (all.games_with(result), all.corrected[result as usize]);
        writeln!(output, "  {}", share_of(count, games, name))?;
        if corrected > 0 {
            let corrected = share_of(corrected, count, "of these corrected by known endgames");
            writeln!(output, "    {corrected}")?;
        }
    }
    if all.played_out.games > 0 {
        writeln!(output, "  {}", share_of(all.played_out.games, games, "played out"))?;
        write_verdicts(&all.played_out, "    ", output)?;
    }
    let length = positions as f64 / games.max(1) as f64;
    writeln!(output, "\n{positions} positions, {length:.1} a game")?;
    if all.deviations > 0 {
        writeln!(
            output,
            "  {}",
            share_of(all.deviations, positions, "in deviations from the games")
        )?;
    }
    writeln!(output, "  {}", duplicates(&all.different_positions, positions))?;
    writeln!(output, "  {}", share_of(all.white_to_move, positions, "with White to move"))?;
    writeln!(output, "  {}", share_of(all.kept, positions, "kept by the filter"))?;
    for reason in Exclusion::ALL {
        let excluded = all.excluded[reason as usize];
        writeln!(output, "  {}", share_of(excluded, positions, &format!("left out: {reason}")))?;
    }
    if let Some(scale) = all.score_points.scale() {
        writeln!(output, "  points of those kept: 1 / (1 + exp(-score / {scale:.1} cp))")?;
    }
    let below = format!("below {:+.1}", pawns(Statistics::lowest_score(1)));
    let from =
        |bar| Statistics::lowest_score(bar).map(|score| format!("from {:+.1}", pawns(Some(score))));
    write_bars("White's score in pawns", &all.scores, output, |bar| {
        from(bar).unwrap_or(below.clone())
    })?;
    let pieces = |bar| {
        format!(
            "{} to {} pieces",
            bar * statistics::PIECES_STEP + 1,
            (bar + 1) * statistics::PIECES_STEP
        )
    };
    write_bars("Pieces on the board", &all.pieces, output, pieces)?;
    let plies = |bar| format!("from {} plies", bar * statistics::LENGTH_STEP);
    write_bars("Length of the games after their openings", &all.lengths, output, plies)
}

fn pawns(centipawns: Option<i32>) -> f64 {
    f64::from(centipawns.unwrap_or_default()) / 100.0
}

fn duplicates(different: &DistinctCounter, all: u64) -> String {
    let again = all.saturating_sub(different.count());
    let about = if different.is_exact() { "" } else { "about " };
    format!("{about}{}", share_of(again, all, "duplicates"))
}

/// Writes a bar for each count, with a length proportional to the count.
fn write_bars(
    title: &str,
    counts: &[u64],
    output: &mut dyn Write,
    name: impl Fn(usize) -> String,
) -> io::Result<()> {
    writeln!(output, "\n{title}")?;
    let greatest = counts.iter().copied().max().unwrap_or(0).max(1);
    let digits = greatest.to_string().len();
    for (index, &count) in counts.iter().enumerate() {
        let length = (u128::from(count) * u128::from(MAX_BAR)).div_ceil(u128::from(greatest));
        let bar = "█".repeat(length as usize);
        writeln!(output, "{:>14} {count:>digits$} {bar}", name(index))?;
    }
    Ok(())
}
