//! The parameters of `go`, which come in any order.

use std::time::Duration;

use super::error::CommandError;
use super::words::{integer, within};
use crate::session::{SearchRequest, perft};
use crate::units::{Depth, MAX_PLY};

/// The longest time that a clock is believed to show, in milliseconds: about four months, which
/// leaves room to calculate with.
pub(super) const LONGEST_TIME: i64 = 10_000_000_000;

/// The words that end a list of moves.
pub(super) const PARAMETERS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// What `go` asks for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Go {
    /// A search.
    Search {
        /// What to search for.
        request: SearchRequest,
        /// Words of the line that mean nothing to us.
        ignored: Vec<String>,
    },
    /// The legal move sequences of so many plies.
    Perft(u32),
}

/// Reads what follows the word `go`. Words that mean nothing are collected and not refused: the
/// protocol wants them skipped, and a program that sends them waits for a move all the same.
pub(super) fn parse(words: &[&str]) -> Result<Go, CommandError> {
    let mut request = SearchRequest::default();
    let mut ignored = Vec::new();
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        rest = match *word {
            "depth" => depth(&mut request.depth, tail)?,
            "nodes" => nodes(&mut request.nodes, tail)?,
            "mate" => moves("mate", &mut request.mate, tail)?,
            "movestogo" => moves("movestogo", &mut request.moves_to_go, tail)?,
            "movetime" => time("movetime", &mut request.move_time, tail)?,
            "wtime" => time("wtime", &mut request.white_time, tail)?,
            "btime" => time("btime", &mut request.black_time, tail)?,
            "winc" => time("winc", &mut request.white_increment, tail)?,
            "binc" => time("binc", &mut request.black_increment, tail)?,
            "searchmoves" => search_moves(&mut request.search_moves, tail),
            "perft" => return Ok(Go::Perft(within("perft", tail, perft::DEPTHS)?)),
            "infinite" => {
                request.infinite = true;
                tail
            }
            "ponder" => {
                request.ponder = true;
                tail
            }
            unknown => {
                ignored.push(unknown.to_owned());
                tail
            }
        };
    }
    Ok(Go::Search { request, ignored })
}

fn depth<'a>(slot: &mut Option<Depth>, words: &'a [&'a str]) -> Rest<'a> {
    let (plies, rest) = count("depth", words)?;
    *slot = Some(Depth::new(plies.clamp(1, MAX_PLY as u64) as i32));
    Ok(rest)
}

fn nodes<'a>(slot: &mut Option<u64>, words: &'a [&'a str]) -> Rest<'a> {
    let (nodes, rest) = count("nodes", words)?;
    *slot = Some(nodes);
    Ok(rest)
}

fn moves<'a>(name: &'static str, slot: &mut Option<u32>, words: &'a [&'a str]) -> Rest<'a> {
    let (moves, rest) = count(name, words)?;
    *slot = Some(u32::try_from(moves).unwrap_or(u32::MAX));
    Ok(rest)
}

/// Programs send negative times when a clock has run out, or runs late; none is left then.
fn time<'a>(name: &'static str, slot: &mut Option<Duration>, words: &'a [&'a str]) -> Rest<'a> {
    let (milliseconds, rest) = integer(name, words)?;
    *slot = Some(Duration::from_millis(milliseconds.clamp(0, LONGEST_TIME) as u64));
    Ok(rest)
}

fn search_moves<'a>(list: &mut Vec<String>, words: &'a [&'a str]) -> &'a [&'a str] {
    let end = words.iter().position(|word| PARAMETERS.contains(word)).unwrap_or(words.len());
    list.extend(words[..end].iter().map(|&mv| mv.to_owned()));
    &words[end..]
}

fn count<'a>(
    name: &'static str,
    words: &'a [&'a str],
) -> Result<(u64, &'a [&'a str]), CommandError> {
    let (number, rest) = integer(name, words)?;
    let number =
        u64::try_from(number).map_err(|_| CommandError::Negative { parameter: name, number })?;
    Ok((number, rest))
}

/// The words that are left after a parameter was read.
type Rest<'a> = Result<&'a [&'a str], CommandError>;

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> SearchRequest {
        let words: Vec<&str> = line.split_whitespace().collect();
        match parse(&words) {
            Ok(Go::Search { request, ignored }) if ignored.is_empty() => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_parameters_of_go_come_in_any_order() {
        let expected = SearchRequest {
            white_time: Some(Duration::from_millis(60_000)),
            black_time: Some(Duration::from_millis(59_000)),
            white_increment: Some(Duration::from_millis(600)),
            black_increment: Some(Duration::ZERO),
            moves_to_go: Some(40),
            search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
            ponder: true,
            ..SearchRequest::default()
        };
        for line in [
            "ponder wtime 60000 btime 59000 winc 600 binc 0 movestogo 40 searchmoves e2e4 d2d4",
            "searchmoves e2e4 d2d4 movestogo 40 binc 0 winc 600 btime 59000 wtime 60000 ponder",
            "\t btime 59000 winc 600 searchmoves e2e4 d2d4 wtime 60000 ponder binc 0 movestogo 40 ",
        ] {
            assert_eq!(go(line), expected, "{line}");
        }
    }

    #[test]
    fn a_clock_that_has_run_out_shows_nothing_and_one_that_never_runs_out_shows_a_lot() {
        assert_eq!(go("wtime -250").white_time, Some(Duration::ZERO));
        assert_eq!(go("movetime -99999999999999999999").move_time, Some(Duration::ZERO));
        let long = go("btime 99999999999999999999").black_time.unwrap();
        assert!(long > Duration::from_secs(86_400));
    }

    #[test]
    fn a_depth_is_moved_into_what_can_be_searched() {
        assert_eq!(go("depth 0").depth, Some(Depth::ONE));
        assert_eq!(go("depth 1000").depth, Some(Depth::MAX));
    }

    #[test]
    fn words_of_go_that_mean_nothing_are_kept_apart() {
        let request = SearchRequest { depth: Some(Depth::new(3)), ..SearchRequest::default() };
        let ignored = vec!["quickly".to_owned(), "please".to_owned()];
        let go = parse(&["quickly", "depth", "3", "please"]);
        assert_eq!(go, Ok(Go::Search { request, ignored }));
    }
}
