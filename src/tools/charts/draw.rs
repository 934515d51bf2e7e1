//! How charts look. Curves differ in colour and in mark, the colours being those of Okabe and Ito
//! (2008), which people with any kind of colour vision tell apart.

use std::fmt::Display;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::contents::{Chart, Curve, Panel};
use super::scale::Fitted;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<Fitted, Fitted>>;
type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Fitted, Fitted>>;

const PANEL_WIDTH: u32 = 520;
/// A panel that stands alone is wider.
const LONE_PANEL_WIDTH: u32 = 760;
const PANEL_HEIGHT: u32 = 380;
/// Around a panel.
const PANEL_MARGIN: u32 = 10;
/// On the right half of the last number of an axis needs room.
const PANEL_MARGIN_RIGHT: u32 = 24;
/// The height that the numbers below a horizontal axis need, and its title.
const HORIZONTAL_LABELS: u32 = 56;
/// The width that the title left of a vertical axis needs.
const VERTICAL_TITLE: f64 = 44.0;
const TITLE_HEIGHT: u32 = 40;
const TITLE_MIDDLE: i32 = 24;
const NOTE_LINE_HEIGHT: u32 = 22;
const NOTE_LINE_MIDDLE: i32 = 10;
/// Letters of a note's line that the borders of the chart take.
const NOTE_BORDERS: usize = 4;
const LEGEND_LINE_HEIGHT: u32 = 26;
/// From the top of the legend to the middle of its first line.
const LEGEND_LINE_MIDDLE: i32 = 12;
/// Between the names of the legend.
const LEGEND_SPACE: i32 = 16;
/// Left and right of the legend together.
const LEGEND_BORDERS: i32 = 20;
/// Room for a line with its mark in the legend, and how much of that is left free.
const LEGEND_MARK: i32 = 40;
const LEGEND_MARK_GAP: i32 = 8;
/// About the width of a letter.
const LETTER: f64 = 8.0;
const MOST_MARKS: usize = 25;
/// The lengths of the dashes of a level, and of the gaps between them.
const DASH: i32 = 6;
const DASH_GAP: i32 = 5;
const FONT: &str = "sans-serif";
const TITLE_SIZE: u32 = 26;
const CAPTION_SIZE: u32 = 20;
const AXIS_TITLE_SIZE: u32 = 19;
const TEXT_SIZE: u32 = 18;
const NUMBER_SIZE: u32 = 17;
/// A chart wider than the window is made smaller, where a browser shows it.
const FITTING: &str = r#"style="max-width:100%;height:auto""#;
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const FAINT: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);
const LEVEL: RGBColor = RGBColor(0x77, 0x77, 0x77);
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x22, 0x22, 0x22),
];
const MARKS: [Mark; 8] = [
    Mark::Disc,
    Mark::Square,
    Mark::Triangle,
    Mark::Diamond,
    Mark::Cross,
    Mark::Ring,
    Mark::Plus,
    Mark::OpenSquare,
];

#[derive(Clone, Copy)]
enum Mark {
    Disc,
    Square,
    Triangle,
    Diamond,
    Cross,
    Ring,
    Plus,
    OpenSquare,
}

/// The chart as text.
pub(super) fn svg(chart: &Chart) -> Result<String, String> {
    let columns = chart.columns.max(1);
    let rows = chart.panels.len().div_ceil(columns).max(1);
    let width = if columns == 1 { LONE_PANEL_WIDTH } else { PANEL_WIDTH * columns as u32 };
    let note = wrapped(&chart.note, (f64::from(width) / LETTER) as usize - NOTE_BORDERS);
    let head_height = TITLE_HEIGHT + NOTE_LINE_HEIGHT * note.len() as u32;
    let legend = Legend::of(chart, width as i32);
    let height = head_height + PANEL_HEIGHT * rows as u32 + legend.height();
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        root.fill(&WHITE).map_err(reason)?;
        let (head, rest) = root.split_vertically(head_height);
        let (body, foot) = rest.split_vertically(PANEL_HEIGHT * rows as u32);
        draw_head(&chart.title, &note, &head)?;
        for (panel, area) in chart.panels.iter().zip(body.split_evenly((rows, columns))) {
            draw_panel(panel, &legend.names, &area)?;
        }
        legend.draw(&foot)?;
        root.present().map_err(reason)?;
    }
    Ok(text.replacen("<svg ", &format!("<svg {FITTING} "), 1))
}

fn reason(error: impl Display) -> String {
    error.to_string()
}

