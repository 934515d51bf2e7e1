//! What a piece is worth on each square.
//!
//! Material and piece-square values are those of PeSTO, tuned with Texel's method by Ronald
//! Friederich for RofChade (2018) and published by him and on the Chess Programming Wiki
//! ("PeSTO's Evaluation Function"). The tables below are printed as White sees the board, the
//! eighth rank on top.

use shakmaty::{ByColor, ByRole, Piece, Role, Square};

use super::tapered::Tapered;

/// The value of a piece on a square, positive for White and negative for Black.
pub(super) fn value(piece: Piece, square: Square) -> Tapered {
    VALUES.get(piece.color).get(piece.role)[usize::from(square)]
}

/// How much a piece holds the game back from the endgame; all pieces of the initial position
/// together make [`Tapered::FULL_PHASE`].
pub(super) fn phase(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

type Squares = [Tapered; 64];

static VALUES: ByColor<ByRole<Squares>> = ByColor {
    black: ByRole {
        pawn: for_black(PAWN),
        knight: for_black(KNIGHT),
        bishop: for_black(BISHOP),
        rook: for_black(ROOK),
        queen: for_black(QUEEN),
        king: for_black(KING),
    },
    white: ByRole {
        pawn: for_white(PAWN),
        knight: for_white(KNIGHT),
        bishop: for_white(BISHOP),
        rook: for_white(ROOK),
        queen: for_white(QUEEN),
        king: for_white(KING),
    },
};

struct Table {
    material: Tapered,
    midgame: [i16; 64],
    endgame: [i16; 64],
}

/// Black's values are White's, mirrored and negative.
const fn for_black(table: Table) -> Squares {
    let white = for_white(table);
    let mut squares = white;
    let mut index = 0;
    while index < 64 {
        squares[index] = white[index ^ 56].negated();
        index += 1;
    }
    squares
}

/// The first square in print is a8, the first of a board a1.
const fn for_white(table: Table) -> Squares {
    let mut squares = [Tapered::new(0, 0); 64];
    let mut index = 0;
    while index < 64 {
        let printed = index ^ 56;
        let midgame = table.midgame[printed] as i32;
        let endgame = table.endgame[printed] as i32;
        squares[index] = table.material.plus(Tapered::new(midgame, endgame));
        index += 1;
    }
    squares
}

#[rustfmt::skip]
const PAWN: Table = Table {
    material: Tapered::new(82, 94),
    midgame: [
           0,    0,    0,    0,    0,    0,    0,    0,
          98,  134,   61,   95,   68,  126,   34,  -11,
          -6,    7,   26,   31,   65,   56,   25,  -20,
         -14,   13,    6,   21,   23,   12,   17,  -23,
         -27,   -2,   -5,   12,   17,    6,   10,  -25,
         -26,   -4,   -4,  -10,    3,    3,   33,  -12,
         -35,   -1,  -20,  -23,  -15,   24,   38,  -22,
           0,    0,    0,    0,    0,    0,    0,    0,
    ],
    endgame: [
           0,    0,    0,    0,    0,    0,    0,    0,
         178,  173,  158,  134,  147,  132,  165,  187,
          94,  100,   85,   67,   56,   53,   82,   84,
          32,   24,   13,    5,   -2,    4,   17,   17,
          13,    9,   -3,   -7,   -7,   -8,    3,   -1,
           4,    7,   -6,    1,    0,   -5,   -1,   -8,
          13,    8,    8,   10,   13,    0,    2,   -7,
           0,    0,    0,    0,    0,    0,    0,    0,
    ],
};

#[rustfmt::skip]
const KNIGHT: Table = Table {
    material: Tapered::new(337, 281),
    midgame: [
        -167,  -89,  -34,  -49,   61,  -97,  -15, -107,
         -73,  -41,   72,   36,   23,   62,    7,  -17,
         -47,   60,   37,   65,   84,  129,   73,   44,
          -9,   17,   19,   53,   37,   69,   18,   22,
         -13,    4,   16,   13,   28,   19,   21,   -8,
         -23,   -9,   12,   10,   19,   17,   25,  -16,
         -29,  -53,  -12,   -3,   -1,   18,  -14,  -19,
        -105,  -21,  -58,  -33,  -17,  -28,  -19,  -23,
    ],
    endgame: [
         -58,  -38,  -13,  -28,  -31,  -27,  -63,  -99,
         -25,   -8,  -25,   -2,   -9,  -25,  -24,  -52,
         -24,  -20,   10,    9,   -1,   -9,  -19,  -41,
         -17,    3,   22,   22,   22,   11,    8,  -18,
         -18,   -6,   16,   25,   16,   17,    4,  -18,
         -23,   -3,   -1,   15,   10,   -3,  -20,  -22,
         -42,  -20,  -10,   -5,   -2,  -20,  -23,  -44,
         -29,  -51,  -23,  -15,  -22,  -18,  -50,  -64,
    ],
};

#[rustfmt::skip]
const BISHOP: Table = Table {
    material: Tapered::new(365, 297),
    midgame: [
         -29,    4,  -82,  -37,  -25,  -42,    7,   -8,
         -26,   16,  -18,  -13,   30,   59,   18,  -47,
         -16,   37,   43,   40,   35,   50,   37,   -2,
          -4,    5,   19,   50,   37,   37,    7,   -2,
          -6,   13,   13,   26,   34,   12,   10,    4,
           0,   15,   15,   15,   14,   27,   18,   10,
           4,   15,   16,    0,    7,   21,   33,    1,
         -33,   -3,  -14,  -21,  -13,  -12,  -39,  -21,
    ],
    endgame: [
         -14,  -21,  -11,   -8,   -7,   -9,  -17,  -24,
          -8,   -4,    7,  -12,   -3,  -13,   -4,  -14,
           2,   -8,    0,   -1,   -2,    6,    0,    4,
          -3,    9,   12,    9,   14,   10,    3,    2,
          -6,    3,   13,   19,    7,   10,   -3,   -9,
         -12,   -3,    8,   10,   13,    3,   -7,  -15,
         -14,  -18,   -7,   -1,    4,   -9,  -15,  -27,
         -23,   -9,  -23,   -5,   -9,  -16,   -5,  -17,
    ],
};

#[rustfmt::skip]
const ROOK: Table = Table {
    material: Tapered::new(477, 512),
    midgame: [
          32,   42,   32,   51,   63,    9,   31,   43,
          27,   32,   58,   62,   80,   67,   26,   44,
          -5,   19,   26,   36,   17,   45,   61,   16,
         -24,  -11,    7,   26,   24,   35,   -8,  -20,
         -36,  -26,  -12,   -1,    9,   -7,    6,  -23,
         -45,  -25,  -16,  -17,    3,    0,   -5,  -33,
         -44,  -16,  -20,   -9,   -1,   11,   -6,  -71,
         -19,  -13,    1,   17,   16,    7,  -37,  -26,
    ],
    endgame: [
          13,   10,   18,   15,   12,   12,    8,    5,
          11,   13,   13,   11,   -3,    3,    8,    3,
           7,    7,    7,    5,    4,   -3,   -5,   -3,
           4,    3,   13,    1,    2,    1,   -1,    2,
           3,    5,    8,    4,   -5,   -6,   -8,  -11,
          -4,    0,   -5,   -1,   -7,  -12,   -8,  -16,
          -6,   -6,    0,    2,   -9,   -9,  -11,   -3,
          -9,    2,    3,   -1,   -5,  -13,    4,  -20,
    ],
};

#[rustfmt::skip]
const QUEEN: Table = Table {
    material: Tapered::new(1025, 936),
    midgame: [
         -28,    0,   29,   12,   59,   44,   43,   45,
         -24,  -39,   -5,    1,  -16,   57,   28,   54,
         -13,  -17,    7,    8,   29,   56,   47,   57,
         -27,  -27,  -16,  -16,   -1,   17,   -2,    1,
          -9,  -26,   -9,  -10,   -2,   -4,    3,   -3,
         -14,    2,  -11,   -2,   -5,    2,   14,    5,
         -35,   -8,   11,    2,    8,   15,   -3,    1,
          -1,  -18,   -9,   10,  -15,  -25,  -31,  -50,
    ],
    endgame: [
          -9,   22,   22,   27,   27,   19,   10,   20,
         -17,   20,   32,   41,   58,   25,   30,    0,
         -20,    6,    9,   49,   47,   35,   19,    9,
           3,   22,   24,   45,   57,   40,   57,   36,
         -18,   28,   19,   47,   31,   34,   39,   23,
         -16,  -27,   15,    6,    9,   17,   10,    5,
         -22,  -23,  -30,  -16,  -16,  -23,  -36,  -32,
         -33,  -28,  -22,  -43,   -5,  -32,  -20,  -41,
    ],
};

#[rustfmt::skip]
const KING: Table = Table {
    material: Tapered::new(0, 0),
    midgame: [
         -65,   23,   16,  -15,  -56,  -34,    2,   13,
          29,   -1,  -20,   -7,   -8,   -4,  -38,  -29,
          -9,   24,    2,  -16,  -20,    6,   22,  -22,
         -17,  -20,  -12,  -27,  -30,  -25,  -14,  -36,
         -49,   -1,  -27,  -39,  -46,  -44,  -33,  -51,
         -14,  -14,  -22,  -46,  -44,  -30,  -15,  -27,
           1,    7,   -8,  -64,  -43,  -16,    9,    8,
         -15,   36,   12,  -54,    8,  -28,   24,   14,
    ],
    endgame: [
         -74,  -35,  -18,  -18,  -11,   15,    4,  -17,
         -12,   17,   14,   17,   17,   38,   23,   11,
          10,   17,   23,   15,   20,   45,   44,   13,
          -8,   22,   24,   27,   26,   33,   26,    3,
         -18,   -4,   21,   24,   27,   23,    9,  -11,
         -19,   -3,   11,   21,   23,   16,    7,   -9,
         -27,  -11,    4,   13,   14,    4,   -5,  -17,
         -53,  -34,  -21,  -11,  -28,  -14,  -24,  -43,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    #[test]
    fn black_mirrors_white() {
        for role in Role::ALL {
            for square in Square::ALL {
                let white = value(role.of(Color::White), square);
                let black = value(role.of(Color::Black), square.flip_vertical());
                assert_eq!(white.negated(), black);
            }
        }
    }

    #[test]
    fn material_counts_as_every_player_knows() {
        for phase in [0, Tapered::FULL_PHASE] {
            let mean = |role: Role| {
                let piece = role.of(Color::White);
                Square::ALL.iter().map(|&square| value(piece, square).blend(phase)).sum::<i32>()
                    / 64
            };
            let [pawn, knight, bishop] = [Role::Pawn, Role::Knight, Role::Bishop].map(mean);
            let [rook, queen] = [Role::Rook, Role::Queen].map(mean);
            assert!(2 * pawn < knight && knight <= bishop && bishop < 4 * pawn);
            assert!(bishop < rook && rook < knight + bishop);
            assert!(rook + bishop < queen && queen < 2 * rook + knight);
        }
    }

    #[test]
    fn the_tables_are_printed_with_the_eighth_rank_on_top() {
        let pawn = Role::Pawn.of(Color::White);
        let (home, promoting) = (value(pawn, Square::A2), value(pawn, Square::A7));
        assert!(promoting.blend(0) > home.blend(0) + 100);
        let king = Role::King.of(Color::White);
        let (castled, exposed) = (value(king, Square::G1), value(king, Square::G5));
        assert!(castled.blend(Tapered::FULL_PHASE) > exposed.blend(Tapered::FULL_PHASE));
    }

    #[test]
    fn the_initial_army_makes_the_full_phase() {
        let board = shakmaty::Board::new();
        let total: i32 = board.iter().map(|(_, piece)| phase(piece.role)).sum();
        assert_eq!(total, Tapered::FULL_PHASE);
    }
}
