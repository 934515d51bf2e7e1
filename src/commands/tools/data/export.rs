//! `outrider data export`: positions as text, for people and for other trainers.
//!
//! Scores and results are White's, as in bullet's text format. A trainer that took the scores of the
//! side to move for White's would learn from every second position that the better side loses.

use std::collections::HashSet;
use std::io::{BufWriter, Write};

use anyhow::bail;
use clap::Args;
use indicatif::ProgressBar;
use shakmaty::Color;

use super::super::common::EndgameArguments;
use super::input::{FilterArguments, GameFiles};
use outrider_engine::position::notation::{format_epd, format_fen};
use outrider_tools::selfplay::LabelledPosition;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider data export games --text 10
  outrider data export games --epd 1000")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: GameFiles,
    /// Print at most this number of positions, with White's score and result
    #[arg(long, value_name = "N", required_unless_present = "epd")]
    text: Option<usize>,
    /// Print at most this number of positions as EPD, each position once: a file of openings
    #[arg(long, value_name = "N", conflicts_with = "text")]
    epd: Option<usize>,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Prints positions that pass the filter.
///
/// # Errors
///
/// Fails if a file cannot be read, no position passes the filter, or the output cannot be written.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let (filter, endgames) = (arguments.filter.filter(), arguments.endgames.endgames()?);
    let mut output = BufWriter::new(output);
    // The printed lines show the progress.
    let bar = ProgressBar::hidden();
    let all = arguments.games.positions(&filter, &endgames, &bar, warnings);
    let mut printed = HashSet::new();
    let wanted = arguments.epd.or(arguments.text).unwrap_or_default();
    let mut left = wanted;
    for position in all {
        if left == 0 {
            break;
        }
        let position = position?;
        if arguments.epd.is_none() {
            let Some(line) = line(&position) else {
                continue;
            };
            writeln!(output, "{line}")?;
        } else if printed.insert(position.board.key()) {
            writeln!(output, "{}", format_epd(position.board.chess()))?;
        } else {
            continue;
        }
        left -= 1;
    }
    endgames.check()?;
    output.flush()?;
    if left == wanted && wanted > 0 {
        bail!("{}: there are no positions to print", arguments.games.names());
    }
    Ok(())
}

/// Formats a position with White's score in centipawns and White's points; `None` without a result.
fn line(position: &LabelledPosition) -> Option<String> {
    let fen = format_fen(position.board.chess());
    let (score, points) =
        (position.white_score.centipawns(), position.result?.points_for(Color::White));
    Some(format!("{fen} | {score} | {points:.1}"))
}
