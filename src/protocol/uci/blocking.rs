//! Blocking access to input and output that may be non-blocking.
//!
//! Another program may have left the terminal or the pipe in that mode. Then `WouldBlock` is neither
//! the end of the input nor an error.

use std::io::{self, Read, Write};
use std::thread;
use std::time::Duration;

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(2);

/// Input or output that repeats each call until it no longer returns `WouldBlock`.
pub(super) struct Blocking<T>(pub(super) T);

impl<T: Read> Read for Blocking<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retry(|| self.0.read(buffer))
    }
}

impl<T: Write> Write for Blocking<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retry(|| self.0.flush())
    }
}

fn retry<R>(mut attempt: impl FnMut() -> io::Result<R>) -> io::Result<R> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `WouldBlock` at every other call, and reads or writes one byte at the others.
    struct NonBlocking<T> {
        inner: T,
        attempts: u32,
    }

    impl<T> NonBlocking<T> {
        fn attempt(&mut self) -> io::Result<&mut T> {
            self.attempts += 1;
            if self.attempts.is_multiple_of(2) {
                Ok(&mut self.inner)
            } else {
                Err(io::ErrorKind::WouldBlock.into())
            }
        }
    }

    impl<T: Read> Read for NonBlocking<T> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.attempt()?.read(&mut buffer[..1])
        }
    }

    impl<T: Write> Write for NonBlocking<T> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.attempt()?.write(&bytes[..1])
        }

        fn flush(&mut self) -> io::Result<()> {
            self.attempt()?.flush()
        }
    }

    #[test]
    fn a_call_that_would_block_is_repeated() {
        let mut read = String::new();
        let mut input = Blocking(NonBlocking { inner: &b"isready"[..], attempts: 0 });
        input.read_to_string(&mut read).unwrap();
        assert_eq!(read, "isready");
        let mut output = Blocking(NonBlocking { inner: Vec::new(), attempts: 0 });
        output.write_all(b"readyok").and_then(|()| output.flush()).unwrap();
        assert_eq!(output.0.inner, b"readyok");
    }
}
