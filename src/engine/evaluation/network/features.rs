//! The inputs of the network: one for each piece on each square, from the perspective of either side.
//!
//! In each perspective its own pieces come first, and its own first rank is at the bottom. If its king is
//! on files e to h, the files are mirrored. A position and its mirror image have the same value except
//! for castling, so each weight is trained by twice as many positions. The place of the perspective's own
//! king chooses one of [`KING_BUCKETS`] sets of inputs, since a piece on a square is worth something else
//! to a castled king than to a king in the middle.

use shakmaty::{Color, File, Piece, Role, Square};

/// Number of features, which are pieces on squares: two colours, six roles, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;
/// Number of places of the king that have inputs of their own.
pub const KING_BUCKETS: usize = 4;
/// Number of inputs for each perspective: the features of every king bucket.
pub const INPUTS: usize = KING_BUCKETS * FEATURES;

/// King bucket by the rank and the file of the king as its side sees them, with its file mirrored to a to
/// d: the corner of a castled king, the middle of the first rank, the second rank, the rest of the board.
const BUCKET_BY_KING: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// Returns true if the files are mirrored for a perspective with its king on this square.
#[inline]
pub fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}

/// The view of the board from one perspective: with its files mirrored or not, and its king bucket. As
/// long as the view stays the same, a move changes only the inputs of the pieces that it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    mirrored: bool,
    bucket: u8,
}

impl View {
    /// Number of views.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// Returns the view of a perspective with its king on this square.
    #[inline]
    pub fn new(perspective: Color, king: Square) -> View {
        let mirrored = is_mirrored(king);
        let seen = king.to_usize() ^ (7 * usize::from(mirrored)) ^ perspective.fold_wb(0, 56);
        View { mirrored, bucket: BUCKET_BY_KING[seen / 8][seen % 4] }
    }

    /// Index of the view, less than [`View::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.mirrored)
    }

    /// Returns the input for a piece on a square, less than [`INPUTS`].
    #[inline]
    pub fn input(self, perspective: Color, piece: Piece, square: Square) -> usize {
        usize::from(self.bucket) * FEATURES + self.feature(perspective, piece, square)
    }

    /// Returns the feature of a piece on a square, less than [`FEATURES`].
    #[inline]
    pub fn feature(self, perspective: Color, piece: Piece, square: Square) -> usize {
        feature(perspective, self.mirrored, piece, square)
    }
}

/// Returns the feature of a piece on a square, less than [`FEATURES`].
#[inline]
pub(super) fn feature(perspective: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let role = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    };
    let other = usize::from(piece.color != perspective);
    let seen = square.to_usize() ^ (7 * usize::from(mirrored)) ^ perspective.fold_wb(0, 56);
    (other * 6 + role) * 64 + seen
}

/// Returns the output for a position with this number of pieces, kings included, at most 32. The result is
/// less than `buckets`.
#[inline]
pub fn output_bucket(pieces: usize, buckets: usize) -> usize {
    pieces.saturating_sub(2) * buckets / 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn every_piece_on_every_square_has_its_own_input() {
        for (perspective, mirrored) in [
            (Color::White, false),
            (Color::White, true),
            (Color::Black, false),
            (Color::Black, true),
        ] {
            let features: HashSet<usize> = Color::ALL
                .into_iter()
                .flat_map(|color| Role::ALL.map(|role| role.of(color)))
                .flat_map(|piece| Square::ALL.map(|square| (piece, square)))
                .map(|(piece, square)| feature(perspective, mirrored, piece, square))
                .collect();
            assert_eq!(features, (0..FEATURES).collect());
        }
    }

    #[test]
    fn the_inputs_have_the_order_of_the_file() {
        let white_pawn = Role::Pawn.of(Color::White);
        let black_king = Role::King.of(Color::Black);
        assert_eq!(feature(Color::White, false, white_pawn, Square::A1), 0);
        assert_eq!(feature(Color::White, false, white_pawn, Square::B3), 17);
        assert_eq!(feature(Color::White, true, white_pawn, Square::B3), 22);
        assert_eq!(feature(Color::Black, false, white_pawn, Square::B3), 6 * 64 + 41);
        assert_eq!(feature(Color::White, false, black_king, Square::H8), 767);
        assert_eq!(feature(Color::Black, true, black_king, Square::H8), 5 * 64);
    }

    #[test]
    fn a_king_on_the_right_half_mirrors_the_files() {
        assert!(!is_mirrored(Square::D1) && !is_mirrored(Square::A8));
        assert!(is_mirrored(Square::E1) && is_mirrored(Square::H8));
    }

    #[test]
    fn the_place_of_the_king_chooses_the_inputs() {
        let bucket = |perspective, king: Square| View::new(perspective, king).bucket;
        for (king, expected) in [
            (Square::G1, 0),
            (Square::B1, 0),
            (Square::E1, 1),
            (Square::C1, 1),
            (Square::G2, 2),
            (Square::D2, 2),
            (Square::H3, 3),
            (Square::E8, 3),
        ] {
            assert_eq!(bucket(Color::White, king), expected, "{king}");
            assert_eq!(bucket(Color::Black, king.flip_vertical()), expected, "black, {king}");
            assert_eq!(bucket(Color::White, king.flip_horizontal()), expected, "mirrored, {king}");
        }
    }

    #[test]
    fn the_views_have_indices_and_inputs_of_their_own() {
        let views: HashSet<usize> =
            Square::ALL.map(|king| View::new(Color::White, king).index()).into_iter().collect();
        assert_eq!(views, (0..View::COUNT).collect());
        let pawn = Role::Pawn.of(Color::Black);
        let inputs: HashSet<usize> = [Square::A1, Square::D1, Square::A2, Square::A8]
            .map(|king| View::new(Color::White, king).input(Color::White, pawn, Square::E5))
            .into_iter()
            .collect();
        let feature = feature(Color::White, false, pawn, Square::E5);
        assert_eq!(inputs, (0..KING_BUCKETS).map(|bucket| bucket * FEATURES + feature).collect());
    }

    #[test]
    fn the_number_of_pieces_chooses_the_output() {
        let by_four = |pieces| output_bucket(pieces, 8);
        assert_eq!([2, 5, 6, 9, 10, 29, 30, 32].map(by_four), [0, 0, 1, 1, 2, 6, 7, 7]);
        assert_eq!([2, 9, 10, 32].map(|pieces| output_bucket(pieces, 4)), [0, 0, 1, 3]);
        assert!((2..=32).all(|pieces| output_bucket(pieces, 1) == 0));
    }

    proptest! {
        #[test]
        fn exchanging_the_colours_exchanges_the_perspectives(
            square in 0..64_u32, role in 0..6_usize, white in any::<bool>(), mirrored in any::<bool>(),
        ) {
            let (square, role) = (Square::new(square), Role::ALL[role]);
            let color = Color::from_white(white);
            prop_assert_eq!(
                feature(Color::White, mirrored, role.of(color), square),
                feature(Color::Black, mirrored, role.of(!color), square.flip_vertical())
            );
        }
    }
}
