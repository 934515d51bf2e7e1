//! Pages and pictures of games.

use super::*;

const HOSTILE: &str = "[White \"<script>alert(1)</script> & {{data}}\"]\n[Black \"B\"]\n\n1. e4 \
                       {</script><b>} f6 (1... c5 {<i>}) 2. Nf3 *";

#[test]
fn a_page_is_one_well_formed_file_even_for_hostile_texts() {
    let (game, analysed) = up_and_down(HOSTILE);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    for name in ["src", "href"] {
        let links = document.descendants().filter_map(|node| node.attribute(name));
        assert!(links.clone().all(|link| link.starts_with('#')), "{:?}", links.collect::<Vec<_>>());
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    let title = document.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(title.text(), Some("<script>alert(1)</script> & {{data}} – B"));
    for promise in ["prefers-color-scheme: dark", "width=device-width", "lang=\"en\""] {
        assert!(page.contains(promise), "{promise}");
    }
}

#[test]
fn a_page_has_the_data_of_every_position() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let data = document.descendants().find(|node| node.attribute("id") == Some("data")).unwrap();
    let data: Value = serde_json::from_str(data.text().unwrap()).unwrap();
    let positions = data["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions[0]["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let after = &positions[2];
    assert_eq!((&after["name"], &after["fault"]), (&"1... f6".into(), &"blunder".into()));
    assert_eq!(after["moved"], serde_json::json!(["f7", "f6"]));
    assert_eq!(after["score"], "+4.00");
    assert_eq!(after["line"][0][0], "2.");
    assert_eq!(after["line"][0][1], "Qh5+");
    assert_eq!(after["line"][0][3], serde_json::json!(["d1", "h5"]));
    let moves = document.descendants().filter(|node| node.has_tag_name("a"));
    let links: Vec<_> = moves.filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, ["#1", "#2", "#3"]);
}

#[test]
fn only_the_players_share_the_column_of_the_board() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let board = document.descendants().find(|node| node.attribute("id") == Some("board")).unwrap();
    let column = board.ancestors().find(|node| node.has_tag_name("section")).unwrap();
    let parts = column.children().filter(|node| node.is_element());
    let classes: Vec<_> = parts.filter_map(|node| node.attribute("class")).collect();
    assert_eq!(classes, ["player", "stage", "player"]);
}

