use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use shakmaty::{CastlingMode, Color, Position as _};

use super::*;
use crate::engine::position::notation::format_move;
use crate::engine::search::{Control, Limits};

/// A session and what its tasks tell.
struct Talk {
    session: Session,
    news: Receiver<News>,
}

impl Talk {
    fn new() -> Talk {
        let (sender, news) = mpsc::channel();
        let session = Session::new(move |told| drop(sender.send(told))).unwrap();
        Talk { session, news }
    }

    fn search(&mut self, request: &SearchRequest) -> Result<Option<Note>, Note> {
        self.session.search(request)
    }

    fn change(&mut self, change: impl Into<Change>) -> Vec<String> {
        self.session.change(change.into()).iter().map(Note::to_string).collect()
    }

    fn set_chess960(&mut self, chess960: bool) -> Vec<String> {
        self.change(Change::Settings(Settings { chess960, ..*self.session.settings() }))
    }

    /// Waits for the task under way to end and returns its result and the notes thereafter.
    fn finish(&mut self) -> (TaskResult, Vec<String>) {
        loop {
            match self.news.recv_timeout(Duration::from_secs(60)).unwrap() {
                News::Ended(Ending { result, engine }) => {
                    let nothing = TaskResult::Perft(None);
                    let ending = Ending { result: nothing, engine };
                    let notes = self.session.take_back(ending);
                    return (result, notes.iter().map(Note::to_string).collect());
                }
                News::Panicked(message) => panic!("{message}"),
                _ => {}
            }
        }
    }

    fn best_move(&mut self) -> String {
        match self.finish().0 {
            TaskResult::Search { root, outcome } => {
                format_move(outcome.best.unwrap(), root.chess().castles().mode())
            }
            other => panic!("no search: {other:?}"),
        }
    }

    fn is_quiet(&self) -> bool {
        self.news.try_iter().all(|news| matches!(news, News::Search { .. }))
    }
}

fn game(fen: &str, moves: &[&str]) -> PositionRequest {
    let start = if fen.is_empty() { Start::Initial } else { Start::Fen(fen.to_owned()) };
    PositionRequest { start, moves: moves.iter().map(|&mv| mv.to_owned()).collect() }
}

fn limited(limits: Limits) -> SearchRequest {
    SearchRequest { limits, ..SearchRequest::default() }
}

fn infinite() -> SearchRequest {
    limited(Limits { infinite: true, ..Limits::default() })
}

fn short() -> SearchRequest {
    limited(Limits::depth(2))
}

fn only(mv: &str) -> SearchRequest {
    SearchRequest { search_moves: vec![mv.to_owned()], ..short() }
}

#[test]
fn a_game_is_played_move_by_move_so_that_repetitions_are_known() {
    let mut talk = Talk::new();
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = back_and_forth.iter().copied().cycle().take(8).collect();
    talk.session.set_position(game("", &moves)).unwrap();
    assert!(talk.session.position().is_repetition(crate::engine::units::Ply::ROOT));
}

#[test]
fn a_wrong_move_is_told_with_its_number_and_the_previous_position_is_kept() {
    let mut talk = Talk::new();
    talk.session.set_position(game("", &["e2e4"])).unwrap();
    let before = talk.session.position().board().key();
    let note = talk.session.set_position(game("", &["d2d4", "e7e5", "d4d6"])).unwrap_err();
    let text = note.to_string();
    assert!(text.contains("move 3") && text.contains("d4d6") && text.contains("kept"), "{text}");
    assert_eq!(talk.session.position().board().key(), before);
}

#[test]
fn castling_rights_that_a_position_cannot_have_are_left_out_and_told() {
    let mut talk = Talk::new();
    let fen = "r3k2r/8/8/8/8/8/4K3/R6R b KQkq - 1 2";
    let note = talk.session.set_position(game(fen, &["e8c8"])).unwrap().unwrap().to_string();
    assert!(note.contains("KQkq") && note.contains("of them kq stays"), "{note}");
    let passed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 1";
    assert!(talk.session.set_position(game(passed, &["e7e5"])).unwrap().is_none());
}

