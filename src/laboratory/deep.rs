//! Searches that recurse as deep as the tree is.
//!
//! The algorithms are written as the papers have them, recursively, and a tree may be a chain of
//! hundreds of thousands of nodes. So a search runs on a thread of its own, whose stack is made for
//! the height of the tree; memory of the stack that is not touched is not used.

use std::io;
use std::panic;
use std::thread::{self, Builder};

use super::tree::GameTree;

/// The stack that a level of the tree needs at most, with a wide margin. Informed NegaScout needs
/// most.
const BYTES_PER_LEVEL: usize = 4096;

/// The stack that everything else needs.
const BASE: usize = 1 << 20;

/// Runs a search of a tree.
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
