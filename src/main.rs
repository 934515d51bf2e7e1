//! Outrider.
fn main() {}
