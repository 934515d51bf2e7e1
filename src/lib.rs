//! Outrider: a UCI chess engine built on NegaScout.
//!
//! An outrider is a mounted scout. It rides ahead with a null window, and the main force follows only
//! if that proves worthwhile.
//!
//! This package is the program: the command line, which runs a UCI session or one of the commands.
//! The work is done in other crates of the workspace. To use the engine as a library, see the example
//! of [`outrider_engine`].
//!
//! # Crates
//!
//! ```text
//!   outrider (src/commands)
//!       │
//!     serve ────────┐
//!       │       laboratory
//!       │           │
//!   protocol      tools
//!       └─────┬─────┘
//!           engine
//! ```
//!
//! A crate may use all crates below it along the lines, and no others.
//!
//! | Folder | Crate | Contents | Depends on |
//! |---|---|---|---|
//! | `src/engine` | [`outrider_engine`] | Finds moves: positions, evaluation, search, endgame tables. | nothing |
//! | `src/protocol` | [`outrider_protocol`] | `session` holds the game, the settings and the running search; `uci` reads and writes lines. | engine |
//! | `src/tools` | [`outrider_tools`] | Makes and reads files: annotated games, test suites, self-play, training. | engine |
//! | `src/laboratory` | [`outrider_laboratory`] | The algorithms of the papers that NegaScout comes from. | engine, tools |
//! | `src/serve` | [`outrider_serve`] | A server and a page to play, analyse and review in the browser. | engine, protocol, tools, laboratory |
//! | `src/commands` | `outrider` | The command line. Only this crate prints. | all |
//!
//! The fuzzers are in a crate of their own, in `fuzz/`.
//!
//! Cargo enforces these dependencies. A change of the search touches one crate, and it is compiled and
//! tested alone: `cargo test -p outrider-engine`.
//!
//! Within the engine, data flows down: [`search`](outrider_engine::search) gets a
//! [`position`](outrider_engine::position) and limits, and calls the
//! [`evaluation`](outrider_engine::evaluation). Typed reports flow back up. `engine/memory.rs` is the
//! only file with `unsafe` code: the memory of the table, and prefetching.
//!
//! # Reading order
//!
//! For an evening, in `engine/`: `engine/units.rs`, `engine/position/mod.rs`, `engine/search/mod.rs`,
//! `engine/search/node.rs`, `engine/search/worker.rs`, `engine/search/negascout.rs`,
//! `engine/search/quiescence.rs`, `engine/search/pruning.rs`, `engine/search/picker.rs`,
//! `engine/search/history.rs`, `engine/search/iterative_deepening.rs`,
//! `engine/evaluation/network/file.rs`, `engine/evaluation/network/accumulators.rs`; then
//! `protocol/session/mod.rs` and `protocol/uci/mod.rs`. Each file starts with its idea and the source
//! of that idea.
//!
//! # Features
//!
//! - `tools` (default): the commands that make and read files.
//! - `laboratory` (default, needs `tools`): the algorithms of the papers. Laboratory, tools and server
//!   take several times as long to compile as the engine, which needs none of them.
//! - `serve` (default, needs `laboratory`): the server for the browser, with the crates for HTTP.
//! - `tune`: every parameter of the search is a UCI option; see
//!   [`outrider_engine::search::parameters`].

#![forbid(unsafe_code)]

mod commands;

#[doc(hidden)]
pub use commands::run;
