//! `outrider data relabel`: writes games with the scores of a new search.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;

use super::super::common::{
    DamageArguments, KEEP_GOING_HINT, parse_positive_share, parse_share, processors, progress_bar,
    share_of, write_resumed,
};
use super::super::output::check_outputs;
use outrider_engine::evaluation::network::Network;
use outrider_engine::search::Control;
use outrider_tools::selfplay::{
    GamesToRelabel, ReadError, RelabelError, RelabelProgress, RelabelSettings, Selection, Writer,
    relabel,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider data relabel games --output relabelled --nodes 700
  outrider data relabel games --output deep --nodes 2000 --old-share 0 --share 0.5 --min-pieces 17")]
pub(crate) struct Arguments {
    /// File of games of one run
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// New file; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Soft limit of nodes per position: no iteration begins after it. Positions with up to 12 pieces get
    /// three fifths of it; those with up to 8, or in which a capture wins material, get two fifths
    #[arg(long, value_name = "N", default_value_t = 600,
        value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// Share of the old score in the new score, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.25", value_parser = parse_share)]
    old_share: f64,
    /// Share of the positions to search, above 0 and at most 1, spread evenly over each game. The others
    /// lose their label
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = parse_positive_share)]
    share: f64,
    /// Search only positions with at least this number of pieces, kings included. The others lose their
    /// label
    #[arg(long, value_name = "N", default_value_t = 0,
        value_parser = clap::value_parser!(u8).range(..=32))]
    min_pieces: u8,
    /// Games searched at the same time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Network for the search [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    #[command(flatten)]
    damage: DamageArguments,
}

/// Runs the subcommand. Writes results to `output`, and repaired or skipped damage to `warnings`.
pub(super) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let Arguments { games: source, output: path, nodes, old_share, .. } = arguments;
    let read: Vec<PathBuf> = [source].into_iter().chain(&arguments.network).cloned().collect();
    check_outputs(&[path], &read)?;
    let network = Network::load_or_built_in(arguments.network.as_deref())?;
    let selection = Selection { share: arguments.share, min_pieces: arguments.min_pieces };
    let relabelling = RelabelSettings { network, nodes: *nodes, old_share: *old_share, selection };
    let name_file = |error| match error {
        RelabelError::Write(error) => anyhow!("{} {error}", path.display()),
        RelabelError::Read(error @ ReadError::Damaged { .. }) => {
            anyhow!("{} {error}{KEEP_GOING_HINT}", source.display())
        }
        RelabelError::Game(error) => anyhow!("{}: {error}", source.display()),
        error @ (RelabelError::Table(_) | RelabelError::Thread(_)) => error.into(),
        error => anyhow!("{} {error}", source.display()),
    };
    let on_damage = arguments.damage.on_damage();
    let found = GamesToRelabel::inspect(source, on_damage).map_err(name_file)?;
    if let Some(damage) = &found.damage {
        writeln!(warnings, "{} {damage}", source.display())?;
    }
    let header = found.new_header(&relabelling, commit);
    let (writer, resumed) =
        Writer::resume(path, &header).with_context(|| path.display().to_string())?;
    write_resumed(path, &header, &resumed, output, warnings)?;
    let bar = progress_bar(found.games, "{percent} %  {msg}");
    bar.set_position(resumed.numbers.len() as u64);
    bar.reset_eta();
    let threads = arguments.threads.map_or_else(processors, usize::from);
    let (control, files) = (Control::default(), (source.as_path(), on_damage));
    let done =
        relabel(&relabelling, files, threads, (writer, resumed), &control, &mut |progress| {
            bar.set_position(progress.games);
            bar.set_message(format!("{:.0} positions/s", progress.positions_per_second()));
        });
    bar.finish_and_clear();
    write_progress(done.map_err(name_file)?, output)
}

/// Writes the result of the run and the contents of the file.
fn write_progress(progress: RelabelProgress, output: &mut dyn Write) -> anyhow::Result<()> {
    let RelabelProgress { games, new_games, searched, unlabelled, elapsed } = progress;
    let speed = progress.positions_per_second();
    let seconds = elapsed.as_secs_f64();
    writeln!(
        output,
        "{new_games} games, {searched} positions searched in {seconds:.1} s, {speed:.0}/s"
    )?;
    writeln!(
        output,
        "{}",
        share_of(
            unlabelled,
            searched,
            "of them are in the middle of an exchange and have no label"
        )
    )?;
    writeln!(output, "the file holds {games} games")?;
    Ok(())
}
