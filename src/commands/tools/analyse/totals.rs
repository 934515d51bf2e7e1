//! Results of players in several games, as text.

use std::collections::HashMap;

use outrider_engine::text::shorten;
use outrider_tools::games::{Fault, PHASES, PlayerKey, PlayerNames, PlayerSummary};

/// Results of a player in several games.
#[derive(Clone)]
pub(super) struct PlayerTotal {
    /// A spelling of the name.
    pub name: String,
    pub summary: PlayerSummary,
    /// Faults in the opening, the middlegame and the endgame.
    pub phases: [usize; 3],
}

impl PlayerTotal {
    fn add(&mut self, other: &PlayerTotal) {
        self.summary.add(&other.summary);
        self.phases.iter_mut().zip(other.phases).for_each(|(sum, count)| *sum += count);
    }

    /// Formats the faults by phase and the missed chances.
    pub(super) fn words(&self) -> String {
        totals_words(self.phases, self.summary.missed)
    }
}

/// Results of all players, in the order of their first games.
#[derive(Default)]
pub(super) struct PlayerTotals {
    totals: Vec<PlayerTotal>,
    /// Indices in `totals`.
    indices: HashMap<PlayerKey, usize>,
    names: PlayerNames,
}

impl PlayerTotals {
    /// Adds results of a player, who may have earlier ones under another spelling of the name.
    pub(super) fn add(&mut self, added: PlayerTotal) {
        self.names.add(&added.name);
        let index = *self.indices.entry(PlayerKey::new(&added.name)).or_insert(self.totals.len());
        match self.totals.get_mut(index) {
            Some(total) => total.add(&added),
            None => self.totals.push(added),
        }
    }

    /// Returns the results with the most frequent spelling of each name.
    pub(super) fn totals(&self) -> Vec<PlayerTotal> {
        let named = self.totals.iter().map(|total| {
            let name = self.names.usual(&total.name).to_owned();
            PlayerTotal { name, ..total.clone() }
        });
        named.collect()
    }
}

/// Formats the faults by phase and the missed chances of several players together.
pub(super) fn words_of_all(totals: &[PlayerTotal]) -> String {
    let (mut phases, mut missed) = ([0; 3], [0; 2]);
    for total in totals {
        phases.iter_mut().zip(total.phases).for_each(|(sum, count)| *sum += count);
        missed.iter_mut().zip(total.summary.missed).for_each(|(sum, count)| *sum += count);
    }
    totals_words(phases, missed)
}

fn totals_words(phases: [usize; 3], missed: [usize; 2]) -> String {
    let faults = phases.iter().sum::<usize>();
    let places = PHASES.iter().zip(phases).filter(|(_, count)| *count > 0);
    let places: Vec<_> =
        places.map(|(phase, count)| format!("{count} in the {}", phase.to_lowercase())).collect();
    let places =
        if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    let [mates, wins] = missed;
    let missed = match (mates, wins) {
        (0, 0) => String::new(),
        (mates, 0) => format!("; missed {}", count(mates, "mate", "mates")),
        (0, wins) => format!("; missed {}", count(wins, "win", "wins")),
        (mates, wins) => {
            format!("; missed {} and {}", count(mates, "mate", "mates"), count(wins, "win", "wins"))
        }
    };
    format!("{}{places}{missed}", count(faults, "fault", "faults"))
}

/// Formats a number with its noun.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a table with one line per player.
pub(super) fn table(players: &[PlayerTotal]) -> String {
    let names: Vec<_> = players.iter().map(|total| shorten(&total.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "  {:width$}  moves  accuracy  loss  inaccuracies  mistakes  blunders  missed\n",
        "player"
    );
    for (name, PlayerTotal { summary, .. }) in names.iter().zip(players) {
        let PlayerSummary { moves, accuracy, centipawn_loss, missed, .. } = summary;
        let missed = missed.iter().sum::<usize>();
        let [inaccuracies, mistakes, blunders] = Fault::ALL.map(|fault| summary.count(fault));
        text += &format!(
            "  {name:width$}  {moves:5}  {accuracy:6.1} %  {centipawn_loss:4.0}  \
             {inaccuracies:12}  {mistakes:8}  {blunders:8}  {missed:6}\n"
        );
    }
    text
}
