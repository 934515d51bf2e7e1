//! `outrider data chances`: how likely a score is to win, draw and lose, from games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::super::common::EndgameArguments;
use super::super::output::check_outputs;
use super::input::positions;
use crate::tools::selfplay::{ChanceTallies, Filter, chart_of_chances, fit_chances};

/// Beyond this score, in centipawns, nearly every game is won, and a curve through its middle need not
/// fit there.
const GREATEST_SCORE: i32 = 1_500;

/// What to fit to.
#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data chances games --output chances.svg")]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The picture, in SVG
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Fits the curves, prints their coefficients as the source has them, and draws them.
///
/// # Errors
///
/// Fails if a file cannot be read, there are too few positions, or the picture cannot be written.
pub fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    complaints: &mut dyn Write,
) -> anyhow::Result<()> {
    check_outputs(&[&arguments.output], &arguments.files)?;
    let filter = Filter { mates: true, greatest_score: GREATEST_SCORE, ..Filter::NONE };
    let endgames = arguments.endgames.endgames()?;
    let mut tallies = ChanceTallies::default();
    for position in positions(&arguments.files, &filter, &endgames, complaints) {
        tallies.add(&position?);
    }
    endgames.check()?;
    let ranges = tallies.ranges();
    let model = fit_chances(&ranges).context("too few positions to fit curves to")?;
    for range in &ranges {
        writeln!(
            output,
            "material {:4.1}: {:8.0} positions, even chance to win at {:6.1}, spread {:6.1}",
            range.material, range.positions, range.even, range.spread
        )?;
    }
    writeln!(output, "even: {:.1?}, spread: {:.1?}", model.even, model.spread)?;
    chart_of_chances(&model, &ranges).write_svg(&arguments.output)?;
    Ok(())
}
