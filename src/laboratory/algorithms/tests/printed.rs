//! Examples: those that the papers print, those that show errors in their pseudocode, and searches
//! small enough to follow by hand.

use super::{in_window, leaves_of, run_with};
use crate::algorithms::{Algorithm, AlgorithmSettings, negascout, negascout_guarded};
use crate::testing::{test_tree, uniform};
use crate::{ExplicitTree, Observer, Pass, Value, Window};

/// Leaves that an algorithm evaluates in a tree given as text.
fn leaves(algorithm: Algorithm, tree: &str) -> Vec<u32> {
    leaves_of(algorithm, &test_tree(tree)).0
}

/// Windows with which the algorithm searches a node, given by its number in preorder.
fn windows_of(algorithm: Algorithm, tree: &str, node: u32) -> Vec<Window> {
    struct Windows(u32, Vec<Window>);
    impl Observer<ExplicitTree> for Windows {
        fn enter(&mut self, _: &ExplicitTree, &node: &u32, window: Window, _: Pass) {
            if node == self.0 {
                self.1.push(window);
            }
        }
    }
    let mut windows = Windows(node, Vec::new());
    algorithm.solve(&test_tree(tree).tree(), &AlgorithmSettings::default(), &mut windows);
    windows.1
}

/// Returns true if the algorithm evaluates a leaf that alpha-beta prunes.
fn visits_a_pruned_leaf(algorithm: Algorithm, tree: &str) -> bool {
    let tree = test_tree(tree);
    !leaves_of(algorithm, &tree).is_within(&leaves_of(Algorithm::AlphaBetaSoft, &tree))
}

/// Returns true if the algorithm evaluates other leaves, or in another order, when all values are
/// doubled.
fn depends_on_distances(algorithm: Algorithm, tree: &str) -> bool {
    let tree = test_tree(tree);
    leaves_of(algorithm, &tree) != leaves_of(algorithm, &tree.map(&mut |value| 2 * value))
}

#[test]
fn in_reinefelds_figure_3_negascout_saves_the_second_leaf_of_p21() {
    // The leaves of the figure are valued by the side to move. The leaves at ply 3, where it is the
    // opponent's turn, change their sign here.
    let figure = "[[5 7] [[7 -3] [-2 -9]]]";
    assert_eq!(leaves(Algorithm::AlphaBetaSoft, figure), [0, 1, 2, 3, 4, 5]);
    for algorithm in [Algorithm::NegaScout, Algorithm::NegaScoutGuarded, Algorithm::NegaScoutF4] {
        assert_eq!(leaves(algorithm, figure), [0, 1, 2, 4, 5], "{algorithm}");
    }
}

#[test]
fn figure_3_read_with_the_root_players_values_refutes_p2_at_once() {
    let figure = "[[5 7] [[-7 3] [2 9]]]";
    for algorithm in [Algorithm::AlphaBetaSoft, Algorithm::NegaScout, Algorithm::Scout] {
        assert_eq!(leaves(algorithm, figure), [0, 1, 2, 3], "{algorithm}");
    }
}

#[test]
fn in_trees_of_width_two_and_height_three_only_the_second_leaf_of_p21_can_be_saved() {
    let mut saved = false;
    for number in 0..4_u32.pow(8) {
        let values: Vec<Value> = (0..8).map(|n| (number >> (2 * n) & 3) as Value).collect();
        let tree = uniform(2, &values);
        let alphabeta = leaves_of(Algorithm::AlphaBetaSoft, &tree).distinct();
        let negascout = leaves_of(Algorithm::NegaScout, &tree).distinct();
        let pruned: Vec<u32> =
            alphabeta.into_iter().filter(|leaf| !negascout.contains(leaf)).collect();
        assert!(pruned.is_empty() || pruned == [5], "{tree:?}");
        saved |= pruned == [5];
    }
    assert!(saved);
}

#[test]
fn figure_2_lacks_a_guard_and_visits_a_leaf_that_alphabeta_prunes() {
    let tree = "[9 [[[[1 [[[8 1] 20] 4]]] 15]]]";
    assert!(!leaves(Algorithm::AlphaBetaSoft, tree).contains(&3));
    assert!(!leaves(Algorithm::NegaScoutGuarded, tree).contains(&3));
    assert!(leaves(Algorithm::NegaScout, tree).contains(&3));
    assert!(leaves(Algorithm::NegaScoutF4, tree).contains(&3));
}

