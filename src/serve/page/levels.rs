//! The levels of the engine in the form for a new game: their names, and what they mean.

use std::fmt::Write as _;

/// The measured levels: Elo rating, name and meaning. The numbers in the meanings are from
/// `benches/record/levels.md`.
pub(super) const LEVELS: [(i32, &str, &str); 9] = [
    (450, "Newcomer", "Looks 1 half-move ahead; 36 of 100 moves lose a pawn or more."),
    (750, "Beginner", "Looks 1 or 2 half-moves ahead; 31 of 100 moves lose a pawn or more."),
    (1100, "Casual player", "Looks 2 half-moves ahead; 24 of 100 moves lose a pawn or more."),
    (1350, "Regular player", "Looks 2 or 3 half-moves ahead; 19 of 100 moves lose a pawn or more."),
    (1600, "Club player", "Looks 3 or 4 half-moves ahead; 13 of 100 moves lose a pawn or more."),
    (
        1850,
        "Strong club player",
        "Looks 4 to 6 half-moves ahead; 7 of 100 moves lose a pawn or more.",
    ),
    (2150, "Expert", "Looks 7 to 10 half-moves ahead; 4 of 100 moves lose a pawn or more."),
    (2350, "Master", "Looks 9 to 13 half-moves ahead; 4 of 100 moves lose a pawn or more."),
    (2700, "Grandmaster", "Looks 13 to 19 half-moves ahead; hardly a move loses a pawn."),
];

/// Returns the page with the levels in the places that list them.
pub(super) fn with_levels(page: &str) -> String {
    let [mut ticks, mut entries, mut choices] = [const { String::new() }; 3];
    for (elo, name, meaning) in LEVELS {
        let _ = write!(ticks, "<option value=\"{elo}\"></option>");
        let _ = write!(
            entries,
            "<li><button type=\"button\" data-level=\"{elo}\"><b>{name}</b> {elo} <span class=\"note\">{meaning}</span></button></li>"
        );
        let _ = write!(choices, "<option value=\"{elo}\">{name} ({elo})</option>");
    }
    page.replace("{{ticks}}", &ticks)
        .replace("{{levels}}", &entries)
        .replace("{{choices}}", &choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::search::StrengthLimit;

    #[test]
    fn every_measured_level_has_a_name() {
        assert!(StrengthLimit::measured().eq(LEVELS.map(|(elo, ..)| elo)));
        let bounds = format!("min=\"{}\" max=\"{}\"", LEVELS[0].0, LEVELS[8].0);
        assert!(super::super::CONTENT.contains(&bounds), "{bounds}");
    }
}
