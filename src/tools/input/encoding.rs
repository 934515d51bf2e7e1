//! Decodes text of games and test positions.

use std::borrow::Cow;
use std::string::FromUtf8Error;

/// Characters of the bytes 0x80 to 0x9f in Windows-1252 as web browsers read it: bytes without a
/// character are control characters. All other bytes are as in Latin-1.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡',
    'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—',
    '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes a text. Each line is decoded as UTF-8 or, if it is not valid, as Windows-1252, which has the
/// letters of Latin-1, and quotes and dashes. Many old files use it, and collections contain both.
pub fn decode_text(bytes: Vec<u8>) -> String {
    let by_lines = |error: FromUtf8Error| {
        error.as_bytes().split_inclusive(|&byte| byte == b'\n').map(decode_line).collect()
    };
    String::from_utf8(bytes).unwrap_or_else(by_lines)
}

/// Decodes a line as [`decode_text`] does.
pub fn decode_line(line: &[u8]) -> Cow<'_, str> {
    let windows = |_| line.iter().map(|&byte| windows_1252(byte)).collect();
    str::from_utf8(line).map_or_else(windows, Cow::Borrowed)
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_utf8_or_windows_1252() {
        let mixed = b"M\xc3\xbcller\nO\x92Kelly \x96 M\xfcller \x80\n\xff";
        let decoded = "M\u{fc}ller\nO\u{2019}Kelly \u{2013} M\u{fc}ller \u{20ac}\n\u{ff}";
        assert_eq!(decode_text(mixed.to_vec()), decoded);
        assert_eq!(decode_line(b"plain"), Cow::Borrowed("plain"));
    }
}
