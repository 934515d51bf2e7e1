//! `outrider data export`: positions as text, for eyes and other tools.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context as _;

use crate::data::{Endgames, Filter, Record, Sample};
use crate::position::notation::format_fen;

/// Prints so many of the positions that the filter keeps.
///
/// # Errors
///
/// Fails if a file cannot be read or the output cannot be written.
pub fn command(
    files: &[PathBuf],
    mut count: u64,
    filter: &Filter,
    endgames: &Endgames,
    output: &mut dyn Write,
    complaints: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut output = BufWriter::new(output);
    for path in files {
        for record in super::records(path)? {
            let Some(Record::Game(game)) = super::sound(path, record, complaints)? else {
                continue;
            };
            for sample in game.replay_knowing(endgames) {
                if count == 0 {
                    return Ok(output.flush()?);
                }
                let sample = sample.with_context(|| path.display().to_string())?;
                if filter.keeps(&sample) {
                    writeln!(output, "{}", line(&sample))?;
                    count -= 1;
                }
            }
        }
    }
    Ok(output.flush()?)
}

/// A position with score (centipawns) and result (points) for the side to move.
fn line(sample: &Sample) -> String {
    let fen = format_fen(sample.board.chess());
    let score = sample.score_for_mover().centipawns();
    format!("{fen} | {score} | {:.1}", sample.points_for_mover())
}
