//! Pages of HTML and pictures in SVG. Each is one file that needs no other.
//!
//! All have one palette, `palette.css`. Pages use its names; pictures have the colours filled in,
//! since they are shown by programs that know no such names.

pub(crate) mod board;
pub(crate) mod bundle;
pub(crate) mod html;
mod palette;
pub(crate) mod svg;

pub(crate) use html::{Page, escape, fill};

/// The function `letList(...)`: long tables that can be sorted and searched.
pub(crate) const LISTING: &str = include_str!("listing.js");
