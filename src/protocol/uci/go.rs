//! Parameters of `go`, in any order.

use std::fmt;
use std::time::Duration;

use super::words::{NumberError, parse_count, parse_in_range, parse_integer};
use crate::session::SearchRequest;
use outrider_engine::perft;
use outrider_engine::text::shorten;
use outrider_engine::units::{Depth, MAX_PLY};

/// Maximum time in milliseconds, about four months; larger values are reduced to it. It is small
/// enough to calculate without overflow.
pub(super) const MAX_MILLISECONDS: i64 = 10_000_000_000;

/// Names of all parameters. The next name ends a list of moves.
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

/// Task of a `go` line.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Go {
    /// A search, and the parts of the line that could not be used.
    Search(Box<SearchRequest>, Option<Box<LeftOut>>),
    /// A perft of this depth in plies.
    Perft(u32),
}

/// Parts of a `go` line that could not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LeftOut {
    /// Errors of limits without a usable number.
    pub limits: Vec<NumberError>,
    /// Unknown words.
    pub words: Vec<String>,
    /// No limit is left, so the search has one iteration instead of running until `stop`.
    pub one_iteration: bool,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = self.limits.iter().map(NumberError::to_string);
        let words = (!self.words.is_empty())
            .then(|| format!("unknown \"{}\"", shorten(&self.words.join(" "))));
        let mut faults = limits.chain(words);
        write!(f, "go: {}", faults.next().unwrap_or_default())?;
        match faults.count() {
            0 => f.write_str("; left out")?,
            more => write!(f, "; left out, with {more} more")?,
        }
        if self.one_iteration {
            f.write_str("; no limit is left, so the search has one iteration")?;
        }
        Ok(())
    }
}

/// Parses the words after `go`. Words that cannot be used are left out. No line is refused, since the
/// program that sent it waits for a move.
pub(super) fn parse(words: &[&str]) -> Go {
    let mut reader = GoReader { rest: words, limits: Vec::new(), words: Vec::new() };
    let mut request = Box::<SearchRequest>::default();
    let SearchRequest { limits, clocks, search_moves, .. } = &mut *request;
    while let Some(word) = reader.next_word() {
        match word {
            "depth" => reader.set(&mut limits.depth, depth),
            "nodes" => reader.set(&mut limits.nodes, |rest| parse_count("nodes", rest)),
            "mate" => reader.set(&mut limits.mate, |rest| moves("mate", rest)),
            "movestogo" => reader.set(&mut clocks.moves_to_go, |rest| moves("movestogo", rest)),
            "movetime" => reader.set(&mut limits.move_time, |rest| time("movetime", rest)),
            "wtime" => reader.set(&mut clocks.remaining.white, |rest| time("wtime", rest)),
            "btime" => reader.set(&mut clocks.remaining.black, |rest| time("btime", rest)),
            "winc" => reader.set(&mut clocks.increment.white, |rest| time("winc", rest)),
            "binc" => reader.set(&mut clocks.increment.black, |rest| time("binc", rest)),
            "searchmoves" => search_moves.extend(reader.moves()),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "perft" => {
                let mut plies = None;
                reader.set(&mut plies, |rest| parse_in_range("perft", rest, perft::DEPTHS));
                if let Some(plies) = plies {
                    return Go::Perft(plies);
                }
            }
            unknown => reader.words.push(unknown.to_owned()),
        }
    }
    let left_out = reader.left_out(&request);
    if left_out.as_ref().is_some_and(|left_out| left_out.one_iteration) {
        request.limits.depth = Some(Depth::ONE);
    }
    Go::Search(request, left_out)
}

/// Words not yet parsed, and errors so far.
struct GoReader<'a> {
    rest: &'a [&'a str],
    limits: Vec<NumberError>,
    words: Vec<String>,
}

impl<'a> GoReader<'a> {
    fn next_word(&mut self) -> Option<&'a str> {
        let (&word, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(word)
    }

    /// Sets a limit to the number at the head of the rest, or keeps the earlier value. The word in the
    /// place of the number is consumed unless it is the name of another parameter.
    fn set<T>(&mut self, slot: &mut Option<T>, read: impl Fn(&[&str]) -> Result<T, NumberError>) {
        match read(self.rest) {
            Ok(number) => *slot = Some(number),
            Err(error) => self.limits.push(error),
        }
        if self.rest.first().is_some_and(|word| !PARAMETERS.contains(word)) {
            self.rest = &self.rest[1..];
        }
    }

