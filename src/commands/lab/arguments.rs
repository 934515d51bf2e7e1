//! Arguments of `lab solve` and `lab draw`: a file of trees or a chess position, algorithms and their
//! settings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{
    PossibleValue, PossibleValuesParser, RangedI64ValueParser, RangedU64ValueParser,
    TypedValueParser, ValueParserFactory,
};

use shakmaty::Chess;

use crate::commands::failure::WrongInput;
use crate::commands::tools::input::open_text;
use outrider_engine::position::notation::{FenError, parse_fen_any};
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::chess::ChessTree;
use outrider_laboratory::{LIMIT, TreeReadError, TreeReader, Value};
use outrider_tools::input::TextReader;

#[derive(Debug, Args)]
pub(super) struct AlgorithmArguments {
    /// Algorithms, separated by commas
    #[arg(long = "algorithm", value_name = "NAME", required = true, value_delimiter = ',')]
    choices: Vec<Choice>,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// Settings of some algorithms; the others ignore them.
#[derive(Clone, Copy, Debug, Args)]
struct SettingsArguments {
    /// First guess of mtdf
    #[arg(long, value_name = "VALUE", default_value_t = AlgorithmSettings::default().first_guess,
        allow_negative_numbers = true, value_parser = any_value())]
    first_guess: Value,
    /// Middle of the first window of aspiration
    #[arg(long, value_name = "VALUE", default_value_t = AlgorithmSettings::default().guess,
        allow_negative_numbers = true, value_parser = any_value())]
    guess: Value,
    /// Half the width of the first window of aspiration
    #[arg(long, value_name = "VALUE", default_value_t = AlgorithmSettings::default().delta,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(Value).range(1..=i64::from(LIMIT)))]
    delta: Value,
    /// End conspiracy when a change of the value needs more conspiring tips than this [default: search
    /// until the minimax value is proven]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one())]
    conspiracy_threshold: Option<u64>,
    /// End conspiracy and minmax-approximation when the tree has this number of nodes. A node in
    /// brackets counts as 0 until it is expanded, a chess position as its static evaluation [default:
    /// search until the minimax value is proven]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one())]
    nodes: Option<u64>,
}

fn any_value() -> RangedI64ValueParser<Value> {
    clap::value_parser!(Value).range(i64::from(-LIMIT)..=i64::from(LIMIT))
}

fn at_least_one() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
}

/// Name of the choice of all algorithms.
const ALL: &str = "all";

/// One algorithm, or all.
#[derive(Clone, Copy, Debug)]
enum Choice {
    One(Algorithm),
    All,
}

impl Choice {
    fn algorithms(&self) -> &[Algorithm] {
        match self {
            Choice::One(algorithm) => std::slice::from_ref(algorithm),
            Choice::All => Algorithm::ALL,
        }
    }
}

impl ValueParserFactory for Choice {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        let names = Algorithm::ALL
            .iter()
            .map(|algorithm| PossibleValue::new(algorithm.name()).help(algorithm.description()));
        let all = PossibleValue::new(ALL).help("All of these.");
        PossibleValuesParser::new(names.chain([all]))
            .map(|name| name.parse().map_or(Choice::All, Choice::One))
            .into()
    }
}

impl AlgorithmArguments {
    /// Chosen algorithms, in the order of the command line.
    pub(super) fn chosen(&self) -> impl Iterator<Item = Algorithm> {
        self.choices.iter().flat_map(Choice::algorithms).copied()
    }

    /// Settings of the algorithms.
    pub(super) fn settings(&self) -> AlgorithmSettings {
        let SettingsArguments { first_guess, guess, delta, conspiracy_threshold, nodes } =
            self.settings;
        AlgorithmSettings { first_guess, guess, delta, conspiracy_threshold, node_limit: nodes }
    }
}

/// Trees in a file, or the tree of a chess position.
#[derive(Debug, Args)]
pub(super) struct TreeArguments {
    /// File of trees in brackets, such as `[[5 7] [[7 -3] [-2 -9]]]`, one per line (to draw, only one);
    /// leaves are values for the player at the root, up to a billion; # starts a comment; - is the
    /// standard input
    #[arg(long, value_name = "FILE", required_unless_present = "position")]
    tree: Option<TreeFile>,
    /// Chess position (a FEN, or startpos) whose tree of moves is used instead of a file; the leaves
    /// are static evaluations in centipawns for the side to move at the root
    #[arg(long, value_name = "FEN", value_parser = parse_position, conflicts_with = "tree",
        requires = "depth")]
    position: Option<Chess>,
    /// Depth of the tree of a chess position, in plies
    #[arg(long, value_name = "PLIES", requires = "position", conflicts_with = "tree",
        value_parser = clap::value_parser!(u8).range(0..=ChessTree::MAX_DEPTH as i64))]
    depth: Option<u8>,
}

fn parse_position(text: &str) -> Result<Chess, FenError> {
    if text == "startpos" { Ok(Chess::default()) } else { parse_fen_any(text) }
}

impl TreeArguments {
    /// Tree of the chess position, if one is given.
    pub(super) fn chess(&self) -> Option<ChessTree> {
        let (position, depth) = (self.position.clone()?, self.depth?);
        Some(ChessTree::new(position, depth.into()))
    }

    /// Input files.
    pub(super) fn inputs(&self) -> &[PathBuf] {
        self.tree.as_ref().map_or(&[], |file| std::slice::from_ref(&file.0))
    }

    /// File of trees.
    ///
    /// # Panics
    ///
    /// Panics if a chess position is given instead.
    pub(super) fn file(&self) -> &TreeFile {
        self.tree.as_ref().expect("the command line has a file or a position")
    }
}

/// A file of trees, or the standard input.
#[derive(Clone, Debug)]
pub(super) struct TreeFile(PathBuf);

impl From<OsString> for TreeFile {
    fn from(path: OsString) -> TreeFile {
        TreeFile(path.into())
    }
}

impl TreeFile {
    /// Opens the file. The trees are read one by one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened.
    pub(super) fn trees(&self) -> anyhow::Result<TreeReader<TextReader>> {
        Ok(TreeReader::new(open_text(&self.0)?))
    }

    /// Adds the name of the file to an error.
    pub(super) fn read_error(&self, error: TreeReadError) -> anyhow::Error {
        match error {
            TreeReadError::Syntax(error) => {
                WrongInput(format!("{}, {error}", self.origin())).into()
            }
            TreeReadError::Unreadable(error) => {
                anyhow::Error::new(error).context(format!("cannot read {}", self.origin()))
            }
        }
    }

    /// Name of the file for messages.
    pub(super) fn origin(&self) -> String {
        if self.is_standard_input() {
            "standard input".to_owned()
        } else {
            self.0.display().to_string()
        }
    }

    fn is_standard_input(&self) -> bool {
        self.0 == Path::new("-")
    }
}
