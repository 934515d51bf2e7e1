use proptest::prelude::*;

use super::layout::{Layout, NOTE_LINE, NOTE_SIZE, text_width};
use super::record::{NodeResult, Recorder, SearchEvent};
use super::searches::{DrawnSearch, RecordedSearch};
use super::sketch::Sketch;
use super::words::Namer;
use super::*;
use crate::GameTree;
use crate::algorithms::SearchOrder;
use crate::testing::{Sequence, any_tree};

mod chess;
mod outline;

/// The tree of Figure 3 (Reinefeld 1983).
const FIGURE_3: &str = "[[5 7] [[7 -3] [-2 -9]]]";

/// A smallest uniform tree in which NegaScout evaluates fewer leaves than alpha-beta: p.1 is worth
/// 5, and the first leaf of p.2.1 shows that it is too good for MIN.
const SAVES_A_LEAF: &str = "[[[5 1] [8 9]] [[7 4] [3 2]]]";

fn tree(text: &str) -> ExplicitTree {
    text.parse().expect("a test's tree")
}

fn search(tree: &ExplicitTree, algorithm: Algorithm) -> DrawnSearch {
    let search = RecordedSearch::new(tree, algorithm, &AlgorithmSettings::default())
        .expect("a small search");
    search.drawn_on(&Sketch::of_tree(tree))
}

fn drawn(text: &str, algorithm: Algorithm, format: Format) -> String {
    draw(&tree(text), [algorithm], &AlgorithmSettings::default(), format).expect("a small drawing")
}

fn any_algorithm() -> impl Strategy<Value = Algorithm> {
    prop::sample::select(Algorithm::ALL)
}

/// A rectangle that nothing else may overlap.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    owner: u32,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Rectangle {
    fn meets(&self, other: &Rectangle) -> bool {
        let apart = self.right <= other.left
            || other.right <= self.left
            || self.bottom <= other.top
            || other.bottom <= self.top;
        !apart
    }

    fn contains(&self, x: f64, y: f64) -> bool {
        x > self.left && x < self.right && y > self.top && y < self.bottom
    }
}

/// Rectangles of nodes and of the texts beside and below them.
fn boxes(layout: &Layout, texts: &[layout::Texts]) -> Vec<Rectangle> {
    let mut boxes = Vec::new();
    for (owner, (place, texts)) in (0..).zip(layout.nodes.iter().zip(texts)) {
        let radius = layout.radius;
        let (left, right) = (place.x - radius, place.x + radius);
        let (top, bottom) = (place.y - radius, place.y + radius);
        boxes.push(Rectangle { owner, left, right, top, bottom });
        let widest = |lines: &[String]| {
            lines.iter().map(|line| text_width(line, NOTE_SIZE)).fold(0.0, f64::max)
        };
        let half = texts.beside.len() as f64 * NOTE_LINE / 2.0;
        let (top, bottom) = (place.y - half, place.y + half);
        boxes.push(Rectangle {
            owner,
            left: right,
            right: right + widest(&texts.beside),
            top,
            bottom,
        });
        let half = widest(&texts.below) / 2.0;
        let (left, right) = (place.x - half, place.x + half);
        let top = place.y + radius;
        let bottom = top + texts.below.len() as f64 * NOTE_LINE;
        boxes.push(Rectangle { owner, left, right, top, bottom });
    }
    boxes
}

/// Describes an edge that crosses a box, if there is one.
fn crossed(tree: &ExplicitTree, layout: &Layout, boxes: &[Rectangle]) -> Option<String> {
    let edges = (0..tree.nodes()).flat_map(|parent| {
        (0..tree.width(&parent)).map(move |index| (parent, tree.child(&parent, index)))
    });
    let crossing = |(parent, child): (u32, u32)| {
        let [_, start, end, _] = layout.edge(tree, parent, child);
        let points = (0..=100).map(|part| {
            let part = f64::from(part) / 100.0;
            (start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))
        });
        let in_box = |(x, y)| boxes.iter().find(|text| text.contains(x, y));
        let text = points.map(in_box).find_map(|text| text)?;
        Some(format!("the edge from {parent} to {child}, {start:?} to {end:?}, crosses {text:?}"))
    };
    edges.into_iter().find_map(crossing)
}

