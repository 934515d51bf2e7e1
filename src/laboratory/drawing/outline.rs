//! A searched chess tree as data: what NegaScout entered, folded to a number of nodes, and the leaves that
//! its null windows saved. A page shows it next to a board.

use std::collections::{HashMap, HashSet, VecDeque};

use serde::Serialize;
use shakmaty::Position as _;

use super::record::NodeResult;
use super::searches::DrawError;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::chess::{ChessNode, ChessTree};
use crate::{GameTree, Observer, Pass, SearchCounts, Value, Window};
use outrider_engine::position::notation::format_move;
use outrider_engine::position::san::format_san;

/// Maximum number of nodes of a tree that is searched.
const MAX_SEARCHED: u64 = 300_000;

/// Maximum number of nodes in an outline; deeper ones are folded.
const MAX_NODES: usize = 400;

/// Maximum depth in plies. Small endgames would allow more.
const MAX_DEPTH: usize = 6;

/// The search of a position by NegaScout.
#[derive(Clone, Debug, Serialize)]
pub struct Outline {
    /// Depth of the tree in plies.
    pub depth: usize,
    /// Number of leaves of the tree.
    pub leaves: u64,
    /// Number of leaf evaluations by NegaScout; a leaf that is evaluated twice counts twice.
    pub evaluated: u64,
    /// Number of leaf evaluations by alpha-beta, which searches the same moves in the same order without null
    /// windows.
    pub without_null_window: u64,
    /// The position.
    pub root: OutlineNode,
}

/// A node that the search entered.
#[derive(Clone, Debug, Serialize)]
pub struct OutlineNode {
    /// Move that leads to the node, in standard algebraic notation; empty for the root.
    pub san: String,
    /// The same move in long algebraic notation.
    pub uci: String,
    /// Value from White's point of view in pawns, or a bound of it: `≥+0.35`. `None` if the search gave none.
    pub value: Option<String>,
    /// All searches of the node had null windows.
    pub null_window: bool,
    /// Number of searches of the node.
    pub searches: u32,
    /// Number of leaf evaluations in the subtree.
    pub evaluated: u64,
    /// Number of moves that were cut off.
    pub cut: usize,
    /// Number of entered nodes below this one that are not in the outline.
    pub folded: usize,
    /// The node is on the principal variation.
    pub principal: bool,
    /// Nodes after it, in the order of the tree.
    pub children: Vec<OutlineNode>,
}

impl Outline {
    /// Searches a position as deeply as an outline allows, at least one ply.
    ///
    /// # Errors
    ///
    /// Fails if the tree of depth 1 is too large, which no legal position has.
    pub fn deepest(position: &shakmaty::Chess) -> Result<Outline, DrawError> {
        let mut found = None;
        let mut nodes = 0;
        for depth in 1..=MAX_DEPTH {
            let tree = ChessTree::new(position.clone(), depth);
            let size = TreeSize::of(&tree, MAX_SEARCHED);
            // A tree that does not grow ends with mates and stalemates.
            if size.nodes > MAX_SEARCHED || size.nodes == nodes {
                break;
            }
            nodes = size.nodes;
            found = Some((tree, size.leaves));
        }
        let (tree, leaves) = found.ok_or(DrawError::TooLargeToSearch)?;
        Ok(Outline::new(&tree, leaves))
    }

    fn new(tree: &ChessTree, leaves: u64) -> Outline {
        let settings = AlgorithmSettings::default();
        let mut trace = Trace::default();
        Algorithm::NegaScoutGuarded.solve(tree, &settings, &mut trace);
        let mut counts = SearchCounts::default();
        Algorithm::AlphaBetaSoft.solve(tree, &settings, &mut counts);
        let folding = Folding::new(&trace, tree.rank(&tree.root()));
        let builder = OutlineBuilder { tree, trace: &trace, folding: &folding };
        let root = builder.node(&tree.root(), String::new(), String::new());
        Outline {
            depth: tree.height(),
            leaves,
            evaluated: root.evaluated,
            without_null_window: counts.leaves,
            root,
        }
    }
}

