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
//!
//! A book is searched in its file, which stays open: one of a gigabyte takes no more time and memory
//! to begin with than a small one.

#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rand::Rng;
use rand::seq::IndexedRandom as _;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position as _, Rank, Role, Square};
use thiserror::Error;

/// In bytes.
const ENTRY_SIZE: usize = 16;

/// So many entries at each end of a file are looked at before it is taken for a book: all of a small
/// one, and enough of a large one to know it from other files.
const CHECKED_ENTRIES: u64 = 1 << 16;

/// More entries than this are not looked at for a position, which has no more moves than 218.
const MAX_MOVES: u64 = 1_024;

/// A book in a file, or in whatever else can be read in any order.
#[derive(Debug)]
pub struct Book<F = File> {
    source: F,
    entries: u64,
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
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// Weight of the move; its probability is `weight / total_weight`.
    pub weight: u32,
    /// Sum of the weights of all legal moves in the book.
    pub total_weight: u32,
}

/// A file that cannot be used as a book, and the reason.
#[derive(Debug, Error)]
#[error("{}: {reason}", .path.display())]
pub struct BookError {
    path: PathBuf,
    reason: BookErrorKind,
}

/// Reasons why a file cannot be used as a book.
#[derive(Debug, Error)]
pub enum BookErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The path leads to a folder, a pipe or a device.
    #[error("not a file")]
    NotAFile,
    /// The size in bytes is zero or not a multiple of the size of an entry.
    #[error(
        "not a Polyglot book: {0} bytes are not one or more whole entries of {ENTRY_SIZE} bytes"
    )]
    Size(u64),
    /// The entry with this number, from 1, is out of order.
    #[error("not a Polyglot book: entry {0} has a lower key than the entry before it")]
    Order(u64),
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let open = || {
            // Opening a pipe would wait for somebody who writes to it.
            if !fs::metadata(path)?.is_file() {
                return Err(BookErrorKind::NotAFile);
            }
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            Book::new(file, length)
        };
        open().map_err(|reason| BookError { path: path.to_owned(), reason })
    }
}

impl<F: Read + Seek> Book<F> {
    /// A book of `length` bytes.
    pub fn new(source: F, length: u64) -> Result<Book<F>, BookErrorKind> {
        if length == 0 || !length.is_multiple_of(ENTRY_SIZE as u64) {
            return Err(BookErrorKind::Size(length));
        }
        let mut book = Book { source, entries: length / ENTRY_SIZE as u64 };
        book.check_order()?;
        Ok(book)
    }

    fn check_order(&mut self) -> Result<(), BookErrorKind> {
        let first_part = self.entries.min(CHECKED_ENTRIES);
        let last_part = first_part.max(self.entries.saturating_sub(CHECKED_ENTRIES));
        let mut before = 0;
        for part in [0..first_part, last_part..self.entries] {
            let mut bytes = vec![0; (part.end - part.start) as usize * ENTRY_SIZE];
            self.read(part.start, &mut bytes)?;
            for (number, entry) in (part.start + 1..).zip(bytes.as_chunks().0) {
                let BookEntry { key, .. } = BookEntry::parse(entry);
                if key < before {
                    return Err(BookErrorKind::Order(number));
                }
                before = key;
            }
        }
        Ok(())
    }

    /// The number of its entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Draws a move to play in a position; `None` if the book has none.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read.
    pub fn draw(&mut self, chess: &Chess, random: &mut impl Rng) -> io::Result<Option<BookMove>> {
        let moves = self.moves(chess)?;
        let Ok(&(mv, weight)) = moves.choose_weighted(random, |&(_, weight)| weight) else {
            return Ok(None);
        };
        let total_weight = moves.iter().map(|&(_, weight)| weight).sum();
        Ok(Some(BookMove { mv, weight, total_weight }))
    }

    /// The legal moves that the book has for a position, with their weights.
    fn moves(&mut self, chess: &Chess) -> io::Result<Vec<(Move, u32)>> {
        let Zobrist64(key) = chess.zobrist_hash(EnPassantMode::PseudoLegal);
        let first = self.first_of(key)?;
        let mut moves = Vec::new();
        for place in first..self.entries.min(first + MAX_MOVES) {
            let entry = self.entry(place)?;
            if entry.key != key {
                break;
            }
            moves.extend(entry.mv(chess).map(|mv| (mv, u32::from(entry.weight))));
        }
        Ok(moves)
    }

