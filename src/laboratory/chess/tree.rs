//! The tree of the moves from a chess position, to a fixed depth.

use std::sync::Arc;

use once_cell::sync::OnceCell;
use shakmaty::{Chess, Move};

use super::ordering::OrderedMoves;
use super::static_value::static_value;
use crate::{GameTree, Value};
use outrider_engine::position::{Board, Key};
use outrider_engine::units::Score;

/// Value of a mate at the horizon, for the side that mates. A mate above the horizon is worth one
/// more for each ply of distance, so that a faster mate is better.
pub(super) const MATE: Value = Score::MATE.centipawns();

/// All continuations of a position, down to a horizon where a static value replaces the rest of the
/// game.
///
/// Mate and stalemate end the tree at any ply. Nothing else does: repetition, the fifty-move count
/// and dead positions are ignored, so that the value of a node depends only on the position and on
/// the remaining plies, not on the path to it. This makes a transposition table exact.
#[derive(Clone, Debug)]
pub struct ChessTree {
    root: ChessNode,
    depth: usize,
    grain: Value,
}

/// A position in a [`ChessTree`]. Cloning it copies a pointer.
#[derive(Clone, Debug)]
pub struct ChessNode(Arc<NodeData>);

#[derive(Debug)]
struct NodeData {
    board: Board,
    /// Generated on first use: with a table they may not be needed.
    moves: OnceCell<OrderedMoves>,
    depth: usize,
    /// One byte per ply, the first ply in the highest byte: 1 for the first move, 2 for the second.
    path: u64,
}

/// A path has one byte for each ply.
const PATH_BYTES: usize = size_of::<u64>();

impl ChessTree {
    /// Value of a mate at the horizon, for the side that mates; a faster mate is worth more.
    pub(crate) const MATE: Value = MATE;

    /// Maximum depth of a tree, in plies.
    pub const MAX_DEPTH: usize = PATH_BYTES;

    /// Returns the tree of a position, `depth` plies deep.
    ///
    /// # Panics
    ///
    /// Panics if `depth` is greater than [`ChessTree::MAX_DEPTH`].
    pub fn new(position: Chess, depth: usize) -> ChessTree {
        ChessTree { root: ChessNode::new(Board::new(position), 0, 0), depth: 0, grain: 1 }
            .to_depth(depth)
    }

    /// Returns the tree with static values rounded towards zero to a multiple of `grain`
    /// centipawns, at least 1. Mates are not rounded. Rounding keeps the order of values, so the
    /// value of the rounded tree is the rounded value of the tree.
    #[must_use]
    pub(crate) fn rounded(self, grain: Value) -> ChessTree {
        ChessTree { grain: grain.max(1), ..self }
    }

    /// Returns the tree of the same position with another depth.
    ///
    /// # Panics
    ///
    /// Panics if `depth` is greater than [`ChessTree::MAX_DEPTH`].
    #[must_use]
    pub(crate) fn to_depth(&self, depth: usize) -> ChessTree {
        assert!(depth <= ChessTree::MAX_DEPTH, "a path has a byte for each ply");
        ChessTree { depth, ..self.clone() }
    }

    /// Number of plies from a node to the horizon.
    pub(crate) fn remaining(&self, node: &ChessNode) -> usize {
        self.depth - node.0.depth
    }

    /// Returns the moves from the root to the node with this rank.
    pub fn line(&self, rank: u64) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = self.root();
        while let Some(index) = at.step_towards(rank) {
            line.push(at.mv(index));
            at = self.child(&at, index);
        }
        line
    }

    /// Returns the static value of a position for the side to move, rounded with the tree's grain.
    fn static_value(&self, board: &Board) -> Value {
        static_value(board.chess()) / self.grain * self.grain
    }

    /// Returns the value of a leaf for the side to move.
    fn value_for_mover(&self, leaf: &ChessNode) -> Value {
        let board = leaf.board();
        let remaining = self.remaining(leaf);
        if remaining == 0 && !board.legal_moves().is_empty() {
            self.static_value(board)
        } else if board.in_check() {
            -MATE - remaining as Value
        } else {
            0
        }
    }

    fn for_root_player(&self, node: &ChessNode, value: Value) -> Value {
        if self.is_max(node) { value } else { -value }
    }
}

impl ChessNode {
    fn new(board: Board, depth: usize, path: u64) -> ChessNode {
        ChessNode(Arc::new(NodeData { board, moves: OnceCell::new(), depth, path }))
    }

    /// The position as a board.
    pub fn board(&self) -> &Board {
        &self.0.board
    }

    /// Key of the position.
    pub(crate) fn key(&self) -> Key {
        self.board().key()
    }

    /// Moves in the tree's order, including those beyond the horizon.
    pub(crate) fn moves(&self) -> &OrderedMoves {
        self.0.moves.get_or_init(|| OrderedMoves::new(self.board()))
    }

    /// Returns the move with this index in the order.
    pub(crate) fn mv(&self, index: usize) -> Move {
        self.moves().all()[index]
    }

    /// Returns the index of the move with which the path to the node of this rank leaves this node,
    /// if the path passes the node and continues.
    pub(crate) fn step_towards(&self, rank: u64) -> Option<usize> {
        let above = u64::MAX.checked_shl(8 * (PATH_BYTES - self.0.depth) as u32).unwrap_or(0);
        let byte = rank.to_be_bytes().get(self.0.depth).copied().unwrap_or(0);
        if rank & above == self.0.path { usize::from(byte).checked_sub(1) } else { None }
    }
}

impl GameTree for ChessTree {
    type Node = ChessNode;

    fn root(&self) -> ChessNode {
        self.root.clone()
    }

    fn width(&self, node: &ChessNode) -> usize {
        if self.remaining(node) == 0 { 0 } else { node.moves().all().len() }
    }

    fn child(&self, node: &ChessNode, index: usize) -> ChessNode {
        let mut board = node.board().clone();
        board.play(node.mv(index));
        // No position has as many as 255 moves.
        let byte = (index as u64 + 1) << (8 * (PATH_BYTES - 1 - node.0.depth));
        ChessNode::new(board, node.0.depth + 1, node.0.path | byte)
    }

    fn value(&self, leaf: &ChessNode) -> Value {
        self.for_root_player(leaf, self.value_for_mover(leaf))
    }

    fn ply(&self, node: &ChessNode) -> usize {
        node.0.depth
    }

    fn height(&self) -> usize {
        self.depth
    }

    fn rank(&self, node: &ChessNode) -> u64 {
        node.0.path
    }

    fn estimate(&self, node: &ChessNode) -> Option<Value> {
        Some(self.for_root_player(node, self.static_value(node.board())))
    }
}
