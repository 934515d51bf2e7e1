use roxmltree::{Document, ParsingOptions};
use serde_json::Value;
use shakmaty::Color;

use super::puzzles::{self, Alternative};
use super::*;
use crate::engine::evaluation::wdl::{WDL_MODEL, Wdl, shown_score};
use crate::engine::position::Position;
use crate::engine::position::san::parse_san;
use crate::engine::search::{Control, Engine};
use crate::engine::units::{Depth, Ply, Score};
use crate::tools::limit::PositionLimit;
use crate::tools::pgn::{self, Remark};

const LIMIT: PositionLimit = PositionLimit::Depth(4);
const SETTINGS: AnalysisSettings = AnalysisSettings::new(LIMIT);

fn game(text: &str) -> Game {
    pgn::read(&pgn::games(text)[0]).unwrap()
}

/// An analysis with these scores for the side to move and these best moves, the last position
/// without one.
fn analysed(game: &Game, found: &[(i32, &str)]) -> Analysed {
    let positions = game.positions();
    let examined = found.iter().zip(&positions).map(|(&(centipawns, best), chess)| Examined {
        score: Score::new(centipawns),
        wdl: chances(centipawns),
        line: parse_san(chess, best).into_iter().collect(),
        depth: Depth::new(9),
        others: Vec::new(),
    });
    Analysed::new(game, examined.collect())
}

/// The chances with a shown score and all pieces on the board.
fn chances(centipawns: i32) -> Wdl {
    let score = f64::from(centipawns) * WDL_MODEL.even(78) / 100.0;
    WDL_MODEL.wdl(Score::new(score.round() as i32), 78)
}

/// All positions searched.
fn search(game: &Game, settings: AnalysisSettings) -> Vec<Examined> {
    let mut engine = Engine::new(1, 1).unwrap();
    let control = Control::default();
    let found = examine(game, &mut engine, settings, Vec::new(), &control, &mut |_, _| Ok(()));
    found.unwrap().expect("nobody stops it")
}

/// Three moves: a good one, a blunder, and one that throws the blunder's gift away.
fn up_and_down(movetext: &str) -> (Game, Analysed) {
    let game = game(movetext);
    let analysed = analysed(&game, &[(20, "e4"), (-20, "e5"), (400, "Qh5"), (0, "")]);
    (game, analysed)
}

const PLAIN: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 f6 2. Nf3 *";

fn faults(analysed: &Analysed) -> Vec<Option<Fault>> {
    analysed.judged.iter().map(|judged| judged.fault).collect()
}

#[test]
fn a_move_is_judged_by_the_best_one_and_the_best_one_is_never_a_fault() {
    let (game, analysed) = up_and_down(PLAIN);
    let blunder = Some(Fault::Blunder);
    assert_eq!(faults(&analysed), [None, blunder, blunder]);
    assert_eq!(analysed.judged[1].centipawns, 380);
    // The same scores, but the search thought of the move too.
    let best = super::tests::analysed(&game, &[(20, "e4"), (-20, "f6"), (400, "Nf3"), (0, "")]);
    assert_eq!(faults(&best), [None; 3]);
}

#[test]
fn a_game_is_searched_from_its_end_and_what_is_known_is_not_searched_again() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let mut engine = Engine::new(1, 1).unwrap();
    let mut order = Vec::new();
    let mut on_position = |ply: usize, _: &Examined| {
        order.push(ply);
        Ok(())
    };
    let control = Control::default();
    let mut examine = |known| {
        let found = examine(&game, &mut engine, SETTINGS, known, &control, &mut on_position);
        found.unwrap().expect("nobody stops it")
    };
    let all = examine(Vec::new());
    let known = all.iter().enumerate().map(|(ply, it)| (ply != 2).then(|| it.clone())).collect();
    let again = examine(known);
    assert_eq!(order, [4, 3, 2, 1, 0, 2]);
    assert_eq!(all.len(), 5);
    assert_eq!((all[4].score, all[4].line.len()), (Score::mated_in(Ply::ROOT), 0));
    assert_eq!(all[3].score, Score::mate_in(Ply::new(1)));
    assert_eq!((&again[0], &again[1], &again[3]), (&all[0], &all[1], &all[3]));
    let judged = Analysed::new(&game, all);
    assert_eq!(judged.judged[2].fault, Some(Fault::Blunder), "2. g4 allows mate");
    assert_eq!(judged.judged[3], JudgedMove::BEST);
}

