//! Solves a test suite with the code of `outrider epd`.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{Files, WorkError, WorkKind, WorkSlot, locked};
use outrider_tools::suites::{self, AnswerRecord, RunControl, RunSettings, Suite, SuiteRun};
use outrider_tools::{ENGINE, PositionLimit};

/// Maximum number of positions of a suite.
const MAX_POSITIONS: usize = 5_000;
/// Maximum time for a position in milliseconds.
const MAX_MILLISECONDS: u64 = 60_000;

/// A suite to solve.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuiteRequest {
    /// Name of the suite in the report. Slashes are removed.
    name: String,
    epd: String,
    milliseconds: u64,
}

/// Solves a suite and stores its report.
///
/// # Errors
///
/// Fails if the suite has no or too many positions, or if the work is stopped.
pub(super) fn run(slot: &mut WorkSlot, request: &SuiteRequest) -> Result<(), WorkError> {
    let name: String =
        request.name.chars().filter(|char| !"/\\".contains(*char)).take(80).collect();
    let suites = [Suite::parse(Path::new(&name), &request.epd)];
    let total = suites[0].entries.len();
    slot.begin(WorkKind::Suite, total);
    if total == 0 || total > MAX_POSITIONS {
        let reason = format!("the text has {total} positions; a suite needs 1 to {MAX_POSITIONS}");
        return Err(WorkError::Failed(reason));
    }
    let time = Duration::from_millis(request.milliseconds.clamp(1, MAX_MILLISECONDS));
    let settings = RunSettings {
        engine: ENGINE.to_owned(),
        commit: String::new(),
        limit: PositionLimit::MoveTime(time),
        threads: 1,
        jobs: 1,
        table_megabytes: slot.megabytes(),
    };
    slot.take_turn()?;
    let mut run = SuiteRun::new(&suites, settings, None).map_err(WorkError::failed)?;
    let (work, stop) = (Arc::clone(&slot.work), Arc::clone(&slot.stop));
    let turns = Mutex::new(&mut *slot);
    let before_each = || Ok(locked(&turns).take_turn()?);
    let control = RunControl { stop: &stop, before_each: &before_each };
    let solved = run.solve_with_control(control, 0, true, &mut |entry, answer| {
        let record = AnswerRecord::new(&suites[0], entry, answer);
        let row = json!({
            "name": record.name(),
            "wanted": record.wanted(),
            "played": record.played,
            "solved": record.solved,
            "found_ms": record.found_ms,
            "depth": record.depth,
            "fen": record.fen,
        });
        work.show(|view| {
            view.done += 1;
            view.rows.push(row);
        });
        Ok(())
    })?;
    let page = suites::report(run.settings(), &[solved], &[]);
    slot.keep(WorkKind::Suite, Files { page: Some(page.into()), ..Files::default() });
    Ok(())
}
