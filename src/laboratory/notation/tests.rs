use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

fn any_tree() -> impl Strategy<Value = ExplicitTree> {
    any_text().prop_map(|text| text.parse().expect("a well-formed tree"))
}

/// Text of a small tree.
fn any_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![-9..=9, -LIMIT..=LIMIT].prop_map(|value: Value| value.to_string());
    leaf.prop_recursive(6, 60, 5, |child| {
        prop::collection::vec(child, 1..5).prop_map(|children| format!("[{}]", children.join(" ")))
    })
}

fn read(text: &str) -> Vec<Result<ExplicitTree, String>> {
    let trees = TreeReader::new(text.as_bytes());
    trees.map(|read| read.map(|read| read.tree).map_err(|error| error.to_string())).collect()
}

fn message(text: &str) -> String {
    read(text).pop().expect("an answer").expect_err("an error")
}

#[test]
fn brackets_are_interior_nodes_and_integers_are_leaves() {
    let tree: ExplicitTree = "[[5 7] [[-7 3] [2 9]]]".parse().unwrap();
    let root = tree.root();
    assert_eq!((tree.nodes(), tree.leaves(), tree.height()), (11, 6, 3));
    assert_eq!(tree.width(&root), 2);
    let right = tree.child(&root, 1);
    let leaf = tree.child(&tree.child(&right, 0), 0);
    assert_eq!((tree.value(&leaf), tree.leaf_number(leaf), tree.ply(&leaf)), (-7, 2, 3));
}

#[test]
fn a_bare_integer_is_a_tree() {
    for (text, value) in [("5", 5), (" -1000000000 ", -LIMIT), ("+007", 7), ("-0", 0)] {
        let tree: ExplicitTree = text.parse().unwrap();
        assert_eq!((tree.nodes(), tree.leaves(), tree.height()), (1, 1, 0));
        assert_eq!(tree.value(&tree.root()), value);
    }
}

#[test]
fn blanks_only_end_integers() {
    let tree: ExplicitTree = "[[5 7] [[-7 3] [2 9]]]".parse().unwrap();
    for same in [
        "[[5 7][[-7 3][2 9]]]",
        "  [ [ 5 \t 7 ] [ [ -7 3 ] [ 2 9 ] ] ]\r\n",
        "\u{feff}[[5 7] [[-7 3] [2 9]]]",
        "# a comment\n\n[[5 7]  [[-7 3]\r[2\t9]]]# another [\n\n",
    ] {
        assert_eq!(same.parse::<ExplicitTree>().unwrap(), tree, "{same:?}");
    }
}

#[test]
fn a_text_has_many_trees_one_per_line() {
    let text = "1\n\n# two\n[2 3]\r\n[[4] [5 6]]\n-7";
    let trees: Vec<_> =
        TreeReader::new(text.as_bytes()).map(|read| read.expect("well-formed")).collect();
    let shown: Vec<_> = trees.iter().map(|read| (read.line, read.tree.to_string())).collect();
    let expected = [(1, "1"), (4, "[2 3]"), (5, "[[4] [5 6]]"), (6, "-7")];
    assert_eq!(shown, expected.map(|(line, tree)| (line, tree.to_owned())));
}

