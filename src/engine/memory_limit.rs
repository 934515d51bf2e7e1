//! How much memory is free, and the refusal of what does not fit: a table or thread that the
//! machine has no memory for would kill the process and lose the game.

use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};
use thiserror::Error;

const MEGABYTE: usize = 1 << 20;

/// Why a table or threads were refused. Sizes are in megabytes.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MemoryError {
    /// The table would take more than nine tenths of the memory that is free.
    #[error("a hash of {asked} MB does not fit: {available} MB of memory are available")]
    Table { asked: usize, available: usize },
    /// The data of the threads would take more than nine tenths of the memory that is free.
    #[error("{threads} threads do not fit: they need {asked} MB, and {available} MB are available")]
    Threads { threads: usize, asked: usize, available: usize },
    #[error("the system refused {asked} MB of memory for the hash")]
    Refused { asked: usize },
}

/// Whether a size is at most nine tenths of what is available, both in megabytes. The rest is for
/// other programs, and for what this one allocates besides.
pub(crate) fn fits(asked: usize, available: usize) -> bool {
    asked <= available / 10 * 9
}

/// The megabytes that this process can still allocate after it releases `freed`, within the limits
/// of a container. Where the system does not say, only its refusal is a limit.
pub(crate) fn available_megabytes(freed: usize) -> usize {
    let Ok(mut system) = System::new() else {
        return usize::MAX;
    };
    system.refresh_memory();
    // Files that a container keeps in memory make room when it is wanted.
    let container = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
    let megabytes = |bytes: u64| (bytes / MEGABYTE as u64) as usize;
    let available = megabytes(system.available_memory().min(container));
    available.saturating_add(freed.min(megabytes(resident(&mut system))))
}

/// The megabytes that this machine has, if the system says so.
pub fn total_megabytes() -> Option<usize> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    Some((system.total_memory() / MEGABYTE as u64) as usize)
}

/// The bytes of memory that this process really occupies. Memory that is to be freed may never have
/// been touched, and then it counts as available already.
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
    fn memory_that_was_never_touched_is_not_given_back() {
        let mut system = System::new().unwrap();
        let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(resident(&mut system) >= 64 << 20);
        drop(touched);
        // Other tests of the process may take some memory meanwhile, but not that much.
        let before = resident(&mut system);
        let untouched = std::hint::black_box(Vec::<u8>::with_capacity(2 << 30));
        assert!(resident(&mut system) < before + (1 << 30));
        drop(untouched);
    }
}
