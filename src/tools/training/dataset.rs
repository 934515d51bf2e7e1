//! The samples: read once from files of games, kept in memory, drawn in a seeded order.
//!
//! A sample takes 40 bytes, so a machine with 16 GB holds three hundred million of them; in return
//! every epoch is shuffled as a whole, and no position has to be replayed twice. Games whose
//! checksum falls below a share are kept for validation and never trained on: positions of one
//! game are too much alike to check one by another, and a copy of a game falls on the same side.
//! Results are corrected where the endgame is known.

use std::path::{Path, PathBuf};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use super::lambda_return::LambdaReturn;
use super::sample::Sample;
use crate::selfplay::{
    BrokenGame, Endgames, Filter, Game, LabelledPosition, OnDamage, ReadError, Record, ValidRecords,
};

/// One game in so many is kept for validation.
const VALIDATION_GAMES: u32 = 100;
/// Games read before their positions are looked at, on all threads.
const GAMES_AT_ONCE: usize = 4_096;

/// Why there is nothing to train on.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file cannot be read, or is of another kind.
    #[error("{} {error}", .path.display())]
    Read {
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// A file has a game that cannot be played through.
    #[error("{}: {error}", .path.display())]
    Game {
        path: PathBuf,
        /// Which game, and where in it.
        error: BrokenGame,
    },
    /// Nothing is left to train on, or nothing to validate with.
    #[error(
        "{files}: of {games} games an epoch draws {training} positions, and {validation} are for \
         validation; both are needed"
    )]
    Empty {
        /// The files, as they were named.
        files: String,
        games: u64,
        /// Positions that an epoch draws, of nine hundred and ninety games in a thousand.
        training: usize,
        /// Positions kept of the others.
        validation: usize,
    },
    /// There are more samples than an order has numbers for.
    #[error("more than {} positions", u32::MAX)]
    TooMany,
}

/// A file of games and how often its positions are drawn.
#[derive(Clone, Debug)]
pub struct WeightedFile {
    pub path: PathBuf,
    /// The share of its positions that each epoch draws, above 0 and at most 1; successive epochs
    /// draw different ones.
    pub weight: f64,
}

/// Everything that is trained on, and what it is checked with.
#[derive(Debug, Default)]
pub struct Dataset {
    samples: Vec<Sample>,
    sets: Vec<FileSamples>,
    validation: Vec<Sample>,
    games: u64,
    warnings: Vec<String>,
}

/// The samples of one file within those of all.
#[derive(Clone, Copy, Debug)]
struct FileSamples {
    start: usize,
    length: usize,
    weight: f64,
}

impl FileSamples {
    /// How many samples each epoch draws.
    fn drawn(&self) -> usize {
        (self.length as f64 * self.weight).round() as usize
    }
}

/// How games become samples.
#[derive(Clone, Copy)]
pub struct DatasetReader<'a> {
    /// Which positions are kept.
    pub filter: Filter,
    /// By what is known about endgames results are corrected.
    pub endgames: &'a Endgames,
    /// What the points of a position are; without it the result.
    pub lambda_return: Option<LambdaReturn>,
    /// What becomes of a damaged file.
    pub on_damage: OnDamage,
}

