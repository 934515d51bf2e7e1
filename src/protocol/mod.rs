//! UCI for Outrider. A [`session`] holds the game, the settings and the running search; [`uci`]
//! translates between a session and lines of text.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod session;
pub mod uci;
