//! Outlines of chess trees.

use super::super::outline::{Outline, OutlineNode};
use super::*;
use crate::SearchCounts;
use outrider_engine::position::notation::parse_fen_any;

/// Italian game, before White's fourth move.
const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

fn outline(fen: &str) -> Outline {
    Outline::deepest(&parse_fen_any(fen).unwrap()).unwrap()
}

/// Counts the nodes in an outline, and those that are folded.
fn count(node: &OutlineNode) -> (usize, usize) {
    let below = node.children.iter().map(count);
    below.fold((1, node.folded), |sum, (shown, folded)| (sum.0 + shown, sum.1 + folded))
}

#[test]
fn every_bratko_kopec_position_is_outlined_at_least_three_plies_deep() {
    let suite = include_str!("../../../../epd/bratko-kopec.epd");
    let mut positions = 0;
    for line in suite.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let fields: Vec<_> = line.split_whitespace().take(4).collect();
        let outline = outline(&format!("{} 0 1", fields.join(" ")));
        assert!(outline.depth >= 3, "{line}: {}", outline.depth);
        let (shown, folded) = count(&outline.root);
        assert!(shown <= 400, "{line}: {shown}");
        assert!(folded > 0 && shown > 1, "{line}: {shown} shown and {folded} folded");
        assert!(outline.evaluated > 0 && outline.evaluated < outline.leaves, "{line}");
        positions += 1;
    }
    assert_eq!(positions, 24);
}

#[test]
fn an_outline_has_the_searches_of_negascout_and_alpha_beta() {
    let stalemate = outline("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    assert_eq!((stalemate.depth, stalemate.leaves, stalemate.evaluated), (1, 1, 1));
    assert_eq!(stalemate.root.value.as_deref(), Some("0.00"), "stalemate");
    let tree = ChessTree::new(parse_fen_any(ITALIAN).unwrap(), 3);
    let italian = outline(ITALIAN);
    let settings = AlgorithmSettings::default();
    let leaves = |algorithm: Algorithm| {
        let mut counts = SearchCounts::default();
        let value = algorithm.solve(&tree, &settings, &mut counts);
        (counts.leaves, value)
    };
    assert_eq!(italian.depth, 3);
    assert_eq!(italian.evaluated, leaves(Algorithm::NegaScoutGuarded).0);
    assert_eq!(italian.without_null_window, leaves(Algorithm::AlphaBetaSoft).0);
    let value = f64::from(leaves(Algorithm::Minimax).1) / 100.0;
    assert_eq!(italian.root.value.as_deref(), Some(format!("{value:+.2}").as_str()));
}

#[test]
fn the_principal_variation_is_shown_to_its_end_and_has_the_value_of_the_root() {
    let italian = outline(ITALIAN);
    let (mut node, mut plies) = (&italian.root, 0);
    while let Some(next) = node.children.iter().find(|child| child.principal) {
        // Near the horizon a bound is not searched again, since it is the value.
        let value = next.value.as_deref().unwrap().trim_start_matches(['≥', '≤']);
        assert_eq!(Some(value), italian.root.value.as_deref());
        (node, plies) = (next, plies + 1);
    }
    assert_eq!(plies, italian.depth);
    assert!(italian.root.children.iter().any(|child| child.null_window && !child.principal));
}

#[test]
fn moves_that_are_cut_off_are_counted_and_mates_are_named() {
    let white = outline("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_eq!(white.root.value.as_deref(), Some("White mates"));
    let black = outline("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1");
    assert_eq!(black.root.value.as_deref(), Some("Black mates"));
    let refuted = white.root.children.iter().find(|child| child.null_window).unwrap();
    assert!(refuted.cut > 0 || refuted.folded > 0 || !refuted.children.is_empty());
}
