//! Pictures of searched trees, in SVG: one as a file of its own, and one that the page plays.

use std::fmt::{self, Write};

use super::layout::{Anchor, Growth, Layout, Point, Texts};
use super::legend::{self, Rows};
use super::run::{Drawing, Run};
use super::sketch::Sketch;
use super::story::NodeStory;
use super::words;
use crate::laboratory::GameTree;
use crate::tools::pages::Picture;

/// How a picture looks, with names for colours.
pub const STYLE: &str = include_str!("tree.css");

/// The empty border of a picture.
const MARGIN: f64 = 24.0;

/// The height of what stands above a tree.
const HEADING: f64 = 58.0;

/// Where in it the title and the sum are written.
const TITLE_BASELINE: f64 = 14.0;
const SUM_BASELINE: f64 = 33.0;

/// Between a tree and the heading of the next.
const SPACE: f64 = 34.0;

/// The least width of what a picture holds.
const LEAST_WIDTH: f64 = 380.0;

/// The border of a tree on the page, in which the halos of outer nodes and their strokes lie.
const PAGE_MARGIN: f64 = 8.0;

/// How far down an edge's way between two bands the bars of a cut-off are.
const BARS_AT: f64 = 0.6;

/// Half the length of a bar, and half of what is between two.
const HALF_BAR: f64 = 5.0;
const HALF_BETWEEN_BARS: f64 = 2.0;

/// From the middle of a digit to its base line, for a text of size 1.
const HALF_DIGIT: f64 = 0.35;

/// Draws all searches, one below the other, as a file.
pub fn picture(drawing: &Drawing) -> String {
    let layouts: Vec<_> = drawing.runs.iter().map(|run| arranged(&drawing.sketch, run)).collect();
    let width = layouts.iter().map(|(layout, _)| layout.width).fold(LEAST_WIDTH, f64::max);
    let heights = layouts.iter().map(|(layout, _)| HEADING + layout.height + SPACE);
    let legend = Rows::new(legend::signs(drawing), width);
    let height = heights.sum::<f64>() + legend.height();
    let mut content = String::new();
    let written = write_searches(drawing, &layouts, width, &legend, &mut content);
    written.expect("a String takes all text");
    let picture = Picture {
        width: width + 2.0 * MARGIN,
        height: height + 2.0 * MARGIN,
        title: &drawing.heading(),
        style: STYLE,
        content: &content,
    };
    picture.to_svg()
}

