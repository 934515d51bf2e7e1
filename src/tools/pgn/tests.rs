mod numbers;
mod tokens;

use proptest::prelude::*;
use shakmaty::{Color, Position as _};

use super::*;
use outrider_engine::position::notation::format_fen;
use outrider_engine::position::san::format_san;

fn only(text: &str) -> AnnotatedGame {
    let sources = games(text);
    assert_eq!(sources.len(), 1, "{text}");
    read(&sources[0]).unwrap()
}

/// Returns the line and the message of a game's error.
fn refused(text: &str) -> (usize, String) {
    let error = read(&games(text)[0]).unwrap_err();
    (error.line(), error.to_string())
}

fn moves(game: &AnnotatedGame) -> Vec<String> {
    let positions = game.positions();
    game.moves.iter().zip(&positions).map(|(played, chess)| format_san(chess, played.mv)).collect()
}

fn comment(text: &str) -> Remark {
    Remark::Comment(text.to_owned())
}

#[test]
fn all_remarks_on_a_game_are_read() {
    let game = only(
        "[Event \"A \\\"great\\\" match\"]\n[Result \"1-0\"]\n\n{before} 1. e4 $1 {good} (1. d4 d5 \
         (1... Nf6 {x}) 2. c4!?) {after} e5 ; to the end of the line }\n2. Nf3 1-0 {resigns}\n",
    );
    assert_eq!(game.tag("Event"), Some("A \"great\" match"));
    assert_eq!(game.result, "1-0");
    assert_eq!(game.preface, [comment("before")]);
    assert_eq!(moves(&game), ["e4", "e5", "Nf3"]);
    let [glyph, good, variation, after] = &game.moves[0].remarks[..] else {
        panic!("{:?}", game.moves[0].remarks)
    };
    assert_eq!((glyph, good, after), (&Remark::Glyph(1), &comment("good"), &comment("after")));
    let Remark::Variation(elements) = variation else { panic!("{variation:?}") };
    assert_eq!(elements.len(), 5, "d4, d5, a variation, c4 and its glyph");
    assert_eq!(game.moves[1].remarks, [comment("to the end of the line )")]);
    assert_eq!(game.moves[2].remarks, [comment("resigns")]);
}

