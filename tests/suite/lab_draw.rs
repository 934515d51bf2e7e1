//! `outrider lab draw` as a program: the files it writes, and its errors.

use std::fs;

use roxmltree::{Document, Node, ParsingOptions};
use tempfile::TempDir;

use crate::support::laboratory::{SAVES_A_LEAF, lab, text};

/// Draws a tree; returns the file.
fn drawn(algorithm: &str, tree: &str, name: &str) -> String {
    let directory = TempDir::new().expect("a directory");
    let arguments = ["draw", "--algorithm", algorithm, "--tree", "-", "--output", name];
    let ran = lab(directory.path(), &arguments, tree);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    fs::read_to_string(directory.path().join(name)).expect("the file was written")
}

/// Returns the error output of a failed run, which must write no file.
fn refused(tree: &str, name: &str) -> String {
    let directory = TempDir::new().expect("a directory");
    let arguments = ["draw", "--algorithm", "minimax", "--tree", "-", "--output", name];
    let ran = lab(directory.path(), &arguments, tree);
    assert_eq!(ran.status.code(), Some(2));
    assert!(!directory.path().join(name).exists());
    text(&ran.stderr).to_owned()
}

fn parsed(document: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(document, options).expect("well-formed XML")
}

fn of_class<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|names| names.split(' ').any(|name| name == class))
    };
    document.descendants().filter(has).collect()
}

fn texts(document: &Document<'_>, class: &str) -> Vec<String> {
    let nodes = of_class(document, class);
    nodes.iter().filter_map(|node| node.text()).map(str::to_owned).collect()
}

#[test]
fn a_picture_shows_every_node_and_numbers_the_leaves_in_order() {
    let picture = drawn("negascout", SAVES_A_LEAF, "figure.svg");
    let document = parsed(&picture);
    assert_eq!(document.root_element().tag_name().name(), "svg");
    assert_eq!(of_class(&document, "node").len(), 15);
    assert_eq!(of_class(&document, "leaf").len(), 8);
    let numbers = texts(&document, "number");
    // One sample is in the legend.
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "3"]);
    let values = texts(&document, "value");
    for value in ["5", "≥8", "≤3", "≥7"] {
        assert!(values.contains(&value.to_owned()), "{value} in {values:?}");
    }
}

#[test]
fn a_picture_has_squares_for_max_and_circles_for_min() {
    let picture = drawn("minimax", "[[1 2] [3 4 5]]", "a.svg");
    let document = parsed(&picture);
    let nodes = of_class(&document, "node");
    let count = |shape: &str, class: &str| {
        let has_shape =
            |node: &Node<'_, '_>| node.children().any(|child| child.tag_name().name() == shape);
        let has_class = |node: &Node<'_, '_>| {
            node.attribute("class").is_some_and(|names| names.contains(class))
        };
        nodes.iter().filter(|node| has_class(node) && has_shape(node)).count()
    };
    assert_eq!((count("rect", "max"), count("circle", "min")), (6, 2));
    assert_eq!((count("rect", "min"), count("circle", "max")), (0, 0));
}

#[test]
fn a_picture_shows_skipped_nodes_in_grey_and_bars_on_the_edge_to_them() {
    let picture = drawn("alphabeta-soft", "[5 [4 [[1 2] [3]]]]", "a.svg");
    let document = parsed(&picture);
    let nodes = of_class(&document, "node");
    let pruned = of_class(&document, "pruned");
    assert_eq!(nodes.iter().filter(|node| pruned.contains(node)).count(), 6);
    // One edge, and the sample in the legend.
    assert_eq!(of_class(&document, "bar").len(), 2);
}

#[test]
fn a_picture_shows_windows_and_nodes_that_were_searched_again() {
    let picture = drawn("negascout", "[[1 2] [[4 5] [6 7]]]", "a.svg");
    let document = parsed(&picture);
    let windows = texts(&document, "window");
    assert!(windows.contains(&"(1, 2)".to_owned()), "{windows:?}");
    assert!(!of_class(&document, "halo").is_empty());
    let once = drawn("alphabeta-soft", "[[1 2] [[4 5] [6 7]]]", "a.svg");
    assert!(of_class(&parsed(&once), "halo").is_empty());
}

