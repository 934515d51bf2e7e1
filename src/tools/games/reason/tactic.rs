//! Tactical patterns: forks, skewers, pins, discovered attacks, captured defenders.

use shakmaty::{Bitboard, Chess, Move, Position as _, Role, Square, attacks};

use super::gain::{MIN_GAIN, keeps_gain};
use super::words::{listed, name};
use outrider_engine::position::san::format_san;
use outrider_engine::position::{see_ge, see_value};

/// A pattern in which the first move of a line wins material that the third move captures.
pub(super) struct Tactic {
    /// Description of the first move, such as `the fork Nc7+ of king and rook`.
    description: String,
}

impl std::fmt::Display for Tactic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.description)
    }
}

/// The first three moves of a line, with the position after the first.
struct Steps<'a> {
    before: &'a Chess,
    first: Move,
    /// Position after the first move.
    between: Chess,
    answer: Move,
    taking: Move,
    san: String,
}

impl Tactic {
    /// Finds the pattern of a line, if the line keeps its gain. See [`wins_piece`] for `prior`.
    pub(super) fn find(chess: &Chess, line: &[Move], prior: i32) -> Option<Tactic> {
        let &[first, answer, taking, ..] = line else {
            return None;
        };
        taking.capture().filter(|&role| role != Role::Pawn)?;
        let to_square = first.from().is_some() && !matches!(first, Move::Castle { .. });
        if !to_square || first.promotion().is_some() || !keeps_gain(chess, line, 4, prior) {
            return None;
        }
        let mut between = chess.clone();
        between.play_unchecked(first);
        let san = format_san(chess, first);
        let steps = Steps { before: chess, first, between, answer, taking, san };
        let by_itself = || steps.fork().or_else(|| steps.skewer()).or_else(|| steps.pin());
        let description = (!steps.is_taken())
            .then(by_itself)
            .flatten()
            .or_else(|| steps.uncovers())
            .or_else(|| steps.takes_defender())?;
        Some(Tactic { description })
    }
}

impl Steps<'_> {
    /// Returns the opponent's pieces.
    fn theirs(&self) -> Bitboard {
        self.between.us()
    }

    /// Returns the squares that the first moving piece attacks now.
    fn attacked(&self) -> Option<Bitboard> {
        let (board, to) = (self.between.board(), self.first.to());
        Some(attacks::attacks(to, board.piece_at(to)?, board.occupied()))
    }

    /// Returns true if the opponent can capture the first moving piece without loss, even if the line
    /// does not.
    fn is_taken(&self) -> bool {
        let takes = |mv: &Move| mv.is_capture() && mv.to() == self.first.to();
        self.between.legal_moves().into_iter().any(|mv| takes(&mv) && see_ge(&self.between, mv, 0))
    }

    fn role(&self, square: Square) -> Option<Role> {
        self.between.board().role_at(square)
    }

    fn is_defended(&self, square: Square) -> bool {
        let board = self.between.board();
        board.attacks_to(square, self.between.turn(), board.occupied()).any()
    }

    /// Finds a fork: a piece attacks at least two others and captures one of them. Each is a king, worth
    /// more than the attacker, or undefended.
    fn fork(&self) -> Option<String> {
        let own = see_value(self.role(self.first.to())?);
        let is_target = |&square: &Square| {
            self.role(square).is_some_and(|role| {
                role == Role::King
                    || see_value(role) > own
                    || (role != Role::Pawn && !self.is_defended(square))
            })
        };
        let targets: Vec<Square> =
            (self.attacked()? & self.theirs()).into_iter().filter(is_target).collect();
        let takes_one = self.taking.from() == Some(self.first.to())
            && targets.contains(&self.taking.to())
            && self.answer.to() != self.first.to();
        if targets.len() < 2 || !takes_one {
            return None;
        }
        let mut roles: Vec<Role> = targets.iter().filter_map(|&square| self.role(square)).collect();
        roles.sort_by_key(|&role| std::cmp::Reverse(see_value(role)));
        Some(format!("the fork {} of {}", self.san, listed(&roles)))
    }

    /// Returns the opponent's pieces that the first moving slider attacks, each with the next of the
    /// opponent's pieces on the same line.
    fn rays(&self) -> Vec<(Square, Square)> {
        let (board, to) = (self.between.board(), self.first.to());
        let slider = board
            .piece_at(to)
            .filter(|piece| matches!(piece.role, Role::Bishop | Role::Rook | Role::Queen));
        let (Some(slider), Some(attacked)) = (slider, self.attacked()) else {
            return Vec::new();
        };
        let with_next_piece = |front: Square| {
            let without = board.occupied() ^ Bitboard::from_square(front);
            let more = attacks::attacks(to, slider, without) & !attacked & self.theirs();
            let back = more.into_iter().find(|&back| attacks::between(to, back).contains(front))?;
            Some((front, back))
        };
        (attacked & self.theirs()).into_iter().filter_map(with_next_piece).collect()
    }

    /// Finds a skewer: a slider attacks a piece, which moves away, and captures the piece behind it.
    fn skewer(&self) -> Option<String> {
        let (front, back) = self.rays().into_iter().find(|&(front, back)| {
            self.answer.from() == Some(front)
                && self.taking.from() == Some(self.first.to())
                && self.taking.to() == back
        })?;
        let roles = [self.role(front)?, self.role(back)?];
        (see_value(roles[0]) >= see_value(roles[1]))
            .then(|| format!("the skewer {} of {}", self.san, listed(&roles)))
    }

    /// Finds a pin: a slider pins a piece to its king, and the pinned piece is captured.
    fn pin(&self) -> Option<String> {
        let pinned = |&(front, back): &(Square, Square)| {
            self.role(back) == Some(Role::King) && self.taking.to() == front
        };
        let (front, _) = self.rays().into_iter().find(pinned)?;
        let is_same = self.answer.from() != Some(front) && self.answer.to() != front;
        is_same.then_some(())?;
        Some(format!("{}, which pins the {}", self.san, name(self.role(front)?)))
    }

    /// Finds a discovered attack: the first move opens the line of another piece, which then captures.
    fn uncovers(&self) -> Option<String> {
        let from = self.first.from()?;
        let (old, new) = (self.before.board(), self.between.board());
        let taker = self.taking.from().filter(|&square| square != self.first.to())?;
        let piece = new.piece_at(taker).filter(|piece| piece.color == self.before.turn())?;
        let target = self.taking.to();
        let attacks_target = |occupied| attacks::attacks(taker, piece, occupied).contains(target);
        let is_uncovered = old.piece_at(taker) == Some(piece)
            && attacks::between(taker, target).contains(from)
            && attacks_target(new.occupied())
            && !attacks_target(old.occupied())
            && self.answer.to() != target;
        let role = self.role(target).filter(|_| is_uncovered)?;
        Some(format!(
            "{}, which discovers the {}’s attack on the {}",
            self.san,
            name(piece.role),
            name(role)
        ))
    }

    /// Finds a captured defender: the first move captures the defender of the piece that is captured next.
    fn takes_defender(&self) -> Option<String> {
        self.first.capture()?;
        let (board, target) = (self.before.board(), self.taking.to());
        let defender = board.piece_at(self.first.to())?;
        let defended =
            attacks::attacks(self.first.to(), defender, board.occupied()).contains(target);
        let role = board.role_at(target).filter(|_| defended && target != self.first.to())?;
        let too_early = self.before.legal_moves().contains(&self.taking)
            && !see_ge(self.before, self.taking, MIN_GAIN);
        (too_early && self.answer.from() != Some(target))
            .then(|| format!("{}, which captures the defender of the {}", self.san, name(role)))
    }
}
