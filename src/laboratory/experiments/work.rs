//! Work on all cores whose results do not depend on how many there are.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::laboratory::generated::Seed;

/// Somebody who is told how far an experiment has come.
pub trait Progress: Sync {
    /// So much more work is to be done, in leaves or whatever the experiment counts.
    fn expect(&self, work: u64);

    /// So much has been done.
    fn advance(&self, work: u64);
}

/// Nobody.
impl Progress for () {
    fn expect(&self, _work: u64) {}
    fn advance(&self, _work: u64) {}
}

/// How an experiment is run.
pub struct Plan<'a> {
    /// How many trees (or positions) of each kind are searched.
    pub trees: u32,
    /// Begins the trees' random numbers.
    pub seed: u64,
    /// Threads that work at the same time, at least one.
    pub threads: usize,
    /// Who is told how far it is.
    pub progress: &'a dyn Progress,
}

impl Plan<'_> {
    /// Searches the plan's number of trees of each kind, and gives for each kind what was found,
    /// tree by tree. `cost` estimates the work that a tree of a kind is.
    ///
    /// # Errors
    ///
    /// Fails if the system grants no threads.
    pub fn search<K: Sync, R: Send>(
        &self,
        kinds: &[K],
        cost: impl Fn(&K) -> u64 + Sync,
        search: impl Fn(&K, Seed) -> R + Sync,
    ) -> io::Result<Vec<Vec<R>>> {
        let trees = |kind| (0..self.trees).map(move |tree| (kind, tree));
        let jobs: Vec<(usize, u32)> = (0..kinds.len()).flat_map(trees).collect();
        let seed = |tree: u32| Seed { series: self.seed, tree: tree.into() };
        let results = self.map(
            &jobs,
            |&(kind, _)| cost(&kinds[kind]),
            |&(kind, tree)| search(&kinds[kind], seed(tree)),
        )?;
        let mut results = results.into_iter();
        let of_kind = |_| results.by_ref().take(self.trees as usize).collect();
        Ok(kinds.iter().map(of_kind).collect())
    }

    /// Does each job once, the costly ones first, and gives the results in the jobs' order.
    /// `cost` estimates a job's share of the work.
    ///
    /// # Errors
    ///
    /// Fails if the system grants no threads.
    ///
    /// # Panics
    ///
    /// If a job does.
    pub fn map<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        cost: impl Fn(&J) -> u64 + Sync,
        work: impl Fn(&J) -> R + Sync,
    ) -> io::Result<Vec<R>> {
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(cost(&jobs[index])));
        self.progress.expect(jobs.iter().map(&cost).sum());
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut done = Vec::new();
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((index, work(&jobs[index])));
                self.progress.advance(cost(&jobs[index]));
            }
            done
        };
        let mut results = thread::scope(|scope| {
            let start = |_| thread::Builder::new().spawn_scoped(scope, worker);
            let workers: io::Result<Vec<_>> = (0..self.threads.max(1)).map(start).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            Ok::<_, io::Error>(workers?.into_iter().flat_map(join).collect::<Vec<_>>())
        })?;
        results.sort_by_key(|&(index, _)| index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}
