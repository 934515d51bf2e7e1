//! The state of a run on disk, from which a killed run is resumed.
//!
//! A checkpoint is written next to the network after each superbatch. It is first written to a new file,
//! which then replaces the old one, so a full disk or a kill leaves the old file intact.
//!
//! The file: the magic `outrrun` and a byte for the version; the length (u32) of a JSON description and
//! the description, which has the settings, the history and the data's checksum; all parameters of the
//! network, first moments and second moments (f32); the CRC-32 of everything before it. Numbers are
//! little-endian.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::config::TrainingConfig;
use super::model::{Model, UNITS};
use super::trainer::{Losses, TrainingState};
use outrider_engine::{atomic_write, bounded_read};

const MAGIC: &[u8; 8] = b"outrrun\x04";

/// Maximum size of a checkpoint in bytes.
const MAX_SIZE: u64 = 512 << 20;

/// A run that can be resumed.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Settings of the run.
    pub config: TrainingConfig,
    /// Checksum of the dataset.
    pub data: u32,
    /// State after the last completed superbatch.
    pub state: TrainingState,
}

/// Reason why a run cannot be saved or resumed.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a checkpoint of this version.
    #[error("is not a checkpoint of a training run")]
    NotACheckpoint,
    /// The file is damaged.
    #[error("is damaged")]
    Damaged,
    /// The checkpoint is of a run with other settings or games.
    #[error("is of another run: its {what} is {found}, but this run has {wanted}")]
    OtherRun {
        /// Setting that differs.
        what: &'static str,
        /// Its value in the checkpoint.
        found: String,
        /// Its value in this run.
        wanted: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Description {
    config: TrainingConfig,
    data: u32,
    history: Vec<Losses>,
}

impl Checkpoint {
    /// Writes the state of a run. Takes the parts of a checkpoint by reference to avoid a copy.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. An older file is then unchanged.
    pub fn write(
        path: &Path,
        config: &TrainingConfig,
        data: u32,
        state: &TrainingState,
    ) -> Result<(), CheckpointError> {
        let description =
            Description { config: config.clone(), data, history: state.history.clone() };
        let description = serde_json::to_vec(&description).map_err(io::Error::from)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(description);
        for model in [&state.model, &state.first, &state.second] {
            model.parameters().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        atomic_write::replace(path, &bytes)?;
        Ok(())
    }

    /// Reads the state of a run.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not a checkpoint of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::from_bytes(&bounded_read::read_file(path, MAX_SIZE)?)
    }

    /// Reads the state of a run from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Fails if they are not a checkpoint of this version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::NotACheckpoint)?;
        Checkpoint::parse(bytes, rest).ok_or(CheckpointError::Damaged)
    }

    fn parse(bytes: &[u8], rest: &[u8]) -> Option<Checkpoint> {
        let (content, checksum) = bytes.split_last_chunk()?;
        if crc32fast::hash(content).to_le_bytes() != *checksum {
            return None;
        }
        let (length, rest) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (description, rest) = rest.split_at_checked(length)?;
        let Description { config, data, history } = serde_json::from_slice(description).ok()?;
        let numbers = rest.strip_suffix(checksum)?.as_chunks().0;
        let (hidden, buckets) = (config.hidden, config.buckets);
        // Checks sizes before allocating: a damaged description could ask for too much memory.
        let fits = hidden > 0 && hidden.is_multiple_of(UNITS);
        let fits = fits && hidden.max(buckets) <= numbers.len();
        if !fits || numbers.len() != 3 * Model::parameter_count(hidden, buckets) {
            return None;
        }
        let zero = Model::zero(hidden, buckets);
        let mut models = [zero.clone(), zero.clone(), zero];
        let places = models.iter_mut().flat_map(Model::parameters_mut);
        places.zip(numbers).for_each(|(place, number)| *place = f32::from_le_bytes(*number));
        let [model, first, second] = models;
        Some(Checkpoint { config, data, state: TrainingState { model, first, second, history } })
    }

    /// Returns true if all superbatches of the run are done.
    pub fn is_complete(&self) -> bool {
        self.state.history.len() == self.config.superbatches as usize
    }

    /// Checks that the checkpoint is of a run with these settings and this dataset.
    ///
    /// # Errors
    ///
    /// Returns [`CheckpointError::OtherRun`] with the first setting that differs.
    pub fn check_run(&self, config: &TrainingConfig, data: u32) -> Result<(), CheckpointError> {
        let (found, wanted) = (settings(&self.config, self.data), settings(config, data));
        match found.into_iter().zip(wanted).find(|(found, wanted)| found != wanted) {
            Some(((what, found), (_, wanted))) => {
                Err(CheckpointError::OtherRun { what, found, wanted })
            }
            None => Ok(()),
        }
    }
}

/// Returns the names and values of all settings that must not change when a run is resumed.
fn settings(config: &TrainingConfig, data: u32) -> [(&'static str, String); 16] {
    [
        ("hidden layer", config.hidden.to_string()),
        ("number of output buckets", config.buckets.to_string()),
        ("number of superbatches", config.superbatches.to_string()),
        ("number of mini-batches", config.batches.to_string()),
        ("size of a mini-batch", config.batch.to_string()),
        ("seed", config.seed.to_string()),
        ("learning rate", config.rate.to_string()),
        ("last learning rate", config.last_rate.to_string()),
        ("decay", config.decay.to_string()),
        ("exponent", config.exponent.to_string()),
        ("result share", config.result_share.to_string()),
        ("last result share", config.last_result_share.to_string()),
        ("weights by piece count", format!("{:?}", config.piece_weights)),
        ("first network", first_network(config)),
        ("checksum of games and weights", format!("{data:08x}")),
        ("scale", config.scale.to_string()),
    ]
}

/// Formats the checksum of the network from which a run began.
fn first_network(config: &TrainingConfig) -> String {
    config.from.map_or("none".to_owned(), |checksum| format!("{checksum:08x}"))
}
