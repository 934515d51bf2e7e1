//! Stops other threads when one thread leaves a scope, in whatever way.

/// Calls a function that stops other threads when it is dropped, also after an error or a panic. A
/// scope waits for its threads, and without a stop some would run for ever.
pub struct StopOnDrop<F: Fn()>(pub F);

impl<F: Fn()> Drop for StopOnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
