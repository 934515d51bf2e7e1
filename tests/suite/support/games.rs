//! Random games, standard and Chess960, for property tests.

use std::fmt;

pub use outrider_engine::position::chess960::start as chess960_start;
use outrider_engine::position::notation::{format_fen, parse_fen_any};
use proptest::prelude::*;
use proptest::sample::select;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _, Role};

/// Positions with special rules: castling, promotion, en passant with pins, few pieces.
pub const SHARP: [&str; 10] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1",
];

/// A position and legal moves from it.
#[derive(Clone)]
pub struct Playout {
    /// Position before the first move.
    pub start: Chess,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Playout {
    /// Returns the position after the last move.
    pub fn end(&self) -> Chess {
        let mut chess = self.start.clone();
        for &mv in &self.moves {
            chess.play_unchecked(mv);
        }
        chess
    }

    /// Returns every position with the move played in it.
    pub fn steps(&self) -> impl Iterator<Item = (Chess, Move)> + '_ {
        self.moves.iter().scan(self.start.clone(), |chess, &mv| {
            let before = chess.clone();
            chess.play_unchecked(mv);
            Some((before, mv))
        })
    }
}

/// Formats it as a `position` command, so that a failure can be replayed.
impl fmt::Debug for Playout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position fen {} moves", format_fen(&self.start))?;
        let mode = self.start.castles().mode();
        self.moves.iter().try_for_each(|&mv| write!(f, " {}", UciMove::from_move(mv, mode)))
    }
}

/// Games of up to `longest` plies from all kinds of starting positions.
pub fn playouts(longest: usize) -> impl Strategy<Value = Playout> {
    let start = prop_oneof![
        1 => Just(Chess::default()),
        2 => (0..960_u32).prop_map(chess960_start),
        2 => select(&SHARP[..]).prop_map(|fen| parse_fen_any(fen).expect("a good FEN")),
    ];
    let choices = prop::collection::vec(any::<u16>(), 0..=longest);
    (start, choices).prop_map(|(start, choices)| play_out(start, &choices))
}

/// Final positions of random games.
pub fn positions(longest: usize) -> impl Strategy<Value = Chess> {
    playouts(longest).prop_map(|playout| playout.end())
}

fn play_out(start: Chess, choices: &[u16]) -> Playout {
    let mut chess = start.clone();
    let mut moves = Vec::new();
    for &choice in choices {
        let mut candidates = chess.legal_moves().to_vec();
        // Special moves are rare; here they are more frequent.
        let special: Vec<_> = candidates.iter().copied().filter(|&mv| is_special(mv)).collect();
        candidates.extend(special.iter().cycle().take(special.len() * 4));
        let Some(&mv) = candidates.get(usize::from(choice) % candidates.len().max(1)) else {
            break;
        };
        chess.play_unchecked(mv);
        moves.push(mv);
    }
    Playout { start, moves }
}

fn is_special(mv: Move) -> bool {
    let double_step = mv.role() == Role::Pawn
        && mv.from().is_some_and(|from| from.rank().distance(mv.to().rank()) == 2);
    mv.is_castle() || mv.is_en_passant() || mv.is_promotion() || double_step
}