/// Text in lines of at most `letters` letters.
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

fn draw_head(title: &str, note: &[String], area: &Area) -> Result<(), String> {
    let middle = Pos::new(HPos::Center, VPos::Center);
    let x = area.dim_in_pixel().0 as i32 / 2;
    let style = (FONT, TITLE_SIZE).into_font().style(FontStyle::Bold).color(&INK).pos(middle);
    area.draw(&Text::new(title.to_owned(), (x, TITLE_MIDDLE), style)).map_err(reason)?;
    let style = (FONT, TEXT_SIZE).into_font().color(&INK).pos(middle);
    for (index, line) in (0..).zip(note) {
        let y = (TITLE_HEIGHT + NOTE_LINE_HEIGHT * index) as i32 + NOTE_LINE_MIDDLE;
        area.draw(&Text::new(line.clone(), (x, y), style.clone())).map_err(reason)?;
    }
    Ok(())
}

fn draw_panel(panel: &Panel, names: &[&str], area: &Area) -> Result<(), String> {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let heights = points().flat_map(|point| [point.y - point.error, point.y + point.error]);
    let heights = heights.chain(panel.level.as_ref().map(|(height, _)| *height));
    let x = Fitted::new(&panel.x, points().map(|point| point.x));
    let y = Fitted::new(&panel.y, heights).vertical();
    let mut builder = ChartBuilder::on(area);
    builder.margin(PANEL_MARGIN).margin_right(PANEL_MARGIN_RIGHT);
    builder.x_label_area_size(HORIZONTAL_LABELS).y_label_area_size(label_room(&y));
    if !panel.title.is_empty() {
        builder.caption(&panel.title, (FONT, CAPTION_SIZE).into_font().color(&INK));
    }
    let mut context = builder.build_cartesian_2d(x, y).map_err(reason)?;
    draw_mesh(panel, &mut context)?;
    let plane = context.plotting_area();
    if let Some((height, _)) = panel.level {
        let ends = plane.get_x_range();
        let dashes = dashed([(ends.start, height), (ends.end, height)]);
        plane.draw(&dashes).map_err(reason)?;
    }
    for curve in &panel.curves {
        let style = names.iter().position(|&name| name == curve.name).unwrap_or(0);
        draw_curve(plane, curve, style)?;
    }
    Ok(())
}

/// Width that the numbers or names left of a vertical axis need, and its title.
fn label_room(axis: &Fitted) -> u32 {
    (VERTICAL_TITLE + axis.letters() as f64 * LETTER) as u32
}

fn draw_mesh(panel: &Panel, context: &mut Context<'_, '_>) -> Result<(), String> {
    context
        .configure_mesh()
        .x_desc(panel.x.label())
        .y_desc(panel.y.label())
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style((FONT, NUMBER_SIZE).into_font().color(&INK))
        .axis_desc_style((FONT, AXIS_TITLE_SIZE).into_font().color(&INK))
        .draw()
        .map_err(reason)
}

fn dashed<C: Clone>(ends: [C; 2]) -> DashedPathElement<std::array::IntoIter<C, 2>, i32> {
    DashedPathElement::new(ends, DASH, DASH_GAP, LEVEL.stroke_width(1))
}

fn draw_curve(plane: &Plane<'_>, curve: &Curve, style: usize) -> Result<(), String> {
    let (colour, _) = look(style);
    if curve.joined {
        let path: Vec<_> = curve.points.iter().map(|point| (point.x, point.y)).collect();
        plane.draw(&PathElement::new(path, colour.stroke_width(2))).map_err(reason)?;
    }
    // Marks that touch one another hide the curve.
    let between_marks =
        if curve.joined { curve.points.len().div_ceil(MOST_MARKS).max(1) } else { 1 };
    for point in curve.points.iter().step_by(between_marks) {
        if point.error > 0.0 {
            let ends = [-point.error, point.error].map(|error| (point.x, point.y + error));
            plane.draw(&PathElement::new(ends, colour.stroke_width(1))).map_err(reason)?;
        }
        plane.draw(&mark_at((point.x, point.y), style)).map_err(reason)?;
    }
    Ok(())
}

fn look(style: usize) -> (RGBColor, Mark) {
    (COLOURS[style % COLOURS.len()], MARKS[style % MARKS.len()])
}