#[test]
fn figure_2_with_a_narrow_window_returns_a_false_bound() {
    let tree = test_tree("[[[2 [30 [5 [53 [[[26 81]]]]]]]]]");
    let window = Window::new(14, 19);
    assert_eq!(tree.minimax(), 30);
    assert_eq!(in_window(negascout::solve, &tree, window).0, 53);
    let guarded = in_window(negascout_guarded::solve, &tree, window).0;
    assert!((19..=30).contains(&guarded));
}

#[test]
fn informed_negascout_is_right_on_a_tree_where_its_figure_returns_zero() {
    let tree = test_tree("[[3 [[2 [-2 [[-1 1]] 0]]]]]");
    assert_eq!(tree.minimax(), 1);
    assert_eq!(run_with(Algorithm::Ins, &tree, &Default::default()).0, 1);
}

#[test]
fn scout_and_algorithms_with_another_order_of_children_visit_leaves_that_alphabeta_prunes() {
    assert!(visits_a_pruned_leaf(Algorithm::Scout, "[6 [[[5 8] 8]]]"));
    assert!(visits_a_pruned_leaf(Algorithm::NegaScoutF4Minimax, "[5 [[1 [5 6]]]]"));
    for algorithm in [Algorithm::NegaScoutPath, Algorithm::Pns, Algorithm::Ins] {
        assert!(visits_a_pruned_leaf(algorithm, "[2 [7 [3 8 3]]]"), "{algorithm}");
    }
}

#[test]
fn an_accidental_null_window_or_a_step_of_one_makes_a_search_depend_on_distances() {
    // Figure 2 and F4 take a null window that happens to end at beta for an open one; Wikipedia's
    // version searches again from alpha + 1.
    assert!(depends_on_distances(Algorithm::NegaScout, "[3 [7 [[6]]]]"));
    assert!(depends_on_distances(Algorithm::NegaScoutF4, "[[[1 [7 [[[1]] 4 5]]]]]"));
    assert!(depends_on_distances(Algorithm::WikiPvs, "[4 [8 5]]"));
}

#[test]
fn every_algorithm_evaluates_a_bare_leaf_once() {
    for &algorithm in Algorithm::ALL {
        if algorithm != Algorithm::Aspiration {
            assert_eq!(leaves(algorithm, "7"), [0], "{algorithm}");
        }
    }
}

#[test]
fn a_leaf_better_than_those_before_it_is_evaluated_again_unless_a_rule_forbids_it() {
    for (algorithm, sequence) in [
        (Algorithm::Scout, [0, 1, 1].as_slice()),
        (Algorithm::Pvs, &[0, 1, 1]),
        (Algorithm::WikiPvs, &[0, 1, 1]),
        (Algorithm::NegaScout, &[0, 1]),
        (Algorithm::NegaScoutGuarded, &[0, 1]),
    ] {
        assert_eq!(leaves(algorithm, "[0 5]"), sequence, "{algorithm}");
    }
    // A child that failed low is not searched again; without the restored `else` it would be.
    assert_eq!(leaves(Algorithm::WikiPvs, "[5 0 [3 4]]"), [0, 1, 2]);
}

#[test]
fn the_refinements_shorten_the_second_search() {
    // One leaf is deeper than the others, so that the rule for the lowest levels saves nothing.
    for (tree, algorithm, sequence) in [
        // Only the figure searches children worth beta or more again.
        ("[0 [[[6]] 2]]", Algorithm::NegaScout, [0, 1, 2, 1, 2, 2].as_slice()),
        ("[0 [[[6]] 2]]", Algorithm::NegaScoutF4, &[0, 1, 2, 1, 2]),
        // F4 also searches those no better than alpha again.
        ("[3 [[[[0]] 7]]]", Algorithm::NegaScoutF4, &[0, 1, 2, 1, 2, 2]),
        ("[3 [[[[0]] 7]]]", Algorithm::NegaScoutGuarded, &[0, 1, 2, 1, 2]),
        // The path skips what is left of the child that refuted a node.
        ("[3 [[2 8]]]", Algorithm::NegaScoutGuarded, &[0, 1, 2, 1, 2]),
        ("[3 [[2 8]]]", Algorithm::NegaScoutPath, &[0, 1, 2, 2]),
        // The bounds of the first level make the last leaf, 7, superfluous.
        ("[2 [[5 7] 7]]", Algorithm::NegaScoutPath, &[0, 1, 3, 1, 2, 3]),
        ("[2 [[5 7] 7]]", Algorithm::Pns, &[0, 1, 3, 1, 2]),
        // They also put [3 8] first; off the path, only INS remembers that 6 refuted [2 6].
        ("[2 [[2 6] [3 8]]]", Algorithm::Pns, &[0, 1, 2, 3, 3, 4, 1, 2]),
        ("[2 [[2 6] [3 8]]]", Algorithm::Ins, &[0, 1, 2, 3, 3, 4, 2]),
    ] {
        assert_eq!(leaves(algorithm, tree), sequence, "{algorithm} on {tree}");
    }
}

