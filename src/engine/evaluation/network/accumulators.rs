//! The accumulators, that is the sums of the first layer, along the path of the search.
//!
//! Each push computes the accumulators of the next ply at once, in one pass for each perspective. Updating
//! them only when a value is needed saves a sixth of the passes and no time (`benches/record/speed.md`).
//! If a king's move changes its perspective's view, that is the order of the files or the king bucket, all
//! inputs change and the accumulator must be refreshed. The refresh table then has an accumulator of an
//! earlier board in the same view, and only the difference between the two boards is applied (Finny table,
//! accumulator cache).
//!
//! The weights of threats are not accumulated. A board has one threatened piece on average; updating
//! threats move by move would take as many additions, and also for positions that are not evaluated.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Board as Pieces, Color, Move, Piece, Position as _, Role, Square};

use super::features::View;
use super::{HiddenVector, Network, index, view};
use crate::position::{Attacks, Board, PieceChange, each_change};
use crate::units::{MAX_PLY, Score};

/// Number of entries: the search evaluates at plies 0 to [`MAX_PLY`].
const CAPACITY: usize = MAX_PLY + 1;

/// The accumulators of a [`Network`] along the path of a search, for at most [`MAX_PLY`] pushes.
pub struct Accumulators {
    network: Arc<Network>,
    stack: Box<[AccumulatorEntry]>,
    top: usize,
    /// Indexed by perspective and view.
    refresh_table: Box<[[RefreshEntry; View::COUNT]; 2]>,
}

/// The accumulators of one ply, by perspective.
#[derive(Clone, Copy)]
struct AccumulatorEntry {
    accumulators: [HiddenVector; 2],
    views: [View; 2],
}

/// An accumulator of the refresh table with the pieces of its board.
#[derive(Clone)]
struct RefreshEntry {
    accumulator: HiddenVector,
    pieces: Pieces,
}

impl Accumulators {
    /// Size in bytes, without the network.
    pub(crate) const SIZE: usize =
        CAPACITY * size_of::<AccumulatorEntry>() + 2 * View::COUNT * size_of::<RefreshEntry>();

    /// Creates accumulators for a network. They must be refreshed before use.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let first =
            AccumulatorEntry { accumulators: [network.biases; 2], views: [View::default(); 2] };
        let entry = |_| RefreshEntry { accumulator: network.biases, pieces: Pieces::empty() };
        let entries = || std::array::from_fn(entry);
        Accumulators {
            stack: vec![first; CAPACITY].into(),
            top: 0,
            refresh_table: Box::new([entries(), entries()]),
            network,
        }
    }

    /// Returns the network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Starts a new path from this board.
    pub fn refresh(&mut self, board: &Board) {
        self.top = 0;
        for perspective in Color::ALL {
            self.refresh_from_table(perspective, board);
        }
    }

    /// Adds a ply for a legal move that led to the board `after`.
    ///
    /// # Panics
    ///
    /// Panics after [`MAX_PLY`] pushes.
    pub fn push(&mut self, mv: Move, after: &Board) {
        let [mut removed, mut added] = [ChangedPieces::new(), ChangedPieces::new()];
        each_change(!after.chess().turn(), mv, |change| match change {
            PieceChange::Removed(piece, square) => removed.push((piece, square)),
            PieceChange::Added(piece, square) => added.push((piece, square)),
        });
        self.top += 1;
        for perspective in Color::ALL {
            let before = self.stack[self.top - 1].views[index(perspective)];
            if view(perspective, after.chess().board()) == before {
                self.advance(perspective, &removed, &added);
            } else {
                self.refresh_from_table(perspective, after);
            }
        }
    }

    /// Adds a ply for a null move.
    ///
    /// # Panics
    ///
    /// Panics after [`MAX_PLY`] pushes.
    pub fn push_null(&mut self) {
        self.stack.copy_within(self.top..=self.top, self.top + 1);
        self.top += 1;
    }

    /// Undoes the last push.
    ///
    /// # Panics
    ///
    /// May panic if there is none.
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// Computes the value of `board`, which must be the board after the pushes since the last refresh.
    /// The value is in centipawns for the side to move, within ±[`Score::MAX_STATIC`].
    pub fn value(&self, board: &Board) -> Score {
        self.value_with_attacks(board, &Attacks::of_both(board.chess().board()))
    }

    /// Like [`Accumulators::value`] where the attacks of both sides, White's first, are known.
    pub(crate) fn value_with_attacks(&self, board: &Board, attacks: &[Attacks; 2]) -> Score {
        let (pieces, turn) = (board.chess().board(), board.chess().turn());
        let accumulators = &self.stack[self.top].accumulators;
        let bucket = self.network.bucket(pieces);
        self.network.value_with(accumulators, pieces, attacks, turn, bucket)
    }

    /// Computes the accumulator of one perspective at the top from the accumulator of the previous ply.
    #[inline]
    fn advance(&mut self, perspective: Color, removed: &[PlacedPiece], added: &[PlacedPiece]) {
        let side = index(perspective);
        let Network { feature_weights, kernels, .. } = &*self.network;
        let (before, after) = self.stack.split_at_mut(self.top);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else { return };
        let view = before.views[side];
        after.views[side] = view;
        let row = |&(piece, square): &PlacedPiece| {
            &feature_weights[view.input(perspective, piece, square)]
        };
        let (source, target) = (&before.accumulators[side], &mut after.accumulators[side]);
        match (removed, added) {
            // Quiet move or promotion; capture; castling.
            ([from], [to]) => (kernels.add_sub)(source, target, row(from), row(to)),
            ([taken, from], [to]) => {
                (kernels.add_sub_sub)(source, target, [row(taken), row(from)], row(to));
            }
            ([king, rook], [king_to, rook_to]) => {
                let added = [row(king_to), row(rook_to)];
                (kernels.add_add_sub_sub)(source, target, [row(king), row(rook)], added);
            }
            _ => unreachable!("no other move exists"),
        }
    }

    /// Computes the accumulator of one perspective at the top from the refresh table.
    fn refresh_from_table(&mut self, perspective: Color, board: &Board) {
        let side = index(perspective);
        let view = view(perspective, board.chess().board());
        let entry = &mut self.refresh_table[side][view.index()];
        let pieces = board.chess().board();
        let [mut removed, mut added] = [ArrayVec::<u16, 64>::new(), ArrayVec::<u16, 64>::new()];
        for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
            let (then, now) = (entry.pieces.by_piece(piece), pieces.by_piece(piece));
            let feature = |square| view.input(perspective, piece, square) as u16;
            removed.extend((then & !now).into_iter().map(feature));
            added.extend((now & !then).into_iter().map(feature));
        }
        let Network { feature_weights, kernels, .. } = &*self.network;
        (kernels.update)(&mut entry.accumulator, feature_weights, &removed, &added);
        entry.pieces = pieces.clone();
        let top = &mut self.stack[self.top];
        top.accumulators[side] = entry.accumulator;
        top.views[side] = view;
    }
}

/// A piece and its square.
type PlacedPiece = (Piece, Square);

/// The pieces that one move removes or adds.
type ChangedPieces = ArrayVec<PlacedPiece, 2>;
