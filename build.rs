//! Finds the commit of the checkout, which is written to files of games.

use std::process::Command;

fn main() {
    export_commit();
}

/// Passes `src/main.rs` the commit of the checkout at the last change of the sources. `HEAD` is not
/// watched, since each run of this script compiles this package again, and a commit changes no
/// source. The Makefile passes the current commit.
fn export_commit() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=OUTRIDER_CHECKOUT={}", commit().unwrap_or("unknown".to_owned()));
}

/// Returns the commit of the checkout, or `None` outside of one, such as in a source package.
fn commit() -> Option<String> {
    // `--git-dir`, since the sources may be unpacked within another repository. `--exclude`, since not
    // every checkout has the tags.
    let describe = ["--git-dir=.git", "describe", "--always", "--abbrev=12", "--exclude=*"];
    let output = Command::new("git").args(describe).arg("--dirty=-changed").output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}
