//! Endgame tables: their wins are played to the end, reported as wins and ranked, and broken tables
//! do no harm. The tables have three pieces.

use std::env;
use std::fs;
use std::sync::Arc;

use outrider_engine::position::Position;
use outrider_engine::position::notation::{format_fen, parse_fen_any};
use outrider_engine::search::{Control, Engine, Limits, Line, Report};
use outrider_engine::tablebases::{TablebaseRules, Tablebases};
use outrider_engine::units::{Ply, Score};
use shakmaty::{Move, Position as _, Square};
use tempfile::TempDir;

use crate::support::syzygy_folder;

fn tables() -> Arc<Tablebases> {
    let (tables, faults) = Tablebases::open(syzygy_folder().as_os_str());
    assert!(faults.is_empty(), "{faults:?}");
    Arc::new(tables)
}

fn engine() -> Engine {
    let mut engine = Engine::new(1, 8).expect("there is memory");
    engine.set_tablebases(Some(tables()));
    engine
}

fn position(fen: &str) -> Position {
    Position::new(parse_fen_any(fen).expect("a position"))
}

/// Returns the lines of the last iteration, and the move to play.
fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> (Vec<Line>, Move) {
    let mut lines: Vec<Line> = Vec::new();
    let outcome = engine
        .go(position, limits, &Control::default(), &mut |report| {
            if let Report::Line(line) = report {
                lines.retain(|other| other.depth == line.depth && other.rank != line.rank);
                lines.push(line);
            }
        })
        .expect("a thread");
    (lines, outcome.best.expect("a move"))
}

/// Returns positions with White to move, king and piece against king, that are won within the
/// fifty-move rule.
fn won_positions(count: usize) -> Vec<Position> {
    let tables = tables();
    let pieces = ["P", "R", "Q", "P"];
    let mut seed = 7_u64;
    let mut next = |limit: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % limit
    };
    let mut won = Vec::new();
    while won.len() < count {
        let [own, piece, other] = [(); 3].map(|()| Square::new(next(64) as u32));
        let mut board = shakmaty::Board::empty();
        for (square, name) in [(own, 'K'), (other, 'k')] {
            board.set_piece_at(square, shakmaty::Piece::from_char(name).expect("a piece"));
        }
        let name = pieces[won.len() % pieces.len()].chars().next().expect("a piece");
        board.set_piece_at(piece, shakmaty::Piece::from_char(name).expect("a piece"));
        let clock = next(60);
        let fen = format!("{} w - - {clock} 1", board.board_fen());
        let Ok(chess) = parse_fen_any(&fen) else { continue };
        if chess.board().occupied().count() < 3 {
            continue;
        }
        let distance = tables.distance(&chess).map_or(0, |dtz| dtz.ignore_rounding().0);
        if distance > 0 && distance + clock as i32 <= 99 {
            won.push(Position::new(chess));
        }
    }
    won
}

#[test]
fn every_won_position_of_three_pieces_is_won_against_perfect_defence() {
    let (tables, mut engine) = (tables(), engine());
    let rules = TablebaseRules::default();
    for start in won_positions(24) {
        let mut game = start.clone();
        while !game.chess().is_game_over() && !game.is_drawn(Ply::ROOT) {
            let mv = if game.turn() == start.turn() {
                search(&mut engine, &game, &Limits::nodes(300)).1
            } else {
                tables.best_move(&mut game.clone(), &rules).expect("the tables know")
            };
            game.push(mv);
        }
        assert!(game.chess().is_checkmate(), "{:?} ends as {:?}", start.board(), game.board());
    }
}

/// Returns the tables of results without those of distances, and their folder.
fn results_alone() -> (Arc<Tablebases>, TempDir) {
    let scratch = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(syzygy_folder()).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|it| it == "rtbw") {
            let copy = scratch.path().join(path.file_name().expect("a name"));
            fs::copy(&path, copy).expect("a copy");
        }
    }
    let (tables, faults) = Tablebases::open(scratch.path().as_os_str());
    assert!(faults.is_empty(), "{faults:?}");
    (Arc::new(tables), scratch)
}

