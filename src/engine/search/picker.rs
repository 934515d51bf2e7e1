//! The move picker: returns the moves of a node one by one, the most promising first. It avoids
//! work that a cut-off would make unnecessary.
//!
//! The stages are: the table's move, before anything is generated; good captures and queen
//! promotions, by static exchange evaluation (SEE) and history; killers (Akl and Newborn 1977) and
//! the counter-move; quiet moves by history; and last the bad captures. shakmaty generates all
//! legal moves at once, so only scoring and sorting are staged. The quiescence search (qsearch)
//! generates only the captures that it needs.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, ByRole, Color, Move, MoveList, Position as _, Role, Square};

use super::history::{Histories, HistoryContext, role_and_squares};
use super::parameters;
use crate::position::{Attacks, Board, is_tactical, see_ge, see_value, tactical_gain};

/// An upper limit of the number of moves in a position.
pub(super) const MAX_MOVES: usize = 270;
/// Score that sorts underpromotions last.
const UNDERPROMOTION: i32 = -4_000_000;
/// Number of low bits of a sort key that hold the index of its move, in [`MovePicker::take_best`].
/// The score has the other bits of 32.
const INDEX_BITS: u32 = 9;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);
const _: () = assert!((UNDERPROMOTION << INDEX_BITS) >> INDEX_BITS == UNDERPROMOTION);

/// The stages of a picker, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Returns the move of the transposition table (TT).
    TtMove,
    /// Generates all moves and scores the captures.
    Generate,
    /// Returns captures and queen promotions that lose no more in exchanges than their history
    /// allows.
    GoodCaptures,
    /// Returns killers and the counter-move.
    Refutations,
    /// Scores the quiet moves.
    ScoreQuiets,
    /// Returns quiet moves.
    Quiets,
    /// Returns all other captures and promotions.
    BadCaptures,
    /// No move is left.
    Done,
}

/// The kinds of moves that a picker returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All legal moves.
    All,
    /// Queen promotions, and captures that gain at least `min_gain` centipawns in exchanges and
    /// lose no material.
    GoodCaptures { min_gain: i32 },
}

/// The moves of one node, returned one by one.
pub struct MovePicker {
    stage: Stage,
    scope: Scope,
    tt_move: Option<Move>,
    /// Killers, which refuted siblings, and the counter-move, which refuted the previous move.
    refutations: ArrayVec<Move, 3>,
    context: HistoryContext,
    /// Squares that the opponent attacks.
    threats: Attacks,
    /// Quiet moves are to be returned.
    wants_quiets: bool,
    /// First the captures and promotions, then the quiet moves. Bad captures move to the very
    /// front, to the indices of captures that were already returned.
    moves: MoveList,
    /// Scores of `moves`. Those of quiet moves are added when their stage begins.
    scores: ArrayVec<i32, MAX_MOVES>,
    /// Number of captures and promotions in `moves`.
    captures: usize,
    /// Number of bad captures found so far.
    bad_captures: usize,
    /// Index of the next move of the stage.
    next: usize,
}

/// A move and the stage that returned it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// The move.
    pub mv: Move,
    /// Stage that returned the move.
    pub stage: Stage,
}

