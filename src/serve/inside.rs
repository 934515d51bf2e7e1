//! Drawing of how NegaScout searches the tree of a position, made by the laboratory.

use serde::Serialize;
use thiserror::Error;

use super::position_spec::PositionSpec;
use outrider_engine::position::notation::{FenError, parse_fen_any};
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::chess::ChessTree;
use outrider_laboratory::drawing::{DrawError, Format, Outline, draw_chess};
use outrider_protocol::session::PositionError;

/// Maximum depth of the drawn tree in plies.
const MAX_DEPTH: usize = 3;

/// Reason why a search cannot be drawn.
#[derive(Debug, Error)]
pub(crate) enum InsideError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tree of depth 1 is too large.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// The search of a position as a tree that folds, with a summary.
#[derive(Debug, Serialize)]
pub(crate) struct InsideView {
    /// Text for the player.
    summary: String,
    #[serde(flatten)]
    outline: Outline,
}

impl InsideView {
    /// Searches a position as deeply as the limit of nodes allows.
    ///
    /// # Errors
    ///
    /// Fails if the position is invalid.
    pub(crate) fn new(position: &PositionSpec) -> Result<InsideView, InsideError> {
        let outline = Outline::deepest(position.play()?.chess())?;
        Ok(InsideView { summary: summary(&outline), outline })
    }
}

/// Says how much of the tree was searched, and the leaves that the null windows saved.
fn summary(outline: &Outline) -> String {
    let Outline { depth, leaves, evaluated, without_null_window, .. } = *outline;
    if leaves == 1 && outline.root.cut == 0 && outline.root.children.is_empty() {
        return "The game is over here: there is nothing to search.".to_owned();
    }
    let null_window = match without_null_window.checked_sub(evaluated) {
        Some(0) => format!("The null window saved none of {} leaves here", grouped(evaluated)),
        Some(saved) => {
            let before = grouped(without_null_window);
            format!("The null window saved {} of {before} leaves here", grouped(saved))
        }
        None => {
            let more = grouped(evaluated - without_null_window);
            format!(
                "The null window cost {more} more leaves here, because moves were searched again"
            )
        }
    };
    let plies = if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") };
    format!(
        "{null_window}: NegaScout evaluated {}, alpha-beta {}. The tree of {plies} has {} leaves.",
        grouped(evaluated),
        grouped(without_null_window),
        grouped(leaves)
    )
}

/// Formats a number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Returns a page that replays NegaScout's search of a position. The search is as deep as a tree can be drawn.
///
/// # Errors
///
/// Fails if the position is invalid or even the tree of depth 1 is too large.
pub(crate) fn page(fen: &str) -> Result<String, InsideError> {
    let chess = parse_fen_any(fen)?;
    let settings = AlgorithmSettings::default();
    let mut depth = MAX_DEPTH;
    loop {
        let tree = ChessTree::new(chess.clone(), depth);
        match draw_chess(&tree, [Algorithm::NegaScoutGuarded], &settings, Format::Page) {
            Err(_) if depth > 1 => depth -= 1,
            drawn => return drawn.map_err(InsideError::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position after 1. e4 e5 2. Qf3 Nc6 3. Bc4, with a tree too large at depth 3.
    const WIDE: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

    fn view(fen: &str) -> InsideView {
        let position = PositionSpec { fen: fen.to_owned(), chess960: false, moves: Vec::new() };
        InsideView::new(&position).unwrap()
    }

    #[test]
    fn a_tree_that_is_too_large_is_drawn_less_deep() {
        for fen in [WIDE, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"] {
            assert!(page(fen).unwrap().to_lowercase().contains("negascout"), "{fen}");
        }
    }

    #[test]
    fn an_invalid_position_is_an_error() {
        assert!(matches!(page("nonsense"), Err(InsideError::Fen(_))));
    }

    #[test]
    fn the_summary_says_how_many_leaves_the_null_window_saved() {
        let InsideView { summary, outline } = view(WIDE);
        assert!(outline.depth >= 3, "{summary}");
        let Outline { evaluated, without_null_window: before, .. } = outline;
        let expected = if evaluated < before {
            format!(
                "The null window saved {} of {} leaves",
                grouped(before - evaluated),
                grouped(before)
            )
        } else {
            format!("The null window cost {} more leaves", grouped(evaluated - before))
        };
        assert!(summary.starts_with(&expected), "{summary}");
        let over = view("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").summary;
        assert!(over.starts_with("The game is over here"), "{over}");
    }

    #[test]
    fn a_search_with_more_leaves_than_alpha_beta_is_called_a_cost() {
        let mut outline = view(WIDE).outline;
        (outline.evaluated, outline.without_null_window) = (1_020, 1_000);
        assert!(summary(&outline).starts_with("The null window cost 20 more leaves here"));
        outline.evaluated = 1_000;
        assert!(summary(&outline).starts_with("The null window saved none of 1,000 leaves here"));
        assert_eq!([grouped(7), grouped(1_234_567)], ["7", "1,234,567"]);
    }
}
