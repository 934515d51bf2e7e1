//! Grammar of `info` lines, parsed strictly: single spaces, known words, each at most once, numbers
//! in range, `pv` or `string` last.

use std::collections::BTreeMap;

/// Content of an `info` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// A line of play with its score.
    Line(Line),
    /// `info string`.
    Text(String),
    /// The root move that is being searched.
    CurrentMove {
        /// The move.
        text: String,
        /// Its number in the order, from 1.
        number: u64,
    },
    /// Numbers about the search, without a line of play.
    Progress,
}

/// A line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Depth of the iteration in plies.
    pub depth: u64,
    /// Rank among several lines, from 1.
    pub rank: u64,
    /// Score for the side to move.
    pub score: Score,
    /// The score is only a bound.
    pub is_bound: bool,
    /// Number of positions entered.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time: u64,
    /// The moves.
    pub moves: Vec<String>,
}

/// A score in the notation of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Full moves to mate, negative if the side to move is mated.
    Mate(i32),
}

const NUMBERS: [&str; 9] = [
    "depth",
    "seldepth",
    "multipv",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmovenumber",
];

/// Parses an `info` line; the error describes what is wrong.
pub fn parse(line: &str) -> Result<Info, String> {
    parse_words(line).map_err(|fault| format!("{fault} in \"{line}\""))
}

fn parse_words(line: &str) -> Result<Info, String> {
    let rest = line.strip_prefix("info ").ok_or("no info")?;
    if let Some(text) = rest.strip_prefix("string ") {
        return Ok(Info::Text(text.to_owned()));
    }
    let mut words = rest.split(' ').peekable();
    let mut numbers = BTreeMap::new();
    let (mut score, mut moves, mut current) = (None, None, None);
    while let Some(word) = words.next() {
        let repeated = match word {
            "score" => {
                let kind = words.next().ok_or("a score without a kind")?;
                let value = number(words.next())?;
                let is_bound = words.next_if(|&w| w == "lowerbound" || w == "upperbound").is_some();
                score.replace((parse_score(kind, value)?, is_bound)).is_some()
            }
            "pv" => moves.replace(words.by_ref().map(str::to_owned).collect()).is_some(),
            "currmove" => current.replace(words.next().ok_or("no current move")?).is_some(),
            _ if NUMBERS.contains(&word) => numbers.insert(word, number(words.next())?).is_some(),
            _ => return Err(format!("unknown word \"{word}\"")),
        };
        if repeated {
            return Err(format!("{word} twice"));
        }
    }
    check_ranges(&numbers)?;
    assemble(&numbers, score, moves, current)
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Result<T, String> {
    let word = word.ok_or("a number is missing")?;
    let plain = !word.starts_with('+');
    word.parse().ok().filter(|_| plain).ok_or_else(|| format!("\"{word}\" is no number"))
}

fn parse_score(kind: &str, value: i32) -> Result<Score, String> {
    match kind {
        "cp" => Ok(Score::Centipawns(value)),
        "mate" => Ok(Score::Mate(value)),
        _ => Err(format!("unknown kind of score \"{kind}\"")),
    }
}

fn check_ranges(numbers: &BTreeMap<&str, u64>) -> Result<(), String> {
    let get = |name| numbers.get(name).copied();
    if get("hashfull").is_some_and(|permille| permille > 1000) {
        return Err("hashfull above 1000".to_owned());
    }
    if get("multipv") == Some(0) || get("currmovenumber") == Some(0) {
        return Err("counting starts at 1".to_owned());
    }
    Ok(())
}

fn assemble(
    numbers: &BTreeMap<&str, u64>,
    score: Option<(Score, bool)>,
    moves: Option<Vec<String>>,
    current: Option<&str>,
) -> Result<Info, String> {
    let get = |name: &str| numbers.get(name).copied().ok_or_else(|| format!("no {name}"));
    if let Some(text) = current {
        return Ok(Info::CurrentMove { text: text.to_owned(), number: get("currmovenumber")? });
    }
    let Some(moves) = moves else {
        return Ok(Info::Progress);
    };
    for name in ["seldepth", "nps", "hashfull"] {
        get(name)?;
    }
    let (score, is_bound) = score.ok_or("a line of play without a score")?;
    Ok(Info::Line(Line {
        depth: get("depth")?,
        rank: get("multipv")?,
        score,
        is_bound,
        nodes: get("nodes")?,
        time: get("time")?,
        moves,
    }))
}

/// Returns the lines of play in the output of an engine.
///
/// # Panics
///
/// Panics at a line that is not a well-formed `info` line.
pub fn lines_of_play(said: &[String]) -> Vec<Line> {
    let parsed = said.iter().map(|line| parse(line).unwrap_or_else(|fault| panic!("{fault}")));
    parsed
        .filter_map(|info| match info {
            Info::Line(line) => Some(line),
            _ => None,
        })
        .collect()
}

#[test]
fn the_grammar_of_info_lines_is_strict() {
    let good = "info depth 3 seldepth 4 multipv 1 score cp -12 nodes 99 nps 9 hashfull 0 time 1 pv e2e4 e7e5";
    let Ok(Info::Line(line)) = parse(good) else { panic!("{good}") };
    assert_eq!((line.depth, line.score), (3, Score::Centipawns(-12)));
    let bound = good.replace("cp -12", "mate 3 lowerbound");
    let Ok(Info::Line(line)) = parse(&bound) else { panic!("{bound}") };
    assert_eq!((line.score, line.is_bound), (Score::Mate(3), true));
    assert_eq!(parse("info string  two spaces"), Ok(Info::Text(" two spaces".to_owned())));
    let current = Info::CurrentMove { text: "e2e4".to_owned(), number: 1 };
    assert_eq!(parse("info depth 9 currmove e2e4 currmovenumber 1"), Ok(current));
    for (part, replacement) in [
        ("depth 3", "depth"),
        ("depth 3", "depth three"),
        ("depth 3", "depth -3"),
        ("depth 3", "depth 3 depth 3"),
        ("depth 3 ", "depth 3  "),
        ("score cp -12 ", ""),
        ("cp -12", "-12"),
        ("cp -12", "cp +12"),
        ("cp -12", "cp 1.5"),
        ("multipv 1 ", ""),
        ("multipv 1", "multipv 0"),
        ("nps 9 ", ""),
        ("hashfull 0", "hashfull 1001"),
        ("time 1", "time 1 colour red"),
        ("info", " info"),
    ] {
        let bad = good.replace(part, replacement);
        assert!(parse(&bad).is_err(), "{bad}");
    }
}
