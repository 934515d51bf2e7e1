use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use shakmaty::{ByColor, CastlingMode, Color, Position as _};

use super::*;
use outrider_engine::position::notation::format_move;
use outrider_engine::search::{Control, Limits};

/// A session with the events of its tasks.
struct Client {
    session: Session,
    events: Receiver<TaskEvent>,
}

impl Client {
    fn new() -> Client {
        let (sender, events) = mpsc::channel();
        let session = Session::new(move |event| drop(sender.send(event))).unwrap();
        Client { session, events }
    }

    fn search(&mut self, request: &SearchRequest) -> Result<Option<Message>, Message> {
        self.session.search(request)
    }

    fn change(&mut self, change: impl Into<Change>) -> Vec<String> {
        self.session.change(change.into()).iter().map(Message::to_string).collect()
    }

    fn set_chess960(&mut self, chess960: bool) -> Vec<String> {
        self.change(Change::Settings(Settings { chess960, ..*self.session.settings() }))
    }

    /// Waits until the running task ends; returns its result and the messages that follow.
    fn finish(&mut self) -> (TaskResult, Vec<String>) {
        loop {
            match self.events.recv_timeout(Duration::from_secs(60)).unwrap() {
                TaskEvent::Finished(FinishedTask { result, engine }) => {
                    let nothing = TaskResult::Perft(None);
                    let finished = FinishedTask { result: nothing, engine };
                    let messages = self.session.task_finished(finished);
                    return (result, messages.iter().map(Message::to_string).collect());
                }
                TaskEvent::Panicked(message) => panic!("{message}"),
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

    fn position(&self) -> &Position {
        self.session.position().expect("the position was accepted")
    }

    fn is_quiet(&self) -> bool {
        self.events.try_iter().all(|event| matches!(event, TaskEvent::Search { .. }))
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
fn a_position_with_moves_knows_its_repetitions() {
    let mut client = Client::new();
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = back_and_forth.iter().copied().cycle().take(8).collect();
    client.session.set_position(game("", &moves)).unwrap();
    assert!(client.position().is_repetition(outrider_engine::units::Ply::ROOT));
}

#[test]
fn an_illegal_move_is_reported_with_its_number_and_there_is_no_position_afterwards() {
    let mut client = Client::new();
    client.session.set_position(game("", &["e2e4"])).unwrap();
    let message = client.session.set_position(game("", &["d2d4", "e7e5", "d4d6"])).unwrap_err();
    let text = message.to_string();
    assert!(text.contains("move 3") && text.contains("d4d6"), "{text}");
    assert!(text.ends_with("there is no position until one is accepted"), "{text}");
    assert!(client.session.position().is_err());
    client.session.set_position(game("", &["e2e4"])).unwrap();
    assert_eq!(client.position().turn(), Color::Black);
}

#[test]
fn impossible_castling_rights_are_left_out_and_reported() {
    let mut client = Client::new();
    let fen = "r3k2r/8/8/8/8/8/4K3/R6R b KQkq - 1 2";
    let message = client.session.set_position(game(fen, &["e8c8"])).unwrap().unwrap().to_string();
    assert!(message.contains("KQkq") && message.contains("kept: kq"), "{message}");
    let passed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 1";
    assert!(client.session.set_position(game(passed, &["e7e5"])).unwrap().is_none());
}

#[test]
fn an_invalid_fen_is_reported_and_there_is_no_position_afterwards() {
    let mut client = Client::new();
    for fen in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "kK6/8/8/8/8/8/8/8 w KQkq"] {
        let text = client.session.set_position(game(fen, &[])).unwrap_err().to_string();
        assert!(text.contains(fen) && text.contains("there is no position"), "{text}");
        let text = client.session.position().unwrap_err().to_string();
        assert!(text.contains(fen) && text.contains("refused"), "{text}");
    }
}

#[test]
fn a_search_without_a_position_reports_the_reason_and_ends_without_a_move() {
    for (request, answers) in [
        (short(), true),
        (infinite(), false),
        (limited(Limits { ponder: true, ..Limits::depth(2) }), false),
    ] {
        let mut client = Client::new();
        client.session.set_position(game("8/8 w - -", &[])).unwrap_err();
        assert!(client.search(&request).unwrap().is_none());
        match client.events.recv_timeout(Duration::from_secs(60)).unwrap() {
            TaskEvent::NoPosition(error) => assert!(error.to_string().contains("8/8 w - -")),
            other => panic!("{other:?}"),
        }
        if !answers {
            std::thread::sleep(Duration::from_millis(50));
            assert!(client.events.try_recv().is_err(), "only stop or ponderhit allows an answer");
            if request.limits.ponder { client.session.ponder_hit() } else { client.session.stop() }
        }
        assert!(matches!(client.finish().0, TaskResult::NoPosition));
        assert!(client.session.perft(1).unwrap_err().to_string().contains("8/8 w - -"));
        client.session.set_position(game("", &["e2e4"])).unwrap();
        client.search(&only("e7e5")).unwrap();
        assert_eq!(client.best_move(), "e7e5");
    }
}

#[test]
fn a_search_without_a_position_answers_after_the_stopped_one() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    client.session.set_position(game("", &["e2e5"])).unwrap_err();
    assert!(client.search(&short()).is_err(), "the running search was not stopped");
    client.session.stop();
    client.search(&short()).unwrap();
    client.best_move();
    assert!(matches!(client.finish().0, TaskResult::NoPosition));
}

#[test]
fn a_refused_position_is_read_again_when_the_castling_mode_changes() {
    let mut client = Client::new();
    let request = game("1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1", &["e1g1"]);
    client.session.set_position(request).unwrap_err();
    assert_eq!(client.set_chess960(true), Vec::<String>::new());
    assert_eq!(client.position().turn(), Color::Black);
    client.session.set_position(game("nonsense", &[])).unwrap_err();
    assert_eq!(client.set_chess960(false), Vec::<String>::new(), "it was refused before");
    assert!(client.session.position().is_err());
    let refused = client.session.refuse_position("no FEN".to_owned()).to_string();
    assert!(refused.starts_with("no FEN; there is no position"), "{refused}");
    assert_eq!(client.set_chess960(true), Vec::<String>::new());
    assert!(client.session.position().is_err());
}

#[test]
fn a_refused_book_or_network_leaves_the_named_one_in_use() {
    let mut client = Client::new();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (book, other) = (file("a.bin", &[0; 16]), file("other", b"no book"));
    let set = |client: &mut Client, path: &PathBuf| client.change(Change::Book(Some(path.clone())));
    assert!(set(&mut client, &other)[0].ends_with("no book is in use"));
    assert!(set(&mut client, &book)[0].contains("with 1 entries"));
    let refused = set(&mut client, &other);
    assert!(refused[0].ends_with(&format!("the book {} is kept", book.display())), "{refused:?}");
    let kept = format!("network {:08x} is kept", client.session.network().checksum());
    let refused = client.change(EngineChange::Network(Some(other)));
    assert!(refused[0].ends_with(&kept), "{refused:?}");
}

#[test]
fn a_search_after_one_without_a_limit_is_refused_and_the_first_continues() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    let text = client.search(&short()).unwrap_err().to_string();
    assert_eq!(text, "new search refused: an earlier search has no limit; stop it first");
    assert!(client.session.perft(3).is_err());
    assert!(client.session.bench(Depth::ONE).is_err());
    assert!(client.is_quiet());
    client.session.stop();
    client.best_move();
}

#[test]
fn searches_requested_after_a_stop_run_in_order_and_each_answers() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    client.session.stop();
    client
        .search(&SearchRequest { search_moves: only("a2a3").search_moves, ..infinite() })
        .unwrap();
    client.session.stop();
    client.search(&infinite()).unwrap();
    assert!(client.search(&short()).is_err(), "the waiting search was not stopped");
    client.session.stop();
    client.search(&only("h2h4")).unwrap();
    for _ in 0..3 {
        client.best_move();
    }
    assert_eq!(client.best_move(), "h2h4");
    assert!(client.search(&short()).is_ok());
    client.best_move();
}

#[test]
fn a_task_waits_for_one_with_a_limit() {
    let clocks = Clocks {
        remaining: ByColor { white: Some(Duration::from_secs(1)), black: None },
        ..Clocks::default()
    };
    for first in [
        short(),
        limited(Limits::nodes(20_000)),
        limited(Limits::move_time(Duration::from_millis(50))),
        limited(Limits { mate: Some(1), ..Limits::default() }),
        SearchRequest { clocks, ..SearchRequest::default() },
    ] {
        let mut client = Client::new();
        client.search(&first).unwrap();
        client.session.set_position(game("", &["e2e4"])).unwrap();
        client.search(&only("e7e5")).unwrap();
        client.session.perft(1).unwrap();
        client.session.bench(Depth::ONE).unwrap();
        client.search(&only("c7c5")).unwrap();
        let white_move = client.best_move();
        assert!(white_move.ends_with(['3', '4']), "{first:?}: {white_move}");
        assert_eq!(client.best_move(), "e7e5");
        assert!(matches!(client.finish().0, TaskResult::Perft(Some(_))));
        assert!(matches!(client.finish().0, TaskResult::Bench(Ok(_))));
        assert_eq!(client.best_move(), "c7c5");
    }
}

#[test]
fn a_task_waits_for_a_ponder_search_only_after_the_ponder_hit() {
    let mut client = Client::new();
    client.search(&limited(Limits { ponder: true, ..Limits::depth(2) })).unwrap();
    assert!(client.search(&only("a2a3")).is_err());
    client.session.ponder_hit();
    client.search(&only("a2a3")).unwrap();
    client.best_move();
    assert_eq!(client.best_move(), "a2a3");
}

#[test]
fn stop_ends_the_running_search_and_the_waiting_ones() {
    let mut client = Client::new();
    let hour = || limited(Limits::move_time(Duration::from_secs(3_600)));
    client.search(&hour()).unwrap();
    client.search(&hour()).unwrap();
    client.session.stop();
    client.best_move();
    client.best_move();
}

#[test]
fn the_time_of_a_search_that_waits_for_another_counts_from_its_start() {
    let mut client = Client::new();
    let time = Duration::from_millis(200);
    let mut request = limited(Limits::move_time(time));
    request.limits.started = Some(Instant::now());
    client.search(&request).unwrap();
    client.search(&request).unwrap();
    client.best_move();
    let second_start = Instant::now();
    client.best_move();
    assert!(second_start.elapsed() >= time / 2, "the first search used the time of the second");
}

#[test]
fn a_position_set_during_a_search_applies_to_the_next_search() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    client.session.set_position(game("", &["e2e4"])).unwrap();
    assert_eq!(client.position().turn(), Color::Black);
    client.session.stop();
    let white_move = client.best_move();
    assert!(white_move.ends_with(['3', '4']), "{white_move}");
    client.search(&short()).unwrap();
    let black_move = client.best_move();
    assert!(black_move.ends_with(['5', '6']), "{black_move}");
}

