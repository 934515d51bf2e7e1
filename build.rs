//! Tells the build which commit it is made from, so that files of games can name it, and which network
//! to build in: that of the sources, or the file that the variable EVALFILE names.

use std::env;
use std::fs;
use std::path::{self, Path};
use std::process::Command;

/// The network of the sources.
const NETWORK: &str = "src/engine/evaluation/network/default.network";

fn main() {
    tell_commit();
    tell_network();
}

fn tell_commit() {
    // Asked of git, since in a linked worktree these files lie elsewhere. A path that is not there
    // would make every build begin anew.
    let watched = ["HEAD", "logs/HEAD"].map(|name| git(&["rev-parse", "--git-path", name]));
    for path in watched.iter().flatten().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-env-changed=OUTRIDER_COMMIT");
    let given = env::var("OUTRIDER_COMMIT").ok();
    // Not by a tag, of which not every checkout knows.
    let describe = ["describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-changed"];
    let checkout = || git(&describe);
    let commit = given.or_else(checkout).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=OUTRIDER_COMMIT={commit}");
}

fn tell_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let given = env::var("EVALFILE").ok().filter(|path| !path.is_empty());
    let path = given.unwrap_or_else(|| NETWORK.to_owned());
    // The compiler would look for it beside the file that includes it.
    match fs::metadata(&path).and_then(|_| path::absolute(&path)) {
        Ok(path) => println!("cargo::rustc-env=OUTRIDER_NETWORK={}", path.display()),
        Err(error) => println!("cargo::error=the network {path} cannot be read: {error}"),
    }
}

/// What git prints; `None` where there is no checkout, as in a package of the sources.
fn git(arguments: &[&str]) -> Option<String> {
    let ran = Command::new("git").args(arguments).output().ok()?;
    let printed = String::from_utf8(ran.stdout).ok()?.trim().to_owned();
    (ran.status.success() && !printed.is_empty()).then_some(printed)
}
