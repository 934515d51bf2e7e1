//! The clock of a game. It runs here, on the server, so that a page that was closed does not stop it.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use outrider_protocol::session::Clocks;

/// The clock of both players. It begins to run with the first move.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    /// What was left when the side to move began to think.
    remaining: ByColor<Duration>,
    increment: Duration,
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl GameClock {
    pub(crate) fn new(remaining: ByColor<Duration>, increment: Duration) -> GameClock {
        GameClock { remaining, increment, running: None }
    }

    pub(crate) fn increment(&self) -> Duration {
        self.increment
    }

    /// What is left to a player.
    pub(crate) fn remaining(&self, color: Color, now: Instant) -> Duration {
        let used = match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.remaining[color].saturating_sub(used)
    }

    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// The clock of a side begins to run.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Nobody's clock runs.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((color, _)) = self.running {
            self.remaining[color] = self.remaining(color, now);
            self.running = None;
        }
    }

    /// A side has moved: it gets its increment, and the other one's clock runs.
    pub(crate) fn press(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.remaining[color] += self.increment;
        self.start(color.other(), now);
    }

    /// The player whose time is used up.
    pub(crate) fn out_of_time(&self, now: Instant) -> Option<Color> {
        self.running().filter(|&color| self.remaining(color, now).is_zero())
    }

    /// The clocks as a search is given them.
    pub(crate) fn search_clocks(&self, now: Instant) -> Clocks {
        Clocks {
            remaining: ByColor::new_with(|color| Some(self.remaining(color, now))),
            increment: ByColor::new_with(|_| Some(self.increment)),
            moves_to_go: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn only_the_clock_of_the_side_to_move_runs_and_a_move_adds_the_increment() {
        let start = Instant::now();
        let mut clock = GameClock::new(ByColor::new_with(|_| MINUTE), Duration::from_secs(2));
        let later = start + MINUTE;
        assert_eq!((clock.running(), clock.remaining(Color::White, later)), (None, MINUTE));
        clock.start(Color::White, start);
        clock.press(Color::White, start + Duration::from_secs(10));
        assert_eq!(clock.remaining(Color::White, later), Duration::from_secs(52));
        assert_eq!(clock.remaining(Color::Black, later), Duration::from_secs(10));
        assert_eq!(clock.out_of_time(later), None);
        assert_eq!(clock.out_of_time(later + MINUTE), Some(Color::Black));
        clock.stop(later);
        assert_eq!(clock.out_of_time(later + MINUTE), None);
        assert_eq!(clock.remaining(Color::Black, later + MINUTE), Duration::from_secs(10));
    }
}
