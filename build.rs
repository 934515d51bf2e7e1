//! Finds the commit of the checkout, which files of games name, and the network to build in: that of
//! the sources, or the file that the variable EVALFILE names. The engine is compiled for the number of
//! hidden units that the network's header tells.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::path;
use std::process::Command;

/// The network of the sources.
const NETWORK: &str = "src/engine/evaluation/network/default.network";

/// How a network's file begins; a byte for the version follows. See
/// src/engine/evaluation/network/file.rs.
const MAGIC: &[u8; 7] = b"outrnet";

fn main() {
    name_checkout();
    choose_network();
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

fn choose_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let given = env::var("EVALFILE").ok().filter(|path| !path.is_empty());
    let path = given.unwrap_or_else(|| NETWORK.to_owned());
    println!("cargo::rerun-if-changed={path}");
    // The compiler would look for it beside the file that includes it.
    match hidden_units(&path).and_then(|hidden| Ok((hidden, path::absolute(&path)?))) {
        Ok((hidden, path)) => {
            println!("cargo::rustc-env=OUTRIDER_NETWORK={}", path.display());
            println!("cargo::rustc-env=OUTRIDER_HIDDEN={hidden}");
        }
        Err(error) => println!("cargo::error=the network {path} cannot be read: {error}"),
    }
}

/// The hidden units of the network in this file, which follow the magic in its header.
fn hidden_units(path: &str) -> io::Result<u32> {
    let mut header = [0; MAGIC.len() + 1 + 4];
    File::open(path)?.read_exact(&mut header)?;
    let [.., a, b, c, d] = header;
    if !header.starts_with(MAGIC) {
        return Err(io::Error::other("it is no network of this engine"));
    }
    Ok(u32::from_le_bytes([a, b, c, d]))
}
