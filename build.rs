//! Tells the build which commit it is made from, so that files of games can name it.

use std::path::Path;
use std::process::Command;

fn main() {
    // Asked of git, since in a linked worktree these files lie elsewhere. A path that is not there
    // would make every build begin anew.
    let watched = ["HEAD", "logs/HEAD"].map(|name| git(&["rev-parse", "--git-path", name]));
    for path in watched.iter().flatten().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=OUTRIDER_COMMIT");
    let given = std::env::var("OUTRIDER_COMMIT").ok();
    let checkout = || git(&["rev-parse", "--short=12", "HEAD"]);
    let commit = given.or_else(checkout).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=OUTRIDER_COMMIT={commit}");
}

/// What git prints; `None` where there is no checkout, as in a package of the sources.
fn git(arguments: &[&str]) -> Option<String> {
    let ran = Command::new("git").args(arguments).output().ok()?;
    let printed = String::from_utf8(ran.stdout).ok()?.trim().to_owned();
    (ran.status.success() && !printed.is_empty()).then_some(printed)
}
