//! The samples: read once from files of games or of samples, kept in memory, and drawn in a seeded order.
//!
//! A sample takes 40 bytes, so a machine with 16 GB holds three hundred million of them. In return every
//! epoch is shuffled as a whole, and no game is replayed twice. A fixed share of the games, chosen by
//! checksum, is kept for validation and never trained on: positions of one game are too similar to
//! validate each other, and copies of a game fall on the same side. Results are corrected where the
//! endgame is known.

use std::path::{Path, PathBuf};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use super::lambda_return::LambdaReturn;
use super::sample::Sample;
use super::sample_file::{SampleFile, SampleFileError};
use super::successors::Successors;
use crate::selfplay::{
    BrokenGame, Endgames, Filter, Game, LabelledPosition, OnDamage, ReadError, Record, ValidRecords,
};

/// One game out of this many is kept for validation.
const VALIDATION_GAMES: u32 = 100;
/// Games read before they are replayed on all threads.
const GAMES_AT_ONCE: usize = 4_096;

/// Reason why a dataset cannot be read.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file cannot be read or is not a file of games.
    #[error("{} {error}", .path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error in reading it.
        error: ReadError,
    },
    /// A file of samples cannot be used.
    #[error("{} {error}", .path.display())]
    Samples {
        /// Path of the file.
        path: PathBuf,
        /// Error in reading it.
        error: SampleFileError,
    },
    /// A file has a game with an illegal move.
    #[error("{}: {error}", .path.display())]
    Game {
        /// Path of the file.
        path: PathBuf,
        /// Game and ply of the illegal move.
        error: BrokenGame,
    },
    /// There are no positions to train on or none to validate with.
    #[error(
        "{files}: an epoch draws {training} positions for training from the {games} games, and there \
         are {validation} for validation; neither may be 0"
    )]
    Empty {
        /// Names of the files, separated by commas.
        files: String,
        /// Number of games in the files.
        games: u64,
        /// Positions that an epoch draws.
        training: usize,
        /// Positions for validation.
        validation: usize,
    },
    /// There are more samples than 32-bit indices.
    #[error("there are more than {} positions", u32::MAX)]
    TooMany,
}

/// A file of games or samples with a weight.
#[derive(Clone, Debug)]
pub struct WeightedFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Share of its positions that each epoch draws, above 0 and at most 1. Successive epochs draw
    /// different positions.
    pub weight: f64,
}

/// Samples for training and for validation.
#[derive(Debug, Default)]
pub struct Dataset {
    samples: Vec<Sample>,
    sets: Vec<FileSamples>,
    validation: Vec<Sample>,
    games: u64,
    warnings: Vec<String>,
}

/// Range of the samples of one file within all samples.
#[derive(Clone, Copy, Debug)]
struct FileSamples {
    start: usize,
    length: usize,
    weight: f64,
}

impl FileSamples {
    /// Number of samples that each epoch draws.
    fn drawn(&self) -> usize {
        (self.length as f64 * self.weight).round() as usize
    }
}

/// Reads games as samples. Files of samples are used as they are.
#[derive(Clone, Copy)]
pub struct DatasetReader<'a> {
    /// Selects the positions that are kept.
    pub filter: Filter,
    /// Known endgames, which correct results.
    pub endgames: &'a Endgames,
    /// Computes the points of a position. `None`: the result.
    pub lambda_return: Option<LambdaReturn>,
    /// Draws the positions after random moves instead of the positions of the games.
    pub successors: Option<&'a Successors>,
    /// Behaviour at damage in a file.
    pub on_damage: OnDamage,
}

