//! The frame of a picture.

use super::escape;
use super::palette::filled_in;

/// A picture in SVG that is a file of its own. Its ground has the colour of the pages' cards.
pub struct Picture<'a> {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What it shows, as a text; for screen readers and tooltips.
    pub title: &'a str,
    /// How it looks: a rule a line, with the names of the palette's colours.
    pub style: &'a str,
    /// Its elements.
    pub content: &'a str,
}

impl Picture<'_> {
    /// The file.
    pub fn to_svg(&self) -> String {
        let Picture { width, height, content, .. } = self;
        let (title, style) = (escape(self.title), filled_in(self.style));
        let ground = filled_in(".ground { fill: var(--ground); }\n");
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">
<title>{title}</title>
<style>
{ground}{style}</style>
<rect class="ground" width="100%" height="100%"/>
{content}</svg>
"#
        )
    }
}
