//! The accumulators, that is the first layer's sums, along the search's path.
//!
//! A push only records what the move changes. When they are wanted, each perspective goes back
//! to the last ply whose accumulator is known and forward again, one pass for each move, whatever
//! it removes and adds. If a king's move mirrors its perspective's files, all inputs change and the
//! accumulator must be refreshed: the refresh table has one that was computed earlier with files
//! that way, and only the difference between the boards then and now is added. Engines call this a
//! Finny table or accumulator cache.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Board as Pieces, Color, Move, Piece, Position as _, Role, Square};

use super::features::{feature, is_mirrored};
use super::{HiddenVector, Network};
use crate::engine::position::{Board, PieceChange, each_change};
use crate::engine::units::{MAX_PLY, Score};

/// The search evaluates at plies 0 to [`MAX_PLY`].
const CAPACITY: usize = MAX_PLY + 1;

/// The accumulators of a [`Network`] on the path of a search, which has at most [`MAX_PLY`] pushes.
pub struct Accumulators {
    network: Arc<Network>,
    stack: Box<[AccumulatorEntry]>,
    top: usize,
    /// By perspective and whether it sees the files mirrored.
    refresh_table: Box<[[RefreshEntry; 2]; 2]>,
}

/// One ply of the path; arrays of two are by perspective.
#[derive(Clone)]
struct AccumulatorEntry {
    accumulators: [HiddenVector; 2],
    known: [bool; 2],
    mirrored: [bool; 2],
    /// What the move that led here changed.
    removed: Placed,
    added: Placed,
}

type Placed = ArrayVec<(Piece, Square), 2>;

/// The accumulator of an earlier board, which mostly differs little from the next one.
#[derive(Clone)]
struct RefreshEntry {
    accumulator: HiddenVector,
    pieces: Pieces,
}

impl Accumulators {
    /// Their memory without the network, in bytes.
    pub(crate) const SIZE: usize =
        CAPACITY * size_of::<AccumulatorEntry>() + 4 * size_of::<RefreshEntry>();