    /// Takes the moves up to the next parameter.
    fn moves(&mut self) -> impl Iterator<Item = String> {
        let end = self.rest.iter().position(|word| PARAMETERS.contains(word));
        let (moves, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        moves.iter().map(|&mv| mv.to_owned())
    }

    fn left_out(self, request: &SearchRequest) -> Option<Box<LeftOut>> {
        let GoReader { limits, words, .. } = self;
        // A bare `go` means a search until `stop`, but a `go` with unusable limits does not.
        let one_iteration = !request.has_limit();
        let faulty = !limits.is_empty() || !words.is_empty();
        faulty.then(|| Box::new(LeftOut { limits, words, one_iteration }))
    }
}

fn depth(words: &[&str]) -> Result<Depth, NumberError> {
    let plies = parse_count("depth", words)?;
    Ok(Depth::new(plies.clamp(1, MAX_PLY as u64) as i32))
}

fn moves(name: &'static str, words: &[&str]) -> Result<u32, NumberError> {
    let moves = parse_count(name, words)?;
    Ok(u32::try_from(moves).unwrap_or(u32::MAX))
}

/// Parses a time in milliseconds. A negative time, which programs send when a clock has run out,
/// counts as zero.
fn time(name: &'static str, words: &[&str]) -> Result<Duration, NumberError> {
    let milliseconds = parse_integer(name, words)?;
    Ok(Duration::from_millis(milliseconds.clamp(0, MAX_MILLISECONDS) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::search::Limits;
    use shakmaty::ByColor;

    fn go(line: &str) -> SearchRequest {
        let words: Vec<&str> = line.split_whitespace().collect();
        match parse(&words) {
            Go::Search(request, None) => *request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_parameters_of_go_come_in_any_order() {
        let times = |white, black| {
            let time = |milliseconds| Some(Duration::from_millis(milliseconds));
            ByColor { white: time(white), black: time(black) }
        };
        let mut expected = SearchRequest {
            limits: Limits { ponder: true, ..Limits::default() },
            search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
            ..SearchRequest::default()
        };
        expected.clocks.remaining = times(60_000, 59_000);
        expected.clocks.increment = times(600, 0);
        expected.clocks.moves_to_go = Some(40);
        for line in [
            "ponder wtime 60000 btime 59000 winc 600 binc 0 movestogo 40 searchmoves e2e4 d2d4",
            "searchmoves e2e4 d2d4 movestogo 40 binc 0 winc 600 btime 59000 wtime 60000 ponder",
            "\t btime 59000 winc 600 searchmoves e2e4 d2d4 wtime 60000 ponder binc 0 movestogo 40 ",
        ] {
            assert_eq!(go(line), expected, "{line}");
        }
    }

    #[test]
    fn negative_times_count_as_zero_and_huge_times_are_limited() {
        assert_eq!(go("wtime -250").clocks.remaining.white, Some(Duration::ZERO));
        assert_eq!(go("movetime -99999999999999999999").limits.move_time, Some(Duration::ZERO));
        let long = go("btime 99999999999999999999").clocks.remaining.black.unwrap();
        assert!(long > Duration::from_secs(86_400));
    }

    #[test]
    fn a_depth_is_clamped_to_the_range_of_the_search() {
        assert_eq!(go("depth 0").limits.depth, Some(Depth::ONE));
        assert_eq!(go("depth 1000").limits.depth, Some(Depth::MAX));
    }

    #[test]
    fn unusable_parts_are_left_out_and_the_rest_is_kept() {
        let three_plies = SearchRequest { limits: Limits::depth(3), ..SearchRequest::default() };
        for (line, message) in [
            ("quickly depth 3 please", "go: unknown \"quickly please\"; left out"),
            ("mate depth 3", "go: mate needs a number, not \"depth\"; left out"),
            ("nodes -1 depth 3", "go: nodes must not be negative, but is -1; left out"),
            ("depth 3 movetime", "go: movetime needs a number; left out"),
            (
                "movestogo x depth 3 winc y now",
                "go: movestogo needs a number, not \"x\"; left out, with 2 more",
            ),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let Go::Search(request, Some(left_out)) = parse(&words) else { panic!("{line}") };
            assert_eq!((&*request, &*left_out.to_string()), (&three_plies, message), "{line}");
        }
    }

    #[test]
    fn a_go_without_a_usable_limit_searches_one_iteration() {
        for line in ["depth", "nodes -1", "depth x ponder", "movetime 1e3", "perft 99", "mate deep"]
        {
            let words: Vec<&str> = line.split(' ').collect();
            let Go::Search(request, Some(left_out)) = parse(&words) else { panic!("{line}") };
            assert_eq!(request.limits.depth, Some(Depth::ONE), "{line}");
            assert!(left_out.to_string().ends_with("one iteration"), "{left_out}");
        }
        assert_eq!(go("ponder").limits.depth, None);
        assert_eq!(go("").limits.depth, None);
    }
}