#[test]
fn a_game_is_written_unchanged_in_lines_of_at_most_eighty_characters() {
    let text = "[White \"A\"]\n[Result \"1/2-1/2\"]\n\n{ before } 1. e4 $1 { good } (1. d4 d5 (1... \
                Nf6 { x }) 2. c4 $5) { after } 1... e5\n2. Nf3 1/2-1/2\n\n";
    assert_eq!(write(&only(text)).replace('\n', " "), text.replace('\n', " "));
    let long = format!("1. e4 {{ {} }} e5 *", "a word ".repeat(100));
    assert!(write(&only(&long)).lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn commands_in_comments_are_not_split_between_lines() {
    let filler = "x".repeat(60);
    let text = write(&only(&format!("1. e4 {{ {filler} [%clk 0:12:34] }} *")));
    assert!(text.contains("[%clk 0:12:34]"), "{text}");
}

#[test]
fn moves_are_read_in_the_forms_that_people_write() {
    let game = only(
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.0-0 d5 5.e4xd5 b5 6.Re1 b5xa4?? *"
            .split(" b5 6")
            .next()
            .unwrap(),
    );
    assert_eq!(moves(&game).last().map(String::as_str), Some("exd5"));
    let set_up = "[FEN \"8/P6k/8/8/4pP2/8/8/K7 b - f3 0 40\"]\n\n";
    let game = only(&format!("{set_up}40... exf3 e.p. 41. a8Q f2 *"));
    assert_eq!(moves(&game), ["exf3", "a8=Q", "f2"]);
    assert_eq!(game.number(0), "40...");
    assert!(write(&game).contains("40... exf3 41. a8=Q f2 *"), "{}", write(&game));
    let game = only(&format!("{set_up}40... e4f3 41. a7a8q @@@@ 42. 0000 *"));
    assert!(write(&game).contains("40... exf3 41. a8=Q -- 42. -- *"), "{}", write(&game));
}

#[test]
fn all_printed_forms_of_castling_are_read() {
    for castling in ["O–O", "0−0", "O\u{2011}O", "OO", "00", "0-O", "o-o+"] {
        let game = only(&format!("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. {castling} Nf6 1–0"));
        assert_eq!(moves(&game)[6..], ["O-O", "Nf6"], "{castling}");
        assert_eq!(game.result, "1-0", "{castling}");
    }
    assert_eq!(only("1. e4 e5 ½–½").result, "1/2-1/2");
}

#[test]
fn games_are_separated_with_and_without_tags_and_empty_lines() {
    let text = "1. e4 e5\n\n2. Nf3 1-0\n1. d4 *\n[Event \"c\"]\n[Site \"\"]\n1. c4 {[\n\n} *\n\
                [Event \"d\"]\n\n[Event \"e\"]\n\n1. f4 0-1\n";
    let read: Vec<AnnotatedGame> = games(text).iter().map(|source| read(source).unwrap()).collect();
    let counts: Vec<_> = read.iter().map(|game| game.moves.len()).collect();
    assert_eq!(counts, [3, 1, 1, 0, 1]);
    let lines: Vec<_> = games(text).iter().map(|source| source.line).collect();
    assert_eq!(lines, [1, 4, 5, 10, 12]);
    assert_eq!(games(text)[2].text, "[Event \"c\"]\n[Site \"\"]\n1. c4 {[\n\n} *");
}

#[test]
fn lines_for_programs_and_empty_files_contain_no_game() {
    assert!(games("% a line\n\n  \n%[Event \"x\"]\n").is_empty());
    assert!(games("\u{feff}").is_empty());
    assert_eq!(moves(&only("% a line\n1. e4\n% another 1... e5\n1... c5 *")), ["e4", "c5"]);
}

#[test]
fn a_word_that_may_be_a_move_is_reported_and_other_words_become_comments() {
    assert_eq!(
        refused("[White \"x\"]\n\n1. e4 e5\n2. Cf3 Nc6 *"),
        (4, "\"Cf3\" is not a move".into())
    );
    let game = only("1. e4 e5 2. Nf3 N +- 2... Nc6 *");
    assert_eq!(game.moves[2].remarks, [comment("N"), comment("+-")]);
}

#[test]
fn an_illegal_move_is_reported_with_number_and_line() {
    let text = "[White \"x\"]\n\n1. e4 e5 (1... c5 2.\nNf3) 2. Nf3\nNf3 3. d4 *";
    assert_eq!(refused(text), (5, "move 2... Nf3 is not legal here".into()));
    let ambiguous = "[FEN \"4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 7\"]\n\n7. Ne4 *";
    assert_eq!(refused(ambiguous), (3, "move 7. Ne4 is ambiguous here".into()));
}

#[test]
fn unmatched_parentheses_and_braces_are_reported() {
    assert_eq!(refused("1. e4 {no\nend").0, 1);
    assert!(refused("1. e4 (1. d4 d5 *").1.contains("not closed"));
    assert!(refused("1. e4 ) e5 *").1.contains("not opened"));
}

#[test]
fn an_unclosed_comment_damages_only_its_own_game() {
    for comment in ["", "{ another }"] {
        let text = format!(
            "[Event \"A\"]\n\n1. e4 {{ open e5 *\n\n[Event \"B\"]\n\n1. d4 {comment} d5 *\n"
        );
        let found = games(&text);
        assert_eq!(found.len(), 2, "{comment}");
        let error = read(&found[0]).unwrap_err();
        assert_eq!((error.line(), error.to_string().contains("not closed")), (3, true));
        assert_eq!((found[1].line, read(&found[1]).unwrap().moves.len()), (5, 2));
    }
    let quoted = only("1. e4 {as in\n[Event \"A\"]\n[Event \"B\"] } e5 *");
    assert_eq!(quoted.moves.len(), 2, "a comment may quote tags");
}

#[test]
fn variations_are_read_up_to_a_nesting_depth_of_200() {
    let nested = |depth: usize| {
        let (open, close) = ("(1. d4 ".repeat(depth), ")".repeat(depth));
        format!("1. e4 {open}{close} e5 1-0")
    };
    let game = only(&nested(200));
    assert_eq!(write(&game).matches('(').count(), 200);
    for depth in [201, 100_000] {
        let text = format!("{}\n\n[Event \"next\"]\n\n1. d4 *", nested(depth));
        let found = games(&text);
        assert_eq!(found.len(), 2, "the next game is found");
        let error = read(&found[0]).unwrap_err();
        assert!(error.to_string().contains("nested more than 200 deep"), "{error}");
        assert!(read(&found[1]).is_ok());
    }
    let (line, message) = refused(&"(".repeat(200_000));
    assert!(line == 1 && message.contains("nested"), "{message}");
}

#[test]
fn chess960_is_read_and_other_variants_are_refused() {
    let game = only(
        "[Variant \"Fischerandom\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 \
         1\"]\n\n1. O-O O-O *",
    );
    assert!(game.start.castles().mode().is_chess960());
    assert_eq!(moves(&game), ["O-O", "O-O"]);
    let end = game.positions().pop().unwrap();
    assert!(format_fen(&end).starts_with("bqnbrrkn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRRKN w"));
    assert_eq!(
        refused("[Variant \"Crazyhouse\"]\n\n1. e4 *"),
        (1, "the tag Variant: \"Crazyhouse\" is not supported".into())
    );
    assert!(refused("[FEN \"nonsense\"]\n\n1. e4 *").1.starts_with("the tag FEN: \"nonsense\""));
}

#[test]
fn a_tag_with_a_placeholder_counts_as_missing() {
    let game = only("[White \"?\"]\n[Black \"B\"]\n[Date \"????.??.??\"]\n\n*");
    assert_eq!((game.tag("White"), game.tag("Date"), game.tag("Event")), (None, None, None));
    assert_eq!((game.player(Color::White), game.player(Color::Black)), ("White", "B"));
    assert_eq!(game.tags.len(), 3, "the tag is kept");
}

/// Games of random moves with random remarks.
fn any_game() -> impl Strategy<Value = AnnotatedGame> {
    let remark = prop_oneof![
        (1..140_u8).prop_map(Remark::Glyph),
        "[a-z(;\\[\"%.,1-8-]{1,9}( [A-Z)*!?]{1,5}){0,3}".prop_map(Remark::Comment),
    ];
    let step = (any::<prop::sample::Index>(), prop::collection::vec(remark, 0..3));
    let variation = prop::collection::vec(any::<prop::sample::Index>(), 1..4);
    let steps = prop::collection::vec((step, prop::option::of(variation)), 0..30);
    (steps, any::<bool>()).prop_map(|(steps, black_begins)| {
        let side = if black_begins { "b" } else { "w" };
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} KQkq - 0 1");
        let mut game = only(&format!("[FEN \"{fen}\"]\n\n*"));
        let mut chess = game.start.clone();
        for ((index, mut remarks), variation) in steps {
            let legal = chess.legal_moves();
            if legal.is_empty() {
                break;
            }
            if let Some(indices) = variation {
                remarks.push(Remark::Variation(random_line(&chess, &indices)));
            }
            let mv = *index.get(&legal);
            chess.play_unchecked(mv);
            game.moves.push(PlayedMove { mv, remarks });
        }
        game
    })
}

fn random_line(chess: &shakmaty::Chess, indices: &[prop::sample::Index]) -> Vec<Element> {
    let mut chess = chess.clone();
    let mut line = Vec::new();
    for index in indices {
        let legal = chess.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = *index.get(&legal);
        line.push(Element::Move(shakmaty::san::SanPlus::from_move_and_play_unchecked(
            &mut chess, mv,
        )));
    }
    line
}

proptest! {
    #[test]
    fn a_written_game_is_read_as_the_same_game(game in any_game()) {
        let again = only(&write(&game));
        prop_assert_eq!(moves(&again), moves(&game));
        for (played, written) in again.moves.iter().zip(&game.moves) {
            prop_assert_eq!(&played.remarks, &written.remarks);
        }
        prop_assert_eq!(&again.tags, &game.tags);
    }

    #[test]
    fn no_text_makes_the_reader_panic_or_lose_a_part(text in "[ -~\n{}()\\[\\]\";%e1-8NBRQK.!?$*\u{bd}]{0,200}") {
        let text = format!("1. e4 {text}");
        let sources = games(&text);
        for source in &sources {
            drop(read(source));
        }
        // No part of the file is lost between games, and no part belongs to two games.
        let mut rest = text.as_str();
        for source in &sources {
            let begin = rest.find(source.text).unwrap();
            prop_assert!(rest[..begin].lines().all(|line| line.trim().is_empty() || line.starts_with('%')));
            rest = &rest[begin + source.text.len()..];
        }
        prop_assert!(!sources.is_empty());
    }
}

#[test]
fn a_mark_after_a_move_does_not_hide_the_move() {
    let game = only(
        "1. e4 e5 2. Nf3+- Nf6+- 3. Bb5+- (3. Nc3+- Nc6 4. Nxe5+/- Qh4 5. Nxf7 Qxf2+) c6-+ 4. Nxe5= 1-0",
    );
    assert_eq!(moves(&game), ["e4", "e5", "Nf3", "Nf6", "Bb5", "c6", "Nxe5"]);
    assert!(write(&game).contains("(3. Nc3 Nc6 4. Nxe5 Qh4 5. Nxf7 Qxf2+)"), "{}", write(&game));
}

#[test]
fn text_after_a_tag_on_the_same_line_belongs_to_the_game() {
    let game =
        only("[White \"A]\"] [Black \"B\"] 1. e2-e4 {good\n} d7-d5 ; best by test\n2. Nf3 *");
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A]"), Some("B")));
    assert_eq!(moves(&game), ["e4", "d5", "Nf3"]);
    assert_eq!(game.moves[1].remarks, [comment("best by test")]);
    let two = "[Event \"x\"] 1. e4 e5 1-0 [Event \"y\"] 1. d4 d5 0-1";
    let counts: Vec<_> = games(two).iter().map(|game| read(game).unwrap().moves.len()).collect();
    assert_eq!(counts, [2, 2]);
}

