//! The time used for the moves, by the clocks in the comments.

use shakmaty::Color;

use super::graph::Area;
use super::remarks::{clock, elapsed, engine_note};
use super::{AnalysedGame, Fault};
use crate::pages::svg::Elements;
use crate::pgn::AnnotatedGame;

/// Time trouble begins below this share of the base time.
const TROUBLE_SHARE: f64 = 0.1;

/// Upper bound for the start of time trouble, in seconds.
const MAX_TROUBLE_SECONDS: f64 = 120.0;

/// Start of time trouble if the base time is unknown, in seconds.
const DEFAULT_TROUBLE_SECONDS: f64 = 30.0;

/// Time used for a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MoveTime {
    /// Time in seconds.
    pub used: f64,
    /// The player was in time trouble after the move.
    pub in_trouble: bool,
}

/// Returns the time used for each move, where it is known.
pub(super) fn move_times(game: &AnnotatedGame) -> Vec<Option<MoveTime>> {
    let first_clock =
        game.moves.iter().find_map(|played| clock(&played.remarks).and_then(time_left));
    let control = game.tag("TimeControl").and_then(TimeControl::read);
    let control = control.map(|control| control.in_seconds(first_clock));
    let threshold = control.map_or(DEFAULT_TROUBLE_SECONDS, |control| {
        (TROUBLE_SHARE * control.base).min(MAX_TROUBLE_SECONDS)
    });
    let increment = control.map_or(0.0, |control| control.increment);
    let each_move = control.filter(|control| control.is_for_each_move).map(|control| control.base);
    let mut clocks = [control.map(|control| control.base); 2];
    let mut is_first = [true; 2];
    let times = game.moves.iter().enumerate().map(|(ply, played)| {
        let side = usize::from(game.mover(ply) == Color::Black);
        let now = clock(&played.remarks).and_then(time_left);
        let noted = || engine_note(&played.remarks).map(|note| note.seconds);
        let remarked = elapsed(&played.remarks).and_then(seconds).or_else(noted);
        let between = clocks[side].zip(now).map(|(before, now)| {
            // Many servers add no increment after the first move.
            let is_added = !is_first[side] || now > before;
            before + if is_added { increment } else { 0.0 } - now
        });
        // At the start of a new period the clock gains an unknown time. Clocks are given in whole
        // seconds, so a move played at once may seem to have gained one second.
        let between = between.filter(|used| *used >= -1.0).map(|used| used.max(0.0));
        (clocks[side], is_first[side]) = (each_move.or(now), false);
        let used = remarked.or(between)?;
        Some(MoveTime { used, in_trouble: now.is_some_and(|now| now < threshold) })
    });
    times.collect()
}

/// Time control of the first period of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct TimeControl {
    /// Time of the period in seconds.
    base: f64,
    /// Time added for each move, in seconds.
    increment: f64,
    /// Each move has the whole time, as in the daily games of chess.com.
    is_for_each_move: bool,
}

impl TimeControl {
    /// Parses a time control. Reads `600+5`, `40/7200:3600`, `1/86400`, and forms used over the board such
    /// as `60+5d` and `40/80, SD30; +30`. A delay counts as an increment: the result is the same for a
    /// move that takes longer than the delay.
    fn read(text: &str) -> Option<TimeControl> {
        let period = text.split(':').next()?;
        let (moves, period) = period.split_once('/').unwrap_or(("", period));
        let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
        let base: f64 = base.split([',', ';']).next()?.trim().parse().ok()?;
        let increment: f64 = increment.trim().trim_end_matches('d').parse().ok()?;
        let is_valid = base.is_finite() && base > 0.0 && increment.is_finite();
        is_valid.then_some(TimeControl { base, increment, is_for_each_move: moves.trim() == "1" })
    }

    /// Converts a time control to seconds if it was written in minutes, which shows in a much higher
    /// first clock time.
    fn in_seconds(self, first_clock: Option<f64>) -> TimeControl {
        let in_minutes =
            first_clock.is_some_and(|first| first > 2.0 * (self.base + self.increment));
        TimeControl { base: if in_minutes { 60.0 * self.base } else { self.base }, ..self }
    }
}