#[test]
fn a_child_with_a_known_bound_is_searched_again_with_a_window_that_ends_there() {
    // With the null window (2, 3), [2 6] is worth at least 6 and [3 8] at least 3. In the second
    // search [3 8] is first and is worth 8; so [2 6] gets the window (6, 8).
    for algorithm in [Algorithm::Pns, Algorithm::Ins] {
        let windows = windows_of(algorithm, "[2 [[2 6] [3 8]]]", 3);
        assert_eq!(windows, [Window::new(2, 3), Window::new(6, 8)], "{algorithm}");
    }
    // 8 competes with a MAX node. In the null window (7, 8) its child [[2 6 1]] is worth at most 6
    // and [7 4] at most 7. In the second search [7 4] is worth 4. [2 6 1] gets the window (4, 6),
    // so that 6 is enough; with a window up to 7 it would need 1 too. INS begins with 6.
    let tree = "[[8 [[[2 6 1]] [7 4]]]]";
    assert_eq!(leaves(Algorithm::Pns, tree), [0, 1, 2, 3, 4, 4, 5, 1, 2]);
    assert_eq!(leaves(Algorithm::Ins, tree), [0, 1, 2, 3, 4, 4, 5, 2]);
}

#[test]
fn wikipedias_version_searches_again_from_one_above_alpha() {
    // The null-window search of the second child finds 10. Searched again with (10, +∞), 10 refutes
    // it; with (9, +∞) it is better than 16 once more, and the leaf is evaluated again.
    assert_eq!(leaves(Algorithm::Pvs, "[8 [16 10]]"), [0, 1, 2, 1, 2]);
    assert_eq!(leaves(Algorithm::WikiPvs, "[8 [16 10]]"), [0, 1, 2, 1, 2, 2]);
}

#[test]
fn on_minimax_values_the_null_window_is_at_the_best_value_even_below_alpha() {
    // While the second child is searched with (1, 2), F4 asks if [3 3] is worth 2 and needs one
    // leaf; F4' asks if it is worth 8.
    assert_eq!(leaves(Algorithm::NegaScoutF4, "[1 [8 [3 3]]]"), [0, 1, 2, 1, 2, 3]);
    assert_eq!(leaves(Algorithm::NegaScoutF4Minimax, "[1 [8 [3 3]]]"), [0, 1, 2, 3, 1, 2, 3]);
}

#[test]
fn mtd_searches_downwards_or_upwards() {
    let tree = "[[5 7] [3 9]]";
    // At most 5 and at most 3, so at most 5; 7 proves that it is 5.
    assert_eq!(leaves(Algorithm::MtdPlusInfinity, tree), [0, 2, 1]);
    // The first child is 5. Is anything more? 3 says no.
    assert_eq!(leaves(Algorithm::MtdMinusInfinity, tree), [0, 1, 2]);
}

#[test]
fn mtd_begins_at_its_first_guess() {
    // Reinefeld's Figure 3: the first child is 5, the second -2.
    let leaves = |first_guess| {
        let settings = AlgorithmSettings { first_guess, ..AlgorithmSettings::default() };
        run_with(Algorithm::MtdF, &test_tree("[[5 7] [[7 -3] [-2 -9]]]"), &settings).1.0
    };
    // Is it 5? The first child proves it, by 5 and 7. Is it 6? 5 says that the first child is not;
    // 7 allows the second, and -2 and -9 forbid it.
    assert_eq!(leaves(5), [0, 1, 2, 4, 5]);
    // Is it 6? The same, but 7 in the first child is needed only for the remaining question.
    assert_eq!(leaves(6), [0, 2, 4, 5, 1]);
}

#[test]
fn without_deep_cutoffs_a_bound_from_two_plies_higher_is_not_used() {
    // [2 9] is below a node that cannot be worth more than 1, and the root has 5.
    let tree = "[5 [[1 [2 [0 9]]]]]";
    assert_eq!(leaves(Algorithm::AlphaBetaSoft, tree), [0, 1, 2]);
    assert_eq!(leaves(Algorithm::AlphaBetaShallow, tree), [0, 1, 2, 3, 4]);
}
