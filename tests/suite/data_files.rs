//! Files of games: written games are read back, and damage loses as little as possible.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use outrider_engine::position::PackedMove;
use outrider_engine::position::notation::{parse_fen_any, parse_move};
use outrider_engine::units::{Ply, Score};
use outrider_tools::selfplay::frame::{self, Kind, PROLOGUE};
use outrider_tools::selfplay::{
    Deviation, Exclusion, Filter, Game, GameResult, GameSettings, Header, LabelledPosition,
    ReadError, Reader, Record, Resumed, ScoredMove, WriteError, Writer,
};
use proptest::prelude::*;
use shakmaty::{Color, Position as _};
use tempfile::TempDir;

use crate::support::games::playouts;

fn header() -> Header {
    let settings =
        GameSettings { seed: 7, nodes: 1000, winning_score: 600, ..GameSettings::default() };
    Header::new(settings, "a commit")
}

fn directory() -> TempDir {
    TempDir::new().expect("there is a place for temporary files")
}

/// Returns a game from a position with these moves, each with White's score of the position before
/// it.
fn game(number: u32, fen: &str, result: GameResult, moves: &[(&str, i32)]) -> Game {
    let start = parse_fen_any(fen).expect("a good FEN");
    let mut chess = start.clone();
    let mut scored = Vec::new();
    for &(text, score) in moves {
        let mv = parse_move(&chess, text).expect("a legal move");
        chess.play_unchecked(mv);
        scored.push(ScoredMove { mv: PackedMove::new(mv), score: Score::new(score) });
    }
    Game { number, start, result, is_played_out: false, moves: scored, deviations: Vec::new() }
}

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 3 40";

fn three_games() -> [Game; 3] {
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let rooks = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 7 30";
    [
        game(0, initial, GameResult::Draw, &[("e2e4", 25), ("e7e5", 20), ("g1f3", 30)]),
        game(1, BACK_RANK, GameResult::WhiteWins, &[("e1e8", 31_999)]),
        game(2, rooks, GameResult::BlackWins, &[("e8b8", -40), ("b1b5", -31_990)]),
    ]
}

fn write(path: &Path, games: &[Game]) {
    let (mut writer, _) = Writer::resume(path, &header()).expect("the file can be written");
    for game in games {
        writer.append(&Record::Game(game.clone())).expect("the game can be written");
    }
    writer.finish().expect("the disk works");
}

fn read(path: &Path) -> Vec<Game> {
    let reader = Reader::open(path).expect("a file of games");
    reader.games().collect::<Result<_, _>>().expect("an undamaged file")
}

fn positions(game: &Game) -> Vec<LabelledPosition> {
    game.replay().collect::<Result<_, _>>().expect("legal moves")
}