/// Number of nodes and leaves of a tree. The counting stops soon after `max` nodes.
struct TreeSize {
    nodes: u64,
    leaves: u64,
    max: u64,
}

impl TreeSize {
    fn of(tree: &ChessTree, max: u64) -> TreeSize {
        let mut size = TreeSize { nodes: 0, leaves: 0, max };
        size.add(tree, &tree.root());
        size
    }

    fn add(&mut self, tree: &ChessTree, node: &ChessNode) {
        self.nodes += 1;
        let width = tree.width(node);
        self.leaves += u64::from(width == 0);
        if width > 0 && tree.remaining(node) == 1 {
            self.nodes += width as u64;
            self.leaves += width as u64;
            return;
        }
        for index in 0..width {
            if self.nodes > self.max {
                return;
            }
            self.add(tree, &tree.child(node, index));
        }
    }
}

/// Observes a search and keeps the entered nodes by rank.
#[derive(Default)]
struct Trace {
    nodes: HashMap<u64, TracedNode>,
    /// Node that the search left last.
    left: u64,
}

/// Searches of a node.
#[derive(Clone, Copy)]
struct TracedNode {
    /// Window of the last search.
    window: Window,
    searches: u32,
    null_window: bool,
    evaluations: u64,
    result: Option<NodeResult>,
    /// Best child of the last search that found one.
    best: Option<u64>,
}

impl Observer<ChessTree> for Trace {
    fn enter(&mut self, tree: &ChessTree, node: &ChessNode, window: Window, _pass: Pass) {
        let new = TracedNode {
            window,
            searches: 0,
            null_window: true,
            evaluations: 0,
            result: None,
            best: None,
        };
        let traced = self.nodes.entry(tree.rank(node)).or_insert(new);
        traced.window = window;
        traced.searches += 1;
        traced.null_window &= window.is_null();
    }

    fn evaluate(&mut self, tree: &ChessTree, leaf: &ChessNode, _value: Value) {
        if let Some(traced) = self.nodes.get_mut(&tree.rank(leaf)) {
            traced.evaluations += 1;
        }
    }

    fn improve(&mut self, tree: &ChessTree, node: &ChessNode, _best: Value) {
        if let Some(traced) = self.nodes.get_mut(&tree.rank(node)) {
            traced.best = Some(self.left);
        }
    }

    fn leave(&mut self, tree: &ChessTree, node: &ChessNode, value: Value) {
        self.left = tree.rank(node);
        if let Some(traced) = self.nodes.get_mut(&tree.rank(node)) {
            traced.result = Some(match tree.width(node) {
                0 => NodeResult::Exact(tree.value(node)),
                _ => NodeResult::new(value, traced.window),
            });
        }
    }
}

/// The part of a traced tree that is shown.
struct Folding {
    /// Nodes with children that are all shown.
    unfolded: HashSet<u64>,
    /// Nodes of the principal variation.
    principal: HashSet<u64>,
    /// Number of leaf evaluations in the subtree of each node.
    evaluated: HashMap<u64, u64>,
    /// Number of entered nodes below each node.
    below: HashMap<u64, usize>,
}

