//! Pictures in SVG: their frame, and their elements as text.

use std::fmt::{Display, Write as _};

use super::escape;
use super::palette::filled_in;

/// A picture that is a file of its own. Its ground has the colour of the pages' cards.
pub struct Picture<'a> {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// What it shows, as a text; for screen readers and tooltips.
    pub title: &'a str,
    /// How it looks, with the names of the palette's colours.
    pub style: &'a str,
    /// What stands on its ground.
    pub elements: &'a Elements,
}

impl Picture<'_> {
    /// Returns the picture as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let Picture { width, height, elements, .. } = self;
        let title = escape(self.title);
        let style = filled_in(&format!(".ground {{ fill: var(--ground); }}\n{}", self.style));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">
<title>{title}</title>
<style>
{style}</style>
<rect class="ground" width="100%" height="100%"/>
{elements}</svg>
"#
        )
    }
}

/// Elements of a picture, one a line.
#[derive(Clone, Debug, Default)]
pub struct Elements(String);

impl Elements {
    /// Adds an element, or a part of one, as it is written.
    pub fn add(&mut self, element: impl Display) {
        // A String takes all text.
        let _ = writeln!(self.0, "{element}");
    }

    /// Adds a text; where its class says so, the place is that of its middle or its end.
    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escape(text);
        self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#));
    }

    /// Adds a path of these commands.
    pub fn path(&mut self, class: &str, commands: impl Display) {
        self.add(format_args!(r#"<path class="{class}" d="{commands}"/>"#));
    }
}

impl Display for Elements {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
