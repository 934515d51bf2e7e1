//! What Outrider promises, as tests. They are one binary, so that it is linked once.

#[cfg(feature = "tools")]
mod analyse;
mod architecture;
#[cfg(feature = "serve")]
mod browser;
mod captures;
mod command_line;
#[cfg(feature = "tools")]
mod data_command;
#[cfg(feature = "tools")]
mod data_files;
#[cfg(feature = "tools")]
mod data_generation;
#[cfg(feature = "tools")]
mod data_relabel;
#[cfg(feature = "tools")]
mod epd_command;
mod exchange;
mod genfens;
#[cfg(feature = "tools")]
mod installing;
#[cfg(feature = "laboratory")]
mod lab_chess;
#[cfg(feature = "laboratory")]
mod lab_draw;
#[cfg(feature = "laboratory")]
mod lab_experiment;
#[cfg(feature = "laboratory")]
mod lab_solve;
mod links;
mod mates;
mod network;
mod notation;
mod pages;
mod perft;
mod position;
#[cfg(feature = "tools")]
mod printable;
#[cfg(feature = "laboratory")]
mod readmes;
mod record;
mod referee;
mod results;
#[cfg(all(unix, feature = "tools"))]
mod scarcity;
#[cfg(feature = "serve")]
mod serve;
mod strength_limit;
mod support;
mod tablebases;
#[cfg(feature = "tools")]
mod train_command;
mod uci_session;
