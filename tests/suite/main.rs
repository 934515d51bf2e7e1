//! The promises of Outrider, as tests. They are one binary, so that it is linked once.

mod analyse;
mod browser;
mod captures;
mod command_line;
mod data_command;
mod data_files;
mod data_generation;
mod data_relabel;
#[cfg(target_os = "linux")]
mod endless;
mod epd_command;
mod exchange;
mod genfens;
mod installing;
mod lab_chess;
mod lab_draw;
mod lab_experiment;
mod lab_solve;
mod levels;
mod links;
mod mates;
mod network;
mod notation;
mod pages;
mod perft;
mod position;
mod printable;
mod readmes;
mod record;
mod referee;
mod results;
#[cfg(unix)]
mod scarcity;
mod scripts;
mod serve;
mod strength_limit;
mod support;
mod tablebases;
mod train_command;
mod uci_session;
