//! Pictures of searched trees, in SVG: one as a file of its own, and one that the page plays.
//!
//! Colours have names; the page gives them values for light and for dark, and the file, which must
//! look the same in programs that know no such names, has them filled in.

use std::fmt::{self, Write};

use super::layout::{Layout, NOTE_GAP, NOTE_LINE, Point, Texts, text_width};
use super::story::NodeStory;
use super::words::{self, Namer};
use super::{Drawing, Run};
use crate::laboratory::{ExplicitTree, GameTree};

/// How a picture looks, with names for colours.
pub const STYLE: &str = include_str!("tree.css");

/// The colours of a file.
const COLOURS: [(&str, &str); 10] = [
    ("--ink", "#1f2933"),
    ("--ground", "#ffffff"),
    ("--max", "#dbeafe"),
    ("--min", "#fdebd3"),
    ("--note", "#52606d"),
    ("--number", "#0b5cad"),
    ("--again", "#ffe08a"),
    ("--cut", "#c0262d"),
    ("--pruned", "#b8c1cb"),
    ("--pruned-text", "#939eaa"),
];

/// The empty border of a picture.
const MARGIN: f64 = 24.0;

/// The height of what stands above a tree.
const HEADING: f64 = 58.0;

/// Between a tree and the heading of the next.
const SPACE: f64 = 34.0;

/// The height of a row of the legend.
const LEGEND_ROW: f64 = 24.0;

/// The least width of what a picture holds.
const LEAST_WIDTH: f64 = 380.0;

/// Draws all searches, one below the other, as a file.
pub fn picture(drawing: &Drawing<'_>) -> String {
    let mut text = String::new();
    write_picture(drawing, &mut text).expect("a String takes all text");
    text
}

