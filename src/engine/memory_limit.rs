//! Measures the available memory. Tables and threads that do not fit are refused: otherwise the system
//! could kill the process, and the game would be lost.

use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};
use thiserror::Error;

const MEGABYTE: usize = 1 << 20;

/// Reasons why a table or threads are refused. Sizes are in megabytes.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MemoryError {
    /// The table would take more than nine tenths of the available memory.
    #[error(
        "a hash of {asked} MB does not fit: at most nine tenths of the {available} MB of free memory are used"
    )]
    Table { asked: usize, available: usize },
    /// The data of the threads would take more than nine tenths of the available memory.
    #[error(
        "{threads} threads do not fit: they need {asked} MB, and at most nine tenths of the {available} MB of free memory are used"
    )]
    Threads { threads: usize, asked: usize, available: usize },
    /// The system refused the memory for the table.
    #[error("the system refused {asked} MB of memory for the hash")]
    Refused { asked: usize },
}

/// Returns true if a size is at most nine tenths of the available memory, both in megabytes. The rest is
/// left to other programs and to the smaller allocations of this one.
pub(crate) fn fits(asked: usize, available: usize) -> bool {
    asked <= available / 10 * 9
}

/// Checks that tables of this size together, in megabytes, fit into the available memory.
///
/// # Errors
///
/// Fails if the size exceeds nine tenths of it.
pub fn check_tables(asked: usize) -> Result<(), MemoryError> {
    check_tables_within(asked, available_megabytes(0))
}

/// Checks a size as [`check_tables`] does, for a given number of available megabytes.
pub(crate) fn check_tables_within(asked: usize, available: usize) -> Result<(), MemoryError> {
    if fits(asked, available) { Ok(()) } else { Err(MemoryError::Table { asked, available }) }
}

/// Returns the megabytes that this process can still allocate after it releases `freed` megabytes. The
/// limits of a container are respected. If the system reports nothing, there is no limit here.
pub(crate) fn available_megabytes(freed: usize) -> usize {
    let Ok(mut system) = System::new() else {
        return usize::MAX;
    };
    system.refresh_memory();
    // `rss` leaves out the file cache, which a container gives up when memory is needed.
    let container = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
    let megabytes = |bytes: u64| (bytes / MEGABYTE as u64) as usize;
    let available = megabytes(system.available_memory().min(container));
    available.saturating_add(freed.min(megabytes(resident(&mut system))))
}

/// Returns the memory of this machine in megabytes; `None` if the system does not report it.
pub fn total_megabytes() -> Option<usize> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    Some((system.total_memory() / MEGABYTE as u64) as usize)
}

/// Returns the bytes of memory that this process really occupies. Allocated memory that was never
/// touched occupies nothing: it already counts as available, so freeing it gains nothing.
fn resident(system: &mut System) -> u64 {
    let Ok(own) = sysinfo::get_current_pid() else {
        return 0;
    };
    let kind = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, kind);
    system.process(own).map_or(0, |process| process.memory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untouched_memory_does_not_count_as_resident() {
        let mut system = System::new().unwrap();
        let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(resident(&mut system) >= 64 << 20);
        drop(touched);
        // Other tests in this process may allocate at the same time, but less than this.
        let before = resident(&mut system);
        let untouched = std::hint::black_box(Vec::<u8>::with_capacity(2 << 30));
        assert!(resident(&mut system) < before + (1 << 30));
        drop(untouched);
    }
}
