//! Benchmarks the laboratory's algorithms on one generated tree, in leaves per second. Run with
//! `cargo bench --bench laboratory`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use outrider_laboratory::SearchCounts;
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::artificial::{Order, OrderedTree, Seed, Shape};

const WIDTH: usize = 10;
const HEIGHT: usize = 6;

fn leaves(criterion: &mut Criterion) {
    let shape = Shape::new(WIDTH, HEIGHT).expect("the tree is small enough");
    let weights = Order::Strong.weights(WIDTH);
    let tree = OrderedTree::new(shape, weights, 1000, Seed { series: 1, tree: 0 });
    let mut group = criterion.benchmark_group("leaves of a strongly ordered tree, w = 10, d = 6");
    for algorithm in [Algorithm::AlphaBetaSoft, Algorithm::NegaScout, Algorithm::Sss] {
        let mut counts = SearchCounts::default();
        algorithm.solve(&tree, &AlgorithmSettings::default(), &mut counts);
        group.throughput(Throughput::Elements(counts.leaves));
        group.bench_function(algorithm.name(), |bencher| {
            bencher
                .iter(|| algorithm.solve(black_box(&tree), &AlgorithmSettings::default(), &mut ()));
        });
    }
    group.finish();
}

criterion_group!(benches, leaves);
criterion_main!(benches);
