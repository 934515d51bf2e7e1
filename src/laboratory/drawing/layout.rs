//! Positions of everything in a picture of a tree.
//!
//! Subtrees are side by side, each in its own strip, and a parent is in the middle between its
//! first and its last child. A level is a band. It contains its nodes and, right of each, the texts
//! beside it, which may extend into the next strip. Between the bands are gaps for the edges and
//! the numbers below leaves. So no edge crosses a text, and subtrees are only as far apart as the
//! texts in their bands need.

use crate::{ExplicitTree, GameTree};

/// Size of the text in a node, in pixels; smaller if the text is long.
const VALUE_SIZE: f64 = 13.0;

/// Minimum and maximum half size of a node.
const RADII: (f64, f64) = (15.0, 32.0);

/// Distance between a text in a node and the node's edge.
const PADDING: f64 = 5.0;

/// Size of the texts beside and below nodes.
pub(super) const NOTE_SIZE: f64 = 11.0;

/// Distance between lines of notes.
pub(super) const NOTE_LINE: f64 = 14.0;

/// Distance between a node and the text beside it.
pub(super) const NOTE_GAP: f64 = 8.0;

const SPACE: f64 = 8.0;

/// Distance between a band and its contents, so that an edge that ends at a band touches no node or
/// text.
const CLEARANCE: f64 = 1.0;

/// Minimum height of a gap between bands.
const GAP: f64 = 40.0;

/// Texts of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub value: String,
    /// The longest value shown in the node while the search is played.
    pub longest_value: String,
    /// Lines beside the node.
    pub beside: Vec<String>,
    /// Lines below the node.
    pub below: Vec<String>,
    /// Text on the edge to the node.
    pub label: String,
}

impl Texts {
    /// Width of the texts beside the node.
    pub(super) fn widest_beside(&self) -> f64 {
        self.beside.iter().map(|line| text_width(line, NOTE_SIZE)).fold(0.0, f64::max)
    }
}

/// Position in a picture, in pixels from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

/// Positions of the nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Centre of each node.
    pub nodes: Vec<Point>,
    /// Half the width of a node.
    pub radius: f64,
    pub half_height: f64,
    /// Direction in which the tree grows.
    pub growth: Growth,
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
}

/// Direction in which a tree grows, with the data about levels that edges need.
#[derive(Clone, Debug)]
pub(super) enum Growth {
    /// Downwards, as in the papers.
    Downwards {
        /// For each level: distance of the band's edges from the centres of its nodes.
        bands: Vec<f64>,
    },
    /// To the right, for chess trees.
    Rightwards {
        /// For each level: x at which the edges to its children begin to spread.
        spread_start: Vec<f64>,
        /// For each level: x at which the edges from its parents have spread.
        spread_end: Vec<f64>,
    },
}

/// Beginning or centre of a line of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start(Point),
    Middle(Point),
}

/// Distance from the middle of a note to its baseline.
const HALF_NOTE: f64 = 4.0;

/// Distance from the lower edge of a node to the notes below it.
const BELOW_NODE: f64 = 3.0;

/// Horizontal distance of a move from its node, and vertical distance from the edge below it.
const LABEL_GAP: f64 = 7.0;
const LABEL_LIFT: f64 = 4.0;

impl Layout {
    /// Lays out a tree downwards, given the texts of its nodes.
    pub(super) fn new(tree: &ExplicitTree, texts: &[Texts]) -> Layout {
        let radius = radius(texts);
        let reaches: Vec<_> = texts.iter().map(|texts| Reach::new(texts, radius)).collect();
        let columns = columns(tree, &reaches);
        let ends = columns.iter().zip(&reaches);
        let left = ends.clone().map(|(x, reach)| x - reach.left).fold(f64::MAX, f64::min);
        let right = ends.map(|(x, reach)| x + reach.right).fold(f64::MIN, f64::max);
        let levels = levels(tree);
        let bands: Vec<f64> = levels.iter().map(|level| band(level, texts, radius)).collect();
        let mut rows = Vec::new();
        let mut bottom: f64 = 0.0;
        for (level, band) in levels.iter().zip(&bands) {
            rows.push(bottom + band);
            bottom += 2.0 * band + gap(tree, level, &reaches, &columns);
        }
        let place =
            |node: u32| Point { x: columns[node as usize] - left, y: rows[tree.ply(&node)] };
        let nodes: Vec<Point> = (0..tree.nodes()).map(place).collect();
        let height = nodes
            .iter()
            .zip(&reaches)
            .map(|(place, reach)| place.y + radius + reach.below)
            .fold(rows[rows.len() - 1] + bands[bands.len() - 1], f64::max);
        let growth = Growth::Downwards { bands };
        Layout { nodes, radius, half_height: radius, growth, width: right - left, height }
    }
}

