//! Recognises the format of an input by its first bytes.

/// Order of the bytes of UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByteOrder {
    LittleEndian,
    BigEndian,
}

/// Format of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// Text in an encoding that contains ASCII.
    Text,
    /// Text in UTF-16, with a byte-order mark.
    Utf16(ByteOrder),
    Gzip,
    Zstd,
    /// An archive or a compression that is not read.
    Packed(&'static str),
    /// Something else that has a name.
    Other(&'static str),
    /// Unknown binary data.
    Binary,
}

/// Number of bytes after which the formats that need decoding are told apart.
pub(super) const LONGEST_MARK: usize = 4;

/// First bytes of formats that are recognised but not read as text.
const MARKS: [(&[u8], Format); 16] = [
    (b"\x1f\x8b", Format::Gzip),
    (b"\x28\xb5\x2f\xfd", Format::Zstd),
    (b"\xff\xfe", Format::Utf16(ByteOrder::LittleEndian)),
    (b"\xfe\xff", Format::Utf16(ByteOrder::BigEndian)),
    (b"PK\x03\x04", Format::Packed("a zip archive")),
    (b"PK\x05\x06", Format::Packed("an empty zip archive")),
    (b"7z\xbc\xaf\x27\x1c", Format::Packed("a 7z archive")),
    (b"Rar!\x1a\x07", Format::Packed("a RAR archive")),
    (b"\xfd7zXZ\0", Format::Packed("compressed with xz")),
    (b"BZh", Format::Packed("compressed with bzip2")),
    (b"\x04\x22\x4d\x18", Format::Packed("compressed with lz4")),
    (b"%PDF-", Format::Other("a PDF document")),
    (b"\x89PNG", Format::Other("a picture")),
    (b"\xff\xd8\xff", Format::Other("a picture")),
    (b"\x7fELF", Format::Other("a program")),
    (b"SQLite format 3\0", Format::Other("an SQLite database")),
];

/// Location of the mark of a tar archive.
const TAR: (usize, &[u8]) = (257, b"ustar");

impl Format {
    /// Returns the format of an input with these first bytes.
    pub(super) fn recognise(head: &[u8]) -> Format {
        let marked = MARKS.iter().find(|(mark, _)| head.starts_with(mark));
        if let Some(&(_, format)) = marked {
            return format;
        }
        if is_skippable_frame(head) {
            return Format::Zstd;
        }
        if head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
            return Format::Packed("a tar archive");
        }
        let start = head.trim_ascii_start().to_ascii_lowercase();
        if start.starts_with(b"<!doctype html") || start.starts_with(b"<html") {
            return Format::Other("a web page");
        }
        if is_binary(head) { Format::Binary } else { Format::Text }
    }
}

/// Returns true if the bytes begin with a skippable frame of Zstandard, as pzstd writes (RFC 8878,
/// 3.1.2).
fn is_skippable_frame(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Returns true if more than one in 16 bytes is a control character that text does not use. Stray ones
/// are accepted. In random bytes it is one in ten.
fn is_binary(head: &[u8]) -> bool {
    // Ctrl-Z ends old files of DOS; escape sequences and form feeds occur in printouts.
    let is_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1a | 0x1b);
    let controls = head.iter().filter(|&&byte| byte.is_ascii_control() && !is_text(byte)).count();
    controls * 16 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_all_encodings_of_old_files_is_text() {
        let texts: [&[u8]; 8] = [
            b"",
            b"\n",
            b"1. e4 e5 *",
            "\u{feff}[Event \"é\"]".as_bytes(),
            b"[White \"M\xfcller\"]\r\n\r\n1. e4 *\x1a",
            b"[Event \"a stray NUL\0 in a long enough tag\"]",
            b"8/8/8/8/8/8/8/K1k5 w - - bm Ka2;\n\0\x07\n",
            b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;",
        ];
        for text in texts {
            assert_eq!(Format::recognise(text), Format::Text, "{text:?}");
        }
    }

    #[test]
    fn binary_formats_are_named() {
        let cases: [(&[u8], Format); 6] = [
            (b"PK\x03\x04\x14\0\0\0", Format::Packed("a zip archive")),
            (b"\x52\x2a\x4d\x18\x04\0\0\0", Format::Zstd),
            (b"  <!DOCTYPE HTML><html>", Format::Other("a web page")),
            (b"\xff\xfe1\0.\0", Format::Utf16(ByteOrder::LittleEndian)),
            (&[0; 100], Format::Binary),
            (b"1\0.\0 \0e\x004\0", Format::Binary),
        ];
        for (head, format) in cases {
            assert_eq!(Format::recognise(head), format, "{head:?}");
        }
        let mut tar = vec![b'a'; 257];
        tar.extend(b"ustar\0");
        assert_eq!(Format::recognise(&tar), Format::Packed("a tar archive"));
    }
}
