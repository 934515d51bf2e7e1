//! Annotated games.

use super::*;

fn annotated(movetext: &str) -> String {
    let (game, analysed) = up_and_down(movetext);
    pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ")
}

#[test]
fn each_move_gets_a_score_and_each_fault_a_glyph_and_the_best_line() {
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
fn best_lines_are_written_at_faults_at_all_other_moves_or_not_at_all() {
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
fn a_variation_that_begins_with_the_best_move_is_not_repeated() {
    let once = annotated("1. e4 f6 (1... e5 {of course} 2. Nf3) 2. Nf3 (2. Qh5) *");
    assert!(once.contains("(1... e5 { [%eval 0.20] of course } 2. Nf3)"), "{once}");
    assert!(once.contains("(2. Qh5)") && !once.contains("(2. Qh5+"), "{once}");
    assert_eq!(annotated(&once), once);
    // The best move in long algebraic notation, as some programs write it.
    let long = annotated("1. e4 f6 (1... e7e5) 2. Nf3 *");
    assert!(long.contains("(1... e7e5)") && !long.contains("(1... e5"), "{long}");
}

#[test]
fn the_score_is_added_to_an_engine_note() {
    let text = annotated("1. e4 {+0.13/12 0.29s} f6 {book} 2. Nf3 *");
    assert!(text.contains("1. e4 { [%eval 0.20] +0.13/12 0.29s } 1... f6"), "{text}");
    let (game, analysed) = up_and_down("1. e4 {+0.13/12 0.29s, Draw by agreement} f6 2. Nf3 *");
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(!page.contains("<p class=\"comment\">+0.13"), "an engine note is not a comment");
    assert!(page.contains("<p class=\"comment\">Draw by agreement</p>"));
    assert!(page.contains(r#""engine":{"depth":12,"score":"+0.13","seconds":0.29}"#), "{page}");
}

#[test]
fn an_only_move_gets_exactly_one_box() {
    let game = game(PLAIN);
    let mut analysed = analysed(&game, &[(20, "e4"), (-20, "f6"), (400, "Nf3"), (0, "")]);
    analysed.judged[1].only_move = true;
    let once = annotate(&game, &analysed, SETTINGS);
    assert!(pgn::write(&once).contains("f6 $8 { [%eval"), "{}", pgn::write(&once));
    assert_eq!(pgn::write(&annotate(&once, &analysed, SETTINGS)), pgn::write(&once));
}

#[test]
fn missing_tags_of_the_opening_are_added() {
    assert!(annotated(PLAIN).contains("[ECO \"B00\"] [Opening \"Barnes Defense\"]"));
    let named = annotated("[Opening \"Mine\"]\n\n1. e4 f6 2. Nf3 *");
    assert!(named.contains("[Opening \"Mine\"]") && named.matches("[Opening").count() == 1);
}

#[test]
fn the_reason_of_a_fault_is_in_the_game_and_on_the_page() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let analysed = AnalysedGame::new(&game, search(&game, SETTINGS));
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    assert!(text.contains(" was best. It allows mate in 1. }"), "{text}");
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(page.contains("It allows mate in 1.</p>") && page.contains("mate in 1.\""));
}

#[test]
fn faults_can_be_reported_for_one_player_only() {
    let (game, mut analysed) = up_and_down(PLAIN);
    analysed.reported = ReportedSides::Only(Color::Black);
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    assert!(text.contains("f6 $4") && text.contains("Nf3 { [%eval 0.00] } *"), "{text}");
}

#[test]
fn several_lines_are_found_from_best_to_worst() {
    let game = game("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n*");
    let found = search(&game, AnalysisSettings { multi_pv: 3, ..SETTINGS });
    let lines: Vec<_> = found[0].lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0].1, Score::mate_in(Ply::new(1)));
    assert!(lines.windows(2).all(|pair| pair[0].1 >= pair[1].1 && pair[0].0[0] != pair[1].0[0]));
}

#[test]
fn existing_annotations_are_kept() {
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
fn an_analysis_replaces_the_earlier_one() {
    let (game, first) = up_and_down("1. e4 {mine} f6 (1... c5) 2. Nf3 *");
    let once = annotate(&game, &first, SETTINGS);
    let twice = annotate(&once, &first, SETTINGS);
    assert_eq!(pgn::write(&twice), pgn::write(&once));
    let other = analysed(&game, &[(0, "d4"), (0, "f6"), (0, "Nf3"), (0, "")]);
    let next = pgn::write(&annotate(&once, &other, AnalysisSettings::new(PositionLimit::Nodes(7))));
    assert!(!next.contains('$') && !next.contains("4.00"), "{next}");
    assert!(next.contains("{ mine }") && next.contains("(1... c5)"), "{next}");
    assert_eq!(next.matches("Outrider").count(), 1);
}

#[test]
fn glyphs_of_other_annotators_are_kept_after_repeated_analyses() {
    let (game, first) = up_and_down("1. e4 f6? 2. Nf3 $6 *");
    let once = annotate(&game, &first, SETTINGS);
    let calm = analysed(&game, &[(0, "d4"), (0, "f6"), (0, "Nf3"), (0, "")]);
    let twice = pgn::write(&annotate(&once, &calm, SETTINGS));
    assert!(twice.contains("f6 $2") && twice.contains("Nf3 $6"), "{twice}");
    assert!(!twice.contains("was best"), "{twice}");
}

#[test]
fn mates_are_written_in_the_form_that_programs_read() {
    let game = game("1. f3 e5 2. g4 Qh4# 0-1");
    let examined = search(&game, SETTINGS);
    let text = pgn::write(&annotate(&game, &AnalysedGame::new(&game, examined), SETTINGS));
    // The line breaks depend on the scores.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("2. g4 $4 { [%eval #-1] }"), "{text}");
    assert!(text.contains("2... Qh4# 0-1"), "a mate on the board has no score: {text}");
}

#[test]
fn no_remark_of_another_annotator_is_lost() {
    let (game, analysed) =
        up_and_down("1. e4 {a} {b} $10 (1. d4 {x}) f6 (1... a6 (1... b6)) 2. Nf3 *");
    let annotated = annotate(&game, &analysed, SETTINGS);
    for (before, after) in game.moves.iter().zip(&annotated.moves) {
        let missing: Vec<&Remark> =
            before.remarks.iter().filter(|remark| !after.remarks.contains(remark)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