impl Layout {
    /// Returns the edge from a node to its child: out of the node's level, across the gap between
    /// the levels, and to the child.
    pub(super) fn edge(&self, tree: &ExplicitTree, parent: u32, child: u32) -> [Point; 4] {
        let depth = tree.ply(&parent);
        let (from, to) = (self.nodes[parent as usize], self.nodes[child as usize]);
        match &self.growth {
            Growth::Downwards { bands } => [
                Point { x: from.x, y: from.y + self.half_height },
                Point { x: from.x, y: from.y + bands[depth] },
                Point { x: to.x, y: to.y - bands[depth + 1] },
                Point { x: to.x, y: to.y - self.half_height },
            ],
            Growth::Rightwards { spread_start, spread_end } => [
                Point { x: from.x + self.radius, y: from.y },
                Point { x: spread_start[depth], y: from.y },
                Point { x: spread_end[depth + 1], y: to.y },
                Point { x: to.x - self.radius, y: to.y },
            ],
        }
    }

    /// Returns the position of one of a node's `lines` window lines.
    pub(super) fn beside(&self, node: u32, line: usize, lines: usize) -> Anchor {
        let Point { x, y } = self.nodes[node as usize];
        match self.growth {
            Growth::Downwards { .. } => {
                let middle = (lines as f64 - 1.0) / 2.0;
                let y = y + HALF_NOTE + (line as f64 - middle) * NOTE_LINE;
                Anchor::Start(Point { x: x + self.radius + NOTE_GAP, y })
            }
            Growth::Rightwards { .. } => {
                let y = y + self.half_height + (line as f64 + 1.0) * NOTE_LINE - 2.0;
                Anchor::Middle(Point { x, y })
            }
        }
    }

    /// Returns the position of one of a leaf's numbers.
    pub(super) fn below(&self, node: u32, line: usize, texts: &Texts) -> Point {
        let Point { x, y } = self.nodes[node as usize];
        match self.growth {
            Growth::Downwards { .. } => {
                let down = (line as f64 + 1.0) * NOTE_LINE + BELOW_NODE;
                Point { x, y: y + self.half_height + down }
            }
            Growth::Rightwards { .. } => {
                let width = |text: &String| NOTE_GAP + text_width(text, NOTE_SIZE);
                let before: f64 = texts.below[..line].iter().map(width).sum();
                let own = NOTE_GAP + text_width(&texts.below[line], NOTE_SIZE) / 2.0;
                Point { x: x + self.radius + before + own, y: y + HALF_NOTE }
            }
        }
    }

    /// Returns the end position of the move that leads to a node.
    pub(super) fn label(&self, node: u32) -> Point {
        let Point { x, y } = self.nodes[node as usize];
        Point { x: x - self.radius - LABEL_GAP, y: y - LABEL_LIFT }
    }

    /// Returns the size at which all values of a node fit into it, in pixels.
    pub(super) fn value_size(&self, texts: &Texts) -> f64 {
        let width = text_width(&texts.longest_value, 1.0).max(1.0);
        let fitting = 2.0 * (self.radius - PADDING) / width;
        VALUE_SIZE.min(fitting)
    }
}

/// Extent of a node and its texts, from its centre.
struct Reach {
    left: f64,
    right: f64,
    /// To both sides, without the text beside the node.
    half: f64,
    /// From the lower edge of the node.
    below: f64,
}

impl Reach {
    fn new(texts: &Texts, radius: f64) -> Reach {
        let beside = match texts.beside.is_empty() {
            true => 0.0,
            false => NOTE_GAP + texts.widest_beside(),
        };
        let below = texts.below.iter().map(|line| text_width(line, NOTE_SIZE));
        let half = (below.fold(0.0, f64::max) / 2.0).max(radius);
        let below = match texts.below.len() {
            0 => 0.0,
            lines => 6.0 + lines as f64 * NOTE_LINE,
        };
        Reach { left: half, right: half.max(radius + beside), half, below }
    }
}

/// Returns half the size of nodes that contain these values, including round nodes.
pub(super) fn radius(texts: &[Texts]) -> f64 {
    let widths = texts.iter().map(|texts| text_width(&texts.longest_value, VALUE_SIZE));
    let widest = widths.fold(0.0, f64::max);
    (widest / 2.0 + PADDING).clamp(RADII.0, RADII.1)
}