#[test]
fn moves_are_ranked_with_results_but_without_distances() {
    let (both, rules) = (tables(), TablebaseRules::default());
    let (results, _folder) = results_alone();
    for root in won_positions(24) {
        let fen = format_fen(root.chess());
        let fresh = position(fen.split(" - - ").next().expect("a FEN"));
        let moves = fresh.board().legal_moves();
        let by_distance = both.rank(&fresh, &moves, &rules).expect("a known position");
        let by_result = results.rank(&fresh, &moves, &rules).expect("a known position");
        for (one, other) in by_distance.moves.iter().zip(&by_result.moves) {
            let kinds = [one, other].map(|ranked| (ranked.mv, ranked.rank.signum(), ranked.score));
            assert_eq!(kinds[0], kinds[1], "{fen}");
        }
    }
}

#[test]
fn with_results_alone_the_result_is_kept_and_lines_have_moves() {
    let mut engine = Engine::new(1, 8).expect("there is memory");
    let (results, _folder) = results_alone();
    engine.set_tablebases(Some(results));
    for fen in ["8/8/8/8/4k3/8/1P6/K7 w - - 0 1", "8/8/8/8/3k4/8/3P4/4K3 b - - 0 1"] {
        for depth in [1, 6, 14] {
            let root = position(fen);
            let (lines, mv) = search(&mut engine, &root, &Limits::depth(depth));
            assert!(lines.iter().all(|line| line.moves.first() == Some(&mv)), "{fen}: {lines:?}");
            let before = tables().result(root.chess()).expect("a known position");
            let mut after = root.clone();
            after.push(mv);
            assert_eq!(tables().result(after.chess()), Some(-before), "{fen}: {mv}");
        }
    }
}

#[test]
fn a_tablebase_win_is_reported_with_its_line_to_mate() {
    let root = position("8/8/8/8/8/8/1k1P4/3K4 w - - 0 1");
    let (lines, mv) = search(&mut engine(), &root, &Limits::nodes(200));
    let line = lines.last().expect("a line");
    assert!(line.score.is_win() && line.moves[0] == mv, "{line:?}");
    assert!(line.progress.tablebase_hits > 0);
    let mut end = root.clone();
    line.moves.iter().for_each(|&mv| end.push(mv));
    assert!(end.chess().is_checkmate(), "{line:?}");
    let (lines, _) = search(&mut Engine::new(1, 8).expect("memory"), &root, &Limits::nodes(200));
    assert!(lines.iter().all(|line| !line.score.is_win() && line.progress.tablebase_hits == 0));
}

#[test]
fn the_search_knows_positions_that_lead_to_the_tables() {
    // The pawn captures the last defender and is won, or drawn on the rook's file.
    for (fen, wins) in
        [("8/8/1K6/8/3p4/2P5/8/7k w - - 0 1", true), ("7k/8/7K/7p/6P1/8/8/8 w - - 0 1", false)]
    {
        let root = position(fen);
        let capture = root.board().legal_moves().into_iter().find(|mv| mv.is_capture());
        let limits = Limits { search_moves: capture.into_iter().collect(), ..Limits::depth(4) };
        let (lines, _) = search(&mut engine(), &root, &limits);
        let line = lines.last().expect("a line");
        assert_eq!(line.score.is_win(), wins, "{fen}: {line:?}");
        assert!(wins || line.score == Score::DRAW, "{line:?}");
    }
}

#[test]
fn several_lines_are_in_the_order_of_the_tables() {
    // Some moves keep the queen, others lose it or stalemate.
    let root = position("8/8/8/8/8/1k6/3Q4/K7 w - - 0 1");
    let (lines, _) = search(&mut engine(), &root, &Limits { lines: 60, ..Limits::depth(3) });
    let moves = root.board().legal_moves();
    assert_eq!(lines.len(), moves.len());
    assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{lines:?}");
    let tables = tables();
    for line in lines {
        let won = tables.wins_by(&mut root.clone(), line.moves[0], &TablebaseRules::default())
            == Some(true);
        assert_eq!(line.score.is_win(), won, "{line:?}");
    }
}

#[test]
fn an_excessive_fifty_move_count_is_treated_as_the_maximum() {
    let tables = tables();
    for fifty_move_rule in [true, false] {
        let rules = TablebaseRules { fifty_move_rule, ..TablebaseRules::default() };
        for fen in ["8/8/8/P6k/8/8/8/K7 w - -", "8/8/8/4k3/8/8/8/K2R4 w - -"] {
            let ranked = |count: u32| {
                let root = position(&format!("{fen} {count} 1"));
                tables.rank(&root, &root.board().legal_moves(), &rules).expect("known").moves
            };
            for count in [1 << 31, (1 << 31) - 1, u32::MAX] {
                assert_eq!(ranked(count), ranked(100), "{fen} {count}");
            }
        }
    }
}

