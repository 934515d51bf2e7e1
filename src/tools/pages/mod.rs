//! HTML pages and SVG pictures. Each is a single file that needs no other.
//!
//! All use the palette in `palette.css`. Pages use its CSS variables; pictures contain the values, since
//! some viewers of pictures do not support CSS variables.

pub mod board;
pub(crate) mod bundle;
pub(crate) mod html;
mod palette;
mod script;
mod stage;
pub mod svg;

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

pub(crate) use html::has_mark;
pub use html::{Page, escape, fill};
pub use script::{Module, script};
pub use stage::NOTES_STYLE;
pub(crate) use stage::stage_page;

/// Characters that are percent-encoded in an address. Unencoded, `#` and `?` in a file name would change
/// the meaning of the address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the address of a file for links from pages in the same folder.
pub(crate) fn address(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    percent_encode(name.as_encoded_bytes(), ENCODED).to_string()
}

/// Percent-encodes a text as part of an address.
pub(crate) fn escaped_address(text: &str) -> String {
    percent_encode(text.as_bytes(), ENCODED).to_string()
}
