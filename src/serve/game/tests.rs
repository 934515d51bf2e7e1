use super::*;
use outrider_engine::position::notation::parse_move;

fn new_game(side: Side, start: StartPosition) -> NewGame {
    NewGame {
        side,
        elo: Some(450),
        clock: None,
        start,
        date: PgnDate::try_from("2026.11.23".to_owned()).unwrap(),
    }
}

fn standard() -> Game {
    Game::new(&new_game(Side::White, StartPosition::Standard)).unwrap()
}

/// A game with one minute for each side.
fn timed(start: StartPosition) -> Game {
    let clock = Some(TimeControl { minutes: 1.0, increment: 0.0 });
    Game::new(&NewGame { clock, ..new_game(Side::White, start) }).unwrap()
}

/// Plays moves for both sides.
fn play(game: &mut Game, moves: &[&str], now: Instant) {
    for text in moves {
        if game.is_engines_turn() {
            let mv = parse_move(game.position().chess(), text).unwrap();
            game.reply(mv, Score::DRAW, now);
        } else {
            game.play(text, now).unwrap();
        }
    }
}

const BACK_AND_FORTH: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// Quiet moves up to the first ply at which the engine may accept a draw.
const QUIET: [&str; MIN_DRAW_PLIES] = [
    "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6", "f2f3", "f7f6",
    "g2g3", "g7g6", "h2h3", "h7h6", "a3a4", "a6a5", "b3b4", "b6b5",
];

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let (mut game, now) = (standard(), Instant::now());
    play(&mut game, &BACK_AND_FORTH, now);
    assert!(!game.is_over());
    play(&mut game, &BACK_AND_FORTH, now);
    assert_eq!(game.ending, Some(Ending { reason: EndReason::Repetition, winner: None }));
    assert!(matches!(game.play("e4", now), Err(GameRefusal::Over)));
}

#[test]
fn running_out_of_time_loses_unless_the_opponent_cannot_mate() {
    let start = Instant::now();
    let late = start + Duration::from_secs(61);
    for (fen, winner) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Some(Color::White)),
        ("4k3/7q/8/8/8/8/8/N3K3 w - - 0 1", None),
    ] {
        let mut game = timed(StartPosition::Fen(fen.to_owned()));
        assert!(!game.check_time(late), "the clock runs from the first move");
        game.play("Kf2", start).unwrap();
        assert!(game.check_time(late) && !game.check_time(late));
        assert_eq!(game.ending, Some(Ending { reason: EndReason::Time, winner }));
        assert!(game.to_pgn().contains("[%clk 0:01:00]"));
    }
}

#[test]
fn a_game_lost_on_time_cannot_be_taken_back() {
    let start = Instant::now();
    let mut game = timed(StartPosition::Standard);
    play(&mut game, &["e2e4", "e7e5"], start);
    let late = start + Duration::from_secs(61);
    assert!(game.check_time(late));
    assert!(matches!(game.take_back(late), Err(GameRefusal::Over)));
    assert_eq!((game.record.moves.len(), game.is_over()), (2, true));
}

#[test]
fn take_back_removes_the_players_move_and_the_reply_and_reopens_a_finished_game() {
    let (mut game, now) = (standard(), Instant::now());
    assert!(game.take_back(now).is_err());
    play(&mut game, &["f2f3", "e7e5", "g2g4", "d8h4"], now);
    assert_eq!(game.ending.map(|ending| ending.winner), Some(Some(Color::Black)));
    game.take_back(now).unwrap();
    assert_eq!((game.record.moves.len(), game.is_over()), (2, false));
    play(&mut game, &["e2e4"], now);
    game.take_back(now).unwrap();
    assert_eq!(game.record.moves.len(), 2, "the engine had not answered yet");
    assert!(game.to_pgn().contains("[Result \"*\"]"));
}

