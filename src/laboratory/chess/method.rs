//! The parts of a search in the chess experiments: a base algorithm and its enhancements.

use std::fmt;

use crate::Value;

/// Sequence of windows by which a search finds the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BaseAlgorithm {
    /// Fail-soft alpha-beta: every child has the remaining window.
    AlphaBeta,
    /// NegaScout (Reinefeld 1983): every child except the first is searched with a null window, and
    /// again if it is better and does not refute the node. In the lowest two plies above the
    /// horizon, where the value of a null-window search is exact, nothing is searched again.
    ///
    /// This is the guarded form. The printed form also searches again below alpha; it can return a
    /// false bound and must not write to a table.
    NegaScout,
    /// Principal variation search (Campbell and Marsland 1983): NegaScout without the rule for the
    /// lowest plies.
    PrincipalVariation,
    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): only null windows, the first at a guess,
    /// each later one at the result of the one before.
    MtdF,
    /// MTD(+inf), null windows from above: visits the same leaves as Stockman's SSS* (1979).
    SssStar,
}

/// How a search uses the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TableUse {
    None,
    /// Values and bounds, used at equal remaining depth; moves are searched in the fixed order.
    Bounds,
    /// Like `Bounds`, and the best move of a position is searched first, regardless of the depth at
    /// which it was found.
    BoundsAndMoves,
}

/// A search: its base algorithm and the enabled enhancements of Batenkov's survey (2006).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Method {
    /// Sequence of windows by which the search finds the value.
    pub base_algorithm: BaseAlgorithm,
    /// The transposition table (Greenblatt, Eastlake and Crocker 1967).
    pub table: TableUse,
    /// Searches to all smaller depths first; each search begins with the best line of the one
    /// before (Slate and Atkin 1977).
    pub iterative_deepening: bool,
    /// The two quiet moves that last refuted a move at the same ply come before other quiet moves
    /// (Akl and Newborn 1977).
    pub killers: bool,
    /// Quiet moves are sorted by how often, and at which depth, they have refuted moves in the
    /// whole tree (Schaeffer 1983).
    pub history: bool,
    /// Before a move is searched, checks if the table has a move that refutes (Schaeffer and Plaat
    /// 1996). No effect without a table.
    pub enhanced_cutoffs: bool,
    /// Half width in centipawns of the first window, which is around the expected value. This is the
    /// value of the search before the last one if there is one (its horizon has the same side to
    /// move), otherwise the static evaluation. No effect on base algorithms with null windows.
    pub aspiration: Option<Value>,
}

impl Method {
    /// A base algorithm without enhancements.
    pub(crate) const fn bare(base_algorithm: BaseAlgorithm) -> Method {
        Method {
            base_algorithm,
            table: TableUse::None,
            iterative_deepening: false,
            killers: false,
            history: false,
            enhanced_cutoffs: false,
            aspiration: None,
        }
    }

    /// Returns the method with another use of the table.
    #[must_use]
    pub(crate) const fn with(self, table: TableUse) -> Method {
        Method { table, ..self }
    }
}

impl fmt::Display for BaseAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BaseAlgorithm::AlphaBeta => "alpha-beta",
            BaseAlgorithm::NegaScout => "NegaScout",
            BaseAlgorithm::PrincipalVariation => "PVS",
            BaseAlgorithm::MtdF => "MTD(f)",
            BaseAlgorithm::SssStar => "SSS*",
        })
    }
}