fn write_picture(drawing: &Drawing<'_>, out: &mut String) -> fmt::Result {
    let layouts: Vec<_> = drawing.runs.iter().map(|run| arranged(drawing.tree, run)).collect();
    let width = layouts.iter().map(|(layout, _)| layout.width).fold(LEAST_WIDTH, f64::max);
    let heights = layouts.iter().map(|(layout, _)| HEADING + layout.height + SPACE);
    let legend = legend_rows(width);
    let height = heights.sum::<f64>() + legend.len() as f64 * LEGEND_ROW;
    let (full_width, full_height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let style = COLOURS.iter().fold(STYLE.to_owned(), |style, (name, colour)| {
        style.replace(&format!("var({name})"), colour)
    });
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{full_width:.0}" height="{full_height:.0}" viewBox="0 0 {full_width:.0} {full_height:.0}" role="img">"#
    )?;
    writeln!(out, "<title>{}</title>", words::heading(drawing))?;
    writeln!(out, "<style>\n{style}</style>")?;
    let ground = COLOURS[1].1;
    writeln!(out, r#"<rect width="100%" height="100%" fill="{ground}"/>"#)?;
    let mut top = MARGIN;
    for (run, (layout, texts)) in drawing.runs.iter().zip(&layouts) {
        writeln!(out, r#"<g transform="translate({MARGIN} {top:.1})">"#)?;
        writeln!(out, r#"<text class="heading" y="14">{}</text>"#, run.title)?;
        let sum = words::sum(drawing.tree, run.value, &run.story);
        writeln!(out, r#"<text class="sum" y="33">{sum}</text>"#)?;
        let indent = (width - layout.width) / 2.0;
        writeln!(out, r#"<g transform="translate({indent:.1} {HEADING})">"#)?;
        Picture { drawing, run, layout, texts, prefix: None }.write(out)?;
        writeln!(out, "</g>\n</g>")?;
        top += HEADING + layout.height + SPACE;
    }
    for row in legend {
        write_legend(&row, top, out)?;
        top += LEGEND_ROW;
    }
    writeln!(out, "</svg>")
}

/// Draws one search for the page. Every mark that may be wanted at some time is there, and every
/// element has an id that begins with the prefix.
pub fn playable(drawing: &Drawing<'_>, run: &Run, prefix: &str) -> String {
    let (layout, texts) = arranged(drawing.tree, run);
    let picture = Picture { drawing, run, layout: &layout, texts: &texts, prefix: Some(prefix) };
    let mut text = String::new();
    let (width, height) = (layout.width + 16.0, layout.height + 16.0);
    let mut write = || {
        writeln!(
            text,
            r#"<svg viewBox="-8 -8 {width:.0} {height:.0}" style="--natural: {width:.0}px" role="img" aria-label="The tree as {} searches it">"#,
            run.title
        )?;
        picture.write(&mut text)?;
        writeln!(text, "</svg>")
    };
    write().expect("a String takes all text");
    text
}

/// What is written in a search's picture, and where everything stands.
pub fn arranged(tree: &ExplicitTree, run: &Run) -> (Layout, Vec<Texts>) {
    let texts: Vec<_> = (0..tree.nodes()).map(|node| texts(tree, run, node)).collect();
    (Layout::new(tree, &texts), texts)
}

fn texts(tree: &ExplicitTree, run: &Run, node: u32) -> Texts {
    let story = &run.story.nodes[node as usize];
    if tree.is_leaf(&node) {
        let value = tree.value(&node).to_string();
        let below = story.evaluations.iter().map(ToString::to_string).collect();
        let (longest_value, below) = (value.clone(), words::shortened(below));
        return Texts { value, longest_value, beside: Vec::new(), below };
    }
    let value = story.result().map(|result| result.to_string()).unwrap_or_default();
    let windows = story.visits.iter().map(|visit| visit.window.to_string());
    let beside = if run.story.has_windows { windows.collect() } else { Vec::new() };
    let (longest_value, beside) = (story.longest_value.clone(), words::shortened(beside));
    Texts { value, longest_value, beside, below: Vec::new() }
}

/// One tree.
struct Picture<'a> {
    drawing: &'a Drawing<'a>,
    run: &'a Run,
    layout: &'a Layout,
    texts: &'a [Texts],
    /// How ids begin, if the picture is played.
    prefix: Option<&'a str>,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let tree = self.drawing.tree;
        for node in 0..tree.nodes() {
            self.write_again(node, out)?;
        }
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                self.write_edge(node, tree.child(&node, index), out)?;
            }
        }
        (0..tree.nodes()).try_for_each(|node| self.write_node(node, out))
    }

    fn story(&self, node: u32) -> &NodeStory {
        &self.run.story.nodes[node as usize]
    }

    fn place(&self, node: u32) -> Point {
        self.layout.nodes[node as usize]
    }

    /// The id of an element of a node, as an attribute.
    fn id(&self, kind: char, node: u32) -> String {
        self.prefix.map(|prefix| format!(r#" id="{prefix}{kind}{node}""#)).unwrap_or_default()
    }

    /// Whether a mark that depends on the node's story is drawn.
    fn is_wanted(&self, mark: bool) -> bool {
        mark || self.prefix.is_some()
    }

    /// What lies below a node that was searched again, as a text marker would have it.
    fn write_again(&self, node: u32, out: &mut String) -> fmt::Result {
        if !self.is_wanted(self.story(node).again()) {
            return Ok(());
        }
        write!(out, "<g{}>", self.id('a', node))?;
        if let Some(parent) = self.drawing.parent(node) {
            write!(out, r#"<path class="again" d="{}"/>"#, self.edge(parent, node))?;
        }
        self.write_shape("halo", node, out)?;
        writeln!(out, "</g>")
    }

    fn write_edge(&self, parent: u32, child: u32, out: &mut String) -> fmt::Result {
        let pruned = !self.story(child).evaluated;
        let class = if pruned { "edge pruned" } else { "edge" };
        let (id, path) = (self.id('e', child), self.edge(parent, child));
        writeln!(out, r#"<path{id} class="{class}" d="{path}"/>"#)?;
        if self.is_wanted(pruned && self.story(parent).evaluated) {
            let (id, bars) = (self.id('c', child), self.bars(parent, child));
            writeln!(out, r#"<path{id} class="bar" d="{bars}"/>"#)?;
        }
        Ok(())
    }

    /// From the lower edge of a node to the upper edge of its child: straight down out of its
    /// band, across the gap, straight down through the child's band.
    fn edge(&self, parent: u32, child: u32) -> String {
        let (from, to) = (self.place(parent), self.place(child));
        let (start, end) = self.layout.crossing(self.drawing.tree, parent, child);
        let radius = self.layout.radius;
        let mut path = format!("M{:.1} {:.1}", from.x, from.y + radius);
        for point in [start, end, Point { x: to.x, y: to.y - radius }] {
            write!(path, "L{:.1} {:.1}", point.x, point.y).expect("a String takes all text");
        }
        path
    }

    /// Two strokes across an edge.
    fn bars(&self, parent: u32, child: u32) -> String {
        let (start, end) = self.layout.crossing(self.drawing.tree, parent, child);
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        let length = dx.hypot(dy);
        let (along, across) = ((dx / length, dy / length), (-dy / length, dx / length));
        let stroke = |offset: f64| {
            let x = start.x + 0.6 * dx + offset * along.0;
            let y = start.y + 0.6 * dy + offset * along.1;
            let (x0, y0) = (x - 5.0 * across.0, y - 5.0 * across.1);
            let (x1, y1) = (x + 5.0 * across.0, y + 5.0 * across.1);
            format!("M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}")
        };
        stroke(-2.0) + &stroke(2.0)
    }

    fn write_shape(&self, class: &str, node: u32, out: &mut String) -> fmt::Result {
        let (Point { x, y }, radius) = (self.place(node), self.layout.radius);
        if self.drawing.tree.is_max(&node) {
            let (left, top, side) = (x - radius, y - radius, 2.0 * radius);
            write!(
                out,
                r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{side:.1}" height="{side:.1}"/>"#
            )
        } else {
            write!(out, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#)
        }
    }

    fn write_node(&self, node: u32, out: &mut String) -> fmt::Result {
        let tree = self.drawing.tree;
        let (Point { x, y }, radius) = (self.place(node), self.layout.radius);
        let (story, texts) = (self.story(node), &self.texts[node as usize]);
        let mut class = format!("node {}", words::kind(tree, node).to_lowercase());
        for (name, applies) in [("leaf", tree.is_leaf(&node)), ("pruned", !story.evaluated)] {
            if applies {
                write!(class, " {name}")?;
            }
        }
        writeln!(out, r#"<g{} class="{class}">"#, self.id('n', node))?;
        writeln!(out, "<title>{}</title>", tooltip(&self.drawing.namer, tree, node, story))?;
        self.write_shape("shape", node, out)?;
        let value = &texts.value;
        let size = self.layout.value_size(texts);
        let baseline = y + 0.35 * size;
        writeln!(
            out,
            r#"<text class="value" x="{x:.1}" y="{baseline:.1}" font-size="{size:.1}">{value}</text>"#
        )?;
        let left = x + radius + NOTE_GAP;
        let middle = (texts.beside.len() as f64 - 1.0) / 2.0;
        for (line, text) in texts.beside.iter().enumerate() {
            let y = y + 4.0 + (line as f64 - middle) * NOTE_LINE;
            writeln!(out, r#"<text class="window" x="{left:.1}" y="{y:.1}">{text}</text>"#)?;
        }
        let evaluations = story.evaluations.len();
        for (line, text) in (1..).zip(&texts.below) {
            let y = y + radius + f64::from(line) * NOTE_LINE + 3.0;
            let is_last_of_many =
                line as usize == texts.below.len() && line as usize != evaluations;
            let from = if is_last_of_many {
                format!(r#" data-from="{evaluations}""#)
            } else {
                String::new()
            };
            writeln!(out, r#"<text class="number"{from} x="{x:.1}" y="{y:.1}">{text}</text>"#)?;
        }
        writeln!(out, "</g>")
    }
}

/// What is known of a node, for the one who points at it.
fn tooltip(namer: &Namer<'_>, tree: &ExplicitTree, node: u32, story: &NodeStory) -> String {
    let mut text = format!("{} {}", words::kind(tree, node), namer.name(node));
    if tree.is_leaf(&node) {
        let (number, value) = (tree.leaf_number(node), tree.value(&node));
        write!(text, ", leaf {number}: {value}").expect("a String takes all text");
    }
    if !story.evaluated {
        text += ", nothing evaluated";
    }
    for visit in &story.visits {
        let result = visit.result.map(|result| format!(" → {result}")).unwrap_or_default();
        write!(text, "\n{}{result}", visit.window).expect("a String takes all text");
    }
    text
}

/// What the signs mean: a sample, drawn around its middle, and the words.
const LEGEND: [(&str, &str); 6] = [
    (r#"<g class="max"><rect class="shape" x="-8" y="-8" width="16" height="16"/></g>"#, "MAX"),
    (r#"<g class="min"><circle class="shape" r="8"/></g>"#, "MIN"),
    (r#"<g class="pruned"><circle class="shape" r="8"/></g>"#, "not evaluated"),
    (
        r#"<path class="edge pruned" d="M-12 0H12"/><path class="bar" d="M-2 -5V5M2 -5V5"/>"#,
        "cut off",
    ),
    (r#"<path class="again" d="M-8 0H8"/><path class="edge" d="M-12 0H12"/>"#, "searched again"),
    (r#"<text class="number" y="4">3</text>"#, "third evaluation"),
];

/// The legend as items of a list.
pub fn legend_for_page() -> String {
    let item = |(sample, words): &(&str, &str)| {
        let sample = format!(r#"<svg viewBox="-14 -12 28 24" aria-hidden="true">{sample}</svg>"#);
        format!("<li>{sample} {words}</li>\n")
    };
    LEGEND.iter().map(item).collect()
}

/// The entries of the legend, in rows no wider than the picture, each with its left end.
fn legend_rows(width: f64) -> Vec<Vec<(f64, usize)>> {
    let mut rows = vec![Vec::new()];
    let mut right = 0.0;
    for (entry, (_, words)) in LEGEND.iter().enumerate() {
        let wide = 30.0 + text_width(words, 12.0) + 18.0;
        if right + wide > width + 18.0 {
            rows.push(Vec::new());
            right = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((right, entry));
        }
        right += wide;
    }
    rows
}

fn write_legend(row: &[(f64, usize)], top: f64, out: &mut String) -> fmt::Result {
    let y = top + 8.0;
    for &(left, entry) in row {
        let ((sample, words), x) = (LEGEND[entry], MARGIN + left);
        writeln!(
            out,
            r#"<g transform="translate({:.1} {y:.1})">{sample}<text class="legend" x="20" y="4">{words}</text></g>"#,
            x + 12.0
        )?;
    }
    Ok(())
}
