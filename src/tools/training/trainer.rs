//! The run itself: mini-batches, superbatches, the schedule of the learning rate.
//!
//! A superbatch is a number of mini-batches, after which the loss is reported, the network checked on
//! the validation set and the run's state saved. The loss is the square of the difference
//! between the network's output after a sigmoid and the target: a mixture of the search's score
//! after the same sigmoid and the game's result (as engines have trained since Stockfish took
//! NNUE over from Shogi, 2020).

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::dataset::{Dataset, SampleDraw};
use super::kernels::{
    Activations, AdamStep, FIRST_DECAY, SECOND_DECAY, TrainingInput, adam, backward, forward,
};
use super::model::{MAX_WEIGHT, Model, UNITS};
use super::sample::Sample;

/// Samples of a mini-batch by default.
pub const BATCH: usize = 16_384;
/// Positions that go forwards and backwards together: few enough that their activations stay in
/// the cache, many enough that threads seldom wait for one another.
const CHUNK: usize = 4_096;
/// Positions that a thread unpacks at once.
const UNPACKED_AT_ONCE: usize = 128;
/// The learning rate after the first superbatch.
const MAX_RATE: f64 = 1e-3;
/// The learning rate at the end.
const MIN_RATE: f64 = 1e-5;

/// Everything but the data on which a network depends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// Hidden units for each perspective, a multiple of [`UNITS`].
    pub hidden: usize,
    /// Sets of output weights by the number of pieces.
    pub buckets: usize,
    /// Superbatches of the whole run.
    pub superbatches: u32,
    /// Mini-batches of a superbatch.
    pub batches: u32,
    /// Samples of a mini-batch.
    pub batch: usize,
    /// Where the random numbers begin: first weights and order of the samples.
    pub seed: u64,
    /// The result's share in the target, 0 to 1; the rest is the score's.
    pub result_share: f32,
    /// Centipawns of a unit of the output, which is one of the sigmoid's argument.
    pub scale: f32,
}

impl TrainingConfig {
    /// Samples of a superbatch.
    pub fn superbatch_samples(&self) -> u64 {
        u64::from(self.batches) * self.batch as u64
    }

    /// What the network's output should be after the sigmoid.
    fn target(&self, sample: &Sample) -> f32 {
        let score = sigmoid(sample.score().centipawns() as f32 / self.scale);
        score + self.result_share * (sample.points() - score)
    }

    /// The learning rate of this step of the run: it rises in the first superbatch and falls
    /// along a cosine in the others (Loshchilov and Hutter 2017).
    pub fn rate(&self, step: u64) -> f64 {
        let warm_up = u64::from(self.batches);
        let steps = warm_up * u64::from(self.superbatches);
        if step < warm_up {
            return MAX_RATE * (step + 1) as f64 / warm_up as f64;
        }
        let part = (step - warm_up) as f64 / (steps - warm_up).max(1) as f64;
        let cosine = (1.0 + (std::f64::consts::PI * part).cos()) / 2.0;
        MIN_RATE + (MAX_RATE - MIN_RATE) * cosine
    }
}

/// What a superbatch came to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Losses {
    /// The mean over the samples trained on, while they were trained on.
    pub training: f64,
    /// The mean over the validation set afterwards.
    pub validation: f64,
}

/// What changes in the course of a run, and what a checkpoint keeps.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingState {
    /// The network.
    pub model: Model,
    /// Adam's first moment.
    pub first: Model,
    /// Adam's second moment.
    pub second: Model,
    /// The losses of the superbatches that are done.
    pub history: Vec<Losses>,
}

impl TrainingState {
    /// The beginning of a run.
    pub fn new(config: &TrainingConfig) -> TrainingState {
        let zero = Model::zero(config.hidden, config.buckets);
        TrainingState {
            model: Model::random(config.hidden, config.buckets, config.seed),
            first: zero.clone(),
            second: zero,
            history: Vec::new(),
        }
    }
}

/// A run.
pub struct Trainer<'a> {
    config: TrainingConfig,
    dataset: &'a Dataset,
    draw: SampleDraw<'a>,
    pool: &'a ThreadPool,
    state: TrainingState,
    gradient: Model,
    buffers: Buffers,
}

/// Room for what is computed of a chunk.
struct Buffers {
    samples: Vec<Sample>,
    inputs: Vec<TrainingInput>,
    blocks: Vec<BlockBuffers>,
    output_gradients: Vec<f32>,
}

#[derive(Clone)]
struct BlockBuffers {
    activations: Vec<Activations>,
    contributions: Vec<f32>,
}

impl Buffers {
    fn new(blocks: usize) -> Buffers {
        let block = BlockBuffers {
            activations: vec![[[0.0; UNITS]; 2]; CHUNK],
            contributions: vec![0.0; CHUNK],
        };
        Buffers {
            samples: Vec::new(),
            inputs: vec![TrainingInput::default(); CHUNK],
            blocks: vec![block; blocks],
            output_gradients: vec![0.0; CHUNK],
        }
    }
}