#[test]
fn the_clock_stops_when_the_first_move_is_taken_back() {
    let start = Instant::now();
    let mut game = timed(StartPosition::Standard);
    play(&mut game, &["e2e4", "e7e5", "g1f3"], start);
    let late = start + Duration::from_secs(61);
    game.take_back(start).unwrap();
    assert_eq!(game.clock.as_ref().unwrap().running(), Some(Color::White));
    game.take_back(start).unwrap();
    assert!(!game.check_time(late), "no clock runs before the first move");
    game.play("e4", late).unwrap();
    assert_eq!(game.clock.as_ref().unwrap().running(), Some(Color::Black));
}

#[test]
fn a_move_is_taken_back_with_its_increment_but_not_with_the_time_that_it_took() {
    let start = Instant::now();
    let clock = Some(TimeControl { minutes: 1.0, increment: 5.0 });
    let request = NewGame { clock, ..new_game(Side::White, StartPosition::Standard) };
    let mut game = Game::new(&request).unwrap();
    let left = |game: &Game, now: Instant| {
        let clock = game.clock.as_ref().unwrap();
        Color::ALL.map(|color| clock.remaining(color, now))
    };
    let seconds = Duration::from_secs;
    play(&mut game, &["e2e4", "e7e5"], start);
    for _ in 0..10 {
        play(&mut game, &["g1f3", "b8c6"], start);
        game.take_back(start).unwrap();
    }
    assert_eq!(left(&game, start), [seconds(65); 2]);
    let later = start + seconds(10);
    play(&mut game, &["g1f3", "b8c6"], later);
    game.take_back(later).unwrap();
    assert_eq!(left(&game, later), [seconds(55), seconds(65)]);
    let nearly_over = later + seconds(54);
    game.take_back(nearly_over).unwrap();
    assert_eq!(left(&game, nearly_over), [Duration::from_millis(1), seconds(60)]);
}

#[test]
fn a_draw_offer_ignores_the_score_of_a_move_that_was_taken_back() {
    let (mut game, now) = (standard(), Instant::now());
    play(&mut game, &QUIET, now);
    play(&mut game, &["a1a2", "a8a7"], now);
    game.take_back(now).unwrap();
    assert!(!game.offer_draw(now).unwrap());
    play(&mut game, &["a1a2", "a8a7"], now);
    assert!(game.offer_draw(now).unwrap());
}

#[test]
fn the_engine_accepts_a_draw_after_the_opening_unless_it_is_ahead() {
    let now = Instant::now();
    let after = |score: i32, plies: usize| {
        let mut game = standard();
        play(&mut game, &QUIET[..plies], now);
        game.engine_score = Some(Score::new(score));
        game.offer_draw(now).unwrap()
    };
    assert!(after(-30, 20) && after(0, 20));
    assert!(!after(30, 20) && !after(-30, 18));
}

#[test]
fn each_game_has_its_own_seed_even_if_it_was_stored_without_one() {
    let games = [standard(), standard()];
    assert_ne!(games[0].seed, games[1].seed);
    let now = Instant::now();
    let mut kept = serde_json::to_value(games[0].keep(now)).unwrap();
    kept.as_object_mut().unwrap().remove("seed");
    let of_earlier_version = Game::restore(&serde_json::from_value(kept).unwrap(), now).unwrap();
    assert_ne!(of_earlier_version.seed, games[0].seed);
}

#[test]
fn a_restored_game_equals_the_stored_one() {
    let now = Instant::now();
    let clock = Some(TimeControl { minutes: 3.0, increment: 2.0 });
    let request = NewGame { clock, ..new_game(Side::White, StartPosition::Chess960(Some(0))) };
    let mut game = Game::new(&request).unwrap();
    play(&mut game, &["g2g3", "g7g6"], now);
    let later = now + Duration::from_secs(5);
    let kept = game.keep(later);
    let text = serde_json::to_string(&kept).unwrap();
    let again = Game::restore(&serde_json::from_str(&text).unwrap(), later).unwrap();
    assert_eq!(again.keep(later), kept);
    assert_eq!(again.clock.unwrap().remaining(Color::White, later), Duration::from_secs(177));
    game.resign(later).unwrap();
    let over = Game::restore(&game.keep(later), later).unwrap();
    assert_eq!(over.ending, game.ending);
}

