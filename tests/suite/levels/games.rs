//! Games that fastchess plays, and their results.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fit::Tally;
use outrider_engine::evaluation::Network;
use outrider_engine::search::{Level, StrengthLimit};

/// A level, or Stockfish with this `UCI_Elo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opponent {
    Level(i32),
    Stockfish(i32),
}

impl Opponent {
    pub(super) fn elo(self) -> i32 {
        match self {
            Opponent::Level(elo) | Opponent::Stockfish(elo) => elo,
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Level(elo) => write!(f, "level-{elo}"),
            Opponent::Stockfish(elo) => write!(f, "stockfish-{elo}"),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} −{} ={}", self.wins, self.losses, self.draws)
    }
}

/// The programs, and the conditions of all games.
pub(super) struct Settings {
    pub fastchess: String,
    pub stockfish: String,
    /// Limit of both players in the words of fastchess: `nodes=100000` is about what a move has at 10+0.1
    /// seconds, and a clock is `tc=10+0.1`.
    pub limit: String,
    pub openings: PathBuf,
}

/// The games of two opponents.
pub(super) struct Match<'a> {
    pub first: Opponent,
    pub second: Opponent,
    pub folder: &'a Path,
    pub settings: &'a Settings,
}

/// Returns the file of balanced openings in the folder. It is made if it is missing.
pub(super) fn openings(folder: &Path, count: u32) -> PathBuf {
    fs::create_dir_all(folder).expect("the folder can be made");
    let file = folder.join("openings.epd");
    if !file.exists() {
        let made = Command::new(env!("CARGO_BIN_EXE_outrider"))
            .args(["genfens", &count.to_string(), "seed", "1", "--epd"])
            .output()
            .expect("the program runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fs::write(&file, made.stdout).expect("the openings can be written");
    }
    file
}

impl Match<'_> {
    /// Plays the games that are missing to the wanted number, and returns the results of all.
    pub(super) fn play(&self, wanted: u32, number: usize) -> Tally {
        let file = self.folder.join(self.file_name());
        let read = || tally(&fs::read_to_string(&file).unwrap_or_default(), self.first);
        let played = read().games();
        let rounds = wanted.saturating_sub(played).div_ceil(2);
        if rounds == 0 {
            return read();
        }
        let Settings { fastchess, limit, openings, .. } = self.settings;
        let first_opening = 1 + number as u32 * 7 + played / 2;
        let output = Command::new(fastchess)
            .arg("-engine")
            .args(self.options(self.first))
            .arg("-engine")
            .args(self.options(self.second))
            .args(["-each", "option.Hash=16", limit])
            .arg("-openings")
            .arg(format!("file={}", openings.display()))
            .args(["format=epd", "order=sequential", &format!("start={first_opening}")])
            .args(["-repeat", "-games", "2", "-rounds", &rounds.to_string()])
            .args(["-concurrency", "1", "-maxmoves", "200", "-recover", "-pgnout"])
            .arg(format!("file={}", file.display()))
            .output()
            .unwrap_or_else(|error| panic!("{fastchess}: {error}"));
        let tally = read();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(tally.games() >= wanted, "{} of {wanted} games: {said}", tally.games());
        tally
    }

    /// Returns the name of the file of the games. Levels with other errors, another network or other
    /// limits have another file, so that their games do not count together.
    fn file_name(&self) -> String {
        let part = |opponent| match opponent {
            Opponent::Level(elo) => {
                let Level { depth, growth, overlooked, noise, .. } =
                    StrengthLimit::from_elo(elo, 0).level();
                format!("{opponent}-{depth}-{growth}-{overlooked}-{noise}")
            }
            Opponent::Stockfish(_) => opponent.to_string(),
        };
        let (network, limit) = (Network::built_in().checksum(), &self.settings.limit);
        format!("{}-{}-{network:08x}-{limit}.pgn", part(self.first), part(self.second))
    }

    /// Returns the words that describe an engine to fastchess.
    fn options(&self, opponent: Opponent) -> Vec<String> {
        let program = match opponent {
            Opponent::Level(_) => env!("CARGO_BIN_EXE_outrider"),
            Opponent::Stockfish(_) => &self.settings.stockfish,
        };
        vec![
            format!("cmd={program}"),
            format!("name={opponent}"),
            "option.UCI_LimitStrength=true".to_owned(),
            format!("option.UCI_Elo={}", opponent.elo()),
        ]
    }
}

/// Counts the results of finished games in PGN from the side of this opponent.
fn tally(pgn: &str, first: Opponent) -> Tally {
    let mut tally = Tally::default();
    let mut is_white = false;
    for line in pgn.lines() {
        if let Some(white) = tag(line, "White") {
            is_white = white == first.to_string();
        }
        match tag(line, "Result") {
            Some("1/2-1/2") => tally.draws += 1,
            Some(result @ ("1-0" | "0-1")) if (result == "1-0") == is_white => tally.wins += 1,
            Some("1-0" | "0-1") => tally.losses += 1,
            _ => {}
        }
    }
    tally
}

/// Returns the value of a tag if the line has it.
fn tag<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?.strip_suffix("\"]")
}

#[test]
fn results_are_counted_from_the_side_of_the_first_player() {
    let game = |white, result| format!("[White \"{white}\"]\n[Result \"{result}\"]\n\n1. e4 *\n\n");
    let (level, other) = ("level-450", "stockfish-1350");
    let pgn = [
        game(level, "1-0"),
        game(other, "1-0"),
        game(other, "0-1"),
        game(level, "1/2-1/2"),
        game(level, "*"),
    ];
    let counted = tally(&pgn.concat(), Opponent::Level(450));
    assert_eq!(counted, Tally { wins: 2, draws: 1, losses: 1 });
}
