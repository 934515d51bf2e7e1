mod annotated;
mod missed;
mod puzzle;
mod shown;
mod verdict;

use std::io;

use roxmltree::{Document, ParsingOptions};
use serde_json::Value;
use shakmaty::{ByColor, Color};

use super::examine::examine;
use super::puzzles;
use super::record::PositionRecord;
use super::*;
use crate::limit::PositionLimit;
use crate::pgn::{self, Remark};
use outrider_engine::evaluation::wdl::{WDL_MODEL, Wdl, shown_score};
use outrider_engine::position::Position;
use outrider_engine::position::san::parse_san;
use outrider_engine::search::{Control, Engine};
use outrider_engine::units::{Depth, Ply, Score};

const LIMIT: PositionLimit = PositionLimit::Depth(4);
const SETTINGS: AnalysisSettings = AnalysisSettings::new(LIMIT);

fn game(text: &str) -> AnnotatedGame {
    pgn::read(&pgn::games(text)[0]).unwrap()
}

/// An analysis with these scores for the side to move and these best moves; the last position has no best
/// move.
fn analysed(game: &AnnotatedGame, found: &[(i32, &str)]) -> AnalysedGame {
    let positions = game.positions();
    let examined =
        found.iter().zip(&positions).map(|(&(centipawns, best), chess)| ExaminedPosition {
            score: Score::new(centipawns),
            wdl: wdl(centipawns),
            line: parse_san(chess, best).into_iter().collect(),
            depth: Depth::new(9),
            others: Vec::new(),
        });
    AnalysedGame::new(game, examined.collect())
}

/// WDL of a score in the shown scale, with all pieces on the board.
fn wdl(centipawns: i32) -> Wdl {
    let score = f64::from(centipawns) * WDL_MODEL.even(78) / 100.0;
    WDL_MODEL.wdl(Score::new(score.round() as i32), 78)
}

fn parsed(document: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(document, options).expect("well-formed XML")
}

/// Data for the script of a page.
fn data_of(page: &str) -> Value {
    let document = parsed(page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data")).unwrap();
    serde_json::from_str(data.text().unwrap()).unwrap()
}

/// Searches all positions.
fn search(game: &AnnotatedGame, settings: AnalysisSettings) -> Vec<ExaminedPosition> {
    let mut engine = Engine::new(1, 1).unwrap();
    let control = Control::default();
    let ignored = &mut |_: usize, _: &ExaminedPosition| io::Result::Ok(());
    let found = examine(game, &mut engine, settings, Vec::new(), &control, ignored);
    found.unwrap().expect("it is not stopped")
}

/// Three moves: a good one, a blunder, and a blunder in reply.
fn up_and_down(movetext: &str) -> (AnnotatedGame, AnalysedGame) {
    let game = game(movetext);
    let analysed = analysed(&game, &[(20, "e4"), (-20, "e5"), (400, "Qh5"), (0, "")]);
    (game, analysed)
}

const PLAIN: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 f6 2. Nf3 *";

fn faults(analysed: &AnalysedGame) -> Vec<Option<Fault>> {
    analysed.judged.iter().map(|judged| judged.fault).collect()
}

#[test]
fn a_move_is_compared_with_the_best_one_which_is_never_a_fault() {
    let (game, analysed) = up_and_down(PLAIN);
    let blunder = Some(Fault::Blunder);
    assert_eq!(faults(&analysed), [None, blunder, blunder]);
    assert_eq!(analysed.judged[1].centipawns, 380);
    // The same scores, but the played moves are the best.
    let best = super::tests::analysed(&game, &[(20, "e4"), (-20, "f6"), (400, "Nf3"), (0, "")]);
    assert_eq!(faults(&best), [None; 3]);
}

#[test]
fn a_game_is_searched_from_its_end_without_known_positions() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let mut engine = Engine::new(1, 1).unwrap();
    let mut order = Vec::new();
    let mut on_position = |ply: usize, _: &ExaminedPosition| {
        order.push(ply);
        io::Result::Ok(())
    };
    let control = Control::default();
    let mut examine = |known| {
        let found = examine(&game, &mut engine, SETTINGS, known, &control, &mut on_position);
        found.unwrap().expect("it is not stopped")
    };
    let all = examine(Vec::new());
    let known = all
        .iter()
        .enumerate()
        .map(|(ply, position)| (ply != 2).then(|| position.clone()))
        .collect();
    let again = examine(known);
    assert_eq!(order, [4, 3, 2, 1, 0, 2]);
    assert_eq!(all.len(), 5);
    assert_eq!((all[4].score, all[4].line.len()), (Score::mated_in(Ply::ROOT), 0));
    assert_eq!(all[3].score, Score::mate_in(Ply::new(1)));
    assert_eq!((&again[0], &again[1], &again[3]), (&all[0], &all[1], &all[3]));
    let judged = AnalysedGame::new(&game, all);
    assert_eq!(judged.judged[2].fault, Some(Fault::Blunder), "2. g4 allows mate");
    assert_eq!(judged.judged[3], JudgedMove::BEST);
}

