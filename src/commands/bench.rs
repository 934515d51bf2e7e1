//! `outrider bench [depth]`: the bench of the session on the command line.

use std::io::Write;

use crate::evaluation::Network;
use crate::search::Control;
use crate::session::bench;
use crate::units::Depth;

/// The subcommand.
///
/// # Errors
///
/// Fails if the output cannot be written or there is no memory.
pub fn command(depth: Depth, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut written = Ok(());
    let control = Control::default();
    let summary = bench::run(depth, Network::built_in(), &control, &mut |progress| {
        written = writeln!(output, "{progress}");
        if written.is_err() {
            control.stop();
        }
    });
    written?;
    writeln!(output, "{}", summary?)?;
    Ok(())
}
