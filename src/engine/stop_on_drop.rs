//! A guard that stops other threads.

/// Calls a function that stops other threads when it is dropped, after an error or a panic too. A
/// scope waits for its threads; without the call some of them would run for ever.
pub struct StopOnDrop<F: Fn()>(pub F);

impl<F: Fn()> Drop for StopOnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
