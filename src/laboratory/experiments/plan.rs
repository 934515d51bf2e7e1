//! Work on all cores, with results that do not depend on the number of cores.

use std::io;
use std::ops::ControlFlow;

use crate::artificial::Seed;
use outrider_engine::search::Control;
use outrider_tools::workers;

/// Receives the progress of an experiment.
pub trait WorkProgress: Sync {
    /// More work is expected, in leaves or another unit of the experiment.
    fn expect(&self, work: u64);

    /// A part of the work is done.
    fn advance(&self, work: u64);
}

impl WorkProgress for () {
    fn expect(&self, _work: u64) {}
    fn advance(&self, _work: u64) {}
}

/// Parameters of an experiment's run.
pub struct Plan<'a> {
    /// Number of trees (or positions) of each kind.
    pub trees: u32,
    /// Seed of the trees' random numbers.
    pub seed: u64,
    /// Number of threads that work at the same time, at least one.
    pub threads: usize,
    /// Receives the progress.
    pub progress: &'a dyn WorkProgress,
}

impl Plan<'_> {
    /// Searches the plan's number of trees of each kind, expensive kinds first. Returns the results
    /// of each kind, in the order of the trees. `cost` estimates the work for a tree of a kind.
    ///
    /// # Errors
    ///
    /// Fails if a thread cannot be started.
    pub(crate) fn search<K: Sync, R: Send>(
        &self,
        kinds: &[K],
        cost: impl Fn(&K) -> u64 + Sync,
        search: impl Fn(&K, Seed) -> R + Sync,
    ) -> io::Result<Vec<Vec<R>>> {
        let trees = self.trees as usize;
        let costs: Vec<u64> = kinds.iter().map(&cost).collect();
        self.progress.expect(costs.iter().sum::<u64>() * u64::from(self.trees));
        let order = most_expensive_first(&costs);
        let job = |index: usize| {
            let (kind, tree) = (order[index / trees], index % trees);
            let found = search(&kinds[kind], Seed { series: self.seed, tree: tree as u64 });
            self.progress.advance(costs[kind]);
            found
        };
        let mut found = self.work(kinds.len() * trees, job)?.into_iter();
        let mut of_kinds: Vec<(usize, Vec<R>)> =
            order.iter().map(|&kind| (kind, found.by_ref().take(trees).collect())).collect();
        of_kinds.sort_by_key(|&(kind, _)| kind);
        Ok(of_kinds.into_iter().map(|(_, found)| found).collect())
    }

    /// Does each job once, expensive jobs first, and returns the results in the order of the jobs.
    /// `cost` estimates the work of a job.
    ///
    /// # Errors
    ///
    /// Fails if a thread cannot be started.
    ///
    /// # Panics
    ///
    /// Panics if a job panics.
    pub(crate) fn map<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        cost: impl Fn(&J) -> u64 + Sync,
        work: impl Fn(&J) -> R + Sync,
    ) -> io::Result<Vec<R>> {
        let costs: Vec<u64> = jobs.iter().map(&cost).collect();
        self.progress.expect(costs.iter().sum());
        let order = most_expensive_first(&costs);
        let done = self.work(jobs.len(), |index| {
            let result = work(&jobs[order[index]]);
            self.progress.advance(costs[order[index]]);
            result
        })?;
        let mut results: Vec<(usize, R)> = order.into_iter().zip(done).collect();
        results.sort_by_key(|&(index, _)| index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// Does the jobs 0 to `count` - 1, started in this order, and returns the results in this
    /// order. There is no list of jobs, because there may be many millions.
    fn work<R: Send>(&self, count: usize, job: impl Fn(usize) -> R + Sync) -> io::Result<Vec<R>> {
        let mut results = Vec::new();
        let threads = 0..self.threads.max(1);
        let work = |_: &mut usize, index| Some((index, job(index)));
        workers::run(threads, 0..count, &Control::default(), work, |result| -> io::Result<_> {
            results.push(result);
            Ok(ControlFlow::Continue(()))
        })?;
        results.sort_unstable_by_key(|&(index, _)| index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

/// Returns the indices of these costs, the greatest first.
fn most_expensive_first(costs: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(costs[index]));
    order
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn expensive_kinds_are_searched_first_and_results_keep_their_order() {
        let searched = Mutex::new(Vec::new());
        let plan = |threads| Plan { trees: 2, seed: 1, threads, progress: &() };
        let search = |&kind: &char, seed: Seed| {
            searched.lock().unwrap().push((kind, seed.tree));
            (kind, seed.tree)
        };
        let cost = |&kind: &char| u64::from(kind == 'b');
        let found = plan(1).search(&['a', 'b'], cost, search).unwrap();
        assert_eq!(found, [[('a', 0), ('a', 1)], [('b', 0), ('b', 1)]]);
        assert_eq!(*searched.lock().unwrap(), [('b', 0), ('b', 1), ('a', 0), ('a', 1)]);
        assert_eq!(plan(3).search(&['a', 'b'], cost, search).unwrap(), found);
    }
}
