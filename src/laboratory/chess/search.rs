//! One pass of a search over a [`ChessTree`], with the enhancements of its method.
//!
//! Without enhancements this is the laboratory's alpha-beta, NegaScout and PVS, move by move. The
//! enhancements change which leaves are visited, but never the value.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use shakmaty::{Color, Move, Position as _};

use super::method::{BaseAlgorithm, Method, TableUse};
use super::table::{PositionBounds, UnboundedTable};
use super::tree::{ChessNode, ChessTree};
use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Minimum remaining depth for enhanced cut-offs. They look up all children, which costs time, and
/// at the lowest ply each could save only one leaf.
const ENHANCED_CUTOFF_DEPTH: usize = 2;
/// Maximum remaining depth of a node at which the value of a null-window search that fails high is
/// exact.
const EXACT_SCOUT_DEPTH: usize = 2;

/// Indices of a node's moves, in search order.
type MoveIndices = ArrayVec<u8, 256>;

/// State that one pass of a search leaves to the next.
#[derive(Default)]
pub(super) struct SearchState {
    pub table: UnboundedTable,
    killers: [ArrayVec<Move, 2>; ChessTree::MAX_DEPTH],
    history: History,
    /// Rank of the node at the end of the last search's best line.
    pub principal_variation: u64,
    /// For each depth of the current path: rank of the node at the end of the best line.
    lines: [u64; ChessTree::MAX_DEPTH + 1],
}

/// Weighted number of refutations of each move, by side, origin and destination.
struct History(Box<[[[u64; 64]; 64]; 2]>);

/// A pass: one search of the root with one window.
pub(super) struct ChessSearch<'a, O: Observer<ChessTree>> {
    walk: Walk<'a, ChessTree, O>,
    method: &'a Method,
    state: &'a mut SearchState,
}

impl<'a, O: Observer<ChessTree>> ChessSearch<'a, O> {
    /// Creates a search that has not begun.
    pub(super) fn new(
        tree: &'a ChessTree,
        method: &'a Method,
        state: &'a mut SearchState,
        observer: &'a mut O,
    ) -> Self {
        ChessSearch { walk: Walk::new(tree, observer), method, state }
    }

    /// Returns the value of the tree if it is in the window, otherwise a bound, from the root
    /// player's side.
    pub(super) fn pass(&mut self, window: Window) -> Value {
        let value = self.visit(&self.walk.tree.root(), window, Pass::Open);
        // If the search failed low, no move was found to be best.
        if value > window.alpha {
            self.state.principal_variation = self.state.lines[0];
        }
        value
    }

    /// Fail-soft search. Window and result are from the mover's side.
    fn visit(&mut self, node: &ChessNode, requested: Window, pass: Pass) -> Value {
        let tree = self.walk.tree;
        self.walk.enter(node, requested, pass);
        self.state.lines[tree.ply(node)] = tree.rank(node);
        let mut known = self.probe(node);
        if let Some(answer) = known.answer(requested) {
            return self.leave_known(node, answer);
        }
        if tree.is_leaf(node) {
            let value = self.walk.evaluate_for_mover(node);
            self.store(node, PositionBounds { lower: value, upper: value, best: None });
            return self.walk.leave(node, value);
        }
        let window = known.narrow(requested);
        if let Some(bound) = self.enhanced_cutoff(node, window) {
            known.update(bound, window);
            self.store(node, known);
            return self.leave_known(node, bound);
        }
        let value = self.visit_children(node, window, &mut known);
        known.update(value, window);
        self.store(node, known);
        self.walk.leave(node, value)
    }

    fn visit_children(
        &mut self,
        node: &ChessNode,
        window: Window,
        known: &mut PositionBounds,
    ) -> Value {
        let depth = self.walk.tree.ply(node);
        let mut best = -INFINITY;
        let order = self.order(node);
        for (tried, &index) in order.iter().enumerate() {
            let child = self.walk.tree.child(node, usize::from(index));
            let left = Window::new(window.alpha.max(best), window.beta);
            let value = self.visit_child(node, &child, left, tried == 0);
            if value <= best {
                continue;
            }
            best = value;
            self.walk.improve(node, best);
            self.state.lines[depth] = self.state.lines[depth + 1];
            if best > window.alpha {
                known.best = Some(index);
            }
            if best >= window.beta {
                self.reward(node, usize::from(index));
                let bound = Cut::Bound(self.walk.for_mover(node, window.beta));
                self.walk.cut(node, tried + 1, bound);
                break;
            }
        }
        best
    }

    /// Returns the value of a child for the mover of its parent, whose window is `window`.
    fn visit_child(
        &mut self,
        parent: &ChessNode,
        child: &ChessNode,
        window: Window,
        first: bool,
    ) -> Value {
        let scouts = matches!(
            self.method.base_algorithm,
            BaseAlgorithm::NegaScout | BaseAlgorithm::PrincipalVariation
        );
        if first || !scouts {
            return -self.visit(child, window.flipped(), Pass::Open);
        }
        let scouted = -self.visit(child, Window::above(window.alpha).flipped(), Pass::Scout);
        let exact = self.method.base_algorithm == BaseAlgorithm::NegaScout
            && self.walk.tree.remaining(parent) <= EXACT_SCOUT_DEPTH;
        if exact || scouted <= window.alpha || scouted >= window.beta {
            return scouted;
        }
        -self.visit(child, Window::new(scouted, window.beta).flipped(), Pass::ReSearch)
    }

