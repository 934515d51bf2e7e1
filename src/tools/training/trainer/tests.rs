use std::collections::HashSet;

use super::*;
use crate::selfplay;
use crate::training::model::{BIAS, output_row};
use crate::training::sample::THREATS;
use crate::training::{fit_outputs, integer_network, piece_group, quantisation_error};
use outrider_engine::evaluation::network::features::{FEATURES, INPUTS};
use outrider_engine::position::Board;
use outrider_engine::units::Score;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rayon::ThreadPoolBuilder;
use shakmaty::{Chess, Color, Position as _, Role};

fn config() -> TrainingConfig {
    TrainingConfig {
        hidden: 32,
        buckets: 1,
        superbatches: 2,
        batches: 2,
        batch: 512,
        result_share: 0.3,
        last_result_share: 0.3,
        scale: 400.0,
        ..TrainingConfig::default()
    }
}

/// White's balance of material, in centipawns.
fn material(chess: &Chess) -> i32 {
    let worth = [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300)];
    let worth = worth.into_iter().chain([(Role::Rook, 500), (Role::Queen, 900)]);
    let board = chess.board();
    let of = |color: Color, role: Role| (board.by_piece(role.of(color))).count() as i32;
    worth.map(|(role, worth)| (of(Color::White, role) - of(Color::Black, role)) * worth).sum()
}

/// Returns positions of random games with White's score by `score`; the side ahead wins.
fn positions(count: usize, score: impl Fn(&Chess) -> i32) -> Vec<Sample> {
    let mut random = StdRng::seed_from_u64(7);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut chess = Chess::default();
        for _ in 0..random.random_range(10..300) {
            let Some(&best) = chess.legal_moves().choose(&mut random) else {
                break;
            };
            let white_score = Score::new(score(&chess));
            let result = match white_score.centipawns().signum() {
                1 => selfplay::GameResult::WhiteWins,
                -1 => selfplay::GameResult::BlackWins,
                _ => selfplay::GameResult::Draw,
            };
            let board = Board::new(chess.clone());
            let position =
                selfplay::LabelledPosition { board, best, white_score, result: Some(result) };
            samples.extend(Sample::new(&position));
            chess.play_unchecked(best);
        }
    }
    samples.truncate(count);
    samples
}