fn write_searches(
    drawing: &Drawing,
    layouts: &[(Layout, Vec<Texts>)],
    width: f64,
    legend: &Rows,
    out: &mut String,
) -> fmt::Result {
    let mut top = MARGIN;
    for (run, (layout, texts)) in drawing.runs.iter().zip(layouts) {
        writeln!(out, r#"<g transform="translate({MARGIN} {top:.1})">"#)?;
        writeln!(out, r#"<text class="heading" y="{TITLE_BASELINE}">{}</text>"#, run.title)?;
        let sum = words::sum(&drawing.sketch, run.value, &run.story);
        writeln!(out, r#"<text class="sum" y="{SUM_BASELINE}">{sum}</text>"#)?;
        let indent = (width - layout.width) / 2.0;
        writeln!(out, r#"<g transform="translate({indent:.1} {HEADING})">"#)?;
        DrawnTree { drawing, run, layout, texts, prefix: None }.write(out)?;
        writeln!(out, "</g>\n</g>")?;
        top += HEADING + layout.height + SPACE;
    }
    legend.write(MARGIN, top, out)
}

/// Draws one search for the page. Every mark that may be wanted at some time is there, and every
/// element has an id that begins with the prefix.
pub fn playable(drawing: &Drawing, run: &Run, prefix: &str) -> String {
    let (layout, texts) = arranged(&drawing.sketch, run);
    let tree = DrawnTree { drawing, run, layout: &layout, texts: &texts, prefix: Some(prefix) };
    let mut text = String::new();
    let width = layout.width + 2.0 * PAGE_MARGIN;
    let height = layout.height + 2.0 * PAGE_MARGIN;
    let mut write = || {
        writeln!(
            text,
            r#"<svg viewBox="-{PAGE_MARGIN} -{PAGE_MARGIN} {width:.0} {height:.0}" style="--natural: {width:.0}px" role="img" aria-label="The tree as {} searches it">"#,
            run.title
        )?;
        tree.write(&mut text)?;
        writeln!(text, "</svg>")
    };
    write().expect("a String takes all text");
    text
}

/// What is written in a search's picture, and where everything stands.
pub fn arranged(sketch: &Sketch, run: &Run) -> (Layout, Vec<Texts>) {
    let tree = &sketch.tree;
    let texts: Vec<_> = (0..tree.nodes()).map(|node| texts(sketch, run, node)).collect();
    let layout = match sketch.places() {
        None => Layout::new(tree, &texts),
        Some(_) => Layout::sideways(tree, &texts),
    };
    (layout, texts)
}

fn texts(sketch: &Sketch, run: &Run, node: u32) -> Texts {
    let (tree, story) = (&sketch.tree, &run.story.nodes[node as usize]);
    let label = sketch.place(node).map(|place| place.label().to_owned()).unwrap_or_default();
    if tree.is_leaf(&node) {
        let value = match sketch.bundle(node) {
            None => tree.value(&node).to_string(),
            Some(1) => String::new(),
            Some(moves) => format!("+{moves}"),
        };
        let below = story.evaluations.iter().map(ToString::to_string).collect();
        let (longest_value, below) = (value.clone(), words::shortened(below));
        return Texts { value, longest_value, beside: Vec::new(), below, label };
    }
    let value = story.result().map(|result| result.to_string()).unwrap_or_default();
    let windows = story.visits.iter().map(|visit| run.manner.note(visit.window));
    let beside = if run.story.has_windows { windows.collect() } else { Vec::new() };
    let (longest_value, beside) = (story.longest_value.clone(), words::shortened(beside));
    Texts { value, longest_value, beside, below: Vec::new(), label }
}

/// One tree.
struct DrawnTree<'a> {
    drawing: &'a Drawing,
    run: &'a Run,
    layout: &'a Layout,
    texts: &'a [Texts],
    /// How ids begin, if the picture is played.
    prefix: Option<&'a str>,
}

impl DrawnTree<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let tree = &self.drawing.sketch.tree;
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
        let cut_off = pruned && self.story(child).left_out && self.story(parent).evaluated;
        if self.is_wanted(cut_off) {
            let (id, bars) = (self.id('c', child), self.bars(parent, child));
            writeln!(out, r#"<path{id} class="bar" d="{bars}"/>"#)?;
        }
        Ok(())
    }

    fn edge(&self, parent: u32, child: u32) -> String {
        let points = self.layout.edge(&self.drawing.sketch.tree, parent, child);
        let commands = ["M", "L", "L", "L"].into_iter().zip(points);
        commands.map(|(command, Point { x, y })| format!("{command}{x:.1} {y:.1}")).collect()
    }

    /// Two strokes across an edge.
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

    fn write_shape(&self, class: &str, node: u32, out: &mut String) -> fmt::Result {
        let (Point { x, y }, Layout { radius, half_height, .. }) = (self.place(node), self.layout);
        let is_max = self.drawing.sketch.tree.is_max(&node);
        if matches!(self.layout.growth, Growth::Downwards { .. }) && !is_max {
            return write!(
                out,
                r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
            );
        }
        let (left, top) = (x - radius, y - half_height);
        let (width, height) = (2.0 * radius, 2.0 * half_height);
        let round = if is_max { String::new() } else { format!(r#" rx="{half_height}""#) };
        write!(
            out,
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"{round}/>"#
        )
    }

    fn write_node(&self, node: u32, out: &mut String) -> fmt::Result {
        let tree = &self.drawing.sketch.tree;
        let Point { x, y } = self.place(node);
        let (story, texts) = (self.story(node), &self.texts[node as usize]);
        let mut class = format!("node {}", words::kind(tree, node).to_lowercase());
        let is_bundle = self.drawing.sketch.bundle(node).is_some();
        for (name, applies) in
            [("leaf", tree.is_leaf(&node)), ("pruned", !story.evaluated), ("bundle", is_bundle)]
        {
            if applies {
                write!(class, " {name}")?;
            }
        }
        writeln!(out, r#"<g{} class="{class}">"#, self.id('n', node))?;
        writeln!(out, "<title>{}</title>", tooltip(self.drawing, self.run, node))?;
        self.write_shape("shape", node, out)?;
        let value = &texts.value;
        let size = self.layout.value_size(texts);
        let baseline = y + HALF_DIGIT * size;
        writeln!(
            out,
            r#"<text class="value" x="{x:.1}" y="{baseline:.1}" font-size="{size:.1}">{value}</text>"#
        )?;
        self.write_label(node, out)?;
        for (line, text) in texts.beside.iter().enumerate() {
            let (Point { x, y }, anchor) = match self.layout.beside(node, line, texts.beside.len())
            {
                Anchor::Start(place) => (place, ""),
                Anchor::Middle(place) => (place, r#" text-anchor="middle""#),
            };
            writeln!(out, r#"<text class="window"{anchor} x="{x:.1}" y="{y:.1}">{text}</text>"#)?;
        }
        let evaluations = story.evaluations.len();
        for (line, text) in texts.below.iter().enumerate() {
            let Point { x, y } = self.layout.below(node, line, texts);
            let is_last_of_many = line + 1 == texts.below.len() && line + 1 != evaluations;
            let from = if is_last_of_many {
                format!(r#" data-from="{evaluations}""#)
            } else {
                String::new()
            };
            writeln!(out, r#"<text class="number"{from} x="{x:.1}" y="{y:.1}">{text}</text>"#)?;
        }
        writeln!(out, "</g>")
    }

    /// The move that leads to the node.
    fn write_label(&self, node: u32, out: &mut String) -> fmt::Result {
        let label = &self.texts[node as usize].label;
        if label.is_empty() {
            return Ok(());
        }
        let Point { x, y } = self.layout.label(node);
        writeln!(out, r#"<text class="move" x="{x:.1}" y="{y:.1}">{label}</text>"#)
    }
}

/// What is known of a node, as its tooltip.
fn tooltip(drawing: &Drawing, run: &Run, node: u32) -> String {
    let (sketch, story) = (&drawing.sketch, &run.story.nodes[node as usize]);
    let tree = &sketch.tree;
    let name = drawing.namer.name(node);
    if sketch.bundle(node).is_some() {
        return format!("{name}, not evaluated");
    }
    let mut text = format!("{} {name}", words::kind(tree, node));
    if tree.is_leaf(&node) {
        let value = tree.value(&node);
        text += &match sketch.places() {
            None => format!(", leaf {}: {value}", tree.leaf_number(node)),
            Some(_) => format!(", leaf: {value}"),
        };
    }
    if !story.evaluated {
        text += ", nothing evaluated";
    }
    for visit in &story.visits {
        let result = visit.result.map(|result| format!(" → {result}")).unwrap_or_default();
        text += &format!("\n{}{result}", run.manner.note(visit.window));
    }
    text
}