#[test]
fn a_search_reports_its_root_position_even_if_another_one_is_set_meanwhile() {
    let mut client = Client::new();
    let white_to_move = client.position().board().key();
    client.search(&infinite()).unwrap();
    client.session.set_position(game("", &["e2e4"])).unwrap();
    client.session.stop();
    let mut reports = 0;
    loop {
        match client.events.recv_timeout(Duration::from_secs(60)).unwrap() {
            TaskEvent::Search { root, .. } => {
                assert_eq!(root.board().key(), white_to_move);
                reports += 1;
            }
            TaskEvent::Finished(FinishedTask {
                result: TaskResult::Search { root, .. }, ..
            }) => {
                assert_eq!(root.board().key(), white_to_move);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(reports > 0);
}

#[test]
fn changes_of_the_engine_wait_until_the_search_ends() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    for change in [EngineChange::TableMegabytes(3), EngineChange::Threads(2), EngineChange::Forget]
    {
        let messages = client.change(change);
        assert!(messages.len() == 1 && messages[0].contains("waits"), "{messages:?}");
    }
    client.session.stop();
    let (_, messages) = client.finish();
    assert_eq!(messages, Vec::<String>::new());
    let engine = client.session.tasks.engine.as_ref().unwrap();
    assert_eq!((engine.table_megabytes(), engine.threads()), (3, 2));
}

#[test]
fn the_values_in_use_include_changes_that_wait_and_leave_out_refused_ones() {
    let mut client = Client::new();
    client.change(EngineChange::Network(Some(PathBuf::from("/nowhere"))));
    client.search(&infinite()).unwrap();
    client.change(EngineChange::TableMegabytes(3));
    let values = client.session.values().engine;
    assert_eq!((values.table_megabytes, values.network.clone()), (3, None));
    client.session.stop();
    client.finish();
    assert_eq!(client.session.values().engine, values);
}

#[test]
fn settings_change_at_once_during_a_search() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    let settings = Settings { multi_pv: 3, show_wdl: true, ..Settings::default() };
    assert_eq!(client.change(Change::Settings(settings)), Vec::<String>::new());
    assert_eq!(*client.session.settings(), settings);
    client.session.stop();
    client.best_move();
}

#[test]
fn a_change_of_strength_or_fifty_move_rule_clears_the_learned_data_once() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
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
        let messages = client.change(Change::Settings(settings));
        assert_eq!(messages.len(), usize::from(forgets), "{settings:?}: {messages:?}");
        assert!(messages.iter().all(|message| message.contains("clearing")), "{messages:?}");
    }
    client.session.stop();
    client.best_move();
}