/// A mark at a place.
fn mark_at<'a, C: Clone + 'a>(place: C, style: usize) -> DynElement<'a, SVGBackend<'a>, C> {
    let (colour, mark) = look(style);
    let points = match mark {
        Mark::Disc | Mark::Ring => circle(5.0),
        Mark::Square | Mark::OpenSquare => vec![(-4, -4), (4, -4), (4, 4), (-4, 4), (-4, -4)],
        Mark::Triangle => vec![(0, -6), (6, 5), (-6, 5)],
        Mark::Diamond => vec![(0, -7), (6, 0), (0, 7), (-6, 0)],
        Mark::Cross => vec![(-5, -5), (5, 5), (0, 0), (-5, 5), (5, -5)],
        Mark::Plus => vec![(0, -6), (0, 6), (0, 0), (-6, 0), (6, 0)],
    };
    let place = EmptyElement::at(place);
    match mark {
        Mark::Disc | Mark::Square | Mark::Triangle | Mark::Diamond => {
            (place + Polygon::new(points, colour.filled())).into_dyn()
        }
        Mark::Ring | Mark::OpenSquare => {
            let inside = Polygon::new(points.clone(), WHITE.filled());
            (place + inside + PathElement::new(points, colour.stroke_width(2))).into_dyn()
        }
        Mark::Cross | Mark::Plus => {
            (place + PathElement::new(points, colour.stroke_width(2))).into_dyn()
        }
    }
}

/// A closed ring of points around the origin.
fn circle(radius: f64) -> Vec<(i32, i32)> {
    let corner = |index: i32| {
        let (sine, cosine) = (f64::from(index) * std::f64::consts::TAU / 16.0).sin_cos();
        ((radius * cosine).round() as i32, (radius * sine).round() as i32)
    };
    (0..=16).map(corner).collect()
}

/// The names of all curves, and of all levels after them, in lines below the panels.
struct Legend<'a> {
    names: Vec<&'a str>,
    levels: usize,
    /// By name: where in the legend it stands.
    places: Vec<(i32, i32)>,
    lines: u32,
}

impl<'a> Legend<'a> {
    fn of(chart: &'a Chart, width: i32) -> Legend<'a> {
        let mut names: Vec<&str> = Vec::new();
        let mut add = |name: &'a str| {
            let is_new = !names.contains(&name);
            if is_new {
                names.push(name);
            }
            is_new
        };
        for curve in chart.panels.iter().flat_map(|panel| &panel.curves) {
            add(&curve.name);
        }
        let levels = chart.panels.iter().filter_map(|panel| panel.level.as_ref());
        let levels = levels.filter(|(_, name)| add(name)).count();
        let mut places = Vec::new();
        let (mut x, mut line) = (0, 0);
        let mut lines: Vec<Vec<i32>> = vec![Vec::new()];
        for name in &names {
            let room = LEGEND_MARK + (name.chars().count() as f64 * LETTER) as i32 + LEGEND_SPACE;
            if x > 0 && x + room > width - LEGEND_BORDERS {
                (x, line) = (0, line + 1);
                lines.push(Vec::new());
            }
            lines[line].push(room);
            x += room;
        }
        for (line, rooms) in (0..).zip(&lines) {
            let mut x = (width - rooms.iter().sum::<i32>()) / 2;
            for room in rooms {
                places.push((x, LEGEND_LINE_HEIGHT as i32 * line + LEGEND_LINE_MIDDLE));
                x += room;
            }
        }
        Legend { names, levels, places, lines: lines.len() as u32 }
    }

    fn height(&self) -> u32 {
        LEGEND_LINE_HEIGHT * self.lines + LEGEND_LINE_MIDDLE as u32
    }

    fn draw(&self, area: &Area) -> Result<(), String> {
        for (style, (name, &(x, y))) in self.names.iter().zip(&self.places).enumerate() {
            let line = [(x, y), (x + LEGEND_MARK - LEGEND_MARK_GAP, y)];
            if style < self.names.len() - self.levels {
                let line = PathElement::new(line, look(style).0.stroke_width(2));
                area.draw(&line).map_err(reason)?;
                area.draw(&mark_at((x + (LEGEND_MARK - LEGEND_MARK_GAP) / 2, y), style))
                    .map_err(reason)?;
            } else {
                area.draw(&dashed(line)).map_err(reason)?;
            }
            let style = (FONT, TEXT_SIZE).into_font().color(&INK);
            let style = style.pos(Pos::new(HPos::Left, VPos::Center));
            let text = Text::new(name.to_string(), (x + LEGEND_MARK, y), style);
            area.draw(&text).map_err(reason)?;
        }
        Ok(())
    }
}
