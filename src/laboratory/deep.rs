//! Searches that recurse as deep as the tree.
//!
//! The algorithms are recursive, as in the papers, and a tree may be a chain of hundreds of
//! thousands of nodes. So a search runs on its own thread, with a stack for the height of the tree.
//! Stack memory that is not touched is not used.

use std::io;
use std::panic;
use std::thread::{self, Builder};

use super::tree::GameTree;

/// Maximum stack per level of the tree, with a wide margin. Informed NegaScout needs most.
const BYTES_PER_LEVEL: usize = 4096;

/// Stack for everything else.
const BASE: usize = 1 << 20;

/// Runs a search of a tree on a thread with a large enough stack.
///
/// # Errors
///
/// Fails if there is no memory for the stack.
pub fn with_stack_for<T: GameTree, R: Send>(
    tree: &T,
    search: impl FnOnce() -> R + Send,
) -> io::Result<R> {
    let builder = Builder::new().stack_size(BASE + tree.height() * BYTES_PER_LEVEL);
    thread::scope(|scope| {
        let thread = builder.spawn_scoped(scope, search)?;
        Ok(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}
