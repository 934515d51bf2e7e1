//! Players: one person under several spellings of a name, and the side of a requested player.

use std::collections::BTreeMap;

use shakmaty::Color;

use crate::pgn::AnnotatedGame;

/// A name without the differences between spellings: letter case, blanks, and the order of "Doe, Jane".
/// Two names are the same player if their keys are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerKey(String);

impl PlayerKey {
    /// Returns the key of a name.
    pub fn new(name: &str) -> PlayerKey {
        let name = name.to_lowercase();
        let ordered = match name.split_once(',') {
            Some((last, first)) => format!("{first} {last}"),
            None => name,
        };
        PlayerKey(ordered.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The names of players, with the number of games for each spelling.
#[derive(Clone, Debug, Default)]
pub struct PlayerNames {
    spellings: BTreeMap<PlayerKey, Vec<(String, usize)>>,
}

impl PlayerNames {
    /// Counts a spelling.
    pub fn add(&mut self, name: &str) {
        let spellings = self.spellings.entry(PlayerKey::new(name)).or_default();
        match spellings.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => spellings.push((name.to_owned(), 1)),
        }
    }

    /// Returns the most frequent spelling of a name, the earliest among equals.
    pub fn usual<'a>(&'a self, name: &'a str) -> &'a str {
        let spellings = self.spellings.get(&PlayerKey::new(name));
        let most = spellings.into_iter().flatten().rev().max_by_key(|(_, count)| *count);
        most.map_or(name, |(spelling, _)| spelling)
    }
}

/// Sides of a game whose faults are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReportedSides {
    /// Both sides.
    #[default]
    Both,
    /// One side.
    Only(Color),
    /// Neither side: the requested player does not play in the game.
    Neither,
}

impl ReportedSides {
    /// Returns the sides of a requested player; without a request both.
    pub(super) fn of(player: Option<&str>, game: &AnnotatedGame) -> ReportedSides {
        let Some(player) = player.map(PlayerKey::new) else {
            return ReportedSides::Both;
        };
        match Color::ALL.map(|color| PlayerKey::new(game.player(color)) == player) {
            [true, true] => ReportedSides::Both,
            [true, false] => ReportedSides::Only(Color::White),
            [false, true] => ReportedSides::Only(Color::Black),
            [false, false] => ReportedSides::Neither,
        }
    }

    /// Returns true if the faults of a side are reported.
    pub fn includes(self, color: Color) -> bool {
        match self {
            ReportedSides::Both => true,
            ReportedSides::Only(side) => side == color,
            ReportedSides::Neither => false,
        }
    }
}

/// Number of similar names that are kept.
const SIMILAR: usize = 3;

/// The names that are most similar to a requested name.
#[derive(Clone, Debug)]
pub(super) struct SimilarNames {
    wanted: PlayerKey,
    /// Names with their distances, the most similar first.
    nearest: Vec<(usize, PlayerKey, String)>,
}

impl SimilarNames {
    pub(super) fn new(wanted: &str) -> SimilarNames {
        SimilarNames { wanted: PlayerKey::new(wanted), nearest: Vec::new() }
    }

    /// Considers the players of a game.
    pub(super) fn add_game(&mut self, game: &AnnotatedGame) {
        for name in Color::ALL.map(|color| game.player(color)) {
            let key = PlayerKey::new(name);
            if self.nearest.iter().any(|(_, known, _)| *known == key) {
                continue;
            }
            self.nearest.push((self.distance(&key), key, name.to_owned()));
            self.nearest.sort();
            self.nearest.truncate(SIMILAR);
        }
    }

    /// Returns the names, the most similar first.
    pub(super) fn into_names(self) -> Vec<String> {
        self.nearest.into_iter().map(|(_, _, name)| name).collect()
    }

    /// Returns the edit distance to a name or, plus one, to a part of it: a search for "Doe" finds
    /// "Doe, Jane".
    fn distance(&self, name: &PlayerKey) -> usize {
        let to = |part: &str| strsim::osa_distance(&self.wanted.0, part);
        let parts = name.0.split_whitespace().map(|part| to(part) + 1);
        parts.chain([to(&name.0)]).min().unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    fn game(white: &str, black: &str) -> AnnotatedGame {
        let text = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *");
        pgn::read(&pgn::games(&text)[0]).unwrap()
    }

    #[test]
    fn spellings_of_one_name_are_one_player() {
        let jane = PlayerKey::new("Jane Doe");
        for name in ["Doe, Jane", "doe, jane", "Doe,Jane", " JANE  doe ", "jane\u{a0}doe"] {
            assert_eq!(PlayerKey::new(name), jane, "{name}");
        }
        for other in ["Doe, J.", "Jane", "Janet Doe", "Doe Jane"] {
            assert_ne!(PlayerKey::new(other), jane, "{other}");
        }
    }

    #[test]
    fn the_most_frequent_spelling_is_the_usual_one() {
        let mut names = PlayerNames::default();
        for name in ["doe, jane", "Jane Doe", "Doe, Jane", "Jane Doe", "Roe"] {
            names.add(name);
        }
        assert_eq!(names.usual("Doe,  Jane"), "Jane Doe");
        assert_eq!(["roe", "Nobody"].map(|name| names.usual(name)), ["Roe", "Nobody"]);
    }

    #[test]
    fn a_game_without_the_player_reports_neither_side() {
        let sides = |player| ReportedSides::of(player, &game("Doe, Jane", "Roe"));
        assert_eq!(sides(None), ReportedSides::Both);
        assert_eq!(sides(Some("jane doe")), ReportedSides::Only(Color::White));
        assert_eq!(sides(Some("ROE")), ReportedSides::Only(Color::Black));
        assert_eq!(sides(Some("x")), ReportedSides::Neither);
        let both = ReportedSides::of(Some("a"), &game("A", "a"));
        assert!(both.includes(Color::White) && both.includes(Color::Black));
    }

    #[test]
    fn the_nearest_names_are_found_by_a_part_or_a_misspelling() {
        let nearest = |wanted: &str| {
            let mut names = SimilarNames::new(wanted);
            for (white, black) in
                [("Doe, Jane", "Roe, M."), ("Smith, Al", "jane doe"), ("Xu", "Li")]
            {
                names.add_game(&game(white, black));
            }
            names.into_names()
        };
        assert_eq!(nearest("doe")[0], "Doe, Jane");
        assert_eq!(nearest("Smiht, Al")[0], "Smith, Al");
        assert_eq!(nearest("Smith").len(), SIMILAR);
    }
}
