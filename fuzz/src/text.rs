//! Lines, positions, games and trees as text.

use shakmaty::{CastlingMode, Chess, Position as _};

use outrider_engine::position::epd::Epd;
use outrider_engine::position::notation::{
    format_fen, format_move, parse_fen, parse_fen_any, parse_move,
};
use outrider_engine::position::san::{format_san, parse_san};
use outrider_engine::position::{Board, PackedMove};
use outrider_laboratory::algorithms::{Algorithm, AlgorithmSettings};
use outrider_laboratory::{GameTree, SearchCounts, TreeBuilder, TreeReader, Value};
use outrider_protocol::uci;
use outrider_tools::pgn;

/// Number of plies that are played from a position.
const PLIES: usize = 6;
/// Maximum number of nodes of a tree: some algorithms are slow on large ones.
const NODES: usize = 80;
/// Maximum depth of a tree.
const HEIGHT: usize = 12;

/// Parses a line of the protocol. It is valid, or there is an error message of one line.
pub fn line(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(message) = uci::parse_error(&text) {
        assert!(!message.is_empty() && message.len() < 1_000, "{message:?}");
    }
}

/// Parses a FEN. It is an error, or writing and reading it returns the same position, and keys,
/// moves and their names are consistent for some plies.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        if let Ok(chess) = parse_fen(&text, mode) {
            let again = parse_fen(&format_fen(&chess), mode).expect("our own FEN");
            assert_eq!(format_fen(&again), format_fen(&chess));
        }
    }
    if let Ok(chess) = parse_fen_any(&text) {
        walk(chess, data);
    }
}

/// Plays some plies, chosen by the bytes, and checks each position.
fn walk(chess: Chess, choices: &[u8]) {
    let mut board = Board::new(chess);
    for ply in 0..PLIES {
        check(&board);
        let moves = board.legal_moves();
        let choice = usize::from(choices.get(ply).copied().unwrap_or(0));
        let Some(&mv) = moves.get(choice % moves.len().max(1)) else {
            break;
        };
        board.play(mv);
    }
}

fn check(board: &Board) {
    let chess = board.chess();
    assert_eq!(board.keys(), Board::new(chess.clone()).keys());
    let mode = chess.castles().mode();
    for mv in board.legal_moves() {
        assert_eq!(board.legal_move(PackedMove::new(mv)), Some(mv));
        assert_eq!(parse_move(chess, &format_move(mv, mode)).ok(), Some(mv));
        assert_eq!(parse_san(chess, &format_san(chess, mv)).ok(), Some(mv));
        let mut after = board.clone();
        after.play(mv);
        assert_eq!(after.key(), board.key_after(mv));
        assert_eq!(board.gives_check(mv), after.in_check());
    }
}

/// Parses a line of a test suite. It is an error with a message, or its moves are legal.
pub fn epd(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match text.parse::<Epd>() {
        Ok(epd) => {
            let points = epd.points().unwrap_or_default();
            let moves = epd.best_moves().into_iter().chain(epd.avoid_moves());
            for mv in moves.chain(points.into_iter().map(|(mv, _)| mv)) {
                assert!(epd.chess.is_legal(mv), "{mv}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Reads games. Writing and reading a game returns the same game.
pub fn pgn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for source in pgn::games(&text) {
        let Ok(game) = pgn::read(&source) else {
            continue;
        };
        let written = pgn::write(&game);
        let again: Vec<_> = pgn::games(&written).iter().map(pgn::read).collect();
        assert_eq!(again.len(), 1, "{written}");
        for again in again {
            let again = again.expect("our own game");
            let moves = |game: &pgn::AnnotatedGame| {
                game.moves.iter().map(|played| played.mv).collect::<Vec<_>>()
            };
            assert_eq!(moves(&again), moves(&game), "{written}");
            assert_eq!(again.result, game.result, "{written}");
            assert_eq!(pgn::write(&again), written);
        }
    }
}

/// Reads and builds trees. Writing and reading a tree returns the same tree, and on any tree all
/// algorithms agree.
pub fn trees(data: &[u8]) {
    if let Ok(tree) = TreeReader::new(data).only() {
        let written = tree.to_string();
        let again = TreeReader::new(written.as_bytes()).only().expect("our own tree");
        assert_eq!(again, tree);
    }
    let mut builder = TreeBuilder::default();
    let (mut open, mut ended) = (0, false);
    for &byte in data.iter().skip(2) {
        if ended || builder.nodes() + open > NODES {
            break;
        }
        match byte % 4 {
            0 if open < HEIGHT => {
                builder.open();
                open += 1;
            }
            1 if builder.has_children() => {
                builder.close();
                open -= 1;
            }
            _ => builder.leaf(Value::from(byte / 4) - 32),
        }
        ended = open == 0;
    }
    for _ in 0..open {
        if !builder.has_children() {
            builder.leaf(7);
        }
        builder.close();
    }
    if let Some(tree) = builder.finish() {
        check_agreement(&tree, data);
    }
}

fn check_agreement<T: GameTree>(tree: &T, data: &[u8]) {
    let byte = |place: usize| data.get(place).copied().map_or(0, Value::from);
    let settings = AlgorithmSettings {
        first_guess: byte(0) - 128,
        guess: 128 - byte(0),
        delta: byte(1) + 1,
        ..AlgorithmSettings::default()
    };
    let value =
        |algorithm: Algorithm| algorithm.solve(tree, &settings, &mut SearchCounts::default());
    let expected = value(Algorithm::Minimax);
    for &algorithm in Algorithm::ALL {
        assert_eq!(value(algorithm), expected, "{algorithm}");
    }
}
