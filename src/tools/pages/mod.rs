//! Pages of HTML and pictures in SVG. Each is one file that needs no other.
//!
//! All have one palette, `palette.css`. Pages use its names; pictures have the colours filled in,
//! since they are shown by programs that know no such names.

pub mod board;
pub(crate) mod bundle;
pub(crate) mod html;
mod palette;
pub mod svg;

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

pub use html::{Page, escape, fill};

/// The function `letList(...)`: long tables that can be sorted and searched.
pub(crate) const LISTING: &str = include_str!("listing.js");

/// What stands in an address as it is; names of files have other letters that lead elsewhere (`#`, `?`).
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a file, for links from pages in its folder.
pub(crate) fn address(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    percent_encode(name.as_encoded_bytes(), PLAIN).to_string()
}

/// A text as a part of an address.
pub(crate) fn escaped_address(text: &str) -> String {
    percent_encode(text.as_bytes(), PLAIN).to_string()
}
