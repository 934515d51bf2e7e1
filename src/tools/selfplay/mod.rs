//! Self-play data: games of the engine against itself, from which an evaluation is trained.
//!
//! A file is a sequence of frames, each with a checksum ([`frame`]): a [`Header`] that describes how
//! the games after it were made, then the games ([`Game`]) in the order in which they ended. Files
//! are only appended to, so a killed run loses only the games in progress ([`Writer`]). Files are
//! read as a stream, so their size does not matter ([`Reader`]; [`ValidRecords`] for files that may
//! be damaged). Unsuitable positions are filtered when reading ([`Filter`]), never when writing: a
//! filter can be changed later, but a game that was not written is lost.
//!
//! Scores and results in files are from White's point of view, whichever side is to move.
//!
//! Games can be relabelled by a better network than the one that played them ([`relabel()`]).
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
pub use header::{BookSettings, GameSettings, Header};
pub use reader::{ReadError, Reader, Record};
pub use relabel::{
    GamesToRelabel, RelabelError, RelabelProgress, RelabelSettings, Selection, relabel,
};
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