#[test]
fn errors_name_line_and_column() {
    for (text, expected) in [
        ("[1 2]]", "line 1, column 6: this ] closes nothing"),
        ("1\n  ]", "line 2, column 3: this ] closes nothing"),
        (
            "1\n[2 [3 4]\n\n",
            "line 2, column 1: this [ is not closed: a tree must end on the line where it begins",
        ),
        (
            "[1 [2",
            "line 1, column 4: this [ is not closed: a tree must end on the line where it begins",
        ),
        (
            "[1 2\n7\n3]",
            "line 1, column 1: this [ is not closed: a tree must end on the line where it begins",
        ),
        ("[1 []]", "line 1, column 4: empty node: [] needs a leaf or a node inside"),
        (" [\t]", "line 1, column 2: empty node: [] needs a leaf or a node inside"),
        ("[1 2] [3]", "line 1, column 7: \"[\" after the end of the tree: only one tree per line"),
        ("1 2", "line 1, column 3: \"2\" after the end of the tree: only one tree per line"),
        ("[1 two]", "line 1, column 4: \"two\" is neither a bracket nor an integer"),
        ("[é 1.5]", "line 1, column 2: \"é\" is neither a bracket nor an integer"),
        ("[1 \u{2212}5]", "line 1, column 4: \"\u{2212}5\" is neither a bracket nor an integer"),
        ("[- 1]", "line 1, column 2: \"-\" is neither a bracket nor an integer"),
        ("[4-1]", "line 1, column 2: \"4-1\" is neither a bracket nor an integer"),
        ("[1\x07]", "line 1, column 2: \"1\\u{7}\" is neither a bracket nor an integer"),
        ("[1, 2]", "line 1, column 3: unexpected comma: separate leaves by blanks"),
        ("", "line 1, column 1: a tree is expected, but the text ends here"),
        ("#\n\n", "line 2, column 1: a tree is expected, but the text ends here"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
}

#[test]
fn columns_count_characters_not_bytes() {
    assert!(message("[1 2] # é\n[1\té x]").starts_with("line 2, column 4: \"é\""));
    assert!(message("[ééé").contains("\"ééé\""));
}

#[test]
fn leaves_beyond_a_billion_are_out_of_range() {
    let long = "9".repeat(100_000);
    for word in ["1000000001", "-1000000001", "2147483648", "99999999999999999999", &long] {
        let message = message(&format!("[1 {word}]"));
        assert!(message.starts_with("line 1, column 4: "), "{message}");
        assert!(message.contains("out of range"), "{message}");
        assert!(message.len() < 200, "a long word is shortened");
    }
    assert!("[1000000000 -1000000000]".parse::<ExplicitTree>().is_ok());
}

#[test]
fn nothing_is_read_after_an_error() {
    let answers = read("1\n[2 3]\n[\n4\n");
    assert_eq!(answers.len(), 3);
    assert!(answers[0].is_ok() && answers[1].is_ok() && answers[2].is_err());
}

#[test]
fn a_second_tree_is_an_error_if_only_one_is_allowed() {
    let error = "[1 2]\n# next\n  3".parse::<ExplicitTree>().unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 3: a second tree, but only one is allowed");
}

#[test]
fn errors_name_the_limits_that_are_exceeded() {
    let limited = |text: &str| {
        let mut reader = TreeReader::new(text.as_bytes());
        (reader.max_depth, reader.max_nodes) = (3, 6);
        reader.only().map(|tree| tree.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(limited("[[[1]]]").as_deref(), Ok("[[[1]]]"));
    let too_deep = limited("[[[[1]]]]").unwrap_err();
    assert_eq!(too_deep, "line 1, column 4: nodes are nested deeper than the limit of 3");
    assert_eq!(limited("[1 2 3 4 5]").as_deref(), Ok("[1 2 3 4 5]"));
    let too_large = limited("[1 2 3 4 5 6]").unwrap_err();
    assert_eq!(too_large, "line 1, column 12: more nodes than the limit of 6");
}

#[test]
fn a_chain_as_deep_as_the_limit_is_read_and_written() {
    let chain = |depth| format!("{}-5{}", "[".repeat(depth), "]".repeat(depth));
    let text = chain(MAX_DEPTH);
    let tree: ExplicitTree = text.parse().unwrap();
    assert_eq!(tree.height(), MAX_DEPTH);
    assert!(tree.to_string() == text);
    let error = chain(MAX_DEPTH + 1).parse::<ExplicitTree>().unwrap_err();
    assert_eq!(error.kind, SyntaxErrorKind::TooDeep(MAX_DEPTH));
}

#[test]
fn a_hundred_thousand_leaves_are_read() {
    let mut text = String::from("[");
    for number in 0..100_000 {
        write!(text, "[{number} {}] ", -number).unwrap();
    }
    let tree: ExplicitTree = (text + "]").parse().unwrap();
    assert_eq!((tree.leaves(), tree.nodes()), (200_000, 300_001));
}

proptest! {
    #[test]
    fn writing_and_reading_a_tree_returns_the_same_tree(tree in any_tree()) {
        let text = tree.to_string();
        prop_assert_eq!(text.parse::<ExplicitTree>().unwrap(), tree);
    }

    #[test]
    fn reading_and_writing_a_text_returns_the_same_text(text in any_text()) {
        prop_assert_eq!(text.parse::<ExplicitTree>().unwrap().to_string(), text);
    }

    #[test]
    fn every_text_gives_a_tree_or_an_error_of_one_line(
        text in prop_oneof!["[\\[\\] 0-9\n#,-]{0,40}", "\\PC{0,20}", ".{0,20}"],
    ) {
        for answer in read(&text) {
            match answer {
                Ok(tree) => prop_assert_eq!(tree.to_string().parse(), Ok(tree)),
                Err(message) => prop_assert_eq!(message.lines().count(), 1),
            }
        }
    }

    #[test]
    fn a_text_without_one_of_its_brackets_is_an_error(text in any_text(), location: prop::sample::Index) {
        let brackets: Vec<_> = text.match_indices(['[', ']']).map(|(at, _)| at).collect();
        prop_assume!(!brackets.is_empty());
        let mut broken = text.clone();
        broken.remove(*location.get(&brackets));
        prop_assert!(broken.parse::<ExplicitTree>().is_err(), "{}", broken);
    }
}
