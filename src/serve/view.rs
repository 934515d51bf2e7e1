//! Positions and games in the form that the page receives.

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use super::game::{EndReason, Ending, Game, GameClock, KeptGame};
use outrider_engine::position::chess960;
use outrider_engine::position::notation::{format_fen, format_move};
use outrider_engine::position::san::format_san;
use outrider_tools::games::{Opening, opening, opening_of_position};
use outrider_tools::pages::board;
use outrider_tools::pgn;

/// A position and its legal moves.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PositionView {
    pub fen: String,
    /// Piece placement: the first field of the FEN.
    pub board: String,
    pub turn: &'static str,
    /// Square of the king in check.
    pub check: Option<String>,
    pub moves: Vec<LegalMove>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LegalMove {
    pub uci: String,
    pub san: String,
    pub from: String,
    /// Squares on which a drop of the piece makes this move. Castling accepts the rook's square, and also
    /// the king's destination unless another move uses that square.
    pub to: Vec<String>,
    pub promotion: Option<char>,
}

/// A played move and the board after it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlyView {
    /// Move number with dots: `12.` or `12...`.
    pub number: String,
    pub san: String,
    pub uci: String,
    pub board: String,
    pub fen: String,
    pub squares: [String; 2],
    pub check: Option<String>,
    /// Opening that ends with this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static Opening>,
}

pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

impl PositionView {
    pub(crate) fn new(chess: &Chess) -> PositionView {
        let legal = chess.legal_moves();
        PositionView {
            fen: format_fen(chess),
            board: board::placement(chess),
            turn: color_name(chess.turn()),
            check: check(chess),
            moves: legal.iter().map(|&mv| LegalMove::new(chess, mv, &legal)).collect(),
        }
    }
}

impl LegalMove {
    fn new(chess: &Chess, mv: Move, legal: &[Move]) -> LegalMove {
        let [from, target] = board::squares(mv);
        let mut to = vec![target];
        if let Move::Castle { king, rook } = mv {
            let is_other = |other: &Move| {
                other.from() == Some(king) && !other.is_castle() && other.to().to_string() == to[0]
            };
            if to[0] == king.to_string() || legal.iter().any(is_other) {
                to.clear();
            }
            if !to.contains(&rook.to_string()) {
                to.push(rook.to_string());
            }
        }
        LegalMove {
            uci: format_move(mv, chess.castles().mode()),
            san: format_san(chess, mv),
            from,
            to,
            promotion: mv.promotion().map(|role| role.char()),
        }
    }
}

/// Returns the square of the king of the side to move, if it is in check.
fn check(chess: &Chess) -> Option<String> {
    let king = chess.board().king_of(chess.turn()).filter(|_| chess.is_check());
    king.map(|square| square.to_string())
}

/// Returns the moves of a game with the board after each.
pub(crate) fn plies(record: &pgn::AnnotatedGame) -> Vec<PlyView> {
    let mode = record.start.castles().mode();
    let mut chess = record.start.clone();
    let each = record.moves.iter().enumerate();
    each.map(|(ply, played)| ply_view(&mut chess, played.mv, record.number(ply), mode)).collect()
}

/// Plays a move and returns its view.
pub(crate) fn ply_view(chess: &mut Chess, mv: Move, number: String, mode: CastlingMode) -> PlyView {
    let san = format_san(chess, mv);
    chess.play_unchecked(mv);
    PlyView {
        number,
        san,
        uci: format_move(mv, mode),
        board: board::placement(chess),
        fen: format_fen(chess),
        squares: board::squares(mv),
        check: check(chess),
        opening: opening_of_position(chess),
    }
}

/// A game in the form that the page receives.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameView {
    /// Increases with each change.
    pub version: u64,
    pub start: StartView,
    pub plies: Vec<PlyView>,
    pub position: PositionView,
    /// The human player's side.
    pub person: &'static str,
    pub names: [String; 2],
    pub elo: Option<i32>,
    pub clock: Option<ClockView>,
    /// The engine searches for its move or waits for threads to do so.
    pub thinking: bool,
    /// The engine waits for a free thread.
    pub waiting: bool,
    pub hint: Option<HintView>,
    /// Message about the player's last request or the engine.
    pub notice: Option<String>,
    pub ending: Option<EndingView>,
    pub kept: KeptGame,
}

