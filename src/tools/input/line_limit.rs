//! A reader that fails at a line that is too long.

use std::io::{self, BufRead, Read};

use super::{InputFault, MAX_LINE};

/// Counts the bytes since the last line break.
pub(super) struct LineLimit<R> {
    input: R,
    length: usize,
}

impl<R> LineLimit<R> {
    pub(super) fn new(input: R) -> LineLimit<R> {
        LineLimit { input, length: 0 }
    }
}

impl<R: BufRead> Read for LineLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for LineLimit<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.length > MAX_LINE {
            return Err(InputFault::LongLine.into());
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The consumed bytes are in the buffer, so this does not read.
        let buffer = self.input.fill_buf().unwrap_or_default();
        let consumed = &buffer[..amount.min(buffer.len())];
        self.length = match consumed.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => consumed.len() - end - 1,
            None => self.length + consumed.len(),
        };
        self.input.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_up_to_the_limit_are_read() {
        let line = [vec![b'x'; MAX_LINE - 1], vec![b'\n']].concat();
        let input = LineLimit::new(BufReader::new(line.chain(&*line)));
        assert_eq!(input.lines().map(|line| line.unwrap().len()).sum::<usize>(), 2 * MAX_LINE - 2);
    }

    #[test]
    fn an_endless_line_is_an_error() {
        let mut input = LineLimit::new(BufReader::new(b"first\n".chain(io::repeat(b'x'))));
        let mut line = Vec::new();
        assert_eq!(input.read_until(b'\n', &mut line).unwrap(), 6);
        let error = input.read_until(b'\n', &mut line).unwrap_err();
        assert_eq!(error.to_string(), "a line is longer than 64 MiB");
    }
}