#[test]
fn a_wrong_fen_is_told_and_the_previous_position_is_kept() {
    let mut talk = Talk::new();
    let before = talk.session.position().board().key();
    for fen in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "kK6/8/8/8/8/8/8/8 w KQkq"] {
        let text = talk.session.set_position(game(fen, &[])).unwrap_err().to_string();
        assert!(text.contains(fen) && text.contains("kept"), "{text}");
        assert_eq!(talk.session.position().board().key(), before);
    }
}

#[test]
fn a_second_search_is_refused_and_the_first_goes_on() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    let text = talk.search(&short()).unwrap_err().to_string();
    assert!(text.contains("go refused") && text.contains("goes on"), "{text}");
    assert!(talk.session.perft(3).is_err());
    assert!(talk.session.bench(Depth::ONE).is_err());
    assert!(talk.is_quiet());
    talk.session.stop();
    talk.best_move();
}

#[test]
fn searches_asked_for_after_a_stop_run_in_their_order_and_each_answers() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    talk.session.stop();
    talk.search(&SearchRequest { search_moves: only("a2a3").search_moves, ..infinite() }).unwrap();
    talk.session.stop();
    talk.search(&only("h2h4")).unwrap();
    assert!(talk.search(&short()).is_err(), "the one that waits was not stopped");
    talk.best_move();
    talk.best_move();
    talk.best_move();
    assert!(talk.search(&short()).is_ok());
    talk.best_move();
}

#[test]
fn a_position_set_during_a_search_is_for_the_next_one() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    talk.session.set_position(game("", &["e2e4"])).unwrap();
    assert_eq!(talk.session.position().turn(), Color::Black);
    talk.session.stop();
    let white_move = talk.best_move();
    assert!(white_move.ends_with(['3', '4']), "{white_move}");
    talk.search(&short()).unwrap();
    let black_move = talk.best_move();
    assert!(black_move.ends_with(['5', '6']), "{black_move}");
}