impl Folding {
    fn new(trace: &Trace, root: u64) -> Folding {
        let mut ranks: Vec<u64> = trace.nodes.keys().copied().collect();
        ranks.sort_unstable();
        let mut children: HashMap<u64, Vec<u64>> = HashMap::new();
        let (mut evaluated, mut below) = (HashMap::new(), HashMap::new());
        for rank in ranks.iter().copied().filter(|&rank| rank != root) {
            children.entry(parent(rank)).or_default().push(rank);
        }
        // A node has a lower rank than the nodes below it.
        for &rank in ranks.iter().rev() {
            let after = children.get(&rank).map_or(&[][..], Vec::as_slice);
            let own = trace.nodes[&rank].evaluations;
            evaluated.insert(rank, own + after.iter().map(|child| evaluated[child]).sum::<u64>());
            below.insert(rank, after.iter().map(|child| 1 + below[child]).sum::<usize>());
        }
        let next = |rank: &u64| trace.nodes.get(rank).and_then(|traced| traced.best);
        let principal: Vec<u64> = std::iter::successors(Some(root), next).collect();
        let mut unfolded = HashSet::new();
        let mut shown = 1;
        let mut unfold = |rank: u64| {
            let after = children.get(&rank).map_or(&[][..], Vec::as_slice);
            let fits = unfolded.contains(&rank) || shown + after.len() <= MAX_NODES;
            if fits && unfolded.insert(rank) {
                shown += after.len();
            }
            if fits { after } else { &[] }
        };
        for &rank in &principal {
            unfold(rank);
        }
        // Then ply by ply, so that folded parts are deep ones.
        let mut queue = VecDeque::from([root]);
        while let Some(rank) = queue.pop_front() {
            queue.extend(unfold(rank));
        }
        Folding { unfolded, principal: principal.into_iter().collect(), evaluated, below }
    }
}

/// Returns the rank of the node before: the rank without its last move.
fn parent(rank: u64) -> u64 {
    rank & !(0xff << (rank.trailing_zeros() / 8 * 8))
}

/// Builds the nodes of an outline.
struct OutlineBuilder<'a> {
    tree: &'a ChessTree,
    trace: &'a Trace,
    folding: &'a Folding,
}

impl OutlineBuilder<'_> {
    fn node(&self, node: &ChessNode, san: String, uci: String) -> OutlineNode {
        let rank = self.tree.rank(node);
        let width = self.tree.width(node);
        let is_unfolded = self.folding.unfolded.contains(&rank);
        let chess = node.board().chess();
        let mut children = Vec::new();
        let mut cut = 0;
        for index in 0..width {
            let child = self.tree.child(node, index);
            if !self.trace.nodes.contains_key(&self.tree.rank(&child)) {
                cut += 1;
            } else if is_unfolded {
                let mv = node.mv(index);
                let uci = format_move(mv, chess.castles().mode());
                children.push(self.node(&child, format_san(chess, mv), uci));
            }
        }
        let traced = self.trace.nodes.get(&rank);
        OutlineNode {
            san,
            uci,
            value: traced.and_then(|traced| traced.result).map(|result| self.in_pawns(result)),
            null_window: traced.is_some_and(|traced| traced.null_window),
            searches: traced.map_or(0, |traced| traced.searches),
            evaluated: self.folding.evaluated.get(&rank).copied().unwrap_or(0),
            cut,
            folded: if is_unfolded {
                0
            } else {
                self.folding.below.get(&rank).copied().unwrap_or(0)
            },
            principal: self.folding.principal.contains(&rank),
            children,
        }
    }

    /// Returns a result from White's point of view in pawns.
    fn in_pawns(&self, result: NodeResult) -> String {
        let is_white = self.tree.root().board().chess().turn().is_white();
        let (sign, value) = match result {
            NodeResult::Exact(value) => ("", value),
            NodeResult::AtLeast(value) if is_white => ("≥", value),
            NodeResult::AtLeast(value) => ("≤", value),
            NodeResult::AtMost(value) if is_white => ("≤", value),
            NodeResult::AtMost(value) => ("≥", value),
            NodeResult::Estimate(value) => ("≈", value),
        };
        let value = if is_white { value } else { -value };
        let text = match value.abs() {
            mate if mate >= ChessTree::MATE => {
                if value > 0 { "White mates" } else { "Black mates" }.to_owned()
            }
            0 => "0.00".to_owned(),
            _ => format!("{:+.2}", f64::from(value) / 100.0),
        };
        format!("{sign}{text}")
    }
}
