//! Drawing of charts: panels side by side with one legend below all of them. Curves differ in colour and
//! in mark.

use super::contents::{Chart, Curve, Panel};
use super::scale::FittedAxis;
use crate::pages::svg::{Elements, Picture};

const STYLE: &str = include_str!("chart.css");

const PANEL_WIDTH: f64 = 520.0;
/// A single panel is wider.
const LONE_PANEL_WIDTH: f64 = 760.0;
const PANEL_HEIGHT: f64 = 380.0;
/// Margins between a panel's edges and its plot; the left one excludes the tick labels.
const LEFT: f64 = 54.0;
const RIGHT: f64 = 24.0;
const BELOW: f64 = 66.0;
const ABOVE: f64 = 10.0;
/// Height of a panel's caption.
const CAPTION: f64 = 26.0;
/// Length of a tick.
const TICK: f64 = 5.0;
/// Distance from the middle of a digit to its baseline.
const HALF_DIGIT: f64 = 4.5;

const TITLE_BASELINE: f64 = 31.0;
/// Height of the title, and of each line of the note below it.
const TITLE_HEIGHT: f64 = 40.0;
const NOTE_LINE_HEIGHT: f64 = 22.0;
const NOTE_BASELINE: f64 = 14.0;
/// Width of the borders left and right of the note together, in characters.
const NOTE_BORDERS: usize = 4;

const LEGEND_LINE_HEIGHT: f64 = 26.0;
/// Distance from the top of the legend to the middle of its first line.
const LEGEND_MIDDLE: f64 = 12.0;
/// Space after each name of the legend.
const LEGEND_SPACE: f64 = 16.0;
/// Width of the borders left and right of the legend together.
const LEGEND_BORDERS: f64 = 20.0;
/// Width of a sample in the legend, and of the gap after it.
const SAMPLE: f64 = 32.0;
const SAMPLE_GAP: f64 = 8.0;

/// Approximate width of a character.
const LETTER: f64 = 8.0;
/// Maximum number of marks on a joined curve. With more points, only every second point has a mark, or
/// every third, and so on.
const MAX_MARKS: usize = 25;

/// Number of curve colours in the palette.
const COLOURS: usize = 7;

/// Classes and shapes of the marks. There are eight marks for seven colours, so the eighth curve has the
/// first colour with another mark.
const MARKS: [(&str, &str); 8] = [
    ("solid", DISC),
    ("solid", SQUARE),
    ("solid", "m0-6l6 11h-12z"),
    ("solid", "m0-7l6 7l-6 7l-6-7z"),
    ("stroke", "m-5-5l10 10m0-10l-10 10"),
    ("open", DISC),
    ("stroke", "m0-6v12m-6-6h12"),
    ("open", SQUARE),
];
const DISC: &str = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z";
const SQUARE: &str = "m-4-4h8v8h-8z";

/// Returns the chart as an SVG document.
pub(super) fn svg(chart: &Chart) -> String {
    let columns = chart.columns.max(1);
    let panel_width = if columns == 1 { LONE_PANEL_WIDTH } else { PANEL_WIDTH };
    let width = panel_width * columns as f64;
    let mut out = Elements::default();
    let middle = width / 2.0;
    out.text("title middle", middle, TITLE_BASELINE, &chart.title);
    let mut top = TITLE_HEIGHT;
    for line in wrapped(&chart.note, (width / LETTER) as usize - NOTE_BORDERS) {
        out.text("middle", middle, top + NOTE_BASELINE, &line);
        top += NOTE_LINE_HEIGHT;
    }
    let legend = Legend::new(chart);
    for row in chart.panels.chunks(columns) {
        for (column, panel) in row.iter().enumerate() {
            let left = column as f64 * panel_width;
            Plot::new(panel, left, top, panel_width).draw(panel, &legend, &mut out);
        }
        top += PANEL_HEIGHT;
    }
    let height = legend.draw(width, top, &mut out);
    let picture = Picture { width, height, title: &chart.title, style: STYLE, elements: &out };
    picture.to_svg()
}

/// Breaks a text into lines of at most `letters` characters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The area of a panel in which its curves are drawn.
struct Plot {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    x: FittedAxis,
    y: FittedAxis,
}

