//! The protocol: a [`session`] holds the game, the settings and the search that runs; [`uci`] puts
//! it into lines of text.

pub(crate) mod session;
pub(crate) mod uci;
