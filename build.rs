//! Finds the commit of the checkout, which files of games name.

use std::process::Command;

fn main() {
    name_checkout();
}

/// Hands `src/main.rs` the commit that the checkout had when the sources last changed. `HEAD` is not
/// watched: whenever this runs, the whole library is compiled again, and a commit changes no source.
/// The Makefile gives the program the commit of the moment.
fn name_checkout() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=OUTRIDER_CHECKOUT={}", commit().unwrap_or("unknown".to_owned()));
}

/// What git calls the checkout; `None` where there is none, as in a package of the sources.
fn commit() -> Option<String> {
    // Only this folder's own repository: sources may be unpacked within another one.
    // Not by a tag: not every checkout has the tags.
    let describe = ["--git-dir=.git", "describe", "--always", "--abbrev=12", "--exclude=*"];
    let ran = Command::new("git").args(describe).arg("--dirty=-changed").output().ok()?;
    let printed = String::from_utf8(ran.stdout).ok()?.trim().to_owned();
    (ran.status.success() && !printed.is_empty()).then_some(printed)
}
