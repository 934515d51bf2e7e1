//! Measures the levels of limited strength: fastchess plays them against each other and against
//! Stockfish, and the fit says how strong each one is. `.ci/weekly levels` runs it. Games are limited by
//! nodes, so that a busy machine does not change them, or by a clock. A run that was stopped continues
//! where it was.
//!
//! Environment variables name the folder of the games, the programs, and the number of games.

mod fit;
mod games;
mod report;

use std::env;
use std::path::{Path, PathBuf};

use outrider_engine::search::StrengthLimit;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use fit::{Pairing, Player, measure};
use games::{Match, Opponent};
use report::Report;

/// Settings of Stockfish's `UCI_Elo` that anchor the scale. It is 1350 to 2850 in Stockfish 15.1.
const STOCKFISH: [i32; 7] = [1350, 1600, 1850, 2100, 2350, 2600, 2850];
/// Number of levels that each of these plays: those with the nearest strength.
const NEAREST: usize = 2;

/// Value of an environment variable, or the usual one.
fn setting<T: std::str::FromStr>(name: &str, usual: T) -> T {
    match env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not understood")),
        Err(_) => usual,
    }
}

/// Returns the players: all levels in rising order, then the settings of Stockfish.
fn opponents() -> Vec<Opponent> {
    let levels = StrengthLimit::measured().map(Opponent::Level);
    levels.chain(STOCKFISH.map(Opponent::Stockfish)).collect()
}

/// Returns the pairs that play each other: each level and the next, and each setting of Stockfish
/// against the nearest levels.
fn schedule(opponents: &[Opponent]) -> Vec<[usize; 2]> {
    let is_level = |&index: &usize| matches!(opponents[index], Opponent::Level(_));
    let (levels, anchors): (Vec<usize>, Vec<usize>) = (0..opponents.len()).partition(is_level);
    let mut pairs: Vec<[usize; 2]> = levels.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    for anchor in anchors {
        let mut nearest = levels.clone();
        nearest.sort_by_key(|&level| (opponents[level].elo() - opponents[anchor].elo()).abs());
        pairs.extend(nearest.into_iter().take(NEAREST).map(|level| [level, anchor]));
    }
    pairs
}

#[test]
#[ignore = "takes hours; .ci/weekly levels runs it"]
fn the_levels_are_as_strong_as_they_say() {
    let folder = PathBuf::from(env::var("OUTRIDER_LEVELS").expect("OUTRIDER_LEVELS is a folder"));
    let opponents = opponents();
    let pairs = schedule(&opponents);
    let settings = games::Settings {
        fastchess: setting("FASTCHESS", "fastchess".to_owned()),
        stockfish: setting("STOCKFISH", "stockfish".to_owned()),
        limit: setting("OUTRIDER_LEVEL_LIMIT", "nodes=100000".to_owned()),
        openings: games::openings(Path::new(&folder), 200),
    };
    let wanted = setting("OUTRIDER_GAMES", 40);
    let mut pairings = Vec::new();
    for (number, &players) in pairs.iter().enumerate() {
        let [first, second] = players.map(|player| opponents[player]);
        let game = Match { first, second, folder: &folder, settings: &settings };
        let tally = game.play(wanted, number);
        println!("{} of {}: {first} against {second}: {tally}", number + 1, pairs.len());
        pairings.push(Pairing { players, tally });
    }
    let players: Vec<Player> = opponents
        .iter()
        .map(|opponent| match *opponent {
            Opponent::Level(elo) => Player::Level(f64::from(elo)),
            Opponent::Stockfish(elo) => Player::Anchor(f64::from(elo)),
        })
        .collect();
    let measured = measure(&players, &pairings, &mut ChaCha8Rng::seed_from_u64(1));
    let report = Report::new(&opponents, &pairings, &measured);
    println!("\n{report}");
    assert_eq!(report.wrong(), Vec::<i32>::new(), "levels that are not as strong as they say");
}

#[test]
fn each_level_plays_the_next_and_each_stockfish_plays_the_nearest_levels() {
    let opponents = opponents();
    let pairs = schedule(&opponents);
    let levels = StrengthLimit::measured().count();
    assert_eq!(pairs.len(), levels - 1 + STOCKFISH.len() * NEAREST);
    for [first, second] in pairs {
        assert!(matches!(opponents[first], Opponent::Level(_)));
        let apart = (opponents[first].elo() - opponents[second].elo()).abs();
        assert!(apart <= 500, "{} and {}", opponents[first], opponents[second]);
    }
}