fn dataset(samples: Vec<Sample>) -> Dataset {
    let validation = samples[..samples.len() / 10].to_vec();
    Dataset::from_samples(samples, validation)
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn train(config: &TrainingConfig, dataset: &Dataset, threads: usize) -> TrainingState {
    let state = TrainingState::new(config);
    let pool = pool(threads);
    let mut trainer = Trainer::new(config.clone(), dataset, state, &pool);
    for _ in 0..config.superbatches {
        trainer.superbatch(&mut |_, _| {}).unwrap();
    }
    trainer.state
}

#[test]
fn the_gradient_of_each_kind_of_parameter_matches_finite_differences() {
    let piece_weights = [0.5, 0.8, 1.0, 1.5];
    let config =
        TrainingConfig { hidden: 64, buckets: 2, exponent: 2.5, piece_weights, ..config() };
    let samples = positions(200, material);
    let mut model = Model::random(64, 2, 3);
    // Some units are between 0 and 1, some are clipped at 0, some at 1.
    model
        .blocks
        .iter_mut()
        .for_each(|block| block[BIAS].iter_mut().step_by(2).for_each(|b| *b = 0.6));
    model.blocks[0][BIAS][0] = -3.0;
    model.blocks[0][BIAS][2] = 3.0;

    let mut buffers = Buffers::new(2);
    let mut gradient = Model::zero(64, 2);
    forward_pass(&config, 0.3, &model, &samples, &mut buffers);
    backward_pass(&model, samples.len(), &buffers, &mut gradient);

    let loss = |model: &Model| -> f64 {
        let error = |sample: &Sample| {
            let difference = sigmoid(model.output(sample)) - config.target(sample, 0.3);
            f64::from(difference.abs()).powf(2.5)
                * f64::from(piece_weights[piece_group(sample.piece_count())])
        };
        samples.iter().map(error).sum::<f64>() / config.batch as f64
    };
    let mut check = |name: &str, place: &dyn Fn(&mut Model) -> &mut f32| {
        const STEP: f32 = 0.004;
        let computed = f64::from(*place(&mut gradient));
        let mut moved = model.clone();
        let mut at = |by: f32| {
            *place(&mut moved) += by;
            let loss = loss(&moved);
            *place(&mut moved) -= by;
            loss
        };
        let found = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
        let scale = computed.abs().max(found.abs()).max(1e-6);
        assert!(
            (computed - found).abs() < 0.02 * scale,
            "{name}: {computed}, by finite differences {found}"
        );
    };
    let buckets: Vec<usize> =
        samples.iter().map(|sample| model.bucket_of(sample.piece_count())).collect();
    assert!(buckets.contains(&0) && buckets.contains(&1), "both buckets are used");
    for bucket in 0..2 {
        check("output bias", &|model| &mut model.output_biases[bucket]);
        for (side, unit) in [(0, 2), (0, 4), (1, 6), (1, 63)] {
            let (block, unit) = (unit / UNITS, unit % UNITS);
            check("output weight", &|model| {
                &mut model.blocks[block][output_row(bucket, side)][unit]
            });
        }
    }
    let features = samples[0].features();
    for unit in [0, 2, 4, 6, 40, 62] {
        let (block, unit) = (unit / UNITS, unit % UNITS);
        check("bias", &|model| &mut model.blocks[block][BIAS][unit]);
        for &feature in [&features.own[3], &features.own[17], &features.other[9]] {
            check("weight", &|model| &mut model.blocks[block][usize::from(feature)][unit]);
        }
    }
}

#[test]
fn a_few_positions_are_memorised() {
    // Scores that are unrelated to the position can only be memorised.
    let score = |chess: &Chess| (chess.board().occupied().0 % 801) as i32 - 400;
    let dataset = dataset(positions(50, score));
    let config = TrainingConfig {
        batches: 1500,
        batch: 64,
        result_share: 0.0,
        last_result_share: 0.0,
        ..config()
    };
    let state = TrainingState::new(&config);
    let before = Trainer::new(config.clone(), &dataset, state, &pool(1)).validate();
    assert!(before > 0.01, "{before}");
    let history = train(&config, &dataset, 2).history;
    assert!(history[1].validation < 1e-6, "{history:?}");
}

#[test]
fn a_network_trained_on_material_knows_the_value_of_a_queen() {
    let dataset = dataset(positions(20_000, material));
    let config = TrainingConfig { batches: 1000, ..config() };
    let model = train(&config, &dataset, 2).model;
    let value = |fen: &str| {
        let chess = outrider_engine::position::notation::parse_fen_any(fen).unwrap();
        let best = chess.legal_moves()[0];
        let (board, result) = (Board::new(chess), selfplay::GameResult::Draw);
        let white_score = Score::DRAW;
        let position =
            selfplay::LabelledPosition { board, best, white_score, result: Some(result) };
        model.output(&Sample::new(&position).unwrap()) * config.scale
    };
    let even = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_down = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!(even.abs() < 100.0, "{even}");
    assert!(queen_up > 500.0 && queen_down < -500.0, "{queen_up}, {queen_down}");
}

#[test]
fn weights_of_unused_features_shrink_only_with_weight_decay() {
    let dataset = dataset(positions(2_000, material));
    let config = TrainingConfig { batches: 50, rate: 0.01, ..config() };
    let first = TrainingState::new(&config).model;
    // A feature that is on with the king in one place also moves its rows for the other places.
    let on: HashSet<usize> = (dataset.samples().iter())
        .flat_map(|sample| {
            let features = sample.features();
            features.own.into_iter().chain(features.other)
        })
        .map(usize::from)
        .filter(|&input| input < INPUTS)
        .map(|input| input % FEATURES)
        .collect();
    let rows: Vec<usize> = (0..INPUTS).filter(|row| !on.contains(&(row % FEATURES))).collect();
    assert!(!rows.is_empty(), "no pawn is on the last rank");
    for (decay, kept) in [(0.0, 1.0..=1.0), (0.5, 0.5..=0.99)] {
        let model = train(&TrainingConfig { decay, ..config.clone() }, &dataset, 1).model;
        for &row in &rows {
            let pairs = model.blocks[0][row].iter().zip(first.blocks[0][row]);
            for (now, before) in pairs {
                assert!(kept.contains(&(now / before)), "{decay}: {before} became {now}");
            }
        }
    }
}

#[test]
fn decay_and_limits_depend_on_the_kind_of_parameter() {
    let mut state = TrainingState::new(&config());
    let before = state.model.clone();
    state.model.blocks[0][THREATS..BIAS].as_flattened_mut().fill(0.6);
    let mut gradient = Model::zero(32, 1);
    // The step multiplies a weight that decays by a half.
    optimise(&mut state, &mut gradient, AdamStep::new(0.1, 5.0, 0));
    let (now, before) = (&state.model.blocks[0], &before.blocks[0]);
    let is_half = |(now, before): (&f32, &f32)| *now == 0.5 * before;
    assert!(now[..THREATS].as_flattened().iter().zip(before.as_flattened()).all(is_half));
    assert!(now[THREATS..BIAS].as_flattened().iter().all(|&weight| weight == 0.3));
    assert_eq!(now[BIAS..], before[BIAS..]);

    state.model.blocks[0].as_flattened_mut().fill(-3.0);
    optimise(&mut state, &mut gradient, AdamStep::new(0.1, 0.0, 0));
    let network = state.model.quantised(400, String::new());
    let narrow = [&network.feature_weights, &network.threat_weights, &network.output_weights];
    assert!(narrow.into_iter().flatten().all(|&weight| weight == -127));
}

#[test]
fn quantisation_changes_scores_little_and_the_fit_less() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/files/games-of-version-1");
    let mut samples = Vec::new();
    for game in selfplay::Reader::open(path.as_ref()).unwrap().games() {
        let replayed = game.unwrap().replay();
        samples.extend(replayed.filter_map(|position| Sample::new(&position.unwrap())));
    }
    assert!(samples.len() > 300);
    let dataset = dataset(samples);
    let config = TrainingConfig { hidden: 256, batches: 200, batch: 256, ..config() };
    let model = train(&config, &dataset, 2).model;
    let mut network = model.quantised(config.scale as i32, String::new());
    let rounded = quantisation_error(&config, &model, &network, dataset.samples());
    assert!(rounded.mean < 10.0 && rounded.greatest < 40.0, "{rounded}");
    fit_outputs(&model, &mut network, dataset.samples());
    let fitted = quantisation_error(&config, &model, &network, dataset.samples());
    assert!(fitted.mean < 0.7 * rounded.mean, "{rounded}, {fitted}");
}

