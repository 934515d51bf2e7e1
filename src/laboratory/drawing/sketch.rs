//! The tree that is drawn. A tree in brackets is drawn completely. In a chess tree a position has
//! thirty moves and a good search visits two of them, so siblings that no search has entered are
//! drawn as one bundle.

use std::collections::{HashMap, HashSet};

use shakmaty::{Move, Position as _};

use crate::chess::{ChessNode, ChessTree};
use crate::{ExplicitTree, GameTree, TreeBuilder};
use outrider_engine::position::san::format_san;
use outrider_tools::pages::board;

/// The tree that is drawn.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// Its shape. A bundle is a leaf of it.
    pub tree: ExplicitTree,
    /// Number of leaves of the searched tree.
    pub leaves: u64,
    /// Nodes of the sketch by their ranks in the searched tree.
    numbers: HashMap<u64, u32>,
    positions: Option<Vec<PositionInfo>>,
    black_below: bool,
}

/// Data of a node of a chess tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PositionInfo {
    /// Moves from the root to the node, in standard algebraic notation.
    pub line: Vec<String>,
    /// Pieces on the board, in FEN notation; for a bundle of several moves, before them.
    pub board: String,
    /// Origin and destination of the last move.
    pub moved: Option<[String; 2]>,
    /// Number of moves in the bundle, if no search has entered their nodes.
    pub bundle: Option<usize>,
}

impl PositionInfo {
    /// Text on the edge to the node.
    pub(super) fn label(&self) -> &str {
        match self.bundle {
            Some(2..) => "",
            _ => self.line.last().map_or("", String::as_str),
        }
    }
}

impl Sketch {
    /// Returns the sketch of a complete tree in brackets.
    pub(super) fn of_tree(tree: &ExplicitTree) -> Sketch {
        let numbers = (0..tree.nodes()).map(|node| (u64::from(node), node)).collect();
        Sketch {
            tree: tree.clone(),
            leaves: tree.leaves().into(),
            numbers,
            positions: None,
            black_below: false,
        }
    }

    /// Returns the sketch of a chess tree with this number of leaves: the nodes with the ranks in
    /// `entered` (including the root), and bundles of their other children. `None` if it has more
    /// nodes than the limit.
    pub(super) fn of_chess(
        tree: &ChessTree,
        leaves: u64,
        entered: &HashSet<u64>,
        max_nodes: usize,
    ) -> Option<Sketch> {
        let mut sketch_builder = SketchBuilder {
            tree,
            entered,
            max_nodes,
            builder: TreeBuilder::default(),
            numbers: HashMap::new(),
            positions: Vec::new(),
        };
        let root = tree.root();
        let info = PositionInfo {
            board: board::placement(root.board().chess()),
            ..PositionInfo::default()
        };
        sketch_builder.node(&root, info)?;
        let SketchBuilder { builder, numbers, positions, .. } = sketch_builder;
        let black_below = root.board().chess().turn().is_black();
        Some(Sketch {
            tree: builder.finish()?,
            leaves,
            numbers,
            positions: Some(positions),
            black_below,
        })
    }

    /// Returns the node for a rank of the searched tree. Several ranks of a bundle have the same
    /// node.
    ///
    /// # Panics
    ///
    /// Panics if no search has entered the node or its parent.
    pub(super) fn number(&self, rank: u64) -> u32 {
        self.numbers[&rank]
    }

    /// Returns true if boards are drawn with Black at the bottom, because Black is the root player.
    pub(super) fn is_black_below(&self) -> bool {
        self.black_below
    }

    /// Returns the data of all nodes, for chess.
    pub(super) fn positions(&self) -> Option<&[PositionInfo]> {
        self.positions.as_deref()
    }

    /// Returns the data of a node, for chess.
    pub(super) fn position(&self, node: u32) -> Option<&PositionInfo> {
        self.positions.as_ref().map(|positions| &positions[node as usize])
    }

    /// Returns the number of moves in a bundle, if the node is one.
    pub(super) fn bundle(&self, node: u32) -> Option<usize> {
        self.position(node).and_then(|position| position.bundle)
    }
}

/// Builds the sketch of a chess tree from left to right.
struct SketchBuilder<'a> {
    tree: &'a ChessTree,
    entered: &'a HashSet<u64>,
    max_nodes: usize,
    builder: TreeBuilder,
    numbers: HashMap<u64, u32>,
    positions: Vec<PositionInfo>,
}

impl SketchBuilder<'_> {
    /// Adds an entered node with its subtree. Returns `None` if the sketch becomes too large.
    fn node(&mut self, node: &ChessNode, info: PositionInfo) -> Option<()> {
        self.add(self.tree.rank(node), info.clone())?;
        let width = self.tree.width(node);
        if width == 0 {
            self.builder.leaf(self.tree.value(node));
            return Some(());
        }
        self.builder.open();
        let mut index = 0;
        while index < width {
            let child = self.tree.child(node, index);
            if self.entered.contains(&self.tree.rank(&child)) {
                self.node(&child, after(&info, node, node.mv(index), &child))?;
                index += 1;
            } else {
                index = self.bundle(node, &info, index, width)?;
            }
        }
        self.builder.close();
        Some(())
    }

    /// Adds a bundle of the children from `first` on; returns its end.
    fn bundle(
        &mut self,
        node: &ChessNode,
        info: &PositionInfo,
        first: usize,
        width: usize,
    ) -> Option<usize> {
        let ranks = (first..width).map(|index| self.tree.rank(&self.tree.child(node, index)));
        let ranks: Vec<u64> = ranks.take_while(|rank| !self.entered.contains(rank)).collect();
        let info = match ranks.len() {
            1 => after(info, node, node.mv(first), &self.tree.child(node, first)),
            _ => info.clone(),
        };
        let number = self.add(ranks[0], PositionInfo { bundle: Some(ranks.len()), ..info })?;
        self.numbers.extend(ranks.iter().map(|&rank| (rank, number)));
        // The value is unknown and never shown.
        self.builder.leaf(0);
        Some(first + ranks.len())
    }

    /// Adds a node or a bundle; returns its number.
    fn add(&mut self, rank: u64, info: PositionInfo) -> Option<u32> {
        let number = self.positions.len() as u32;
        self.numbers.insert(rank, number);
        self.positions.push(info);
        (self.positions.len() <= self.max_nodes).then_some(number)
    }
}

/// Returns the data of the node after a move.
fn after(info: &PositionInfo, node: &ChessNode, mv: Move, child: &ChessNode) -> PositionInfo {
    let mut line = info.line.clone();
    line.push(format_san(node.board().chess(), mv));
    let board = board::placement(child.board().chess());
    PositionInfo { line, board, moved: Some(board::squares(mv)), bundle: None }
}
