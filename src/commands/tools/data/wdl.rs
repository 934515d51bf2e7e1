//! `outrider data wdl`: fits the chances to win, draw and lose by score and material to games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::super::common::{EndgameArguments, file_progress_bar};
use super::super::output::check_outputs;
use super::input::GameFiles;
use outrider_engine::evaluation::wdl::WdlModel;
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};
use outrider_tools::selfplay::{Filter, FittedRange, WdlTallies, fit_wdl};

/// Maximum score of the fitted positions, in centipawns. Beyond it nearly every game is won, and the
/// curves need not fit.
const MAX_SCORE: i32 = 1_500;

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data wdl games --output wdl.svg")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: GameFiles,
    /// Picture of the curves, in SVG
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Fits the curves, prints their coefficients as they appear in the source, and draws them.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    check_outputs(&[&arguments.output], &arguments.games.files)?;
    let filter = Filter { mates: true, max_score: MAX_SCORE, ..Filter::NONE };
    let endgames = arguments.endgames.endgames()?;
    let mut tallies = WdlTallies::default();
    let bar = file_progress_bar(&arguments.games.files);
    for position in arguments.games.positions(&filter, &endgames, &bar, warnings) {
        tallies.add(&position?);
    }
    bar.finish_and_clear();
    endgames.check()?;
    let ranges = tallies.ranges();
    let model = fit_wdl(&ranges).with_context(|| {
        format!("{}: too few positions to fit curves to", arguments.games.names())
    })?;
    for range in &ranges {
        writeln!(
            output,
            "material {:4.1}: {:8.0} positions, even chance to win at {:6.1}, spread {:6.1}",
            range.material, range.positions, range.even, range.spread
        )?;
    }
    writeln!(output, "even: {:.1?}, spread: {:.1?}", model.even, model.spread)?;
    chart(&model, &ranges).write_svg(&arguments.output)?;
    Ok(())
}

/// Draws both curves of the model, and the values fitted to each range of material.
fn chart(model: &WdlModel, ranges: &[FittedRange]) -> Chart {
    let marks = |name: &str, value: fn(&FittedRange) -> f64| {
        Curve::marks(name, ranges.iter().map(|range| DataPoint::new(range.material, value(range))))
    };
    let line = |name: &str, value: &dyn Fn(u32) -> f64| {
        let materials = WdlModel::MATERIAL;
        Curve::line(name, materials.map(|m| DataPoint::new(f64::from(m), value(m))))
    };
    let positions: f64 = ranges.iter().map(|range| range.positions).sum();
    Chart {
        title: "Scores and chances".into(),
        note: format!("fitted to {positions:.0} positions of self-play"),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            x: Axis::linear("material (78 at the beginning of a game)"),
            y: Axis::linear("centipawns").including(0.0),
            curves: vec![
                line("even chance to win", &|material| model.even(material)),
                marks("in games", |range| range.even),
                line("e-fold odds", &|material| model.spread(material)),
                marks("spread in games", |range| range.spread),
            ],
            level: None,
        }],
    }
}
