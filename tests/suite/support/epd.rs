//! Suites of the `epd` folder. Those for perft have a FEN and counts by depth, `FEN ;D1 20 ;D2
//! 400`.

use std::fs;
use std::path::Path;

/// One line of a perft suite.
pub struct PerftCase {
    /// File and line number, for messages.
    pub place: String,
    /// The position.
    pub fen: String,
    /// Depths in plies, with the numbers of leaves.
    pub counts: Vec<(u32, u64)>,
}

/// Returns the lines of a suite of the `epd` folder with their numbers.
fn numbered(file: &str) -> Vec<(usize, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd").join(file);
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    let lines = (1..).zip(text.lines().map(|line| line.trim().to_owned()));
    let lines: Vec<_> = lines.filter(|(_, line)| !line.is_empty()).collect();
    assert!(!lines.is_empty(), "{file} holds no positions");
    lines
}

/// Returns the lines of a suite of the `epd` folder.
pub fn suite(file: &str) -> Vec<String> {
    numbered(file).into_iter().map(|(_, line)| line).collect()
}

/// Reads a perft suite of the `epd` folder.
pub fn read_perft(file: &str) -> Vec<PerftCase> {
    let lines = numbered(file).into_iter();
    lines.map(|(number, line)| perft_case(format!("{file}:{number}"), &line)).collect()
}

fn perft_case(place: String, line: &str) -> PerftCase {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default().to_owned();
    let counts: Vec<_> = fields
        .map(|field| perft_count(field).unwrap_or_else(|| panic!("{place}: \"{field}\"")))
        .collect();
    assert!(!counts.is_empty(), "{place} has no counts");
    PerftCase { place, fen, counts }
}

fn perft_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}