#[test]
fn saved_games_are_read_back_from_their_pgn() {
    let now = Instant::now();
    let clock = Some(TimeControl { minutes: 3.0, increment: 2.0 });
    let chess960 = new_game(Side::White, StartPosition::Chess960(Some(0)));
    let mut unfinished = Game::new(&NewGame { clock, ..chess960 }).unwrap();
    play(&mut unfinished, &["g2g3", "g7g6"], now);
    let black = new_game(Side::Black, StartPosition::Standard);
    let mut resigned = Game::new(&NewGame { elo: None, ..black }).unwrap();
    play(&mut resigned, &["e2e4", "e7e5"], now);
    resigned.resign(now).unwrap();
    let mut mated = standard();
    play(&mut mated, &["f2f3", "e7e5", "g2g4", "d8h4"], now);
    let mut agreed = standard();
    play(&mut agreed, &QUIET, now);
    assert!(agreed.offer_draw(now).unwrap());
    let mut late = timed(StartPosition::Standard);
    play(&mut late, &["e2e4", "e7e5"], now);
    assert!(late.check_time(now + Duration::from_secs(61)));
    let games = [unfinished, resigned, mated, agreed, late];
    let pgn: String = games.iter().map(Game::to_saved_pgn).collect();
    let read = SavedGames::read(&pgn);
    assert_eq!((read.games.len(), read.others), (games.len(), 0));
    let plain = |kept: &KeptGame| {
        let mut kept = serde_json::to_value(kept).unwrap();
        kept["seed"] = 0.into();
        kept
    };
    for (read, game) in read.games.iter().zip(&games) {
        assert_eq!(plain(read), plain(&game.keep(now)));
    }
}

#[test]
fn games_of_others_are_not_read_as_saved_games() {
    let of = |white: &str, black: &str, moves: &str| {
        let names = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n");
        let read = SavedGames::read(&format!("{names}{moves}\n"));
        (read.games.len(), read.others)
    };
    assert_eq!(of("Player", ENGINE, "1. e4 e5 *"), (1, 0));
    assert_eq!(of("Player", ENGINE, "1. e4 e5 0-1"), (1, 0));
    // Nobody resigns for the engine.
    assert_eq!(of("Player", ENGINE, "1. e4 e5 1-0"), (0, 1));
    for (white, black, moves) in [
        ("Player", "Ann", "1. e4 e5 *"),
        ("Ann", ENGINE, "1. e4 e5 *"),
        ("Player", ENGINE, "1. e4 e4 *"),
        ("Player", ENGINE, "*"),
    ] {
        assert_eq!(of(white, black, moves), (0, 1), "{white}, {black}, {moves}");
    }
}

#[test]
fn clocks_out_of_range_are_refused_and_strengths_clamped() {
    for (minutes, increment) in [(0.0, 1.0), (f64::NAN, 0.0), (1e9, 0.0), (1.0, -1.0), (1.0, 1e9)] {
        let clock = Some(TimeControl { minutes, increment });
        assert!(
            Game::new(&NewGame { clock, ..new_game(Side::White, StartPosition::Standard) })
                .is_err()
        );
    }
    let weak = NewGame { elo: Some(-5), ..new_game(Side::White, StartPosition::Standard) };
    assert_eq!(Game::new(&weak).unwrap().elo, Some(*StrengthLimit::ELO.start()));
}

#[test]
fn a_limited_engine_pauses_before_its_move_within_its_clock() {
    let (mut game, now) = (standard(), Instant::now());
    for _ in 0..100 {
        assert!(PAUSE.contains(&(game.pause(now).as_millis() as u64)));
    }
    game.elo = None;
    assert_eq!(game.pause(now), Duration::ZERO);
    let mut short = timed(StartPosition::Standard);
    play(&mut short, &["e2e4"], now);
    let nearly_over = now + Duration::from_secs(58);
    assert!(short.pause(nearly_over) <= Duration::from_secs(2) / PAUSES_LEFT);
}
