//! What pages of HTML have in common. Each is one file that needs no other, well-formed XML too.

use serde_json::Value;

/// Colours for light and dark, and the looks of what stands on every page.
pub const THEME: &str = include_str!("theme.css");

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

/// Data for the page's program, to stand in an element: no text in it may look like markup.
pub fn data(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Puts texts into the places of a template, `{{name}}`. Each is filled once: what looks like a
/// place in a text stays.
pub fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        let text = places.iter().find(|(place, _)| *place == name).map_or("", |(_, text)| text);
        page.push_str(before);
        page.push_str(text);
        rest = behind;
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_place() {
        assert_eq!(escape("<b> & \"x\"\u{1}"), "&lt;b&gt; &amp; &quot;x&quot;\u{fffd}");
        let told = data(&serde_json::json!({ "name": "</script><b>&amp;" }));
        assert!(!told.contains(['<', '>', '&']));
        let read: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(read["name"], "</script><b>&amp;");
    }

    #[test]
    fn a_template_is_filled_once() {
        let page = fill("<p>{{a}}</p>{{b}}", &[("a", "{{b}}"), ("b", "x")]);
        assert_eq!(page, "<p>{{b}}</p>x");
    }
}
