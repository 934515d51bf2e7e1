//! `outrider "genfens N seed S book None" "quit"`: openings for data generation by the OpenBench
//! framework, which reads lines `info string genfens FEN`; with `--epd`, openings for match runners.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, value_parser};
use shakmaty::Chess;

use super::failure::WrongInput;
use outrider_engine::bounded_read;
use outrider_engine::openings::{Balance, OpeningBook, Openings, random_numbers};
use outrider_engine::position::epd::{Epd, line_content};
use outrider_engine::position::notation::{format_epd, format_fen};
use outrider_engine::search::{Control, Engine};

/// Nodes of the search that decides if an opening for OpenBench is decided.
const NODES: u64 = 10_000;
/// Size of the transposition table of that search.
const TABLE_MEGABYTES: usize = 4;
/// Size of the transposition table for openings of matches, as that of a game.
const MATCH_TABLE_MEGABYTES: usize = 16;

#[derive(Debug, Args)]
#[command(after_help = "\
Openings for OpenBench are undecided: neither side is more than 350 centipawns ahead in a search of
10,000 nodes (internal scale), which is right for training. Openings with --epd are balanced: the
score shown to users is within --limit in a search of --nodes. Shorter searches reject most others,
so that a thousand openings take a few minutes.

Examples:
  outrider \"genfens 100 seed 1 book None\" quit
  outrider genfens 1000 seed 1 --epd
  outrider genfens 1000 seed 1 --epd --limit 50 --nodes 20000")]
pub(crate) struct Arguments {
    /// N seed S book FILE: number of openings, seed of the random numbers, and a file of positions
    /// (FEN or EPD) to start from, or None
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// Print balanced openings as EPD, which match runners read, instead of OpenBench's lines
    #[arg(long)]
    epd: bool,
    /// Largest score of either side in an opening, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 100, requires = "epd",
        value_parser = value_parser!(i32).range(1..=10_000))]
    limit: i32,
    /// Nodes of the search that gives this score
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "epd",
        value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Parsed words of the command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Request {
    count: u32,
    seed: u64,
    book: Option<PathBuf>,
}

/// Splits OpenBench's call, which has `genfens` with its words in one argument and `quit` in another,
/// into the usual arguments. Returns other arguments unchanged.
pub(super) fn split_request(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.collect();
    let first = arguments.get(1).and_then(|first| first.to_str());
    match first.and_then(|first| first.strip_prefix("genfens ")) {
        None => arguments,
        Some(request) => {
            let words = request.split_whitespace().map(OsString::from);
            let rest = arguments[2..].iter().filter(|&argument| argument != "quit").cloned();
            [arguments[0].clone(), "genfens".into()].into_iter().chain(words).chain(rest).collect()
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
///
/// Fails if the words are invalid, the book cannot be read, the output cannot be written, or there is
/// not enough memory.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    let request =
        Request::read(&arguments.words).map_err(|error| WrongInput(format!("{error:#}")))?;
    let positions = request.book.as_deref().map(read_book).transpose()?;
    let book =
        positions.map(|positions| OpeningBook { positions, permille: 1000, few_plies: false });
    let balance = Balance { centipawns: arguments.limit, nodes: arguments.nodes };
    let (balance, megabytes) = match arguments.epd {
        true => (Some(balance), MATCH_TABLE_MEGABYTES),
        false => (None, TABLE_MEGABYTES),
    };
    let openings = Openings { book, nodes: NODES, balance, ..Openings::default() };
    let mut engine = Engine::new(1, megabytes)?;
    let mut random = random_numbers(request.seed, 0);
    let control = Control::default();
    let write = || -> anyhow::Result<()> {
        for _ in 0..request.count {
            let chess = openings.sample(&mut random, &mut engine, &control);
            let chess = chess.with_context(|| {
                let book = request.book.as_deref().unwrap_or(Path::new("None"));
                format!("book {}: no balanced opening found", book.display())
            })?;
            match arguments.epd {
                true => writeln!(output, "{}", format_epd(&chess))?,
                false => writeln!(output, "info string genfens {}", format_fen(&chess))?,
            }
        }
        Ok(output.flush()?)
    };
    Engine::run_on_own_thread(write)?
}

impl Request {
    fn read(words: &[String]) -> anyhow::Result<Request> {
        let (count, rest) = words.split_first().context("genfens needs the number of positions")?;
        let number = |word: &str| format!("\"{word}\" is not a number");
        let mut request =
            Request { count: count.parse().with_context(|| number(count))?, ..Request::default() };
        for pair in rest.chunks(2) {
            match pair {
                [name, seed] if name == "seed" => {
                    request.seed = seed.parse().with_context(|| number(seed))?;
                }
                [name, book] if name == "book" => {
                    request.book = (book != "None").then(|| book.into());
                }
                other => bail!("genfens does not understand \"{}\"", other.join(" ")),
            }
        }
        Ok(request)
    }
}

/// Maximum length of a book in bytes.
const MAX_BOOK: u64 = 256 << 20;

/// Reads a file of positions, FEN or EPD, one on each line.
///
/// # Errors
///
/// Fails if the file cannot be read, or at the first line that is no position.
pub(super) fn read_book(path: &Path) -> anyhow::Result<Vec<Chess>> {
    let bytes = bounded_read::read_file(path, MAX_BOOK);
    let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
    // Names and comments may have any encoding; positions are ASCII.
    let text = String::from_utf8_lossy(&bytes);
    let position = |(number, line): (usize, &str)| {
        let wrong = |error| WrongInput(format!("{}, line {number}: {error}", path.display()));
        let epd = line_content(line)?.parse::<Epd>();
        Some(epd.map(|epd| epd.chess).map_err(wrong))
    };
    let book: Vec<Chess> =
        (1..).zip(text.lines()).filter_map(position).collect::<Result<_, _>>()?;
    if book.is_empty() {
        return Err(WrongInput(format!("{} holds no positions", path.display())).into());
    }
    Ok(book)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(arguments: &[&str]) -> Vec<OsString> {
        split_request(arguments.iter().map(OsString::from))
    }

    fn read(words: &str) -> anyhow::Result<Request> {
        Request::read(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_request_in_one_argument_is_split_and_quit_is_dropped() {
        let split_up = split(&["outrider", "genfens 5 seed 1 book None", "quit"]);
        assert_eq!(split_up, ["outrider", "genfens", "5", "seed", "1", "book", "None"]);
    }

    #[test]
    fn other_arguments_are_unchanged() {
        for arguments in [&["outrider"][..], &["outrider", "perft", "3", "8/8 w"], &[]] {
            assert_eq!(split(arguments), arguments);
        }
    }

    #[test]
    fn a_request_has_a_count_a_seed_and_a_book() {
        let request =
            |book: Option<&str>| Request { count: 5, seed: 9, book: book.map(PathBuf::from) };
        assert_eq!(read("5 seed 9 book None").unwrap(), request(None));
        assert_eq!(read("5 seed 9 book a.epd").unwrap(), request(Some("a.epd")));
        assert_eq!(read("5 seed 9").unwrap(), request(None));
        for wrong in ["many seed 1", "5 seed", "5 seed x", "5 colour blue"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
