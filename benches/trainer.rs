//! Benchmarks the trainer, in positions per second: reading games, which replays them; learning; and both
//! together, as in a run that learns every position once. All use one thread, so that the figures are per
//! core. Run with `cargo bench --bench trainer`.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use outrider_engine::evaluation::Network;
use outrider_engine::search::Control;
use outrider_tools::selfplay::{
    Conditions, Endgames, GameSettings, Goal, Header, Writer, generate,
};
use outrider_tools::training::{
    Dataset, DatasetReader, Trainer, TrainingConfig, TrainingState, WeightedFile,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tempfile::TempDir;

/// Number of positions: enough for a dozen mini-batches, from searches so short that the games take
/// seconds.
const POSITIONS: u64 = 400_000;
const NODES: u32 = 60;

fn play(path: &Path) {
    let settings = GameSettings { seed: 1, nodes: NODES, ..GameSettings::default() };
    let conditions = Conditions::new(settings, Network::built_in(), Endgames::default());
    let header = Header::new(conditions.settings(), "a bench");
    let file = Writer::resume(path, &header).expect("a new file can be written");
    let goal = Goal::Positions(POSITIONS);
    generate(&conditions, goal, 1, file, &Control::default(), &mut |_| {})
        .expect("the games can be written");
}

fn read(path: PathBuf) -> Dataset {
    let sources = [WeightedFile { path, weight: 1.0 }];
    let endgames = Endgames::default();
    DatasetReader::new(&endgames).read(&sources, &mut |_| {}).expect("the games can be read")
}

/// Returns settings with one superbatch of as many mini-batches as the positions fill.
fn config(dataset: &Dataset) -> TrainingConfig {
    let config =
        TrainingConfig { hidden: 256, superbatches: 2, scale: 152.0, ..TrainingConfig::default() };
    TrainingConfig { batches: (dataset.epoch_length() / config.batch) as u32, ..config }
}

fn trainer<'a>(config: &TrainingConfig, dataset: &'a Dataset, pool: &'a ThreadPool) -> Trainer<'a> {
    Trainer::new(config.clone(), dataset, TrainingState::new(config), pool)
}

fn training(criterion: &mut Criterion) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let folder = TempDir::new().expect("a folder can be made");
    let path = folder.path().join("games");
    play(&path);
    let dataset = read(path.clone());
    let config = config(&dataset);
    let samples = Throughput::Elements(config.superbatch_samples());
    let mut group = criterion.benchmark_group("training");
    group.sample_size(10);

    // The games have more positions than the filter keeps; only those that it keeps are counted.
    group.throughput(Throughput::Elements(dataset.samples().len() as u64));
    group.bench_function("read games", |bencher| {
        bencher.iter(|| pool.install(|| read(black_box(path.clone()))))
    });
    group.throughput(samples.clone());
    group.bench_function("learn, 256 units", |bencher| {
        let begin = || trainer(&config, &dataset, &pool);
        bencher.iter_batched_ref(
            begin,
            |run| run.superbatch(&mut |_, _| {}).expect("a loss"),
            BatchSize::PerIteration,
        );
    });
    group.throughput(samples);
    group.bench_function("read and learn once, 256 units", |bencher| {
        bencher.iter(|| {
            let dataset = pool.install(|| read(path.clone()));
            trainer(&config, &dataset, &pool).superbatch(&mut |_, _| {})
        });
    });
    group.finish();
}

criterion_group!(benches, training);
criterion_main!(benches);