#[test]
fn the_opening_of_a_weak_player_depends_on_the_game_seed_alone() {
    let mut client = Client::new();
    let weak = Settings { limit_strength: true, elo: 450, ..Settings::default() };
    let mut openings: Vec<Vec<String>> = Vec::new();
    for _ in 0..2 {
        client.change(Change::Settings(weak));
        let first_move = |game_seed| {
            client.search(&SearchRequest { game_seed: Some(game_seed), ..short() }).unwrap();
            client.best_move()
        };
        openings.push((0..16).map(first_move).collect());
        // A search at full strength in between, such as a hint.
        client.change(Change::Settings(Settings::default()));
    }
    assert_eq!(openings[0], openings[1]);
    assert!(openings[0].iter().any(|mv| *mv != openings[0][0]), "{openings:?}");
}

#[test]
fn stop_and_ponderhit_without_a_search_do_not_affect_the_next_one() {
    let mut client = Client::new();
    client.session.stop();
    client.session.ponder_hit();
    client.search(&infinite()).unwrap();
    assert!(!client.session.tasks.controls().any(Control::is_stopped));
    assert!(!client.session.tasks.controls().any(Control::is_ponder_hit));
    client.session.stop();
    client.best_move();
}

#[test]
fn the_limits_of_a_ponder_search_count_only_after_the_ponder_hit() {
    let mut client = Client::new();
    client.search(&limited(Limits { ponder: true, ..Limits::depth(2) })).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert!(client.is_quiet());
    client.session.ponder_hit();
    client.best_move();
}

