//! Playing, analysing and reviewing in a browser: a server for one person, or a few, and its page.
//!
//! Each page that is open is a [`client`] with a game, an analysis and an engine of its own, which it
//! speaks with through the protocol's session, as a chess program does. `registry` bounds their number,
//! `budget` their threads and memory. `routes` has what can be asked for, `events` what is sent as it
//! happens, `guard` says who is answered, `reading` how a request is read. `study` reads and writes games
//! with variations, `work` reviews games and solves suites, `inside` draws a search. The page is in
//! `page/`; it knows no rules of chess, but is sent the legal moves.
//!
//! All this runs on one thread, since it takes little time. What takes longer has threads of its own:
//! engines, and files that are read or drawings that are made.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod analysis;
mod budget;
mod client;
mod events;
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

pub use budget::{Budget, ServerOptions};
pub use server::Server;
