//! Positions in which programs go wrong: a winning move is stalemate or a draw by rule, an
//! underpromotion is best, there are more moves or queens than in any game. And a position has the
//! same value from the other side.

use outrider_engine::evaluation::network::Network;
use outrider_engine::position::Position;
use outrider_engine::position::notation::{format_move, parse_fen_any, parse_move};
use outrider_engine::search::{Control, Engine, Limits, Line, Report};
use outrider_engine::units::Score;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::support::games::positions;

/// Returns the position after these moves from a FEN.
fn position(fen: &str, moves: &str) -> Position {
    let mut position = Position::new(parse_fen_any(fen).expect("a good FEN"));
    for text in moves.split_whitespace() {
        position.push(parse_move(position.chess(), text).expect("a legal move"));
    }
    position
}

/// Returns the move to play, its score, and the last line of each rank.
fn search(position: &Position, limits: &Limits) -> (String, Score, Vec<Line>) {
    let mut lines: Vec<Line> = Vec::new();
    let mut engine = Engine::new(1, 8).expect("there is memory");
    let outcome = engine
        .go(position, limits, &Control::default(), &mut |report| {
            if let Report::Line(line) = report {
                lines.retain(|other| other.rank != line.rank);
                lines.push(line);
            }
        })
        .expect("a thread");
    let best = format_move(outcome.best.expect("a move"), CastlingMode::Standard);
    (best, outcome.score, lines)
}

fn played(fen: &str, moves: &str, depth: i32) -> (String, Score) {
    let (best, score, _) = search(&position(fen, moves), &Limits::depth(depth));
    (best, score)
}

#[test]
fn a_lost_game_is_saved_by_sacrificing_the_last_piece_for_stalemate() {
    // According to the endgame tables, every other move loses.
    for (fen, only) in [
        ("2K5/8/k4q2/3R4/8/8/8/8 w - - 0 1", "d5d6"),
        ("KR6/8/5qk1/8/8/8/8/8 w - - 0 1", "b8b6"),
        ("2q5/8/8/7R/K7/8/2k5/8 w - - 0 1", "h5c5"),
        ("8/R7/8/8/8/5k2/5q2/7K w - - 0 1", "a7f7"),
    ] {
        assert_eq!(played(fen, "", 12), (only.to_owned(), Score::DRAW), "{fen}");
    }
}

#[test]
fn a_won_game_is_not_lost_to_stalemate() {
    // A queen too near, and a promoting pawn.
    for fen in ["7k/8/5K2/8/8/8/6Q1/8 w - - 0 1", "k7/2P5/1K6/8/8/8/8/8 w - - 0 1"] {
        let (best, score) = played(fen, "", 8);
        let after = position(fen, &best);
        assert!(!after.chess().is_stalemate(), "{fen}: {best}");
        assert!(score.is_win(), "{fen}: {score}");
    }
}

#[test]
fn a_pawn_promotes_to_the_piece_that_wins() {
    for (fen, best) in [
        // The study of Barbier and Saavedra (1895): a queen would allow stalemate.
        ("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", "c7c8r"),
        // Only a knight mates.
        ("6br/5Ppk/6pp/8/8/8/8/6K1 w - - 0 1", "f7f8n"),
    ] {
        let (found, score) = played(fen, "", 14);
        assert_eq!(found, best, "{fen}");
        assert!(score > Score::new(300), "{fen}: {score}");
    }
}

#[test]
fn the_position_with_the_most_moves_has_a_line_for_each_move() {
    let root = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "");
    let limits = Limits { lines: 218, ..Limits::depth(2) };
    let (_, score, lines) = search(&root, &limits);
    assert!(score.is_win());
    let mut first: Vec<_> = lines.iter().map(|line| line.moves[0]).collect();
    assert!(first.iter().all(|&mv| root.chess().is_legal(mv)));
    first.sort_by_key(ToString::to_string);
    first.dedup();
    assert_eq!(first.len(), 218);
}

#[test]
fn nine_queens_per_side_are_searched() {
    let fen = "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1";
    let root = position(fen, "");
    let (best, _, _) = search(&root, &Limits::nodes(20_000));
    assert!(parse_move(root.chess(), &best).is_ok());
}

#[test]
fn a_win_is_kept_just_before_the_fifty_move_rule() {
    // Every move except the pawn's makes it a draw.
    let (best, score) = played("7k/8/8/8/8/8/P5R1/K7 w - - 99 80", "", 8);
    assert!(["a2a3", "a2a4"].contains(&&*best), "{best}");
    assert!(score > Score::new(100), "{score}");
}

#[test]
fn the_winning_side_avoids_a_repetition_and_the_losing_side_repeats() {
    let fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
    let twice = "a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8";
    let (best, score) = played(fen, twice, 8);
    assert_ne!(best, "a2b2");
    assert!(score > Score::new(100), "{score}");
    let once = "a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2";
    assert_eq!(played(fen, once, 8), ("g8h8".to_owned(), Score::DRAW));
}

/// Returns the same position from the other side.
fn flipped(chess: &Chess) -> Option<Position> {
    let setup = chess.to_setup(EnPassantMode::Legal).into_mirrored();
    let mode = chess.castles().mode();
    setup.position::<Chess>(mode).ok().map(Position::new)
}

proptest! {
    #[test]
    fn a_position_has_the_same_value_from_the_other_side(chess in positions(60)) {
        let network = Network::built_in();
        let value = network.value(chess.board(), chess.turn());
        let Some(mirror) = flipped(&chess) else { return Ok(()) };
        prop_assert_eq!(network.value(mirror.chess().board(), mirror.turn()), value);
    }
}

#[test]
fn the_static_evaluation_is_the_same_for_both_sides() {
    for fen in [
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 40 60",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let root = position(fen, "");
        let mirror = flipped(root.chess()).expect("a position too");
        let [ours, theirs] = [root, mirror].map(|root| search(&root, &Limits::nodes(1)).1);
        assert_eq!(ours, theirs, "{fen}");
    }
}

#[test]
fn a_mate_is_equally_near_from_the_other_side() {
    for (fen, moves) in [
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let root = position(fen, "");
        let mirror = flipped(root.chess()).expect("a position too");
        let limits = Limits { mate: Some(moves), ..Limits::nodes(1_000_000) };
        for root in [root, mirror] {
            assert_eq!(search(&root, &limits).1.mate_moves(), Some(moves as i32), "{fen}");
        }
    }
}
