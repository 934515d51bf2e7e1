//! The algorithms, one file each, and the table of their names.

mod alphabeta_hard;
mod alphabeta_shallow;
pub(crate) mod alphabeta_soft;
mod aspiration;
mod conspiracy;
mod dual;
mod ins;
pub(crate) mod minimax;
mod minmax_approximation;
mod mtd;
mod negascout;
mod negascout_f4;
mod negascout_f4mm;
mod negascout_guarded;
mod negascout_path;
mod pns;
mod pvs;
mod scout;
mod sss;
mod wiki_pvs;

mod grown_tree;
mod open_list;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use super::observer::Observer;
use super::tree::GameTree;
use super::value::{Value, Window};

/// Order in which an algorithm searches the nodes of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    /// Goes down from the root and returns, with windows.
    DepthFirst,
    /// Best first: an OPEN list sorted by merits, which are upper bounds and fall.
    FallingMerit,
    /// Best first: an OPEN list sorted by merits, which are lower bounds and rise.
    RisingMerit,
    /// Best first: grows its own tree, node by node.
    GrowingTree,
}

/// Declares the algorithms: variant, name, search order, description.
macro_rules! algorithms {
    ($($variant:ident, $name:literal, $order:ident, $description:literal;)*) => {
        /// Algorithm that can be chosen by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $(#[doc = $description] $variant,)*
        }

        impl Algorithm {
            /// All algorithms, in the order of the table.
            pub const ALL: &[Algorithm] = &[$(Algorithm::$variant,)*];

            /// Name on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Algorithm::$variant => $name,)* }
            }

            /// Order in which it searches nodes.
            pub const fn search_order(self) -> SearchOrder {
                match self { $(Algorithm::$variant => SearchOrder::$order,)* }
            }

            /// Description in one line.
            pub const fn description(self) -> &'static str {
                match self { $(Algorithm::$variant => $description,)* }
            }
        }
    };
}

algorithms! {
    Minimax, "minimax", DepthFirst,
        "Plain minimax, evaluates every leaf.";
    AlphaBetaHard, "alphabeta-hard", DepthFirst,
        "Alpha-beta, fail-hard.";
    AlphaBetaSoft, "alphabeta-soft", DepthFirst,
        "Alpha-beta, fail-soft (Reinefeld 1983, Figure 1).";
    AlphaBetaShallow, "alphabeta-shallow", DepthFirst,
        "Alpha-beta without deep cut-offs (F1).";
    Scout, "scout", DepthFirst,
        "Pearl's SCOUT with TEST, taken literally.";
    NegaScout, "negascout", DepthFirst,
        "NegaScout as printed (Reinefeld 1983, Figure 2).";
    NegaScoutF4, "negascout-f4", DepthFirst,
        "NegaScout of Hsu's slides (F4).";
    NegaScoutF4Minimax, "negascout-f4mm", DepthFirst,
        "NegaScout of Hsu's slides on minimax values (F4', G4'); exponential time on some very deep trees.";
    NegaScoutGuarded, "negascout-guarded", DepthFirst,
        "NegaScout with a second search only if alpha < t < beta, as in the engine.";
    NegaScoutPath, "negascout-path", DepthFirst,
        "NegaScout with the path (ignore-left) refinement of 1983.";
    Pvs, "pvs", DepthFirst,
        "Principal variation search, two functions (Campbell and Marsland 1983).";
    WikiPvs, "wiki-pvs", DepthFirst,
        "Principal variation search as printed by Wikipedia, with its `else` restored.";
    Pns, "pns", DepthFirst,
        "Partially informed NegaScout (Marsland, Reinefeld and Schaeffer 1987).";
    Ins, "ins", DepthFirst,
        "Informed NegaScout (Marsland, Reinefeld and Schaeffer 1987, Figure 3).";
    Sss, "sss", FallingMerit,
        "SSS* (Stockman 1979), leftmost of equal merits first.";
    Dual, "dual", RisingMerit,
        "DUAL* (Marsland, Reinefeld and Schaeffer 1987), leftmost of equal merits first.";
    SssFifo, "sss-fifo", FallingMerit,
        "SSS*, equal merits in the order printed in 1987.";
    DualFifo, "dual-fifo", RisingMerit,
        "DUAL*, equal merits in the order printed in 1987 (Figure 4).";
    Aspiration, "aspiration", DepthFirst,
        "Alpha-beta with a window around a guess, and a second search if it fails.";
    MtdPlusInfinity, "mtd-plus-inf", DepthFirst,
        "MTD(+∞): null windows from +∞ downwards, with a memory.";
    MtdMinusInfinity, "mtd-minus-inf", DepthFirst,
        "MTD(-∞): null windows from -∞ upwards, with a memory.";
    MtdF, "mtdf", DepthFirst,
        "MTD(f): null windows from a first guess on, with a memory.";
    Conspiracy, "conspiracy", GrowingTree,
        "Conspiracy number search (McAllester 1988); slow on very wide nodes.";
    MinMaxApproximation, "minmax-approximation", GrowingTree,
        "Min/max approximation by generalized means (Rivest 1987); slow on very wide nodes.";
}