impl MovePicker {
    /// Creates a picker of all legal moves. The table's move must be legal here; refutations need
    /// not be.
    pub fn new(
        tt_move: Option<Move>,
        refutations: ArrayVec<Move, 3>,
        context: HistoryContext,
        threats: Attacks,
    ) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            scope: Scope::All,
            tt_move,
            refutations,
            context,
            threats,
            wants_quiets: true,
            moves: ArrayVec::new(),
            scores: ArrayVec::new(),
            captures: 0,
            bad_captures: 0,
            next: 0,
        }
    }

    /// Creates a picker of queen promotions, and of captures that gain at least `min_gain`
    /// centipawns in exchanges and lose no material.
    pub fn good_captures(tt_move: Option<Move>, min_gain: i32) -> MovePicker {
        let (context, threats) = Default::default();
        let mut picker = MovePicker::new(tt_move, ArrayVec::new(), context, threats);
        picker.scope = Scope::GoodCaptures { min_gain };
        picker.tt_move = tt_move.filter(|&mv| is_tactical(mv));
        picker
    }

    /// Gives the picker the legal moves, if they were generated before the picker needs them.
    pub fn set_legal_moves(&mut self, moves: &MoveList, board: &Board, histories: &Histories) {
        // An assignment would copy the unused rest of the buffer too. Lists of the same capacity
        // always fit.
        let _ = self.moves.try_extend_from_slice(moves);
        let is_tt_move = |&mv: &Move| Some(mv) == self.tt_move;
        if let Some(index) = self.moves.iter().position(is_tt_move) {
            self.moves.remove(index);
        }
        for index in 0..self.moves.len() {
            if is_tactical(self.moves[index]) {
                self.place_capture(index, board.chess().turn(), histories);
            }
        }
    }

    // Not inlined into `next`: `next` runs for each move and would do a part of this work each
    // time.
    #[inline(never)]
    fn generate(&mut self, board: &Board, histories: &Histories) {
        match self.scope {
            Scope::All if self.moves.is_empty() => {
                self.set_legal_moves(&board.legal_moves(), board, histories);
            }
            Scope::All => {}
            Scope::GoodCaptures { min_gain } => {
                let side = board.chess().turn();
                let gains_enough = |&role: &Role| see_value(role) >= min_gain;
                let targets = Role::ALL.into_iter().filter(gains_enough);
                let targets = targets
                    .fold(Bitboard::EMPTY, |targets, role| targets | board.chess().their(role));
                board.each_tactical(targets, gains_enough(&Role::Pawn), |mv| {
                    self.add_capture(side, mv, histories);
                });
            }
        }
    }

    /// Adds a generated capture, unless it is the table's move.
    fn add_capture(&mut self, side: Color, mv: Move, histories: &Histories) {
        if Some(mv) == self.tt_move {
            return;
        }
        self.moves.push(mv);
        self.place_capture(self.moves.len() - 1, side, histories);
    }

    /// Scores the next capture, at `index`, and moves it to the end of the captures.
    fn place_capture(&mut self, index: usize, side: Color, histories: &Histories) {
        let score = capture_score(side, self.moves[index], histories);
        self.moves.swap(self.captures, index);
        self.scores.push(score);
        self.captures += 1;
    }

    /// Returns no more quiet moves from now on.
    pub fn skip_quiets(&mut self) {
        self.wants_quiets = false;
        if (Stage::Refutations..=Stage::Quiets).contains(&self.stage) {
            self.begin_stage(Stage::BadCaptures, 0);
        }
    }

    /// Returns the next move, or `None` after the last.
    pub fn next(&mut self, board: &Board, histories: &Histories) -> Option<Pick> {
        loop {
            let stage = self.stage;
            let picked = match stage {
                Stage::TtMove => {
                    self.stage = Stage::Generate;
                    self.tt_move
                }
                Stage::Generate => {
                    self.generate(board, histories);
                    self.begin_stage(Stage::GoodCaptures, 0);
                    None
                }
                Stage::GoodCaptures => self.next_capture(board, histories),
                Stage::Refutations => self.next_refutation(),
                Stage::ScoreQuiets => {
                    self.score_quiets(board, histories);
                    self.begin_stage(Stage::Quiets, self.captures);
                    None
                }
                Stage::Quiets => self.next_quiet(),
                Stage::BadCaptures => self.next_bad_capture(),
                Stage::Done => return None,
            };
            if let Some(mv) = picked {
                return Some(Pick { mv, stage });
            }
        }
    }

    /// Returns the history of a quiet move of the node.
    pub fn quiet_history(&self, side: Color, mv: Move, histories: &Histories) -> i32 {
        histories.quiet(side, &self.context)(role_and_squares(mv))
    }

    fn begin_stage(&mut self, stage: Stage, next: usize) {
        self.stage = stage;
        self.next = next;
    }

    fn next_capture(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        while let Some((mv, score)) = self.take_best() {
            // The exchange is evaluated only now, since most nodes need only few of their captures.
            if score > UNDERPROMOTION / 2
                && see_ge(board.chess(), mv, self.min_exchange(board, mv, histories))
                && (self.scope == Scope::All || board.is_legal(mv))
            {
                return Some(mv);
            }
            self.moves[self.bad_captures] = mv;
            self.bad_captures += 1;
        }
        match self.scope {
            Scope::All if self.wants_quiets => self.begin_stage(Stage::Refutations, 0),
            Scope::All => self.begin_stage(Stage::BadCaptures, 0),
            Scope::GoodCaptures { .. } => self.begin_stage(Stage::Done, 0),
        }
        None
    }

    /// Returns the next refutation that is a legal quiet move, and removes it from the quiet moves.
    fn next_refutation(&mut self) -> Option<Move> {
        while let Some(&refutation) = self.refutations.get(self.next) {
            self.next += 1;
            // The piece and the two squares identify a quiet move.
            let wanted = role_and_squares(refutation);
            let is_wanted = |&quiet: &Move| role_and_squares(quiet) == wanted;
            let quiets = &self.moves[self.captures..];
            if let Some(index) = quiets.iter().position(is_wanted) {
                return Some(self.moves.swap_remove(self.captures + index));
            }
        }
        self.begin_stage(Stage::ScoreQuiets, 0);
        None
    }

    /// Scores quiet moves by history, and by the attacks of lesser pieces that they leave or enter.
    /// Direct checks that hardly lose material get a bonus: they are few, and history does not know
    /// where the king is.
    #[inline(never)]
    fn score_quiets(&mut self, board: &Board, histories: &Histories) {
        let history = histories.quiet(board.chess().turn(), &self.context);
        let checking = board.checking_squares();
        let by_lesser = LesserThreats::new(&self.threats);
        for &mv in &self.moves[self.captures..] {
            let parts @ (role, from, to) = role_and_squares(mv);
            let mut score = history(parts);
            if checking.get(role).contains(to)
                && see_ge(board.chess(), mv, -parameters::check_risk())
            {
                score += parameters::check_bonus();
            }
            score += by_lesser.score(role, from, to);
            self.scores.push(score);
        }
    }

    fn next_quiet(&mut self) -> Option<Move> {
        let quiet = self.take_best();
        if quiet.is_none() {
            self.begin_stage(Stage::BadCaptures, 0);
        }
        quiet.map(|(mv, _)| mv)
    }

    /// Takes the best of the remaining scored moves and returns it with its score. The first
    /// remaining move goes to the free index. Most nodes need only the first few moves, so this is
    /// faster than sorting all of them.
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let first = self.next;
        let rest = self.scores.get(first..).filter(|rest| !rest.is_empty())?;
        // A key holds a score and its index in one number. The maximum of keys needs no branch, so
        // several are compared at once. Among equal scores, the first has the greatest key.
        let keys =
            (0..).zip(rest).map(|(index, &score)| (score << INDEX_BITS) + LAST_INDEX - index);
        let best = keys.fold(i32::MIN, i32::max);
        let index = first + (LAST_INDEX - (best & LAST_INDEX)) as usize;
        let mv = self.moves[index];
        self.moves[index] = self.moves[first];
        self.scores[index] = self.scores[first];
        self.next += 1;
        Some((mv, best >> INDEX_BITS))
    }

    /// Returns the least gain in exchanges of a good capture. A capture that often caused cut-offs
    /// needs less. In quiescence it must lose no material and be able to raise alpha.
    fn min_exchange(&self, board: &Board, mv: Move, histories: &Histories) -> i32 {
        match self.scope {
            Scope::All => {
                let history = histories.capture(board.chess().turn(), mv);
                -history * parameters::good_capture_history() / 1024
            }
            Scope::GoodCaptures { min_gain } => min_gain.max(0),
        }
    }

    fn next_bad_capture(&mut self) -> Option<Move> {
        let bad_capture = self.moves[..self.bad_captures].get(self.next).copied();
        match bad_capture {
            Some(_) => self.next += 1,
            None => self.stage = Stage::Done,
        }
        bad_capture
    }
}

