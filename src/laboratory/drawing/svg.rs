//! Pictures of searched trees in SVG: as a file, and as a part of the page that plays them.

use super::layout::{Anchor, Growth, Layout, Point, Texts};
use super::legend::{self, Rows};
use super::searches::{Drawing, DrawnSearch};
use super::sketch::Sketch;
use super::summary::NodeSummary;
use super::words;
use crate::GameTree;
use outrider_tools::pages::svg::{Elements, Picture};

/// Style of a picture, with variables for colours.
pub(super) const STYLE: &str = include_str!("tree.css");

/// Empty border of a picture.
const MARGIN: f64 = 24.0;

/// Height of the heading above a tree.
const HEADING: f64 = 58.0;

/// Baselines of the title and the summary line in it.
const TITLE_BASELINE: f64 = 14.0;
const SUM_BASELINE: f64 = 33.0;

/// Distance between a tree and the next heading.
const SPACE: f64 = 34.0;

/// Minimum width of the contents of a picture.
const MIN_WIDTH: f64 = 380.0;

/// Border of a tree on the page, for the halos and strokes of outer nodes.
const PAGE_MARGIN: f64 = 8.0;

/// Position of the bars of a cut-off on the edge between two bands, as a fraction.
const BARS_AT: f64 = 0.6;

/// Half the length of a bar, and half the distance between two bars.
const HALF_BAR: f64 = 5.0;
const HALF_BETWEEN_BARS: f64 = 2.0;

/// Distance from the middle of a digit to its baseline, for a text of size 1.
const HALF_DIGIT: f64 = 0.35;

