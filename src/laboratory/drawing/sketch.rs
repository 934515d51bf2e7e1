//! The tree that is drawn. A tree in brackets is drawn whole; of a chess tree, in which a position
//! has thirty moves and a good search looks at two of them, siblings that no search has entered
//! are drawn as one bundle.

use std::collections::{HashMap, HashSet};

use shakmaty::{Move, Position as _};

use crate::engine::position::san::format_san;
use crate::laboratory::chess::{ChessNode, ChessTree};
use crate::laboratory::{ExplicitTree, GameTree, TreeBuilder};
use crate::tools::pages::board;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Its shape. A bundle is a leaf of it.
    pub tree: ExplicitTree,
    /// How many leaves the searched tree has.
    pub leaves: u64,
    /// The nodes of the sketch by their ranks in the searched tree.
    numbers: HashMap<u64, u32>,
    places: Option<Vec<Place>>,
    black_below: bool,
}

/// What is known of a node of a chess tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The moves that lead to it from the root, in short algebraic notation.
    pub line: Vec<String>,
    /// The pieces on the board, as a FEN has them; of several moves, before them.
    pub board: String,
    /// Where the last move began and ended.
    pub moved: Option<[String; 2]>,
    /// How many moves it stands for, if no search has entered what is behind them.
    pub bundle: Option<usize>,
}

impl Place {
    /// What stands on the edge that leads to the node.
    pub fn label(&self) -> &str {
        match self.bundle {
            Some(2..) => "",
            _ => self.line.last().map_or("", String::as_str),
        }
    }
}

impl Sketch {
    /// Of a tree in brackets: all of it.
    pub fn of_tree(tree: &ExplicitTree) -> Sketch {
        let numbers = (0..tree.nodes()).map(|node| (u64::from(node), node)).collect();
        Sketch {
            tree: tree.clone(),
            leaves: tree.leaves().into(),
            numbers,
            places: None,
            black_below: false,
        }
    }

    /// Of a chess tree with a number of leaves: the nodes with these ranks, the root among them, and
    /// bundles of their other children. Returns nothing if that were more nodes than the limit.
    pub fn of_chess(
        tree: &ChessTree,
        leaves: u64,
        entered: &HashSet<u64>,
        most_nodes: usize,
    ) -> Option<Sketch> {
        let mut drawer = Drawer {
            tree,
            entered,
            most_nodes,
            builder: TreeBuilder::default(),
            numbers: HashMap::new(),
            places: Vec::new(),
        };
        let root = tree.root();
        let place = Place { board: board::placement(root.board().chess()), ..Place::default() };
        drawer.node(&root, place)?;
        let Drawer { builder, numbers, places, .. } = drawer;
        let black_below = root.board().chess().turn().is_black();
        Some(Sketch { tree: builder.finish()?, leaves, numbers, places: Some(places), black_below })
    }

    /// The node that stands for that with a rank; a bundle may stand for several.
    ///
    /// # Panics
    ///
    /// Panics if there is none: no search has entered the node or its parent.
    pub fn number(&self, rank: u64) -> u32 {
        self.numbers[&rank]
    }

    /// Whether boards are drawn with Black below: if Black is the root player.
    pub fn is_black_below(&self) -> bool {
        self.black_below
    }

    /// What is known of the nodes, if it is chess.
    pub fn places(&self) -> Option<&[Place]> {
        self.places.as_deref()
    }

    /// What is known of a node, if it is chess.
    pub fn place(&self, node: u32) -> Option<&Place> {
        self.places.as_ref().map(|places| &places[node as usize])
    }

    /// How many moves a bundle stands for, if the node is one.
    pub fn bundle(&self, node: u32) -> Option<usize> {
        self.place(node).and_then(|place| place.bundle)
    }
}

/// Draws a chess tree from left to right.
struct Drawer<'a> {
    tree: &'a ChessTree,
    entered: &'a HashSet<u64>,
    most_nodes: usize,
    builder: TreeBuilder,
    numbers: HashMap<u64, u32>,
    places: Vec<Place>,
}

impl Drawer<'_> {
    /// Adds a node that was entered, with all below it. Returns nothing if the sketch grows too
    /// large.
    fn node(&mut self, node: &ChessNode, place: Place) -> Option<()> {
        self.add(self.tree.rank(node), place.clone())?;
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
                self.node(&child, after(&place, node, node.mv(index), &child))?;
                index += 1;
            } else {
                index = self.bundle(node, &place, index, width)?;
            }
        }
        self.builder.close();
        Some(())
    }

    /// Adds a bundle of the children from one on; returns where it ends.
    fn bundle(
        &mut self,
        node: &ChessNode,
        place: &Place,
        first: usize,
        width: usize,
    ) -> Option<usize> {
        let ranks = (first..width).map(|index| self.tree.rank(&self.tree.child(node, index)));
        let ranks: Vec<u64> = ranks.take_while(|rank| !self.entered.contains(rank)).collect();
        let place = match ranks.len() {
            1 => after(place, node, node.mv(first), &self.tree.child(node, first)),
            _ => place.clone(),
        };
        let number = self.add(ranks[0], Place { bundle: Some(ranks.len()), ..place })?;
        self.numbers.extend(ranks.iter().map(|&rank| (rank, number)));
        // What it is worth nobody knows, and nobody is shown it.
        self.builder.leaf(0);
        Some(first + ranks.len())
    }

    /// Adds a node or a bundle; returns its number.
    fn add(&mut self, rank: u64, place: Place) -> Option<u32> {
        let number = self.places.len() as u32;
        self.numbers.insert(rank, number);
        self.places.push(place);
        (self.places.len() <= self.most_nodes).then_some(number)
    }
}

/// What is known of the node behind a move.
fn after(place: &Place, node: &ChessNode, mv: Move, child: &ChessNode) -> Place {
    let mut line = place.line.clone();
    line.push(format_san(node.board().chess(), mv));
    let board = board::placement(child.board().chess());
    Place { line, board, moved: Some(board::squares(mv)), bundle: None }
}
