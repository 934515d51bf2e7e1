//! A look inside: how NegaScout searches the tree of a position, drawn by the laboratory.

use outrider_engine::position::notation::parse_fen_any;
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::chess::ChessTree;
use outrider_laboratory::drawing::{Format, draw_chess};

/// The deepest tree that is drawn, in plies.
const MAX_DEPTH: usize = 3;

/// The page that plays NegaScout's search of a position, `depth` plies deep.
///
/// # Errors
///
/// Fails with the reason if the position is wrong or the tree too large to be drawn.
pub(crate) fn page(fen: &str, depth: usize) -> Result<String, String> {
    let chess = parse_fen_any(fen).map_err(|error| error.to_string())?;
    let tree = ChessTree::new(chess, depth.clamp(1, MAX_DEPTH));
    let settings = AlgorithmSettings::default();
    draw_chess(&tree, [Algorithm::NegaScout], &settings, Format::Page)
        .map_err(|error| error.to_string())
}