#[test]
fn a_broken_tag_does_not_damage_moves_or_other_tags() {
    for broken in ["[Event \"a\" b]", "[Event \"a\"b\"]", "[Event \"a\"", "[Event \"a]", "[Event]"]
    {
        let game = only(&format!("{broken}\n[Black \"B\"]\n\n1. e4 e5 1-0"));
        assert_eq!((game.tag("Black"), game.moves.len()), (Some("B"), 2), "{broken}");
    }
    let nicknamed = only("[White \"Samuel \"Sammy\" Reshevsky\"]\n\n1. e4 *");
    assert_eq!(nicknamed.tag("White"), Some("Samuel \"Sammy\" Reshevsky"));
    let game = only("[Event \"a\\\\\"] [White \"A\\\"\\B\" 1. e4\n1... e5 *");
    assert_eq!((game.tag("Event"), game.tag("White")), (Some("a\\"), Some("A\"\\B")));
    assert_eq!(moves(&game), ["e4", "e5"]);
}

#[test]
fn a_comment_between_tags_belongs_to_their_game() {
    for between in
        ["\n; played at home\n", "\n{played at home}\n", " ; played at home\n", " {x}\n\n"]
    {
        let text = format!(
            "[Event \"a\"]\n[White \"Ann\"]{between}[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n"
        );
        let game = only(&text);
        assert_eq!((game.tag("White"), game.tag("Black")), (Some("Ann"), Some("Bob")), "{between}");
        assert_eq!((game.moves.len(), game.preface.len()), (1, 1), "{between}");
    }
    let games_of = |text: &str| games(text).iter().map(|game| game.tags.len()).collect::<Vec<_>>();
    assert_eq!(games_of("[White \"a\"]\n{lost}\n\n[Site \"b\"]\n[White \"c\"]\n\n1. e4 *"), [1, 2]);
    assert_eq!(games_of("[White \"a\"]\n{lost}\n\n[Event \"b\"]\n[Site \"c\"]\n\n1. e4 *"), [1, 2]);
}

