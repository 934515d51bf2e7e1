//! What the pieces do: how many squares they reach and how hard they press on the enemy king.
//!
//! One pass over the pieces serves both. Mobility counts the squares that a piece attacks, without
//! those that own pieces stand on or enemy pawns guard. King safety multiplies the weights of the
//! pieces that attack the king's zone by the number of squares they attack there, so that it grows
//! with the square of the attack: attackers help each other (Chess Programming Wiki, "King
//! Safety").
//!
//! The weights are set by hand. Those of mobility have the size of Fruit's (Fabien Letouzey, 2005)
//! but are smaller for minor pieces in the middlegame, because the piece-square values know much
//! of it already, and fall off for pieces that can hardly move; their zero is about the average.
//! Scale and shape were checked against Stockfish 15.1's judgement of 56,000 quiet positions and bent
//! by hand where they disagreed.

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
    mobility: mobility([-28, -12, -4, -1, 1, 4, 7, 10, 12], [-60, -30, -14, -2, 3, 5, 6, 7, 7]),
    attack: 4,
};

static BISHOP: Weights = Weights {
    mobility: mobility(
        [-20, -14, -5, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9],
        [-42, -34, -20, -6, 0, 7, 10, 11, 12, 13, 13, 13, 13, 13],
    ),
    attack: 4,
};

static ROOK: Weights = Weights {
    mobility: mobility(
        [-16, -12, -9, -5, 2, 5, 6, 8, 10, 12, 13, 14, 15, 16, 16],
        [-40, -26, -19, -13, -8, -2, 4, 8, 10, 12, 13, 15, 16, 17, 18],
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
            -40, -36, -33, -30, -28, -26, -23, -19, -14, -9, -4, 1, 6, 10, 13, 16, 18, 20, 22, 23,
            24, 25, 26, 27, 28, 28, 29, 29,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::pawns;

    const MIDGAME: i32 = Tapered::FULL_PHASE;

    fn white(placement: &str) -> Activity {
        let board: Board = placement.parse().unwrap();
        Activity::of(&board, Color::White, pawns::attacks(&board, Color::Black))
    }

    fn danger(placement: &str) -> i32 {
        let activity = white(placement);
        let mobility = activity.mobility;
        (activity.value() - mobility).blend(MIDGAME)
    }

    #[test]
    fn each_square_that_a_piece_reaches_is_worth_something() {
        let reached = [(&KNIGHT, 9), (&BISHOP, 14), (&ROOK, 15), (&QUEEN, 28)];
        for (weights, squares) in reached {
            for phase in [0, MIDGAME] {
                let values = weights.mobility[..squares].iter().map(|value| value.blend(phase));
                assert!(values.is_sorted());
            }
        }
    }

    #[test]
    fn a_piece_shut_in_counts_less_than_one_at_large() {
        let shut_in = white("4k3/8/8/8/8/8/PP6/BN2K3").mobility;
        let at_large = white("4k3/8/8/8/3BN3/8/PP6/4K3").mobility;
        for phase in [0, MIDGAME] {
            assert!(shut_in.blend(phase) < at_large.blend(phase));
        }
    }

    #[test]
    fn squares_guarded_by_enemy_pawns_are_out_of_reach() {
        let unhindered = white("4k3/8/p6p/8/4N3/8/8/4K3").mobility;
        let hindered = white("4k3/3pp3/8/8/4N3/8/8/4K3").mobility;
        assert!(hindered.blend(MIDGAME) < unhindered.blend(MIDGAME));
    }

    #[test]
    fn attackers_of_the_king_help_each_other() {
        let rook = danger("6k1/8/8/8/8/8/8/K4R2");
        let queen = danger("6k1/8/8/8/7Q/8/8/K7");
        let both = danger("6k1/8/8/8/7Q/8/8/K4R2");
        assert!(rook > 0 && queen > 0);
        assert!(both > rook + queen);
    }

    #[test]
    fn a_square_guarded_by_a_pawn_is_safe_for_the_king() {
        let open = danger("6k1/8/8/4N3/8/8/8/4K3");
        let guarded = danger("6k1/7p/8/4N3/8/8/8/4K3");
        assert!(guarded < open);
    }

    #[test]
    fn two_rooks_on_a_file_attack_through_each_other() {
        let doubled = danger("6k1/8/8/8/8/5R2/5R2/K7");
        let single = danger("6k1/8/8/8/8/5R2/8/K7");
        assert!(doubled > single);
    }
}
