//! `outrider perft DEPTH [FEN]`: the perft on the command line.

use std::io::Write;

use clap::Args;
use shakmaty::Chess;

use outrider_engine::perft::{self, DEPTHS};
use outrider_engine::position::Board;
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::search::Control;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider perft 5
  outrider perft 4 \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"")]
pub(crate) struct Arguments {
    /// Length of the move sequences in plies
    #[arg(value_parser = clap::value_parser!(u32)
        .range(i64::from(*DEPTHS.start())..=i64::from(*DEPTHS.end())))]
    depth: u32,
    /// Position as a FEN, in quotes [default: the initial position]
    #[arg(value_parser = parse_fen_any)]
    fen: Option<Chess>,
}

pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let board = Board::new(arguments.fen.clone().unwrap_or_default());
    let mut written = Ok(());
    let control = Control::default();
    let summary = perft::run(&board, arguments.depth, &control, &mut |branch| {
        if written.is_ok() {
            written = writeln!(output, "{branch}");
        }
        if written.is_err() {
            control.stop();
        }
    });
    written?;
    if let Some(summary) = summary {
        writeln!(output, "{summary}")?;
    }
    Ok(())
}