/// Draws all searches, one below the other, as a file.
pub(super) fn picture(drawing: &Drawing) -> String {
    let layouts: Vec<_> =
        drawing.searches.iter().map(|search| arranged(&drawing.sketch, search)).collect();
    let width = layouts.iter().map(|(layout, _)| layout.width).fold(MIN_WIDTH, f64::max);
    let heights = layouts.iter().map(|(layout, _)| HEADING + layout.height + SPACE);
    let legend = Rows::new(legend::signs(drawing), width);
    let height = heights.sum::<f64>() + legend.height();
    let mut out = Elements::default();
    let mut top = MARGIN;
    for (search, (layout, texts)) in drawing.searches.iter().zip(&layouts) {
        out.add(format_args!(r#"<g transform="translate({MARGIN} {top:.1})">"#));
        out.text("heading", 0.0, TITLE_BASELINE, &search.title);
        let sum = words::sum(&drawing.sketch, search.value, &search.summary);
        out.text("sum", 0.0, SUM_BASELINE, &sum);
        let indent = (width - layout.width) / 2.0;
        out.add(format_args!(r#"<g transform="translate({indent:.1} {HEADING})">"#));
        DrawnTree { drawing, search, layout, texts, prefix: None }.draw(&mut out);
        out.add("</g>\n</g>");
        top += HEADING + layout.height + SPACE;
    }
    legend.draw(MARGIN, top, &mut out);
    let picture = Picture {
        width: width + 2.0 * MARGIN,
        height: height + 2.0 * MARGIN,
        title: &drawing.heading(),
        style: STYLE,
        elements: &out,
    };
    picture.to_svg()
}

/// Draws one search for the page. It contains every mark that may be needed at some step, and every
/// element has an id that begins with the prefix.
pub(super) fn playable(drawing: &Drawing, search: &DrawnSearch, prefix: &str) -> Elements {
    let (layout, texts) = arranged(&drawing.sketch, search);
    let width = layout.width + 2.0 * PAGE_MARGIN;
    let height = layout.height + 2.0 * PAGE_MARGIN;
    let mut out = Elements::default();
    out.add(format_args!(
        r#"<svg viewBox="-{PAGE_MARGIN} -{PAGE_MARGIN} {width:.0} {height:.0}" style="--natural: {width:.0}px" role="img" aria-label="The tree as {} searches it">"#,
        search.title
    ));
    let (layout, texts) = (&layout, &texts);
    DrawnTree { drawing, search, layout, texts, prefix: Some(prefix) }.draw(&mut out);
    out.add("</svg>");
    out
}

/// Returns the texts of a search's picture and the positions of everything.
pub(super) fn arranged(sketch: &Sketch, search: &DrawnSearch) -> (Layout, Vec<Texts>) {
    let tree = &sketch.tree;
    let texts: Vec<_> = (0..tree.nodes()).map(|node| texts(sketch, search, node)).collect();
    let layout = match sketch.positions() {
        None => Layout::new(tree, &texts),
        Some(_) => Layout::sideways(tree, &texts),
    };
    (layout, texts)
}

fn texts(sketch: &Sketch, search: &DrawnSearch, node: u32) -> Texts {
    let (tree, summary) = (&sketch.tree, &search.summary.nodes[node as usize]);
    let label = sketch.position(node).map(|place| place.label().to_owned()).unwrap_or_default();
    if tree.is_leaf(&node) {
        let value = match sketch.bundle(node) {
            None => tree.value(&node).to_string(),
            Some(1) => String::new(),
            Some(moves) => format!("+{moves}"),
        };
        let below = summary.evaluations.iter().map(ToString::to_string).collect();
        let (longest_value, below) = (value.clone(), words::shortened(below));
        return Texts { value, longest_value, beside: Vec::new(), below, label };
    }
    let value = summary.result().map(|result| result.to_string()).unwrap_or_default();
    let windows = summary.visits.iter().map(|visit| search.search_order.note(visit.window));
    let beside = if search.summary.has_windows { windows.collect() } else { Vec::new() };
    let (longest_value, beside) = (summary.longest_value.clone(), words::shortened(beside));
    Texts { value, longest_value, beside, below: Vec::new(), label }
}

/// The tree of one search.
struct DrawnTree<'a> {
    drawing: &'a Drawing,
    search: &'a DrawnSearch,
    layout: &'a Layout,
    texts: &'a [Texts],
    /// Prefix of ids, if the picture is played.
    prefix: Option<&'a str>,
}

impl DrawnTree<'_> {
    fn draw(&self, out: &mut Elements) {
        let tree = &self.drawing.sketch.tree;
        for node in 0..tree.nodes() {
            self.draw_again(node, out);
        }
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                self.draw_edge(node, tree.child(&node, index), out);
            }
        }
        (0..tree.nodes()).for_each(|node| self.draw_node(node, out));
    }

    fn summary(&self, node: u32) -> &NodeSummary {
        &self.search.summary.nodes[node as usize]
    }

    fn place(&self, node: u32) -> Point {
        self.layout.nodes[node as usize]
    }

    /// Returns the id of a node's element, as an attribute.
    fn id(&self, kind: char, node: u32) -> String {
        self.prefix.map(|prefix| format!(r#" id="{prefix}{kind}{node}""#)).unwrap_or_default()
    }

    /// Returns true if a mark is drawn: always in a played picture, otherwise depending on the summary.
    fn is_drawn(&self, mark: bool) -> bool {
        mark || self.prefix.is_some()
    }

    /// Highlights a node that was searched again, and the edge to it.
    fn draw_again(&self, node: u32, out: &mut Elements) {
        if !self.is_drawn(self.summary(node).again()) {
            return;
        }
        out.add(format_args!("<g{}>", self.id('a', node)));
        if let Some(parent) = self.drawing.parent(node) {
            out.path("again", self.edge(parent, node));
        }
        self.draw_shape("halo", node, out);
        out.add("</g>");
    }

    fn draw_edge(&self, parent: u32, child: u32, out: &mut Elements) {
        let pruned = !self.summary(child).evaluated;
        let class = if pruned { "edge pruned" } else { "edge" };
        let (id, path) = (self.id('e', child), self.edge(parent, child));
        out.add(format_args!(r#"<path{id} class="{class}" d="{path}"/>"#));
        let cut_off = pruned && self.summary(child).left_out && self.summary(parent).evaluated;
        if self.is_drawn(cut_off) {
            let (id, bars) = (self.id('c', child), self.bars(parent, child));
            out.add(format_args!(r#"<path{id} class="bar" d="{bars}"/>"#));
        }
    }

    fn edge(&self, parent: u32, child: u32) -> String {
        let points = self.layout.edge(&self.drawing.sketch.tree, parent, child);
        let commands = ["M", "L", "L", "L"].into_iter().zip(points);
        commands.map(|(command, Point { x, y })| format!("{command}{x:.1} {y:.1}")).collect()
    }

    /// Returns two strokes across an edge.
    fn bars(&self, parent: u32, child: u32) -> String {
        let [_, start, end, _] = self.layout.edge(&self.drawing.sketch.tree, parent, child);
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        let length = dx.hypot(dy);
        let (along, across) = ((dx / length, dy / length), (-dy / length, dx / length));
        let stroke = |offset: f64| {
            let x = start.x + BARS_AT * dx + offset * along.0;
            let y = start.y + BARS_AT * dy + offset * along.1;
            let (x0, y0) = (x - HALF_BAR * across.0, y - HALF_BAR * across.1);
            let (x1, y1) = (x + HALF_BAR * across.0, y + HALF_BAR * across.1);
            format!("M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}")
        };
        stroke(-HALF_BETWEEN_BARS) + &stroke(HALF_BETWEEN_BARS)
    }

    fn draw_shape(&self, class: &str, node: u32, out: &mut Elements) {
        let (Point { x, y }, Layout { radius, half_height, .. }) = (self.place(node), self.layout);
        let is_max = self.drawing.sketch.tree.is_max(&node);
        if matches!(self.layout.growth, Growth::Downwards { .. }) && !is_max {
            out.add(format_args!(
                r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
            ));
            return;
        }
        let (left, top) = (x - radius, y - half_height);
        let (width, height) = (2.0 * radius, 2.0 * half_height);
        let round = if is_max { String::new() } else { format!(r#" rx="{half_height}""#) };
        out.add(format_args!(
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"{round}/>"#
        ));
    }

    fn draw_node(&self, node: u32, out: &mut Elements) {
        let tree = &self.drawing.sketch.tree;
        let summary = self.summary(node);
        let mut class = format!("node {}", words::kind(tree, node).to_lowercase());
        let is_bundle = self.drawing.sketch.bundle(node).is_some();
        for (name, applies) in
            [("leaf", tree.is_leaf(&node)), ("pruned", !summary.evaluated), ("bundle", is_bundle)]
        {
            if applies {
                class += " ";
                class += name;
            }
        }
        out.add(format_args!(r#"<g{} class="{class}">"#, self.id('n', node)));
        out.add(format_args!("<title>{}</title>", tooltip(self.drawing, self.search, node)));
        self.draw_shape("shape", node, out);
        self.draw_texts(node, out);
        out.add("</g>");
    }

    /// Draws the texts in a node, on its edge, beside and below it.
    fn draw_texts(&self, node: u32, out: &mut Elements) {
        let (Point { x, y }, texts) = (self.place(node), &self.texts[node as usize]);
        let value = &texts.value;
        let size = self.layout.value_size(texts);
        let baseline = y + HALF_DIGIT * size;
        out.add(format_args!(
            r#"<text class="value" x="{x:.1}" y="{baseline:.1}" font-size="{size:.1}">{value}</text>"#
        ));
        if !texts.label.is_empty() {
            let Point { x, y } = self.layout.label(node);
            out.text("move", x, y, &texts.label);
        }
        for (line, text) in texts.beside.iter().enumerate() {
            let (Point { x, y }, anchor) = match self.layout.beside(node, line, texts.beside.len())
            {
                Anchor::Start(place) => (place, ""),
                Anchor::Middle(place) => (place, r#" text-anchor="middle""#),
            };
            out.add(format_args!(
                r#"<text class="window"{anchor} x="{x:.1}" y="{y:.1}">{text}</text>"#
            ));
        }
        let evaluations = self.summary(node).evaluations.len();
        for (line, text) in texts.below.iter().enumerate() {
            let Point { x, y } = self.layout.below(node, line, texts);
            let is_last_of_many = line + 1 == texts.below.len() && line + 1 != evaluations;
            let from = if is_last_of_many {
                format!(r#" data-from="{evaluations}""#)
            } else {
                String::new()
            };
            out.add(format_args!(
                r#"<text class="number"{from} x="{x:.1}" y="{y:.1}">{text}</text>"#
            ));
        }
    }
}

/// Returns the tooltip of a node.
fn tooltip(drawing: &Drawing, search: &DrawnSearch, node: u32) -> String {
    let (sketch, summary) = (&drawing.sketch, &search.summary.nodes[node as usize]);
    let tree = &sketch.tree;
    let name = drawing.namer.name(node);
    if sketch.bundle(node).is_some() {
        return format!("{name}, not evaluated");
    }
    let mut text = format!("{} {name}", words::kind(tree, node));
    if tree.is_leaf(&node) {
        let value = tree.value(&node);
        text += &match sketch.positions() {
            None => format!(", leaf {}: {value}", tree.leaf_number(node)),
            Some(_) => format!(", leaf: {value}"),
        };
    }
    if !summary.evaluated {
        text += ", nothing evaluated";
    }
    for visit in &summary.visits {
        let result = visit.result.map(|result| format!(" → {result}")).unwrap_or_default();
        text += &format!("\n{}{result}", search.search_order.note(visit.window));
    }
    text
}
