//! Confirmation of reasons by a longer search.
//!
//! A reason follows from a line, and a line is only as reliable as the search that found it. A reason is
//! kept only if a search of about four times the length confirms it.

use std::collections::BTreeMap;

use super::examine::{position_at, search};
use super::reason::{Evidence, reason};
use super::{AnalysedGame, AnalysisSettings, faulty_move};
use crate::pgn::AnnotatedGame;
use outrider_engine::search::{Control, Engine, ThreadError};

/// Removes the reasons that a longer search does not confirm, until `control` is stopped. `known` contains
/// earlier results by ply; `on_reason` is called with each new result.
///
/// # Errors
///
/// Stops at the first error of `on_reason`. Fails if a search thread cannot be started.
pub(super) fn prove<E: From<ThreadError>>(
    game: &AnnotatedGame,
    analysed: &mut AnalysedGame,
    engine: &mut Engine,
    settings: AnalysisSettings,
    known: &BTreeMap<usize, bool>,
    control: &Control,
    on_reason: &mut dyn FnMut(usize, bool) -> Result<(), E>,
) -> Result<(), E> {
    let longer = AnalysisSettings { limit: settings.limit.longer(), multi_pv: 1, ..settings };
    let boards = game.positions();
    // Clears the hash table, so that a resumed run finds the same reasons.
    engine.new_game();
    for ply in (0..game.moves.len()).rev() {
        let Some(expected) = &analysed.reasons[ply] else {
            continue;
        };
        let plies_after = match expected.evidence {
            Evidence::Certainty => continue,
            Evidence::Refutation => 1,
            Evidence::MissedLine => 0,
        };
        let proven = match known.get(&ply) {
            Some(&proven) => proven,
            None => {
                let position = position_at(game, ply + plies_after);
                let confirmation = search(&position, engine, longer, control)?;
                if control.is_stopped() {
                    return Ok(());
                }
                let mut found = [&analysed.examined[ply], &analysed.examined[ply + 1]];
                found[plies_after] = &confirmation;
                let reason = reason(&faulty_move(game, &boards, ply, found));
                let proven = reason.as_ref() == Some(expected);
                on_reason(ply, proven)?;
                proven
            }
        };
        if !proven {
            analysed.reasons[ply] = None;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PositionLimit;
    use crate::games::{ExaminedPosition, ShownLines};
    use crate::pgn;
    use outrider_engine::evaluation::wdl::Wdl;
    use outrider_engine::position::san::parse_san;
    use outrider_engine::units::{Depth, Score};
    use shakmaty::{Chess, Position as _};

    const SETTINGS: AnalysisSettings = AnalysisSettings {
        limit: PositionLimit::Nodes(2_000),
        lines: ShownLines::Faults,
        multi_pv: 1,
        keep_verdicts: false,
    };

    /// A search result, which may be wrong.
    fn found(chess: &Chess, score: i32, expected: u16, line: &str) -> ExaminedPosition {
        let mut chess = chess.clone();
        let play = |san: &str| {
            let mv = parse_san(&chess, san).unwrap_or_else(|error| panic!("{san}: {error}"));
            chess.play_unchecked(mv);
            mv
        };
        let line = line.split_whitespace().map(play).collect();
        let wdl = Wdl { win: expected, draw: 1000 - expected, loss: 0 };
        ExaminedPosition {
            score: Score::new(score),
            wdl,
            line,
            depth: Depth::new(9),
            others: Vec::new(),
        }
    }

    /// The reason of Black's only move, before and after the longer search. The lines are the better one
    /// and the refutation.
    fn reason_before_and_after(
        fen: &str,
        mv: &str,
        better: &str,
        refutation: &str,
    ) -> [Option<String>; 2] {
        let text = format!("[FEN \"{fen}\"]\n\n1... {mv} *");
        let game = pgn::read(&pgn::games(&text)[0]).unwrap();
        let boards = game.positions();
        let examined =
            vec![found(&boards[0], 0, 0, better), found(&boards[1], 400, 900, refutation)];
        let mut analysed = AnalysedGame::new(&game, examined);
        let text = |analysed: &AnalysedGame| {
            analysed.reasons[0].as_ref().map(|reason| reason.text.clone())
        };
        let first = text(&analysed);
        let mut engine = Engine::new(1, 1).unwrap();
        let (known, control) = (BTreeMap::new(), Control::default());
        let ignored = &mut |_, _| Ok::<(), ThreadError>(());
        prove(&game, &mut analysed, &mut engine, SETTINGS, &known, &control, ignored).unwrap();
        [first, text(&analysed)]
    }

    #[test]
    fn a_reason_that_a_longer_search_refutes_is_removed() {
        let knight = Some("It leaves the knight on d5 to Rxd5.".to_owned());
        // If the rook captures, it leaves the first rank and allows Ra1#.
        let mate = "r5k1/5ppp/8/3n4/8/8/5PPP/3R2K1 b - - 0 1";
        let [first, proven] = reason_before_and_after(mate, "h6", "Nf6", "Rxd5 g6 h3");
        assert_eq!((first, proven), (knight.clone(), None));
        let bishop = "2b3k1/5ppp/8/3n4/8/8/5PPP/3R2K1 b - - 0 1";
        let [first, proven] = reason_before_and_after(bishop, "h6", "Nf6", "Rxd5 g6 h3");
        assert_eq!((first, proven), (knight.clone(), knight));
    }

    #[test]
    fn a_missed_line_that_a_longer_search_refutes_is_removed() {
        // If the queen captures the rook, it leaves the eighth rank and allows Ra8#.
        let mate = "6k1/3q1ppp/8/8/3R4/8/5PPP/R5K1 b - - 0 1";
        let [first, proven] = reason_before_and_after(mate, "g5", "Qxd4 h3 Qd2", "h3 Qe7");
        let missed = Some("It misses Qxd4, which wins the rook.".to_owned());
        assert_eq!((first, proven), (missed, None));
    }
}
