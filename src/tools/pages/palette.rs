//! The palette, and styles in which its variables are replaced by colours.

/// Colours as CSS variables, for pages.
pub(super) const PALETTE: &str = include_str!("palette.css");

/// Returns the style of a picture: colour variables such as `var(--ink)` are replaced by their values. It
/// contains all rules twice, for light and, in a media query, for dark, so that their order is the same.
pub(super) fn with_colours(style: &str) -> String {
    let (light, dark) = PALETTE.split_once("@media").unwrap_or((PALETTE, ""));
    // Colours that the dark palette does not define are those of the light one.
    let in_dark = replaced(&replaced(style, dark), light);
    format!(
        "{}@media screen and (prefers-color-scheme: dark) {{\n{in_dark}}}\n",
        replaced(style, light)
    )
}

fn replaced(style: &str, palette: &str) -> String {
    let colours = palette.split("--").filter_map(|part| part.split_once(';')?.0.split_once(": "));
    colours.fold(style.to_owned(), |style, (name, value)| {
        style.replace(&format!("var(--{name})"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_contains_each_colour_as_a_value_for_light_and_for_dark() {
        let style = "text { fill: var(--ink); }\n.dot { stroke: var(--bad-arrow); }\n";
        let expected = "text { fill: #1f2933; }\n.dot { stroke: #d0343c; }\n\
            @media screen and (prefers-color-scheme: dark) {\n\
            text { fill: #e4e9ee; }\n.dot { stroke: #d0343c; }\n}\n";
        assert_eq!(with_colours(style), expected);
    }
}
