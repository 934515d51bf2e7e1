//! The clock of a game. It runs on the server, so that closing the page does not stop it.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use outrider_protocol::session::Clocks;

/// The clocks of both players. They start with the first move.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    /// Remaining times when the running clock was started.
    remaining: ByColor<Duration>,
    control: ClockControl,
    /// The side whose clock runs, and the time it was started.
    running: Option<(Color, Instant)>,
}

/// The time that is left at least after a move was taken back, so that the game goes on.
const LEAST: Duration = Duration::from_millis(1);

/// Time for a game and increment after each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockControl {
    /// `None` for a game stored by an earlier version, which did not keep it.
    pub initial: Option<Duration>,
    pub increment: Duration,
}

impl ClockControl {
    /// Returns the value of the PGN tag `TimeControl`, in seconds: `300+3`, or `?` if it is not known.
    pub(crate) fn to_tag(self) -> String {
        let seconds = |time: Duration| time.as_millis() as f64 / 1000.0;
        let increment = seconds(self.increment);
        self.initial.map_or_else(|| "?".to_owned(), |time| format!("{}+{increment}", seconds(time)))
    }
}

impl GameClock {
    pub(crate) fn new(remaining: ByColor<Duration>, control: ClockControl) -> GameClock {
        GameClock { remaining, control, running: None }
    }

    pub(crate) fn control(&self) -> ClockControl {
        self.control
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
        self.remaining[color] += self.control.increment;
        self.start(color.other(), now);
    }

    /// Takes the increment for a move back. The time that the move took stays used. The clock must be stopped.
    pub(crate) fn take_back(&mut self, color: Color) {
        let without = self.remaining[color].saturating_sub(self.control.increment);
        self.remaining[color] = without.max(LEAST);
    }

    /// Returns the side that has run out of time.
    pub(crate) fn out_of_time(&self, now: Instant) -> Option<Color> {
        self.running().filter(|&color| self.remaining(color, now).is_zero())
    }

    /// Returns the clocks in the form for a search.
    pub(crate) fn search_clocks(&self, now: Instant) -> Clocks {
        Clocks {
            remaining: ByColor::new_with(|color| Some(self.remaining(color, now))),
            increment: ByColor::new_with(|_| Some(self.control.increment)),
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
        let control = ClockControl { initial: Some(MINUTE), increment: Duration::from_secs(2) };
        let mut clock = GameClock::new(ByColor::new_with(|_| MINUTE), control);
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

    #[test]
    fn the_time_control_is_written_in_seconds_as_in_pgn() {
        let tag = |initial: Option<u64>, increment| {
            let initial = initial.map(Duration::from_millis);
            ClockControl { initial, increment: Duration::from_millis(increment) }.to_tag()
        };
        assert_eq!(tag(Some(300_000), 3_000), "300+3");
        assert_eq!(tag(Some(36_000_000), 0), "36000+0");
        assert_eq!(tag(Some(4_800), 500), "4.8+0.5");
        assert_eq!(tag(None, 3_000), "?");
    }
}
