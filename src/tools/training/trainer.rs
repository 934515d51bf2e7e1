//! The training loop: mini-batches and superbatches.
//!
//! A superbatch is a number of mini-batches. After it the caller reports the losses and saves the state
//! of the run. [`TrainingConfig`] defines the loss and the learning rate.

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::config::{TrainingConfig, sigmoid};
use super::dataset::{Dataset, SampleDraw};
use super::kernels::{
    Activations, AdamStep, TrainingInput, adam, backward, forward, share_steps, sum_king_buckets,
};
use super::model::{BIAS, FIRST_LAYER_LIMIT, Model, OUTPUT_LIMIT, UNITS, first_shared_row};
use super::sample::Sample;
use outrider_engine::evaluation::network::file::NetworkWeights;

/// Positions that are run forwards and backwards together: few enough that their activations stay in the
/// cache, and enough that threads seldom wait for each other.
const CHUNK: usize = 4_096;
/// Positions that a thread unpacks at once.
const UNPACKED_AT_ONCE: usize = 128;

/// Mean losses of a superbatch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Losses {
    /// Mean over the samples trained on, each before its step.
    pub training: f64,
    /// Mean over the validation set after the superbatch.
    pub validation: f64,
}

/// The loss is not finite: the run has diverged and its weights are useless.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("training diverged: the loss of step {step} is {loss}")]
pub struct DivergedError {
    /// Step of the run, from 1.
    pub step: u64,
    /// Its loss.
    pub loss: f64,
}

/// State of a run, as stored in a checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingState {
    /// Parameters of the network.
    pub model: Model,
    /// Adam's first moment.
    pub first: Model,
    /// Adam's second moment.
    pub second: Model,
    /// Losses of the completed superbatches.
    pub history: Vec<Losses>,
}

impl TrainingState {
    /// Creates the state of a run that begins from random weights.
    pub fn new(config: &TrainingConfig) -> TrainingState {
        TrainingState::from_model(Model::random(config.hidden, config.buckets, config.seed))
    }

    /// Creates the state of a run that begins from a finished network.
    ///
    /// # Panics
    ///
    /// Panics in the same cases as [`Model::load_network`].
    pub fn from_network(config: &TrainingConfig, network: &NetworkWeights) -> TrainingState {
        let mut state = TrainingState::new(config);
        state.model.load_network(network, config.scale);
        state
    }

    fn from_model(model: Model) -> TrainingState {
        let zero = Model::zero(model.hidden(), model.buckets());
        TrainingState { model, first: zero.clone(), second: zero, history: Vec::new() }
    }
}

/// Trains a network on a dataset.
pub struct Trainer<'a> {
    config: TrainingConfig,
    dataset: &'a Dataset,
    draw: SampleDraw<'a>,
    pool: &'a ThreadPool,
    state: TrainingState,
    gradient: Model,
    buffers: Buffers,
}

