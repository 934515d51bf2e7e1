//! Theorems that must hold for the algorithms on every tree.

use proptest::prelude::*;

use super::definitions::{
    Numbered, Rules, critical_leaves, leaves_without_deep_cutoffs, reference_negascout,
    scouted_leaves, smallest_certificate,
};
use super::{in_window, leaves_of, run_with};
use crate::algorithms::{
    Algorithm, AlgorithmSettings, alphabeta_hard, alphabeta_soft, negascout, negascout_f4,
    negascout_guarded, pvs, wiki_pvs,
};
use crate::testing::{
    TestTree, any_tree, ragged_tree, uniform, uniform_tree, uniform_tree_without_ties,
};
use crate::{GameTree, INFINITY, Value, Window};

fn settings() -> impl Strategy<Value = AlgorithmSettings> {
    (-12..=12, -12..=12, 1..=6).prop_map(|(first_guess, guess, delta)| AlgorithmSettings {
        first_guess,
        guess,
        delta,
        ..AlgorithmSettings::default()
    })
}

/// Windows of all widths, including null windows, near the values of the trees.
fn window() -> impl Strategy<Value = Window> {
    let width = prop_oneof![Just(1), 1..=10, 1..=2_000_000];
    let alpha = prop_oneof![-12..=12, -1_000_000..=1_000_000];
    (alpha, width).prop_map(|(alpha, width)| Window::new(alpha, alpha + width))
}

/// Number of leaves of the smallest tree that proves the value of a sorted uniform one.
fn minimal_leaves(width: usize, height: usize) -> usize {
    width.pow(height.div_ceil(2) as u32) + width.pow((height / 2) as u32) - 1
}

fn minimal_leaves_of(sketch: &TestTree) -> usize {
    let tree = sketch.tree();
    minimal_leaves(tree.width(&tree.root()), tree.height())
}

