//! The repertoire of `analyse`: its file, and the number of games that left it.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use shakmaty::Color;

use super::super::input::read_text;
use super::totals::count;
use crate::commands::failure::WrongInput;
use outrider_engine::text::shorten;
use outrider_tools::games::{DoneGame, PlayerKey, Repertoire};
use outrider_tools::input::decode_text;

/// Reads a repertoire. Reports variations that cannot be played to the end to `warnings`.
///
/// # Errors
///
/// Fails if the file cannot be read or is not a repertoire.
pub(super) fn read_repertoire(
    path: &Path,
    warnings: &mut dyn Write,
) -> anyhow::Result<Arc<Repertoire>> {
    let text = decode_text(read_text(path)?);
    let repertoire = Repertoire::read(&text)
        .map_err(|error| WrongInput(format!("{}: {error}", path.display())))?;
    if repertoire.broken_lines() > 0 {
        let variations = count(repertoire.broken_lines(), "variation ends", "variations end");
        // A warning that cannot be written does not stop the command.
        drop(writeln!(
            warnings,
            "{}: {variations} before a move that cannot be played",
            path.display()
        ));
    }
    Ok(Arc::new(repertoire))
}

/// Number of games by the way in which they left the repertoire.
#[derive(Default)]
pub(super) struct RepertoireTotals {
    /// Left by White and by Black, or by the requested player and by the opponents.
    left: [usize; 2],
    kept: usize,
    /// No position of the game is in the repertoire.
    outside: usize,
}

impl RepertoireTotals {
    /// Adds a game. With a requested player, departures are counted by the player instead of by color.
    pub(super) fn add(&mut self, done: &DoneGame<'_>, player: Option<&PlayerKey>) {
        let Some(course) = &done.repertoire else {
            self.outside += 1;
            return;
        };
        let Some(departure) = &course.departure else {
            self.kept += 1;
            return;
        };
        let is_first = match player {
            Some(player) => PlayerKey::new(done.game.player(departure.by)) == *player,
            None => departure.by == Color::White,
        };
        self.left[usize::from(!is_first)] += 1;
    }

    /// Writes one line; `player` is the requested player.
    pub(super) fn write(&self, player: Option<&str>, output: &mut dyn Write) -> io::Result<()> {
        let RepertoireTotals { left: [first, second], kept, outside } = self;
        let (one, other) = match player {
            Some(player) => (shorten(player), "opponents"),
            None => ("White".to_owned(), "Black"),
        };
        writeln!(
            output,
            "Repertoire: left first by {one} in {}, by {other} in {second}; not left in {kept}; not met in {outside}",
            count(*first, "game", "games")
        )
    }
}