#[test]
fn scores_are_those_that_the_protocol_would_show() {
    let game = game("[FEN \"4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1\"]\n\n*");
    let examined = search(&game, SETTINGS);
    let mut engine = Engine::new(1, 1).unwrap();
    let position = Position::new(game.start.clone());
    let outcome = engine.go(&position, &LIMIT.limits(), &Control::default(), &mut |_| {}).unwrap();
    let shown = shown_score(outcome.score);
    assert!(shown != outcome.score && examined[0].score == shown, "{shown} {:?}", examined[0]);
}

#[test]
fn a_search_that_nobody_hears_of_ends_the_analysis() {
    let game = game(PLAIN);
    let mut engine = Engine::new(1, 1).unwrap();
    let control = Control::default();
    let failed = examine(&game, &mut engine, SETTINGS, Vec::new(), &control, &mut |_, _| {
        Err(std::io::ErrorKind::BrokenPipe.into())
    });
    control.stop();
    let stopped = examine(&game, &mut engine, SETTINGS, Vec::new(), &control, &mut |_, _| Ok(()));
    assert_eq!(stopped.unwrap(), None);
    assert_eq!(failed.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn what_was_found_in_a_position_can_be_written_and_read_again() {
    let game = game("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# *");
    let examined = Examined {
        score: Score::mate_in(Ply::new(1)),
        wdl: Wdl { win: 1000, draw: 0, loss: 0 },
        line: vec![game.moves[0].mv],
        depth: Depth::new(3),
        others: vec![OtherLine {
            score: Score::DRAW,
            wdl: chances(0),
            line: parse_san(&game.start, "Rg1").into_iter().collect(),
        }],
    };
    let record = PositionRecord::new(2, 0, &game.start, &examined);
    let text = serde_json::to_string(&record).unwrap();
    let line = r#""score":{"mate":1},"wdl":[1000,0,0],"line":["h1h8"],"depth":3"#;
    let other = r#"{"score":{"cp":0},"wdl":[238,524,238],"line":["h1g1"]}"#;
    assert_eq!(text, format!(r#"{{"game":2,"ply":0,{line},"others":[{other}]}}"#));
    let again: PositionRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(again.examined(&game.start), examined);
}

#[test]
fn a_summary_counts_each_player_apart() {
    let (game, analysed) = up_and_down(PLAIN);
    let summary = PlayerSummary::of(&game, &analysed);
    let [white, black] = [Color::White, Color::Black].map(|color| summary[color].unwrap());
    assert_eq!((white.moves, white.faults), (2, [0, 0, 1]));
    assert_eq!((black.moves, black.faults), (1, [0, 0, 1]));
    assert_eq!((white.centipawn_loss, black.centipawn_loss), (200.0, 380.0));
    // One move: its own accuracy.
    let loss = chances(400).expected_points() - chances(20).expected_points();
    let accuracy = 103.1668 * (-4.354 * loss / 2.0).exp() - 3.1669;
    assert!((black.accuracy - accuracy).abs() < 1e-9, "{}", black.accuracy);
    let mut sum = white;
    sum.add(&black);
    assert_eq!((sum.moves, sum.count(Fault::Blunder), sum.centipawn_loss), (3, 2, 260.0));
}

#[test]
fn a_blunder_weighs_more_in_a_players_accuracy_than_in_the_mean_of_the_moves() {
    let (game, analysed) = up_and_down(PLAIN);
    let moves = [0, 2].map(|ply: usize| analysed.judged[ply].accuracy());
    let mean = f64::midpoint(moves[0], moves[1]);
    let harmonic = 2.0 / (1.0 / moves[0] + 1.0 / moves[1]);
    let accuracy = PlayerSummary::of(&game, &analysed).white.unwrap().accuracy;
    // The chance stood still before the first move and moved about before the last.
    assert!(accuracy < f64::midpoint(mean, harmonic) && accuracy > moves[1], "{accuracy}");
}

fn annotated(movetext: &str) -> String {
    let (game, analysed) = up_and_down(movetext);
    pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ")
}

#[test]
fn each_move_gets_its_score_and_faults_get_glyphs_and_the_best_line() {
    let text = annotated(PLAIN);
    let expected = "1. e4 { [%eval 0.20] } 1... f6 $4 { [%eval 4.00] } { Blunder. e5 was best. } \
                    (1... e5 { [%eval 0.20] }) 2. Nf3 $4 { [%eval 0.00] } { Blunder, a win missed. \
                    Qh5+ was best. } (2. Qh5+ { [%eval 4.00] }) *";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(concat!(
        "[Annotator \"Outrider ",
        env!("CARGO_PKG_VERSION"),
        " (depth 4)\"]"
    )));
}

#[test]
fn the_best_line_stands_at_faults_or_wherever_it_was_not_played_or_nowhere() {
    let game = game(PLAIN);
    // The first move is as good as the best one, the second a blunder.
    let found = [(20, "d4"), (-20, "e5"), (400, "Qh5"), (0, "")];
    let analysed = analysed(&game, &found);
    let variations = |lines| {
        let annotated = annotate(&game, &analysed, AnalysisSettings { lines, ..SETTINGS });
        pgn::write(&annotated).matches('(').count() - "(depth 4)".matches('(').count()
    };
    assert_eq!(variations(ShownLines::Faults), 2);
    assert_eq!(variations(ShownLines::All), 3);
    assert_eq!(variations(ShownLines::None), 0);
}

#[test]
fn a_variation_that_begins_with_the_best_move_is_not_doubled() {
    let once = annotated("1. e4 f6 (1... e5 {of course} 2. Nf3) 2. Nf3 (2. Qh5) *");
    assert!(once.contains("(1... e5 { [%eval 0.20] of course } 2. Nf3)"), "{once}");
    assert!(once.contains("(2. Qh5)") && !once.contains("(2. Qh5+"), "{once}");
    assert_eq!(annotated(&once), once);
}

#[test]
fn what_an_engine_noted_is_joined_with_the_score() {
    let text = annotated("1. e4 {+0.13/12 0.29s} f6 {book} 2. Nf3 *");
    assert!(text.contains("1. e4 { [%eval 0.20] +0.13/12 0.29s } 1... f6"), "{text}");
    let (game, analysed) = up_and_down("1. e4 {+0.13/12 0.29s, Draw by agreement} f6 2. Nf3 *");
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(!page.contains("<p class=\"comment\">+0.13"), "it is no comment of a person");
    assert!(page.contains("<p class=\"comment\">Draw by agreement</p>"));
    assert!(page.contains(r#""engine":{"depth":12,"score":"+0.13","seconds":0.29}"#), "{page}");
}

#[test]
fn an_only_move_gets_a_box_once() {
    let game = game(PLAIN);
    let mut analysed = analysed(&game, &[(20, "e4"), (-20, "f6"), (400, "Nf3"), (0, "")]);
    analysed.judged[1].only_move = true;
    let once = annotate(&game, &analysed, SETTINGS);
    assert!(pgn::write(&once).contains("f6 $8 { [%eval"), "{}", pgn::write(&once));
    assert_eq!(pgn::write(&annotate(&once, &analysed, SETTINGS)), pgn::write(&once));
}

#[test]
fn the_tags_of_an_opening_are_added_where_they_are_missing() {
    assert!(annotated(PLAIN).contains("[ECO \"B00\"] [Opening \"Barnes Defense\"]"));
    let named = annotated("[Opening \"Mine\"]\n\n1. e4 f6 2. Nf3 *");
    assert!(named.contains("[Opening \"Mine\"]") && named.matches("[Opening").count() == 1);
}

#[test]
fn what_is_proven_of_a_fault_is_said_in_the_game_and_on_the_page() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let analysed = Analysed::new(&game, search(&game, SETTINGS));
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    assert!(text.contains(" was best. It allows mate in 1. }"), "{text}");
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(page.contains("It allows mate in 1.</p>") && page.contains("mate in 1.\""));
}

#[test]
fn one_players_faults_can_be_told_alone() {
    let (game, mut analysed) = up_and_down(PLAIN);
    analysed.of = Some(Color::Black);
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    assert!(text.contains("f6 $4") && text.contains("Nf3 { [%eval 0.00] } *"), "{text}");
}

#[test]
fn several_lines_are_found_in_their_order_and_kept() {
    let game = game("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n*");
    let found = search(&game, AnalysisSettings { multi_pv: 3, ..SETTINGS });
    let lines: Vec<_> = found[0].lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0].1, Score::mate_in(Ply::new(1)));
    assert!(lines.windows(2).all(|pair| pair[0].1 >= pair[1].1 && pair[0].0[0] != pair[1].0[0]));
}

#[test]
fn what_is_there_stays() {
    let text = annotated(
        "[Annotator \"Somebody\"]\n\n1. e4 {[%clk 0:10:00] a pawn} f6! {[%eval 1.5] [%clk 0:09:00]} \
         (1... c5 {Sicilian}) 2. Nf3 $146 {quiet} *",
    );
    for kept in [
        "1. e4 { [%eval 0.20] [%clk 0:10:00] a pawn }",
        "f6 $1 { [%eval 4.00] [%clk 0:09:00] } { Blunder. e5 was best. } (1... c5 { Sicilian })",
        "2. Nf3 $4 $146 { [%eval 0.00] } { Blunder, a win missed. Qh5+ was best. } { quiet }",
        "[Annotator \"Somebody; Outrider ",
    ] {
        assert!(text.contains(kept), "{kept:?} in {text}");
    }
    assert!(!text.contains("1.5]"), "the old score is replaced");
}

#[test]
fn an_analysis_replaces_the_one_before() {
    let (game, first) = up_and_down("1. e4 {mine} f6 (1... c5) 2. Nf3 *");
    let once = annotate(&game, &first, SETTINGS);
    let twice = annotate(&once, &first, SETTINGS);
    assert_eq!(pgn::write(&twice), pgn::write(&once));
    let other = analysed(&game, &[(0, "d4"), (0, "f6"), (0, "Nf3"), (0, "")]);
    let anew = pgn::write(&annotate(&once, &other, AnalysisSettings::new(PositionLimit::Nodes(7))));
    assert!(!anew.contains('$') && !anew.contains("4.00"), "{anew}");
    assert!(anew.contains("{ mine }") && anew.contains("(1... c5)"), "{anew}");
    assert_eq!(anew.matches("Outrider").count(), 1);
}

#[test]
fn mates_are_written_as_programs_read_them() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let examined = search(&game, SETTINGS);
    let text = pgn::write(&annotate(&game, &Analysed::new(&game, examined), SETTINGS));
    // Where the lines are broken depends on the scores.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("2. g4 $4 { [%eval #-1] }"), "{text}");
    assert!(text.contains("2... Qh4# 0-1"), "a mate on the board has no score: {text}");
}

fn parsed(document: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(document, options).expect("well-formed XML")
}

const HOSTILE: &str = "[White \"<script>alert(1)</script> & {{data}}\"]\n[Black \"B\"]\n\n1. e4 \
                       {</script><b>} f6 (1... c5 {<i>}) 2. Nf3 *";

#[test]
fn a_page_is_one_well_formed_file_whatever_the_game_says() {
    let (game, analysed) = up_and_down(HOSTILE);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    for name in ["src", "href"] {
        let links = document.descendants().filter_map(|node| node.attribute(name));
        assert!(links.clone().all(|link| link.starts_with('#')), "{:?}", links.collect::<Vec<_>>());
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    let title = document.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(title.text(), Some("<script>alert(1)</script> & {{data}} – B"));
    for promise in ["prefers-color-scheme: dark", "width=device-width", "lang=\"en\""] {
        assert!(page.contains(promise), "{promise}");
    }
}

#[test]
fn a_page_knows_every_position_with_move_score_and_line() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data")).unwrap();
    let data: Value = serde_json::from_str(data.text().unwrap()).unwrap();
    let positions = data["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions[0]["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let after = &positions[2];
    assert_eq!((&after["name"], &after["fault"]), (&"1... f6".into(), &"blunder".into()));
    assert_eq!(after["moved"], serde_json::json!(["f7", "f6"]));
    assert_eq!(after["score"], "+4.00");
    assert_eq!(after["line"][0][0], "2.");
    assert_eq!(after["line"][0][1], "Qh5+");
    assert_eq!(after["line"][0][3], serde_json::json!(["d1", "h5"]));
    let moves = document.descendants().filter(|node| node.has_tag_name("a"));
    let links: Vec<_> = moves.filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, ["#1", "#2", "#3"]);
}

/// What the program of a page finds.
fn data_of(page: &str) -> Value {
    let document = parsed(page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data")).unwrap();
    serde_json::from_str(data.text().unwrap()).unwrap()
}

#[test]
fn beside_the_board_stand_the_players_alone_so_that_nothing_takes_its_height() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let board = document.descendants().find(|node| node.attribute("id") == Some("board")).unwrap();
    let column = board.ancestors().find(|node| node.has_tag_name("section")).unwrap();
    let parts = column.children().filter(|node| node.is_element());
    let classes: Vec<_> = parts.filter_map(|node| node.attribute("class")).collect();
    assert_eq!(classes, ["player", "stage", "player"]);
}

#[test]
fn variations_and_comments_of_the_input_can_be_played_through() {
    let (game, analysed) = up_and_down(
        "{before [%csl Ge4]} 1. e4 {[%cal Ge2e4] after} f6 (1... e5 $1 {solid} 2. Nf3 (2. Bc4) 2... \
         Nc6 3. Qh8 Nf6) 2. Nf3 *",
    );
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let data = data_of(&page);
    let said = |ply: usize| &data["positions"][ply]["remarks"];
    assert_eq!((&said(0)["comment"], &said(1)["comment"]), (&"before".into(), &"after".into()));
    assert_eq!(said(0)["circles"][0], serde_json::json!(["e4", "green"]));
    assert_eq!(said(1)["arrows"][0], serde_json::json!(["e2", "e4", "green"]));
    let [outer, inner] = [0, 1].map(|number: usize| &data["variations"][number]);
    let names = |line: &Value| -> Vec<String> {
        let steps = line["steps"].as_array().unwrap();
        steps.iter().map(|step| step[1].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(outer), ["e5", "Nf3", "Nc6"], "what follows an illegal move is no step");
    assert_eq!(outer["steps"][0][4]["comment"], "solid");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
    assert_eq!(inner["steps"][0][2], fen);
    assert_eq!((&inner["at"], &inner["parent"]), (&1.into(), &serde_json::json!([0, 1])));
    let document = parsed(&page);
    let text = document.descendants().find(|node| node.attribute("class") == Some("variation"));
    let text: String = text.unwrap().descendants().filter_map(|node| node.text()).collect();
    assert!(text.contains("3.\u{a0}Qh8 Nf6"), "{text}");
    let buttons = page.matches("data-line=\"v0\"").count();
    assert_eq!((buttons, page.matches("data-line=\"v1\"").count()), (3, 1));
}

#[test]
fn a_page_can_be_turned_for_black_and_names_what_is_copied() {
    let (game, analysed) = up_and_down(PLAIN);
    let links = vec![("All <games>".to_owned(), "index.html".to_owned())];
    let frame = PageFrame { black_below: true, links };
    let page = page(&game, &analysed, SETTINGS, &frame);
    let data = data_of(&page);
    assert_eq!(data["blackBelow"], true);
    assert_eq!(
        data["positions"][1]["fen"],
        format!("{} 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -")
    );
    assert!(data["pgn"].as_str().unwrap().contains("1. e4"));
    assert!(page.contains(r#"<a href="index.html">All &lt;games&gt;</a>"#));
}

#[test]
fn on_paper_each_fault_has_its_diagram() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let diagrams = document.descendants().filter_map(|node| node.attribute("data-ply"));
    assert_eq!(diagrams.collect::<Vec<_>>(), ["2", "3"]);
    assert!(page.contains("@media print"));
}

#[test]
fn the_times_of_the_moves_stand_under_the_curve_with_faults_in_time_trouble() {
    let (game, analysed) = up_and_down(
        "[TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:50]} f6 {[%clk 0:00:05]} 2. Nf3 {[%clk 0:00:40]} *",
    );
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let data = data_of(&page);
    let position = &data["positions"][2];
    assert_eq!((&position["spent"], &position["trouble"]), (&"0:55".into(), &true.into()));
    let document = parsed(&page);
    let times = document.descendants().find(|node| node.attribute("class") == Some("times"));
    let bars: Vec<_> =
        times.unwrap().descendants().filter_map(|it| it.attribute("class")).collect();
    assert_eq!(bars, ["times", "middle", "white-time", "blunder", "white-time"]);
    let (game, analysed) = up_and_down(PLAIN);
    let page = super::page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(!page.contains("class=\"times\""), "without clocks there are none");
}

/// What the moves of a position are worth in points, by their names.
fn worth(chess: &shakmaty::Chess, moves: &[(&str, f64)]) -> Vec<Alternative> {
    let one = |&(name, points): &(&str, f64)| Alternative {
        line: vec![parse_san(chess, name).unwrap()],
        score: crate::tools::score_record::ScoreRecord::Cp(0),
        points,
    };
    moves.iter().map(one).collect()
}

#[test]
fn each_fault_is_a_puzzle_that_accepts_what_is_good_enough() {
    let (game, analysed) = up_and_down(PLAIN);
    let boards = game.positions();
    let top = analysed.examined[1].wdl.expected_points();
    let found = puzzles::puzzles(&game, &analysed, "a-1.html", &mut |ply| match ply {
        1 => Ok(worth(
            &boards[1],
            &[("c5", top), ("e5", top), ("a6", top - 0.09), ("f6", top - 0.05), ("g5", top - 0.2)],
        )),
        _ => Ok(Vec::new()),
    });
    let found = found.unwrap();
    let json = serde_json::to_value(&found).unwrap();
    let puzzle = &json[0];
    assert_eq!((&puzzle["played"], &puzzle["before"]), (&"1... f6".into(), &"1. e4".into()));
    assert_eq!((&puzzle["player"], &puzzle["by_black"]), (&"B".into(), &true.into()));
    assert_eq!(puzzle["address"], "a-1.html#2");
    let moves: Vec<_> = puzzle["moves"].as_array().unwrap().iter().collect();
    let known = |at: usize| (moves[at]["san"].as_str().unwrap(), moves[at]["good"] == true);
    let all: Vec<_> = (0..moves.len()).map(known).collect();
    let expected = [("e5", true), ("c5", true), ("a6", true), ("f6", false), ("g5", false)];
    assert_eq!(all, expected, "the analysis' best comes first, what was played is never right");
    assert_eq!(moves[4]["loss"], 20);
    assert_eq!(puzzle["line"], serde_json::json!(["e5"]));
    // Without other lines the analysis' own best move is the answer.
    assert_eq!(json[1]["moves"][0]["san"], "Qh5+");
    let page =
        puzzles::puzzle_page("<games>", &found.iter().collect::<Vec<_>>(), Some("index.html"));
    assert!(puzzles::is_puzzle_page(&page) && !is_page(&page));
    assert_eq!(data_of(&page)["puzzles"].as_array().unwrap().len(), 2);
    assert!(page.contains("&lt;games&gt;: find better") && page.contains(r#"href="index.html""#));
}

#[test]
fn the_moves_of_a_puzzle_are_searched_and_worth_what_their_scores_say() {
    let game = game("[FEN \"7k/8/8/8/8/8/8/KQR5 w - - 0 1\"]\n\n1. Qb2+ *");
    let mut engine = Engine::new(1, 1).unwrap();
    let position = Position::new(game.start.clone());
    let limit = PositionLimit::Depth(5);
    let found = puzzles::alternatives(&position, &mut engine, limit, &Control::default()).unwrap();
    assert_eq!(found.len(), 6, "the best six moves");
    assert!(found.windows(2).all(|pair| pair[0].points >= pair[1].points));
    assert!(found[0].points > 0.99, "{found:?}");
}

#[test]
fn castling_is_drawn_as_the_king_moves() {
    let game =
        game("[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. O-O O-O *");
    let squares: Vec<_> =
        game.moves.iter().map(|played| crate::tools::pages::board::squares(played.mv)).collect();
    assert_eq!(squares, [["f1", "g1"], ["f8", "g8"]]);
}

#[test]
fn a_picture_is_well_formed_with_a_dot_on_each_fault() {
    let (game, analysed) = up_and_down(HOSTILE);
    let picture = picture(&game, &analysed);
    let document = parsed(&picture);
    assert!(document.root_element().has_tag_name("svg"));
    let judged: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(judged[1..], ["1... f6: blunder", "2. Nf3: blunder"]);
}

#[test]
fn the_curve_has_round_move_numbers_where_white_has_moved() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(20);
    let game = game(&format!("[FEN \"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 7\"]\n\n{moves} *"));
    let ticks = graph::ticks(&game);
    let numbers: Vec<_> = ticks.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [10, 15, 20, 25, 30, 35, 40, 45]);
    assert_eq!(ticks[0].1, 7.0 / 80.0, "after the seventh ply, White's tenth move");
}

#[test]
fn annotating_forgets_no_remark_of_a_person() {
    let (game, analysed) =
        up_and_down("1. e4 {a} {b} $10 (1. d4 {x}) f6 (1... a6 (1... b6)) 2. Nf3 *");
    let annotated = annotate(&game, &analysed, SETTINGS);
    for (before, after) in game.moves.iter().zip(&annotated.moves) {
        let missing: Vec<&Remark> =
            before.remarks.iter().filter(|remark| !after.remarks.contains(remark)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