#[test]
fn a_second_event_tag_begins_another_game() {
    let text = "[Evn\n[Event \"a\"]\n[Event\"b\"]\n[[Event \"c\"]\n[ [Site \"d\"]\n\n1. e4 *";
    let read: Vec<AnnotatedGame> = games(text).iter().map(|source| read(source).unwrap()).collect();
    let events: Vec<_> = read.iter().map(|game| game.tag("Event")).collect();
    assert_eq!(events, [Some("a"), Some("b"), Some("c")]);
    assert_eq!((read[2].tag("Site"), read[2].moves.len()), (Some("d"), 1));
    for game in &read {
        assert_eq!(write(&only(&write(game))), write(game));
    }
}

#[test]
fn a_null_move_in_a_variation_is_kept() {
    let text = "1. e4 e5 2. Nf3 (2. Nc3 -- 3. f4 exf4) 2... Nc6 *";
    assert!(write(&only(text)).contains("(2. Nc3 -- 3. f4 exf4)"), "{}", write(&only(text)));
}

#[test]
fn en_passant_marks_and_spellings_of_results_are_read() {
    let game = only("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 1/2");
    assert_eq!(moves(&game).last().map(String::as_str), Some("cxd6"));
    assert_eq!(game.result, "1/2-1/2");
    assert_eq!(only("1. e4 e5 1/2 - 1/2").result, "1/2-1/2");
    assert_eq!(only("1. e4 e5 0 - 1 {flag}").result, "0-1");
}