#[test]
fn a_seed_gives_the_same_network_on_any_number_of_threads_and_another_seed_another_network() {
    let dataset = dataset(positions(5_000, material));
    let config = TrainingConfig { hidden: 96, buckets: 4, ..config() };
    let one = train(&config, &dataset, 1);
    assert_eq!(one, train(&config, &dataset, 3));
    assert_ne!(one.model, train(&TrainingConfig { seed: 2, ..config }, &dataset, 1).model);
}

#[test]
fn a_resumed_run_gives_the_network_of_an_uninterrupted_one() {
    let dataset = dataset(positions(5_000, material));
    let config = config();
    let whole = train(&config, &dataset, 2);
    let (one, two) = (pool(1), pool(2));
    let mut first = Trainer::new(config.clone(), &dataset, TrainingState::new(&config), &two);
    first.superbatch(&mut |_, _| {}).unwrap();
    let state = first.state.clone();
    let mut second = Trainer::new(config, &dataset, state, &one);
    second.superbatch(&mut |_, _| {}).unwrap();
    assert_eq!(second.state, whole);
}

#[test]
fn a_wider_network_begins_with_the_values_of_a_finished_one_and_all_units_learn() {
    let dataset = dataset(positions(5_000, material));
    let finished = train(&config(), &dataset, 1).model.quantised(150, String::new());
    let config = TrainingConfig { hidden: 64, buckets: 4, ..config() };
    let state = TrainingState::from_network(&config, &finished);
    for sample in &dataset.samples()[..200] {
        let expected = integer_network::value(&finished, sample) as f32;
        let found = state.model.output(sample) * config.scale;
        assert!((found - expected).abs() < 2.0, "{found} and {expected}");
    }
    let first = state.model.clone();
    let pool = pool(1);
    let mut trainer = Trainer::new(config, &dataset, state, &pool);
    trainer.superbatch(&mut |_, _| {}).unwrap();
    for (block, before) in trainer.state.model.blocks.iter().zip(&first.blocks) {
        let moved = (0..UNITS)
            .filter(|&unit| (0..output_row(0, 0)).any(|row| block[row][unit] != before[row][unit]));
        assert!(moved.count() > UNITS / 2);
    }
}

#[test]
fn a_mixture_interpolates_between_two_networks() {
    let config = config();
    let [first, second] = [1, 2].map(|seed| Model::random(config.hidden, config.buckets, seed));
    for share in [0.0, 0.25, 1.0] {
        let mut mixed = first.clone();
        mixed.mix(&second, share);
        for ((mixed, first), second) in
            mixed.parameters().zip(first.parameters()).zip(second.parameters())
        {
            let expected = (1.0 - share) * first + share * second;
            assert!((mixed - expected).abs() < 1e-6, "{mixed} and {expected}");
        }
    }
}

#[test]
fn a_run_whose_loss_is_not_finite_fails_at_once_without_adding_to_its_history() {
    let (config, dataset, pool) = (config(), dataset(positions(600, material)), pool(2));
    let mut state = TrainingState::new(&config);
    state.model.output_biases[0] = f32::NAN;
    let mut trainer = Trainer::new(config, &dataset, state, &pool);
    let mut batches = 0;
    let error = trainer.superbatch(&mut |_, _| batches += 1).unwrap_err();
    assert_eq!((error.step, batches), (1, 0));
    assert!(error.loss.is_nan());
    assert!(trainer.state().history.is_empty());
}
