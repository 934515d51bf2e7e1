//! What the pieces do: how many squares they reach and how hard they press on the enemy king.
//!
//! One pass over the pieces serves both. Mobility counts the squares that a piece attacks, without
//! those that own pieces stand on or enemy pawns guard; its weights have the size of Fruit's
//! (Fabien Letouzey, 2005), smaller in the middlegame where the piece-square values know much of
//! it already, and fall faster for pieces that can hardly move. King safety multiplies the weights
//! of the pieces that attack the king's zone by the number of squares they attack there, so that
//! it grows with the square of the attack: attackers help each other (Chess Programming Wiki,
//! "King Safety").

use shakmaty::attacks;
use shakmaty::{Bitboard, Board, Color};

use super::tapered::Tapered;

/// The activity of one side's pieces.
pub(super) struct Activity {
    targets: Targets,
    mobility: Tapered,
    /// The weights of the pieces that attack the enemy king's zone, together.
    attackers: i32,
    /// The squares of that zone that they attack.
    pressed: Bitboard,
}

#[derive(Clone, Copy)]
struct Targets {
    /// Squares that count as mobility.
    free: Bitboard,
    /// Squares near the enemy king that no pawn of his guards.
    zone: Bitboard,
}

impl Activity {
    /// Counts for `color`, whose pieces find the squares in `guarded` attacked by enemy pawns.
    pub(super) fn of(board: &Board, color: Color, guarded: Bitboard) -> Activity {
        let own = board.by_color(color);
        let occupied = board.occupied();
        let queens = board.queens() & own;
        let rooks = board.rooks() & own;
        let mut activity = Activity {
            targets: Targets { free: !(own | guarded), zone: king_zone(board, !color) & !guarded },
            mobility: Tapered::default(),
            attackers: 0,
            pressed: Bitboard::EMPTY,
        };

        // Sliders see through those of their own kind: a battery attacks with both.
        let past_queens = occupied & !queens;
        let past_rooks = past_queens & !rooks;
        for square in board.knights() & own {
            activity.add(&KNIGHT, attacks::knight_attacks(square));
        }
        for square in board.bishops() & own {
            activity.add(&BISHOP, attacks::bishop_attacks(square, past_queens));
        }
        for square in rooks {
            activity.add(&ROOK, attacks::rook_attacks(square, past_rooks));
        }
        for square in queens {
            activity.add(&QUEEN, attacks::queen_attacks(square, occupied));
        }
        activity
    }

    /// What this activity is worth to the side whose it is.
    pub(super) fn value(self) -> Tapered {
        let danger = self.attackers * self.pressed.count() as i32;
        self.mobility + Tapered::midgame(danger.min(GREATEST_DANGER))
    }

    #[inline(always)]
    fn add(&mut self, weights: &Weights, attacked: Bitboard) {
        let pressed = attacked & self.targets.zone;
        self.mobility += weights.mobility[(attacked & self.targets.free).count()];
        self.attackers += weights.attack * i32::from(pressed.any());
        self.pressed |= pressed;
    }
}

/// The king's square, those around it and the three in front of them.
fn king_zone(board: &Board, color: Color) -> Bitboard {
    let Some(king) = board.king_of(color) else {
        return Bitboard::EMPTY;
    };
    let ring = attacks::king_attacks(king).with(king);
    match color {
        Color::White => ring | Bitboard(ring.0 << 8),
        Color::Black => ring | Bitboard(ring.0 >> 8),
    }
}

/// The most that an attack on the king counts, in centipawns.
const GREATEST_DANGER: i32 = 400;

/// What counts for the pieces of one role.
struct Weights {
    /// By the number of squares that the piece reaches.
    mobility: [Tapered; 28],
    /// Centipawns for each square of the king's zone under attack.
    attack: i32,
}

static KNIGHT: Weights = Weights {
    mobility: mobility([-20, -11, -5, -2, 1, 3, 5, 7, 8], [-40, -25, -12, -4, 3, 8, 12, 15, 17]),
    attack: 4,
};

static BISHOP: Weights = Weights {
    mobility: mobility(
        [-18, -12, -7, -3, 0, 2, 4, 6, 7, 8, 9, 9, 10, 10],
        [-50, -36, -24, -13, -4, 3, 9, 14, 18, 21, 23, 25, 26, 27],
    ),
    attack: 4,
};

static ROOK: Weights = Weights {
    mobility: mobility(
        [-15, -9, -4, -1, 2, 4, 6, 8, 10, 12, 13, 14, 15, 16, 17],
        [-50, -37, -25, -16, -9, -3, 2, 7, 11, 15, 18, 21, 23, 25, 26],
    ),
    attack: 6,
};

static QUEEN: Weights = Weights {
    mobility: mobility(
        [
            -14, -10, -8, -6, -4, -3, -1, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8,
            9, 9,
        ],
        [
            -40, -32, -26, -21, -17, -14, -11, -8, -5, -3, 0, 3, 5, 8, 10, 12, 14, 16, 18, 19, 20,
            21, 22, 23, 24, 25, 26, 27,
        ],
    ),
    attack: 10,
};

/// The table of a role that reaches fewer than `N` squares.
const fn mobility<const N: usize>(midgame: [i32; N], endgame: [i32; N]) -> [Tapered; 28] {
    let mut table = [Tapered::new(0, 0); 28];
    let mut squares = 0;
    while squares < N {
        table[squares] = Tapered::new(midgame[squares], endgame[squares]);
        squares += 1;
    }
    table
}