fn results() -> impl Strategy<Value = GameResult> {
    prop::sample::select(&[GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins][..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_game_written_reads_back_move_by_move_with_the_same_scores(
        played in prop::collection::vec((playouts(80), results(), any::<u32>()), 1..6),
        scores in prop::collection::vec(-32_000..=32_000, 80),
    ) {
        let games: Vec<Game> = played.iter().map(|(playout, result, number)| {
            let scored = playout.moves.iter().zip(&scores).map(|(&mv, &score)| ScoredMove {
                mv: PackedMove::new(mv),
                score: Score::new(score),
            });
            let (start, moves) = (playout.start.clone(), scored.collect());
            let is_played_out = number % 2 == 0;
            let (number, result) = (*number, *result);
            // Any moves: replaying detects illegal ones.
            let deviations = playout.moves.iter().enumerate().step_by(3).map(|(ply, &mv)| {
                let mv = PackedMove::new(mv);
                Deviation { ply: ply as u16, mv, found: ScoredMove { mv, score: Score::new(ply as i32) } }
            });
            let deviations = deviations.collect();
            Game { number, start, result, is_played_out, moves, deviations }
        }).collect();
        let directory = directory();
        let path = directory.path().join("games");
        write(&path, &games);
        let back = read(&path);
        prop_assert_eq!(&back, &games);
        for (game, (playout, ..)) in back.iter().zip(&played) {
            let positions = positions(game);
            prop_assert_eq!(positions.len(), playout.moves.len());
            for ((position, (chess, mv)), &score) in positions.iter().zip(playout.steps()).zip(&scores) {
                prop_assert_eq!(position.board.chess(), &chess);
                prop_assert_eq!(position.board.chess().castles().mode(), chess.castles().mode());
                prop_assert_eq!(position.board.halfmoves(), chess.halfmoves());
                prop_assert_eq!(position.best, mv);
                prop_assert_eq!(position.white_score, Score::new(score));
            }
        }
    }

    #[test]
    fn a_file_with_a_wrong_byte_never_returns_a_game_that_was_not_played(
        place in any::<prop::sample::Index>(), difference in 1..=u8::MAX,
    ) {
        let directory = directory();
        let path = directory.path().join("games");
        let games = three_games();
        write(&path, &games);
        let mut bytes = fs::read(&path).expect("the file is there");
        let place = place.index(bytes.len());
        bytes[place] ^= difference;
        let Ok(reader) = Reader::new(&bytes[..]) else {
            prop_assert!(place < PROLOGUE.len());
            return Ok(());
        };
        let (good, bad): (Vec<_>, Vec<_>) = reader.games().partition(Result::is_ok);
        let good: Vec<Game> = good.into_iter().flatten().collect();
        prop_assert_eq!(&good, &games[..good.len()]);
        prop_assert_eq!(bad.len(), 1);
    }

    #[test]
    fn a_wrong_byte_anywhere_loses_one_record(
        place in any::<prop::sample::Index>(), difference in 1..=u8::MAX,
    ) {
        let directory = directory();
        let path = directory.path().join("games");
        let games = three_games();
        write(&path, &games);
        let mut bytes = fs::read(&path).expect("the file is there");
        let place = PROLOGUE.len() + place.index(bytes.len() - PROLOGUE.len());
        bytes[place] ^= difference;
        let mut reader = Reader::new(&bytes[..]).expect("a file of games");
        let mut sound = Vec::new();
        let mut skipped = Vec::new();
        while let Some(record) = reader.next() {
            match record {
                Ok(record) => sound.push(record),
                Err(_) => skipped.extend(reader.skip_damage(false).expect("bytes can be read")),
            }
        }
        prop_assert_eq!(sound.len(), games.len());
        prop_assert_eq!(skipped.len(), 1);
        prop_assert_eq!(reader.offset(), bytes.len() as u64);
        let expected = std::iter::once(Record::Header(header()))
            .chain(games.into_iter().map(Record::Game));
        prop_assert_eq!(expected.filter(|record| !sound.contains(record)).count(), 1);
    }

    #[test]
    fn reading_any_contents_of_a_valid_frame_does_not_panic(
        body in prop::collection::vec(any::<u8>(), 0..90), is_game in any::<bool>(),
    ) {
        let mut bytes = PROLOGUE.to_vec();
        let kind = if is_game { Kind::Game } else { Kind::Header };
        prop_assert!(frame::append(&mut bytes, kind, &body));
        for game in Reader::new(&bytes[..]).expect("the prologue is sound").games().flatten() {
            let played = game.replay().flatten().count();
            prop_assert!(played <= game.moves.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_game_with_wrong_bytes_and_a_correct_checksum_is_replayed_as_far_as_it_is_legal(
        which in 0..3_usize,
        wrong in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut body = [&[7, 0, 0, 0][..], &three_games()[which].to_bytes()].concat();
        for (place, byte) in wrong {
            let place = place.index(body.len());
            body[place] = byte;
        }
        let mut bytes = PROLOGUE.to_vec();
        prop_assert!(frame::append(&mut bytes, Kind::Game, &body));
        for game in Reader::new(&bytes[..]).expect("the prologue is sound").games().flatten() {
            let replayed: Vec<_> = game.replay().collect();
            let legal = replayed.iter().take_while(|position| position.is_ok()).count();
            prop_assert!(legal == game.moves.len() || legal + 1 == replayed.len(), "it ends there");
        }
    }
}

#[test]
fn a_file_truncated_at_any_byte_loses_only_the_last_game_and_can_be_continued() {
    let directory = directory();
    let (whole, cut) = (directory.path().join("whole"), directory.path().join("cut"));
    let games = three_games();
    write(&whole, &[]);
    let mut ends = vec![fs::metadata(&whole).expect("a file").len() as usize];
    for game in &games {
        write(&whole, std::slice::from_ref(game));
        ends.push(fs::metadata(&whole).expect("a file").len() as usize);
    }
    let bytes = fs::read(&whole).expect("the file is there");
    for length in 0..=bytes.len() {
        fs::write(&cut, &bytes[..length]).expect("a file");
        let sound = ends.iter().filter(|&&end| end <= length).count();
        let (_, found) = Writer::resume(&cut, &header()).expect("a tail is cut off");
        let numbers: Vec<u32> = (0..sound.saturating_sub(1) as u32).collect();
        assert_eq!(found.numbers, numbers, "cut after {length} bytes");
        let prologue = if length < PROLOGUE.len() { 0 } else { PROLOGUE.len() };
        let kept = if sound == 0 { prologue } else { ends[sound - 1] };
        assert_eq!(found.cut_off as usize, length - kept, "cut after {length} bytes");
        write(&cut, &games[numbers.len()..]);
        assert_eq!(fs::read(&cut).expect("the file is there"), bytes, "cut after {length} bytes");
    }
}

#[test]
fn reading_a_file_with_a_damaged_end_returns_its_games_and_then_the_offset_of_the_damage() {
    let directory = directory();
    let path = directory.path().join("games");
    write(&path, &three_games());
    let sound = fs::metadata(&path).expect("a file").len();
    let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
    file.write_all(&[0; 100]).expect("the disk works");
    let records: Vec<_> = Reader::open(&path).expect("a file of games").games().collect();
    assert_eq!(records.len(), 4);
    assert!(matches!(records[3], Err(ReadError::Damaged { offset, .. }) if offset == sound));
    let (_, found) = Writer::resume(&path, &header()).expect("a tail is cut off");
    let positions = three_games().iter().map(|game| game.moves.len() as u64).sum();
    assert_eq!(found, Resumed { numbers: vec![0, 1, 2], positions, cut_off: 100 });
}

#[test]
fn damage_in_the_middle_of_a_large_file_does_not_truncate_the_rest() {
    let directory = directory();
    let path = directory.path().join("games");
    write(&path, &three_games());
    let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
    file.write_all(&vec![0; 2 << 20]).expect("the disk works");
    let before = fs::metadata(&path).expect("a file").len();
    let refused = Writer::resume(&path, &header());
    assert!(matches!(refused, Err(WriteError::Read(ReadError::Damaged { .. }))));
    assert_eq!(fs::metadata(&path).expect("a file").len(), before);
}

#[test]
fn games_after_a_damaged_header_are_kept() {
    let directory = directory();
    let path = directory.path().join("games");
    let many: Vec<Game> = three_games().into_iter().cycle().take(60).collect();
    write(&path, &many);
    let mut bytes = fs::read(&path).expect("a file");
    bytes[PROLOGUE.len() + 8] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let refused = Writer::resume(&path, &header());
    assert!(matches!(refused, Err(WriteError::Read(ReadError::Damaged { .. }))));
    assert_eq!(fs::read(&path).expect("a file"), bytes);
}

#[test]
fn a_score_beyond_every_mate_is_damage_even_with_a_correct_checksum() {
    for (score, reads) in [(32_001_i16, true), (-32_001, true), (32_002, false), (-32_513, false)] {
        let game = game(0, BACK_RANK, GameResult::WhiteWins, &[("e1e8", 5)]);
        let mut body = [&[0; 4][..], &game.to_bytes()].concat();
        let place = body.len() - 2;
        body[place..].copy_from_slice(&score.to_le_bytes());
        let mut file = PROLOGUE.to_vec();
        assert!(frame::append(&mut file, Kind::Game, &body));
        let found = Reader::new(&file[..]).expect("a file of games").games().next();
        assert_eq!(found.expect("a record").is_ok(), reads, "{score}");
    }
}

#[test]
fn nothing_is_appended_to_a_file_with_other_settings_or_of_another_kind() {
    let directory = directory();
    let path = directory.path().join("games");
    write(&path, &three_games());
    let other = Header { settings: GameSettings { seed: 8, ..header().settings }, ..header() };
    assert!(matches!(Writer::resume(&path, &other), Err(WriteError::OtherHeader { .. })));
    assert_eq!(read(&path), three_games());
    for text in ["A letter to my aunt.", "out", "outrgam"] {
        let letter = directory.path().join("letter");
        fs::write(&letter, text).expect("a file");
        let is_ours = PROLOGUE.starts_with(text.as_bytes());
        assert_eq!(Writer::resume(&letter, &header()).is_ok(), is_ours, "{text}");
        assert!(fs::read(&letter).expect("a file").starts_with(text.as_bytes()));
    }
    let newer = [&PROLOGUE[..7], &[200]].concat();
    assert!(matches!(Reader::new(&newer[..]), Err(ReadError::OtherVersion(200))));
}

#[test]
fn two_runs_cannot_write_the_same_file() {
    let directory = directory();
    let path = directory.path().join("games");
    let first = Writer::resume(&path, &header()).expect("the file can be written");
    assert!(matches!(Writer::resume(&path, &header()), Err(WriteError::Locked)));
    drop(first);
    assert!(Writer::resume(&path, &header()).is_ok());
}

#[test]
fn a_position_needs_four_bytes() {
    let [game, ..] = three_games();
    let shorter = Game { moves: game.moves[..2].to_vec(), ..game.clone() };
    assert_eq!(game.to_bytes().len() - shorter.to_bytes().len(), 4);
}

#[test]
fn the_header_says_how_the_games_were_made() {
    let directory = directory();
    let path = directory.path().join("games");
    for (network, tables) in [(None, false), (Some(0x1a2b_3c4d), true)] {
        let settings = GameSettings { network, tables, ..header().settings };
        let header = Header { settings, ..header() };
        let (mut writer, _) = Writer::resume(&path, &header).expect("the file can be written");
        writer.append(&Record::Game(three_games()[0].clone())).expect("the disk works");
        drop(writer);
        let first = Reader::open(&path).expect("a file of games").next();
        assert!(matches!(first, Some(Ok(Record::Header(found))) if found == header));
        fs::remove_file(&path).expect("a file");
    }
    let settings = GameSettings { network: Some(0xa_bcde), ..header().settings };
    assert!(settings.to_string().ends_with("network 000abcde, won at 600 cp"), "{settings}");
}

#[test]
fn a_header_with_a_truncated_description_is_recognized_again() {
    let directory = directory();
    let path = directory.path().join("games");
    let header = Header::new(header().settings, &"relabelled ".repeat(40));
    for found in [0, 1] {
        let (mut writer, resumed) = Writer::resume(&path, &header).expect("the same header");
        assert_eq!(resumed.numbers.len(), found);
        writer.append(&Record::Game(three_games()[0].clone())).expect("the disk works");
    }
}

#[test]
fn a_file_of_version_1_is_read_but_not_continued() {
    // Written by the build of commit 9fd6d35: datagen --games 4 --nodes 60 --seed 7
    // --chess960-share 0.4.
    let bytes = include_bytes!("files/games-of-version-1");
    assert_eq!(bytes[PROLOGUE.len() - 1], 1);
    let records: Vec<_> = Reader::new(&bytes[..]).expect("a file of games").collect();
    let [Ok(Record::Header(header)), games @ ..] = &records[..] else { panic!("a header first") };
    let GameSettings { seed, nodes, chess960_permille, network, .. } = header.settings;
    assert_eq!((seed, nodes, chess960_permille, network), (7, 60, 400, None));
    let games: Vec<&Game> = games
        .iter()
        .map(|record| match record {
            Ok(Record::Game(game)) => game,
            other => panic!("{other:?}"),
        })
        .collect();
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    let (white, black) = (GameResult::WhiteWins, GameResult::BlackWins);
    assert_eq!(results, [white, black, white, GameResult::Draw]);
    assert_eq!(games.iter().map(|game| positions(game).len()).sum::<usize>(), 402);
    assert!(games.iter().all(|game| !game.is_played_out));

    let directory = directory();
    let path = directory.path().join("games");
    fs::write(&path, bytes).expect("a file");
    let new = Header::new(header.settings, "a commit");
    let refused = Writer::resume(&path, &new);
    assert!(matches!(refused, Err(WriteError::OtherHeader { .. })));
    assert_eq!(fs::read(&path).expect("a file"), bytes);
}

#[test]
fn a_file_of_version_2_is_still_read() {
    // Written by the build of commit e9bf4e0: datagen --games 10 --nodes 10 --seed 7
    // --chess960-share 0.5 --syzygy with tables.
    let bytes = include_bytes!("files/games-of-version-2");
    assert_eq!(bytes[PROLOGUE.len() - 1], 2);
    let records: Vec<_> = Reader::new(&bytes[..]).expect("a file of games").flatten().collect();
    let [Record::Header(header), games @ ..] = &records[..] else { panic!("a header first") };
    let settings = GameSettings {
        seed: 7,
        nodes: 10,
        chess960_permille: 500,
        network: Some(0xbde8_b46e),
        winning_score: 522,
        tables: true,
        deviations_permille: 0,
        book: None,
    };
    assert_eq!(header.settings, settings);
    assert_eq!(header.commit, "e9bf4e00208f");
    let games: Vec<&Game> = games
        .iter()
        .map(|record| match record {
            Record::Game(game) => game,
            Record::Header(_) => panic!("a second header"),
        })
        .collect();
    let played_out: Vec<bool> = games.iter().map(|game| game.is_played_out).collect();
    assert_eq!(played_out, [[false; 9].as_slice(), &[true]].concat());
    let white_wins = games.iter().filter(|game| game.result == GameResult::WhiteWins).count();
    assert_eq!(white_wins, 5);
    assert_eq!(games.iter().map(|game| positions(game).len()).sum::<usize>(), 513);
}

#[test]
fn scores_and_results_are_stored_for_white_and_flipped_for_black_to_move() {
    let black_mates = "4r1k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
    let white_wins = game(0, BACK_RANK, GameResult::WhiteWins, &[("e1e7", 500), ("h7h6", 510)]);
    let black_wins = game(1, black_mates, GameResult::BlackWins, &[("e8e1", -31_999)]);
    let drawn = game(2, BACK_RANK, GameResult::Draw, &[("e1e7", 500), ("h7h6", 510)]);

    let [white, black] = &positions(&white_wins)[..] else { panic!("two positions") };
    assert_eq!((white.turn(), black.turn()), (Color::White, Color::Black));
    assert_eq!((white.score_for_mover(), white.points_for_mover()), (Score::new(500), Some(1.0)));
    assert_eq!((black.score_for_mover(), black.points_for_mover()), (Score::new(-510), Some(0.0)));

    let [mates] = &positions(&black_wins)[..] else { panic!("one position") };
    assert_eq!(mates.turn(), Color::Black);
    assert_eq!(mates.score_for_mover(), Score::mate_in(Ply::new(1)));
    assert_eq!(mates.points_for_mover(), Some(1.0));

    assert!(positions(&drawn).iter().all(|position| position.points_for_mover() == Some(0.5)));
    assert_eq!(GameResult::from_winner(Some(Color::White)).points_for(Color::White), 1.0);
    assert_eq!(GameResult::from_winner(Some(Color::Black)).points_for(Color::White), 0.0);
    assert_eq!(GameResult::from_winner(None).points_for(Color::Black), 0.5);
}

#[test]
fn the_filter_removes_checks_tactics_mates_and_the_first_plies() {
    let exclusion = |fen: &str, mv: &str, score: i32| {
        let position = positions(&game(0, fen, GameResult::Draw, &[(mv, score)])).remove(0);
        assert_eq!(
            Filter::default().keeps(&position),
            Filter::default().excludes(&position).is_none()
        );
        assert!(Filter::NONE.keeps(&position));
        Filter::default().excludes(&position)
    };
    assert_eq!(exclusion("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 40", "e1e7", 500), None);
    let in_check = "4R1k1/5p1p/8/8/8/8/8/6K1 b - - 0 40";
    assert_eq!(exclusion(in_check, "g8g7", 500), Some(Exclusion::InCheck));
    let hanging = "6k1/4rppp/8/8/8/8/8/4R1K1 w - - 0 40";
    assert_eq!(exclusion(hanging, "e1e7", 500), Some(Exclusion::Tactical));
    let en_passant = "6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 40";
    assert_eq!(exclusion(en_passant, "e5d6", 300), Some(Exclusion::Tactical));
    let promotion = "6k1/P7/8/8/8/8/8/6K1 w - - 0 40";
    assert_eq!(exclusion(promotion, "a7a8q", 900), Some(Exclusion::Tactical));
    assert_eq!(exclusion(BACK_RANK, "e1e8", 31_999), Some(Exclusion::Mate));
    let white_moves = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 5";
    let black_moves = "6k1/5ppp/8/8/8/8/8/4R1K1 b - - 0 5";
    assert_eq!(
        exclusion(white_moves, "e1e7", 500),
        Some(Exclusion::FirstPlies),
        "8 plies before it"
    );
    assert_eq!(
        exclusion(black_moves, "h7h6", 500),
        Some(Exclusion::FirstPlies),
        "9 plies before it"
    );
    assert_eq!(exclusion("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 6", "e1e7", 500), None);
}

#[test]
fn the_filter_removes_large_scores_and_positions_with_high_fifty_move_counts() {
    let exclusion = |clock: u32, score: i32| {
        let fen = format!("6k1/5ppp/8/8/8/8/8/4R1K1 w - - {clock} 60");
        let game = game(0, &fen, GameResult::Draw, &[("e1e7", score)]);
        Filter::default().excludes(&positions(&game)[0])
    };
    assert_eq!(exclusion(0, 2_500), None);
    assert_eq!(exclusion(0, 2_501), Some(Exclusion::Decided));
    assert_eq!(exclusion(0, -2_501), Some(Exclusion::Decided));
    assert_eq!(exclusion(39, 100), None);
    assert_eq!(exclusion(40, 100), Some(Exclusion::Shuffled));
}

#[test]
fn the_filter_removes_scores_of_repetitions_on_request() {
    let exclusion = |clock: u32, score: i32, repetitions: bool| {
        let fen = format!("6k1/5ppp/8/8/8/8/8/4R1K1 w - - {clock} 60");
        let game = game(0, &fen, GameResult::Draw, &[("e1e7", score)]);
        Filter { repetitions, ..Filter::default() }.excludes(&positions(&game)[0])
    };
    assert_eq!(exclusion(3, 0, true), Some(Exclusion::Repetition));
    assert_eq!(exclusion(2, 0, true), None, "nothing can come again yet");
    assert_eq!(exclusion(3, 1, true), None);
    assert_eq!(exclusion(3, 0, false), None);
}

#[test]
fn a_draw_against_a_bare_king_counts_as_a_loss_until_the_last_piece_is_lost() {
    let fen = "8/8/8/8/2kr4/8/1Q6/K7 w - - 0 60";
    let moves = [("b2d4", 900), ("c4b3", 900), ("d4d3", 900), ("b3b4", 900), ("d3c3", 900)];
    let captured = [&moves[..], &[("b4c3", 0), ("a1b1", 0)]].concat();
    let drawn = game(0, fen, GameResult::Draw, &captured);
    let points: Vec<f32> =
        positions(&drawn).iter().filter_map(|s| Some(s.result?.points_for(Color::White))).collect();
    assert_eq!(points, [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5]);
    assert_eq!(
        positions(&game(0, BACK_RANK, GameResult::Draw, &[("e1e7", 0)]))[0].result,
        Some(GameResult::Draw)
    );
}

#[test]
fn an_illegal_move_in_a_file_ends_the_game_with_an_error() {
    let mut broken = three_games()[0].clone();
    broken.moves[1] = broken.moves[0];
    let replayed: Vec<_> = broken.replay().collect();
    assert_eq!(replayed.len(), 2);
    assert_eq!(replayed[1].as_ref().expect_err("an illegal move").ply, 2);
}
