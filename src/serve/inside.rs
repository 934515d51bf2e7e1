//! Drawing of how NegaScout searches the tree of a position, made by the laboratory.

use std::fmt;

use outrider_engine::position::notation::{FenError, parse_fen_any};
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::chess::ChessTree;
use outrider_laboratory::drawing::{DrawError, Format, draw_chess};
use thiserror::Error;

/// Maximum depth of the drawn tree in plies.
const MAX_DEPTH: usize = 3;

/// Reason why a search cannot be drawn.
#[derive(Debug, Error)]
pub(crate) enum InsideError {
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The tree of depth 1 is too large.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// Returns a page that replays NegaScout's search of a position. The search is `depth` plies deep, or less
/// if the tree of that depth is too large to draw; then the page says so.
///
/// # Errors
///
/// Fails if the position is invalid or even the tree of depth 1 is too large.
pub(crate) fn page(fen: &str, depth: usize) -> Result<String, InsideError> {
    let chess = parse_fen_any(fen)?;
    let settings = AlgorithmSettings::default();
    let mut drawn_depth = depth.clamp(1, MAX_DEPTH);
    loop {
        let tree = ChessTree::new(chess.clone(), drawn_depth);
        match draw_chess(&tree, [Algorithm::NegaScout], &settings, Format::Page) {
            Ok(page) if drawn_depth < depth => return Ok(with_note(&page, drawn_depth, depth)),
            Ok(page) => return Ok(page),
            Err(_) if drawn_depth > 1 => drawn_depth -= 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Adds a note on the depth to a page.
fn with_note(page: &str, drawn: impl fmt::Display, requested: impl fmt::Display) -> String {
    let note = format!(
        "<p role=\"note\">Depth {drawn} is drawn instead of {requested}: the deeper tree has too many \
         nodes to draw.</p>\n"
    );
    page.replacen("</header>\n", &format!("{note}</header>\n"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position after 1. e4 e5 2. Qf3 Nc6 3. Bc4, with a tree too large at depth 3.
    const WIDE: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

    #[test]
    fn the_deepest_tree_that_fits_is_drawn_and_the_page_says_so() {
        let page = page(WIDE, 3).unwrap();
        assert!(page.contains("is drawn instead of 3"), "{}", &page[..page.len().min(600)]);
    }

    #[test]
    fn a_tree_of_the_requested_depth_needs_no_note() {
        let page = page("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", 2).unwrap();
        assert!(page.contains("</header>") && !page.contains("is drawn instead of"));
    }

    #[test]
    fn an_invalid_position_is_an_error() {
        assert!(matches!(page("nonsense", 2), Err(InsideError::Fen(_))));
    }
}
