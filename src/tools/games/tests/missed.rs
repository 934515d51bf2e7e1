//! Missed chances and book moves in games, pages and puzzles.

use super::*;

/// White has mate in one and plays a pawn move instead; the position stays won.
fn missed_mate() -> (AnnotatedGame, AnalysedGame) {
    let game =
        game("[White \"Coach\"]\n[FEN \"6k1/5ppp/8/8/8/8/1R3PPP/R5K1 w - - 0 1\"]\n\n1. h3 h6 *");
    let won = Wdl { win: 1000, draw: 0, loss: 0 };
    let found = |score, wdl, line: &str, chess| ExaminedPosition {
        score,
        wdl,
        line: parse_san(chess, line).into_iter().collect(),
        depth: Depth::new(9),
        others: Vec::new(),
    };
    let boards = game.positions();
    let examined = vec![
        found(Score::mate_in(Ply::new(1)), won, "Ra8#", &boards[0]),
        found(Score::new(-900), Wdl { win: 0, draw: 0, loss: 1000 }, "h6", &boards[1]),
        found(Score::new(900), won, "", &boards[2]),
    ];
    let analysed = AnalysedGame::new(&game, examined);
    (game, analysed)
}

#[test]
fn a_missed_mate_is_named_without_a_fault_and_without_loss_of_accuracy() {
    let (game, analysed) = missed_mate();
    assert_eq!(analysed.missed, [Some(MissedChance::Mate(1)), None]);
    assert_eq!(faults(&analysed), [None, None]);
    let summary = PlayerSummary::by_color(&game, &analysed).white.unwrap();
    assert_eq!((summary.missed, summary.faults), ([1, 0], [0; 3]));
    assert!(summary.accuracy > 99.9);
    let text = pgn::write(&annotate(&game, &analysed, SETTINGS)).replace('\n', " ");
    let expected = "1. h3 { [%eval 9.00] } { Misses mate in 1: Ra8#. } (1. Ra8# { [%eval #1] })";
    assert!(text.contains(expected), "{text}");
    let again = annotate(&annotate(&game, &analysed, SETTINGS), &analysed, SETTINGS);
    assert_eq!(pgn::write(&again).replace('\n', " "), text);
}

#[test]
fn a_missed_mate_is_in_the_json_and_on_the_page() {
    let (game, analysed) = missed_mate();
    let line = game_line(1, &game, &analysed, RemovedVerdicts::default(), None);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["white"]["summary"]["missedMates"], 1);
    assert_eq!(line["moves"][0]["missedMate"], 1);
    assert_eq!(line["moves"][0]["said"], "Misses mate in 1: Ra8#.");
    assert_eq!(line["moves"][0]["fault"], Value::Null);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert_eq!(data_of(&page)["positions"][1]["missed"], "misses mate in 1");
    assert!(page.contains(r#"<b class="missed">Misses mate in 1</b>"#), "{page}");
}

#[test]
fn a_missed_mate_is_a_puzzle_that_only_mates_solve() {
    let (game, analysed) = missed_mate();
    let quiet = |san: &str, score| FoundLine {
        line: vec![parse_san(&game.start, san).unwrap()],
        score,
        wdl: Wdl { win: 1000, draw: 0, loss: 0 },
    };
    let found = puzzles::puzzles(&game, &analysed, "a-1.html", &mut |_| {
        let lines = [("Rb8#", Score::mate_in(Ply::new(1))), ("g3", Score::new(900))];
        Ok::<_, FileError>(lines.map(|(san, score)| quiet(san, score)).to_vec())
    });
    let found = found.unwrap();
    let json = serde_json::to_value(&found).unwrap();
    let puzzle = &json[0];
    assert_eq!((&puzzle["fault"], &puzzle["mate"]), (&"missed mate".into(), &1.into()));
    let moves = puzzle["moves"].as_array().unwrap();
    let known: Vec<_> =
        moves.iter().map(|mv| (mv["san"].as_str().unwrap(), mv["good"] == true)).collect();
    assert_eq!(known, [("Ra8#", true), ("Rb8#", true), ("g3", false)]);
}

#[test]
fn chances_of_a_side_that_is_not_reported_are_not_named() {
    let (game, mut analysed) = missed_mate();
    analysed.reported = ReportedSides::Only(Color::Black);
    assert!(analysed.lessons(&game).is_empty());
    analysed.reported = ReportedSides::Only(Color::White);
    assert_eq!(analysed.lessons(&game), [(0, Lesson::Missed(MissedChance::Mate(1)))]);
}

#[test]
fn a_gambit_of_a_named_opening_is_no_inaccuracy() {
    for (movetext, ply) in [
        ("1. e4 e5 2. f4 *", 2),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 *", 6),
        ("1. d4 Nf6 2. c4 e5 *", 3),
    ] {
        let game = game(movetext);
        let judged = |loss: u16| {
            let points = |ply: usize, after: usize| {
                let kept = if ply < after { 500 } else { 500 - loss };
                // The loss is that of the side that plays the last move.
                let own = if (ply + after).is_multiple_of(2) { 1000 - kept } else { kept };
                Wdl { win: own, draw: 0, loss: 1000 - own }
            };
            let examined = (0..=game.moves.len()).map(|at| ExaminedPosition {
                score: Score::DRAW,
                wdl: points(at, ply + 1),
                line: Vec::new(),
                depth: Depth::new(9),
                others: Vec::new(),
            });
            AnalysedGame::new(&game, examined.collect()).judged[ply]
        };
        assert_eq!(judged(180).fault, None, "{movetext}");
        assert!((judged(180).loss - 0.18).abs() < 1e-9, "{movetext}");
        assert_eq!(judged(250).fault, Some(Fault::Mistake), "{movetext}");
    }
}
