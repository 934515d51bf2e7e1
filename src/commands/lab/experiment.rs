//! `outrider lab experiment`: repeats an experiment of the papers and writes the findings.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;

use crate::commands::failure::WrongInput;
use crate::commands::tools::common::{processors, progress_bar};
use crate::commands::tools::output::{cannot_write, check_outputs, write_file};
use outrider_laboratory::experiments::{
    EXPERIMENTS, Experiment, ExperimentError, Findings, Plan, WorkProgress,
};

/// The experiment and its settings.
#[derive(Debug, Args)]
#[command(after_help = "Example: outrider lab experiment reinefeld-1983 --output results")]
pub(crate) struct Arguments {
    /// Name of the experiment
    #[arg(value_name = "NAME", value_parser = parse_name, help = name_help())]
    experiment: &'static Experiment,
    /// Trees (or positions) of each kind [default: depends on the experiment]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    trees: Option<u32>,
    /// Seed of the random numbers; the same seed gives the same table on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Output folder; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// Trees searched at the same time; the table does not depend on it [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

fn parse_name(name: &str) -> Result<&'static Experiment, String> {
    let known =
        || EXPERIMENTS.iter().map(|experiment| experiment.name).collect::<Vec<_>>().join(", ");
    Experiment::named(name).ok_or_else(|| format!("expected one of: {}", known()))
}

fn name_help() -> String {
    let line = |experiment: &Experiment| {
        let Experiment { name, about, usual_trees, .. } = experiment;
        format!("\n{name}: {about} [--trees {usual_trees}]")
    };
    let lines: String = EXPERIMENTS.iter().map(line).collect();
    format!("Name of the experiment, one of:{lines}")
}

/// Runs the subcommand. Prints to `output` the names of the written files, and the claims of the papers
/// with the measured values.
///
/// # Errors
///
/// Fails if the experiment fails or the files cannot be written. The latter is checked before the
/// experiment starts.
pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let experiment = arguments.experiment;
    let files = ExperimentFiles::new(&arguments.output, experiment.name)?;
    let bar = Bar(progress_bar(0, "{percent} %"));
    let plan = Plan {
        trees: arguments.trees.unwrap_or(experiment.usual_trees),
        seed: arguments.seed,
        threads: arguments.threads.map_or_else(processors, usize::from),
        progress: &bar,
    };
    let started = Instant::now();
    let findings = (experiment.run)(&plan);
    bar.0.finish_and_clear();
    let findings = findings.map_err(|error| match error {
        ExperimentError::TooFewPositions(_) => WrongInput(error.to_string()).into(),
        _ => anyhow::Error::new(error),
    })?;
    for claim in &findings.claims {
        writeln!(output, "the paper: {}\n     here: {}", claim.paper, claim.measured)?;
    }
    let written = files.write(&findings)?;
    let elapsed = started.elapsed().as_secs_f64();
    Ok(writeln!(output, "{} in {elapsed:.1} s: {written}", experiment.name)?)
}

/// Output files of an experiment.
struct ExperimentFiles {
    counts: PathBuf,
    times: PathBuf,
    chart: PathBuf,
}

impl ExperimentFiles {
    /// Creates the folder, and checks that the files can be written.
    fn new(directory: &Path, name: &str) -> anyhow::Result<ExperimentFiles> {
        fs::create_dir_all(directory).with_context(|| cannot_write(directory))?;
        let file = |ending: &str| directory.join(format!("{name}{ending}"));
        let (counts, times, chart) = (file(".csv"), file("-times.csv"), file(".svg"));
        check_outputs(&[&counts, &times, &chart], &[])?;
        Ok(ExperimentFiles { counts, times, chart })
    }

    /// Writes the files. Returns a list of their names.
    fn write(&self, findings: &Findings) -> anyhow::Result<String> {
        write_file(&self.counts, &findings.counts.0)?;
        findings.chart.write_svg(&self.chart)?;
        let mut written = format!("{}, {}", self.counts.display(), self.chart.display());
        if let Some(times) = &findings.times {
            write_file(&self.times, &times.0)?;
            written += &format!(", {}", self.times.display());
        }
        Ok(written)
    }
}

/// Progress bar on the standard error; not drawn unless that is a terminal.
struct Bar(ProgressBar);

impl WorkProgress for Bar {
    fn expect(&self, work: u64) {
        self.0.inc_length(work);
    }

    fn advance(&self, work: u64) {
        self.0.inc(work);
    }
}