impl Plot {
    /// Creates the plot of a panel with this top left corner and width.
    fn new(panel: &Panel, left: f64, top: f64, width: f64) -> Plot {
        let points = || panel.curves.iter().flat_map(|curve| &curve.points);
        let heights = points().flat_map(|point| [point.y - point.error, point.y + point.error]);
        let heights = heights.chain(panel.level.as_ref().map(|(height, _)| *height));
        let x = FittedAxis::new(&panel.x, points().map(|point| point.x));
        let y = FittedAxis::new(&panel.y, heights).vertical();
        Plot {
            left: left + LEFT + y.letters() as f64 * LETTER,
            top: top + ABOVE + if panel.title.is_empty() { 0.0 } else { CAPTION },
            right: left + width - RIGHT,
            bottom: top + PANEL_HEIGHT - BELOW,
            x,
            y,
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.share(value) * (self.bottom - self.top)
    }

    fn draw(&self, panel: &Panel, legend: &Legend<'_>, out: &mut Elements) {
        self.draw_axes(panel, out);
        if let Some((height, _)) = panel.level {
            out.path(
                "level",
                format_args!("M{:.1} {:.1}H{:.1}", self.left, self.y(height), self.right),
            );
        }
        for curve in &panel.curves {
            self.draw_curve(curve, legend.style(&curve.name), out);
        }
    }

    fn draw_axes(&self, panel: &Panel, out: &mut Elements) {
        let Plot { left, top, right, bottom, .. } = *self;
        let middle = f64::midpoint(left, right);
        out.text("caption middle", middle, top - 8.0, &panel.title);
        for (value, label) in self.x.ticks() {
            let x = self.x(*value);
            out.path("grid", format_args!("M{x:.1} {top:.1}V{bottom:.1}"));
            out.path("axis", format_args!("M{x:.1} {bottom:.1}v{TICK}"));
            out.text("number middle", x, bottom + 20.0, label);
        }
        for (value, label) in self.y.ticks() {
            let y = self.y(*value);
            out.path("grid", format_args!("M{left:.1} {y:.1}H{right:.1}"));
            out.path("axis", format_args!("M{left:.1} {y:.1}h-{TICK}"));
            out.text("number end", left - 10.0, y + HALF_DIGIT, label);
        }
        out.path("axis", format_args!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}"));
        out.text("axis-title middle", middle, bottom + 52.0, &panel.x.label());
        let (x, y) = (left - self.y.letters() as f64 * LETTER - 33.0, f64::midpoint(top, bottom));
        out.add(format_args!(r#"<g transform="translate({x:.1} {y:.1}) rotate(-90)">"#));
        out.text("axis-title middle", 0.0, 0.0, &panel.y.label());
        out.add("</g>");
    }

    fn draw_curve(&self, curve: &Curve, style: usize, out: &mut Elements) {
        let points = curve.points.iter().map(|point| (self.x(point.x), self.y(point.y), point));
        // Points that are not finite are left out.
        let points: Vec<_> = points.filter(|(x, y, _)| x.is_finite() && y.is_finite()).collect();
        out.add(format_args!(r#"<g class="{}">"#, colour(style)));
        if curve.joined && !points.is_empty() {
            let to = |(x, y, _): &(f64, f64, _)| format!(" {x:.1} {y:.1}");
            let line: String = points.iter().map(to).collect();
            out.path("line", format_args!("M{line}"));
        }
        let between = if curve.joined { points.len().div_ceil(MAX_MARKS).max(1) } else { 1 };
        for (x, y, point) in points.iter().step_by(between) {
            if point.error > 0.0 {
                let [from, to] = [point.y - point.error, point.y + point.error].map(|y| self.y(y));
                out.path("error", format_args!("M{x:.1} {from:.1}V{to:.1}"));
            }
            draw_mark(*x, *y, style, out);
        }
        out.add("</g>");
    }
}

/// Returns the class of a curve's colour.
fn colour(style: usize) -> String {
    format!("series-{}", style % COLOURS + 1)
}

fn draw_mark(x: f64, y: f64, style: usize, out: &mut Elements) {
    let (class, shape) = MARKS[style % MARKS.len()];
    out.path(class, format_args!("M{x:.1} {y:.1}{shape}"));
}

/// Names of all curves, followed by the names of all levels.
struct Legend<'a> {
    /// Names; the flag is true if one of the curves with this name is joined by a line.
    curves: Vec<(&'a str, bool)>,
    levels: Vec<&'a str>,
}

impl<'a> Legend<'a> {
    fn new(chart: &'a Chart) -> Legend<'a> {
        let mut legend = Legend { curves: Vec::new(), levels: Vec::new() };
        for curve in chart.panels.iter().flat_map(|panel| &panel.curves) {
            match legend.curves.iter_mut().find(|(name, _)| *name == curve.name) {
                Some((_, joined)) => *joined |= curve.joined,
                None => legend.curves.push((&curve.name, curve.joined)),
            }
        }
        for (_, name) in chart.panels.iter().filter_map(|panel| panel.level.as_ref()) {
            if !legend.levels.contains(&name.as_str()) {
                legend.levels.push(name);
            }
        }
        legend
    }

    /// Index of the colour and mark for curves with this name.
    fn style(&self, name: &str) -> usize {
        self.curves.iter().position(|(known, _)| *known == name).unwrap_or(0)
    }

    /// Draws the names in centred lines; returns the lower end of the legend.
    fn draw(&self, width: f64, top: f64, out: &mut Elements) -> f64 {
        let names = self.curves.iter().map(|(name, _)| *name).chain(self.levels.iter().copied());
        let mut lines: Vec<Vec<(usize, &str, f64)>> = vec![Vec::new()];
        let mut right = 0.0;
        for (index, name) in names.enumerate() {
            let room = SAMPLE + SAMPLE_GAP + name.chars().count() as f64 * LETTER + LEGEND_SPACE;
            if right > 0.0 && right + room > width - LEGEND_BORDERS {
                lines.push(Vec::new());
                right = 0.0;
            }
            right += room;
            lines.last_mut().expect("there is a line").push((index, name, room));
        }
        let mut y = top + LEGEND_MIDDLE;
        for line in &lines {
            let mut x = (width - line.iter().map(|(_, _, room)| room).sum::<f64>()) / 2.0;
            for &(index, name, room) in line {
                self.draw_sample(index, x, y, out);
                out.text("", x + SAMPLE + SAMPLE_GAP, y + HALF_DIGIT, name);
                x += room;
            }
            y += LEGEND_LINE_HEIGHT;
        }
        y
    }

    fn draw_sample(&self, index: usize, x: f64, y: f64, out: &mut Elements) {
        let line = format!("M{x:.1} {y:.1}h{SAMPLE}");
        match self.curves.get(index) {
            None => out.path("level", line),
            Some(&(_, joined)) => {
                out.add(format_args!(r#"<g class="{}">"#, colour(index)));
                if joined {
                    out.path("line", line);
                }
                draw_mark(x + SAMPLE / 2.0, y, index, out);
                out.add("</g>");
            }
        }
    }
}
