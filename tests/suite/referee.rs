//! The referee detects every kind of fault, and finds none in games of the engine against itself.

use shakmaty::CastlingMode;

use crate::support::engine::Answer;
use crate::support::games::SHARP;
use crate::support::referee::{Budget, Ending, Game, self_play};

const STANDARD: CastlingMode = CastlingMode::Standard;
const CHESS960: CastlingMode = CastlingMode::Chess960;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns an answer with one line of play for each score and line, and the best move.
fn answer(lines: &[(&str, &str)], best: &str) -> Answer {
    let full = |(score, moves): &(&str, &str)| {
        let counts = "nodes 9 nps 9 hashfull 0 time 1";
        format!("info depth 5 seldepth 5 multipv 1 score {score} {counts} pv {moves}")
    };
    Answer { lines: lines.iter().map(full).collect(), best: Some(best.to_owned()), ponder: None }
}

#[track_caller]
fn assert_fault(game: &Game, answer: &Answer, fault: &str) {
    let error = game.judge(answer).expect_err(fault);
    assert!(error.contains(fault), "\"{error}\" instead of \"{fault}\"");
}

#[test]
fn the_referee_accepts_correct_answers() {
    let game = Game::from_fen(START, STANDARD, "e2e4 e7e5");
    let mut good = answer(&[("cp 20", "g1f3 b8c6 f1b5"), ("cp 25", "f1c4 g8f6")], "f1c4");
    good.ponder = Some("g8f6".to_owned());
    assert_eq!(game.judge(&good), game.find("f1c4").map(Some));
    let mated = Game::from_fen(START, STANDARD, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.judge(&Answer::default()), Ok(None));
    let mate = Game::from_fen(START, STANDARD, "f2f3 e7e5 g2g4");
    assert!(mate.judge(&answer(&[("mate 1", "d8h4")], "d8h4")).is_ok());
}

#[test]
fn the_referee_detects_illegal_moves() {
    let game = Game::from_fen(START, STANDARD, "e2e4 e7e5");
    assert_fault(&game, &answer(&[], "e4e5"), "not legal");
    assert_fault(&game, &answer(&[("cp 0", "g1f3 b8c6 a2a5")], "g1f3"), "a2a5 is not legal");
    let mut bad_ponder = answer(&[("cp 0", "g1f3")], "g1f3");
    bad_ponder.ponder = Some("g1f3".to_owned());
    assert_fault(&game, &bad_ponder, "not legal");
    assert_fault(&game, &Answer::default(), "there are moves");
    let castling = Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", STANDARD, "");
    assert_fault(&castling, &answer(&[], "e1h1"), "not legal");
}

#[test]
fn the_referee_detects_lines_beyond_the_end_of_the_game() {
    let fools_mate = Game::from_fen(START, STANDARD, "f2f3 e7e5");
    let beyond = answer(&[("cp 0", "g2g4 d8h4 a2a3")], "g2g4");
    assert_fault(&fools_mate, &beyond, "after Checkmate");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    let game = Game::from_fen(START, STANDARD, shuffle);
    assert_fault(&game, &answer(&[("cp 0", "f6g8 e2e4")], "f6g8"), "after Repetition");
    let fifty = Game::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", STANDARD, "");
    assert_fault(&fifty, &answer(&[("cp 0", "a1a2 e8e7")], "a1a2"), "after FiftyMoves");
    assert_eq!(game.ending(), None);
    assert_eq!(
        Game::from_fen(START, STANDARD, &format!("{shuffle} f6g8")).ending(),
        Some(Ending::Repetition)
    );
    let stalemate = Game::from_fen("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", STANDARD, "");
    assert_eq!(stalemate.ending(), Some(Ending::Stalemate));
    let kings = Game::from_fen("7k/8/5K2/8/8/8/8/8 b - - 0 1", STANDARD, "");
    assert_eq!(kings.ending(), Some(Ending::InsufficientMaterial));
}

#[test]
fn the_referee_detects_inconsistent_claims() {
    let game = Game::from_fen(START, STANDARD, "f2f3 e7e5 g2g4");
    let fault = |score, line, text| assert_fault(&game, &answer(&[(score, line)], "d8h4"), text);
    fault("mate 2", "d8h4", "mate 2 with 1 plies");
    fault("mate -1", "d8h4", "mate -1 with 1 plies");
    fault("mate 0", "d8h4", "no mate can be");
    fault("mate 400", "d8h4", "no mate can be");
    fault("cp 31999", "d8h4", "no sane score");
    fault("cp 1", "d7d5", "but the last pv");
    fault("cp one", "d8h4", "no number");
    let mut backwards = answer(&[("cp 1", "d7d5"), ("cp 2", "d8h4")], "d8h4");
    backwards.lines[1] = backwards.lines[1].replace("nodes 9", "nodes 8");
    assert_fault(&game, &backwards, "run backwards");
    let mut sinking = answer(&[("cp 1", "d7d5"), ("cp 2", "d8h4")], "d8h4");
    sinking.lines[1] = sinking.lines[1].replace("depth 5 ", "depth 4 ");
    assert_fault(&game, &sinking, "the depth sinks");
}

#[test]
fn short_games_from_positions_with_special_rules_have_no_fault() {
    for fen in SHARP {
        self_play(Game::from_fen(fen, CHESS960, ""), Budget::Nodes(2000), 60);
    }
}
