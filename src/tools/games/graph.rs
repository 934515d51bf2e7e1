//! The curve of a game: White's winning chance after each move.

use shakmaty::Position as _;

use super::{AnalysedGame, Fault};
use crate::pages::svg::{Elements, Picture};
use crate::pgn::AnnotatedGame;

/// Size of a picture and of the curve in it, in pixels.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 330.0;
const CURVE: Area = Area { width: 884.0, height: 216.0 };

/// Position of the curve in a picture.
const LEFT: f64 = 56.0;
const TOP: f64 = 56.0;

const STYLE: &str = include_str!("graph.css");

/// Size of a drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    /// Width, from the start to the end of the game.
    pub width: f64,
    /// Height; of a curve, from a lost to a won game.
    pub height: f64,
}

/// Second part of a picture's title.
const SHOWN: &str = "White's winning chance after each move";

/// Returns true if a text is a picture made by [`picture`].
pub(crate) fn is_picture(text: &str) -> bool {
    text.starts_with("<svg ") && text.contains(&format!(": {SHOWN}</title>"))
}

/// Returns the picture of a game as an SVG document.
pub(crate) fn picture(game: &AnnotatedGame, analysed: &AnalysedGame) -> String {
    let mut out = Elements::default();
    let title = title(game);
    out.text("heading", LEFT, 28.0, &title);
    out.text("note end", 940.0, 28.0, "White’s winning chance");
    for (percent, share) in [(100, 0.0), (50, 0.5), (0, 1.0)] {
        let y = TOP + share * CURVE.height + 4.0;
        out.text("note end", LEFT - 8.0, y, &format!("{percent} %"));
    }
    out.add(format_args!(r#"<g transform="translate({LEFT} {TOP})">"#));
    out.add(curve(game, analysed, CURVE));
    for (number, share) in ticks(game) {
        let (x, y) = (share * CURVE.width, CURVE.height);
        out.path("tick", format_args!("M{x:.1} {y}v5"));
        out.text("note centred", x, y + 18.0, &number.to_string());
    }
    out.add("</g>");
    for (fault, x) in Fault::ALL.into_iter().zip([LEFT + 4.0, LEFT + 110.0, LEFT + 200.0]) {
        let (name, y) = (fault.name(), HEIGHT - 14.0);
        out.path(&format!("dot {name}"), format_args!("M{x} {}h0", y - 4.0));
        out.text("note", x + 10.0, y, name);
    }
    let picture = Picture {
        width: WIDTH,
        height: HEIGHT,
        title: &format!("{title}: {SHOWN}"),
        style: STYLE,
        elements: &out,
    };
    picture.to_svg()
}

/// Returns the title of a game: its players and its result.
pub(super) fn title(game: &AnnotatedGame) -> String {
    let result = game.result.replace("1/2", "½").replace('-', "–");
    let [white, black] = shakmaty::Color::ALL.map(|color| game.player(color));
    if result == "*" {
        format!("{white} – {black}")
    } else {
        format!("{white} – {black}, {result}")
    }
}

/// Returns the curve, with White's share below it, Black's above it, and a dot at each fault.
pub(super) fn curve(game: &AnnotatedGame, analysed: &AnalysedGame, area: Area) -> Elements {
    let Area { width, height } = area;
    let expected_points = analysed.white_expected_points(game);
    let plies = game.moves.len().max(1) as f64;
    let place = |ply: usize| (ply as f64 / plies * width, (1.0 - expected_points[ply]) * height);
    let points = (0..expected_points.len()).map(|ply| {
        let (x, y) = place(ply);
        format!("{}{x:.1} {y:.1}", if ply == 0 { 'M' } else { 'L' })
    });
    let points: String = points.collect();
    let mut out = Elements::default();
    out.path("black-share", format_args!("M0 0H{width}V{height}H0Z"));
    out.path("white-share", format_args!("{points}V{height}H0Z"));
    out.path("middle", format_args!("M0 {0}H{width}", height / 2.0));
    out.path("curve", &points);
    let mut chess = game.start.clone();
    for (ply, played) in game.moves.iter().enumerate() {
        if let Some(fault) = analysed.fault(game, ply) {
            let ((x, y), name) = (place(ply + 1), fault.name());
            let tooltip = format!("{}: {name}", game.move_name(ply, &chess));
            out.add(format_args!(
                r#"<path class="dot {name}" d="M{x:.1} {y:.1}h0"><title>{tooltip}</title></path>"#
            ));
        }
        chess.play_unchecked(played.mv);
    }
    out
}

/// Returns the labelled move numbers and their positions as shares of the width. A label is at the point
/// after White's move of that number.
pub(super) fn ticks(game: &AnnotatedGame) -> Vec<(u32, f64)> {
    let plies = game.moves.len();
    let first = game.start.fullmoves().get();
    let step = [5, 10, 20, 50, 100].into_iter().find(|step| plies / 2 / step <= 12).unwrap_or(200);
    let begins = |ply: usize| game.mover(ply).is_white();
    let number = |ply: usize| first + ((ply + usize::from(game.mover(0).is_black())) / 2) as u32;
    (0..plies)
        .filter(|&ply| begins(ply) && number(ply).is_multiple_of(step as u32))
        .map(|ply| (number(ply), (ply + 1) as f64 / plies as f64))
        .collect()
}