    /// The place of the first entry whose key is not below this one.
    fn first_of(&mut self, key: u64) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn entry(&mut self, place: u64) -> io::Result<BookEntry> {
        let mut bytes = [0; ENTRY_SIZE];
        self.read(place, &mut bytes)?;
        Ok(BookEntry::parse(&bytes))
    }

    /// Reads entries from this place on.
    fn read(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(place * ENTRY_SIZE as u64))?;
        self.source.read_exact(bytes)
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
        let square = |place| {
            Square::from_coords(shakmaty::File::new(bits(place)), Rank::new(bits(place + 3)))
        };
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
    use std::io::Cursor;

    use super::*;
    use crate::position::notation::{parse_fen_any, parse_move};
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

    /// A book with these entries.
    fn book_of(entries: Vec<u8>) -> Book<Cursor<Vec<u8>>> {
        let length = entries.len() as u64;
        Book::new(Cursor::new(entries), length).unwrap()
    }

    /// A book with these moves for one position.
    fn book(chess: &Chess, moves: &[(&str, u16)]) -> Book<Cursor<Vec<u8>>> {
        let entries = moves.iter().flat_map(|&(mv, weight)| entry(key(chess), mv, weight));
        book_of(entries.collect())
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
            assert_eq!(book_of(others).moves(&chess).unwrap(), [(reply, 5)], "{moves}");
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
        let mut book = book(&chess, &[("e2e4", 60), ("d2d4", 40), ("g2g4", 0), ("e2e5", 900)]);
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let mut count = |text| {
            let mv = parse_move(&chess, text).unwrap();
            let drawn = (0..1_000).filter_map(|_| book.draw(&chess, &mut random).unwrap());
            drawn
                .inspect(|drawn| assert_eq!(drawn.total_weight, 100))
                .filter(|drawn| drawn.mv == mv)
                .count()
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
            let drawn = book(&chess, moves).draw(&chess, &mut random).unwrap();
            assert_eq!(drawn, None, "{moves:?}");
        }
        let elsewhere = parse_fen_any("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let drawn = book(&chess, &[("e2e4", 1)]).draw(&elsewhere, &mut random);
        assert_eq!(drawn.unwrap(), None);
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
            let moves = book(&chess, &[(written, 1)]).moves(&chess).unwrap();
            assert_eq!(moves, [(expected, 1)], "{fen}");
        }
    }

    /// Counts what is read of a book.
    struct Counted<F>(F, u64);

    impl<F: Read> Read for Counted<F> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(bytes)?;
            self.1 += read as u64;
            Ok(read)
        }
    }

    impl<F: Seek> Seek for Counted<F> {
        fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
            self.0.seek(place)
        }
    }

    #[test]
    fn of_a_book_of_any_size_little_is_read() {
        const LENGTH: u64 = 1 << 40;
        let mut file = tempfile::tempfile().unwrap();
        // All but its end is a hole, which takes no place on the disk and reads as lowest keys.
        let chess = Chess::default();
        file.set_len(LENGTH - ENTRY_SIZE as u64).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        io::Write::write_all(&mut file, &entry(key(&chess), "e2e4", 7)).unwrap();
        let mut book = Book::new(Counted(file, 0), LENGTH).unwrap();
        let drawn = book.draw(&chess, &mut ChaCha8Rng::seed_from_u64(1)).unwrap().unwrap();
        assert_eq!((drawn.mv, drawn.weight), (parse_move(&chess, "e2e4").unwrap(), 7));
        assert!(book.source.1 < 1 << 22, "{} bytes", book.source.1);
    }

    #[test]
    fn a_position_with_more_entries_than_moves_is_answered_all_the_same() {
        let chess = Chess::default();
        let moves = vec![("e2e4", u16::MAX); 100_000];
        let drawn = book(&chess, &moves).draw(&chess, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(drawn.unwrap().unwrap().weight, u32::from(u16::MAX));
    }

    #[test]
    fn a_book_that_was_cut_short_meanwhile_is_an_error() {
        let chess = Chess::default();
        let mut book = book(&chess, &[("e2e4", 1), ("d2d4", 1)]);
        book.source = Cursor::new(Vec::new());
        assert!(book.draw(&chess, &mut ChaCha8Rng::seed_from_u64(1)).is_err());
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
            let error = Book::open(&path).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            assert!(error.contains(reason), "{error}");
        }
        assert!(Book::open(folder.path()).unwrap_err().to_string().ends_with("not a file"));
        assert!(Book::open(&folder.path().join("none")).is_err());
    }
}
