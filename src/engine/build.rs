//! Finds the network to build in: that of the sources, or the file that the variable EVALFILE names. The
//! engine is compiled for the number of hidden units that the network's header tells.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The network of the sources.
const NETWORK: &str = "evaluation/network/default.network";

/// How a network's file begins; a byte for the version follows. See evaluation/network/file.rs.
const MAGIC: &[u8; 7] = b"outrnet";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let path = network_path();
    let shown = path.display();
    println!("cargo::rerun-if-changed={shown}");
    match hidden_units(&path) {
        Ok(hidden) => {
            println!("cargo::rustc-env=OUTRIDER_NETWORK={shown}");
            println!("cargo::rustc-env=OUTRIDER_HIDDEN={hidden}");
        }
        Err(error) => println!("cargo::error=the network {shown} cannot be read: {error}"),
    }
}

/// The absolute path of the network, since the compiler takes a relative one from the file that includes
/// it. A relative EVALFILE begins at the root of the workspace, where people run cargo and make.
fn network_path() -> PathBuf {
    let engine = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    match env::var("EVALFILE") {
        Ok(given) if !given.is_empty() => engine.join("../..").join(given),
        _ => engine.join(NETWORK),
    }
}

/// The hidden units of the network in this file, which follow the magic in its header.
fn hidden_units(path: &Path) -> io::Result<u32> {
    let mut header = [0; MAGIC.len() + 1 + 4];
    File::open(path)?.read_exact(&mut header)?;
    let [.., a, b, c, d] = header;
    if !header.starts_with(MAGIC) {
        return Err(io::Error::other("it is no network of this engine"));
    }
    Ok(u32::from_le_bytes([a, b, c, d]))
}
