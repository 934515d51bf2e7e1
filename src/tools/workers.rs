//! Runs jobs on several threads and passes the results to the calling thread.
//!
//! Meant for long jobs: positions to search, games to play, trees to solve. A worker keeps costly state,
//! such as an engine with its hash table, from one job to the next. (The trainer uses rayon instead: a
//! mini-batch is thousands of small equal pieces, which rayon divides among the free threads.)

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use outrider_engine::search::{Control, Engine, ThreadError};
use outrider_engine::stop_on_drop::StopOnDrop;

/// Runs the jobs with one thread for each worker. A free worker takes the next job in order. `take`
/// receives the results on the calling thread as they arrive, in any order.
///
/// A worker ends when no job is left, when `work` returns `None`, or when `control` is stopped. `control`
/// is stopped at the latest when `take` breaks or fails, so a search that checks `control` ends when its
/// result is no longer wanted.
///
/// # Errors
///
/// Fails if a thread cannot be started, and with the errors of `take`.
///
/// # Panics
///
/// Panics if `work` or `take` panics.
pub fn run<W: Send, J, R: Send, E: From<ThreadError>>(
    workers: impl IntoIterator<Item = W>,
    jobs: impl Iterator<Item = J> + Send,
    control: &Control,
    work: impl Fn(&mut W, J) -> Option<R> + Sync,
    mut take: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let _stop = StopOnDrop(|| control.stop());
        let (next, work) = (&next, &work);
        for mut worker in workers {
            let sender = sender.clone();
            let take_jobs = move || {
                while !control.is_stopped()
                    && let Some(result) = next().and_then(|job| work(&mut worker, job))
                    && sender.send(result).is_ok()
                {}
            };
            let thread = Engine::thread("worker").spawn_scoped(scope, take_jobs);
            thread.map_err(ThreadError::from)?;
        }
        drop(sender);
        for result in results {
            if take(result)?.is_break() {
                break;
            }
        }
        Ok(())
    })
}

/// Queue of numbered results that arrive in any order; returns them by number if `in_order` is set, else
/// at once.
pub(crate) struct Queue<T> {
    in_order: bool,
    first: usize,
    taken: usize,
    /// Results that were not yet taken, by number.
    waiting: BTreeMap<usize, T>,
}

impl<T> Queue<T> {
    /// Creates an empty queue for results that are numbered from `first` without a gap.
    pub(crate) fn new(first: usize, in_order: bool) -> Queue<T> {
        Queue { in_order, first, taken: 0, waiting: BTreeMap::new() }
    }

    /// Adds the result with this number.
    pub(crate) fn push(&mut self, number: usize, result: T) {
        self.waiting.insert(number, result);
    }

    /// Removes and returns the next result, if it has arrived.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let turn = self.first + self.taken;
        let due =
            self.waiting.first_entry().filter(|entry| !self.in_order || *entry.key() == turn)?;
        self.taken += 1;
        Some(due.remove())
    }

    /// Returns true if no result was taken yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.taken == 0
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn squares(workers: u32) -> Vec<u64> {
        let mut squares = Vec::new();
        let work = |done: &mut u32, number: u64| {
            *done += 1;
            Some(number * number)
        };
        let ended: io::Result<()> =
            run(vec![0; workers as usize], 0..1000, &Control::default(), work, |square| {
                squares.push(square);
                Ok(ControlFlow::Continue(()))
            });
        ended.unwrap();
        squares
    }

    #[test]
    fn results_are_reordered_only_if_asked() {
        let order_of_results = |in_order| {
            let mut queue = Queue::new(1, in_order);
            assert!(queue.is_untouched() && queue.pop().is_none());
            let mut taken = Vec::new();
            for number in [3, 1, 2] {
                queue.push(number, number);
                taken.extend(std::iter::from_fn(|| queue.pop()));
            }
            taken
        };
        assert_eq!(
            (order_of_results(true), order_of_results(false)),
            (vec![1, 2, 3], vec![3, 1, 2])
        );
    }

    #[test]
    fn each_job_is_done_once_and_a_single_worker_keeps_the_order() {
        let expected: Vec<u64> = (0..1000).map(|number| number * number).collect();
        assert_eq!(squares(1), expected);
        let mut by_four = squares(4);
        by_four.sort_unstable();
        assert_eq!(by_four, expected);
    }

    #[test]
    fn endless_work_ends_when_the_results_are_no_longer_taken() {
        let control = Control::default();
        let mut taken = 0;
        let mut take = |_: u32| -> io::Result<ControlFlow<()>> {
            taken += 1;
            Ok(if taken == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        // A job that stops only on request, like a search without a limit.
        let work = |_: &mut (), number: u32| {
            while number >= 3 && !control.is_stopped() {
                thread::yield_now();
            }
            Some(number)
        };
        run([(); 4], 0.., &control, work, &mut take).unwrap();
        assert_eq!(taken, 3);
        let failed = run(
            [(); 4],
            0..,
            &Control::default(),
            |(), number: u32| Some(number),
            |_| Err(io::Error::from(io::ErrorKind::BrokenPipe)),
        );
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_worker_without_a_result_takes_no_more_jobs() {
        let control = Control::default();
        let mut taken = Vec::new();
        let work = |(): &mut (), number: u32| (number < 5).then_some(number);
        let ended: io::Result<()> = run([()], 0.., &control, work, |number| {
            taken.push(number);
            Ok(ControlFlow::Continue(()))
        });
        ended.unwrap();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }
}