/// All algorithms except the ones known to break a theorem; new algorithms are included.
fn all_except(excluded: &[Algorithm]) -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| !excluded.contains(algorithm))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_algorithm_returns_the_minimax_value(tree in any_tree(), settings in settings()) {
        let value = tree.minimax();
        for &algorithm in Algorithm::ALL {
            prop_assert_eq!(run_with(algorithm, &tree, &settings).0, value, "{}", algorithm);
        }
    }

    #[test]
    fn the_leaves_that_an_algorithm_evaluates_prove_the_value_alone(
        tree in any_tree(), settings in settings(),
    ) {
        let value = tree.minimax();
        let numbered = Numbered::new(&tree);
        for &algorithm in Algorithm::ALL {
            let evaluated = run_with(algorithm, &tree, &settings).1.distinct();
            for others in [-INFINITY, INFINITY] {
                prop_assert_eq!(numbered.minimax_if(&evaluated, others), value, "{}", algorithm);
            }
        }
    }

    #[test]
    fn every_algorithm_evaluates_at_least_the_leaves_of_the_smallest_certificate(
        tree in any_tree(), settings in settings(),
    ) {
        let smallest = smallest_certificate(&tree);
        for &algorithm in Algorithm::ALL {
            let evaluated = run_with(algorithm, &tree, &settings).1.distinct().len();
            prop_assert!(evaluated >= smallest, "{}: {} < {}", algorithm, evaluated, smallest);
        }
    }

    #[test]
    fn the_smallest_certificate_of_a_uniform_tree_has_n_min_leaves_with_and_without_ties(
        tree in uniform_tree(),
    ) {
        prop_assert_eq!(smallest_certificate(&tree), minimal_leaves_of(&tree));
    }

    #[test]
    fn on_sorted_uniform_trees_without_ties_the_minimum_of_leaves_is_reached(
        tree in uniform_tree_without_ties(),
    ) {
        let tree = tree.best_first();
        for algorithm in all_except(&[
            Algorithm::Minimax, Algorithm::AlphaBetaShallow, Algorithm::SssFifo,
            Algorithm::DualFifo, Algorithm::Aspiration, Algorithm::MtdF, Algorithm::Conspiracy,
            Algorithm::MinMaxApproximation,
        ]) {
            let evaluated = leaves_of(algorithm, &tree).0.len();
            prop_assert_eq!(evaluated, minimal_leaves_of(&tree), "{}", algorithm);
        }
    }

    /// The share is (w + 1) / 2w of the leaves at even depths and 2 / (w + 1) at odd ones, if one
    /// is added to both counts (Marsland, Reinefeld and Schaeffer 1987, section 4.1.2).
    #[test]
    fn on_sorted_uniform_trees_the_first_move_has_more_than_half_of_the_leaves_at_even_depths(
        tree in uniform_tree_without_ties(),
    ) {
        let tree = tree.best_first();
        let explicit = tree.tree();
        let (width, height) = (explicit.width(&explicit.root()), explicit.height());
        prop_assume!(height > 0);
        let all = leaves_of(Algorithm::AlphaBetaSoft, &tree).0;
        let below_first = explicit.leaves() as usize / width;
        let first = all.iter().filter(|&&leaf| (leaf as usize) < below_first).count();
        let (share, whole) = if height % 2 == 0 { (width + 1, 2 * width) } else { (2, width + 1) };
        prop_assert_eq!(whole * (first + 1), share * (all.len() + 1));
    }

    #[test]
    fn alphabeta_evaluates_exactly_the_critical_leaves_once_from_left_to_right(
        tree in any_tree(),
    ) {
        let critical = critical_leaves(&tree, Window::FULL);
        prop_assert_eq!(&leaves_of(Algorithm::AlphaBetaHard, &tree).0, &critical);
        prop_assert_eq!(&leaves_of(Algorithm::AlphaBetaSoft, &tree).0, &critical);
    }

    #[test]
    fn with_a_window_alphabeta_evaluates_exactly_the_leaves_that_are_critical_in_it(
        tree in any_tree(), window in window(),
    ) {
        let critical = critical_leaves(&tree, window);
        prop_assert_eq!(&in_window(alphabeta_hard::solve, &tree, window).1.0, &critical);
        prop_assert_eq!(&in_window(alphabeta_soft::solve, &tree, window).1.0, &critical);
    }

    #[test]
    fn aspiration_is_alphabeta_around_the_guess_and_a_second_search_if_it_fails(
        tree in any_tree(), settings in settings(),
    ) {
        let AlgorithmSettings { guess, delta, .. } = settings;
        let window = Window::new(guess - delta, guess + delta);
        let found = in_window(alphabeta_soft::solve, &tree, window).0;
        let mut expected = critical_leaves(&tree, window);
        if found >= window.beta {
            expected.extend(critical_leaves(&tree, Window::new(found, INFINITY)));
        } else if found <= window.alpha {
            expected.extend(critical_leaves(&tree, Window::new(-INFINITY, found)));
        }
        prop_assert_eq!(run_with(Algorithm::Aspiration, &tree, &settings).1.0, expected);
    }

    #[test]
    fn scout_evaluates_the_leaves_of_its_tests_and_then_those_of_children_that_pass(tree in any_tree()) {
        prop_assert_eq!(leaves_of(Algorithm::Scout, &tree).0, scouted_leaves(&tree));
    }

    #[test]
    fn without_deep_cutoffs_alphabeta_uses_only_the_parents_bound(tree in any_tree()) {
        let leaves = leaves_of(Algorithm::AlphaBetaShallow, &tree).0;
        prop_assert_eq!(leaves, leaves_without_deep_cutoffs(&tree));
    }

    #[test]
    fn without_deep_cutoffs_alphabeta_evaluates_the_same_leaves_or_more(
        tree in any_tree(),
    ) {
        let shallow = leaves_of(Algorithm::AlphaBetaShallow, &tree);
        prop_assert!(leaves_of(Algorithm::AlphaBetaSoft, &tree).is_within(&shallow));
    }

    #[test]
    fn with_a_narrower_window_alphabeta_evaluates_no_other_leaves(
        tree in any_tree(), wide in window(), cut in 0..=100, share in 0..=100,
    ) {
        // A part of the wide window, cut off at both ends.
        let room = i64::from(wide.beta - wide.alpha - 1) * i64::from(cut) / 100;
        let left = room * i64::from(share) / 100;
        let nested = Window::new(
            wide.alpha + left as Value,
            wide.beta - (room - left) as Value,
        );
        for solve in [alphabeta_hard::solve, alphabeta_soft::solve] {
            let in_wide = in_window(solve, &tree, wide).1;
            prop_assert!(in_window(solve, &tree, nested).1.is_within(&in_wide));
        }
        let full = leaves_of(Algorithm::AlphaBetaSoft, &tree);
        prop_assert!(in_window(alphabeta_soft::solve, &tree, wide).1.is_within(&full));
    }

    #[test]
    fn fail_hard_is_the_value_clamped_to_the_window(tree in any_tree(), window in window()) {
        let found = in_window(alphabeta_hard::solve, &tree, window).0;
        prop_assert_eq!(found, tree.minimax().clamp(window.alpha, window.beta));
    }

    #[test]
    fn fail_soft_is_the_value_within_the_window_and_a_bound_of_it_outside(
        tree in any_tree(), window in window(),
    ) {
        let value = tree.minimax();
        for (name, solve) in [
            ("alphabeta-soft", alphabeta_soft::solve as fn(&_, _, &mut _) -> _),
            ("negascout-f4", negascout_f4::solve),
            ("negascout-guarded", negascout_guarded::solve),
            ("pvs", pvs::solve),
            ("wiki-pvs", wiki_pvs::solve),
        ] {
            let found = in_window(solve, &tree, window).0;
            prop_assert!(found > window.alpha || value <= found, "{}: {}", name, found);
            prop_assert!(found < window.beta || value >= found, "{}: {}", name, found);
            prop_assert!(!window.contains(found) || value == found, "{}: {}", name, found);
        }
    }

    #[test]
    fn with_a_null_window_every_negascout_is_alphabeta(tree in any_tree(), above in window()) {
        let null = Window::above(above.alpha);
        let alphabeta = in_window(alphabeta_soft::solve, &tree, null);
        for solve in [negascout::solve, negascout_f4::solve, negascout_guarded::solve, pvs::solve] {
            prop_assert_eq!(&in_window(solve, &tree, null), &alphabeta);
        }
    }

    #[test]
    fn on_uniform_trees_of_height_two_negascout_is_alphabeta(
        width in 1..=6_usize, height in 0..=2_u32, values in prop::collection::vec(-9..=9, 36),
    ) {
        let tree = uniform(width, &values[..width.pow(height)]);
        let alphabeta = leaves_of(Algorithm::AlphaBetaSoft, &tree);
        for algorithm in
            [Algorithm::NegaScout, Algorithm::NegaScoutF4, Algorithm::NegaScoutGuarded]
        {
            prop_assert_eq!(&leaves_of(algorithm, &tree), &alphabeta, "{}", algorithm);
        }
    }

    #[test]
    fn pvs_is_negascout_without_the_rule_for_the_lowest_levels(tree in any_tree()) {
        let rules = Rules { not_above_beta: true, not_below_alpha: true, not_at_the_bottom: false };
        prop_assert_eq!(leaves_of(Algorithm::Pvs, &tree).0, reference_negascout(&tree, rules));
    }

    #[test]
    fn the_three_negascouts_differ_only_in_their_rules(tree in any_tree()) {
        let printed =
            Rules { not_above_beta: false, not_below_alpha: false, not_at_the_bottom: true };
        let f4 = Rules { not_above_beta: true, ..printed };
        let guarded = Rules { not_below_alpha: true, ..f4 };
        for (algorithm, rules) in [
            (Algorithm::NegaScout, printed),
            (Algorithm::NegaScoutF4, f4),
            (Algorithm::NegaScoutGuarded, guarded),
        ] {
            let expected = reference_negascout(&tree, rules);
            prop_assert_eq!(leaves_of(algorithm, &tree).0, expected, "{}", algorithm);
        }
    }

    #[test]
    fn algorithms_with_alphabetas_windows_or_narrower_ones_evaluate_no_leaf_that_it_prunes(
        tree in any_tree(), settings in settings(),
    ) {
        let alphabeta = leaves_of(Algorithm::AlphaBetaSoft, &tree);
        for algorithm in all_except(&[
            Algorithm::Minimax, Algorithm::AlphaBetaShallow, Algorithm::Scout,
            Algorithm::NegaScout, Algorithm::NegaScoutF4, Algorithm::NegaScoutF4Minimax,
            Algorithm::NegaScoutPath, Algorithm::Pns, Algorithm::Ins, Algorithm::SssFifo,
            Algorithm::DualFifo, Algorithm::Conspiracy, Algorithm::MinMaxApproximation,
        ]) {
            let evaluated = run_with(algorithm, &tree, &settings).1;
            prop_assert!(evaluated.is_within(&alphabeta), "{}", algorithm);
        }
    }

    #[test]
    fn a_strictly_increasing_map_of_the_values_keeps_the_sequence_of_leaves(
        tree in any_tree(), factor in 1..=9, shift in -50..=50, step in 0..=50, at in -10..=10,
    ) {
        let mapped = tree.map(&mut |value| {
            factor * value + shift + if value > at { step } else { 0 }
        });
        // Except with a guess, and where a null window may occur by accident: see `printed`.
        for algorithm in all_except(&[
            Algorithm::NegaScout, Algorithm::NegaScoutF4, Algorithm::WikiPvs,
            Algorithm::Aspiration, Algorithm::MtdF, Algorithm::Conspiracy,
            Algorithm::MinMaxApproximation,
        ]) {
            prop_assert_eq!(
                leaves_of(algorithm, &tree), leaves_of(algorithm, &mapped),
                "{} on {:?}", algorithm, mapped
            );
        }
    }

    #[test]
    fn for_alphabeta_scout_and_pvs_the_game_is_the_same_from_the_other_side(tree in any_tree()) {
        for algorithm in [
            Algorithm::AlphaBetaHard, Algorithm::AlphaBetaSoft, Algorithm::AlphaBetaShallow,
            Algorithm::Scout, Algorithm::Pvs,
        ] {
            let dual = leaves_of(algorithm, &tree.dual());
            prop_assert_eq!(leaves_of(algorithm, &tree), dual, "{}", algorithm);
        }
    }

    #[test]
    fn sss_is_mtd_from_above_and_dual_is_mtd_from_below_leaf_by_leaf_in_order(tree in any_tree()) {
        let pairs = [
            (Algorithm::Sss, Algorithm::MtdPlusInfinity),
            (Algorithm::Dual, Algorithm::MtdMinusInfinity),
        ];
        for (best_first, depth_first) in pairs {
            prop_assert_eq!(leaves_of(best_first, &tree), leaves_of(depth_first, &tree));
        }
    }

    #[test]
    fn dual_is_sss_from_the_other_side_leaf_by_leaf_in_order(tree in any_tree()) {
        for (dual, sss) in
            [(Algorithm::Dual, Algorithm::Sss), (Algorithm::DualFifo, Algorithm::SssFifo)]
        {
            prop_assert_eq!(leaves_of(dual, &tree), leaves_of(sss, &tree.dual()));
            prop_assert_eq!(leaves_of(sss, &tree), leaves_of(dual, &tree.dual()));
        }
    }

    #[test]
    fn algorithms_without_a_second_search_or_with_a_memory_evaluate_no_leaf_twice(
        tree in any_tree(), settings in settings(),
    ) {
        for algorithm in all_except(&[
            Algorithm::Scout, Algorithm::NegaScout, Algorithm::NegaScoutF4,
            Algorithm::NegaScoutF4Minimax, Algorithm::NegaScoutGuarded, Algorithm::NegaScoutPath,
            Algorithm::Pvs, Algorithm::WikiPvs, Algorithm::Pns, Algorithm::Ins,
            Algorithm::Aspiration,
        ]) {
            let evaluated = run_with(algorithm, &tree, &settings).1;
            prop_assert_eq!(evaluated.distinct().len(), evaluated.0.len(), "{}", algorithm);
        }
    }

    #[test]
    fn a_right_first_guess_takes_mtd_two_passes(tree in ragged_tree()) {
        let settings = AlgorithmSettings { first_guess: tree.minimax(), ..AlgorithmSettings::default() };
        prop_assert_eq!(super::reports::passes(Algorithm::MtdF, &tree, &settings), 2);
    }

    #[test]
    fn aspiration_takes_one_search_if_the_guess_is_close_and_two_otherwise(
        tree in ragged_tree(), settings in settings(),
    ) {
        let within = (tree.minimax() - settings.guess).abs() < settings.delta;
        let searches = super::reports::passes(Algorithm::Aspiration, &tree, &settings);
        prop_assert_eq!(searches, if within { 1 } else { 2 });
    }
}
