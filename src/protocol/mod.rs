//! The protocol: a [`session`] holds the game, the settings and the search that runs; [`uci`] puts
//! it into lines of text.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod session;
pub mod uci;
