use super::*;

/// Builds a tree from a sequence of `[`, `]` and leaves.
fn built(steps: &str) -> Option<ExplicitTree> {
    let mut builder = TreeBuilder::default();
    for step in steps.split_whitespace() {
        match step {
            "[" => builder.open(),
            "]" => builder.close(),
            value => builder.leaf(value.parse().expect("a test's leaf")),
        }
    }
    builder.finish()
}

#[test]
fn a_tree_has_one_root_and_all_brackets_closed() {
    assert!(built("5").is_some());
    assert!(built("[ 1 [ 2 3 ] ]").is_some());
    for flawed in ["", "[ 1", "1 2", "[ 1 ] 2", "[ 1 ] ]", "] 1", "[ 1 ] [ 2 ]"] {
        assert_eq!(built(flawed), None, "{flawed}");
    }
}

#[test]
fn an_interior_node_without_children_is_an_error() {
    for flawed in ["[ ]", "[ 1 [ ] ]", "[ [ ] 1 ]"] {
        assert_eq!(built(flawed), None, "{flawed}");
    }
}

#[test]
fn a_leaf_beyond_the_limit_is_an_error() {
    assert!(built("[ 1000000000 -1000000000 ]").is_some());
    for flawed in ["1000000001", "[ 1 -1000000001 ]", "-2147483648"] {
        assert_eq!(built(flawed), None, "{flawed}");
    }
}

#[test]
fn nodes_are_numbered_in_preorder_and_leaves_from_left_to_right() {
    let tree = built("[ 10 [ 20 [ 30 ] 40 ] 50 ]").expect("a tree");
    let children = |node: u32| (0..tree.width(&node)).map(|i| tree.child(&node, i)).collect();
    let (root, below): (Vec<_>, Vec<_>) = (children(0), children(2));
    assert_eq!((root, below), (vec![1, 2, 7], vec![3, 4, 6]));
    let leaves: Vec<u32> = (0..tree.nodes()).filter(|node| tree.is_leaf(node)).collect();
    let numbers: Vec<u32> = leaves.iter().map(|&leaf| tree.leaf_number(leaf)).collect();
    assert_eq!((leaves, numbers), (vec![1, 3, 5, 6, 7], vec![0, 1, 2, 3, 4]));
    assert_eq!((tree.leaves(), tree.height()), (5, 3));
}