/// A stored game in the form of an entry in the list of games.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SavedGameView {
    /// Date in PGN notation.
    pub date: String,
    pub names: [String; 2],
    /// The human player's side.
    pub person: &'static str,
    pub elo: Option<i32>,
    /// `None` for a game that can be continued.
    pub ending: Option<EndingView>,
    pub opening: Option<&'static Opening>,
    pub chess960: bool,
    /// Number of full moves.
    pub moves: usize,
    /// Last position.
    pub fen: String,
    /// Squares of the last move.
    pub squares: Option<[String; 2]>,
}

impl SavedGameView {
    pub(crate) fn new(game: &Game) -> SavedGameView {
        let record = &game.record;
        SavedGameView {
            date: record.tag("Date").unwrap_or_default().to_owned(),
            names: Color::ALL.map(|color| record.player(color).to_owned()),
            person: color_name(game.person),
            elo: game.elo,
            ending: game.ending.map(Into::into),
            opening: opening(record).map(|(opening, _)| opening),
            chess960: game.mode().is_chess960(),
            moves: record.moves.len().div_ceil(2),
            fen: format_fen(game.position().chess()),
            squares: record.moves.last().map(|played| board::squares(played.mv)),
        }
    }
}

/// Start position of a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StartView {
    pub fen: String,
    pub board: String,
    pub chess960: bool,
    /// Number of a start position of Chess960.
    pub number: Option<u32>,
}

/// Remaining time in milliseconds when the view is made.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClockView {
    pub white: u64,
    pub black: u64,
    /// The side whose clock runs.
    pub running: Option<&'static str>,
}

/// A move suggested to the player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HintView {
    pub san: String,
    pub squares: [String; 2],
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EndingView {
    pub reason: EndReason,
    pub text: String,
    pub result: &'static str,
}

impl From<Ending> for EndingView {
    fn from(ending: Ending) -> EndingView {
        EndingView { reason: ending.reason, text: ending.text(), result: ending.result() }
    }
}

impl StartView {
    pub(crate) fn new(chess: &Chess) -> StartView {
        let is_chess960 = chess.castles().mode().is_chess960();
        StartView {
            fen: format_fen(chess),
            board: board::placement(chess),
            chess960: is_chess960,
            number: if is_chess960 { chess960::number(chess) } else { None },
        }
    }
}

impl ClockView {
    pub(crate) fn new(clock: &GameClock, now: std::time::Instant) -> ClockView {
        let left = |color| clock.remaining(color, now).as_millis() as u64;
        ClockView {
            white: left(Color::White),
            black: left(Color::Black),
            running: clock.running().map(color_name),
        }
    }
}

impl HintView {
    pub(crate) fn new(game: &Game, mv: Move) -> HintView {
        HintView { san: format_san(game.position().chess(), mv), squares: board::squares(mv) }
    }
}

/// Returns the number of the next move with dots: `12.` or `12...`.
pub(crate) fn move_number(chess: &Chess) -> String {
    format!("{}{}", chess.fullmoves(), chess.turn().fold_wb(".", "..."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;

    fn castling(fen: &str) -> Vec<(String, Vec<String>)> {
        let view = PositionView::new(&parse_fen_any(fen).unwrap());
        let castles = view.moves.into_iter().filter(|mv| mv.san.starts_with("O-O"));
        castles.map(|mv| (mv.uci, mv.to)).collect()
    }

    #[test]
    fn castling_accepts_the_rooks_square_and_the_kings_destination_unless_that_is_ambiguous() {
        let standard = castling("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(standard, [("e1g1".to_owned(), vec!["g1".to_owned(), "h1".to_owned()])]);
        let adjacent = castling("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
        assert_eq!(adjacent, [("f1h1".to_owned(), vec!["h1".to_owned()])]);
        let king_on_g1 = castling("4k3/8/8/8/8/8/8/6KR w K - 0 1");
        assert_eq!(king_on_g1, [("g1h1".to_owned(), vec!["h1".to_owned()])]);
    }

    #[test]
    fn the_square_of_a_king_in_check_is_reported() {
        let view = PositionView::new(&parse_fen_any("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap());
        assert_eq!(view.check.as_deref(), Some("e8"));
    }
}
