//! The first layer's sums along the search's path.
//!
//! A push only notes what the move changes. When a value is asked for, each perspective goes back
//! to the last ply whose sums are known and forward again, one pass over the sums for each move,
//! whatever it removes and adds. A perspective that sees its files mirrored by a move of its king
//! must begin anew: it takes the sums that it had when it last began so, and the difference between
//! the boards then and now.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Board as Pieces, Color, Move, Piece, Position as _, Role, Square};

use super::features::{feature, is_mirrored};
use super::{Network, Units};
use crate::position::{Board, PieceChange, each_change};
use crate::units::{MAX_PLY, Score};

/// Room for the greatest depth of a search and what it looks ahead beyond.
const CAPACITY: usize = MAX_PLY + 16;

/// Follows a search with the sums of a [`Network`]'s first layer.
///
/// Holds as many pushes as a search can nest and panics beyond.
pub struct Accumulators {
    network: Arc<Network>,
    plies: Box<[Ply]>,
    top: usize,
    /// By perspective and whether it sees the files mirrored.
    beginnings: Box<[[Beginning; 2]; 2]>,
}

/// A ply of the path; pairs are by perspective.
#[derive(Clone)]
struct Ply {
    sums: [Units; 2],
    known: [bool; 2],
    mirrored: [bool; 2],
    /// What the move that led here changed.
    removed: Placed,
    added: Placed,
}

type Placed = ArrayVec<(Piece, Square), 2>;

/// The sums of some board from which others are not far.
#[derive(Clone)]
struct Beginning {
    sums: Units,
    pieces: Pieces,
}

impl Accumulators {
    /// The memory that they take beside the network, in bytes.
    pub const SIZE: usize = CAPACITY * size_of::<Ply>() + 4 * size_of::<Beginning>();

    /// Sums of this network, to be refreshed before use.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let ply = Ply {
            sums: [network.biases; 2],
            known: [false; 2],
            mirrored: [false; 2],
            removed: Placed::new(),
            added: Placed::new(),
        };
        let beginning = || Beginning { sums: network.biases, pieces: Pieces::empty() };
        let of_perspective = || [beginning(), beginning()];
        Accumulators {
            plies: vec![ply; CAPACITY].into(),
            top: 0,
            beginnings: Box::new([of_perspective(), of_perspective()]),
            network,
        }
    }

    /// The network whose sums they are.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Forgets the path and starts from this board.
    pub fn refresh(&mut self, board: &Board) {
        self.top = 0;
        let pieces = board.chess().board();
        let ply = &mut self.plies[0];
        ply.known = [false; 2];
        ply.mirrored = Color::ALL.map(|color| pieces.king_of(color).is_some_and(is_mirrored));
    }

    /// The legal move `mv` is about to be played on `before`.
    ///
    /// # Panics
    ///
    /// Panics if a search cannot nest so many pushes.
    pub fn push(&mut self, before: &Board, mv: Move) {
        let us = before.chess().turn();
        let ply = self.next();
        each_change(us, mv, |change| match change {
            PieceChange::Removed(piece, square) => ply.removed.push((piece, square)),
            PieceChange::Added(piece, square) => {
                if piece.role == Role::King {
                    ply.mirrored[index(us)] = is_mirrored(square);
                }
                ply.added.push((piece, square));
            }
        });
    }

    /// A null move is played.
    ///
    /// # Panics
    ///
    /// Panics if a search cannot nest so many pushes.
    pub fn push_null(&mut self) {
        self.next();
    }

    /// The last move or null move is taken back.
    ///
    /// # Panics
    ///
    /// May panic if there is none.
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// The value of `board`, which is the one reached by the pushes since the last refresh, in
    /// centipawns for the side to move, within ±[`Score::MAX_STATIC`].
    pub fn value(&mut self, board: &Board) -> Score {
        for perspective in Color::ALL {
            self.catch_up(perspective, board);
        }
        let turn = board.chess().turn();
        let sums = &self.plies[self.top].sums;
        let bucket = self.network.bucket(board.chess().board());
        self.network.output(&sums[index(turn)], &sums[index(!turn)], bucket)
    }

    /// Makes the sums of one perspective known at the top.
    fn catch_up(&mut self, perspective: Color, board: &Board) {
        let side = index(perspective);
        let mut at = self.top;
        while !self.plies[at].known[side] {
            let begins =
                at == 0 || self.plies[at].mirrored[side] != self.plies[at - 1].mirrored[side];
            if begins {
                return self.begin(perspective, board);
            }
            at -= 1;
        }
        for next in at + 1..=self.top {
            self.advance(perspective, next);
        }
    }

    /// The sums of a ply from those of the ply before it.
    fn advance(&mut self, perspective: Color, next: usize) {
        let side = index(perspective);
        let Network { rows, kernels, .. } = &*self.network;
        let (before, after) = self.plies.split_at_mut(next);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else { return };
        let mirrored = after.mirrored[side];
        let row = |&(piece, square): &(Piece, Square)| {
            &rows[feature(perspective, mirrored, piece, square)]
        };
        let (source, target) = (&before.sums[side], &mut after.sums[side]);
        match (&after.removed[..], &after.added[..]) {
            ([from], [to]) => (kernels.moved)(source, target, row(from), row(to)),
            ([taken, from], [to]) => {
                (kernels.captured)(source, target, [row(taken), row(from)], row(to));
            }
            ([king, rook], [king_to, rook_to]) => {
                let added = [row(king_to), row(rook_to)];
                (kernels.castled)(source, target, [row(king), row(rook)], added);
            }
            _ => *target = *source,
        }
        after.known[side] = true;
    }

    /// The sums of the top from those of the board that was last begun with.
    fn begin(&mut self, perspective: Color, board: &Board) {
        let side = index(perspective);
        let top = &mut self.plies[self.top];
        let mirrored = top.mirrored[side];
        let beginning = &mut self.beginnings[side][usize::from(mirrored)];
        let pieces = board.chess().board();
        let [mut removed, mut added] = [ArrayVec::<u16, 64>::new(), ArrayVec::<u16, 64>::new()];
        for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
            let (then, now) = (beginning.pieces.by_piece(piece), pieces.by_piece(piece));
            let feature = |square| feature(perspective, mirrored, piece, square) as u16;
            removed.extend((then & !now).into_iter().map(feature));
            added.extend((now & !then).into_iter().map(feature));
        }
        let Network { rows, kernels, .. } = &*self.network;
        (kernels.changed)(&mut beginning.sums, rows, &removed, &added);
        beginning.pieces = pieces.clone();
        top.sums[side] = beginning.sums;
        top.known[side] = true;
    }

    /// The next ply, where nothing is known yet and nothing changed.
    fn next(&mut self) -> &mut Ply {
        let mirrored = self.plies[self.top].mirrored;
        self.top += 1;
        let ply = &mut self.plies[self.top];
        ply.known = [false; 2];
        ply.mirrored = mirrored;
        ply.removed.clear();
        ply.added.clear();
        ply
    }
}

/// Where a perspective stands in a pair.
fn index(perspective: Color) -> usize {
    perspective.fold_wb(0, 1)
}
