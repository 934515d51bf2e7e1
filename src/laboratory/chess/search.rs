//! One pass of a search over a [`ChessTree`], with whatever its method switches on.
//!
//! Without any enhancement this is the laboratory's alpha-beta, NegaScout and PVS move by move.
//! The enhancements change which leaves are visited and never what is found.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use shakmaty::{Color, Move, Position as _};

use super::memory::{Entry, Memory};
use super::method::{Method, Table, Trunk};
use super::tree::{ChessNode, ChessTree};
use crate::laboratory::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Looking up all children costs time, and at the lowest ply a leaf each is all it could save.
const ENHANCED_CUTOFF_DEPTH: usize = 2;
/// Where a node has at most this number of plies left, a scouted value that is better is exact.
const EXACT_SCOUT_DEPTH: usize = 2;

/// The places of moves in the order in which they are to be searched.
type Places = ArrayVec<u8, 256>;

/// What the passes of one search hand on to each other.
#[derive(Default)]
pub struct Knowledge {
    /// The transposition table.
    pub memory: Memory,
    killers: [ArrayVec<Move, 2>; ChessTree::MAX_DEPTH],
    history: History,
    /// The rank of the node in which the best line of the last search ends.
    pub principal_variation: u64,
    /// The same for the node at each depth whose search is under way.
    lines: [u64; ChessTree::MAX_DEPTH + 1],
}

/// How often each move refuted something, by side, origin and destination.
struct History(Box<[[[u64; 64]; 64]; 2]>);

/// A pass: one search of the root with one window.
pub struct Search<'a, O: Observer<ChessTree>> {
    walk: Walk<'a, ChessTree, O>,
    method: &'a Method,
    knowledge: &'a mut Knowledge,
}

impl<'a, O: Observer<ChessTree>> Search<'a, O> {
    /// A search that is yet to be run.
    pub fn new(
        tree: &'a ChessTree,
        method: &'a Method,
        knowledge: &'a mut Knowledge,
        observer: &'a mut O,
    ) -> Self {
        Search { walk: Walk::new(tree, observer), method, knowledge }
    }

    /// The value of the tree if it lies in the window, otherwise a bound; both are the root
    /// player's.
    pub fn pass(&mut self, window: Window) -> Value {
        let value = self.visit(&self.walk.tree.root(), window, Pass::Open);
        // Where all moves were too bad, none was found to be best.
        if value > window.alpha {
            self.knowledge.principal_variation = self.knowledge.lines[0];
        }
        value
    }

    /// Window and result are the mover's; fail-soft.
    fn visit(&mut self, node: &ChessNode, asked: Window, pass: Pass) -> Value {
        let tree = self.walk.tree;
        self.walk.enter(node, asked, pass);
        self.knowledge.lines[tree.ply(node)] = tree.rank(node);
        let mut entry = self.recall(node);
        if let Some(answer) = entry.answer(asked) {
            return self.leave_known(node, answer);
        }
        if tree.is_leaf(node) {
            let value = self.walk.evaluate_for_mover(node);
            self.remember(node, Entry { lower: value, upper: value, best: None });
            return self.walk.leave(node, value);
        }
        let window = entry.narrow(asked);
        if let Some(bound) = self.enhanced_cutoff(node, window) {
            entry.learn(bound, window);
            self.remember(node, entry);
            return self.leave_known(node, bound);
        }
        let value = self.visit_children(node, window, &mut entry);
        entry.learn(value, window);
        self.remember(node, entry);
        self.walk.leave(node, value)
    }

    fn visit_children(&mut self, node: &ChessNode, window: Window, entry: &mut Entry) -> Value {
        let depth = self.walk.tree.ply(node);
        let mut best = -INFINITY;
        let order = self.order(node);
        for (tried, &place) in order.iter().enumerate() {
            let child = self.walk.tree.child(node, usize::from(place));
            let left = Window::new(window.alpha.max(best), window.beta);
            let value = self.visit_child(node, &child, left, tried == 0);
            if value <= best {
                continue;
            }
            best = value;
            self.walk.improve(node, best);
            self.knowledge.lines[depth] = self.knowledge.lines[depth + 1];
            if best > window.alpha {
                entry.best = Some(place);
            }
            if best >= window.beta {
                self.reward(node, usize::from(place));
                let bound = Cut::Bound(self.walk.for_mover(node, window.beta));
                self.walk.cut(node, tried + 1, bound);
                break;
            }
        }
        best
    }

