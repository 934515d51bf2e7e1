//! Comparison of paths.

use std::path::{Path, PathBuf};

/// Returns true if two paths lead to the same file, which need not exist. Symbolic links are followed.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (resolve(one), resolve(other)) {
        (None, None) => one == other,
        (one, other) => one == other,
    }
}

/// Canonical path of a file; the file may be missing, but its folder must exist.
fn resolve(path: &Path) -> Option<PathBuf> {
    let in_folder = || Some(path.parent()?.join(".").canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn two_spellings_of_a_path_are_the_same_file_whether_it_exists_or_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("old"), "").unwrap();
        let is_same = |one: &str, other: &str| {
            is_same_file(&folder.path().join(one), &folder.path().join(other))
        };
        assert!(is_same("old", "inner/../old") && is_same("new", "inner/../new"));
        assert!(is_same("missing/new", "missing/new"));
        assert!(!is_same("old", "inner/old") && !is_same("old", "new"));
    }
}