/// Parses a clock time such as `1:02:03.4` or `2:03`; returns seconds.
fn seconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    for part in text.split(':') {
        // A sign would count for its own part alone.
        let part = part.trim();
        let is_number = part.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let part: f64 = part.parse().ok().filter(|_| is_number)?;
        sum = 60.0 * sum + part;
    }
    (sum.is_finite() && sum >= 0.0).then_some(sum)
}

/// Parses the time left on a clock; returns seconds. Electronic boards write a negative time such as
/// `-0:00:05` after the time has run out; none is left then.
pub(super) fn time_left(text: &str) -> Option<f64> {
    match text.trim().strip_prefix(['-', '\u{2212}']) {
        Some(overdrawn) => seconds(overdrawn).map(|_| 0.0),
        None => seconds(text),
    }
}

/// Formats a clock time like a chess clock: `0:05:59.8` becomes `5:59`; tenths are shown below ten
/// seconds. Returns other texts unchanged.
pub(super) fn clock_text(text: &str) -> String {
    match time_left(text) {
        None => text.to_owned(),
        Some(left) if left < 10.0 => format!("0:{:04.1}", (10.0 * left + 1e-6).floor() / 10.0),
        Some(left) => duration_text(left.floor()),
    }
}

/// Formats seconds as `0:07` or `1:02:03`.
pub(super) fn duration_text(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Returns the times as bars, White's upwards and Black's downwards, as wide as the curve above them;
/// `None` if no time is known. The height of a bar is proportional to the square root of its time, since
/// one long think would otherwise make all other bars invisible.
pub(super) fn bars(game: &AnnotatedGame, analysed: &AnalysedGame, area: Area) -> Option<Elements> {
    let times = move_times(game);
    let longest = times.iter().flatten().map(|time| time.used).reduce(f64::max)?.max(1.0);
    let step = area.width / times.len() as f64;
    let middle = area.height / 2.0;
    let mut out = Elements::default();
    out.path("middle", format_args!("M0 {middle}H{}", area.width));
    for (ply, time) in times.iter().enumerate() {
        let Some(time) = time else {
            continue;
        };
        let up = if game.mover(ply).is_white() { -1.0 } else { 1.0 };
        let fault = analysed.fault(game, ply).filter(|_| time.in_trouble).map(Fault::name);
        let class = fault.unwrap_or(game.mover(ply).fold_wb("white-time", "black-time"));
        // The bar of a move is left of the point of the curve after the move.
        let (x, height) = (ply as f64 * step, up * (time.used / longest).sqrt() * middle);
        let (number, used) = (game.number(ply), duration_text(time.used));
        let width = 0.8 * step;
        out.add(format_args!(
            r#"<path class="{class}" d="M{x:.1} {middle}v{height:.1}h{width:.1}V{middle}Z"><title>{number} {used}</title></path>"#
        ));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    fn times(text: &str) -> Vec<Option<(f64, bool)>> {
        let game = pgn::read(&pgn::games(text)[0]).unwrap();
        let times = move_times(&game).into_iter();
        times.map(|time| time.map(|time| (time.used, time.in_trouble))).collect()
    }

    #[test]
    fn the_time_of_a_move_is_the_loss_of_its_clock_plus_the_increment() {
        let found = times(
            "[TimeControl \"100+5\"]\n\n1. e4 {[%clk 0:01:30]} e5 {[%clk 0:01:40]} \
             2. Nf3 {[%clk 0:01:25]} Nc6 {[%clk 0:00:09.5]} 3. Bb5 a6 {[%emt 0:00:03]} *",
        );
        let of = |used, trouble| Some((used, trouble));
        let expected = [
            of(10.0, false),
            of(0.0, false),
            of(10.0, false),
            of(95.5, true),
            None,
            of(3.0, false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_move_has_an_increment_only_if_its_clock_shows_it() {
        let found =
            times("[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:03:01]} e5 {[%clk 0:02:59]} *");
        assert_eq!(found, [Some((1.0, false)), Some((1.0, false))]);
    }

    #[test]
    fn the_time_of_a_move_that_begins_a_new_period_is_unknown() {
        let found = times(
            "[TimeControl \"40/5400+30:1800+30\"]\n\n1. e4 {[%clk 1:29:00]} e5 {[%clk 1:30:00]} \
             2. Nf3 {[%clk 0:10:00]} Nc6 {[%clk 1:30:30]} 3. Bb5 {[%clk 0:38:30]} \
             a6 {[%clk 1:31:01]} *",
        );
        let used: Vec<_> = found.into_iter().map(|time| Some(time?.0)).collect();
        assert_eq!(used, [Some(60.0), Some(0.0), Some(4770.0), Some(0.0), None, Some(0.0)]);
    }

    #[test]
    fn each_move_of_a_daily_game_has_the_whole_time() {
        let found = times(
            "[TimeControl \"1/86400\"]\n\n1. e4 {[%clk 23:00:00]} e5 {[%clk 10:00:00]} \
             2. Nf3 {[%clk 13:00:00]} Nc6 {[%clk 23:30:00]} 3. Bb5 a6 {[%clk 0:01:00]} *",
        );
        let used: Vec<_> = found.into_iter().map(|time| Some(time?.0)).collect();
        let hours = |hours: f64| Some(3600.0 * hours);
        let expected = [hours(1.0), hours(14.0), hours(11.0), hours(0.5), None, Some(86340.0)];
        assert_eq!(used, expected);
    }

    #[test]
    fn a_clock_shows_seconds_and_below_ten_seconds_tenths() {
        let shown = ["1:02:03.9", "0:05:59.8", "0:00:10", "0:00:09.87", "0:00:00", "soon"];
        assert_eq!(shown.map(clock_text), ["1:02:03", "5:59", "0:10", "0:09.8", "0:00.0", "soon"]);
    }

    #[test]
    fn a_negative_clock_has_no_time_left() {
        let found = times(
            "[TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:07]} e5 {[%clk 0:00:50]} \
             2. Nf3 {[%clk -0:00:05]} Nc6 {[%clk 0:00:49]} 3. Bb5 {[%clk -0:00:09]} *",
        );
        let expected = [(53.0, false), (10.0, false), (7.0, true), (1.0, false), (0.0, true)];
        assert_eq!(found, expected.map(Some));
        assert_eq!(
            ["-0:00:05", "\u{2212}0:05", "-soon"].map(clock_text),
            ["0:00.0", "0:00.0", "-soon"]
        );
        assert_eq!([seconds("-0:00:05"), seconds("0:-5"), seconds("+5")], [None; 3]);
    }

    #[test]
    fn the_time_in_an_engine_note_is_used() {
        let found = times("1. e4 {+0.10/9 0.50s} e5 {book} *");
        assert_eq!(found, [Some((0.5, false)), None]);
    }

    #[test]
    fn without_a_time_control_trouble_begins_at_half_a_minute() {
        let found = times("1. e4 {[%clk 0:00:40]} e5 2. Nf3 {[%clk 0:00:29]} *");
        assert_eq!(found, [None, None, Some((11.0, true))]);
    }

    #[test]
    fn a_time_control_in_minutes_is_recognised_by_the_first_clock() {
        let game = |control| {
            times(&format!(
                "[TimeControl \"{control}\"]\n\n1. e4 {{[%clk 0:59:50]}} e5 {{[%clk 0:59:59]}} \
                 2. Nf3 {{[%clk 0:59:40]}} Nc6 {{[%clk 0:01:50]}} *"
            ))
        };
        let expected = [10.0, 1.0, 15.0, 3494.0].map(|used| Some((used, used > 3000.0)));
        assert_eq!(game("60+5d"), expected);
        assert_eq!(game("3600+5"), expected);
        assert_eq!(game("40/60, SD30; +5"), expected);
    }

    #[test]
    fn all_forms_of_times_and_time_controls_are_read() {
        let read = |text| {
            let found = TimeControl::read(text)?;
            Some((found.base, found.increment, found.is_for_each_move))
        };
        assert_eq!(read("40/7200:3600"), Some((7200.0, 0.0, false)));
        assert_eq!(read("60+5d"), Some((60.0, 5.0, false)));
        assert_eq!(read("40/80, SD30; +30"), Some((80.0, 30.0, false)));
        assert_eq!(read("G/30;d5"), Some((30.0, 0.0, false)));
        assert_eq!(read("1/86400"), Some((86400.0, 0.0, true)));
        assert_eq!([read("-"), read("nan+inf")], [None; 2]);
        assert_eq!(seconds("1:02:03.5"), Some(3723.5));
        assert_eq!((seconds("-1"), seconds("x")), (None, None));
        assert_eq!([duration_text(7.2), duration_text(3723.0)], ["0:07", "1:02:03"]);
    }
}
