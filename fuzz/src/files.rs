//! Files: networks, games, checkpoints, books and endgame tables.
//!
//! Random bytes almost never have a correct checksum. So each input is tried unchanged, and again
//! with corrected checksums.

use std::env;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Position as _};

use outrider_engine::book::Book;
use outrider_engine::evaluation::network::features::{FEATURES, INPUTS};
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_engine::position::Position;
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::tablebases::{TablebaseRules, Tablebases};
use outrider_tools::selfplay::frame::{self, Kind, PROLOGUE};
use outrider_tools::selfplay::{Reader, Record};
use outrider_tools::training::Checkpoint;

/// Returns the bytes with the last four replaced by the checksum of the others.
fn with_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let (content, _) = bytes.split_last_chunk::<4>()?;
    Some([content, &crc32fast::hash(content).to_le_bytes()].concat())
}

/// Reads a network. It is an error with a message, or writing and reading it returns the same
/// network.
pub fn network(data: &[u8]) {
    let small = small_network(data);
    for bytes in [Some(data.to_vec()), with_checksum(data), Some(small)].into_iter().flatten() {
        match NetworkWeights::from_bytes(&bytes) {
            Ok(weights) => {
                assert_eq!(NetworkWeights::from_bytes(&weights.to_bytes()).ok(), Some(weights));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Returns a network of one unit, with some bytes replaced and a correct checksum.
fn small_network(data: &[u8]) -> Vec<u8> {
    let mut weights = NetworkWeights::material();
    weights.hidden = 1;
    weights.feature_weights.truncate(INPUTS);
    weights.threat_weights.truncate(FEATURES);
    weights.feature_biases.truncate(1);
    weights.output_weights.truncate(2);
    let mut bytes = weights.to_bytes();
    let (patches, _) = data.as_chunks();
    for &[low, high, value] in patches {
        let place = usize::from(u16::from_le_bytes([low, high])) % bytes.len();
        bytes[place] = value;
    }
    with_checksum(&bytes).unwrap_or_default()
}

/// Reads games. Damage ends the reading or is skipped; writing and reading a valid game returns the
/// same game.
pub fn games(data: &[u8]) {
    read_games(data);
    read_games(&[&PROLOGUE, data].concat());
    let mut framed = PROLOGUE.to_vec();
    let mut rest = data;
    while let [kind, length, more @ ..] = rest {
        let (body, after) = more.split_at(usize::from(*length).min(more.len()));
        let kind = if kind % 8 == 0 { Kind::Header } else { Kind::Game };
        assert!(frame::append(&mut framed, kind, body));
        rest = after;
    }
    read_games(&framed);
}

fn read_games(bytes: &[u8]) {
    let Ok(mut reader) = Reader::new(bytes) else {
        return;
    };
    loop {
        match reader.next() {
            None => break,
            Some(Ok(Record::Header(header))) => assert!(!format!("{header:?}").is_empty()),
            Some(Ok(Record::Game(game))) => {
                for position in game.replay().chain(game.replay_deviations()).map_while(Result::ok)
                {
                    assert!(position.board.chess().is_legal(position.best));
                }
                let mut written = PROLOGUE.to_vec();
                let body = [&game.number.to_le_bytes()[..], &game.to_bytes()].concat();
                if frame::append(&mut written, Kind::Game, &body) {
                    let read = Reader::new(&written[..]).expect("our own file").games().next();
                    assert_eq!(read.expect("a game").expect("our own game"), game);
                }
            }
            Some(Err(_)) => match reader.skip_damage(true) {
                Ok(Some(skipped)) => assert!(skipped > 0),
                _ => break,
            },
        }
    }
    assert!(reader.offset() <= bytes.len() as u64);
}

/// Reads a checkpoint. It is an error with a message, or a complete checkpoint.
pub fn checkpoint(data: &[u8]) {
    for bytes in [Some(data.to_vec()), with_checksum(data)].into_iter().flatten() {
        match Checkpoint::from_bytes(&bytes) {
            Ok(checkpoint) => assert!(checkpoint.config.hidden > 0),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Reads a book. It is an error with a message, or its moves are legal.
pub fn book(data: &[u8]) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    match Book::new(Cursor::new(data), data.len() as u64) {
        Ok(mut book) => {
            let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
            for chess in [Some(Chess::default()), parse_fen_any(castling).ok()] {
                let chess = chess.expect("a position");
                if let Some(drawn) = book.draw(&chess, &mut random).expect("memory can be read") {
                    assert!(chess.is_legal(drawn.mv) && drawn.weight <= drawn.total_weight);
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Opens a damaged endgame table. Looking up positions never panics, and the best move is legal.
pub fn tables(data: &[u8]) {
    let [selector, cut, patches @ ..] = data else {
        return;
    };
    let names = ["KPvK", "KRvK", "KQvK", "KBvK"];
    let name = names[usize::from(*selector) % names.len()];
    let folder = env::temp_dir().join(format!("outrider-tables-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let originals = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite/files/syzygy");
    for (index, ending) in ["rtbw", "rtbz"].into_iter().enumerate() {
        let file = format!("{name}.{ending}");
        let mut bytes = fs::read(originals.join(&file)).expect("a table of the tests");
        if usize::from(*selector) / names.len() % 2 == index {
            damage(&mut bytes, *cut, patches);
        }
        fs::write(folder.join(&file), bytes).expect("a file");
    }
    look_up(&folder, name);
    fs::remove_dir_all(&folder).expect("our own folder");
}

fn damage(bytes: &mut Vec<u8>, cut: u8, patches: &[u8]) {
    for &[low, high, value] in patches.as_chunks().0 {
        // Most of the important data is at the beginning.
        let place = usize::from(u16::from_le_bytes([low, high]));
        let place = if place % 2 == 0 { place / 2 % 256 } else { place / 2 };
        let place = place % bytes.len();
        bytes[place] = value;
    }
    bytes.truncate(bytes.len() - bytes.len() * usize::from(cut % 64) / 64);
}

fn look_up(folder: &Path, name: &str) {
    let (tables, faults) = Tablebases::open(folder.as_os_str());
    assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
    let piece = &name[1..2];
    for (place, turn) in [("4k3/8/8/8/5?2/8/8/4K3", 'w'), ("8/2?5/8/8/1k6/8/8/K7", 'b')] {
        let fen = format!("{} {turn} - - 0 1", place.replace('?', piece));
        let chess = parse_fen_any(&fen).expect("a position");
        let _ = (tables.result(&chess), tables.distance(&chess));
        let mut position = Position::new(chess);
        let (rules, moves) = (TablebaseRules::default(), position.board().legal_moves());
        if let Some(ranking) = tables.rank(&position, &moves, &rules) {
            assert!(ranking.moves.iter().all(|ranked| moves.contains(&ranked.mv)));
        }
        if let Some(best) = tables.best_move(&mut position, &rules) {
            assert!(moves.contains(&best));
        }
    }
}
