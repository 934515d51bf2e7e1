//! SVG pictures: their frame and their elements.

use std::fmt::{Display, Write as _};

use super::escape;
use super::palette::with_colours;

/// A picture in a file of its own. Its background has the colour of the cards on pages.
pub struct Picture<'a> {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Description for screen readers and tooltips, as plain text.
    pub title: &'a str,
    /// CSS rules with the colour variables of the palette.
    pub style: &'a str,
    /// Elements drawn on the background.
    pub elements: &'a Elements,
}

impl Picture<'_> {
    /// Returns the picture as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let Picture { width, height, elements, .. } = self;
        let title = escape(self.title);
        let style = with_colours(&format!(".ground {{ fill: var(--ground); }}\n{}", self.style));
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

/// Elements of a picture, one per line.
#[derive(Clone, Debug, Default)]
pub struct Elements(String);

impl Elements {
    /// Adds an element, or a part of one, without escaping.
    pub fn add(&mut self, element: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// Adds a text. The position is that of its start, or of its middle or end if the class says so.
    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escape(text);
        self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#));
    }

    /// Adds a path with these commands.
    pub fn path(&mut self, class: &str, commands: impl Display) {
        self.add(format_args!(r#"<path class="{class}" d="{commands}"/>"#));
    }
}

impl Display for Elements {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