impl<'a> DatasetReader<'a> {
    /// Creates a reader with the default filter and results as points, which stops at damage.
    pub fn new(endgames: &'a Endgames) -> DatasetReader<'a> {
        let (filter, on_damage) = (Filter::default(), OnDamage::Stop);
        DatasetReader { filter, endgames, lambda_return: None, successors: None, on_damage }
    }

    /// Reads the positions of these files on the threads of the current rayon pool. Skipped damage, and
    /// a file of which an epoch draws nothing, give a warning in the dataset. Reports the number of
    /// bytes read after every few thousand games.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, is not a file of games or has an illegal move, if there are too
    /// many positions, or if there are none to train on or none to validate with.
    pub fn read(
        &self,
        sources: &[WeightedFile],
        report: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Dataset, DatasetError> {
        let mut dataset = Dataset::default();
        let mut bytes = 0;
        for source in sources {
            let (start, validating) = (dataset.samples.len(), dataset.validation.len());
            self.add_file(&mut dataset, &source.path, &mut |read| report(bytes + read))?;
            dataset.thin_validation(validating, source.weight);
            bytes += std::fs::metadata(&source.path).map_or(0, |file| file.len());
            let length = dataset.samples.len() - start;
            let set = FileSamples { start, length, weight: source.weight };
            if set.drawn() == 0 {
                let path = source.path.display();
                dataset
                    .warnings
                    .push(format!("{path}: an epoch draws none of its {length} positions"));
            }
            dataset.sets.push(set);
        }
        if u32::try_from(dataset.samples.len()).is_err() {
            return Err(DatasetError::TooMany);
        }
        if dataset.epoch_length() == 0 || dataset.validation.is_empty() {
            let files: Vec<String> =
                sources.iter().map(|source| source.path.display().to_string()).collect();
            return Err(DatasetError::Empty {
                files: files.join(", "),
                games: dataset.games,
                training: dataset.epoch_length(),
                validation: dataset.validation.len(),
            });
        }
        Ok(dataset)
    }

    /// Returns the positions of all games of a file, and warnings about damage. Reports the number of
    /// bytes read after every few thousand games.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not a file of games, or has an illegal move.
    pub fn read_all(
        &self,
        path: &Path,
        report: &mut dyn FnMut(u64),
    ) -> Result<(Vec<Sample>, Vec<String>), DatasetError> {
        let mut dataset = Dataset::default();
        self.add_file(&mut dataset, path, report)?;
        let Dataset { mut samples, validation, warnings, .. } = dataset;
        samples.extend(validation);
        Ok((samples, warnings))
    }

    /// Adds the positions of a file of games that the filter keeps, or all of a file of samples.
    fn add_file(
        &self,
        dataset: &mut Dataset,
        path: &Path,
        report: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
        if SampleFile::is_at(path) {
            let read = SampleFile::read(path);
            let file =
                read.map_err(|error| DatasetError::Samples { path: path.to_owned(), error })?;
            dataset.samples.extend(file.training);
            dataset.validation.extend(file.validation);
            return Ok(());
        }
        let opened = ValidRecords::open(path, self.on_damage);
        let mut records = opened.map_err(|error| unreadable(path, error))?;
        loop {
            let mut games = Vec::with_capacity(GAMES_AT_ONCE);
            while games.len() < GAMES_AT_ONCE
                && let Some(record) = records.next()
            {
                match record.map_err(|error| unreadable(path, error))? {
                    Record::Header(_) => {}
                    Record::Game(game) => games.push(game),
                }
            }
            let is_over = games.len() < GAMES_AT_ONCE;
            self.add_games(dataset, &games)
                .map_err(|error| DatasetError::Game { path: path.to_owned(), error })?;
            report(records.offset());
            if is_over {
                let warnings = &mut dataset.warnings;
                warnings
                    .extend(records.damage().map(|damage| format!("{} {damage}", path.display())));
                return Ok(());
            }
        }
    }

    fn add_games(&self, dataset: &mut Dataset, games: &[Game]) -> Result<(), BrokenGame> {
        dataset.games += games.len() as u64;
        let replayed: Vec<(bool, Vec<Sample>)> = games
            .par_iter()
            .map(|game| Ok((is_for_validation(game), self.samples_of(game)?)))
            .collect::<Result<_, _>>()?;
        for (is_validation, samples) in replayed {
            let part = if is_validation { &mut dataset.validation } else { &mut dataset.samples };
            part.extend(samples);
        }
        Ok(())
    }

    /// Returns the samples of a game that the filter keeps.
    fn samples_of(&self, game: &Game) -> Result<Vec<Sample>, BrokenGame> {
        if let Some(successors) = self.successors {
            return successors.of(&self.filter, game);
        }
        let mut samples = Vec::with_capacity(game.moves.len() + game.deviations.len());
        let mut add = |position: &LabelledPosition, white_points: Option<f32>| {
            if self.filter.keeps(position)
                && let Some(sample) = Sample::new(position)
            {
                let of_mover = |white: f32| position.turn().fold_wb(white, 1.0 - white);
                let points = white_points.map(of_mover);
                samples.push(points.map_or(sample, |points| sample.with_points(points)));
            }
        };
        let played: Vec<_> = game.replay_knowing(self.endgames).collect::<Result<_, _>>()?;
        let mut returns = self
            .lambda_return
            .map(|lambda_return| lambda_return.returns(&played))
            .unwrap_or_default()
            .into_iter();
        played.iter().for_each(|position| add(position, returns.next()));
        for deviation in game.replay_deviations() {
            add(&deviation?, None);
        }
        Ok(samples)
    }
}

impl Dataset {
    /// Creates a dataset of these samples for tests.
    #[cfg(test)]
    pub fn from_samples(samples: Vec<Sample>, validation: Vec<Sample>) -> Dataset {
        let set = FileSamples { start: 0, length: samples.len(), weight: 1.0 };
        Dataset { samples, sets: vec![set], validation, ..Dataset::default() }
    }

    /// Samples to train on, in the order of the files.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Samples to train on, each with the weight of its file.
    pub fn weighted_samples(&self) -> impl Iterator<Item = (&Sample, f64)> {
        self.sets.iter().flat_map(|set| {
            let samples = &self.samples[set.start..][..set.length];
            samples.iter().map(|sample| (sample, set.weight))
        })
    }

    /// Draws samples as a run with this seed does at its beginning.
    pub fn drawn(&self, seed: u64, count: usize) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(count);
        SampleDraw::resume(self, seed, 0).next(count, &mut samples);
        samples
    }

    /// Samples of the games that are never trained on.
    pub fn validation(&self) -> &[Sample] {
        &self.validation
    }

    /// Number of games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Warnings about files, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Number of samples that an epoch draws.
    pub fn epoch_length(&self) -> usize {
        self.sets.iter().map(FileSamples::drawn).sum()
    }

    /// Keeps only this share of the validation samples from index `from` on, so that a file has the same
    /// weight in validation as in training.
    fn thin_validation(&mut self, from: usize, weight: f64) {
        let kept = ((self.validation.len() - from) as f64 * weight).ceil() as usize;
        self.validation.truncate(from + kept);
    }

    /// Checksum of all samples and weights. A run is resumed only with the same checksum.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(bytemuck::cast_slice(&self.samples));
        hasher.update(bytemuck::cast_slice(&self.validation));
        self.sets.iter().for_each(|set| hasher.update(&set.weight.to_le_bytes()));
        hasher.finalize()
    }

