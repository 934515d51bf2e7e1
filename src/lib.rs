//! Outrider: a UCI chess engine built on NegaScout.
//!
//! An outrider is a mounted scout: it rides ahead with a null window, and the main force follows
//! only where that proves worthwhile. The engine is a library too. Data flows one way: the
//! [`uci`] protocol and the [`commands`] of the command line hold a [`session`], which gives a
//! [`position`] and limits to the [`search`], which asks the [`evaluation`]. Reports flow back as
//! typed values; only the protocol and the commands print.
//!
//! ```
//! use outrider::position::{Position, notation};
//! use outrider::search::{Control, Engine, Limits, Report};
//! use shakmaty::CastlingMode;
//!
//! // Anderssen against Kieseritzky, London 1851: the immortal game's last moves.
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
//! });
//! println!("{}: {line}", outcome.score);
//! assert_eq!(outcome.score.to_string(), "mate 2");
//! assert_eq!(line, "f3f6 g8f6 d6e7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

#[cfg(feature = "tools")]
pub mod analysis;
pub mod commands;
#[cfg(feature = "tools")]
pub mod data;
pub mod evaluation;
#[cfg(feature = "tools")]
pub mod laboratory;
mod memory;
pub mod openings;
pub mod position;
pub mod search;
pub mod session;
pub mod uci;
pub mod units;
