//! Report on one of several games: its row in a table, and its players' results by phase and clock.

use std::path::Path;

use serde::Serialize;
use shakmaty::{ByColor, Chess, Color, Position as _, Role};

use super::clocks::move_times;
use super::openings::opening;
use super::puzzles::Puzzle;
use super::{AnalysedGame, Fault, MissedChance, PlayerSummary, RepertoireCourse};
use crate::pages::{address, board};
use crate::pgn::AnnotatedGame;

/// Report on a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameReport {
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// Address of its page.
    pub page: String,
    /// Names of White and Black.
    pub players: [String; 2],
    pub result: String,
    /// Date of the tag, with `-` between its parts.
    pub date: String,
    pub opening: Option<String>,
    /// Number of full moves.
    pub moves: usize,
    /// Accuracy of White and Black, 0 to 100.
    pub accuracy: [Option<f64>; 2],
    /// Fault with the largest loss, if there is one.
    pub worst: Option<WorstMove>,
    /// Course of the game in the repertoire, if the game has a position of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repertoire: Option<RepertoireNote>,
    /// Puzzles made from its faults.
    #[serde(skip)]
    pub puzzles: Vec<Puzzle>,
    /// Report on each player's moves.
    #[serde(skip)]
    pub sides: ByColor<Option<SideReport>>,
}

/// The fault with the largest loss in a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WorstMove {
    /// Ply from 1, as in the address of the page.
    pub ply: usize,
    /// Move with its number: `12. Nf3`.
    pub name: String,
    pub fault: &'static str,
    /// Loss in percent of a point.
    pub loss: u32,
    /// Pieces before the move, as in a FEN.
    pub board: String,
    /// Start and target squares of the move.
    pub moved: [String; 2],
    pub by_black: bool,
}

/// Course of a game in the repertoire, for a table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RepertoireNote {
    /// Ply of the first move that left it, from 1, as in the address of the page; 0 if none did.
    pub ply: usize,
    /// This move and those of the repertoire: `5. d4, not Nf3 or c3`; `not left` if none left it.
    pub words: String,
}

impl RepertoireNote {
    fn new(course: &RepertoireCourse) -> RepertoireNote {
        match &course.departure {
            Some(departure) => RepertoireNote {
                ply: departure.ply + 1,
                words: format!("{}, not {}", departure.name, departure.expected_words()),
            },
            None => RepertoireNote { ply: 0, words: "not left".to_owned() },
        }
    }
}

/// Names of the ways in which a player's game may leave the repertoire, for a table.
pub(super) const DEPARTURES: [&str; 3] = ["Left by the player", "Left by the opponent", "Not left"];

/// A player's results in a game, in total and by phase and clock.
#[derive(Clone, Debug)]
pub(crate) struct SideReport {
    pub summary: PlayerSummary,
    /// By phase, in the order of [`PHASES`].
    pub phases: [Tally; 3],
    /// Moves with time on the clock, and moves in time trouble.
    pub clock: [Tally; 2],
    /// Points scored, if the result is known.
    pub points: Option<f64>,
    /// How the game left the repertoire, as an index into [`DEPARTURES`].
    pub departure: Option<usize>,
}

/// Phases of a game, for headings.
pub const PHASES: [&str; 3] = ["Opening", "Middlegame", "Endgame"];

/// Statistics of some moves of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Tally {
    pub moves: usize,
    /// Sum of the moves' accuracies.
    pub accuracies: f64,
    /// Number of faults of each kind, in the order of [`Fault::ALL`].
    pub faults: [usize; 3],
    /// Number of missed mates and of missed wins.
    pub missed: [usize; 2],
}

impl Tally {
    pub(super) fn add(&mut self, other: &Tally) {
        self.moves += other.moves;
        self.accuracies += other.accuracies;
        let counts = other.faults.into_iter().chain(other.missed);
        for (sum, count) in self.faults.iter_mut().chain(&mut self.missed).zip(counts) {
            *sum += count;
        }
    }

    /// Returns the mean accuracy of the moves, 0 to 100.
    pub(super) fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracies / self.moves as f64)
    }
}

impl GameReport {
    pub(crate) fn new(
        number: usize,
        game: &AnnotatedGame,
        analysed: &AnalysedGame,
        page: Option<&Path>,
    ) -> GameReport {
        let boards = game.positions();
        let summary = PlayerSummary::by_color(game, analysed);
        let sides = ByColor::new_with(|color| {
            summary[color].map(|summary| side_report(game, &boards, analysed, color, summary))
        });
        GameReport {
            number,
            page: page.map(address).unwrap_or_default(),
            players: Color::ALL.map(|color| game.player(color).to_owned()),
            result: game.result.clone(),
            date: date(game).unwrap_or_default(),
            opening: opening_name(game),
            moves: game.moves.len().div_ceil(2),
            accuracy: Color::ALL.map(|color| summary[color].map(|summary| summary.accuracy)),
            worst: worst(game, &boards, analysed),
            repertoire: analysed.repertoire.as_ref().map(RepertoireNote::new),
            puzzles: Vec::new(),
            sides,
        }
    }
}

