//! The 960 starts of Chess960, by their numbers in Reinhard Scharnagl's scheme (2004).

use shakmaty::{CastlingMode, Chess, Color, File, FromSetup as _, Rank, Role, Setup, Square};

/// The number of starts.
pub const STARTS: u32 = 960;

/// The knights' indices among the five files that bishops and queen leave free.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// The start with this number, 0 to 959; 518 is that of standard chess. Larger numbers wrap around.
pub fn start(number: u32) -> Chess {
    let mut setup = Setup::empty();
    for (file, role) in File::ALL.into_iter().zip(back_rank(number % STARTS)) {
        for color in Color::ALL {
            let (back, front) =
                color.fold_wb((Rank::First, Rank::Second), (Rank::Eighth, Rank::Seventh));
            let square = Square::from_coords(file, back);
            setup.board.set_piece_at(square, role.of(color));
            setup.board.set_piece_at(Square::from_coords(file, front), Role::Pawn.of(color));
            if role == Role::Rook {
                setup.castling_rights.add(square);
            }
        }
    }
    Chess::from_setup(setup, CastlingMode::Chess960).expect("every start can be played")
}

/// The pieces from file a to file h: the bishops by the colour of their squares, the others by
/// index among the files that are still free; rook, king and rook come last.
fn back_rank(number: u32) -> [Role; 8] {
    let number = number as usize;
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    put(&mut rank, number / 16 % 6, Role::Queen);
    let (left, right) = KNIGHTS[number / 96];
    // The right one first, since it does not shift the free files left of it.
    put(&mut rank, right, Role::Knight);
    put(&mut rank, left, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(&mut rank, 0, role);
    }
    rank.map(|role| role.expect("eight pieces for eight files"))
}

fn put(rank: &mut [Option<Role>; 8], index: usize, role: Role) {
    let free = rank.iter_mut().filter(|file| file.is_none()).nth(index);
    *free.expect("a free file") = Some(role);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_starts_are_960_different_ones_and_number_518_is_the_standard_one() {
        let starts: HashSet<_> = (0..STARTS).map(start).collect();
        assert_eq!(starts.len(), 960);
        assert_eq!(start(518), Chess::default());
    }

    #[test]
    fn the_king_stands_between_the_rooks_and_the_bishops_on_both_colours() {
        for number in 0..STARTS {
            let rank = back_rank(number);
            let files = |role| (0..8).filter(|&file| rank[file] == role).collect::<Vec<_>>();
            let (rooks, bishops) = (files(Role::Rook), files(Role::Bishop));
            let king = files(Role::King)[0];
            assert!(rooks[0] < king && king < rooks[1], "{number}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{number}");
        }
    }
}
