//! Functions for fuzzers. Each accepts any bytes and panics if the program breaks a promise.
//!
//! The programs in `fuzz_targets` call them with inputs from libFuzzer. The tests here call them
//! with the seeds in `seeds`, which include all inputs that have ever failed.

#![forbid(unsafe_code)]

mod files;
mod session;
mod text;

pub use files::{book, checkpoint, games, network, tables};
pub use session::session;
pub use text::{epd, fen, line, pgn, trees};

/// Function called by a fuzzer.
pub type Target = fn(&[u8]);

/// All functions, by the names of their programs.
pub const TARGETS: [(&str, Target); 11] = [
    ("book", book),
    ("checkpoint", checkpoint),
    ("epd", epd),
    ("fen", fen),
    ("games", games),
    ("line", line),
    ("network", network),
    ("pgn", pgn),
    ("session", session),
    ("tables", tables),
    ("trees", trees),
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_seeds_pass() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
        assert_eq!(names_in(&seeds), TARGETS.map(|(name, _)| name));
        for (name, target) in TARGETS {
            target(b"");
            let folder = seeds.join(name);
            for seed in names_in(&folder) {
                target(&fs::read(folder.join(seed)).unwrap());
            }
        }
    }
}