#[test]
fn scores_are_in_the_scale_that_the_protocol_shows() {
    let game = game("[FEN \"4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1\"]\n\n*");
    let examined = search(&game, SETTINGS);
    let mut engine = Engine::new(1, 1).unwrap();
    let position = Position::new(game.start.clone());
    let outcome = engine.go(&position, &LIMIT.limits(), &Control::default(), &mut |_| {}).unwrap();
    let shown = shown_score(outcome.score);
    assert!(shown != outcome.score && examined[0].score == shown, "{shown} {:?}", examined[0]);
}

#[test]
fn an_error_of_the_callback_or_a_stop_ends_the_analysis() {
    let game = game(PLAIN);
    let mut engine = Engine::new(1, 1).unwrap();
    let control = Control::default();
    let failed = examine(&game, &mut engine, SETTINGS, Vec::new(), &control, &mut |_, _| {
        Err(io::Error::from(io::ErrorKind::BrokenPipe))
    });
    control.stop();
    let ignored = &mut |_: usize, _: &ExaminedPosition| io::Result::Ok(());
    let stopped = examine(&game, &mut engine, SETTINGS, Vec::new(), &control, ignored);
    assert_eq!(stopped.unwrap(), None);
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn a_search_result_survives_writing_and_reading() {
    let game = game("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# *");
    let examined = ExaminedPosition {
        score: Score::mate_in(Ply::new(1)),
        wdl: Wdl { win: 1000, draw: 0, loss: 0 },
        line: vec![game.moves[0].mv],
        depth: Depth::new(3),
        others: vec![FoundLine {
            score: Score::DRAW,
            wdl: wdl(0),
            line: parse_san(&game.start, "Rg1").into_iter().collect(),
        }],
    };
    let record = PositionRecord::new(2, 0, &game.start, &examined);
    let text = serde_json::to_string(&record).unwrap();
    let line = r#""score":{"mate":1},"wdl":[1000,0,0],"line":["h1h8"],"depth":3"#;
    let [win, draw, loss] = wdl(0).permille();
    let other = format!(r#"{{"score":{{"cp":0}},"wdl":[{win},{draw},{loss}],"line":["h1g1"]}}"#);
    assert_eq!(text, format!(r#"{{"game":2,"ply":0,{line},"others":[{other}]}}"#));
    let again: PositionRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(again.examined(&game.start), examined);
}

#[test]
fn a_summary_counts_each_player_separately() {
    let (game, analysed) = up_and_down(PLAIN);
    let summary = PlayerSummary::by_color(&game, &analysed);
    let [white, black] = [Color::White, Color::Black].map(|color| summary[color].unwrap());
    assert_eq!((white.moves, white.faults), (2, [0, 0, 1]));
    assert_eq!((black.moves, black.faults), (1, [0, 0, 1]));
    assert_eq!((white.centipawn_loss, black.centipawn_loss), (200.0, 380.0));
    // With one move, the accuracy is that of the move.
    let loss = wdl(400).expected_points() - wdl(20).expected_points();
    let accuracy = 103.1668 * (-4.354 * loss / 2.0).exp() - 3.1669;
    assert!((black.accuracy - accuracy).abs() < 1e-9, "{}", black.accuracy);
    let mut sum = white;
    sum.add(&black);
    assert_eq!((sum.moves, sum.count(Fault::Blunder), sum.centipawn_loss), (3, 2, 260.0));
}

#[test]
fn a_blunder_weighs_more_in_the_accuracy_than_in_the_mean_of_the_moves() {
    let (game, analysed) = up_and_down(PLAIN);
    let moves = [0, 2].map(|ply: usize| analysed.judged[ply].accuracy());
    let mean = f64::midpoint(moves[0], moves[1]);
    let harmonic = 2.0 / (1.0 / moves[0] + 1.0 / moves[1]);
    let accuracy = PlayerSummary::by_color(&game, &analysed).white.unwrap().accuracy;
    // The chance was constant at the first move and changed much at the last.
    assert!(accuracy < f64::midpoint(mean, harmonic) && accuracy > moves[1], "{accuracy}");
}