#[test]
fn plain_words_are_not_a_game() {
    assert!(games("hello world\n").is_empty());
    let text = "1. d4 d5 1/2-1/2 Draw agreed\n\n1. e4 1-0 Black resigns. 1. c4 *";
    let read: Vec<AnnotatedGame> = games(text).iter().map(|source| read(source).unwrap()).collect();
    assert_eq!(read.len(), 3);
    assert_eq!(read[0].moves[1].remarks, [comment("Draw"), comment("agreed")]);
    assert_eq!(read[1].moves[0].remarks, [comment("Black"), comment("resigns")]);
}

#[test]
fn a_null_move_ends_the_played_moves_and_the_rest_is_kept() {
    let text = "1. e4 e5 2. -- { a threat } Nc6 (2... d6 3. d4) 3. Nf3 $1 *";
    let game = only(text);
    assert_eq!(moves(&game), ["e4", "e5"]);
    assert_eq!(write(&game).trim(), text.replace("} Nc6", "} 2... Nc6"));
    assert_eq!(write(&only(&write(&game))), write(&game));
    assert_eq!(only("1. -- e5 *").moves.len(), 0);
}

#[test]
fn a_written_tag_is_one_line_also_if_its_value_has_line_breaks() {
    let mut game = only("[White \"A\"]\n\n1. e4 *");
    game.set_tag("Date", "2026\r\n1. e4".to_owned());
    let text = write(&game);
    assert!(text.contains("[White \"A\"]\n[Date \"2026  1. e4\"]\n\n"), "{text}");
}
