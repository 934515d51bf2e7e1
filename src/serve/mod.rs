//! Web server for playing, analysing and reviewing in a browser, for one person or a few.
//!
//! Each open page is a `client` with its own game, analysis and engine. The client drives the engine
//! through the session of the protocol crate. `registry` limits the number of clients, `budget` their
//! threads and memory, `connection` the number of connections and their waits. `routes` maps requests to
//! functions, `events` streams server-sent events, `guard` decides which requests are answered, `extract`
//! parses requests, and `error_page` explains errors to people. `study` converts between PGN and trees of
//! moves, `work` reviews games and solves test suites, `explorer` shows the openings of books and of the
//! player's games, `inside` draws a search tree, and `addresses` finds the links for other devices. The
//! page is in `page/`. It shares the modules for boards with the static pages; they know the rules of
//! chess, so that a move is shown at once, but the server checks each move.
//!
//! The server runs on one thread. Long work has other threads: engine searches, reading of PGN files and
//! drawing of search trees.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod addresses;
mod analysis;
mod budget;
mod client;
mod connection;
mod error_page;
mod events;
mod explorer;
mod extract;
mod game;
mod guard;
mod inside;
mod page;
mod position_spec;
mod refusal;
mod registry;
mod routes;
mod server;
mod study;
mod view;
mod work;

pub use addresses::qr_code;
pub use budget::{Budget, ServerOptions};
pub use server::Server;
