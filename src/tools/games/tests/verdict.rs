//! Verdicts of other programs in games.

use super::*;

/// The annotated game, and the numbers of removed verdicts and scores.
fn replaced(movetext: &str) -> (String, [usize; 2]) {
    let (game, analysed) = up_and_down(movetext);
    let (_, removed) = without_verdicts(&game, false);
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    (text, [removed.verdicts, removed.scores])
}

/// The annotations of this program alone.
const OURS: &str = "1. e4 { [%eval 0.20] } 1... f6 $4 { [%eval 4.00] } { Blunder. e5 was best. } \
                    (1... e5 { [%eval 0.20] }) 2. Nf3 $4 { [%eval 0.00] } { Blunder, a win missed. \
                    Qh5+ was best. } (2. Qh5+ { [%eval 4.00] }) *";

#[test]
fn verdicts_of_lichess_are_replaced_with_their_glyphs_and_lines() {
    let (text, counts) = replaced(
        "1. e4?! { (0.36 → 0.92) Inaccuracy. d4 was best. } { [%eval 0.92] } (1. d4 d5 2. c4) \
         f6? { (0.25 → 1.60) Mistake. Nc6 was best. } { [%eval 1.6] } (1... Nc6 2. Bb5 a6) \
         2. Nf3?? { (1.6 → Mate in 1) Checkmate is now unavoidable. Bc4 was best. } (2. Bc4) *",
    );
    assert!(text.contains(OURS), "{text}");
    assert_eq!(counts, [3, 2]);
}

#[test]
fn verdicts_of_chess_com_are_replaced() {
    let (text, counts) = replaced(
        "1. e4 f6?? ± {BLUNDER (+3.05) That loses a pawn.} ({(+0.21) The best move was} 1... e5 \
         2. Nf3) 2. Nf3 $2 $12 {MISTAKE (♔ Mate in 2)} ({(-0.44) The best move was} 2. c3 d5) *",
    );
    assert!(text.contains(OURS), "{text}");
    assert_eq!(counts, [2, 0]);
}

#[test]
fn scores_of_chessbase_scid_and_lucas_chess_are_replaced() {
    for movetext in [
        "1. e4 $14 {+0.35/20} f6 {[%eval 35,20]} (1... e5 {+0.30/20}) 2. Nf3 {0.35/9} *",
        "1. e4 {+0.35} f6 ?! {Stockfish 15: +1.35} $16 (1... c5 $14) 2. Nf3 {(-0.20)} *",
        "1. e4 {[%eval 0.3]} f6 (1... c5 {+0.35/20 Stockfish 17 Depth 20} 2. Nf3) 2. Nf3 {#-3} *",
    ] {
        let (text, counts) = replaced(movetext);
        assert!(text.contains(OURS), "{movetext}: {text}");
        assert_eq!(counts[0], 0);
        assert!(counts[1] >= 2, "{movetext}: {counts:?}");
    }
}

#[test]
fn our_own_verdicts_are_replaced_also_without_the_tag() {
    let (game, analysed) = up_and_down(PLAIN);
    let mut once = annotate(&game, &analysed, SETTINGS);
    once.tags.retain(|(name, _)| name != "Annotator");
    let calm = super::analysed(&game, &[(0, "d4"), (0, "f6"), (0, "Nf3"), (0, "")]);
    let twice = pgn::write(&annotate(&once, &calm, SETTINGS)).replace('\n', " ");
    let expected = "1. e4 { [%eval 0.00] } 1... f6 { [%eval 0.00] } 2. Nf3 { [%eval 0.00] } *";
    assert!(twice.contains(expected), "{twice}");
}

#[test]
fn what_people_wrote_is_kept_when_verdicts_are_replaced() {
    let (text, counts) = replaced(
        "1. e4 $14 {a pawn} f6? { [%clk 0:01:00] (0.25 → 1.60) Mistake. e5 was best. I was tired. } \
         (1... e5 {of course} 2. Nf3) (1... c5) 2. Nf3! {Mistake. I should attack.} *",
    );
    for kept in [
        "1. e4 $14 { [%eval 0.20] } { a pawn }",
        "f6 $4 { [%eval 4.00] [%clk 0:01:00] I was tired. } { Blunder. e5 was best. }",
        "(1... e5 { [%eval 0.20] of course } 2. Nf3) (1... c5)",
        "2. Nf3 $1 { [%eval 0.00] } { Blunder, a win missed. Qh5+ was best. } { Mistake. I should \
         attack. }",
    ] {
        assert!(text.contains(kept), "{kept:?} in {text}");
    }
    assert_eq!(counts, [1, 0]);
}

#[test]
fn a_second_analysis_keeps_signs_and_lines_of_people_at_faults() {
    let once = replaced(
        "1. e4 f6 $18 (1... c5 $10) (1... d5 {[%eval 0.2]} 2. exd5 {[%eval 0.5]} Qxd5) 2. Nf3 *",
    );
    let signs = "f6 $4 $18 { [%eval 4.00] } { Blunder. e5 was best. }";
    let lines = "(1... c5 $10) (1... d5 { [%eval 0.2] } 2. exd5 { [%eval 0.5] } 2... Qxd5)";
    assert!(once.0.contains(signs) && once.0.contains(lines), "{}", once.0);
    assert_eq!(replaced(&once.0), once);
}

#[test]
fn verdicts_of_other_programs_can_be_kept() {
    let (game, analysed) =
        up_and_down("1. e4 f6? { (0.2 → 1.6) Mistake. c5 was best. } (1... c5) 2. Nf3 *");
    let settings = AnalysisSettings { keep_verdicts: true, ..SETTINGS };
    let text = pgn::write(&annotate(&game, &analysed, settings)).replace('\n', " ");
    assert!(text.contains("f6 $2") && text.contains("c5 was best. } (1... c5)"), "{text}");
    let (_, removed) = without_verdicts(&game, true);
    assert_eq!(removed, RemovedVerdicts::default());
}

#[test]
fn a_score_before_the_first_move_is_replaced() {
    let (text, counts) = replaced("{[%evp 0,2,20,30] [%eval 0.1] mine} 1. e4 f6 2. Nf3 *");
    assert!(text.contains("{ [%eval 0.20] } { mine } 1. e4"), "{text}");
    assert_eq!(counts, [0, 1]);
    let (plain, _) = replaced("{mine} 1. e4 f6 2. Nf3 *");
    assert!(plain.contains(" { mine } 1. e4"), "{plain}");
}

#[test]
fn replaced_verdicts_are_counted_in_json() {
    let (game, analysed) = up_and_down(PLAIN);
    let line = |replaced| -> Value {
        serde_json::from_str(&game_line(1, &game, &analysed, replaced, None)).unwrap()
    };
    let counted = line(RemovedVerdicts { verdicts: 2, scores: 3 });
    assert_eq!(counted["replaced"], serde_json::json!({ "verdicts": 2, "scores": 3 }));
    assert_eq!(line(RemovedVerdicts::default())["replaced"], Value::Null);
}