    /// The value of a child for the mover of its parent, whose window is `window`.
    fn visit_child(
        &mut self,
        parent: &ChessNode,
        child: &ChessNode,
        window: Window,
        first: bool,
    ) -> Value {
        let scouts = matches!(self.method.trunk, Trunk::NegaScout | Trunk::PrincipalVariation);
        if first || !scouts {
            return -self.visit(child, window.flipped(), Pass::Open);
        }
        let scouted = -self.visit(child, Window::above(window.alpha).flipped(), Pass::Scout);
        let exact = self.method.trunk == Trunk::NegaScout
            && self.walk.tree.remaining(parent) <= EXACT_SCOUT_DEPTH;
        if exact || scouted <= window.alpha || scouted >= window.beta {
            return scouted;
        }
        -self.visit(child, Window::new(scouted, window.beta).flipped(), Pass::Again)
    }

    fn leave_known(&mut self, node: &ChessNode, value: Value) -> Value {
        // Told without asking for the number of moves, which would have to be generated for it.
        if self.walk.tree.remaining(node) > 0 {
            self.walk.observer.cut(self.walk.tree, node, 0, Cut::Known);
        }
        self.walk.leave(node, value)
    }

    fn recall(&self, node: &ChessNode) -> Entry {
        match self.method.table {
            Table::None => Entry::UNKNOWN,
            _ => self.knowledge.memory.recall(node.key(), self.walk.tree.remaining(node)),
        }
    }

    fn remember(&mut self, node: &ChessNode, entry: Entry) {
        if self.method.table != Table::None {
            self.knowledge.memory.store(node.key(), self.walk.tree.remaining(node), entry);
        }
    }

    /// A bound of at least beta that the table proves for one of the moves, if it does.
    fn enhanced_cutoff(&self, node: &ChessNode, window: Window) -> Option<Value> {
        let remaining = self.walk.tree.remaining(node);
        let possible = self.method.enhanced_cutoffs && self.method.table != Table::None;
        if !possible || remaining < ENHANCED_CUTOFF_DEPTH {
            return None;
        }
        let bounds = node.moves().all().iter().map(|&mv| {
            let child = node.board().key_after(mv);
            -self.knowledge.memory.recall(child, remaining - 1).upper
        });
        bounds.into_iter().find(|&bound| bound >= window.beta)
    }

    /// The moves in the tree's order, except for those that the method's enhancements put forward.
    fn order(&self, node: &ChessNode) -> Places {
        let knowledge = &*self.knowledge;
        let moves = node.moves();
        let mut places: Places = (0..moves.all().len()).map(|place| place as u8).collect();
        let quiet = &mut places[moves.quiet()];
        if self.method.history {
            let side = node.board().chess().turn();
            let merit = |&place: &u8| knowledge.history.get(side, node.mv(place.into()));
            quiet.sort_by_key(|place| Reverse(merit(place)));
        }
        if self.method.killers {
            let killers = &knowledge.killers[self.walk.tree.ply(node)];
            let newer = |place: &u8| killers.iter().position(|&mv| mv == node.mv((*place).into()));
            quiet.sort_by_key(|place| newer(place).unwrap_or(killers.len()));
        }
        for place in [self.table_move(node), self.best_before(node)].into_iter().flatten() {
            if let Some(at) = places.iter().position(|&other| usize::from(other) == place) {
                places[..=at].rotate_right(1);
            }
        }
        places
    }

    /// The best move that the table knows.
    fn table_move(&self, node: &ChessNode) -> Option<usize> {
        let remaining = self.walk.tree.remaining(node);
        let asked = self.method.table == Table::BoundsAndMoves;
        asked.then(|| self.knowledge.memory.best_move(node.key(), remaining)).flatten()
    }

    /// The move of the last depth's best line, on that line.
    fn best_before(&self, node: &ChessNode) -> Option<usize> {
        let asked = self.method.iterative_deepening;
        asked.then(|| node.step_towards(self.knowledge.principal_variation)).flatten()
    }

    /// A move has refuted the one before it.
    fn reward(&mut self, node: &ChessNode, place: usize) {
        if !node.moves().quiet().contains(&place) {
            return;
        }
        let mv = node.mv(place);
        if self.method.killers {
            let killers = &mut self.knowledge.killers[self.walk.tree.ply(node)];
            if killers.first() != Some(&mv) {
                killers.truncate(1);
                killers.insert(0, mv);
            }
        }
        if self.method.history {
            let remaining = self.walk.tree.remaining(node);
            self.knowledge.history.reward(node.board().chess().turn(), mv, remaining);
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

    /// Schaeffer's weight: a refutation one ply further from the horizon counts twice.
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
