//! Opening books in the format of Polyglot.
//!
//! Polyglot is Fabien Letouzey's UCI adapter and book maker. Michel Van den Bergh describes the format
//! in "Polyglot book format" and lists the 781 random numbers of its keys; shakmaty's 64-bit Zobrist
//! keys use the same numbers. A book is a sequence of entries of 16 bytes, ordered by key. All numbers
//! are big-endian: key (8 bytes), move (2), weight (2), and 4 bytes of learning data, which are ignored
//! here. The key includes the en passant file if an enemy pawn is next to the pawn that moved two
//! squares, even if that pawn cannot capture. Castling is written as king takes own rook.
//!
//! Moves are drawn with probabilities in proportion to their weights. A move of weight zero is never
//! played; books contain such moves for the replies to them.
//!
//! The file stays open and is searched on disk, so a large book opens as fast as a small one and takes
//! no more memory.

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

/// Size of an entry, in bytes.
const ENTRY_SIZE: usize = 16;

/// Number of entries at each end of the file whose order is checked on opening: all entries of a small
/// book, and enough of a large book to tell it from other files.
const CHECKED_ENTRIES: u64 = 1 << 16;

/// Most entries that are read for one position. No position of a game has more than 218 legal
/// moves.
const MAX_MOVES: u64 = 1_024;

/// A book in a file or another seekable source.
#[derive(Debug)]
pub struct Book<F = File> {
    source: F,
    entries: u64,
}

/// An entry of the book: a position, one of its moves and the weight of the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BookEntry {
    key: u64,
    packed_move: u16,
    weight: u16,
}

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The drawn move; it is legal.
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
    /// Fails if the file cannot be read or is not a book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let open = || {
            // Opening a pipe would block until another process writes to it.
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
    /// Opens a book of `length` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the source cannot be read or is not a book.
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

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Draws a move for a position; `None` if the book has none.
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

    /// Returns the legal moves of the book for a position, with their weights.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read.
    pub fn moves(&mut self, chess: &Chess) -> io::Result<Vec<(Move, u32)>> {
        let Zobrist64(key) = chess.zobrist_hash(EnPassantMode::PseudoLegal);
        let first = self.first_of(key)?;
        let mut moves = Vec::new();
        for index in first..self.entries.min(first + MAX_MOVES) {
            let entry = self.entry(index)?;
            if entry.key != key {
                break;
            }
            moves.extend(entry.mv(chess).map(|mv| (mv, u32::from(entry.weight))));
        }
        Ok(moves)
    }

    /// Returns the index of the first entry with this key or a greater one.
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

    fn entry(&mut self, index: u64) -> io::Result<BookEntry> {
        let mut bytes = [0; ENTRY_SIZE];
        self.read(index, &mut bytes)?;
        Ok(BookEntry::parse(&bytes))
    }

    /// Reads entries, beginning with the one at this index.
    fn read(&mut self, index: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(index * ENTRY_SIZE as u64))?;
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

    /// Decodes the move; `None` if it is not legal. Beginning with the lowest bits, three bits each
    /// encode the file and rank of the destination, the file and rank of the origin, and the promotion.
    fn mv(&self, chess: &Chess) -> Option<Move> {
        let bits = |shift: u16| u32::from(self.packed_move >> shift & 7);
        let square = |shift| {
            Square::from_coords(shakmaty::File::new(bits(shift)), Rank::new(bits(shift + 3)))
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

    /// The test keys in the description of the format, with the moves from the start.
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

    /// Returns the bytes of an entry. Castling is given as king takes own rook.
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

    /// Returns a book with these entries.
    fn book_of(entries: Vec<u8>) -> Book<Cursor<Vec<u8>>> {
        let length = entries.len() as u64;
        Book::new(Cursor::new(entries), length).unwrap()
    }

    /// Returns a book with these moves for one position.
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
    fn a_pinned_pawn_next_to_the_double_step_still_changes_the_key() {
        // The pawn on e4 is pinned, but the format asks only if it is next to the pawn on d4.
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
    fn illegal_moves_and_moves_of_weight_zero_are_not_drawn() {
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
    fn castling_and_promotions_are_decoded() {
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

    /// A source that counts the bytes read.
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
    fn a_huge_book_is_searched_without_reading_it_whole() {
        const LENGTH: u64 = 1 << 40;
        let mut file = tempfile::tempfile().unwrap();
        // A sparse file: all but its last entry is a hole, which takes no disk space and reads as zeros.
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
    fn a_position_with_very_many_entries_still_gets_a_move() {
        let chess = Chess::default();
        let moves = vec![("e2e4", u16::MAX); 100_000];
        let drawn = book(&chess, &moves).draw(&chess, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(drawn.unwrap().unwrap().weight, u32::from(u16::MAX));
    }

    #[test]
    fn reading_a_book_that_was_truncated_after_opening_is_an_error() {
        let chess = Chess::default();
        let mut book = book(&chess, &[("e2e4", 1), ("d2d4", 1)]);
        book.source = Cursor::new(Vec::new());
        assert!(book.draw(&chess, &mut ChaCha8Rng::seed_from_u64(1)).is_err());
    }

    #[test]
    fn files_that_are_not_books_are_refused_with_the_path_and_the_reason() {
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
