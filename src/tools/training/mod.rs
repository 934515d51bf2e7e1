//! The trainer: from games of self-play to the weights of the [network](outrider_engine::evaluation::network).
//!
//! Samples ([`Dataset`]) are drawn in mini-batches, the network ([`Model`]) is run forwards and
//! backwards, and Adam moves its weights ([`Trainer`]), all in single precision and on the
//! processor: few of the inputs are on, so a step is a few sums of rows, which no general
//! framework does well. At the end the weights become the whole numbers that the engine plays with
//! ([`fit_outputs`]), and the finished network is checked by positions of long searches
//! ([`Validation`]).
//!
//! A run is repeatable: the same games, settings and seed give the same network on any number of
//! threads, and a run that was killed and resumed gives the network of one that was not.
//!
//! # The chain in miniature
//!
//! From a network that knows only material to one that learned from the games of one that learned
//! itself, in some minutes:
//!
//! ```sh
//! outrider material-network --output material
//! outrider datagen --network material --games 5000 --nodes 300 --seed 1 --threads 2 --output games-1
//! outrider train games-1 --batches 64 --superbatches 8 --result-share 0.3 --output first
//! outrider datagen --network first --games 5000 --nodes 300 --seed 2 --threads 2 --output games-2
//! outrider train games-1 games-2 --weights 0.25,1 --batches 64 --superbatches 12 --result-share 0.3 --output second
//! ```
//!
//! What each step was worth, and how the network that is built in was made, is recorded in
//! `benches/record/networks.md`.

#![forbid(unsafe_code)]

mod checkpoint;
mod config;
mod dataset;
mod integer_network;
mod kernels;
mod lambda_return;
mod losses;
mod model;
mod quantisation;
mod rounding;
mod sample;
mod trainer;
mod validation;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{PIECE_GROUPS, TrainingConfig, piece_group};
pub use dataset::is_for_validation;
pub use dataset::{Dataset, DatasetError, DatasetReader, WeightedFile};
pub use lambda_return::LambdaReturn;
pub use losses::write_losses;
pub use model::{Model, UNITS};
pub use quantisation::{QuantisationError, quantisation_error};
pub use rounding::{FITTING_SAMPLES, fit_outputs};
pub use sample::Sample;
pub use trainer::{DivergedError, Losses, Trainer, TrainingState};
pub use validation::{MeanLoss, Validation};
