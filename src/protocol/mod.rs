//! The protocol: a [`session`] holds the game, the settings and the search that runs; [`uci`] puts
//! it into lines of text.

pub mod session;
pub mod uci;
