//! Outrider: a UCI chess engine built on NegaScout.
//!
//! An outrider is a mounted scout: it rides ahead with a null window, and the main force follows
//! only where that proves worthwhile. The engine is a library too:
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
//!
//! # Architecture
//!
//! ```text
//!      GUI or match runner                   command line
//!              │ lines                            │
//!        ┌─────▼─────┐                     ┌──────▼──────┐
//!        │   uci     │ commands, options,  │  commands   │ bench, perft, epd, analyse,
//!        │           │ reports as text     │             │ genfens, datagen, data, train, lab
//!        └─────┬─────┘                     └──────┬──────┘
//!        ┌─────▼─────┐                            │
//!        │  session  ◄─── bench, perft ───────────┤
//!        │           │ the game, the settings,    │
//!        └─────┬─────┘ the search that runs       │
//!        ┌─────▼──────────────────────────────────▼──────┐
//!        │ search   iterative deepening → negascout      │
//!        │          → quiescence; pruning, reductions,   │
//!        │          table, picker, histories, clock      │
//!        └─────┬───────────────────────────────┬─────────┘
//!        ┌─────▼─────┐                  ┌──────▼─────┐
//!        │ position  │ boards, keys,    │ evaluation │ a network, updated
//!        │           │ exchanges, text  │            │ move by move
//!        └───────────┘                  └────────────┘
//! ```
//!
//! Data flows down: the [`uci`] protocol holds a [`session`], which gives a [`position`] and limits
//! to the [`search`], which asks the [`evaluation`]. The `commands` of the command line hold an
//! engine of the search, or run the tasks of the session that end by themselves. The protocol asks
//! the evaluation too: for the chances to win that it shows, and for `eval`. Typed reports flow back
//! up; only the protocol and the commands print. No two files import each other, except a module's
//! head and its parts.
//!
//! - [`search`]: fail-soft NegaScout with lazy SMP, and the pruning rules of today's engines.
//! - [`evaluation`]: a neural network, updated move by move.
//! - [`book`]: opening books in Polyglot's format, which the session plays from if it is told to.
//! - [`data`]: self-play games and their files. [`openings`]: the random openings that they begin
//!   from. [`training`]: how a network is made of them.
//! - [`analysis`]: games annotated and drawn, test suites solved and judged. [`chart`]: curves as pictures.
//! - [`laboratory`]: the algorithms of the papers that NegaScout comes from, measured again. The
//!   engine's search uses nothing of it.
//! - [`tablebases`]: what is known of endgames with few men.
//! - `memory`: the only place for `unsafe`: the table's memory and prefetching.
//!
//! A reading order for an evening: `units.rs`, `position/mod.rs`, `search/mod.rs`,
//! `search/negascout.rs`, `search/pruning.rs`, `evaluation/network/file.rs`,
//! `evaluation/network/accumulators.rs`, `session/mod.rs`, `uci/mod.rs`. Each file begins with its
//! idea and where it comes from.
//!
//! # Features
//!
//! - `tools` (on by default): the commands that make and analyse files, with [`analysis`], [`chart`],
//!   [`data`], [`laboratory`] and [`training`].
//! - `tune`: every parameter of the search is a UCI option; see [`search::parameters`].

#![deny(unsafe_code)]

#[cfg(feature = "tools")]
pub mod analysis;
pub mod book;
#[cfg(feature = "tools")]
pub mod chart;
#[doc(hidden)]
pub mod commands;
#[cfg(feature = "tools")]
pub mod data;
#[cfg(feature = "tools")]
mod diagram;
pub mod evaluation;
#[cfg(feature = "tools")]
pub mod laboratory;
mod memory;
pub mod openings;
pub mod position;
pub mod search;
pub mod session;
pub mod tablebases;
#[cfg(feature = "tools")]
pub mod training;
pub mod uci;
pub mod units;
mod whole_file;
