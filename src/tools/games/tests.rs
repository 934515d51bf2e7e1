use roxmltree::{Document, ParsingOptions};
use serde_json::Value;
use shakmaty::Color;

use super::*;
use crate::engine::evaluation::wdl::{WDL_MODEL, Wdl, shown_score};
use crate::engine::position::Position;
use crate::engine::position::san::parse_san;
use crate::engine::search::{Control, Engine};
use crate::engine::units::{Depth, Ply, Score};
use crate::tools::limit::PositionLimit;
use crate::tools::pgn::{self, Remark};

const LIMIT: PositionLimit = PositionLimit::Depth(4);

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
    });
    Analysed::new(game, examined.collect())
}

/// The chances with a shown score and all pieces on the board.
fn chances(centipawns: i32) -> Wdl {
    let score = f64::from(centipawns) * WDL_MODEL.even(78) / 100.0;
    WDL_MODEL.wdl(Score::new(score.round() as i32), 78)
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
    let all = examine(&game, &mut engine, LIMIT, Vec::new(), &mut on_position).unwrap();
    let known = all.iter().enumerate().map(|(ply, it)| (ply != 2).then(|| it.clone())).collect();
    let again = examine(&game, &mut engine, LIMIT, known, &mut on_position).unwrap();
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
    let mut engine = Engine::new(1, 1).unwrap();
    let examined = examine(&game, &mut engine, LIMIT, Vec::new(), &mut |_, _| Ok(())).unwrap();
    engine.new_game();
    let position = Position::new(game.start.clone());
    let outcome = engine.go(&position, &LIMIT.limits(), &Control::default(), &mut |_| {});
    let shown = shown_score(outcome.score);
    assert!(shown != outcome.score && examined[0].score == shown, "{shown} {:?}", examined[0]);
}

#[test]
fn a_search_that_nobody_hears_of_ends_the_analysis() {
    let game = game(PLAIN);
    let mut engine = Engine::new(1, 1).unwrap();
    let failed = examine(&game, &mut engine, LIMIT, Vec::new(), &mut |_, _| {
        Err(std::io::ErrorKind::BrokenPipe.into())
    });
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
    };
    let record = PositionRecord::new(2, 0, &game.start, &examined);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(
        text,
        r#"{"game":2,"ply":0,"score":{"mate":1},"wdl":[1000,0,0],"line":["h1h8"],"depth":3}"#
    );
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
    pgn::write(&annotate(&game, &analysed, LIMIT)).replace('\n', " ")
}

#[test]
fn each_move_gets_its_score_and_faults_get_glyphs_and_the_best_line() {
    let text = annotated(PLAIN);
    let expected = "1. e4 { [%eval 0.20] } 1... f6 $4 { [%eval 4.00] } (1... e5 { [%eval 0.20] }) \
                    2. Nf3 $4 { [%eval 0.00] } (2. Qh5+ { [%eval 4.00] }) *";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(concat!(
        "[Annotator \"Outrider ",
        env!("CARGO_PKG_VERSION"),
        " (depth 4)\"]"
    )));
}

#[test]
fn what_is_there_stays() {
    let text = annotated(
        "[Annotator \"Somebody\"]\n\n1. e4 {[%clk 0:10:00] a pawn} f6! {[%eval 1.5] [%clk 0:09:00]} \
         (1... c5 {Sicilian}) 2. Nf3 $146 {quiet} *",
    );
    for kept in [
        "1. e4 { [%eval 0.20] [%clk 0:10:00] a pawn }",
        "f6 $1 { [%eval 4.00] [%clk 0:09:00] } (1... c5 { Sicilian })",
        "2. Nf3 $4 $146 { [%eval 0.00] } { quiet }",
        "[Annotator \"Somebody; Outrider ",
    ] {
        assert!(text.contains(kept), "{kept:?} in {text}");
    }
    assert!(!text.contains("1.5]"), "the old score is replaced");
}

#[test]
fn an_analysis_replaces_the_one_before() {
    let (game, first) = up_and_down("1. e4 {mine} f6 (1... c5) 2. Nf3 *");
    let once = annotate(&game, &first, LIMIT);
    let twice = annotate(&once, &first, LIMIT);
    assert_eq!(pgn::write(&twice), pgn::write(&once));
    let other = analysed(&game, &[(0, "d4"), (0, "f6"), (0, "Nf3"), (0, "")]);
    let anew = pgn::write(&annotate(&once, &other, PositionLimit::Nodes(7)));
    assert!(!anew.contains('$') && !anew.contains("4.00"), "{anew}");
    assert!(anew.contains("{ mine }") && anew.contains("(1... c5)"), "{anew}");
    assert_eq!(anew.matches("Outrider").count(), 1);
}

#[test]
fn mates_are_written_as_programs_read_them() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let mut engine = Engine::new(1, 1).unwrap();
    let examined = examine(&game, &mut engine, LIMIT, Vec::new(), &mut |_, _| Ok(())).unwrap();
    let text = pgn::write(&annotate(&game, &Analysed::new(&game, examined), LIMIT));
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
    let document = parsed(&page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data")).unwrap();
    let data: Value = serde_json::from_str(data.text().unwrap()).unwrap();
    let positions = data["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions[0]["board"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
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
    let page = page(&game, &analysed, LIMIT, &frame);
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
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
    let page = page(&game, &analysed, LIMIT, &PageFrame::default());
    let data = data_of(&page);
    let position = &data["positions"][2];
    assert_eq!((&position["spent"], &position["trouble"]), (&"0:55".into(), &true.into()));
    let document = parsed(&page);
    let times = document.descendants().find(|node| node.attribute("class") == Some("times"));
    let bars: Vec<_> =
        times.unwrap().descendants().filter_map(|it| it.attribute("class")).collect();
    assert_eq!(bars, ["times", "middle", "white-time", "blunder", "white-time"]);
    let (game, analysed) = up_and_down(PLAIN);
    let page = super::page(&game, &analysed, LIMIT, &PageFrame::default());
    assert!(!page.contains("class=\"times\""), "without clocks there are none");
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
    let annotated = annotate(&game, &analysed, LIMIT);
    for (before, after) in game.moves.iter().zip(&annotated.moves) {
        let missing: Vec<&Remark> =
            before.remarks.iter().filter(|remark| !after.remarks.contains(remark)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
