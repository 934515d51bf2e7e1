//! Tells the build which commit it is made from, so that files of games can name it.

use std::path::Path;
use std::process::Command;

fn main() {
    // A path that is not there would make every build begin anew.
    for path in [".git/HEAD", ".git/logs/HEAD"].into_iter().filter(|path| Path::new(path).exists())
    {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=OUTRIDER_COMMIT");
    let given = std::env::var("OUTRIDER_COMMIT").ok();
    let commit = given.or_else(commit_of_checkout).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=OUTRIDER_COMMIT={commit}");
}

/// `None` where there is no checkout, as in a package of the sources.
fn commit_of_checkout() -> Option<String> {
    let git = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(git.stdout).ok()?;
    (git.status.success() && !commit.trim().is_empty()).then(|| commit.trim().to_owned())
}
