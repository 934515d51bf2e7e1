//! Drawing of how NegaScout searches the tree of a position, made by the laboratory.

use outrider_engine::position::notation::parse_fen_any;
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::chess::ChessTree;
use outrider_laboratory::drawing::{Format, draw_chess};

/// Maximum depth of the drawn tree in plies.
const MAX_DEPTH: usize = 3;

/// Returns a page that replays NegaScout's search of a position, `depth` plies deep.
///
/// # Errors
///
/// Returns the reason if the position is invalid or the tree is too large to draw.
pub(crate) fn page(fen: &str, depth: usize) -> Result<String, String> {
    let chess = parse_fen_any(fen).map_err(|error| error.to_string())?;
    let tree = ChessTree::new(chess, depth.clamp(1, MAX_DEPTH));
    let settings = AlgorithmSettings::default();
    draw_chess(&tree, [Algorithm::NegaScout], &settings, Format::Page)
        .map_err(|error| error.to_string())
}