#[test]
fn nodes_have_the_names_of_the_papers() {
    let tree = tree("[[5 7] [[-7 3] [2 9]]]");
    let namer = Namer::new(&Sketch::of_tree(&tree));
    let names: Vec<_> = (0..tree.nodes()).map(|node| namer.name(node)).collect();
    let expected = [
        "p", "p.1", "p.1.1", "p.1.2", "p.2", "p.2.1", "p.2.1.1", "p.2.1.2", "p.2.2", "p.2.2.1",
        "p.2.2.2",
    ];
    assert_eq!(names, expected);
}

#[test]
fn figure_3_shows_the_one_leaf_that_negascout_saves() {
    let tree = tree(FIGURE_3);
    let namer = Namer::new(&Sketch::of_tree(&tree));
    let left_out = |algorithm| {
        let summary = search(&tree, algorithm).summary;
        let nodes = (0..tree.nodes()).filter(|&node| !summary.nodes[node as usize].evaluated);
        nodes.map(|node| namer.name(node).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(left_out(Algorithm::AlphaBetaSoft), [""; 0]);
    assert_eq!(left_out(Algorithm::NegaScout), ["p.2.1.2"]);
}

#[test]
fn a_tree_is_drawn_for_a_terminal_with_one_node_per_line() {
    let lines = [
        "negascout: value 5, 6 of 8 leaves evaluated",
        "MAX 5     (-∞, +∞)",
        "├─ MIN 5     (-∞, +∞)",
        "│  ├─ MAX 5     (-∞, +∞)",
        "│  │  ├─ 5     #1",
        "│  │  └─ 1     #2",
        "│  └─ MAX ≥8    (4, 5)",
        "│     ├─ 8     #3",
        "│     └╌ 9   not evaluated",
        "└─ MIN ≤3    (5, 6)",
        "   ├─ MAX ≥7    (5, 6)",
        "   │  ├─ 7     #4",
        "   │  └╌ 4   not evaluated",
        "   └─ MAX ≤3    (5, 6)",
        "      ├─ 3     #5",
        "      └─ 2     #6",
        "",
    ];
    assert_eq!(drawn(SAVES_A_LEAF, Algorithm::NegaScout, Format::Text), lines.join("\n"));
}

#[test]
fn a_skipped_subtree_is_in_brackets_on_a_terminal() {
    let text = drawn("[5 [4 [[1 2] [3]]]]", Algorithm::AlphaBetaSoft, Format::Text);
    assert!(text.contains("└╌ [[1 2] [3]]   not evaluated"), "{text}");
}

#[test]
fn a_search_without_windows_shows_none() {
    for format in [Format::Text, Format::Picture, Format::Page] {
        let drawn = drawn(SAVES_A_LEAF, Algorithm::Minimax, format);
        assert!(!drawn.contains("class=\"window\""));
        assert!(format != Format::Text || !drawn.contains('∞'), "{drawn}");
    }
}

#[test]
fn a_value_outside_the_window_is_shown_as_a_bound() {
    let tree = tree(SAVES_A_LEAF);
    let summary = search(&tree, Algorithm::NegaScout).summary;
    let results = [0, 1, 5, 8, 9, 12].map(|node: usize| summary.nodes[node].result());
    let expected = [
        NodeResult::Exact(5),
        NodeResult::Exact(5),
        NodeResult::AtLeast(8),
        NodeResult::AtMost(3),
        NodeResult::AtLeast(7),
        NodeResult::AtMost(3),
    ];
    assert_eq!(results, expected.map(Some));
}

#[test]
fn a_subtree_that_is_searched_again_is_marked() {
    // p.2 is better than p.1, so after the null window it is searched again, with its first leaf.
    let tree = tree("[[1 2] [[4 5] [6 7]]]");
    let summary = search(&tree, Algorithm::NegaScout).summary;
    let again: Vec<usize> =
        (0..summary.nodes.len()).filter(|&n| summary.nodes[n].again()).collect();
    assert!(again.contains(&4) && !again.contains(&1), "{again:?}");
    let windows = summary.nodes[4].visits.iter().map(|visit| visit.window.to_string());
    assert_eq!(windows.collect::<Vec<_>>()[0], "(1, 2)");
    let picture = drawn("[[1 2] [[4 5] [6 7]]]", Algorithm::NegaScout, Format::Picture);
    assert_eq!(picture.matches("class=\"halo\"").count(), again.len());
}

#[test]
fn the_reason_of_a_cut_names_both_values() {
    let tree = tree(SAVES_A_LEAF);
    let drawing = Drawing::of_tree(&tree, [Algorithm::NegaScout], &AlgorithmSettings::default());
    let drawing = drawing.expect("a small drawing");
    let cuts: Vec<_> = drawing.searches[0]
        .events
        .iter()
        .filter(|event| matches!(event, SearchEvent::Cut { .. }))
        .map(|event| drawing.namer.sentence(event, SearchOrder::DepthFirst))
        .collect();
    let expected =
        ["p.1.2.2 is left out: 8 ≥ β = 5 at p.1.2.", "p.2.1.2 is left out: 7 ≥ β = 6 at p.2.1."];
    assert_eq!(cuts, expected);
}

#[test]
fn trees_too_large_to_draw_give_an_error_with_the_limit() {
    let refusal = |text: &str| {
        let error =
            draw(&tree(text), [Algorithm::Minimax], &AlgorithmSettings::default(), Format::Text);
        error.unwrap_err().to_string()
    };
    let wide = format!("[{}]", "1 ".repeat(1000));
    assert_eq!(refusal(&wide), "the tree has 1001 nodes; at most 1000 can be drawn");
    let deep = format!("{}1{}", "[".repeat(101), "]".repeat(101));
    assert_eq!(refusal(&deep), "the tree is 101 deep; at most 100 can be drawn");
}

#[test]
fn a_search_longer_than_the_limit_has_no_recording() {
    let tree = tree(SAVES_A_LEAF);
    let mut recorder = Recorder::new(&tree, 20);
    Algorithm::Minimax.solve(&tree, &AlgorithmSettings::default(), &mut recorder);
    assert_eq!(recorder.finish(5), None);
}

#[test]
fn the_largest_tree_is_drawn_in_every_format() {
    let tree = tree(&format!("[{}]", "[[5] 1] ".repeat(249)));
    assert!(tree.nodes() <= 1000);
    for format in [Format::Text, Format::Picture, Format::Page] {
        for &algorithm in Algorithm::ALL {
            draw(&tree, [algorithm], &AlgorithmSettings::default(), format).expect("not too large");
        }
    }
}

proptest! {
    #[test]
    fn evaluations_are_numbered_in_the_order_of_the_search(
        sketch in any_tree(),
        algorithm in any_algorithm(),
    ) {
        let tree = sketch.tree();
        let mut sequence = Sequence::default();
        algorithm.solve(&tree, &AlgorithmSettings::default(), &mut sequence);
        let search = search(&tree, algorithm);
        let mut numbered = vec![None; sequence.0.len()];
        for node in (0..tree.nodes()).filter(|node| tree.is_leaf(node)) {
            for number in &search.summary.nodes[node as usize].evaluations {
                prop_assert_eq!(numbered[number - 1].replace(tree.leaf_number(node)), None);
            }
        }
        let expected: Vec<_> = sequence.0.iter().copied().map(Some).collect();
        prop_assert_eq!(numbered, expected);
        prop_assert_eq!(search.summary.distinct_leaves, sequence.distinct().len());
        prop_assert_eq!(search.summary.nodes[0].result(), Some(NodeResult::Exact(sketch.minimax())));
    }

    #[test]
    fn nothing_overlaps(sketch in any_tree(), algorithm in any_algorithm()) {
        let tree = sketch.tree();
        let (layout, texts) = svg::arranged(&Sketch::of_tree(&tree), &search(&tree, algorithm));
        let boxes = boxes(&layout, &texts);
        for (index, one) in boxes.iter().enumerate() {
            prop_assert!(one.left >= -0.01 && one.right <= layout.width + 0.01);
            prop_assert!(one.top >= -0.01 && one.bottom <= layout.height + 0.01);
            for other in boxes[index + 1..].iter().filter(|other| other.owner != one.owner) {
                prop_assert!(!one.meets(other), "{:?} {:?}", one, other);
            }
        }
    }

    #[test]
    fn no_edge_crosses_a_text(sketch in any_tree(), algorithm in any_algorithm()) {
        let tree = sketch.tree();
        let (layout, texts) = svg::arranged(&Sketch::of_tree(&tree), &search(&tree, algorithm));
        prop_assert_eq!(crossed(&tree, &layout, &boxes(&layout, &texts)), None);
    }

    #[test]
    fn a_parent_is_in_the_middle_of_its_children(sketch in any_tree()) {
        let tree = sketch.tree();
        let (layout, _) = svg::arranged(&Sketch::of_tree(&tree), &search(&tree, Algorithm::Minimax));
        for node in (0..tree.nodes()).filter(|node| !tree.is_leaf(node)) {
            let x = |node: u32| layout.nodes[node as usize].x;
            let last = tree.child(&node, tree.width(&node) - 1);
            let middle = f64::midpoint(x(tree.child(&node, 0)), x(last));
            prop_assert!((x(node) - middle).abs() < 0.01);
        }
    }

    #[test]
    fn the_page_plays_all_events_in_order(
        sketch in any_tree(),
        algorithm in any_algorithm(),
    ) {
        let tree = sketch.tree();
        let search = search(&tree, algorithm);
        let steps = page::steps(&tree, &search.events);
        let played: Vec<_> = steps.iter().flatten().copied().cloned().collect();
        prop_assert_eq!(&played, &search.events);
        let evaluations = |step: &&Vec<&SearchEvent>| {
            step.iter().filter(|event| matches!(event, SearchEvent::Evaluate { .. })).count()
        };
        prop_assert!(steps.iter().all(|step| evaluations(&step) <= 1));
    }
}

#[test]
fn an_edge_does_not_touch_its_child_node_after_rounding() {
    let tree = tree(
        "[[[[0 [0]] 0] 0] [[[0] [0 [0 0 0] 100]]] [[[0 0] 0 [[0] 0 [0 0]]]] [[[0 0] 0 0] [0 0 [0 0]]]]",
    );
    let drawn = search(&tree, Algorithm::SssFifo);
    let (layout, texts) = svg::arranged(&Sketch::of_tree(&tree), &drawn);
    assert_eq!(crossed(&tree, &layout, &boxes(&layout, &texts)), None);
}

#[test]
fn the_value_of_a_search_that_ends_at_a_limit_is_shown_as_an_estimate() {
    let tree = tree("[5 6]");
    for (algorithm, limited) in [
        (
            Algorithm::Conspiracy,
            AlgorithmSettings { node_limit: Some(1), ..AlgorithmSettings::default() },
        ),
        (
            Algorithm::MinMaxApproximation,
            AlgorithmSettings { node_limit: Some(1), ..AlgorithmSettings::default() },
        ),
    ] {
        let drawn = |settings: &AlgorithmSettings| {
            draw(&tree, [algorithm], settings, Format::Text).unwrap()
        };
        assert!(drawn(&limited).contains("value ≈0, 0 of 2"), "{}", drawn(&limited));
        let whole = drawn(&AlgorithmSettings::default());
        assert!(whole.contains("value 6, 2 of 2") && !whole.contains('≈'), "{whole}");
    }
}

/// Returns the sentences for all events of the first search of a drawing.
fn sentences(drawing: &Drawing) -> Vec<String> {
    let search = &drawing.searches[0];
    let sentence = |event| drawing.namer.sentence(event, search.search_order);
    search.events.iter().map(sentence).collect()
}

/// Returns the sentences for all events of a search of Figure 3.
fn sentences_on_figure_3(algorithm: Algorithm, settings: &AlgorithmSettings) -> Vec<String> {
    let tree = tree(FIGURE_3);
    sentences(&Drawing::of_tree(&tree, [algorithm], settings).expect("a small drawing"))
}

fn limited(nodes: u64) -> AlgorithmSettings {
    AlgorithmSettings { node_limit: Some(nodes), ..AlgorithmSettings::default() }
}

#[test]
fn the_best_first_searches_of_1987_show_merits() {
    for (algorithm, expected) in [
        (
            Algorithm::Sss,
            ["MAX p enters OPEN with merit +∞.", "MAX p.2.2 enters OPEN with merit 7."],
        ),
        (
            Algorithm::Dual,
            ["MAX p enters OPEN with merit -∞.", "MIN p.2 enters OPEN with merit 5."],
        ),
    ] {
        let sentences = sentences_on_figure_3(algorithm, &AlgorithmSettings::default());
        assert!(
            expected.iter().all(|&one| sentences.iter().any(|sentence| sentence == one)),
            "{sentences:?}"
        );
        for format in [Format::Text, Format::Picture, Format::Page] {
            let drawn = drawn(FIGURE_3, algorithm, format);
            assert!(drawn.contains("merit ") && !drawn.contains("(-∞, "), "{drawn}");
        }
    }
}

#[test]
fn a_search_that_grows_a_tree_adds_nodes_and_ends_at_its_limit() {
    for algorithm in [Algorithm::Conspiracy, Algorithm::MinMaxApproximation] {
        let sentences = sentences_on_figure_3(algorithm, &limited(3));
        assert!(sentences.contains(&"MIN p.2 is added.".to_owned()), "{sentences:?}");
        let last = sentences.iter().rfind(|sentence| !sentence.is_empty());
        let end = "The search ends at its limit. Its estimate of the value of p is 0.";
        assert_eq!(last.map(String::as_str), Some(end));
    }
}

#[test]
fn a_node_that_was_only_never_visited_is_grey_without_bars() {
    let bars = |text: &str, algorithm, settings: &AlgorithmSettings| {
        let picture = draw(&tree(text), [algorithm], settings, Format::Picture).unwrap();
        assert!(picture.contains(r#"class="edge pruned" d="M"#));
        // One sample is in the legend.
        picture.matches(r#"class="bar""#).count() - 1
    };
    assert_eq!(bars(FIGURE_3, Algorithm::Conspiracy, &limited(6)), 0);
    assert_eq!(bars(FIGURE_3, Algorithm::MinMaxApproximation, &limited(6)), 0);
    assert_eq!(bars(FIGURE_3, Algorithm::NegaScout, &AlgorithmSettings::default()), 1);
    // SSS* purges p.2 when p.1 is solved; it has visited p.2.1, but never p.2.2.
    assert_eq!(bars("[[5 7] [3 9]]", Algorithm::Sss, &AlgorithmSettings::default()), 0);
}

#[test]
fn a_legend_explains_what_is_drawn() {
    let explained = |algorithm, settings: &AlgorithmSettings, words: &[&str]| {
        for format in [Format::Picture, Format::Page] {
            let drawn = draw(&tree(FIGURE_3), [algorithm], settings, format).unwrap();
            for words in ["value of a leaf", "third evaluation"].iter().chain(words) {
                assert!(drawn.contains(words), "{algorithm}: {words}");
            }
        }
    };
    let whole = AlgorithmSettings::default();
    explained(Algorithm::NegaScout, &whole, &["window (α, β)", "value at least, at most"]);
    explained(Algorithm::Sss, &whole, &["worth at most 7"]);
    explained(Algorithm::Dual, &whole, &["worth at least 3"]);
    explained(Algorithm::Conspiracy, &limited(3), &["estimate at the limit"]);
}

/// Relative luminance of a colour by the Web Content Accessibility Guidelines.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let part = u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour");
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn skipped_nodes_are_visible_but_faint_in_light_and_dark_mode() {
    let page = drawn(FIGURE_3, Algorithm::NegaScout, Format::Page);
    let colours = |name: &str| {
        let name = format!("{name}: #");
        let positions = page.match_indices(&name).map(|(place, _)| place + name.len() - 1);
        positions.map(|place| page[place..place + 7].to_owned()).collect::<Vec<_>>()
    };
    let (grounds, inks) = (colours("--ground"), colours("--ink"));
    assert_eq!(grounds.len(), 2);
    for name in ["--faint", "--faint-text"] {
        for ((ground, ink), colour) in grounds.iter().zip(&inks).zip(colours(name)) {
            let (seen, most) = (contrast(&colour, ground), contrast(ink, ground));
            assert!(seen >= 3.0 && seen < most / 2.0, "{colour} on {ground}: {seen}");
        }
    }
}
