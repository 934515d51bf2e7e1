//! Outrider: a UCI chess engine built on NegaScout.
//!
//! An outrider is a mounted scout: it rides ahead with a null window, and the main force follows
//! only where that proves worthwhile. The engine is a library too:
//!
//! ```
//! use outrider::engine::position::{Position, notation};
//! use outrider::engine::search::{Control, Engine, Limits, Report};
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
//! })?;
//! println!("{}: {line}", outcome.score);
//! assert_eq!(outcome.score.to_string(), "mate 2");
//! assert_eq!(line, "f3f6 g8f6 d6e7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Architecture
//!
//! ```text
//!   chess program or match runner            command line
//!             │ lines of UCI                      │
//!       ┌─────▼──────┐                     ┌──────▼─────┐
//!       │  protocol  ◄─────────────────────┤  commands  │
//!       │ uci        │     ┌───────┐       └─┬──┬──────┬┘
//!       │  ↓         ◄─────┤ serve ◄─────────┘  │      │
//!       │ session    │     └───┬───┘   ┌────────▼─┐ ┌──▼─────────┐
//!       │            │         └───────►  tools   ◄─┤ laboratory │
//!       └─────┬──────┘                 └──────┬───┘ └─┬──────────┘
//!       ┌─────▼───────────────────────────────▼───────▼──────────┐
//!       │ engine                                                 │
//!       │   search     iterative deepening → negascout           │
//!       │    ↓ ↓       → quiescence; pruning, reductions,        │
//!       │    ↓ ↓       table, move picker, histories, clock      │
//!       │    ↓ evaluation   a network, updated move by move      │
//!       │    ↓ ↓                                                 │
//!       │   position   boards, keys, exchanges, text             │
//!       └────────────────────────────────────────────────────────┘
//! ```
//!
//! There are six wings, and dependence runs down only:
//!
//! - [`engine`] finds moves. It imports nothing of the others: who wants to know how Outrider plays
//!   reads this folder and no other.
//! - `protocol` speaks with chess programs: `uci` reads and writes lines, `session` holds the game,
//!   the settings and the search that runs.
//! - [`tools`] make and read files: games annotated, test suites solved, self-play and training.
//!   Protocol and tools do not know each other.
//! - [`laboratory`] holds the algorithms of the papers that NegaScout comes from. Only its command
//!   imports it, and the file of `serve` that draws a search.
//! - `serve` is the server and the page for playing and analysing in a browser: a client of the
//!   session, as `uci` is, that reads and writes games by the tools. Only its command imports it.
//! - `commands` is the command line. It and the protocol are the only ones that print.
//!
//! `fuzzing` is compiled only for tests and fuzzers: functions that take any bytes.
//!
//! Why by wing and not by kind of thing: somebody who changes the search needs one wing, compiles
//! one wing (see the features) and cannot be surprised by another. Within the engine data flows down
//! too: [`search`](engine::search) is given a [`position`](engine::position) and limits, and asks the
//! [`evaluation`](engine::evaluation); typed reports flow back up. No files import each other in a
//! circle, except a module's head and its parts. `tests/suite/architecture.rs` checks all of this.
//!
//! `engine/memory.rs` is the only place for `unsafe`: the table's memory and prefetching.
//!
//! A reading order for an evening, in `engine/` first: `engine/units.rs`, `engine/position/mod.rs`,
//! `engine/search/mod.rs`, `engine/search/node.rs`, `engine/search/worker.rs`,
//! `engine/search/negascout.rs`, `engine/search/quiescence.rs`, `engine/search/pruning.rs`,
//! `engine/search/picker.rs`, `engine/search/history.rs`, `engine/search/iterative_deepening.rs`,
//! `engine/evaluation/network/file.rs`, `engine/evaluation/network/accumulators.rs`; then
//! `protocol/session/mod.rs` and `protocol/uci/mod.rs`. Each file begins with its idea and where it
//! comes from.
//!
//! # Features
//!
//! - `tools` (on by default): the commands that make and read files.
//! - `laboratory` (on by default, needs `tools`): the algorithms of the papers. It, the tools and the
//!   server take several times as long to compile as the engine, which needs none of them.
//! - `serve` (on by default, needs `tools`): the server for the browser, with the crates that speak
//!   HTTP.
//! - `tune`: every parameter of the search is a UCI option; see [`engine::search::parameters`].

#![forbid(unsafe_code)]

mod commands;

#[doc(hidden)]
pub use commands::run;
