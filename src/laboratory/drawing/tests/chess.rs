//! Chess trees in pictures, in text and on the page.

use super::*;
use crate::Cut;
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::position::san::format_san;

fn chess(fen: &str, depth: usize) -> ChessTree {
    ChessTree::new(parse_fen_any(fen).expect("a test's position"), depth)
}

/// Italian game, before White's fourth move.
const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

fn drawing_of(tree: &ChessTree, algorithms: &[Algorithm]) -> Drawing {
    Drawing::of_chess(tree, algorithms.iter().copied(), &AlgorithmSettings::default())
        .expect("a small drawing")
}

#[test]
fn a_chess_tree_shows_entered_nodes_and_bundles_the_others() {
    let tree = chess(ITALIAN, 2);
    let drawing = drawing_of(&tree, &[Algorithm::AlphaBetaSoft, Algorithm::NegaScout]);
    let (sketch, positions) = (&drawing.sketch, drawing.sketch.positions().unwrap());
    let width = |line: &[String]| {
        let mut node = tree.root();
        for san in line {
            let moves = node.moves().all().iter();
            let chess = node.board().chess();
            let index = moves.clone().position(|&mv| format_san(chess, mv) == *san).unwrap();
            node = tree.child(&node, index);
        }
        tree.width(&node)
    };
    let mut bundles = 0;
    for node in (0..sketch.tree.nodes()).filter(|node| !sketch.tree.is_leaf(node)) {
        let children = (0..sketch.tree.width(&node)).map(|index| sketch.tree.child(&node, index));
        let stands_for = |child: u32| sketch.bundle(child).unwrap_or(1);
        let moves: usize = children.map(stands_for).sum();
        assert_eq!(moves, width(&positions[node as usize].line), "{:?}", positions[node as usize]);
        bundles += (0..sketch.tree.width(&node))
            .filter(|&index| sketch.bundle(sketch.tree.child(&node, index)).is_some())
            .count();
    }
    assert!(bundles > 10, "both cut off after most first moves");
    let evaluated = |search: &DrawnSearch| {
        search.summary.nodes.iter().filter(|node| !node.evaluations.is_empty()).count()
    };
    for search in &drawing.searches {
        assert_eq!(evaluated(search), search.summary.distinct_leaves, "{}", search.title);
    }
    assert!(drawing.heading().contains("A chess tree of 1150 leaves"), "{}", drawing.heading());
}

#[test]
fn every_algorithm_finds_the_same_value_on_the_chess_tree_that_is_drawn() {
    let tree = chess("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", 2);
    let value = Algorithm::Minimax.solve(&tree, &AlgorithmSettings::default(), &mut ());
    for &algorithm in Algorithm::ALL {
        let drawing = drawing_of(&tree, &[algorithm]);
        let found = drawing.searches[0].summary.nodes[0].result();
        assert_eq!(found, Some(NodeResult::Exact(value)), "{algorithm}");
        for format in [Format::Text, Format::Picture, Format::Page] {
            assert!(!in_format(&drawing, format).is_empty());
        }
    }
}

#[test]
fn only_consecutive_moves_are_named_as_a_range() {
    let drawing = drawing_of(&chess(ITALIAN, 1), &[Algorithm::Minimax]);
    let left_out = |places: [usize; 3]| {
        let children = places.map(|place| drawing.sketch.tree.child(&0, place)).to_vec();
        let event = SearchEvent::Cut { node: 0, children, cut: Cut::Known, best: None };
        drawing.namer.sentence(&event, drawing.searches[0].search_order)
    };
    assert!(left_out([0, 1, 2]).contains(" to "), "{}", left_out([0, 1, 2]));
    assert!(left_out([0, 2, 3]).contains(" and "), "{}", left_out([0, 2, 3]));
}

#[test]
fn a_chess_tree_in_text_shows_only_values_that_a_search_has_found() {
    let (tree, settings) = (chess(ITALIAN, 2), limited(1));
    let drawing = Drawing::of_chess(&tree, [Algorithm::Conspiracy], &settings).unwrap();
    let text = in_format(&drawing, Format::Text);
    assert!(text.contains("root   not evaluated"), "{text}");
    assert!(!text.contains('['), "{text}");
}

#[test]
fn the_nodes_of_a_chess_tree_are_named_by_their_moves() {
    let drawing = drawing_of(&chess(ITALIAN, 2), &[Algorithm::AlphaBetaSoft]);
    let sentences = sentences(&drawing);
    let has = |part: &str| sentences.iter().any(|sentence| sentence.contains(part));
    assert_eq!(sentences[0], "MAX root is searched.");
    assert!(has("MIN a3 is searched."), "{sentences:?}");
    assert!(has(" other moves after ") && has(" are left out: "), "{sentences:?}");
}

#[test]
fn a_chess_tree_is_drawn_for_a_terminal_with_its_moves() {
    let drawn = in_format(&drawing_of(&chess(ITALIAN, 1), &[Algorithm::Minimax]), Format::Text);
    let lines: Vec<_> = drawn.lines().collect();
    assert_eq!(lines.len(), 2 + 33, "{drawn}");
    // Moves that lose material are last in the tree's order.
    assert!(lines[2].starts_with("├─ a3 ") && lines[34].starts_with("└─ Bxf7+ "), "{drawn}");
    let cut = in_format(&drawing_of(&chess(ITALIAN, 2), &[Algorithm::AlphaBetaSoft]), Format::Text);
    assert!(
        cut.lines().any(|line| line.contains("└╌ +") && line.ends_with("   not evaluated")),
        "{cut}"
    );
}

