//! What a search of the chess experiments is made of.

use std::fmt;

use crate::Value;

/// How the value is closed in on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BaseAlgorithm {
    /// Fail-soft alpha-beta: every child with the window that is left.
    AlphaBeta,
    /// NegaScout (Reinefeld 1983): every child but the first with a null window, and once more if
    /// that says it is better and does not refute. Two plies above the horizon and below, where a
    /// scouted value is exact, nothing is searched again.
    ///
    /// This is the guarded form: the printed one, which searches again below alpha too, can return
    /// a false bound and must not feed a table.
    NegaScout,
    /// Principal variation search (Campbell and Marsland 1983): the same without the rule for the
    /// lowest plies.
    PrincipalVariation,
    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows alone, the first beside a
    /// guess, the next beside what the last one returned.
    MtdF,
    /// MTD(+inf), null windows from above: it visits what Stockman's SSS* (1979) visits.
    SssStar,
}

/// What a search remembers of the positions it has met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TableUse {
    None,
    /// Values and bounds, used at equal remaining depth; moves are searched in the fixed order.
    Bounds,
    /// The same, and the best move of a position is searched first, whatever the depth at which it
    /// was found.
    BoundsAndMoves,
}

/// A search: its base algorithm and the enhancements of Batenkov's survey (2006) that are switched on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Method {
    /// How the value is closed in on.
    pub base_algorithm: BaseAlgorithm,
    /// The transposition table (Greenblatt, Eastlake and Crocker 1967).
    pub table: TableUse,
    /// Searches to all lesser depths first, each beginning with the best line of the one before
    /// (Slate and Atkin 1977).
    pub iterative_deepening: bool,
    /// The two quiet moves that last refuted something at the same ply come before other quiet
    /// moves (Akl and Newborn 1977).
    pub killers: bool,
    /// Quiet moves in the order of how often, and how deep, they refuted something anywhere
    /// (Schaeffer 1983).
    pub history: bool,
    /// Before a move is searched, looks whether the table knows that one of them refutes
    /// (Schaeffer and Plaat 1996). Means nothing without a table.
    pub enhanced_cutoffs: bool,
    /// Begins with a window of this size in centipawns to each side of the value that is expected,
    /// which is that of the last search but one if there was one (what a search at the horizon of
    /// the same side found), and else the static evaluation. Means nothing to base algorithms of null
    /// windows.
    pub aspiration: Option<Value>,
}

impl Method {
    /// A base algorithm and nothing else.
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

    /// The same with another use of the table.
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
