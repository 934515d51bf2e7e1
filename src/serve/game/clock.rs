//! The clock of a game. It runs on the server, so that closing the page does not stop it.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use outrider_protocol::session::Clocks;

/// The clocks of both players. They start with the first move.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    /// Remaining times when the running clock was started.
    remaining: ByColor<Duration>,
    increment: Duration,
    /// The side whose clock runs, and the time it was started.
    running: Option<(Color, Instant)>,
}

impl GameClock {
    pub(crate) fn new(remaining: ByColor<Duration>, increment: Duration) -> GameClock {
        GameClock { remaining, increment, running: None }
    }

    pub(crate) fn increment(&self) -> Duration {
        self.increment
    }

    /// Returns the remaining time of a side.
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

    /// Starts the clock of a side and stops the other.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops the clock.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((color, _)) = self.running {
            self.remaining[color] = self.remaining(color, now);
            self.running = None;
        }
    }

    /// Adds the increment for a side that has moved and starts the other clock.
    pub(crate) fn press(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.remaining[color] += self.increment;
        self.start(color.other(), now);
    }

    /// Returns the side that has run out of time.
    pub(crate) fn out_of_time(&self, now: Instant) -> Option<Color> {
        self.running().filter(|&color| self.remaining(color, now).is_zero())
    }

    /// Returns the clocks in the form for a search.
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
    fn only_the_side_to_move_uses_time_and_a_move_adds_the_increment() {
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