/// For each role, the squares that a less valuable piece of the opponent attacks, and the bonus of
/// leaving such a square (in Stockfish, 2022, for the order of quiet moves).
struct LesserThreats(ByRole<(Bitboard, i32)>);

impl LesserThreats {
    fn new(threats: &Attacks) -> LesserThreats {
        let pawn = threats.pawns;
        let minor = pawn | threats.minors;
        let rook = minor | threats.rooks;
        let [none, minor_escape, major_escape] =
            [0, parameters::minor_escape_bonus(), parameters::major_escape_bonus()];
        LesserThreats(ByRole {
            pawn: (Bitboard::EMPTY, none),
            knight: (pawn, minor_escape),
            bishop: (pawn, minor_escape),
            rook: (minor, major_escape),
            queen: (rook, major_escape),
            king: (Bitboard::EMPTY, none),
        })
    }

    /// Returns the bonus of a move that leaves such a square, less the malus of one that goes to
    /// one.
    fn score(&self, role: Role, from: Square, to: Square) -> i32 {
        let &(threats, escape) = self.0.get(role);
        i32::from(threats.contains(from)) * escape
            - i32::from(threats.contains(to)) * parameters::lesser_threat_malus()
    }
}

/// Returns the gain of a capture, in 256ths of a centipawn, plus its weighted history.
fn capture_score(side: Color, mv: Move, histories: &Histories) -> i32 {
    if mv.promotion().is_some_and(|role| role != Role::Queen) {
        return UNDERPROMOTION + tactical_gain(mv);
    }
    tactical_gain(mv) * 256 + histories.capture(side, mv) * parameters::capture_history_weight()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use shakmaty::Chess;

    use super::*;
    use crate::position::notation::parse_fen_any;

    /// Returns the position after random legal moves from the start.
    fn random_board(choices: &[u8]) -> Board {
        let mut board = Board::new(Chess::default());
        for &choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[usize::from(choice) % moves.len()]);
        }
        board
    }

    #[test]
    fn a_queen_attacked_by_a_pawn_moves_first_and_safe_squares_come_first() {
        let board = Board::new(parse_fen_any("4k3/8/8/2p1p3/3Q4/8/8/4K3 w - - 0 1").unwrap());
        let histories = Histories::new();
        let context = HistoryContext::default();
        let mut picker = MovePicker::new(None, ArrayVec::new(), context, board.threats());
        let picks = std::iter::from_fn(|| picker.next(&board, &histories));
        let quiets = picks.filter(|pick| pick.stage == Stage::Quiets);
        let order: Vec<_> = quiets.map(|pick| role_and_squares(pick.mv)).collect();
        let attacked = [Square::B4, Square::F4];
        let kind = |&(role, _, to): &(Role, Square, Square)| match role {
            Role::Queen if !attacked.contains(&to) => 0,
            Role::Queen => 1,
            _ => 2,
        };
        assert!(order.iter().map(kind).is_sorted(), "{order:?}");
        assert!(order.iter().any(|quiet| kind(quiet) == 1), "{order:?}");
    }

    proptest! {
        #[test]
        fn the_picker_returns_every_legal_move_exactly_once(
            choices in proptest::collection::vec(any::<u8>(), 0..120),
            table in any::<proptest::sample::Index>(), killer in any::<proptest::sample::Index>(),
            with_table in any::<bool>(),
        ) {
            let board = random_board(&choices);
            let legal = board.legal_moves();
            prop_assume!(!legal.is_empty());
            let tt_move = with_table.then(|| *table.get(&legal));
            let refutations = [*killer.get(&legal), *killer.get(&legal)].into_iter().collect();
            let histories = Histories::new();
            let mut picker = MovePicker::new(tt_move, refutations, HistoryContext::default(), Attacks::default());
            let picked: Vec<_> =
                std::iter::from_fn(|| picker.next(&board, &histories)).map(|pick| pick.mv).take(400).collect();
            prop_assert_eq!(picked.len(), legal.len());
            let distinct: HashSet<_> = picked.iter().copied().collect();
            prop_assert_eq!(distinct, legal.iter().copied().collect::<HashSet<_>>());
            if let Some(tt_move) = tt_move {
                prop_assert_eq!(picked[0], tt_move);
            }
        }

        #[test]
        fn captures_that_win_come_first_and_captures_that_lose_come_last(
            choices in proptest::collection::vec(any::<u8>(), 0..120),
        ) {
            let board = random_board(&choices);
            let histories = Histories::new();
            let mut picker = MovePicker::new(None, Default::default(), HistoryContext::default(), Attacks::default());
            let rank = |mv: &Move| match mv.is_capture() && mv.promotion().is_none() {
                _ if mv.is_promotion() => None,
                true if see_ge(board.chess(), *mv, 0) => Some(0),
                true => Some(2),
                false => Some(1),
            };
            let picked: Vec<_> = std::iter::from_fn(|| picker.next(&board, &histories)).map(|pick| pick.mv).collect();
            let ranks: Vec<_> = picked.iter().filter_map(rank).collect();
            prop_assert!(ranks.is_sorted());
        }

        #[test]
        fn after_quiet_moves_are_skipped_the_picker_returns_all_captures_and_no_quiet_move(
            choices in proptest::collection::vec(any::<u8>(), 0..120), wanted in 0..40usize,
        ) {
            let board = random_board(&choices);
            let histories = Histories::new();
            let mut picker = MovePicker::new(None, Default::default(), HistoryContext::default(), Attacks::default());
            let mut next = || picker.next(&board, &histories).map(|pick| pick.mv);
            let before: Vec<_> = std::iter::from_fn(&mut next).take(wanted).collect();
            picker.skip_quiets();
            let after: Vec<_> = std::iter::from_fn(|| picker.next(&board, &histories)).map(|pick| pick.mv).collect();
            prop_assert!(after.iter().all(|&mv| is_tactical(mv)));
            let tactical = before.iter().chain(&after).filter(|&&mv| is_tactical(mv)).count();
            let legal = board.legal_moves();
            prop_assert_eq!(tactical, legal.iter().filter(|&&mv| is_tactical(mv)).count());
        }
    }
}
