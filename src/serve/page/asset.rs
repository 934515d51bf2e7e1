//! A file that the page loads, plain and compressed.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A text file. It contains nothing secret, so that its compressed length reveals nothing.
pub(crate) struct Asset {
    /// Media type.
    pub kind: &'static str,
    pub text: String,
    /// The text compressed with gzip; `None` if that failed.
    pub gzip: Option<Vec<u8>>,
}

impl Asset {
    pub(super) fn new(kind: &'static str, text: String) -> Asset {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(text.as_bytes());
        let gzip = written.and_then(|()| encoder.finish()).ok();
        Asset { kind, text, gzip }
    }
}
