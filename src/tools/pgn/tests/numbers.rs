//! Move numbers that cannot be right are found; the game is read anyway.

use super::*;

/// Returns line, number and expected number of the first wrong number.
fn wrong(text: &str) -> Option<(usize, u32, u32)> {
    let sources = games(text);
    let game = read(&sources[sources.len() - 1]).unwrap();
    game.wrong_number.map(|wrong| (wrong.line, wrong.found, wrong.expected))
}

const ENDGAME: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n";

#[test]
fn right_numbers_are_accepted_in_all_usual_forms() {
    let texts = [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 1...e5 2.Nf3 2... Nc6 3 Bb5 3 ... a6 *",
        "e4 e5 Nf3 2... Nc6 *",
        "1. e4 (1. d4 d5 7. c4) 1... e5 {12. Nf3} 2. Nf3 3. *",
        "1. e4 e5 2. -- Nc6 17. Nf3 *",
        "1. e4 e5 2. Nf3 12 *",
    ];
    for text in texts {
        assert_eq!(wrong(text), None, "{text}");
    }
    for numbered in
        ["30... Kd7 31. Kd2", "1... Kd7 2. Kd2", "Kd7 31. Kd2", "0... Kd7 1. Kd2 1... Kd6"]
    {
        assert_eq!(wrong(&format!("{ENDGAME}{numbered} *")), None, "{numbered}");
    }
}

#[test]
fn the_first_wrong_number_is_found_with_its_line() {
    assert_eq!(wrong("1. e4 e5\n3. Nf3 Nc6\n4. Bb5 *"), Some((2, 3, 2)));
    assert_eq!(wrong("0. Nf3 Nf6 1. c4 *"), Some((1, 0, 1)));
    assert_eq!(wrong("1. e4 2. e5 3. Nf3 *"), Some((1, 2, 1)));
    assert_eq!(wrong("1. e4 e5 2. Nf3 4... Nc6 5. Bb5 *"), Some((1, 4, 2)));
    assert_eq!(wrong("1. e4 e5\n99999999999. Nf3 *"), Some((2, u32::MAX, 2)));
    assert_eq!(wrong("1. e4 e5 [White \"x\"]\n2. Nf3 Nf6 *"), Some((2, 2, 1)), "a tag among moves");
    assert_eq!(wrong(&format!("{ENDGAME}30... Kd7\n32. Kd2 *")), Some((4, 32, 31)));
}

#[test]
fn a_wrong_number_is_said_in_a_sentence() {
    let game = only("1. e4 e5 3. Nf3 *");
    assert_eq!(moves(&game), ["e4", "e5", "Nf3"]);
    assert_eq!(
        game.wrong_number.unwrap().to_string(),
        "move number 3 where 2 is expected; moves may be missing"
    );
}