/// Returns the horizontal position of each node.
fn columns(tree: &ExplicitTree, reaches: &[Reach]) -> Vec<f64> {
    // Positions of the nodes relative to their parents, and the outlines of their subtrees.
    let mut columns = vec![0.0; tree.nodes() as usize];
    let mut outlines: Vec<Outline> = Vec::new();
    // From right to left and upwards: when it is a node's turn, the outlines of its children are
    // the last ones, the first child's on top.
    for node in (0..tree.nodes()).rev() {
        let children: Vec<u32> =
            (0..tree.width(&node)).map(|index| tree.child(&node, index)).collect();
        let mut row = Outline::default();
        for &child in &children {
            if let Some(outline) = outlines.pop() {
                columns[child as usize] = row.append(&outline);
            }
        }
        let middle = match (children.first(), children.last()) {
            (Some(&first), Some(&last)) => {
                f64::midpoint(columns[first as usize], columns[last as usize])
            }
            _ => 0.0,
        };
        for &child in &children {
            columns[child as usize] -= middle;
        }
        outlines.push(row.below(&reaches[node as usize], middle));
    }
    for node in 0..tree.nodes() {
        for index in 0..tree.width(&node) {
            columns[tree.child(&node, index) as usize] += columns[node as usize];
        }
    }
    columns
}

/// Extent of one or more adjacent subtrees to the left and right of a reference point.
#[derive(Clone, Debug, Default)]
struct Outline {
    strip: Option<(f64, f64)>,
    /// Including texts beside nodes, level by level.
    levels: Vec<(f64, f64)>,
}

impl Outline {
    /// Places another outline at the right; returns its position.
    fn append(&mut self, other: &Outline) -> f64 {
        let apart = |&(_, right): &(f64, f64), &(left, _): &(f64, f64)| right + SPACE - left;
        let strips = self.strip.iter().zip(&other.strip).map(|(a, b)| apart(a, b));
        let levels = self.levels.iter().zip(&other.levels).map(|(a, b)| apart(a, b));
        let place = strips.chain(levels).fold(f64::MIN, f64::max);
        let place = if self.strip.is_some() { place } else { 0.0 };
        let moved = |&(left, right): &(f64, f64)| (left + place, right + place);
        let joined = |a: &(f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
        self.strip = match (&self.strip, &other.strip) {
            (Some(a), Some(b)) => Some(joined(a, moved(b))),
            (a, b) => a.or(b.as_ref().map(moved)),
        };
        for (level, ends) in other.levels.iter().map(moved).enumerate() {
            match self.levels.get_mut(level) {
                Some(level) => *level = joined(level, ends),
                None => self.levels.push(ends),
            }
        }
        place
    }

    /// Places everything below a node at a position; returns the outline relative to the node.
    fn below(mut self, node: &Reach, place: f64) -> Outline {
        for ends in self.levels.iter_mut().chain(&mut self.strip) {
            *ends = (ends.0 - place, ends.1 - place);
        }
        let (left, right) = self.strip.unwrap_or((0.0, 0.0));
        self.strip = Some((left.min(-node.half), right.max(node.half)));
        self.levels.insert(0, (-node.left, node.right));
        self
    }
}

/// Returns the nodes of each depth, from left to right.
fn levels(tree: &ExplicitTree) -> Vec<Vec<u32>> {
    let mut levels = vec![Vec::new(); tree.height() + 1];
    for node in 0..tree.nodes() {
        levels[tree.ply(&node)].push(node);
    }
    levels
}

/// Half the height of a level's band.
fn band(level: &[u32], texts: &[Texts], radius: f64) -> f64 {
    let lines = level.iter().map(|&node| texts[node as usize].beside.len()).max().unwrap_or(0);
    (lines as f64 * NOTE_LINE / 2.0).max(radius) + CLEARANCE
}

/// Height of the gap below a level: it has room for the notes below the leaves, and grows with the
/// width of the edges so that they are not flat.
fn gap(tree: &ExplicitTree, level: &[u32], reaches: &[Reach], columns: &[f64]) -> f64 {
    let hanging = level.iter().map(|&node| reaches[node as usize].below).fold(0.0, f64::max);
    let interior = level.iter().filter(|node| !tree.is_leaf(node));
    let spreads =
        interior.map(|node| columns[*node as usize] - columns[tree.child(node, 0) as usize]);
    let spread = spreads.fold(0.0, f64::max);
    (0.16 * spread).clamp(GAP, 3.0 * GAP).max(hanging + SPACE)
}

/// Estimated width of a text in the widest of the common sans-serif fonts; most fonts need a little
/// less.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let width = |character| match character {
        '0'..='9' => 0.64,
        ' ' | ',' | '.' => 0.33,
        '(' | ')' | '-' => 0.40,
        '+' | '≤' | '≥' | '∞' => 0.84,
        'm' | 'w' | 'M' | 'W' | '…' => 1.0,
        _ => 0.70,
    };
    size * text.chars().map(width).sum::<f64>()
}
