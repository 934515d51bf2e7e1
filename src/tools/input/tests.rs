use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

use super::*;

const GAMES: &[u8] = b"[Event \"A\"]\n\n1. e4 e5 *\n";

/// Reads bytes as those of a file.
fn read_bytes(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    let read = read(&path).map_err(|error| error.reason.to_string());
    let checked = check(&path).map_err(|error| error.reason.to_string());
    if let Err(fault) = checked {
        assert_eq!(read, Err(fault), "a check finds no other fault");
    }
    read
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// A frame that decoders skip.
const SKIPPABLE: &[u8] = b"\x50\x2a\x4d\x18\x03\0\0\0abc";

#[test]
fn compressed_text_is_read_in_one_part_or_several() {
    let (first, second) = GAMES.split_at(10);
    let files = [
        GAMES.to_vec(),
        gzip(GAMES),
        [gzip(first), gzip(second)].concat(),
        zstd(GAMES),
        [SKIPPABLE, &zstd(first), SKIPPABLE, &zstd(b""), &zstd(second), SKIPPABLE].concat(),
    ];
    for file in files {
        assert_eq!(read_bytes(&file).as_deref(), Ok(GAMES));
    }
    let large: Vec<u8> =
        (0..300_000).flat_map(|number: u32| number.to_string().into_bytes()).collect();
    assert_eq!(read_bytes(&gzip(&large)).unwrap(), large);
    assert_eq!(read_bytes(&zstd(&large)).unwrap(), large);
}

#[test]
fn utf16_with_a_mark_is_read_as_utf8_even_if_it_is_compressed() {
    let text = "\u{feff}[White \"Grünfeld 𝄞\"]\n\n1. e4 *\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for file in [&little, &big, &gzip(&little), &zstd(&big)] {
        assert_eq!(read_bytes(file).as_deref(), Ok(text.as_bytes()));
    }
}

#[test]
fn other_formats_are_named() {
    let faults: [(&[u8], &str); 6] = [
        (b"PK\x03\x04\x14\0\0\0games.pgn", "it is a zip archive; unpack it first"),
        (b"\xfd7zXZ\0\0", "it is compressed with xz; unpack it first"),
        (b"%PDF-1.7\n", "it is a PDF document"),
        (&[0; 5000], "it is not text"),
        (&gzip(&[0; 5000]), "it is not text"),
        (&gzip(&gzip(GAMES)), "it is compressed twice; unpack it first"),
    ];
    for (bytes, fault) in faults {
        assert_eq!(read_bytes(bytes), Err(fault.to_owned()));
    }
}

#[test]
fn damaged_or_incomplete_compression_is_an_error() {
    let text: Vec<u8> =
        (0..20_000).flat_map(|number: u32| number.to_string().into_bytes()).collect();
    for (format, whole) in [("gzip", gzip(&text)), ("Zstandard", zstd(&text))] {
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x55;
        for bytes in [&whole[..whole.len() - 1], &whole[..middle], &damaged] {
            let fault = read_bytes(bytes).unwrap_err();
            assert!(
                fault.starts_with(&format!("its {format} data is damaged or incomplete: ")),
                "{fault}"
            );
        }
    }
}

#[test]
fn what_is_no_file_is_named_with_the_remedy() {
    let folder = TempDir::new().unwrap();
    let said = |path: &Path| check(path).unwrap_err().to_string();
    let path = folder.path().display();
    assert_eq!(
        said(folder.path()),
        format!("cannot read {path}: it is a folder; give the files in it")
    );
    let missing = said(&folder.path().join("no.pgn"));
    assert!(missing.starts_with(&format!("cannot read {path}/no.pgn: No such file")), "{missing}");
    let address = said(Path::new("https://lichess.org/abcdefgh"));
    assert!(address.contains("it is an address, not a file; download it first"), "{address}");
}

#[test]
#[cfg(unix)]
fn endless_files_are_errors() {
    let error = read(Path::new("/dev/zero")).unwrap_err();
    assert_eq!(error.to_string(), "cannot read /dev/zero: it is not text");
    let endless = io::repeat(b'x');
    let error = decode(Box::new(endless)).unwrap().read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "a line is longer than 64 MiB");
    let many_lines = Endless(b"e4\n");
    let text = decode(Box::new(many_lines)).unwrap();
    let error = bounded_read::read_to_end(text, 1 << 20).unwrap_err();
    assert_eq!(error.to_string(), "it is longer than 1 MiB");
}

/// An input that repeats a text.
struct Endless(&'static [u8]);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len() / self.0.len() * self.0.len();
        buffer.iter_mut().zip(self.0.iter().cycle()).for_each(|(to, &from)| *to = from);
        Ok(length)
    }
}

#[test]
fn the_first_line_of_a_pipe_is_read_before_the_next_one_arrives() {
    let (input, mut output) = io::pipe().unwrap();
    output.write_all(b"e4 e5\n").unwrap();
    let mut line = String::new();
    decode(Box::new(input)).unwrap().read_line(&mut line).unwrap();
    assert_eq!(line, "e4 e5\n");
    drop(output);
}
