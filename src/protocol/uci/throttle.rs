//! Holds back lines of a search that bring nothing new.
//!
//! In a decided position, hundreds of iterations take no time and change nothing. Beyond a certain
//! depth, an iteration is held back if its best line equals the last printed one, it took less than a
//! quarter more nodes, and less than a second has passed. If the search ends with these lines, they are
//! printed.

use std::time::Duration;

use outrider_engine::search::Line;
use outrider_engine::units::Depth;

/// Iterations up to this depth are always printed.
const ALWAYS_PRINTED: Depth = Depth::new(20);
/// The same line is printed again when the nodes have grown by 1/`GROWTH`.
const GROWTH: u64 = 4;
/// The same line is printed again after this time.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// Printed and held-back lines of the running search.
#[derive(Default)]
pub(super) struct Throttle {
    /// Last printed best line.
    printed: Option<Line>,
    /// Lines of the last iteration, if they were held back.
    held_back: Vec<Line>,
}

impl Throttle {
    /// Returns true if a line should be printed now; otherwise keeps it. The best line of an iteration
    /// comes first and decides for the others.
    pub(super) fn offer(&mut self, line: &Line) -> bool {
        let admitted = if line.rank == 1 {
            self.held_back.clear();
            self.printed.as_ref().is_none_or(|printed| is_worth_printing(line, printed))
        } else {
            self.held_back.is_empty()
        };
        if !admitted {
            self.held_back.push(line.clone());
        } else if line.rank == 1 {
            self.printed = Some(line.clone());
        }
        admitted
    }

    /// Returns the held-back lines, which are printed at the end of the search.
    pub(super) fn finish(&mut self) -> Vec<Line> {
        self.printed = None;
        std::mem::take(&mut self.held_back)
    }
}

fn is_worth_printing(line: &Line, printed: &Line) -> bool {
    let (now, then) = (line.progress, printed.progress);
    line.depth <= ALWAYS_PRINTED
        || (line.score, line.bound) != (printed.score, printed.bound)
        || line.moves != printed.moves
        || now.nodes.saturating_sub(then.nodes) >= (then.nodes / GROWTH).max(1)
        || now.elapsed.saturating_sub(then.elapsed) >= MAX_SILENCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_move;
    use outrider_engine::search::{Bound, Progress};
    use outrider_engine::units::{Depth, Ply, Score};
    use shakmaty::Chess;

    /// Creates the line of an iteration to `depth` after `nodes` nodes, all within a second.
    fn line(rank: usize, depth: i32, nodes: u64, score: Score) -> Line {
        Line {
            depth: Depth::new(depth),
            seldepth: 5,
            rank,
            score,
            bound: Bound::Exact,
            progress: Progress { nodes, ..Progress::default() },
            moves: vec![parse_move(&Chess::default(), "e2e4").unwrap()],
        }
    }

    #[test]
    fn a_known_mate_is_printed_a_few_times_and_at_the_end() {
        let mut throttle = Throttle::default();
        let mate = |depth: i32| line(1, depth, 100 * depth as u64, Score::mate_in(Ply::new(3)));
        let printed: Vec<i32> = (1..=240).filter(|&depth| throttle.offer(&mate(depth))).collect();
        assert!(printed.len() < 35, "{printed:?}");
        assert_eq!(printed[..20], (1..=20).collect::<Vec<_>>());
        let rest = throttle.finish();
        assert_eq!(rest.iter().map(|line| line.depth.plies()).collect::<Vec<_>>(), [240]);
        assert!(throttle.finish().is_empty());
        assert!(throttle.offer(&mate(30)), "the next search begins again");
    }

    #[test]
    fn a_new_score_bound_or_move_is_printed_at_once() {
        let first = line(1, 29, 1_000, Score::new(12));
        let other = line(1, 30, 1_001, Score::new(13));
        let bound = Line { bound: Bound::Lower, ..line(1, 30, 1_001, Score::new(12)) };
        let moves = Line { moves: Vec::new(), ..line(1, 30, 1_001, Score::new(12)) };
        for new in [other, bound, moves] {
            let mut throttle = Throttle::default();
            assert!(throttle.offer(&first));
            assert!(throttle.offer(&new), "{new:?}");
            assert!(throttle.finish().is_empty());
        }
    }

    #[test]
    fn the_same_line_is_printed_again_after_a_second_or_many_nodes() {
        let mut throttle = Throttle::default();
        assert!(throttle.offer(&line(1, 29, 1_000, Score::DRAW)));
        assert!(!throttle.offer(&line(1, 30, 1_249, Score::DRAW)));
        assert!(throttle.offer(&line(1, 31, 1_250, Score::DRAW)));
        let progress = Progress { nodes: 1_251, elapsed: MAX_SILENCE, ..Progress::default() };
        assert!(throttle.offer(&Line { progress, ..line(1, 32, 0, Score::DRAW) }));
    }

    #[test]
    fn the_lines_of_an_iteration_are_printed_or_held_back_together() {
        let mut throttle = Throttle::default();
        let mut printed = |depth, best| {
            let scores = [(1, best), (2, 5), (3, depth)];
            scores.map(|(rank, score)| throttle.offer(&line(rank, depth, 1_000, Score::new(score))))
        };
        assert_eq!(printed(29, 10), [true; 3]);
        assert_eq!(printed(30, 10), [false; 3]);
        assert_eq!(printed(31, 11), [true; 3]);
        assert_eq!(printed(32, 11), [false; 3]);
        let rest = throttle.finish();
        assert_eq!(rest.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