impl<'a> Trainer<'a> {
    /// Begins a run or, if the state is that of one under way, goes on with it, on the threads of
    /// this pool.
    pub fn new(
        config: TrainingConfig,
        dataset: &'a Dataset,
        state: TrainingState,
        pool: &'a ThreadPool,
    ) -> Trainer<'a> {
        let samples = state.history.len() as u64 * config.superbatch_samples();
        Trainer {
            draw: SampleDraw::after(dataset, config.seed, samples),
            pool,
            gradient: Model::zero(config.hidden, config.buckets),
            buffers: Buffers::new(config.hidden / UNITS),
            config,
            dataset,
            state,
        }
    }

    /// How far the run is.
    pub fn state(&self) -> &TrainingState {
        &self.state
    }

    /// Trains for a superbatch and validates. Reports after each mini-batch how many are done and the
    /// mean loss so far.
    pub fn superbatch(&mut self, report: &mut dyn FnMut(u32, f64)) -> Losses {
        let begun = self.state.history.len() as u64 * u64::from(self.config.batches);
        let mut sum = 0.0;
        for batch in 0..self.config.batches {
            sum += self.step(begun + u64::from(batch)) / self.config.batch as f64;
            report(batch + 1, sum / f64::from(batch + 1));
        }
        let losses =
            Losses { training: sum / f64::from(self.config.batches), validation: self.validate() };
        self.state.history.push(losses);
        losses
    }

    /// The mean loss on the validation set.
    pub fn validate(&mut self) -> f64 {
        let validation = self.dataset.validation();
        let Trainer { config, pool, state, buffers, .. } = self;
        let sum: f64 = pool.install(|| {
            validation.chunks(CHUNK).map(|c| forward_pass(config, &state.model, c, buffers)).sum()
        });
        sum / validation.len() as f64
    }

    /// One step; returns the sum of the losses before it.
    fn step(&mut self, step: u64) -> f64 {
        let Trainer { config, draw, pool, state, gradient, buffers, .. } = self;
        let mut samples = std::mem::take(&mut buffers.samples);
        draw.next(config.batch, &mut samples);
        let rate = config.rate(step);
        let loss = pool.install(|| {
            let mut loss = 0.0;
            for chunk in samples.chunks(CHUNK) {
                loss += forward_pass(config, &state.model, chunk, buffers);
                backward_pass(&state.model, chunk.len(), buffers, gradient);
            }
            optimise(state, gradient, rate, step);
            loss
        });
        buffers.samples = samples;
        loss
    }
}

/// Computes the outputs for some positions; returns the sum of their losses and leaves its
/// derivatives by the outputs in `buffers`.
fn forward_pass(
    config: &TrainingConfig,
    model: &Model,
    samples: &[Sample],
    buffers: &mut Buffers,
) -> f64 {
    let Buffers { inputs, blocks, output_gradients, .. } = buffers;
    let count = samples.len();
    let inputs = &mut inputs[..count];
    let unpacked = inputs.par_chunks_mut(UNPACKED_AT_ONCE);
    unpacked.zip(samples.par_chunks(UNPACKED_AT_ONCE)).for_each(|(inputs, samples)| {
        for (input, sample) in inputs.iter_mut().zip(samples) {
            input.features = sample.features();
            input.bucket = model.bucket_of(sample.piece_count());
            input.target = config.target(sample);
        }
    });
    blocks.par_iter_mut().zip(&model.blocks).for_each(|(buffers, block)| {
        forward(block, inputs, &mut buffers.activations, &mut buffers.contributions);
    });
    let mut loss = 0.0;
    for (index, (input, gradient)) in inputs.iter().zip(output_gradients).enumerate() {
        let bias = model.output_biases[input.bucket];
        let output = blocks.iter().fold(bias, |sum, block| sum + block.contributions[index]);
        let judged = sigmoid(output);
        let error = judged - input.target;
        *gradient = 2.0 * error * judged * (1.0 - judged) / config.batch as f32;
        loss += f64::from(error * error);
    }
    loss
}

/// Adds the share of the positions of the last forward pass to the gradient.
fn backward_pass(model: &Model, count: usize, buffers: &Buffers, gradient: &mut Model) {
    let Buffers { inputs, blocks, output_gradients, .. } = buffers;
    let (inputs, output_gradients) = (&inputs[..count], &output_gradients[..count]);
    let gradients = gradient.blocks.par_iter_mut().zip(&model.blocks);
    gradients.zip(blocks).for_each(|((gradient, block), buffers)| {
        backward(block, inputs, &buffers.activations, output_gradients, gradient);
    });
    for (input, output_gradient) in inputs.iter().zip(output_gradients) {
        gradient.output_biases[input.bucket] += output_gradient;
    }
}

/// A step of Adam with all parameters; the gradient is zero afterwards.
fn optimise(state: &mut TrainingState, gradient: &mut Model, rate: f64, step: u64) {
    let steps = i32::try_from(step + 1).unwrap_or(i32::MAX);
    let step = AdamStep {
        rate: (rate / (1.0 - f64::from(FIRST_DECAY).powi(steps))) as f32,
        root: (1.0 - f64::from(SECOND_DECAY).powi(steps)).sqrt().recip() as f32,
    };
    let TrainingState { model, first, second, .. } = state;
    let rows = model.blocks.par_iter_mut().zip(&mut gradient.blocks);
    let moments = first.blocks.par_iter_mut().zip(&mut second.blocks);
    rows.zip(moments).for_each(|((rows, gradient), (first, second))| {
        adam(step, MAX_WEIGHT, rows, gradient, first, second);
    });
    let parts = model.output_biases.iter_mut().zip(&mut gradient.output_biases);
    let moments = first.output_biases.iter_mut().zip(&mut second.output_biases);
    for ((bias, gradient), (first, second)) in parts.zip(moments) {
        let mut rows = [*bias, *gradient, *first, *second].map(|number| [[number; UNITS]]);
        let [row, gradient_row, one, two] = &mut rows;
        adam(step, f32::MAX, row, gradient_row, one, two);
        [*bias, *gradient, *first, *second] = rows.map(|row| row[0][0]);
    }
}

/// The chance of winning, 0 to 1.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests;
