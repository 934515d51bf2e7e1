//! Converts UTF-16 to UTF-8.

use std::io::{self, BufRead, Cursor, Read};

use super::format::ByteOrder;

/// Reader of UTF-16 that returns UTF-8. Invalid units become U+FFFD.
pub(super) struct Utf16Reader<R> {
    input: R,
    order: ByteOrder,
    /// First byte of a unit that is not yet complete.
    first_byte: Option<u8>,
    /// First unit of a surrogate pair that is not yet complete.
    high_surrogate: Option<u16>,
    /// Text that was converted and not yet read.
    text: Cursor<Vec<u8>>,
}

impl<R: BufRead> Utf16Reader<R> {
    pub(super) fn new(input: R, order: ByteOrder) -> Utf16Reader<R> {
        let (first_byte, high_surrogate) = (None, None);
        Utf16Reader { input, order, first_byte, high_surrogate, text: Cursor::default() }
    }

    /// Converts the next part of the input. Returns `false` at its end.
    fn convert(&mut self) -> io::Result<bool> {
        let bytes = self.input.fill_buf()?;
        let (length, is_end) = (bytes.len(), bytes.is_empty());
        let mut units: Vec<u16> = self.high_surrogate.take().into_iter().collect();
        for &byte in bytes {
            let Some(first) = self.first_byte.take() else {
                self.first_byte = Some(byte);
                continue;
            };
            units.push(match self.order {
                ByteOrder::LittleEndian => u16::from_le_bytes([first, byte]),
                ByteOrder::BigEndian => u16::from_be_bytes([first, byte]),
            });
        }
        self.input.consume(length);
        if !is_end {
            self.high_surrogate = units.pop_if(|unit| (0xd800..0xdc00).contains(unit));
        } else if self.first_byte.take().is_some() {
            units.push(char::REPLACEMENT_CHARACTER as u16);
        }
        let text = char::decode_utf16(units.iter().copied());
        let text: String = text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        self.text = Cursor::new(text.into_bytes());
        Ok(!is_end || !units.is_empty())
    }
}

impl<R: BufRead> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.convert()? {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    fn converted(bytes: &[u8], order: ByteOrder, capacity: usize) -> String {
        let mut text = String::new();
        let input = BufReader::with_capacity(capacity, bytes);
        Utf16Reader::new(input, order).read_to_string(&mut text).unwrap();
        text
    }

    proptest! {
        #[test]
        fn text_is_the_same_in_both_byte_orders_and_parts_of_any_size(
            text in any::<String>(), capacity in 1..9_usize,
        ) {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            prop_assert_eq!(&converted(&little, ByteOrder::LittleEndian, capacity), &text);
            prop_assert_eq!(&converted(&big, ByteOrder::BigEndian, capacity), &text);
        }
    }

    #[test]
    fn incomplete_characters_are_replaced() {
        for bytes in [&b"a\0\x3d\xd8"[..], b"a\0b", b"a\0\x3d\xd8b\0"] {
            let text = converted(bytes, ByteOrder::LittleEndian, 2);
            assert!(text.starts_with("a\u{fffd}"), "{text:?}");
        }
    }
}
