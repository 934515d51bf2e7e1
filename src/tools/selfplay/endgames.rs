//! Endgames with a known result.
//!
//! Short searches cannot mate: with a few hundred nodes per move, king and queen against king ends by
//! the fifty-move rule about half of the time. An evaluation trained on such draws learns that the
//! queen is worth nothing there. So a bare king that faces mating material counts as lost. If endgame
//! tables are given (Syzygy, up to four pieces; Ronald de Man 2013), they determine the result.

use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::Wdl;

use super::game::GameResult;
use outrider_engine::evaluation::bare_king::winner_against_bare_king;
use outrider_engine::tablebases::{TablebaseError, Tablebases};

/// Largest number of pieces for which tables are probed. Their files are small enough to be read often,
/// and wrongly drawn games with more pieces are rare.
const MAX_TABLE_PIECES: usize = 4;

/// Known endgames. The default knows only bare kings.
#[derive(Default)]
pub struct Endgames {
    tables: Option<Tablebases>,
}

impl Endgames {
    /// Knows bare kings and the positions of these tables.
    pub fn with_tables(tables: Tablebases) -> Endgames {
        Endgames { tables: Some(tables) }
    }

    /// Returns true if there are tables.
    pub fn has_tables(&self) -> bool {
        self.tables.is_some()
    }

    /// Returns the result of a position with best play, if it is known. A win that needs more than fifty
    /// moves without a capture or pawn move is a draw. The position's own fifty-move counter is ignored.
    pub fn result(&self, chess: &Chess) -> Option<GameResult> {
        self.table_result(chess).or_else(|| {
            let winner = winner_against_bare_king(chess)?;
            Some(GameResult::from_winner(Some(winner)))
        })
    }

    /// Returns the result by the tables; `None` if there are too many pieces.
    fn table_result(&self, chess: &Chess) -> Option<GameResult> {
        let tables = self.tables.as_ref()?;
        if chess.board().occupied().count() > MAX_TABLE_PIECES {
            return None;
        }
        let winner = match tables.result(chess)? {
            Wdl::Win => Some(chess.turn()),
            Wdl::Loss => Some(!chess.turn()),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
        };
        Some(GameResult::from_winner(winner))
    }

    /// Checks that all tables probed so far could be read.
    ///
    /// # Errors
    ///
    /// Fails if a table could not be read. Its positions were then treated as unknown.
    pub fn check(&self) -> Result<(), TablebaseError> {
        let failure = self.tables.as_ref().and_then(Tablebases::failure);
        failure.map_or(Ok(()), |failure| Err(failure.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;

    fn result(fen: &str) -> Option<GameResult> {
        Endgames::default().result(&parse_fen_any(fen).unwrap())
    }

    #[test]
    fn a_bare_king_loses_against_mating_material() {
        for fen in [
            "8/8/3k4/8/8/8/1Q6/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1R6/K7 b - - 99 90",
            "8/8/3k4/8/8/8/1BB5/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1BN5/K7 b - - 0 1",
            "8/8/3k4/8/8/8/1RN1P3/K7 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            assert_eq!(result(fen), Some(GameResult::WhiteWins), "{fen}");
        }
        assert_eq!(result("8/8/3K4/8/8/8/1q6/k7 b - - 0 1"), Some(GameResult::BlackWins));
    }

    #[test]
    fn tables_distinguish_won_and_drawn_pawn_endings_and_ignore_the_fifty_move_counter() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/files/syzygy");
        let (tables, faults) = Tablebases::open(folder.as_ref());
        assert!(faults.is_empty(), "{faults:?}");
        let endgames = Endgames::with_tables(tables);
        for (fen, result) in [
            ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", GameResult::Draw),
            ("8/8/3k4/8/3K4/8/3P4/8 b - - 0 1", GameResult::WhiteWins),
            ("3k4/8/3K4/3P4/8/8/8/8 w - - 95 90", GameResult::WhiteWins),
            ("8/8/3k4/8/8/8/1R6/K7 w - - 99 90", GameResult::WhiteWins),
            ("8/8/3K4/8/8/8/1n6/k7 w - - 0 1", GameResult::Draw),
        ] {
            assert_eq!(endgames.result(&parse_fen_any(fen).unwrap()), Some(result), "{fen}");
        }
        assert_eq!(endgames.check(), Ok(()));
    }

    #[test]
    fn the_error_names_an_unreadable_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KPvK.rtbw");
        let good = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/files/syzygy/KPvK.rtbw");
        let mut bytes = std::fs::read(good).unwrap();
        bytes.truncate(80);
        std::fs::write(&path, bytes).unwrap();
        let (tables, faults) = Tablebases::open(folder.path().as_os_str());
        assert!(faults.is_empty(), "{faults:?}");
        let endgames = Endgames::with_tables(tables);
        assert_eq!(endgames.check(), Ok(()), "it was not probed yet");
        let fen = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1";
        assert_eq!(endgames.result(&parse_fen_any(fen).unwrap()), None);
        let error = endgames.check().unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
    }

    #[test]
    fn the_result_is_unknown_without_mating_material_or_with_a_second_defender() {
        for fen in [
            "8/8/3k4/8/8/8/1P6/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1NN5/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1B1B4/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1BP5/K7 w - - 0 1",
            "8/8/3k4/8/8/8/1NP5/K7 w - - 0 1",
            "8/8/3k2p1/8/8/8/1Q6/K7 w - - 0 1",
            "8/8/3k4/8/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(result(fen), None, "{fen}");
        }
    }

    #[test]
    fn the_result_is_unknown_if_the_bare_king_can_capture_or_is_stalemated() {
        let hanging = "8/8/8/8/3k4/4Q3/8/K7 b - - 0 1";
        assert_eq!(result(hanging), None);
        assert_eq!(result("8/8/8/8/3k4/4R3/8/K7 w - - 0 1"), Some(GameResult::WhiteWins));
        let guarded = "8/8/8/8/3k4/4Q3/4K3/8 b - - 0 1";
        assert_eq!(result(guarded), Some(GameResult::WhiteWins));
        assert_eq!(result("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), None, "stalemate");
        for fork in ["8/8/8/3Bk3/5N2/8/8/K7 w - - 0 1", "8/8/8/3Bk3/8/8/8/KN6 b - - 0 1"] {
            assert_eq!(result(fork), None, "{fork}");
        }
    }
}
