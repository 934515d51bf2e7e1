//! Machine-readable parts of comments: commands such as `[%clk 0:10:00]`, and notes of match runners.

use crate::score_record::ScoreRecord;

/// Removes the commands from a comment.
pub(crate) fn without_commands(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        kept.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    (kept + rest).trim().to_owned()
}

/// An engine's evaluation of its own move, as Cute Chess and fastchess write it: `+0.13/12 0.29s`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct EngineNote {
    /// Score from the point of view of the side that moved.
    pub score: ScoreRecord,
    /// Depth in plies.
    pub depth: u32,
    /// Time used for the move, in seconds.
    pub seconds: f64,
}

impl EngineNote {
    /// Parses a comment that begins with such a note, after any commands; also returns the rest of the
    /// text, such as the reason why the game ended.
    pub(crate) fn read(comment: &str) -> Option<(EngineNote, String)> {
        let text = without_commands(comment);
        let (score, rest) = text.split_once('/')?;
        let (depth, rest) = rest.split_once(' ')?;
        let (time, rest) = rest.split_once('s')?;
        let is_separator = |c: char| matches!(c, ',' | ' ' | ';');
        if !(rest.is_empty() || rest.starts_with(is_separator)) {
            return None;
        }
        let (depth, seconds) = (depth.parse().ok()?, time.trim().parse::<f64>().ok()?);
        let note = EngineNote { score: note_score(score)?, depth, seconds };
        seconds.is_finite().then(|| (note, rest.trim_start_matches(is_separator).to_owned()))
    }
}

/// Parses a score such as `+0.13`, or a mate such as `-M4`, which counts plies.
fn note_score(text: &str) -> Option<ScoreRecord> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(plies) = size.strip_prefix(['M', '#']) {
        let plies: i32 = plies.parse().ok()?;
        return Some(ScoreRecord::Mate(sign * (plies.clamp(0, 10_000) + 1) / 2));
    }
    let is_number = size.starts_with(|c: char| c.is_ascii_digit());
    let pawns = size.parse::<f64>().ok().filter(|_| is_number)?;
    Some(ScoreRecord::Cp(sign * (100.0 * pawns).round().min(1e6) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_a_match_runner_has_a_score_a_depth_and_a_time() {
        let read = |text| EngineNote::read(text);
        let note = |score, depth, seconds| EngineNote { score, depth, seconds };
        let plain = note(ScoreRecord::Cp(13), 12, 0.29);
        assert_eq!(read("+0.13/12 0.29s"), Some((plain, String::new())));
        assert_eq!(read("[%eval 0.2] +0.13/12 0.29s"), Some((plain, String::new())));
        let (mated, rest) = read("-M4/20 1.5s, White mates").expect("a note");
        assert_eq!((mated, &*rest), (note(ScoreRecord::Mate(-2), 20, 1.5), "White mates"));
        assert_eq!(read("0.00/30 3s").map(|(note, _)| note.score), Some(ScoreRecord::Cp(0)));
        for other in ["book", "a/b 2s", "+0.13/12", "12/3 4 sisters", "inf/1 1s", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn commands_are_removed_from_comments() {
        assert_eq!(without_commands("[%clk 0:01:02] good [%emt 3] move [%eval"), "good  move");
    }
}