    /// Returns the indices of the samples that an epoch draws, in order.
    fn order(&self, seed: u64, epoch: u64) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.epoch_length());
        for set in &self.sets {
            // Each epoch continues where the previous one ended, so that all samples are drawn in turn.
            let begun = (epoch as usize % set.length.max(1)) * set.drawn();
            order.extend((0..set.drawn()).map(|k| (set.start + (begun + k) % set.length) as u32));
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(epoch);
        order.shuffle(&mut random);
        order
    }
}

fn unreadable(path: &Path, error: ReadError) -> DatasetError {
    DatasetError::Read { path: path.to_owned(), error }
}

/// Returns true if a game is for validation and never trained on. This depends only on the start position
/// and the moves, so relabelling does not change it.
pub fn is_for_validation(game: &Game) -> bool {
    crc32fast::hash(&game.moves_to_bytes()) < u32::MAX / VALIDATION_GAMES
}

/// Draws samples endlessly, epoch after epoch.
#[derive(Debug)]
pub(super) struct SampleDraw<'a> {
    dataset: &'a Dataset,
    seed: u64,
    epoch: u64,
    order: Vec<u32>,
    drawn: usize,
}

impl<'a> SampleDraw<'a> {
    /// Continues after `samples` samples.
    pub(super) fn resume(dataset: &'a Dataset, seed: u64, samples: u64) -> SampleDraw<'a> {
        let length = dataset.epoch_length() as u64;
        let epoch = samples / length;
        let order = dataset.order(seed, epoch);
        SampleDraw { dataset, seed, epoch, order, drawn: (samples % length) as usize }
    }

    /// Replaces `samples` by the next `count` samples.
    pub(super) fn next(&mut self, count: usize, samples: &mut Vec<Sample>) {
        samples.clear();
        while samples.len() < count {
            if self.drawn == self.order.len() {
                self.epoch += 1;
                self.order = self.dataset.order(self.seed, self.epoch);
                self.drawn = 0;
            }
            let most = count - samples.len();
            let numbers = self.order[self.drawn..].iter().take(most);
            samples.extend(numbers.map(|&number| self.dataset.samples[number as usize]));
            self.drawn = (self.drawn + most).min(self.order.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn samples(count: usize) -> Vec<Sample> {
        // Any eight bytes are a valid occupancy, so distinct numbers make distinct samples.
        let numbered = |number: usize| {
            let mut sample = Sample::default();
            bytemuck::bytes_of_mut(&mut sample)[..8].copy_from_slice(&number.to_le_bytes());
            sample
        };
        (0..count).map(numbered).collect()
    }

    fn key(sample: &Sample) -> usize {
        let bytes = bytemuck::bytes_of(sample);
        usize::from_le_bytes(*bytes.first_chunk().unwrap())
    }

    fn drawn(dataset: &Dataset, after: u64, count: usize) -> Vec<usize> {
        let mut drawn = Vec::new();
        SampleDraw::resume(dataset, 5, after).next(count, &mut drawn);
        drawn.iter().map(key).collect()
    }

    #[test]
    fn each_epoch_draws_each_sample_once_in_its_own_order() {
        let dataset = Dataset::from_samples(samples(100), samples(1));
        let epochs: Vec<Vec<usize>> =
            drawn(&dataset, 0, 300).chunks(100).map(<[_]>::to_vec).collect();
        for epoch in &epochs {
            assert_eq!(epoch.iter().collect::<HashSet<_>>().len(), 100);
        }
        assert_ne!(epochs[0], epochs[1]);
        assert!(!epochs[0].is_sorted());
    }

    #[test]
    fn a_resumed_draw_continues_where_another_one_ended() {
        let dataset = Dataset::from_samples(samples(100), samples(1));
        let whole = drawn(&dataset, 0, 350);
        for after in [0, 1, 99, 100, 101, 250] {
            assert_eq!(drawn(&dataset, after as u64, 350 - after), whole[after..]);
        }
    }

    #[test]
    fn a_file_of_weight_a_quarter_validates_with_a_quarter_of_its_positions() {
        let mut dataset = Dataset::from_samples(samples(1), samples(300));
        dataset.thin_validation(100, 0.25);
        let kept: Vec<usize> = dataset.validation.iter().map(key).collect();
        assert_eq!(kept, (0..150).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_of_weight_a_quarter_is_drawn_completely_in_four_epochs() {
        let mut dataset = Dataset::from_samples(samples(200), samples(1));
        let set = |start, weight| FileSamples { start, length: 100, weight };
        dataset.sets = vec![set(0, 0.25), set(100, 1.0)];
        assert_eq!(dataset.epoch_length(), 125);
        let four = drawn(&dataset, 0, 500);
        let count = |sample| four.iter().filter(|&&drawn| drawn == sample).count();
        assert!((0..100).all(|sample| count(sample) == 1));
        assert!((100..200).all(|sample| count(sample) == 4));
    }
}
