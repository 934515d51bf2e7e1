//! The line of play (PV) that is reported with a score: as the search found it, extended by moves of
//! the tables where it ended early.
//!
//! A line ends early where two searches with different windows contradicted each other. What the
//! table holds of the moves that follow was searched all the same. The line of a mate is always
//! complete: see `search_after_move` in `negascout.rs`.

use shakmaty::{Move, Position as _};

use super::worker::Worker;
use crate::engine::position::Position;
use crate::engine::units::{Depth, Ply, Score};

impl Worker<'_> {
    /// The line of the root move with this index and of this score, extended up to this depth.
    pub fn extended_pv(&mut self, index: usize, score: Score, depth: Depth) -> Vec<Move> {
        if score.is_decisive() && !score.is_mate() {
            return self.line_by_tablebases(index, score);
        }
        let mut position = self.position.clone();
        let mut moves = self.root_moves[index].playable_line(&mut position);
        if score.is_mate() {
            return moves;
        }
        while moves.len() < depth.plies() as usize
            && !position.is_drawn(Ply::ROOT)
            && let Some(mv) = self.table_move(&position, moves.len())
        {
            position.push(mv);
            moves.push(mv);
        }
        moves
    }

    /// The table's best move in a position `plies` plies from the root.
    fn table_move(&self, position: &Position, plies: usize) -> Option<Move> {
        let board = position.board();
        let entry = self.shared.table.probe(board.key(), Ply::new(plies), board.halfmoves())?;
        board.legal_move(entry.mv?)
    }
}

/// Whether these moves are the whole line of a mate that is announced: they end with it, at the
/// distance that the score says.
pub fn is_whole_mate(root: &Position, moves: &[Move], score: Score) -> bool {
    let mut chess = root.chess().clone();
    moves.iter().for_each(|&mv| chess.play_unchecked(mv));
    let distance = (Score::MATE - score.max(-score)) as usize;
    chess.is_checkmate() && moves.len() == distance
}