#[test]
fn a_win_prevented_by_the_fifty_move_rule_counts_only_without_the_rule() {
    let root = position("8/8/8/4k3/8/8/8/K2R4 w - - 90 1");
    for fifty_move_rule in [true, false] {
        let rules = TablebaseRules { fifty_move_rule, ..TablebaseRules::default() };
        let ranked = tables().rank(&root, &root.board().legal_moves(), &rules).expect("known");
        assert_eq!(ranked.moves.iter().any(|it| it.score.is_win()), !fifty_move_rule);
    }
}

#[test]
fn after_a_repetition_a_won_game_still_makes_progress() {
    let mut game = position("8/8/8/4k3/8/8/8/K2R4 w - - 0 1");
    for text in ["a1a2", "e5e6", "a2a1", "e6e5"] {
        let mv =
            outrider_engine::position::notation::parse_move(game.chess(), text).expect("a move");
        game.push(mv);
    }
    let tables = tables();
    let before = tables.distance(game.chess()).expect("known").ignore_rounding().0;
    let (_, mv) = search(&mut engine(), &game, &Limits::nodes(200));
    game.push(mv);
    let after = -tables.distance(game.chess()).expect("known").ignore_rounding().0;
    assert!(after < before, "{before} {after} by {mv}");
}

#[test]
fn folders_and_files_without_tables_are_reported_and_the_others_are_used() {
    let scratch = tempfile::tempdir().expect("a folder");
    let missing = scratch.path().join("missing");
    let broken = scratch.path().join("broken");
    fs::create_dir(&broken).expect("a folder");
    let good = fs::read(syzygy_folder().join("KQvK.rtbw")).expect("a table");
    fs::write(broken.join("KQvK.rtbw"), &good[..100]).expect("a file");
    fs::write(broken.join("KRvK.rtbw"), "1. e4 e5").expect("a file");
    let list = env::join_paths([&missing, &syzygy_folder(), &broken]).expect("a list of paths");
    let (tables, faults) = Tablebases::open(&list);
    assert_eq!(tables.to_string(), "5 WDL tables and 5 DTZ tables, up to 3 pieces");
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for (fault, path) in
        faults.iter().zip([missing, broken.join("KQvK.rtbw"), broken.join("KRvK.rtbw")])
    {
        assert!(fault.starts_with(&format!("{}: ", path.display())), "{fault}");
        assert!(!fault.contains('\n'));
    }
    assert_eq!(faults.len(), 3);
    let empty = Tablebases::open(scratch.path().as_os_str()).1;
    assert!(empty[0].to_string().ends_with(": holds no Syzygy tables"));
}

#[test]
fn a_table_with_internal_damage_is_reported_once_and_the_game_continues_without_it() {
    let scratch = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(syzygy_folder()).expect("a folder") {
        let path = entry.expect("a file").path();
        let mut bytes = fs::read(&path).expect("a table");
        if path.ends_with("KQvK.rtbz") {
            bytes.truncate(80);
        }
        fs::write(scratch.path().join(path.file_name().expect("a name")), bytes).expect("a copy");
    }
    let (tables, faults) = Tablebases::open(scratch.path().as_os_str());
    assert!(faults.is_empty(), "{faults:?}");
    let mut engine = Engine::new(1, 1).expect("there is memory");
    engine.set_tablebases(Some(Arc::new(tables)));
    let root = position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    for expected in [1, 0] {
        let mut reported = Vec::new();
        let outcome = engine
            .go(&root, &Limits::depth(4), &Control::default(), &mut |report| match report {
                Report::TablebasesFailed(error) => reported.push(error.to_string()),
                Report::Line(line) => assert!(line.score > Score::DRAW),
                _ => {}
            })
            .expect("a thread");
        assert!(outcome.best.is_some());
        assert_eq!(reported.len(), expected, "{reported:?}");
        assert!(
            reported.iter().all(|line| line.contains("KQvK.rtbz: ") && !line.contains('\n')),
            "{reported:?}"
        );
    }
}
