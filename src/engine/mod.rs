//! The engine of Outrider: everything that finds a move. It depends on no other crate of the workspace.
//!
//! ```
//! use outrider_engine::position::{Position, notation};
//! use outrider_engine::search::{Control, Engine, Limits, Report};
//! use shakmaty::CastlingMode;
//!
//! // Anderssen against Kieseritzky, London 1851: the last moves of the Immortal Game.
//! let fen = "r1bk2nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 w - - 0 22";
//! let position = Position::new(notation::parse_fen(fen, CastlingMode::Standard)?);
//!
//! let mut engine = Engine::new(1, 16)?;
//! let mut line = String::new();
//! let outcome = engine.go(&position, &Limits::depth(8), &Control::default(), &mut |report| {
//!     if let Report::Line(best) = report {
//!         let moves = best.moves.iter().map(|&mv| notation::format_move(mv, CastlingMode::Standard));
//!         line = moves.collect::<Vec<_>>().join(" ");
//!     }
//! })?;
//! println!("{}: {line}", outcome.score);
//! assert_eq!(outcome.score.to_string(), "mate 2");
//! assert_eq!(line, "f3f6 g8f6 d6e7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules from the bottom up: [`units`], [`position`], [`evaluation`], [`tablebases`], [`search`],
//! and the modules that use a whole engine, such as [`mod@bench`] and [`openings`]. Reports of a search
//! are values; nothing here prints.

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

pub mod atomic_write;
pub mod bench;
pub mod book;
pub mod bounded_read;
pub mod evaluation;
pub mod first_moves;
mod memory;
pub mod memory_limit;
pub mod openings;
pub mod perft;
pub mod position;
pub mod search;
pub mod stop_on_drop;
pub mod tablebases;
pub mod text;
pub mod units;
