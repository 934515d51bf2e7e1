//! `outrider datagen`: plays self-play games into a file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;

use super::common::{EndgameArguments, parse_share, progress_bar, write_resumed, write_verdicts};
use crate::commands::genfens::read_book;
use outrider_engine::evaluation::network::Network;
use outrider_engine::search::Control;
use outrider_tools::selfplay::{
    Conditions, GameSettings, GenerationProgress, Goal, Header, Reader, Record, Writer, generate,
};

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider datagen --output games --minutes 30 --threads 4")]
pub(crate) struct Arguments {
    /// File of games; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    goal: GoalArguments,
    /// Soft limit of nodes per move: no iteration begins after it. Moves with up to 12 pieces on the
    /// board get three fifths of it; those with up to 8, or with a score that is not learned from, get
    /// two fifths
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Seed of the random numbers [default: the seed in the file, or a random one]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Share of Chess960 games, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_permille)]
    chess960_share: u16,
    /// Share of positions with a deviation, 0 to 1: another random move that loses no material is played,
    /// the position after it gets a score, and the game continues without it
    #[arg(long, value_name = "SHARE", default_value = "0.25", value_parser = parse_permille)]
    deviations: u16,
    /// Network for the games [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// File of positions to begin from, FEN or EPD, one on each line; one to four random plies follow.
    /// Use other positions than those of matches [default: the start of a game, and eight or nine random
    /// plies]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Share of the games that begin from --openings, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "1", requires = "openings",
        value_parser = parse_permille)]
    openings_share: u16,
    #[command(flatten)]
    endgames: EndgameArguments,
}

/// Arguments for the end of the run.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct GoalArguments {
    /// End when the file holds all games with numbers below this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// End when the file holds this number of positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// End after this time, in minutes
    #[arg(long, value_name = "M", value_parser = parse_minutes)]
    minutes: Option<Duration>,
}

impl GoalArguments {
    fn goal(&self) -> Goal {
        let positions = self.positions.map(Goal::Positions);
        let time = Goal::Time(self.minutes.unwrap_or_default());
        self.games.map(Goal::Games).or(positions).unwrap_or(time)
    }
}

fn parse_permille(share: &str) -> Result<u16, String> {
    parse_share(share).map(|share| (share * 1000.0).round() as u16)
}

fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected a number of minutes".to_owned())?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

/// Runs the subcommand. Writes results to `output`, and repaired damage to `warnings`.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let path = &arguments.output;
    let network = Network::load_or_built_in(arguments.network.as_deref())?;
    let settings = GameSettings {
        seed: arguments.seed.or_else(|| stored_seed(path)).unwrap_or_else(rand::random),
        nodes: arguments.nodes,
        chess960_permille: arguments.chess960_share,
        deviations_permille: arguments.deviations,
        ..GameSettings::default()
    };
    let mut conditions = Conditions::new(settings, network, arguments.endgames.endgames()?);
    if let Some(path) = &arguments.openings {
        conditions = conditions.with_book(read_book(path)?, arguments.openings_share);
    }
    let path_name = || path.display().to_string();
    let header = Header::new(conditions.settings(), commit);
    let (writer, found) = Writer::resume(path, &header).with_context(path_name)?;
    write_resumed(path, &header, &found, output, warnings)?;
    let goal = arguments.goal.goal();
    let bar = progress_bar_to(goal, found.numbers.len() as u64, found.positions);
    let threads = usize::from(arguments.threads);
    let control = Control::default();
    let file = (writer, found);
    let progress = generate(&conditions, goal, threads, file, &control, &mut |progress| {
        bar.set_position(bar_position(goal, progress));
        bar.set_message(speed(progress));
    });
    bar.finish_and_clear();
    let progress = progress.with_context(path_name)?;
    let GenerationProgress { games, positions, new_games, new_positions, played_out, elapsed } =
        progress;
    writeln!(
        output,
        "{new_games} games, {new_positions} positions in {:.1} s",
        elapsed.as_secs_f64()
    )?;
    let each = progress.positions_per_second() / f64::from(arguments.threads);
    writeln!(output, "{}, {each:.0} positions/s per thread", speed(&progress))?;
    if played_out.games > 0 {
        writeln!(output, "{} of the games were played out", played_out.games)?;
        write_verdicts(&played_out, "  ", output)?;
    }
    writeln!(output, "the file holds {games} games, {positions} positions")?;
    Ok(())
}

/// Reads the seed of an existing file of games.
fn stored_seed(path: &Path) -> Option<u64> {
    match Reader::open(path).ok()?.next()?.ok()? {
        Record::Header(header) => Some(header.settings.seed),
        Record::Game(_) => None,
    }
}

fn progress_bar_to(goal: Goal, games: u64, positions: u64) -> ProgressBar {
    let (end, begun) = match goal {
        Goal::Games(end) => (u64::from(end), games),
        Goal::Positions(end) => (end, positions),
        Goal::Time(time) => (time.as_secs(), 0),
    };
    let bar = progress_bar(end, "{percent} %  {msg}").with_position(begun);
    bar.reset_eta();
    bar
}

fn bar_position(goal: Goal, progress: &GenerationProgress) -> u64 {
    match goal {
        Goal::Games(_) => progress.games,
        Goal::Positions(_) => progress.positions,
        Goal::Time(_) => progress.elapsed.as_secs(),
    }
}

fn speed(progress: &GenerationProgress) -> String {
    let (positions, games) = (progress.positions_per_second(), progress.games_per_second());
    format!("{positions:.0} positions/s, {games:.1} games/s")
}
