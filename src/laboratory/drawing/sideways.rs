//! Positions of everything in a picture of a chess tree. It grows from left to right: every leaf
//! has a row, every edge has room for its move, and a wide tree becomes a long list, which can be
//! scrolled.
//!
//! A level is a column. Each node is in the vertical middle of its subtree, with its notes under
//! it. Right of each node the edges spread, and then run horizontally, under their moves, to the
//! next column.

use super::layout::{
    Growth, Layout, NOTE_GAP, NOTE_LINE, NOTE_SIZE, Point, Texts, radius, text_width,
};
use crate::{ExplicitTree, GameTree};

/// Half the height of a node.
const HALF_HEIGHT: f64 = 11.0;

/// Distance between rows.
const SPACE: f64 = 6.0;

/// Height of a move above its node.
const OVERHANG: f64 = 5.0;

/// Width in which edges spread: the minimum, and as a fraction of the height that they spread over.
const SPREAD: (f64, f64) = (30.0, 90.0);

/// Horizontal distance before and after a move.
const LABEL_MARGIN: f64 = 8.0;

impl Layout {
    /// Lays out a tree from left to right, given the texts of its nodes.
    pub(super) fn sideways(tree: &ExplicitTree, texts: &[Texts]) -> Layout {
        let radius = radius(texts);
        let (rows, height) = rows(tree, texts);
        let columns = columns(tree, texts, radius, &rows);
        let place =
            |node: u32| Point { x: columns[tree.ply(&node)].middle, y: rows[node as usize] };
        let width = columns.last().map_or(0.0, |column| column.right);
        Layout {
            nodes: (0..tree.nodes()).map(place).collect(),
            radius,
            half_height: HALF_HEIGHT,
            growth: Growth::Rightwards {
                spread_start: columns.iter().map(|column| column.right).collect(),
                spread_end: columns.iter().map(|column| column.before).collect(),
            },
            width,
            height,
        }
    }
}

/// Returns the vertical position of each node, and the total height.
fn rows(tree: &ExplicitTree, texts: &[Texts]) -> (Vec<f64>, f64) {
    let mut rows = vec![0.0; tree.nodes() as usize];
    let mut bottom = OVERHANG;
    place(tree, texts, 0, &mut bottom, &mut rows);
    (rows, bottom - SPACE)
}

/// Places a node and its subtree under everything placed so far. The recursion is safe, because
/// drawn trees are not deep.
fn place(tree: &ExplicitTree, texts: &[Texts], node: u32, bottom: &mut f64, rows: &mut [f64]) {
    let top = *bottom;
    let children: Vec<u32> = (0..tree.width(&node)).map(|index| tree.child(&node, index)).collect();
    for &child in &children {
        place(tree, texts, child, bottom, rows);
    }
    rows[node as usize] = match (children.first(), children.last()) {
        (Some(&first), Some(&last)) => f64::midpoint(rows[first as usize], rows[last as usize]),
        _ => top + HALF_HEIGHT,
    };
    let notes = texts[node as usize].beside.len() as f64 * NOTE_LINE;
    let own_bottom = rows[node as usize] + HALF_HEIGHT + notes + SPACE;
    *bottom = bottom.max(own_bottom);
}

/// Horizontal positions in a level.
struct Column {
    /// Beginning of the moves before the nodes.
    before: f64,
    middle: f64,
    /// End of everything in the level, where the edges to the children begin to spread.
    right: f64,
}

fn columns(tree: &ExplicitTree, texts: &[Texts], radius: f64, rows: &[f64]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for depth in 0..=tree.height() {
        let level = || (0..tree.nodes()).filter(|node| tree.ply(node) == depth);
        let widest = |text: fn(&Texts) -> f64| {
            level().map(|node| text(&texts[node as usize])).fold(0.0, f64::max)
        };
        let label = widest(|texts| text_width(&texts.label, NOTE_SIZE + 1.0));
        let notes = widest(|texts| texts.widest_beside() / 2.0);
        let numbers = widest(|texts| texts.width_in_a_row());
        let half = radius.max(notes);
        let before = columns.last().map_or(0.0, |column| column.right + spread(tree, depth, rows));
        let label = if label > 0.0 { label + 2.0 * LABEL_MARGIN } else { 0.0 };
        let middle = before + (label + radius).max(half);
        columns.push(Column { before, middle, right: middle + half.max(radius + numbers) });
    }
    columns
}

/// Width in which the edges to a level spread: the further apart their ends are, the wider.
fn spread(tree: &ExplicitTree, depth: usize, rows: &[f64]) -> f64 {
    let parents = (0..tree.nodes()).filter(|node| tree.ply(node) + 1 == depth);
    let heights = parents.filter(|node| !tree.is_leaf(node)).map(|node| {
        let first = tree.child(&node, 0);
        rows[node as usize] - rows[first as usize]
    });
    let height = heights.fold(0.0, f64::max);
    (0.12 * height).clamp(SPREAD.0, SPREAD.1)
}

impl Texts {
    /// Width of the notes below a leaf, side by side.
    pub(super) fn width_in_a_row(&self) -> f64 {
        self.below.iter().map(|text| NOTE_GAP + text_width(text, NOTE_SIZE)).sum()
    }
}
