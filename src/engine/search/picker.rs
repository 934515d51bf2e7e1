//! The move picker: returns the moves of a node one by one, the most promising first, and does no
//! work for moves that a cut-off makes unnecessary.
//!
//! The stages: the table's move (before anything is generated), good captures and queen promotions,
//! by static exchange evaluation (SEE) and their history, killers (Akl and Newborn 1977) and the
//! counter-move, quiet moves by history, and last the bad captures. shakmaty generates all legal
//! moves at once; only scoring and sorting are staged. The quiescence search (qsearch) generates
//! only the captures that it wants.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, ByRole, Color, Move, MoveList, Position as _, Role, Square};

use super::history::{Histories, HistoryContext, role_and_squares};
use super::parameters;
use crate::position::{Attacks, Board, is_tactical, see_ge, see_value, tactical_gain};

/// More moves than any position has.
pub(super) const MAX_MOVES: usize = 270;
/// The score that puts an underpromotion behind everything.
const UNDERPROMOTION: i32 = -4_000_000;
/// The low bits of a sort key that hold the place of its move, in [`MovePicker::take_best`]; the score
/// has the others of 32.
const INDEX_BITS: u32 = 9;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);
const _: () = assert!((UNDERPROMOTION << INDEX_BITS) >> INDEX_BITS == UNDERPROMOTION);

/// The stages of a picker, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move of the transposition table (TT).
    TtMove,
    /// Generates all moves and scores captures.
    Generate,
    /// Captures and queen promotions that lose no more in exchanges than their history allows.
    GoodCaptures,
    /// Killers and the counter-move.
    Refutations,
    ScoreQuiets,
    Quiets,
    /// All other captures and promotions.
    BadCaptures,
    Done,
}

/// Which moves a picker returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Queen promotions and captures that gain at least `min_gain` centipawns in exchanges, and do
    /// not lose material.
    GoodCaptures {
        min_gain: i32,
    },
}

/// Returns the moves of one node, one by one.
pub struct MovePicker {
    stage: Stage,
    scope: Scope,
    tt_move: Option<Move>,
    /// Killers, which refuted siblings, and the counter-move, which refuted the move before.
    refutations: ArrayVec<Move, 3>,
    context: HistoryContext,
    /// Whether quiet moves are wanted.
    wants_quiets: bool,
    /// First the captures and promotions, then the quiet moves. Captures that turn out bad are
    /// moved to the very front, to the indices of captures that were already returned.
    moves: MoveList,
    /// The scores of these moves; those of quiet moves are added when their stage begins.
    scores: ArrayVec<i32, MAX_MOVES>,
    captures: usize,
    bad_captures: usize,
    next: usize,
}

/// A move and the stage that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    pub mv: Move,
    pub stage: Stage,
}

