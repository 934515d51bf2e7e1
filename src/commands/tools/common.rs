//! Shared parts of the commands: progress bars, search limits and common arguments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_engine::tablebases::Tablebases;
use outrider_engine::units::MAX_PLY;
use outrider_tools::PositionLimit;
use outrider_tools::selfplay::{AdjudicationCheck, Endgames, Header, OnDamage, ReadError, Resumed};
use outrider_tools::training::DatasetError;

/// Creates a progress bar on the standard error; it is not drawn unless that is a terminal. `note` is
/// shown between the bar and the time left, and may contain placeholders of `indicatif`.
pub(in crate::commands) fn progress_bar(length: u64, note: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    // An invalid template falls back to the default style.
    bar.set_style(
        ProgressStyle::with_template(&format!("{{wide_bar}} {note}  {{eta}} left"))
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar
}

/// Creates a progress bar for reading these files.
pub(in crate::commands) fn file_progress_bar(files: &[PathBuf]) -> ProgressBar {
    let lengths = files.iter().map(|path| path.metadata().map_or(0, |file| file.len()));
    progress_bar(lengths.sum(), "{binary_bytes} of {binary_total_bytes} of games")
}

/// Number of threads that the machine runs at the same time.
pub(in crate::commands) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Prints the header of a resumed file of games and the number of its games; reports a damaged tail to
/// `warnings`.
pub(in crate::commands) fn write_resumed(
    path: &Path,
    header: &Header,
    found: &Resumed,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> io::Result<()> {
    if found.cut_off > 0 {
        let (path, cut_off) = (path.display(), found.cut_off);
        writeln!(warnings, "{path}: a damaged tail of {cut_off} bytes was cut off")?;
    }
    writeln!(output, "{header}")?;
    if !found.numbers.is_empty() {
        writeln!(output, "resumed: the file holds {} games", found.numbers.len())?;
    }
    Ok(())
}

/// Argument for the knowledge of endgames.
#[derive(Debug, Args)]
pub(in crate::commands) struct EndgameArguments {
    /// Folder of Syzygy tables; those of up to four pieces are used. Bare-king endgames need no tables
    #[arg(long, value_name = "PATH")]
    syzygy: Option<PathBuf>,
}

impl EndgameArguments {
    /// Opens the tables, if a folder is given.
    pub(in crate::commands) fn endgames(&self) -> anyhow::Result<Endgames> {
        let tables = self.syzygy.as_deref().map(open_tablebases).transpose()?;
        Ok(tables.map_or_else(Endgames::default, Endgames::with_tables))
    }
}

/// Opens the Syzygy tables in these folders, separated as in the system's lists of paths.
///
/// # Errors
///
/// Returns the first folder or file that cannot be used.
pub(in crate::commands) fn open_tablebases(folders: &Path) -> anyhow::Result<Tablebases> {
    let (tables, faults) = Tablebases::open(folders.as_os_str());
    faults.into_iter().next().map_or(Ok(tables), |fault| Err(fault.into()))
}

/// Hint for a file of games with damage that cannot be skipped.
pub(in crate::commands) const KEEP_GOING_HINT: &str =
    ", and no sound game follows soon; --keep-going uses the sound games of the rest";

/// Argument for damaged files of games.
#[derive(Debug, Default, Args)]
pub(in crate::commands) struct DamageArguments {
    /// Use the rest of a damaged file even if the extent of the loss is unknown. A damaged game before a
    /// sound one is always skipped
    #[arg(long)]
    keep_going: bool,
}

impl DamageArguments {
    /// Adds a hint to the error if `--keep-going` would help.
    pub(in crate::commands) fn with_hint(error: DatasetError) -> anyhow::Error {
        match &error {
            DatasetError::Read { error: ReadError::Damaged { .. }, .. } => {
                anyhow!("{error}{KEEP_GOING_HINT}")
            }
            _ => error.into(),
        }
    }

    pub(in crate::commands) fn on_damage(&self) -> OnDamage {
        if self.keep_going { OnDamage::KeepGoing } else { OnDamage::Stop }
    }
}

/// Formats a count with its percentage of the whole.
pub(in crate::commands) fn share_of(part: u64, whole: u64, name: &str) -> String {
    format!("{part} ({:.1} %) {name}", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Writes how often adjudication by score would have ended the played-out games, and how often wrongly:
/// one line for wins, one for draws.
pub(in crate::commands) fn write_verdicts(
    all: &AdjudicationCheck,
    indent: &str,
    output: &mut dyn Write,
) -> io::Result<()> {
    for (verdicts, name) in [(all.won, "won"), (all.drawn, "drawn")] {
        let ended = format!("adjudication would have ended {} as {name}", verdicts.games);
        let wrong = share_of(verdicts.wrong, verdicts.games, "of them wrongly");
        writeln!(output, "{indent}{ended}, {wrong}")?;
    }
    Ok(())
}

/// Reads several network files.
///
/// # Errors
///
/// Fails if one cannot be read or is no network.
pub(in crate::commands) fn load_networks(paths: &[PathBuf]) -> anyhow::Result<Vec<NetworkWeights>> {
    paths.iter().map(|path| Ok(NetworkWeights::load(path)?)).collect()
}

/// Saves a network and prints its checksum, which identifies it in files of games.
pub(in crate::commands) fn write_network(
    path: &Path,
    network: &NetworkWeights,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    network.save(path)?;
    writeln!(output, "{}: network {:08x}", path.display(), network.checksum())?;
    Ok(())
}

/// Parses a share, from 0 to 1.
pub(in crate::commands) fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Parses a number above 0 and at most 1.
pub(in crate::commands) fn parse_positive_share(text: &str) -> Result<f64, String> {
    let share = parse_share(text).ok().filter(|&share| share > 0.0);
    share.ok_or_else(|| "expected a number above 0 and at most 1".to_owned())
}

/// Arguments for the limit of a position's search.
#[derive(Clone, Default, Debug, Args)]
pub(in crate::commands) struct LimitArguments {
    /// Milliseconds per position [default: 1000]
    #[arg(long, value_name = "MS", group = "limit", value_parser = value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Nodes per position
    #[arg(long, value_name = "N", group = "limit", value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Depth per position, in plies
    #[arg(long, value_name = "D", group = "limit",
        value_parser = value_parser!(i32).range(1..=MAX_PLY as i64))]
    pub depth: Option<i32>,
}

impl LimitArguments {
    /// Returns the given limit, or one second.
    pub(in crate::commands) fn limit(&self) -> PositionLimit {
        let milliseconds = self.movetime.unwrap_or(1000);
        let nodes = self.nodes.map(PositionLimit::Nodes);
        let given = nodes.or(self.depth.map(PositionLimit::Depth));
        given.unwrap_or(PositionLimit::MoveTime(Duration::from_millis(milliseconds)))
    }
}