#[test]
fn a_single_move_that_no_search_entered_keeps_its_name_and_board() {
    // After each rook move Black has two squares on the edge, and the first refutes it.
    let tree = chess("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2);
    let drawing = drawing_of(&tree, &[Algorithm::AlphaBetaSoft]);
    let text = in_format(&drawing, Format::Text);
    assert!(text.lines().any(|line| line == "│  └╌ Kg8   not evaluated"), "{text}");
    let positions = drawing.sketch.positions().unwrap();
    let left_out = positions.iter().find(|place| place.bundle == Some(1)).expect("a lone move");
    assert_eq!((left_out.label(), left_out.line.len()), ("Kg8", 2));
    assert_eq!(left_out.moved, Some(["h8".to_owned(), "g8".to_owned()]));
    assert!(left_out.board.starts_with("6k1/"), "{}", left_out.board);
    let sentences = sentences(&drawing);
    assert!(
        sentences.iter().any(|sentence| sentence.contains("Kg8 is left out: ")),
        "{sentences:?}"
    );
}

#[test]
fn the_page_of_a_chess_tree_has_the_board_of_every_node() {
    let page = in_format(&drawing_of(&chess(ITALIAN, 1), &[Algorithm::Minimax]), Format::Page);
    let begin = page.find(r#"id="data">"#).unwrap() + r#"id="data">"#.len();
    let data = &page[begin..begin + page[begin..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let boards = data["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 34);
    assert_eq!(boards[0][0], ITALIAN.split(' ').next().unwrap());
    let last = "r1bqk1nr/pppp1Bpp/2n5/2b1p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(boards[33], serde_json::json!([last, ["c4", "f7"], "Bxf7+"]));
    assert_eq!(data["blackBelow"], false);
    assert!(page.contains("function drawBoard") && page.contains(r#"<symbol id="king""#));
    let brackets = drawn(FIGURE_3, Algorithm::Minimax, Format::Page);
    assert!(!brackets.contains("function drawBoard") && !brackets.contains("<symbol id=\"king\""));
    assert!(!page.contains("{{") && !brackets.contains("{{"));
}

#[test]
fn chess_trees_too_large_to_search_or_to_draw_give_an_error_with_the_reason() {
    let refusal = |depth, algorithm| {
        let tree = chess(ITALIAN, depth);
        draw_chess(&tree, [algorithm], &AlgorithmSettings::default(), Format::Text)
            .unwrap_err()
            .to_string()
    };
    assert!(refusal(5, Algorithm::NegaScout).contains("more than 1000000 nodes"));
    assert!(refusal(2, Algorithm::Minimax).contains("at most 1000 can be drawn"));
}

/// Rectangles of nodes, moves and notes in a picture that grows to the right.
fn sideways_boxes(layout: &Layout, texts: &[layout::Texts]) -> Vec<Rectangle> {
    let mut boxes = Vec::new();
    for (owner, (place, texts)) in (0..).zip(layout.nodes.iter().zip(texts)) {
        let (radius, half) = (layout.radius, layout.half_height);
        let (left, right) = (place.x - radius, place.x + radius);
        let (top, bottom) = (place.y - half, place.y + half);
        boxes.push(Rectangle { owner, left, right, top, bottom });
        if !texts.label.is_empty() {
            let label = layout.label(owner);
            let width = text_width(&texts.label, NOTE_SIZE + 1.0);
            let (left, right, top) = (label.x - width, label.x, label.y - NOTE_SIZE);
            boxes.push(Rectangle { owner, left, right, top, bottom: label.y });
        }
        for (line, text) in texts.beside.iter().enumerate() {
            let layout::Anchor::Middle(at) = layout.beside(owner, line, texts.beside.len()) else {
                panic!("notes are under the nodes")
            };
            let half = text_width(text, NOTE_SIZE) / 2.0;
            let (left, right, top) = (at.x - half, at.x + half, at.y - NOTE_SIZE + 2.0);
            boxes.push(Rectangle { owner, left, right, top, bottom: at.y });
        }
        for (line, text) in texts.below.iter().enumerate() {
            let (at, half) = (layout.below(owner, line, texts), text_width(text, NOTE_SIZE) / 2.0);
            let (left, right, top) = (at.x - half, at.x + half, at.y - NOTE_SIZE + 2.0);
            boxes.push(Rectangle { owner, left, right, top, bottom: at.y });
        }
    }
    boxes
}

#[test]
fn in_a_chess_tree_nothing_overlaps_and_no_edge_crosses_a_text() {
    for algorithm in
        [Algorithm::AlphaBetaSoft, Algorithm::NegaScout, Algorithm::MtdF, Algorithm::Sss]
    {
        let drawing = drawing_of(&chess(ITALIAN, 2), &[algorithm]);
        let (layout, texts) = svg::arranged(&drawing.sketch, &drawing.searches[0]);
        let boxes = sideways_boxes(&layout, &texts);
        for (index, one) in boxes.iter().enumerate() {
            let inside = one.left >= -0.01
                && one.right <= layout.width + 0.01
                && one.top >= -0.01
                && one.bottom <= layout.height + 0.01;
            assert!(inside, "{algorithm} {one:?} {} {}", layout.width, layout.height);
            for other in boxes[index + 1..].iter().filter(|other| other.owner != one.owner) {
                assert!(!one.meets(other), "{algorithm} {one:?} {other:?}");
            }
        }
        assert_eq!(crossed(&drawing.sketch.tree, &layout, &boxes), None, "{algorithm}");
    }
}
