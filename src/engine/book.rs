//! Opening books in Polyglot's format.
//!
//! Polyglot is Fabien Letouzey's adapter and book maker; its format is described by Michel Van den
//! Bergh in "Polyglot book format", with the 781 random numbers of its keys. They are those of
//! shakmaty's 64-bit Zobrist keys. A book is a sequence of entries of 16 bytes, lowest key first,
//! all numbers big-endian: key (8), move (2), weight (2), and 4 bytes for learning that nothing
//! here uses. The en passant file is part of a key where a pawn stands beside the one that moved
//! two squares, whether or not it may capture. Castling is king takes own rook.
//!
//! A move is drawn with a probability in proportion to its weight. A move of weight zero is never
//! played; it is in the book so that its replies are.

#![forbid(unsafe_code)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rand::Rng;
use rand::seq::IndexedRandom as _;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, File, Move, Position as _, Rank, Role, Square};
use thiserror::Error;

/// In bytes.
const ENTRY_SIZE: usize = 16;

/// The largest book, which is read into memory.
const MAX_BYTES: u64 = 1 << 28;

/// A book, read into memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Book {
    entries: Vec<BookEntry>,
}

/// A position in the book and one of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BookEntry {
    key: u64,
    packed_move: u16,
    weight: u16,
}

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    pub weight: u32,
    /// The weight of all legal moves together.
    pub of: u32,
}

/// Why a file is no book.
#[derive(Debug, Error)]
#[error("{}: {reason}", .path.display())]
pub(crate) struct BookError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug, Error)]
enum Reason {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("not a file")]
    NoFile,
    #[error(
        "not a book of Polyglot: {0} bytes are no whole number of entries of {ENTRY_SIZE} bytes"
    )]
    Size(u64),
    #[error("{0} bytes are more than the {MAX_BYTES} that a book may have")]
    TooLarge(u64),
    #[error("not a book of Polyglot: entry {0} has a lower key than the one before")]
    Order(usize),
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is no book.
    pub(crate) fn load(path: &Path) -> Result<Book, BookError> {
        Book::read(path).map_err(|reason| BookError { path: path.to_owned(), reason })
    }

    fn read(path: &Path) -> Result<Book, Reason> {
        let file = fs::metadata(path)?;
        if !file.is_file() {
            return Err(Reason::NoFile);
        }
        match file.len() {
            length if length > MAX_BYTES => Err(Reason::TooLarge(length)),
            length if length % ENTRY_SIZE as u64 != 0 => Err(Reason::Size(length)),
            _ => Book::parse(&fs::read(path)?),
        }
    }

    fn parse(bytes: &[u8]) -> Result<Book, Reason> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_SIZE>();
        if entries.is_empty() || !rest.is_empty() {
            return Err(Reason::Size(bytes.len() as u64));
        }
        let entries: Vec<BookEntry> = entries.iter().map(BookEntry::parse).collect();
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(before) => Err(Reason::Order(before + 2)),
            None => Ok(Book { entries }),
        }
    }

    /// The number of its entries.
    pub(crate) fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Draws a move to play in a position; `None` if the book has none.
    pub(crate) fn draw(&self, chess: &Chess, random: &mut impl Rng) -> Option<BookMove> {
        let moves = self.moves(chess);
        let (mv, weight) = *moves.choose_weighted(random, |&(_, weight)| weight).ok()?;
        Some(BookMove { mv, weight, of: moves.iter().map(|&(_, weight)| weight).sum() })
    }

    /// The legal moves that the book has for a position, with their weights.
    fn moves(&self, chess: &Chess) -> Vec<(Move, u32)> {
        let Zobrist64(key) = chess.zobrist_hash(EnPassantMode::PseudoLegal);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let entries = self.entries[first..].iter().take_while(|entry| entry.key == key);
        entries.filter_map(|entry| Some((entry.mv(chess)?, u32::from(entry.weight)))).collect()
    }
}

