//! The trainer: turns games of self-play into the weights of the
//! [network](outrider_engine::evaluation::network).
//!
//! Samples ([`Dataset`]) are drawn in mini-batches, the network ([`Model`]) is run forwards and
//! backwards, and Adam changes its weights ([`Trainer`]), all in single precision and on the CPU. Few
//! inputs are active, so a step is a few sums of rows, which general frameworks do not do well. At the
//! end the weights become the integers that the engine plays with ([`fit_outputs`]), and the finished
//! network is validated with positions of long searches ([`Validation`]).
//!
//! A run is reproducible: the same games, settings and seed give the same network on any number of
//! threads, and a run that was killed and resumed gives the same network as an uninterrupted one.
//!
//! Samples can get other labels: they are written to a [file](SampleFile), and the mean of several networks
//! ([`Ensemble`]) or another program replaces their scores. The script `teacher.py` in this folder does so
//! with a larger network.
//!
//! # A small example
//!
//! Two generations of training, starting from a network that knows only material, in a few minutes:
//!
//! ```sh
//! outrider material-network --output material
//! outrider datagen --network material --games 5000 --nodes 300 --seed 1 --threads 2 --output games-1
//! outrider train games-1 --batches 64 --superbatches 8 --result-share 0.3 --output first
//! outrider datagen --network first --games 5000 --nodes 300 --seed 2 --threads 2 --output games-2
//! outrider train games-1 games-2 --weights 0.25,1 --batches 64 --superbatches 12 --result-share 0.3 --output second
//! ```
//!
//! `benches/record/networks.md` records the gain of each step and how the built-in network was made.

#![forbid(unsafe_code)]

mod average;
mod checkpoint;
mod config;
mod dataset;
mod ensemble;
mod integer_network;
mod kernels;
mod lambda_return;
mod losses;
mod model;
mod quantisation;
mod rounding;
mod sample;
mod sample_file;
mod successors;
mod trainer;
mod validation;

pub use average::average;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{PIECE_GROUPS, TrainingConfig, piece_group};
pub use dataset::is_for_validation;
pub use dataset::{Dataset, DatasetError, DatasetReader, WeightedFile};
pub use ensemble::Ensemble;
pub use lambda_return::LambdaReturn;
pub use losses::write_losses;
pub use model::{Model, UNITS};
pub use quantisation::{QuantisationError, quantisation_error};
pub use rounding::{FITTING_SAMPLES, fit_outputs};
pub use sample::Sample;
pub use sample_file::{SampleFile, SampleFileError};
pub use successors::Successors;
pub use trainer::{DivergedError, Losses, Trainer, TrainingState};
pub use validation::{MeanLoss, Validation};
