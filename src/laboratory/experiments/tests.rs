use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use super::statistics::{Sample, span};
use super::visits::LeafVisits;
use super::*;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::artificial::{IndependentTree, Seed, Shape};
use crate::{GameTree, SearchCounts};

/// Experiments on artificial trees, which are fast with one tree of each kind.
const ON_GENERATED_TREES: [&str; 6] = [
    "reinefeld-1983",
    "path-refinement",
    "refutation-wall",
    "minimal-window-1987",
    "execution-time",
    "scout-ratio",
];

fn plan(trees: u32, seed: u64, threads: usize) -> Plan<'static> {
    Plan { trees, seed, threads, progress: &() }
}

fn run(name: &str, plan: &Plan<'_>) -> Findings {
    let experiment = Experiment::named(name).expect("there is such an experiment");
    (experiment.run)(plan).expect("the experiment runs")
}

#[test]
fn every_experiment_has_a_unique_name_and_a_description() {
    let names: HashSet<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
    assert_eq!(names.len(), EXPERIMENTS.len());
    assert!(EXPERIMENTS.iter().all(|experiment| !experiment.about.is_empty()));
    assert!(ON_GENERATED_TREES.iter().all(|&name| Experiment::named(name).is_some()));
    assert!(Experiment::named("reinefeld-1984").is_none());
}

#[test]
fn counts_depend_only_on_the_seed() {
    for name in ON_GENERATED_TREES {
        let one = run(name, &plan(1, 7, 1)).counts;
        assert_eq!(one, run(name, &plan(1, 7, 3)).counts, "{name}");
    }
    let counts = |seed, threads| run("scout-ratio", &plan(3, seed, threads)).counts;
    assert_eq!(counts(7, 1), counts(7, 4));
    assert_ne!(counts(7, 1), counts(8, 1));
}

#[test]
fn tables_have_headers_and_complete_rows_and_times_have_their_own_table() {
    for name in ON_GENERATED_TREES {
        let findings = run(name, &plan(1, 1, 2));
        assert_eq!(findings.times.is_some(), name == "execution-time", "{name}");
        assert!(!findings.counts.0.contains("seconds"), "{name}");
        for table in [Some(findings.counts), findings.times].into_iter().flatten() {
            let mut reader = csv::Reader::from_reader(table.0.as_bytes());
            let header = reader.headers().expect("there is a header").clone();
            let trees = header.iter().position(|column| column == "trees");
            let mut rows = 0;
            for row in reader.records() {
                let row = row.expect("every row has as many values as the header");
                assert_eq!(trees.map(|column| &row[column]), Some("1"), "{name}");
                assert!(row.iter().all(|value| !value.is_empty() && value != "NaN"), "{name}");
                rows += 1;
            }
            assert!(rows > 1, "{name}");
        }
    }
}

#[test]
fn results_are_in_the_order_of_the_jobs_regardless_of_cost() {
    let jobs: Vec<u64> = (0..100).collect();
    for threads in [1, 2, 7] {
        let cost = |job: &u64| job * 37 % 100;
        let results = plan(1, 1, threads).map(&jobs, cost, |job| job * job);
        let squares: Vec<u64> = jobs.iter().map(|job| job * job).collect();
        assert_eq!(results.expect("there are threads"), squares);
    }
}

#[test]
fn progress_is_reported_until_all_expected_work_is_done() {
    #[derive(Default)]
    struct CountedProgress {
        expected: AtomicU64,
        done: AtomicU64,
    }
    impl WorkProgress for CountedProgress {
        fn expect(&self, work: u64) {
            self.expected.fetch_add(work, Ordering::Relaxed);
        }
        fn advance(&self, work: u64) {
            self.done.fetch_add(work, Ordering::Relaxed);
        }
    }
    let progress = CountedProgress::default();
    let plan = Plan { trees: 2, seed: 1, threads: 2, progress: &progress };
    run("execution-time", &plan);
    assert!(progress.expected.load(Ordering::Relaxed) > 0);
    assert_eq!(progress.expected.into_inner(), progress.done.into_inner());
}

#[test]
fn each_kind_has_its_trees_in_order() {
    let found = plan(3, 9, 2).search(&['a', 'b'], |_| 1, |&kind, seed| (kind, seed.tree));
    let expected = ['a', 'b'].map(|kind| [0, 1, 2].map(|tree| (kind, tree)).to_vec());
    assert_eq!(found.expect("there are threads"), expected);
}

#[test]
fn visits_are_counted_in_total_and_once_per_leaf() {
    let shape = Shape::new(2, 1).expect("the tree is small");
    let tree = IndependentTree::new(shape, 10, Seed { series: 1, tree: 1 });
    let [left, right] = [0, 1].map(|index| tree.child(&tree.root(), index));
    let mut visits = LeafVisits::default();
    for leaf in [left, right, right, left] {
        crate::Observer::evaluate(&mut visits, &tree, &leaf, 0);
    }
    assert_eq!((visits.all(), visits.again_at_once(), visits.distinct()), (4, 1, 2));

    let (mut counts, mut visits) = (SearchCounts::default(), LeafVisits::default());
    let shape = Shape::new(3, 5).expect("the tree is small");
    let tree = IndependentTree::new(shape, 10, Seed { series: 1, tree: 1 });
    Algorithm::Scout.solve(&tree, &AlgorithmSettings::default(), &mut counts);
    Algorithm::Scout.solve(&tree, &AlgorithmSettings::default(), &mut visits);
    assert_eq!(counts.leaves, visits.all());
    assert!(visits.clone().distinct() < visits.all());
}

#[test]
fn statistics_match_the_textbook() {
    let sample: Sample = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
    assert_eq!(sample.mean(), 5.0);
    assert!((sample.deviation() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    assert!((sample.standard_error() - (4.0f64 / 7.0).sqrt()).abs() < 1e-12);
    assert_eq!((sample.least(), sample.greatest()), (2.0, 9.0));
    assert_eq!(span([0.941, 0.766].into_iter()), "0.77 to 0.94");
    let nothing: Sample = [0.0; 0].into_iter().collect();
    assert_eq!((nothing.mean(), nothing.deviation(), nothing.greatest()), (0.0, 0.0, 0.0));
}