impl GameReport {
    /// Replaces the names of the players, here and in the puzzles.
    pub(super) fn name_players(&mut self, usual: impl Fn(&str) -> String) {
        self.players.iter_mut().for_each(|name| *name = usual(name));
        self.puzzles.iter_mut().for_each(|puzzle| puzzle.name_player(&usual));
    }
}

/// Returns the name of the opening by the moves, or else by the tags.
pub(super) fn opening_name(game: &AnnotatedGame) -> Option<String> {
    let by_moves = opening(game).map(|(opening, _)| opening.name.clone());
    by_moves.or_else(|| game.tag("Opening").or_else(|| game.tag("ECO")).map(str::to_owned))
}

/// Returns the known parts of the date, joined by `-`.
pub(super) fn date(game: &AnnotatedGame) -> Option<String> {
    game.tag("Date").map(|date| date.replace(".??", "").replace('.', "-"))
}

fn worst(game: &AnnotatedGame, boards: &[Chess], analysed: &AnalysedGame) -> Option<WorstMove> {
    let loss = |ply: usize| analysed.judged[ply].loss;
    // Among equal losses the first is taken.
    let faults = analysed.faults(game).rev();
    let (ply, fault) = faults.max_by(|(one, _), (other, _)| loss(*one).total_cmp(&loss(*other)))?;
    Some(WorstMove {
        ply: ply + 1,
        name: game.move_name(ply, &boards[ply]),
        fault: fault.name(),
        loss: analysed.judged[ply].percent(),
        board: board::placement(&boards[ply]),
        moved: board::squares(game.moves[ply].mv),
        by_black: game.mover(ply).is_black(),
    })
}

/// Returns the results of each player by phase, in the order of [`PHASES`]; `None` for a player without a move.
pub(super) fn phases(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
) -> ByColor<Option<[Tally; PHASES.len()]>> {
    let sides = GameReport::new(1, game, analysed, None).sides;
    sides.map(|side| side.map(|side| side.phases))
}

fn side_report(
    game: &AnnotatedGame,
    boards: &[Chess],
    analysed: &AnalysedGame,
    color: Color,
    summary: PlayerSummary,
) -> SideReport {
    let times = move_times(game);
    let (mut phases, mut clock) = ([Tally::default(); 3], [Tally::default(); 2]);
    for ply in (0..game.moves.len()).filter(|&ply| game.mover(ply) == color) {
        let judged = &analysed.judged[ply];
        let faults = Fault::ALL.map(|fault| usize::from(judged.fault == Some(fault)));
        let chance = analysed.missed[ply].map(MissedChance::kind);
        let missed = [0, 1].map(|kind| usize::from(chance == Some(kind)));
        let tally = Tally { moves: 1, accuracies: judged.accuracy(), faults, missed };
        phases[phase(&boards[ply], ply)].add(&tally);
        if let Some(time) = times[ply] {
            clock[usize::from(time.in_trouble)].add(&tally);
        }
    }
    let points = match (&*game.result, color) {
        ("1/2-1/2", _) => Some(0.5),
        ("1-0", Color::White) | ("0-1", Color::Black) => Some(1.0),
        ("1-0" | "0-1", _) => Some(0.0),
        _ => None,
    };
    let departure = analysed.repertoire.as_ref().map(|course| match &course.departure {
        Some(departure) => usize::from(departure.by != color),
        None => 2,
    });
    SideReport { summary, phases, clock, points, departure }
}

/// Maximum number of pieces other than kings and pawns in an endgame, as on lichess.org (scalachess,
/// `Divider.scala`).
const ENDGAME_PIECES: usize = 6;
/// Number of plies of the opening.
const OPENING_PLIES: usize = 20;

/// Returns the phase of a position, as an index into [`PHASES`].
pub(super) fn phase(chess: &Chess, ply: usize) -> usize {
    let board = chess.board();
    let plain = board.by_role(Role::King) | board.by_role(Role::Pawn);
    match (board.occupied() & !plain).count() {
        ..=ENDGAME_PIECES => 2,
        _ if ply < OPENING_PLIES => 0,
        _ => 1,
    }
}
