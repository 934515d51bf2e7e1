//! The legend of a picture.

use super::layout::text_width;
use super::record::NodeResult;
use super::searches::Drawing;
use crate::algorithms::SearchOrder;
use outrider_tools::pages::svg::Elements;

/// Height of a row.
const ROW: f64 = 24.0;

/// Distance from the top of a row to the middle of its samples.
const MIDDLE: f64 = 8.0;

/// Half the height of a sample.
const HALF_HEIGHT: f64 = 12.0;

/// Distance between a sample and its text.
const GAP: f64 = 8.0;

/// Distance between a text and the next sample.
const SPACE: f64 = 18.0;

/// Size of the texts, in pixels.
const SIZE: f64 = 12.0;

/// The texts are mostly lower-case letters, which are narrower than those of names and numbers.
const SMALL_LETTERS: f64 = 0.86;

/// A sample, drawn around its centre, and its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    half_width: f64,
    sample: &'static str,
    words: &'static str,
}

impl Sign {
    const fn new(half_width: f64, sample: &'static str, words: &'static str) -> Sign {
        Sign { half_width, sample, words }
    }
}

/// Signs in every picture.
const ALWAYS: [Sign; 7] = [
    Sign::new(
        12.0,
        r#"<g class="max"><rect class="shape" x="-8" y="-8" width="16" height="16"/></g>"#,
        "MAX",
    ),
    Sign::new(12.0, r#"<g class="min"><circle class="shape" r="8"/></g>"#, "MIN"),
    Sign::new(
        12.0,
        r#"<text text-anchor="middle" font-weight="bold" font-size="13" y="4.5">5</text>"#,
        "value of a leaf",
    ),
    Sign::new(12.0, r#"<text class="number" y="4">3</text>"#, "third evaluation"),
    Sign::new(12.0, r#"<g class="pruned"><circle class="shape" r="8"/></g>"#, "not evaluated"),
    Sign::new(
        14.0,
        r#"<path class="edge pruned" d="M-12 0H12"/><path class="bar" d="M-2 -5V5M2 -5V5"/>"#,
        "cut off",
    ),
    Sign::new(
        14.0,
        r#"<path class="again" d="M-8 0H8"/><path class="edge" d="M-12 0H12"/>"#,
        "searched again",
    ),
];

const BOUNDS: Sign = Sign::new(
    16.0,
    r#"<text text-anchor="middle" font-size="13" y="4.5">≥ ≤</text>"#,
    "value at least, at most",
);

const ESTIMATE: Sign = Sign::new(
    10.0,
    r#"<text text-anchor="middle" font-size="13" y="4.5">≈</text>"#,
    "estimate at the limit of the search",
);

const WINDOW: Sign = Sign::new(
    18.0,
    r#"<text class="window" text-anchor="middle" y="4">(2, 5)</text>"#,
    "window (α, β): only values inside matter",
);

const FALLING_MERIT: Sign = Sign::new(
    24.0,
    r#"<text class="window" text-anchor="middle" y="4">merit 7</text>"#,
    "worth at most 7",
);

const RISING_MERIT: Sign = Sign::new(
    24.0,
    r#"<text class="window" text-anchor="middle" y="4">merit 3</text>"#,
    "worth at least 3",
);

const BUNDLE: Sign = Sign::new(
    18.0,
    r#"<g class="min pruned bundle"><rect class="shape" x="-15" y="-8" width="30" height="16"/><text class="value" y="4">+9</text></g>"#,
    "nine other moves",
);

const UNFINISHED: Sign = Sign::new(
    10.0,
    r#"<text text-anchor="middle" font-style="italic" font-size="13" y="4.5">5</text>"#,
    "best so far",
);

/// Returns the signs that a drawing uses.
pub(super) fn signs(drawing: &Drawing) -> Vec<Sign> {
    let any_window = |search_order| {
        drawing
            .searches
            .iter()
            .any(|search| search.search_order == search_order && search.summary.has_windows)
    };
    let is_estimate = |found| matches!(found, Some(NodeResult::Estimate(_)));
    let any_estimate =
        drawing.searches.iter().any(|search| is_estimate(search.summary.nodes[0].result()));
    let any_bound = drawing.searches.iter().any(|search| search.summary.has_windows);
    let sketch = &drawing.sketch;
    let any_bundle = (0..sketch.tree.nodes()).any(|node| sketch.bundle(node) > Some(1));
    let mut signs = ALWAYS.to_vec();
    for (sign, applies) in [
        (WINDOW, any_window(SearchOrder::DepthFirst)),
        (FALLING_MERIT, any_window(SearchOrder::FallingMerit)),
        (RISING_MERIT, any_window(SearchOrder::RisingMerit)),
        (BOUNDS, any_bound),
        (ESTIMATE, any_estimate),
        (BUNDLE, any_bundle),
    ] {
        signs.extend(applies.then_some(sign));
    }
    signs
}

/// Returns the legend as list items.
pub(super) fn for_page(drawing: &Drawing) -> String {
    let item = |Sign { half_width, sample, words }: &Sign| {
        let (width, height) = (2.0 * half_width, 2.0 * HALF_HEIGHT);
        format!(
            r#"<li><svg width="{width}" height="{height}" viewBox="-{half_width} -{HALF_HEIGHT} {width} {height}" aria-hidden="true">{sample}</svg> {words}</li>
"#
        )
    };
    signs(drawing).iter().chain([&UNFINISHED]).map(item).collect()
}

/// Legend of a picture: signs in rows, each with its left end.
pub(super) struct Rows(Vec<Vec<(f64, Sign)>>);

impl Rows {
    /// Arranges signs in rows that are at most as wide as the picture.
    pub(super) fn new(signs: Vec<Sign>, width: f64) -> Rows {
        let mut rows = vec![Vec::new()];
        let mut right = 0.0;
        for sign in signs {
            let wide = 2.0 * sign.half_width + GAP + SMALL_LETTERS * text_width(sign.words, SIZE);
            if right > 0.0 && right + wide > width {
                rows.push(Vec::new());
                right = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((right, sign));
            }
            right += wide + SPACE;
        }
        Rows(rows)
    }

    pub(super) fn height(&self) -> f64 {
        self.0.len() as f64 * ROW
    }

    /// Draws the rows at a position.
    pub(super) fn draw(&self, left: f64, top: f64, out: &mut Elements) {
        for (row, y) in self.0.iter().zip((0..).map(|row| top + f64::from(row) * ROW + MIDDLE)) {
            for (indent, Sign { half_width, sample, words }) in row {
                let (x, words_x) = (left + indent + half_width, half_width + GAP);
                out.add(format_args!(r#"<g transform="translate({x:.1} {y:.1})">{sample}"#));
                out.text("legend", words_x, 4.0, words);
                out.add("</g>");
            }
        }
    }
}