/// Settings that some of the algorithms use; the others ignore them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlgorithmSettings {
    /// First guess of MTD(f): its first question is if the value is at least this.
    pub first_guess: Value,
    /// Middle of aspiration's first window.
    pub guess: Value,
    /// Distance from the middle of aspiration's first window to its ends, at least 1.
    pub delta: Value,
    /// Conspiracy number search ends when more tips than this (at least 1) would have to conspire
    /// to change the root's value. `None`: it ends when no conspiracy is possible.
    pub conspiracy_threshold: Option<u64>,
    /// Maximum number of nodes in the trees of conspiracy number search and min/max approximation,
    /// including the root.
    pub node_limit: Option<u64>,
}

impl Default for AlgorithmSettings {
    fn default() -> Self {
        AlgorithmSettings {
            first_guess: 0,
            guess: 0,
            delta: 10,
            conspiracy_threshold: None,
            node_limit: None,
        }
    }
}

impl Algorithm {
    /// Returns the minimax value of a tree, from the root player's side. Only an algorithm that the
    /// settings stop early may return another value.
    pub fn solve<T, O>(self, tree: &T, settings: &AlgorithmSettings, observer: &mut O) -> Value
    where
        T: GameTree,
        O: Observer<T>,
    {
        let full = Window::FULL;
        match self {
            Algorithm::Minimax => minimax::solve(tree, observer),
            Algorithm::AlphaBetaHard => alphabeta_hard::solve(tree, full, observer),
            Algorithm::AlphaBetaSoft => alphabeta_soft::solve(tree, full, observer),
            Algorithm::AlphaBetaShallow => alphabeta_shallow::solve(tree, observer),
            Algorithm::Scout => scout::solve(tree, observer),
            Algorithm::NegaScout => negascout::solve(tree, full, observer),
            Algorithm::NegaScoutF4 => negascout_f4::solve(tree, full, observer),
            Algorithm::NegaScoutF4Minimax => negascout_f4mm::solve(tree, full, observer),
            Algorithm::NegaScoutGuarded => negascout_guarded::solve(tree, full, observer),
            Algorithm::NegaScoutPath => negascout_path::solve(tree, full, observer),
            Algorithm::Pvs => pvs::solve(tree, full, observer),
            Algorithm::WikiPvs => wiki_pvs::solve(tree, full, observer),
            Algorithm::Pns => pns::solve(tree, full, observer),
            Algorithm::Ins => ins::solve(tree, full, observer),
            Algorithm::Sss => sss::solve(tree, observer),
            Algorithm::Dual => dual::solve(tree, observer),
            Algorithm::SssFifo => sss::solve_fifo(tree, observer),
            Algorithm::DualFifo => dual::solve_fifo(tree, observer),
            Algorithm::Aspiration => {
                aspiration::solve(tree, settings.guess, settings.delta, observer)
            }
            Algorithm::MtdPlusInfinity => mtd::plus_infinity(tree, observer),
            Algorithm::MtdMinusInfinity => mtd::minus_infinity(tree, observer),
            Algorithm::MtdF => mtd::solve(tree, settings.first_guess, observer),
            Algorithm::Conspiracy => {
                let threshold = settings.conspiracy_threshold;
                conspiracy::solve(tree, threshold, settings.node_limit, observer)
            }
            Algorithm::MinMaxApproximation => {
                minmax_approximation::solve(tree, settings.node_limit, observer)
            }
        }
    }
}

impl Algorithm {
    /// Name, with the settings that it uses.
    pub fn title(self, settings: &AlgorithmSettings) -> String {
        let AlgorithmSettings { first_guess, guess, delta, conspiracy_threshold, node_limit } =
            settings;
        let threshold = conspiracy_threshold.map(|threshold| format!("threshold {threshold}"));
        let limit = node_limit.map(|nodes| format!("at most {nodes} nodes"));
        let details: Vec<String> = match self {
            Algorithm::Conspiracy => threshold.into_iter().chain(limit).collect(),
            Algorithm::MinMaxApproximation => limit.into_iter().collect(),
            Algorithm::MtdF => vec![format!("first guess {first_guess}")],
            Algorithm::Aspiration => vec![format!("{guess} ± {delta}")],
            _ => Vec::new(),
        };
        if details.is_empty() {
            self.to_string()
        } else {
            format!("{self} ({})", details.join(", "))
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error: no algorithm has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no algorithm is called '{name}'; the algorithms are {}", list())]
pub struct UnknownAlgorithm {
    name: String,
}

/// Names of all algorithms, separated by commas.
fn list() -> String {
    Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let known = Algorithm::ALL.iter().copied().find(|algorithm| algorithm.name() == name);
        known.ok_or_else(|| UnknownAlgorithm { name: name.to_owned() })
    }
}