#[test]
fn a_caption_names_algorithm_value_and_leaves() {
    let picture = drawn("negascout,scout", SAVES_A_LEAF, "a.svg");
    let document = parsed(&picture);
    assert_eq!(texts(&document, "heading"), ["negascout", "scout"]);
    let sums = texts(&document, "sum");
    assert_eq!(sums.len(), 2);
    assert!(sums.iter().all(|sum| sum.starts_with("value 5, 6 of 8 leaves evaluated")), "{sums:?}");
}

#[test]
fn the_text_for_a_terminal_has_values_and_the_order_of_evaluation() {
    let lines = drawn("alphabeta-soft,negascout", SAVES_A_LEAF, "figure.txt");
    assert!(lines.contains("alphabeta-soft: value 5, 7 of 8 leaves evaluated"), "{lines}");
    assert!(lines.contains("negascout: value 5, 6 of 8 leaves evaluated"), "{lines}");
    assert!(lines.contains("└╌ 4   not evaluated"), "{lines}");
    assert!(lines.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn a_page_contains_everything_that_it_needs() {
    let page = drawn("alphabeta-soft,negascout", SAVES_A_LEAF, "figure.html");
    let document = parsed(&page);
    for (name, attribute) in [("script", "src"), ("link", "href"), ("img", "src")] {
        let mut elements = document.descendants().filter(|node| node.tag_name().name() == name);
        assert!(elements.all(|element| element.attribute(attribute).is_none()), "{name}");
    }
    assert!(!page.contains("{{"), "every place in the template is filled");
    assert!(!page.contains("url(") && !page.contains("@import"));
    assert_eq!(of_class(&document, "panel").len(), 2);
}

#[test]
fn a_page_has_a_label_for_each_control_and_names_its_keys() {
    let page = drawn("negascout", SAVES_A_LEAF, "figure.html");
    let document = parsed(&page);
    let labelled = |name: &str| {
        let elements = document.descendants().filter(|node| node.tag_name().name() == name);
        elements.filter(|element| element.attribute("aria-label").is_some()).count()
    };
    assert_eq!((labelled("button"), labelled("select")), (5, 1));
    let slider = document.descendants().find(|node| node.attribute("type") == Some("range"));
    assert_eq!(slider.and_then(|slider| slider.attribute("aria-label")), Some("Step"));
    let keys = document.descendants().filter(|node| node.tag_name().name() == "kbd");
    let keys: Vec<_> = keys.filter_map(|key| key.text()).collect();
    assert_eq!(keys, ["←", "→", "Shift", "Home", "End", "space"]);
}

#[test]
fn a_page_supports_small_screens_and_dark_mode() {
    let page = drawn("negascout", SAVES_A_LEAF, "figure.html");
    for promise in ["prefers-color-scheme: dark", "width=device-width", "lang=\"en\""] {
        assert!(page.contains(promise), "{promise}");
    }
}

#[test]
fn a_page_has_every_step_with_windows_best_values_and_reasons() {
    let page = drawn("alphabeta-soft,negascout", SAVES_A_LEAF, "figure.html");
    let document = parsed(&page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data"));
    let data = data.and_then(|node| node.text()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let sentences = |run: usize| {
        let steps = data["searches"][run]["steps"].as_array().expect("steps");
        steps
            .iter()
            .map(|step| step[0].as_str().expect("a sentence").to_owned())
            .collect::<Vec<_>>()
    };
    let evaluated = |run: usize| {
        sentences(run).iter().filter(|sentence| sentence.contains("is evaluated")).count()
    };
    assert_eq!((evaluated(0), evaluated(1)), (7, 6));
    for sentence in [
        "MIN p.2 is scouted with the null window (5, 6).",
        "Leaf p.2.1.1 is evaluated: 7.",
        "The best value of p.2.1 is now 7.",
        "p.2.1.2 is left out: 7 ≥ β = 6 at p.2.1.",
        "The value of p.2.1 is at least 7.",
        "The value of p is 5.",
    ] {
        assert!(sentences(1).contains(&sentence.to_owned()), "{sentence}");
    }
}

#[test]
fn a_tree_too_large_or_too_deep_to_draw_gives_an_error_with_the_limit() {
    let wide = format!("[{}]", "1 ".repeat(1000));
    let deep = format!("{}1{}", "[".repeat(101), "]".repeat(101));
    for name in ["a.svg", "a.txt", "a.html"] {
        assert!(refused(&wide, name).contains("at most 1000 can be drawn"));
        assert!(refused(&deep, name).contains("at most 100 can be drawn"));
    }
}

#[test]
fn malformed_or_several_trees_give_an_error_with_line_and_column() {
    assert!(refused("[[1 2] 3", "a.svg").contains("line 1, column 1"));
    let several = refused("[1 2]\n[3 4]\n", "a.svg");
    assert!(several.contains("line 2, column 1: a second tree"), "{several}");
}

#[test]
fn the_extension_of_the_file_selects_the_format() {
    for name in ["a.png", "a", ".svg"] {
        let complaint = refused("1", name);
        assert!(complaint.contains(".svg, .txt or .html"), "{complaint}");
    }
}

#[test]
fn the_drawing_in_the_laboratorys_readme_is_the_output_of_the_command() {
    let readme = include_str!("../../src/laboratory/README.md");
    assert!(readme.contains("[[5 7] [[7 -3] [-2 -9]]]"));
    let drawing = drawn("negascout", "[[5 7] [[7 -3] [-2 -9]]]", "figure3.txt");
    for line in drawing.lines().filter(|line| !line.is_empty()) {
        assert!(readme.contains(line.trim_end()), "the README lacks {line:?}");
    }
}

/// Returns the arguments of `lab draw` for a chess position.
fn position<'a>(fen: &'a str, depth: &'a str, name: &'a str) -> [&'a str; 9] {
    let algorithm = ["draw", "--algorithm", "alphabeta-soft"];
    let [draw, option, algorithm] = algorithm;
    [draw, option, algorithm, "--position", fen, "--depth", depth, "--output", name]
}

#[test]
fn a_chess_tree_is_drawn_with_moves_on_the_edges_and_boards_on_the_page() {
    let directory = TempDir::new().expect("a directory");
    for name in ["start.svg", "start.html", "start.txt"] {
        let ran = lab(directory.path(), &position("startpos", "2", name), "");
        assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    }
    let file =
        |name: &str| fs::read_to_string(directory.path().join(name)).expect("it was written");
    let picture = file("start.svg");
    let document = parsed(&picture);
    let moves = texts(&document, "move");
    for mv in ["e4", "Nf3", "a5"] {
        assert!(moves.contains(&mv.to_owned()), "{mv} in {moves:?}");
    }
    assert!(!of_class(&document, "bundle").is_empty());
    let page = file("start.html");
    let document = parsed(&page);
    assert_eq!(of_class(&document, "board").len(), 1);
    assert!(file("start.txt").contains("of 400 leaves evaluated"));
}

#[test]
fn a_chess_tree_that_cannot_be_drawn_gives_an_error_of_one_line() {
    let directory = TempDir::new().expect("a directory");
    let refused = |arguments: &[&str], complaint: &str| {
        let ran = lab(directory.path(), arguments, "");
        assert_eq!(ran.status.code(), Some(2));
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
        assert_eq!(fs::read_dir(directory.path()).expect("it is there").count(), 0);
    };
    let too_deep = "--depth 6: the tree has more than 1000000 nodes: choose a smaller depth";
    refused(&position("startpos", "6", "a.svg"), too_deep);
    refused(&position("nonsense", "1", "a.svg"), "nonsense");
    refused(&position("startpos", "1", "a.svg")[..5], "--depth");
}
