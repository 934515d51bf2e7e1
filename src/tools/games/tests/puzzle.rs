//! Puzzles from faults.

use super::*;

/// Lines with these moves and expected points.
fn worth(chess: &shakmaty::Chess, moves: &[(&str, f64)]) -> Vec<FoundLine> {
    let wdl = |points: f64| {
        let half_permilles = (2000.0 * points).round() as u16;
        let (win, draw) = (half_permilles / 2, half_permilles % 2);
        Wdl { win, draw, loss: 1000 - win - draw }
    };
    let one = |&(name, points): &(&str, f64)| FoundLine {
        line: vec![parse_san(chess, name).unwrap()],
        score: Score::DRAW,
        wdl: wdl(points),
    };
    moves.iter().map(one).collect()
}

#[test]
fn each_fault_is_a_puzzle_that_accepts_good_enough_moves() {
    let (game, analysed) = up_and_down(PLAIN);
    let boards = game.positions();
    let top = analysed.examined[1].wdl.expected_points();
    let found = puzzles::puzzles(&game, &analysed, "a-1.html", &mut |ply| match ply {
        1 => Ok::<_, FileError>(worth(
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
    assert_eq!(all, expected, "the best of the analysis is first, the played move is never good");
    assert_eq!(moves[4]["loss"], 20);
    assert_eq!(puzzle["line"], serde_json::json!(["e5"]));
    // Without other lines the best move of the analysis is the answer.
    assert_eq!(json[1]["moves"][0]["san"], "Qh5+");
    let back = ("All games", "index.html".to_owned());
    let page = puzzles::puzzle_page("<games>", &found.iter().collect::<Vec<_>>(), &back);
    assert!(puzzles::is_puzzle_page(&page) && !is_page(&page));
    assert_eq!(data_of(&page)["puzzles"].as_array().unwrap().len(), 2);
    assert!(
        page.contains("&lt;games&gt;: find better moves") && page.contains(r#"href="index.html""#)
    );
}

#[test]
fn the_six_best_moves_of_a_puzzle_are_searched() {
    let game = game("[FEN \"7k/8/8/8/8/8/8/KQR5 w - - 0 1\"]\n\n1. Qb2+ *");
    let mut engine = Engine::new(1, 1).unwrap();
    let position = Position::new(game.start.clone());
    let limit = PositionLimit::Depth(5);
    let found = puzzles::alternatives(&position, &mut engine, limit, &Control::default()).unwrap();
    assert_eq!(found.len(), 6, "the best six moves");
    let points: Vec<_> = found.iter().map(|line| line.wdl.expected_points()).collect();
    assert!(points.is_sorted_by(|better, worse| better >= worse), "{points:?}");
    assert!(points[0] > 0.99, "{found:?}");
}