impl BookEntry {
    fn parse(bytes: &[u8; ENTRY_SIZE]) -> BookEntry {
        let [a, b, c, d, e, f, g, h, packed @ ..] = *bytes;
        let [high, low, heavy, light, ..] = packed;
        BookEntry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            packed_move: u16::from_be_bytes([high, low]),
            weight: u16::from_be_bytes([heavy, light]),
        }
    }

    /// The move, if it is legal: from the lowest bits on three each for its target's file and
    /// rank, its origin's file and rank, and what a pawn becomes.
    fn mv(&self, chess: &Chess) -> Option<Move> {
        let bits = |place: u16| u32::from(self.packed_move >> place & 7);
        let square =
            |place| Square::from_coords(File::new(bits(place)), Rank::new(bits(place + 3)));
        let promotion = match bits(12) {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return None,
        };
        UciMove::Normal { from: square(6), to: square(0), promotion }.to_move(chess).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::position::notation::{parse_fen_any, parse_move};
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    /// The keys with which the format's description lets a reader be tested.
    const PUBLISHED: [(&str, u64); 9] = [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];

    /// The bytes of an entry; a move is written as its squares, king takes rook for castling.
    fn entry(key: u64, mv: &str, weight: u16) -> Vec<u8> {
        let [from_file, from_rank, to_file, to_rank, rest @ ..] = mv.as_bytes() else {
            panic!("{mv}");
        };
        let square = |file: u8, rank: u8| u16::from(file - b'a') | u16::from(rank - b'1') << 3;
        let promotion = rest.first().and_then(|role| "nbrq".find(char::from(*role)));
        let packed_move = square(*to_file, *to_rank)
            | square(*from_file, *from_rank) << 6
            | promotion.map_or(0, |place| place as u16 + 1) << 12;
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(packed_move.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn key(chess: &Chess) -> u64 {
        chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    /// A book with these moves for one position.
    fn book(chess: &Chess, moves: &[(&str, u16)]) -> Book {
        let entries = moves.iter().flat_map(|&(mv, weight)| entry(key(chess), mv, weight));
        Book::parse(&entries.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_position_is_found_by_its_published_key() {
        for (moves, key) in PUBLISHED {
            let mut chess = Chess::default();
            for text in moves.split_whitespace() {
                chess.play_unchecked(parse_move(&chess, text).unwrap());
            }
            let reply = chess.legal_moves()[0];
            let text = reply.to_uci(shakmaty::CastlingMode::Standard).to_string();
            let mut others = entry(key - 1, &text, 7);
            others.extend(entry(key, &text, 5));
            others.extend(entry(key + 1, &text, 7));
            assert_eq!(Book::parse(&others).unwrap().moves(&chess), [(reply, 5)], "{moves}");
        }
    }

    #[test]
    fn a_pawn_that_may_not_capture_en_passant_counts_in_the_key_all_the_same() {
        // The pawn on e4 is pinned; the book knows only that it stands beside the one on d4.
        let pinned = parse_fen_any("4r2k/8/8/8/3Pp3/8/8/4K2R b - d3 0 1");
        let free = parse_fen_any("4r2k/8/8/8/3Pp3/8/8/4K2R b - - 0 1");
        assert_ne!(key(&pinned.unwrap()), key(&free.unwrap()));
    }

    #[test]
    fn moves_are_drawn_in_proportion_to_their_weights() {
        let chess = Chess::default();
        let book = book(&chess, &[("e2e4", 60), ("d2d4", 40), ("g2g4", 0), ("e2e5", 900)]);
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let mut count = |text| {
            let mv = parse_move(&chess, text).unwrap();
            let drawn = (0..1_000).filter_map(|_| book.draw(&chess, &mut random));
            drawn.inspect(|drawn| assert_eq!(drawn.of, 100)).filter(|drawn| drawn.mv == mv).count()
        };
        assert!((550..650).contains(&count("e2e4")));
        assert!((350..450).contains(&count("d2d4")));
        assert_eq!(count("g2g4"), 0);
    }

    #[test]
    fn without_a_move_worth_playing_nothing_is_drawn() {
        let chess = Chess::default();
        let mut random = ChaCha8Rng::seed_from_u64(17);
        for moves in [&[("e2e5", 9)][..], &[("e2e4", 0), ("d2d4", 0)], &[("e7e5", 1)]] {
            assert_eq!(book(&chess, moves).draw(&chess, &mut random), None, "{moves:?}");
        }
        let elsewhere = parse_fen_any("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(book(&chess, &[("e2e4", 1)]).draw(&elsewhere, &mut random), None);
    }

    #[test]
    fn castling_is_king_takes_rook_and_pawns_become_what_the_book_says() {
        let cases = [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "e8c8"),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1b1", "e1b1"),
            ("7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7b8n", "b7b8n"),
            ("7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7b8q", "b7b8q"),
        ];
        for (fen, written, expected) in cases {
            let chess = parse_fen_any(fen).unwrap();
            let expected = parse_move(&chess, expected).unwrap();
            assert_eq!(book(&chess, &[(written, 1)]).moves(&chess), [(expected, 1)], "{fen}");
        }
    }

    #[test]
    fn a_file_larger_than_any_book_is_refused_before_it_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("large.bin");
        for (length, told) in [(1 << 40, "more than the"), ((1 << 28) - 1, "no whole number")] {
            // All of it is a hole, which takes no place on the disk.
            fs::File::create(&path).unwrap().set_len(length).unwrap();
            let error = Book::load(&path).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn what_is_no_book_is_refused_with_the_file_and_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let mut unsorted = entry(5, "e2e4", 1);
        unsorted.extend(entry(4, "e2e4", 1));
        for (bytes, reason) in [
            (Vec::new(), "0 bytes"),
            (b"[Event \"?\"]".to_vec(), "11 bytes"),
            (unsorted, "entry 2 has a lower key"),
        ] {
            let path = folder.path().join("a.bin");
            fs::write(&path, bytes).unwrap();
            let error = Book::load(&path).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            assert!(error.contains(reason), "{error}");
        }
        assert!(Book::load(folder.path()).unwrap_err().to_string().ends_with("not a file"));
        assert!(Book::load(&folder.path().join("none")).is_err());
    }
}