#[test]
fn variations_and_comments_of_the_input_can_be_played_through() {
    let (game, analysed) = up_and_down(
        "{before [%csl Ge4]} 1. e4 {[%cal Ge2e4] after} f6 (1... e5 $1 {solid} 2. Nf3 (2. Bc4) 2... \
         Nc6 3. Qh8 Nf6) 2. Nf3 *",
    );
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let data = data_of(&page);
    let said = |ply: usize| &data["positions"][ply]["remarks"];
    assert_eq!((&said(0)["comment"], &said(1)["comment"]), (&"before".into(), &"after".into()));
    assert_eq!(said(0)["circles"][0], serde_json::json!(["e4", "green"]));
    assert_eq!(said(1)["arrows"][0], serde_json::json!(["e2", "e4", "green"]));
    let [outer, inner] = [0, 1].map(|number: usize| &data["variations"][number]);
    let names = |line: &Value| -> Vec<String> {
        let steps = line["steps"].as_array().unwrap();
        steps.iter().map(|step| step[1].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(outer), ["e5", "Nf3", "Nc6"], "an illegal move ends the steps");
    assert_eq!(outer["steps"][0][4]["comment"], "solid");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
    assert_eq!(inner["steps"][0][2], fen);
    assert_eq!((&inner["at"], &inner["parent"]), (&1.into(), &serde_json::json!([0, 1])));
    let document = parsed(&page);
    let text = document.descendants().find(|node| node.attribute("class") == Some("variation"));
    let text: String = text.unwrap().descendants().filter_map(|node| node.text()).collect();
    assert!(text.contains("3.\u{a0}Qh8 Nf6"), "{text}");
    let buttons = page.matches("data-line=\"v0\"").count();
    assert_eq!((buttons, page.matches("data-line=\"v1\"").count()), (3, 1));
}

#[test]
fn glyphs_are_shown_by_their_customary_signs() {
    let (game, analysed) = up_and_down("1. e4 $14 $44 f6 (1... e5 $139 2. Nf3 $140) 2. Nf3 $146 *");
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    for shown in ["e4 ⩲ =∞<", "e5</button> ⊕", "2.\u{a0}Nf3</button> ∆", "Nf3?? N<"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[test]
fn a_page_can_show_black_below_and_has_links_and_the_pgn() {
    let (game, analysed) = up_and_down(PLAIN);
    let links = vec![("All <games>".to_owned(), "index.html".to_owned())];
    let players = ByColor { white: Some("player-1.html".to_owned()), black: None };
    let frame = PageFrame { black_below: true, links, players };
    let page = page(&game, &analysed, SETTINGS, &frame);
    let data = data_of(&page);
    assert_eq!(data["blackBelow"], true);
    assert_eq!(
        data["positions"][1]["fen"],
        format!("{} 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -")
    );
    assert!(data["pgn"].as_str().unwrap().contains("1. e4"));
    assert!(page.contains(r#"<a href="index.html">All &lt;games&gt;</a>"#));
    assert!(page.contains(r#"<a href="player-1.html" title="#), "a name links to its player");
}

#[test]
fn each_fault_has_a_diagram_in_print() {
    let (game, analysed) = up_and_down(PLAIN);
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let document = parsed(&page);
    let diagrams = document.descendants().filter_map(|node| node.attribute("data-ply"));
    assert_eq!(diagrams.collect::<Vec<_>>(), ["2", "3"]);
    assert!(page.contains("@media print"));
}

#[test]
fn bars_below_the_curve_show_times_and_faults_in_time_trouble() {
    let (game, analysed) = up_and_down(
        "[TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:50]} f6 {[%clk 0:00:05]} 2. Nf3 {[%clk 0:00:40]} *",
    );
    let page = page(&game, &analysed, SETTINGS, &PageFrame::default());
    let data = data_of(&page);
    let position = &data["positions"][2];
    assert_eq!((&position["spent"], &position["trouble"]), (&"0:55".into(), &true.into()));
    let document = parsed(&page);
    let times = document.descendants().find(|node| node.attribute("class") == Some("times"));
    let bars: Vec<_> =
        times.unwrap().descendants().filter_map(|node| node.attribute("class")).collect();
    assert_eq!(bars, ["times", "middle", "white-time", "blunder", "white-time"]);
    let (game, analysed) = up_and_down(PLAIN);
    let page = super::page(&game, &analysed, SETTINGS, &PageFrame::default());
    assert!(!page.contains("class=\"times\""), "without clocks there are no bars");
}

#[test]
fn castling_is_drawn_as_the_move_of_the_king() {
    let game =
        game("[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. O-O O-O *");
    let squares: Vec<_> =
        game.moves.iter().map(|played| crate::pages::board::squares(played.mv)).collect();
    assert_eq!(squares, [["f1", "g1"], ["f8", "g8"]]);
}

#[test]
fn a_picture_is_well_formed_and_has_a_dot_on_each_fault() {
    let (game, analysed) = up_and_down(HOSTILE);
    let picture = picture(&game, &analysed);
    let document = parsed(&picture);
    assert!(document.root_element().has_tag_name("svg"));
    let judged: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(judged[1..], ["1... f6: blunder", "2. Nf3: blunder"]);
}

#[test]
fn the_curve_is_labelled_with_round_numbers_of_whites_moves() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(20);
    let game = game(&format!("[FEN \"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 7\"]\n\n{moves} *"));
    let ticks = graph::ticks(&game);
    let numbers: Vec<_> = ticks.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [10, 15, 20, 25, 30, 35, 40, 45]);
    assert_eq!(ticks[0].1, 7.0 / 80.0, "after the seventh ply, White's tenth move");
}