impl MovePicker {
    /// A picker of all legal moves. The table move must be legal here; refutations need not be.
    pub fn new(
        tt_move: Option<Move>,
        refutations: ArrayVec<Move, 3>,
        context: HistoryContext,
    ) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            scope: Scope::All,
            tt_move,
            refutations,
            context,
            wants_quiets: true,
            moves: ArrayVec::new(),
            scores: ArrayVec::new(),
            captures: 0,
            bad_captures: 0,
            next: 0,
        }
    }

    /// A picker of queen promotions and of captures that gain at least `min_gain` centipawns in
    /// exchanges, and do not lose material.
    pub fn good_captures(tt_move: Option<Move>, min_gain: i32) -> MovePicker {
        let mut picker = MovePicker::new(tt_move, ArrayVec::new(), HistoryContext::default());
        picker.scope = Scope::GoodCaptures { min_gain };
        picker.tt_move = tt_move.filter(|&mv| is_tactical(mv));
        picker
    }

    /// Gives the picker the legal moves, if they were generated before it asked for them.
    pub fn set_legal_moves(&mut self, moves: &MoveList, board: &Board, histories: &Histories) {
        // Not by assignment, which would copy the unused rest of the buffer too. A list of the same
        // capacity cannot refuse.
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

    // Kept apart from `next`, which is called for each move and would do a part of it each time.
    #[inline(never)]
    fn generate(&mut self, board: &Board, histories: &Histories) {
        match self.scope {
            Scope::All if self.moves.is_empty() => {
                self.set_legal_moves(&board.legal_moves(), board, histories);
            }
            Scope::All => {}
            Scope::GoodCaptures { min_gain } => {
                let side = board.chess().turn();
                let worth_it = |&role: &Role| see_value(role) >= min_gain;
                let targets = Role::ALL.into_iter().filter(worth_it);
                let targets = targets
                    .fold(Bitboard::EMPTY, |targets, role| targets | board.chess().their(role));
                board.each_tactical(targets, worth_it(&Role::Pawn), |mv| {
                    self.add_capture(side, mv, histories);
                });
            }
        }
    }

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

    /// The next move, or `None` after the last.
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

    fn begin_stage(&mut self, stage: Stage, next: usize) {
        self.stage = stage;
        self.next = next;
    }

    fn next_capture(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        while let Some((mv, score)) = self.take_best() {
            // The exchange is evaluated only now, since most nodes need few of their captures.
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

    /// The next refutation that is among the legal quiet moves; it is removed from them.
    fn next_refutation(&mut self) -> Option<Move> {
        while let Some(&refutation) = self.refutations.get(self.next) {
            self.next += 1;
            // What moves and where says which quiet move it is.
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

    /// Scores quiet moves by history, by the attacks of lesser pieces that they leave or walk into, and
    /// with a bonus for direct checks that hardly lose material: they are few, and history does not
    /// know where the king is.
    #[inline(never)]
    fn score_quiets(&mut self, board: &Board, histories: &Histories) {
        let history = histories.quiet(board.chess().turn(), &self.context);
        let checking = board.checking_squares();
        let by_lesser = LesserThreats::new(&self.context.threats);
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

    /// Takes the best of the remaining scored moves, whose place the first of them gets, and returns
    /// it with its score. Most nodes need only the first few moves, so this is faster than sorting
    /// them all.
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let first = self.next;
        let rest = self.scores.get(first..).filter(|rest| !rest.is_empty())?;
        // A score and its place in one number: their maximum needs no branch, so that several are
        // compared at once. Of equal scores the first is greatest.
        let keys =
            (0..).zip(rest).map(|(place, &score)| (score << INDEX_BITS) + LAST_INDEX - place);
        let best = keys.fold(i32::MIN, i32::max);
        let place = first + (LAST_INDEX - (best & LAST_INDEX)) as usize;
        let mv = self.moves[place];
        self.moves[place] = self.moves[first];
        self.scores[place] = self.scores[first];
        self.next += 1;
        Some((mv, best >> INDEX_BITS))
    }

    /// What a good capture must win in exchanges: less if it often caused cut-offs. Quiescence
    /// looks only for what does not lose material and can raise alpha.
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

/// By role the squares on which a piece is attacked by one of the other side that is worth less (in
/// Stockfish, 2022, for the order of quiet moves), and what leaving one is worth.
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

    /// What a move is worth more because it leaves such a square, and less because it goes to one.
    fn score(&self, role: Role, from: Square, to: Square) -> i32 {
        let &(threats, escape) = self.0.get(role);
        i32::from(threats.contains(from)) * escape
            - i32::from(threats.contains(to)) * parameters::lesser_threat_malus()
    }
}

/// The gain of a capture, in 256ths of a centipawn, plus its weighted history.
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

    /// A position some random legal moves into a game.
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
    fn a_queen_that_a_pawn_attacks_moves_first_and_to_safety_before_elsewhere() {
        let board = Board::new(parse_fen_any("4k3/8/8/2p1p3/3Q4/8/8/4K3 w - - 0 1").unwrap());
        let histories = Histories::new();
        let context = HistoryContext { threats: board.threats(), ..HistoryContext::default() };
        let mut picker = MovePicker::new(None, ArrayVec::new(), context);
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
            let mut picker = MovePicker::new(tt_move, refutations, HistoryContext::default());
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
            let mut picker = MovePicker::new(None, Default::default(), HistoryContext::default());
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
        fn once_quiet_moves_are_unwanted_all_captures_follow_and_no_quiet_move(
            choices in proptest::collection::vec(any::<u8>(), 0..120), wanted in 0..40usize,
        ) {
            let board = random_board(&choices);
            let histories = Histories::new();
            let mut picker = MovePicker::new(None, Default::default(), HistoryContext::default());
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
