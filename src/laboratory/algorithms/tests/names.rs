use std::collections::HashSet;

use crate::algorithms::Algorithm;

#[test]
fn every_algorithm_is_found_by_its_name() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
    }
}

#[test]
fn names_are_unique_and_in_kebab_case() {
    let names: HashSet<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    assert_eq!(names.len(), Algorithm::ALL.len());
    for name in names {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
    }
}

#[test]
fn the_error_for_an_unknown_name_lists_all_names() {
    let error = "alphabet".parse::<Algorithm>().expect_err("no algorithm has this name");
    let message = error.to_string();
    assert!(message.starts_with("no algorithm is called 'alphabet'; the algorithms are minimax, "));
    assert!(Algorithm::ALL.iter().all(|algorithm| message.contains(algorithm.name())));
    assert!(!message.contains('\n'));
}
