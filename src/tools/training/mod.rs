//! The trainer: from games of self-play to the weights of the [network](crate::engine::evaluation::network).
//!
//! Samples ([`Dataset`]) are drawn in mini-batches, the network ([`Model`]) is run forwards and
//! backwards, and Adam moves its weights ([`Trainer`]), all in single precision and on the
//! processor: at most 32 of 768 inputs are on, so that a step is a few sums of rows,
//! which no general framework does well. What comes out is rounded to the whole numbers that the
//! engine plays with.
//!
//! A run is repeatable: the same games, settings and seed give the same network on any number of
//! threads, and a run that was killed and resumed gives the network of one that was not.

#![forbid(unsafe_code)]

mod checkpoint;
mod dataset;
mod kernels;
mod model;
mod quantisation;
mod record;
mod sample;
mod trainer;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use dataset::{Dataset, DatasetError, Source, is_for_validation};
pub use model::{Model, UNITS};
pub use quantisation::{QuantisationError, quantisation_error};
pub use record::write_record;
pub use sample::Sample;
pub use trainer::{BATCH, Losses, State, Trainer, TrainingConfig};
