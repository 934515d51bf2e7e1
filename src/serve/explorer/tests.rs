use super::own_games::IndexedGames;
use super::*;
use outrider_engine::position::notation::parse_fen_any;
use serde_json::{Value, json};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A stored game of the player with White.
fn kept(moves: &[&str], ending: Value) -> Value {
    json!({
        "fen": START, "chess960": false, "moves": moves, "white": true, "elo": 450, "clock": null,
        "ending": ending, "date": "2026.11.23",
    })
}

fn sent(id: &str, time: u32, kept: Value) -> Value {
    json!({ "id": id, "time": time, "kept": kept })
}

fn update(own: &mut OwnGames, changes: Value) -> IndexedGames {
    own.update(serde_json::from_value(changes).unwrap())
}

/// Returns the view of a position as JSON.
fn view(own: &OwnGames, fen: &str) -> Value {
    let chess = parse_fen_any(fen).unwrap();
    serde_json::to_value(ExplorerView::new(&chess, own, &SharedBook::default())).unwrap()
}

fn find(view: &Value, san: &str) -> Value {
    let moves = view["moves"].as_array().unwrap();
    moves.iter().find(|explored| explored["san"] == san).cloned().unwrap_or(Value::Null)
}

/// Three games: won, lost, and not finished.
fn three_games() -> OwnGames {
    let mut own = OwnGames::default();
    let fools_mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let scholars_mate = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];
    let games = json!([
        sent("lost", 1, kept(&fools_mate, Value::Null)),
        sent("won", 2, kept(&scholars_mate, Value::Null)),
        sent("open", 3, kept(&["e2e4", "c7c5"], Value::Null)),
    ]);
    let indexed = update(&mut own, json!({ "all": true, "changed": games, "deleted": [] }));
    assert_eq!(indexed, IndexedGames { games: 3, unreadable: 0, too_many: 0 });
    own
}

#[test]
fn the_moves_of_the_players_games_have_their_number_score_and_last_game() {
    let own = three_games();
    let start = view(&own, START);
    assert_eq!((&start["games"], &start["moves"][0]["san"]), (&json!(3), &json!("e4")));
    let e4 = find(&start, "e4");
    assert_eq!((&e4["games"], &e4["score"]), (&json!(2), &json!(100)), "one of two is over");
    assert_eq!(e4["last"], json!({ "id": "open", "date": "2026.11.23" }));
    assert_eq!(e4["opening"]["name"], "King's Pawn Game");
    let f3 = find(&start, "f3");
    assert_eq!((&f3["games"], &f3["score"]), (&json!(1), &json!(0)));
    let d4 = find(&start, "d4");
    assert_eq!((&d4["games"], &d4["score"], &d4["last"]), (&json!(0), &Value::Null, &Value::Null));
    assert!(d4["lines"].as_u64() > find(&start, "a3")["lines"].as_u64());
}

#[test]
fn a_game_counts_after_a_transposition_and_once_for_a_repeated_position() {
    let mut own = OwnGames::default();
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "d2d4"];
    let games = json!([sent("a", 1, kept(&moves, json!("resignation")))]);
    update(&mut own, json!({ "all": false, "changed": games, "deleted": [] }));
    let start = view(&own, START);
    assert_eq!((&start["games"], &find(&start, "d4")["games"]), (&json!(1), &json!(0)));
    let both_knights = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 6 4";
    assert_eq!(find(&view(&own, both_knights), "Ng1")["games"], 1, "counters do not matter");
}

#[test]
fn changed_and_deleted_games_replace_their_entries() {
    let mut own = three_games();
    let changed = json!([sent("open", 4, kept(&["d2d4"], json!("resignation")))]);
    let indexed =
        update(&mut own, json!({ "all": false, "changed": changed, "deleted": ["lost", "?"] }));
    assert_eq!(indexed.games, 2);
    let start = view(&own, START);
    let games = |san: &str| find(&start, san)["games"].clone();
    assert_eq!([games("e4"), games("d4"), games("f3")], [json!(1), json!(1), json!(0)]);
    update(&mut own, json!({ "all": true, "changed": [], "deleted": [] }));
    assert_eq!(view(&own, START)["games"], 0);
}

#[test]
fn unreadable_games_are_counted_and_left_out() {
    let mut own = OwnGames::default();
    let games = json!([sent("a", 1, json!("nothing")), sent("b", 1, kept(&["e2e5"], Value::Null))]);
    let indexed = update(&mut own, json!({ "all": false, "changed": games, "deleted": [] }));
    assert_eq!(indexed, IndexedGames { games: 0, unreadable: 2, too_many: 0 });
}

#[test]
fn a_position_outside_the_openings_has_no_moves() {
    let endgame = view(&three_games(), "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!((&endgame["moves"], &endgame["has_book"]), (&json!([]), &json!(false)));
}
