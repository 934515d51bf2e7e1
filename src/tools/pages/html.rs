//! The frame of a page, and how texts and data come into it. Pages are well-formed XML too.

use serde_json::Value as Json;

use super::board;
use super::palette::PALETTE;

const FRAME: &str = include_str!("frame.html");

/// How what stands on many pages looks.
const THEME: &str = include_str!("theme.css");

/// The signs on buttons, `icon-first` and so on, as SVG symbols.
const ICONS: &str = include_str!("icons.svg");

/// What the pages' programs share.
const COMMON: &str = include_str!("common.js");

/// A page of HTML that is one file: what differs from page to page.
pub struct Page<'a> {
    /// Title, as plain text.
    pub title: &'a str,
    /// The classes of the body.
    pub class: &'a str,
    /// Rules that come after those of all pages.
    pub style: &'a str,
    /// HTML of the body.
    pub content: &'a str,
    /// What the program finds as `data`.
    pub data: Json,
    /// The program; `find`, `make` and, if there are boards, `drawBoard` are known to it.
    pub script: &'a str,
    /// The page draws boards and needs the pieces.
    pub has_boards: bool,
}

impl Page<'_> {
    /// Returns the page as a complete HTML document.
    pub fn to_html(&self) -> String {
        self.in_frame(FRAME)
    }

    /// The page in another frame, which may leave out its style and its program.
    pub fn in_frame(&self, frame: &str) -> String {
        let pieces = if self.has_boards { board::PIECES } else { "" };
        fill(
            frame,
            &[
                ("title", &escape(self.title)),
                ("class", self.class),
                ("style", &self.style_sheet()),
                ("symbols", &[ICONS, pieces].concat()),
                ("content", self.content),
                ("data", &embed(&self.data)),
                ("script", &self.program()),
            ],
        )
    }

    /// All rules of the page.
    pub fn style_sheet(&self) -> String {
        let boards = if self.has_boards { board::STYLE } else { "" };
        [PALETTE, THEME, boards, self.style].concat()
    }

    /// The whole program of the page.
    pub fn program(&self) -> String {
        let boards = if self.has_boards { board::SCRIPT } else { "" };
        [COMMON, boards, self.script].join("\n")
    }
}

/// A text as it stands between tags or in an attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML knows no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Data as JSON in an element: a text in it that looks like markup must not end the element.
fn embed(data: &Json) -> String {
    data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Puts texts into the places of a template, `{{name}}`. Each is filled once: what looks like a
/// place in a text stays, so that nobody's name can take another text's place.
pub fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        let text = places.iter().find(|(place, _)| *place == name).map_or("", |(_, text)| text);
        filled.push_str(before);
        filled.push_str(text);
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_place() {
        assert_eq!(escape("<b> & \"x\"\u{1}"), "&lt;b&gt; &amp; &quot;x&quot;\u{fffd}");
        let embedded = embed(&serde_json::json!({ "name": "</script><b>&amp;" }));
        assert!(!embedded.contains(['<', '>', '&']));
        let read: Json = serde_json::from_str(&embedded).unwrap();
        assert_eq!(read["name"], "</script><b>&amp;");
    }

    #[test]
    fn a_template_is_filled_once() {
        let page = fill("<p>{{a}}</p>{{b}}", &[("a", "{{b}}"), ("b", "x")]);
        assert_eq!(page, "<p>{{b}}</p>x");
    }

    #[test]
    fn only_a_page_with_boards_brings_pieces() {
        let page = |has_boards| {
            let (title, class, style, content, script) = ("a < b", "", "", "", "");
            Page { title, class, style, content, data: Json::Null, script, has_boards }.to_html()
        };
        assert!(page(true).contains("<symbol id=\"king\"") && page(true).contains("drawBoard"));
        assert!(!page(false).contains("<symbol id=\"king\"") && !page(false).contains("drawBoard"));
        assert!(page(false).contains("<title>a &lt; b</title>"));
    }
}
