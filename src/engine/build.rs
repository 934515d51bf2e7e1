//! Finds the network to build in: the one among the sources, or the file named by the environment
//! variable EVALFILE. The number of hidden units in its header becomes a constant of the engine.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The network among the sources, relative to this crate.
const NETWORK: &str = "evaluation/network/default.network";

/// The first bytes of a network file; a byte for the version follows. See evaluation/network/file.rs.
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
        Err(error) => println!("cargo::error=cannot read the network {shown}: {error}"),
    }
}

/// Returns the absolute path of the network. A relative path would not do: `include_bytes!` resolves it
/// from the folder of the source file. A relative EVALFILE starts at the root of the workspace, where
/// cargo and make are run.
fn network_path() -> PathBuf {
    let engine = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    match env::var("EVALFILE") {
        Ok(given) if !given.is_empty() => engine.join("../..").join(given),
        _ => engine.join(NETWORK),
    }
}

/// Reads the number of hidden units from the header of a network file.
fn hidden_units(path: &Path) -> io::Result<u32> {
    let mut header = [0; MAGIC.len() + 1 + 4];
    File::open(path)?.read_exact(&mut header)?;
    let [.., a, b, c, d] = header;
    if !header.starts_with(MAGIC) {
        return Err(io::Error::other("not a network of this engine"));
    }
    Ok(u32::from_le_bytes([a, b, c, d]))
}
