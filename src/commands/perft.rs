//! `outrider perft DEPTH [FEN]`: the perft of the session on the command line.

use std::io::Write;

use shakmaty::Chess;

use crate::position::Board;
use crate::search::Control;
use crate::session::perft;

/// The subcommand.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub fn command(chess: Chess, depth: u32, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut written = Ok(());
    let control = Control::default();
    let summary = perft::run(&Board::new(chess), depth, &control, &mut |branch| {
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