#[test]
fn illegal_moves_to_search_are_left_out() {
    let read = |texts: &[&str]| {
        let search_moves = texts.iter().map(|&text| text.to_owned()).collect();
        let request = SearchRequest { search_moves, ..SearchRequest::default() };
        let (moves, message) = request.legal_search_moves(Position::default().chess());
        (moves.len(), message.map(|message| message.to_string()).unwrap_or_default())
    };
    assert_eq!(read(&["e2e4", "d2d4", "e2e4"]), (2, String::new()));
    let (count, message) = read(&["e2e5", "d2d4", "rook"]);
    assert_eq!(count, 1);
    assert!(message.contains("e2e5") && message.contains("2 left out"), "{message}");
    let (count, message) = read(&["e2e5"]);
    assert_eq!(count, 0);
    assert!(message.contains("e2e5") && message.contains("all legal moves"), "{message}");
}

#[test]
fn the_chess960_option_changes_the_castling_mode_of_the_current_position() {
    let mut client = Client::new();
    let castled = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &["e1c1"]);
    client.session.set_position(castled).unwrap();
    let key = client.position().board().key();
    let mode = |client: &Client| client.position().chess().castles().mode();
    assert_eq!(mode(&client), CastlingMode::Standard);
    assert_eq!(client.set_chess960(true), Vec::<String>::new());
    assert_eq!(mode(&client), CastlingMode::Chess960);
    assert_eq!(client.position().board().key(), key);
}

#[test]
fn a_chess960_position_needs_the_option_and_stays_when_it_is_switched_off() {
    let mut client = Client::new();
    let request = game("1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1", &["e1g1"]);
    let text = client.session.set_position(request.clone()).unwrap_err().to_string();
    assert!(text.contains("UCI_Chess960"), "{text}");
    client.set_chess960(true);
    client.session.set_position(request).unwrap();
    let key = client.position().board().key();
    let messages = client.set_chess960(false);
    assert!(messages.len() == 1 && messages[0].contains("is unchanged"), "{messages:?}");
    assert_eq!(client.position().board().key(), key);
}

#[test]
fn perft_and_bench_run_in_the_background_and_perft_can_be_stopped() {
    let mut client = Client::new();
    client.session.perft(3).unwrap();
    match client.finish().0 {
        TaskResult::Perft(Some(summary)) => assert_eq!(summary.nodes, 8902),
        other => panic!("{other:?}"),
    }
    client.session.perft(32).unwrap();
    client.session.stop();
    assert!(matches!(client.finish().0, TaskResult::Perft(None)));
    client.session.bench(Depth::ONE).unwrap();
    assert!(matches!(client.finish().0, TaskResult::Bench(Ok(_))));
}

#[test]
fn the_number_of_waiting_tasks_and_changes_is_limited() {
    let mut client = Client::new();
    client.search(&infinite()).unwrap();
    let mut accepted = 1;
    let refused = loop {
        client.session.stop();
        match client.search(&infinite()) {
            Ok(_) => accepted += 1,
            Err(message) => break message.to_string(),
        }
        assert!(accepted < 10_000);
    };
    assert_eq!(refused, format!("new search refused: {} tasks wait already", accepted - 1));
    for _ in 0..1_000 {
        let deferred = client.change(EngineChange::Forget);
        assert_eq!(deferred.len(), 1, "each change is answered");
        client.change(EngineChange::TableMegabytes(1));
    }
    assert_eq!(client.session.tasks.waiting(), accepted - 1 + 2, "the last change of each kind");
    for _ in 0..accepted {
        client.best_move();
    }
    assert!(client.is_quiet());
}
