//! Tests of the algorithms against the theorems of their papers.

mod definitions;
mod names;
mod printed;
mod reports;
mod theorems;

use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::testing::{Sequence, TestTree};
use crate::{ExplicitTree, Value, Window};

/// The value that an algorithm returns for a tree, and the leaves it evaluates.
fn run_with(
    algorithm: Algorithm,
    sketch: &TestTree,
    settings: &AlgorithmSettings,
) -> (Value, Sequence) {
    let mut sequence = Sequence::default();
    let value = algorithm.solve(&sketch.tree(), settings, &mut sequence);
    (value, sequence)
}

/// Leaves that an algorithm evaluates with the default settings.
fn leaves_of(algorithm: Algorithm, sketch: &TestTree) -> Sequence {
    run_with(algorithm, sketch, &AlgorithmSettings::default()).1
}

/// Result of a search with a window, and the leaves it evaluates.
fn in_window(
    solve: fn(&ExplicitTree, Window, &mut Sequence) -> Value,
    sketch: &TestTree,
    window: Window,
) -> (Value, Sequence) {
    let mut sequence = Sequence::default();
    let value = solve(&sketch.tree(), window, &mut sequence);
    (value, sequence)
}