/// Buffers for the intermediate results of a chunk.
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
    /// Begins a run, or resumes it if `state` is that of a run in progress. Uses the threads of `pool`.
    pub fn new(
        config: TrainingConfig,
        dataset: &'a Dataset,
        state: TrainingState,
        pool: &'a ThreadPool,
    ) -> Trainer<'a> {
        let samples = state.history.len() as u64 * config.superbatch_samples();
        Trainer {
            draw: SampleDraw::resume(dataset, config.seed, samples),
            pool,
            gradient: Model::zero(config.hidden, config.buckets),
            buffers: Buffers::new(config.hidden / UNITS),
            config,
            dataset,
            state,
        }
    }

    /// Returns the state of the run.
    pub fn state(&self) -> &TrainingState {
        &self.state
    }

    /// Trains for a superbatch and validates. After each mini-batch, reports the number of mini-batches
    /// done and their mean loss.
    ///
    /// # Errors
    ///
    /// Fails at once if the loss is not finite. The state is then useless.
    pub fn superbatch(
        &mut self,
        report: &mut dyn FnMut(u32, f64),
    ) -> Result<Losses, DivergedError> {
        let begun = self.state.history.len() as u64 * u64::from(self.config.batches);
        let mut sum = 0.0;
        for batch in 0..self.config.batches {
            let step = begun + u64::from(batch);
            sum += check_finite(step + 1, self.step(step))? / self.config.batch as f64;
            report(batch + 1, sum / f64::from(batch + 1));
        }
        let last = begun + u64::from(self.config.batches);
        let losses = Losses {
            training: sum / f64::from(self.config.batches),
            validation: check_finite(last, self.validate())?,
        };
        self.state.history.push(losses);
        Ok(losses)
    }

    /// Returns the mean loss on the validation set, with the result share of the end of the run.
    pub fn validate(&mut self) -> f64 {
        let validation = self.dataset.validation();
        let Trainer { config, pool, state, buffers, .. } = self;
        let sum: f64 = pool.install(|| {
            let share = config.last_result_share;
            let chunks = validation.chunks(CHUNK);
            chunks.map(|chunk| forward_pass(config, share, &state.model, chunk, buffers)).sum()
        });
        sum / validation.len() as f64
    }

    /// Makes a step. Returns the sum of the losses before it.
    fn step(&mut self, step: u64) -> f64 {
        let Trainer { config, draw, pool, state, gradient, buffers, .. } = self;
        let mut samples = std::mem::take(&mut buffers.samples);
        draw.next(config.batch, &mut samples);
        let (rate, share) = (config.rate(step), config.result_share_at(step));
        let loss = pool.install(|| {
            let mut loss = 0.0;
            for chunk in samples.chunks(CHUNK) {
                loss += forward_pass(config, share, &state.model, chunk, buffers);
                backward_pass(&state.model, chunk.len(), buffers, gradient);
            }
            optimise(state, gradient, AdamStep::new(rate, config.decay, step));
            loss
        });
        buffers.samples = samples;
        loss
    }
}

/// Returns the loss of a step if it is finite.
fn check_finite(step: u64, loss: f64) -> Result<f64, DivergedError> {
    if loss.is_finite() { Ok(loss) } else { Err(DivergedError { step, loss }) }
}

/// Computes the outputs for some positions. Returns the sum of their losses, and leaves the derivatives
/// of the loss with respect to the outputs in `buffers`.
fn forward_pass(
    config: &TrainingConfig,
    result_share: f32,
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
            input.target = config.target(sample, result_share);
            input.weight = config.weight_of(sample.piece_count());
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
        let (of_input, derivative) = config.loss(judged - input.target);
        let share = input.weight / config.batch as f32;
        *gradient = share * derivative * judged * (1.0 - judged);
        loss += f64::from(input.weight * of_input);
    }
    loss
}

/// Adds the gradients of the positions of the last forward pass to `gradient`.
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

/// Makes a step of Adam with all parameters. Sets the gradient to zero.
fn optimise(state: &mut TrainingState, gradient: &mut Model, step: AdamStep) {
    let TrainingState { model, first, second, .. } = state;
    let rows = model.blocks.par_iter_mut().zip(&mut gradient.blocks);
    let moments = first.blocks.par_iter_mut().zip(&mut second.blocks);
    let constant = AdamStep { decay_factor: 1.0, ..step };
    let shared = first_shared_row(model.output_biases.len());
    rows.zip(moments).for_each(|((rows, gradient), (first, second))| {
        sum_king_buckets(gradient, shared);
        // Only the weights of the first layer decay: positions that are seldom seen should not reduce
        // biases and output weights, on which all positions depend.
        for (range, limit, step) in
            [(0..BIAS, FIRST_LAYER_LIMIT, step), (BIAS..rows.len(), OUTPUT_LIMIT, constant)]
        {
            let (rows, gradient) = (&mut rows[range.clone()], &mut gradient[range.clone()]);
            adam(step, limit, rows, gradient, &mut first[range.clone()], &mut second[range]);
        }
        share_steps(rows, shared, FIRST_LAYER_LIMIT);
    });
    let parts = model.output_biases.iter_mut().zip(&mut gradient.output_biases);
    let moments = first.output_biases.iter_mut().zip(&mut second.output_biases);
    for ((bias, gradient), (first, second)) in parts.zip(moments) {
        let mut rows = [*bias, *gradient, *first, *second].map(|number| [[number; UNITS]]);
        let [row, gradient_row, one, two] = &mut rows;
        adam(constant, f32::MAX, row, gradient_row, one, two);
        [*bias, *gradient, *first, *second] = rows.map(|row| row[0][0]);
    }
}

#[cfg(test)]
mod tests;