    fn leave_known(&mut self, node: &ChessNode, value: Value) -> Value {
        // `Walk::cut` needs the number of moves, which would have to be generated.
        if self.walk.tree.remaining(node) > 0 {
            self.walk.observer.cut(self.walk.tree, node, 0, Cut::Known);
        }
        self.walk.leave(node, value)
    }

    fn probe(&self, node: &ChessNode) -> PositionBounds {
        match self.method.table {
            TableUse::None => PositionBounds::UNKNOWN,
            _ => self.state.table.probe(node.key(), self.walk.tree.remaining(node)),
        }
    }

    fn store(&mut self, node: &ChessNode, known: PositionBounds) {
        if self.method.table != TableUse::None {
            self.state.table.store(node.key(), self.walk.tree.remaining(node), known);
        }
    }

    /// Returns a bound of at least beta if the table has one for a move.
    fn enhanced_cutoff(&self, node: &ChessNode, window: Window) -> Option<Value> {
        let remaining = self.walk.tree.remaining(node);
        let possible = self.method.enhanced_cutoffs && self.method.table != TableUse::None;
        if !possible || remaining < ENHANCED_CUTOFF_DEPTH {
            return None;
        }
        let bounds = node.moves().all().iter().map(|&mv| {
            let child = node.board().key_after(mv);
            -self.state.table.probe(child, remaining - 1).upper
        });
        bounds.into_iter().find(|&bound| bound >= window.beta)
    }

    /// Returns the moves in the tree's order, except for those that the method's enhancements put
    /// first.
    fn order(&self, node: &ChessNode) -> MoveIndices {
        let state = &*self.state;
        let moves = node.moves();
        let mut order: MoveIndices = (0..moves.all().len()).map(|index| index as u8).collect();
        let quiet = &mut order[moves.quiet()];
        if self.method.history {
            let side = node.board().chess().turn();
            let merit = |&index: &u8| state.history.get(side, node.mv(index.into()));
            quiet.sort_by_key(|index| Reverse(merit(index)));
        }
        if self.method.killers {
            let killers = &state.killers[self.walk.tree.ply(node)];
            let newer = |index: &u8| killers.iter().position(|&mv| mv == node.mv((*index).into()));
            quiet.sort_by_key(|index| newer(index).unwrap_or(killers.len()));
        }
        for index in
            [self.table_move(node), self.principal_variation_move(node)].into_iter().flatten()
        {
            if let Some(at) = order.iter().position(|&other| usize::from(other) == index) {
                order[..=at].rotate_right(1);
            }
        }
        order
    }

    /// Returns the best move in the table.
    fn table_move(&self, node: &ChessNode) -> Option<usize> {
        let remaining = self.walk.tree.remaining(node);
        let enabled = self.method.table == TableUse::BoundsAndMoves;
        enabled.then(|| self.state.table.best_move(node.key(), remaining)).flatten()
    }

    /// Returns the move of the previous depth's best line, if the node is on that line.
    fn principal_variation_move(&self, node: &ChessNode) -> Option<usize> {
        let enabled = self.method.iterative_deepening;
        enabled.then(|| node.step_towards(self.state.principal_variation)).flatten()
    }

    /// Records a quiet move that refuted the previous move.
    fn reward(&mut self, node: &ChessNode, index: usize) {
        if !node.moves().quiet().contains(&index) {
            return;
        }
        let mv = node.mv(index);
        if self.method.killers {
            let killers = &mut self.state.killers[self.walk.tree.ply(node)];
            if killers.first() != Some(&mv) {
                killers.truncate(1);
                killers.insert(0, mv);
            }
        }
        if self.method.history {
            let remaining = self.walk.tree.remaining(node);
            self.state.history.reward(node.board().chess().turn(), mv, remaining);
        }
    }
}

impl Default for History {
    fn default() -> History {
        History(Box::new([[[0; 64]; 64]; 2]))
    }
}

impl History {
    fn get(&self, side: Color, mv: Move) -> u64 {
        self.0[side as usize][mv.from().map_or(0, usize::from)][usize::from(mv.to())]
    }

    /// Schaeffer's weight: a refutation one ply further from the horizon counts twice as much.
    fn reward(&mut self, side: Color, mv: Move, remaining: usize) {
        let from = mv.from().map_or(0, usize::from);
        self.0[side as usize][from][usize::from(mv.to())] += 1 << remaining;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Role};

    #[test]
    fn in_history_a_refutation_one_ply_further_from_the_horizon_counts_twice() {
        let moves = Chess::default().legal_moves();
        let (pawn, knight) = (moves[0], moves[moves.len() - 1]);
        assert_eq!((pawn.role(), knight.role()), (Role::Pawn, Role::Knight));
        let mut history = History::default();
        history.reward(Color::White, pawn, 4);
        history.reward(Color::White, knight, 3);
        assert_eq!(history.get(Color::White, pawn), 2 * history.get(Color::White, knight));
        history.reward(Color::White, knight, 3);
        assert_eq!(history.get(Color::White, pawn), history.get(Color::White, knight));
        assert!(history.get(Color::White, knight) > history.get(Color::Black, knight));
    }
}
