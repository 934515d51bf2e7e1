//! `outrider data export`: positions as text, for people and for other trainers.
//!
//! Scores and results are White's. That is what trainers which read lines of just this form expect
//! (bullet's text format); one that took the mover's for White's would learn from every second
//! position that the better side loses.

use std::io::{BufWriter, Write};

use clap::Args;
use shakmaty::Color;

use super::super::common::EndgameArguments;
use super::input::{FilterArguments, GameFiles};
use crate::engine::position::notation::format_fen;
use crate::tools::selfplay::LabelledPosition;

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data export games --text 10")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: GameFiles,
    /// The most positions to print
    #[arg(long, value_name = "N")]
    text: usize,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Prints positions that the filter keeps.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let (filter, endgames) = (arguments.filter.filter(), arguments.endgames.endgames()?);
    let mut output = BufWriter::new(output);
    let all = arguments.games.positions(&filter, &endgames, warnings);
    for position in all.take(arguments.text) {
        writeln!(output, "{}", line(&position?))?;
    }
    endgames.check()?;
    Ok(output.flush()?)
}

/// A position with White's score in centipawns and White's result in points.
fn line(position: &LabelledPosition) -> String {
    let fen = format_fen(position.board.chess());
    let (score, points) =
        (position.white_score.centipawns(), position.result.points_for(Color::White));
    format!("{fen} | {score} | {points:.1}")
}