    /// Accumulators of this network, to be refreshed before use.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let first = AccumulatorEntry {
            accumulators: [network.biases; 2],
            known: [false; 2],
            mirrored: [false; 2],
            removed: Placed::new(),
            added: Placed::new(),
        };
        let entry = || RefreshEntry { accumulator: network.biases, pieces: Pieces::empty() };
        let of_perspective = || [entry(), entry()];
        Accumulators {
            stack: vec![first; CAPACITY].into(),
            top: 0,
            refresh_table: Box::new([of_perspective(), of_perspective()]),
            network,
        }
    }

    /// The network whose accumulators they are.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Starts a new path from this board.
    pub fn refresh(&mut self, board: &Board) {
        self.top = 0;
        let pieces = board.chess().board();
        let top = &mut self.stack[0];
        top.known = [false; 2];
        top.mirrored = Color::ALL.map(|color| pieces.king_of(color).is_some_and(is_mirrored));
    }

    /// Records the legal move `mv`, about to be played on `before`.
    ///
    /// # Panics
    ///
    /// Panics beyond [`MAX_PLY`] pushes.
    pub fn push(&mut self, before: &Board, mv: Move) {
        let us = before.chess().turn();
        let top = self.next();
        each_change(us, mv, |change| match change {
            PieceChange::Removed(piece, square) => top.removed.push((piece, square)),
            PieceChange::Added(piece, square) => {
                if piece.role == Role::King {
                    top.mirrored[index(us)] = is_mirrored(square);
                }
                top.added.push((piece, square));
            }
        });
    }

    /// Records a null move.
    ///
    /// # Panics
    ///
    /// Panics beyond [`MAX_PLY`] pushes.
    pub fn push_null(&mut self) {
        self.next();
    }

    /// Undoes the last push.
    ///
    /// # Panics
    ///
    /// May panic if there is none.
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// Computes the accumulators of `board`, which is the one reached by the pushes since the last
    /// refresh. [`Accumulators::value`] does so by itself; a search can do it earlier, while it waits
    /// for something else.
    pub fn catch_up(&mut self, board: &Board) {
        for perspective in Color::ALL {
            self.catch_up_perspective(perspective, board);
        }
    }

    /// The value of `board`, which is the one reached by the pushes since the last refresh, in
    /// centipawns for the side to move, within ±[`Score::MAX_STATIC`].
    pub fn value(&mut self, board: &Board) -> Score {
        self.catch_up(board);
        let turn = board.chess().turn();
        let accumulators = &self.stack[self.top].accumulators;
        let bucket = self.network.bucket(board.chess().board());
        self.network.output(&accumulators[index(turn)], &accumulators[index(!turn)], bucket)
    }

    /// Computes the accumulator of one perspective at the top of the stack.
    fn catch_up_perspective(&mut self, perspective: Color, board: &Board) {
        let side = index(perspective);
        let mut at = self.top;
        while !self.stack[at].known[side] {
            let must_refresh =
                at == 0 || self.stack[at].mirrored[side] != self.stack[at - 1].mirrored[side];
            if must_refresh {
                return self.refresh_from_table(perspective, board);
            }
            at -= 1;
        }
        for next in at + 1..=self.top {
            self.advance(perspective, next);
        }
    }

    /// Computes the accumulator of a ply from that of the ply before it.
    fn advance(&mut self, perspective: Color, next: usize) {
        let side = index(perspective);
        let Network { feature_weights, kernels, .. } = &*self.network;
        let (before, after) = self.stack.split_at_mut(next);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else { return };
        let mirrored = after.mirrored[side];
        let row = |&(piece, square): &(Piece, Square)| {
            &feature_weights[feature(perspective, mirrored, piece, square)]
        };
        let (source, target) = (&before.accumulators[side], &mut after.accumulators[side]);
        match (&after.removed[..], &after.added[..]) {
            // A quiet move or a promotion, a capture, castling; nothing after a null move.
            ([from], [to]) => (kernels.add_sub)(source, target, row(from), row(to)),
            ([taken, from], [to]) => {
                (kernels.add_sub_sub)(source, target, [row(taken), row(from)], row(to));
            }
            ([king, rook], [king_to, rook_to]) => {
                let added = [row(king_to), row(rook_to)];
                (kernels.add_add_sub_sub)(source, target, [row(king), row(rook)], added);
            }
            _ => *target = *source,
        }
        after.known[side] = true;
    }

    /// Computes the accumulator at the top from the board that was refreshed last.
    fn refresh_from_table(&mut self, perspective: Color, board: &Board) {
        let side = index(perspective);
        let top = &mut self.stack[self.top];
        let mirrored = top.mirrored[side];
        let entry = &mut self.refresh_table[side][usize::from(mirrored)];
        let pieces = board.chess().board();
        let [mut removed, mut added] = [ArrayVec::<u16, 64>::new(), ArrayVec::<u16, 64>::new()];
        for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
            let (then, now) = (entry.pieces.by_piece(piece), pieces.by_piece(piece));
            let feature = |square| feature(perspective, mirrored, piece, square) as u16;
            removed.extend((then & !now).into_iter().map(feature));
            added.extend((now & !then).into_iter().map(feature));
        }
        let Network { feature_weights, kernels, .. } = &*self.network;
        (kernels.update)(&mut entry.accumulator, feature_weights, &removed, &added);
        entry.pieces = pieces.clone();
        top.accumulators[side] = entry.accumulator;
        top.known[side] = true;
    }

    /// Enters the next ply, with no change recorded yet.
    fn next(&mut self) -> &mut AccumulatorEntry {
        let mirrored = self.stack[self.top].mirrored;
        self.top += 1;
        let top = &mut self.stack[self.top];
        top.known = [false; 2];
        top.mirrored = mirrored;
        top.removed.clear();
        top.added.clear();
        top
    }
}

/// Where a perspective stands in a pair.
fn index(perspective: Color) -> usize {
    perspective.fold_wb(0, 1)
}
