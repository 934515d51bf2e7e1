//! The frame of an HTML page, and the insertion of texts and data. Pages are also well-formed XML.

use serde_json::Value as Json;

use super::board;
use super::palette::PALETTE;

const FRAME: &str = include_str!("frame.html");

/// Styles shared by all pages.
const THEME: &str = include_str!("theme.css");

/// Icons of buttons, `icon-first` and so on, as SVG symbols.
const ICONS: &str = include_str!("icons.svg");

/// Contents of an HTML page in a single file.
pub struct Page<'a> {
    /// Title, as plain text.
    pub title: &'a str,
    /// Classes of the body.
    pub class: &'a str,
    /// CSS rules that follow the shared rules.
    pub style: &'a str,
    /// HTML of the body.
    pub content: &'a str,
    /// Value of the variable `data` in the script.
    pub data: Json,
    /// JavaScript.
    pub script: &'a str,
    /// The page draws boards and needs the pieces.
    pub has_boards: bool,
}

impl Page<'_> {
    /// Returns the page as a complete HTML document.
    pub fn to_html(&self) -> String {
        self.in_frame(FRAME)
    }

    /// Returns the page in another frame, which may leave out the style and the script.
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
                ("script", self.script),
            ],
        )
    }

    /// Returns all CSS rules of the page.
    pub fn style_sheet(&self) -> String {
        let boards = if self.has_boards { board::STYLE } else { "" };
        [PALETTE, THEME, boards, self.style].concat()
    }
}

/// Returns true if a text is an HTML page of this program that contains the mark.
pub(crate) fn has_mark(text: &str, mark: &str) -> bool {
    text.starts_with("<!DOCTYPE html>") && text.contains(mark)
}

/// Escapes a text for use between tags or in an attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML does not allow other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns data as JSON for a script element. Markup in texts is escaped so that it cannot end the
/// element.
fn embed(data: &Json) -> String {
    data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Replaces the placeholders `{{name}}` of a template. An inserted text that looks like a placeholder is
/// not replaced, so that a player's name cannot insert another text.
pub fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let text = places.iter().find(|(place, _)| *place == name).map_or("", |(_, text)| text);
        filled.push_str(before);
        filled.push_str(text);
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_and_data_contain_no_markup() {
        assert_eq!(escape("<b> & \"x\"\u{1}"), "&lt;b&gt; &amp; &quot;x&quot;\u{fffd}");
        let embedded = embed(&serde_json::json!({ "name": "</script><b>&amp;" }));
        assert!(!embedded.contains(['<', '>', '&']));
        let read: Json = serde_json::from_str(&embedded).unwrap();
        assert_eq!(read["name"], "</script><b>&amp;");
    }

    #[test]
    fn inserted_texts_are_not_treated_as_placeholders() {
        let page = fill("<p>{{a}}</p>{{b}}", &[("a", "{{b}}"), ("b", "x")]);
        assert_eq!(page, "<p>{{b}}</p>x");
    }

    #[test]
    fn only_a_page_with_boards_contains_the_pieces() {
        let page = |has_boards| {
            let (title, class, style, content, script) = ("a < b", "", "", "", "");
            Page { title, class, style, content, data: Json::Null, script, has_boards }.to_html()
        };
        assert!(page(true).contains("<symbol id=\"king\"") && page(true).contains(".dark"));
        assert!(!page(false).contains("<symbol id=\"king\"") && !page(false).contains(".dark"));
        assert!(page(false).contains("<title>a &lt; b</title>"));
    }
}