#[test]
fn a_search_reports_the_position_that_it_began_from_whatever_is_set_meanwhile() {
    let mut talk = Talk::new();
    let white_to_move = talk.session.position().board().key();
    talk.search(&infinite()).unwrap();
    talk.session.set_position(game("", &["e2e4"])).unwrap();
    talk.session.stop();
    let mut reports = 0;
    loop {
        match talk.news.recv_timeout(Duration::from_secs(60)).unwrap() {
            News::Search { root, .. } => {
                assert_eq!(root.board().key(), white_to_move);
                reports += 1;
            }
            News::Ended(Ending { result: TaskResult::Search { root, .. }, .. }) => {
                assert_eq!(root.board().key(), white_to_move);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(reports > 0);
}

#[test]
fn what_would_disturb_a_search_waits_for_its_end() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    for change in [EngineChange::TableMegabytes(3), EngineChange::Threads(2), EngineChange::Forget]
    {
        let notes = talk.change(change);
        assert!(notes.len() == 1 && notes[0].contains("waits"), "{notes:?}");
    }
    talk.session.stop();
    let (_, notes) = talk.finish();
    assert_eq!(notes, Vec::<String>::new());
    let engine = talk.session.tasks.engine.as_ref().unwrap();
    assert_eq!((engine.table_megabytes(), engine.threads()), (3, 2));
}

#[test]
fn plain_settings_are_taken_at_once() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    let settings = Settings { multi_pv: 3, show_wdl: true, ..Settings::default() };
    assert_eq!(talk.change(Change::Settings(settings)), Vec::<String>::new());
    assert_eq!(*talk.session.settings(), settings);
    talk.session.stop();
    talk.best_move();
}

#[test]
fn the_engine_forgets_once_what_it_learned_with_settings_that_it_would_be_wrong_under() {
    let mut talk = Talk::new();
    talk.search(&infinite()).unwrap();
    let defaults = Settings::default();
    let weaker = Settings { skill_level: 3, ..defaults };
    let mut other_rule = weaker;
    other_rule.tablebases.fifty_move_rule = false;
    let analysis = Settings { analyse_mode: true, ..defaults };
    for (settings, forgets) in [
        (Settings { elo: 900, ..defaults }, false),
        (weaker, true),
        (other_rule, true),
        (analysis, true),
        (Settings { skill_level: 3, ..analysis }, false),
    ] {
        let notes = talk.change(Change::Settings(settings));
        assert_eq!(notes.len(), usize::from(forgets), "{settings:?}: {notes:?}");
        assert!(notes.iter().all(|note| note.contains("forgetting")), "{notes:?}");
    }
    talk.session.stop();
    talk.best_move();
}

#[test]
fn stop_and_ponderhit_without_a_search_do_nothing_to_the_next_one() {
    let mut talk = Talk::new();
    talk.session.stop();
    talk.session.ponder_hit();
    talk.search(&infinite()).unwrap();
    assert!(!talk.session.tasks.controls().any(Control::is_stopped));
    assert!(!talk.session.tasks.controls().any(Control::is_ponder_hit));
    talk.session.stop();
    talk.best_move();
}

#[test]
fn a_search_that_ponders_ends_by_its_limits_only_after_the_ponder_hit() {
    let mut talk = Talk::new();
    talk.search(&limited(Limits { ponder: true, ..Limits::depth(2) })).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert!(talk.is_quiet());
    talk.session.ponder_hit();
    talk.best_move();
}

#[test]
fn moves_to_search_that_are_not_legal_are_left_out() {
    let read = |texts: &[&str]| {
        let search_moves = texts.iter().map(|&text| text.to_owned()).collect();
        let request = SearchRequest { search_moves, ..SearchRequest::default() };
        let (moves, note) = request.legal_search_moves(Position::default().chess());
        (moves.len(), note.map(|note| note.to_string()).unwrap_or_default())
    };
    assert_eq!(read(&["e2e4", "d2d4", "e2e4"]), (2, String::new()));
    let (count, note) = read(&["e2e5", "d2d4", "rook"]);
    assert_eq!(count, 1);
    assert!(note.contains("e2e5") && note.contains("2 left out"), "{note}");
    let (count, note) = read(&["e2e5"]);
    assert_eq!(count, 0);
    assert!(note.contains("e2e5") && note.contains("all legal moves"), "{note}");
}

#[test]
fn castling_is_understood_and_written_as_the_option_says() {
    let mut talk = Talk::new();
    let castled = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &["e1c1"]);
    talk.session.set_position(castled).unwrap();
    let key = talk.session.position().board().key();
    let mode = |talk: &Talk| talk.session.position().chess().castles().mode();
    assert_eq!(mode(&talk), CastlingMode::Standard);
    assert_eq!(talk.set_chess960(true), Vec::<String>::new());
    assert_eq!(mode(&talk), CastlingMode::Chess960);
    assert_eq!(talk.session.position().board().key(), key);
}

#[test]
fn a_chess960_position_needs_the_option_and_outlives_it() {
    let mut talk = Talk::new();
    let request = game("1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1", &["e1g1"]);
    let text = talk.session.set_position(request.clone()).unwrap_err().to_string();
    assert!(text.contains("UCI_Chess960"), "{text}");
    talk.set_chess960(true);
    talk.session.set_position(request).unwrap();
    let key = talk.session.position().board().key();
    let notes = talk.set_chess960(false);
    assert!(notes.len() == 1 && notes[0].contains("stays as it was"), "{notes:?}");
    assert_eq!(talk.session.position().board().key(), key);
}

#[test]
fn perft_and_bench_run_beside_the_conversation_and_can_be_stopped() {
    let mut talk = Talk::new();
    talk.session.perft(3).unwrap();
    match talk.finish().0 {
        TaskResult::Perft(Some(summary)) => assert_eq!(summary.nodes, 8902),
        other => panic!("{other:?}"),
    }
    talk.session.perft(32).unwrap();
    talk.session.stop();
    assert!(matches!(talk.finish().0, TaskResult::Perft(None)));
    talk.session.bench(Depth::ONE).unwrap();
    assert!(matches!(talk.finish().0, TaskResult::Bench(Ok(_))));
}
