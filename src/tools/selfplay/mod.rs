//! Self-play data: the games from which an evaluation learns, made by our own search.
//!
//! A file is a row of frames, each with a checksum ([`frame`]): a [`Header`] that says how the
//! games after it were made, then the games ([`Game`]), in the order in which they ended. Files
//! are only ever appended to, so that a run that is killed loses the games in flight and nothing
//! else ([`Writer`]), and they are read as a stream, so that their size does not matter
//! ([`Reader`]; [`ValidRecords`] where a file may be damaged). What a learner does not want to see is left out when reading ([`Filter`]), never
//! when writing: a filter can be changed later, a game that was not written is lost.
//!
//! Scores and results in files are White's: positive, or a win, is good for White, whoever is to
//! move.
//!
//! Games can be labelled again by a better network than the one that played them ([`relabel()`]).
//!
//! A position takes about four bytes.

#![forbid(unsafe_code)]

mod adjudication;
mod adjudication_check;
mod distinct;
mod endgames;
mod filter;
pub mod frame;
mod game;
mod generator;
mod header;
mod reader;
mod relabel;
mod replay;
mod scale;
mod self_play;
pub mod statistics;
mod valid_records;
mod wdl;
mod writer;

pub use endgames::Endgames;
pub use filter::{Exclusion, Filter};
pub use game::{Deviation, Game, GameResult, ScoredMove};
pub use generator::{GenerateError, GenerationProgress, Goal, generate};
pub use header::{GameSettings, Header};
pub use reader::{ReadError, Reader, Record};
pub use relabel::{GamesToRelabel, RelabelError, RelabelProgress, RelabelSettings, relabel};
pub use replay::{BrokenGame, LabelledPosition, Replay};
pub use self_play::Conditions;
pub use valid_records::{Damage, OnDamage, ValidRecords};
pub use writer::{Resumed, WriteError, Writer};

pub use adjudication_check::AdjudicationCheck;
pub use distinct::DistinctCounter;
pub use scale::fit_scale;
pub use self_play::Player;
pub use statistics::Statistics;
pub use wdl::{FittedRange, WdlTallies, fit_wdl};