impl<'a> DatasetReader<'a> {
    /// A reader with the usual filter and results for points, which stops at damage.
    pub fn new(endgames: &'a Endgames) -> DatasetReader<'a> {
        let (filter, on_damage) = (Filter::default(), OnDamage::Stop);
        DatasetReader { filter, endgames, lambda_return: None, on_damage }
    }

    /// Reads the positions of these files, on the threads of the pool that it is called in. What is
    /// wrong with a file is a warning: damage that was passed over, or that nothing of it is drawn.
    /// Reports how many bytes have been read after each few thousand games.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, is of another kind or has an illegal move, or if nothing
    /// is left to train on or to validate with.
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

    /// The positions of a file, from all of its games, and what was wrong with the file. Reports how
    /// many bytes have been read after each few thousand games.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, is of another kind or has an illegal move.
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

    /// Adds what is kept of a file.
    fn add_file(
        &self,
        dataset: &mut Dataset,
        path: &Path,
        report: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
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

    /// The samples of a game that the filter keeps.
    fn samples_of(&self, game: &Game) -> Result<Vec<Sample>, BrokenGame> {
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
    /// Samples that are at hand, for tests.
    #[cfg(test)]
    pub fn from_samples(samples: Vec<Sample>, validation: Vec<Sample>) -> Dataset {
        let set = FileSamples { start: 0, length: samples.len(), weight: 1.0 };
        Dataset { samples, sets: vec![set], validation, ..Dataset::default() }
    }

    /// The samples to train on, in the order of the files.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The same samples, each with the share of the epochs that draw it.
    pub fn weighted_samples(&self) -> impl Iterator<Item = (&Sample, f64)> {
        self.sets.iter().flat_map(|set| {
            let samples = &self.samples[set.start..][..set.length];
            samples.iter().map(|sample| (sample, set.weight))
        })
    }

    /// Some samples, drawn as a run with this seed begins to draw them.
    pub fn drawn(&self, seed: u64, count: usize) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(count);
        SampleDraw::resume(self, seed, 0).next(count, &mut samples);
        samples
    }

    /// The samples of the games that are never trained on.
    pub fn validation(&self) -> &[Sample] {
        &self.validation
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// What was wrong with files that were used nevertheless, a line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Samples that an epoch draws.
    pub fn epoch_length(&self) -> usize {
        self.sets.iter().map(FileSamples::drawn).sum()
    }

    /// Keeps that share of the validation positions from this place on: what an epoch draws little of
    /// must not count for more in the loss that training is judged by.
    fn thin_validation(&mut self, from: usize, weight: f64) {
        let kept = ((self.validation.len() - from) as f64 * weight).ceil() as usize;
        self.validation.truncate(from + kept);
    }

    /// A checksum of all samples and weights: a run goes on only with the data that it began with.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(bytemuck::cast_slice(&self.samples));
        hasher.update(bytemuck::cast_slice(&self.validation));
        self.sets.iter().for_each(|set| hasher.update(&set.weight.to_le_bytes()));
        hasher.finalize()
    }

    /// The numbers of the samples that this epoch draws, in its order.
    fn order(&self, seed: u64, epoch: u64) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.epoch_length());
        for set in &self.sets {
            // Each epoch goes on where the one before ended, so that all are drawn in turn.
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

/// Whether a game is for validation and never trained on. It follows from its moves alone, so that
/// the same game with other labels is on the same side.
pub fn is_for_validation(game: &Game) -> bool {
    crc32fast::hash(&game.moves_to_bytes()) < u32::MAX / VALIDATION_GAMES
}

/// Draws samples without end, epoch after epoch.
#[derive(Debug)]
pub(super) struct SampleDraw<'a> {
    dataset: &'a Dataset,
    seed: u64,
    epoch: u64,
    order: Vec<u32>,
    drawn: usize,
}

impl<'a> SampleDraw<'a> {
    /// Goes on after `samples` samples.
    pub(super) fn resume(dataset: &'a Dataset, seed: u64, samples: u64) -> SampleDraw<'a> {
        let length = dataset.epoch_length() as u64;
        let epoch = samples / length;
        let order = dataset.order(seed, epoch);
        SampleDraw { dataset, seed, epoch, order, drawn: (samples % length) as usize }
    }

    /// The next samples.
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
        // Any eight bytes are an occupation: distinct ones make distinct samples.
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
    fn each_epoch_draws_each_sample_once_in_an_order_of_its_own() {
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
    fn a_draw_goes_on_where_another_one_ended() {
        let dataset = Dataset::from_samples(samples(100), samples(1));
        let whole = drawn(&dataset, 0, 350);
        for after in [0, 1, 99, 100, 101, 250] {
            assert_eq!(drawn(&dataset, after as u64, 350 - after), whole[after..]);
        }
    }

    #[test]
    fn a_set_with_a_quarter_of_the_weight_validates_with_a_quarter_of_its_positions() {
        let mut dataset = Dataset::from_samples(samples(1), samples(300));
        dataset.thin_validation(100, 0.25);
        let kept: Vec<usize> = dataset.validation.iter().map(key).collect();
        assert_eq!(kept, (0..150).collect::<Vec<_>>());
    }

    #[test]
    fn a_set_with_a_quarter_of_the_weight_is_drawn_whole_in_four_epochs() {
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
