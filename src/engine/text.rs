//! Prepares input for error messages.

/// Returns the first 100 characters of a text, for an error message. Control characters are replaced
/// by U+FFFD, and `…` marks a text that was cut.
pub fn shorten(text: &str) -> String {
    const MAX_CHARS: usize = 100;
    let mut short: String =
        text.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_in_messages_are_short_and_printable(text in any::<String>()) {
            let short = shorten(&text);
            prop_assert!(short.chars().count() <= 101);
            prop_assert!(!short.chars().any(char::is_control));
        }
    }
}
