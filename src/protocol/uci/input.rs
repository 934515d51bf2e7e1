//! Reads lines of input of limited length as valid text.

use std::io::{self, BufRead, Read};
use std::thread;
use std::time::Instant;

/// Maximum length of a line in bytes; a game of 200,000 moves fits.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// Number of bytes that are kept of a line that is too long.
const START_BYTES: usize = 64;

/// One line of input, or the end.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// A line without its line end. Invalid UTF-8 is replaced.
    Line {
        text: String,
        arrived: Instant,
    },
    /// A line longer than [`MAX_LINE_BYTES`] was skipped.
    TooLong {
        /// First characters of the line.
        start: String,
    },
    End,
}

/// Reads lines on a new thread and passes each to `on_input`, until the input ends or `on_input`
/// returns `false`.
///
/// # Errors
///
/// Fails if no thread can be started.
pub(super) fn spawn(
    input: impl Read + Send + 'static,
    on_input: impl Fn(Input) -> bool + Send + 'static,
) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let line = read_line(&mut input);
            let ended = line == Input::End;
            if !on_input(line) || ended {
                return;
            }
        }
    })?;
    Ok(())
}

/// Reads the next line. A read error counts as the end.
fn read_line(input: &mut impl BufRead) -> Input {
    let mut line = Vec::new();
    let limit = MAX_LINE_BYTES as u64 + 1;
    match input.by_ref().take(limit).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => Input::End,
        Ok(_) if line.last() == Some(&b'\n') || line.len() <= MAX_LINE_BYTES => Input::Line {
            text: String::from_utf8_lossy(&line).trim_end().to_owned(),
            arrived: Instant::now(),
        },
        Ok(_) => match input.skip_until(b'\n') {
            Ok(_) => {
                Input::TooLong { start: String::from_utf8_lossy(&line[..START_BYTES]).into_owned() }
            }
            Err(_) => Input::End,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<Result<String, Input>> {
        let mut input = bytes;
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input) {
                Input::Line { text, .. } => lines.push(Ok(text)),
                Input::End => return lines,
                other => lines.push(Err(other)),
            }
        }
    }

    #[test]
    fn all_line_ends_are_accepted_and_the_last_line_may_lack_one() {
        let lines = read_all(b"uci\r\nisready\n\nquit");
        let expected = ["uci", "isready", "", "quit"].map(|text| Ok(text.to_owned()));
        assert_eq!(lines, expected);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(read_all(b"go \xff\xfe\n"), [Ok("go \u{fffd}\u{fffd}".to_owned())]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; MAX_LINE_BYTES];
        bytes.push(b'\n');
        assert_eq!(read_all(&bytes).len(), 1);
        assert!(read_all(&bytes)[0].is_ok());
        bytes.splice(0..0, *b"yy");
        bytes.extend(b"isready\n");
        let start = format!("yy{}", "x".repeat(START_BYTES - 2));
        assert_eq!(read_all(&bytes), [Err(Input::TooLong { start }), Ok("isready".to_owned())]);
    }

    #[test]
    fn long_input_without_a_line_end_is_one_line_that_is_too_long() {
        let start = "\0".repeat(START_BYTES);
        assert_eq!(read_all(&vec![0; 3 * MAX_LINE_BYTES]), [Err(Input::TooLong { start })]);
    }
}
