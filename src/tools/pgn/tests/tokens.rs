//! Tokens end where the standard says (section 7), with or without a blank.

use super::*;

/// Returns the moves with their remarks in a short form: glyphs as `$1`, comments as `{text}`, variations
/// as `(text)`.
fn outline(game: &AnnotatedGame) -> String {
    let mut words: Vec<String> = game.preface.iter().map(short).collect();
    for (name, played) in moves(game).into_iter().zip(&game.moves) {
        words.push(name);
        words.extend(played.remarks.iter().map(short));
    }
    words.push(game.result.clone());
    words.join(" ")
}

fn short(remark: &Remark) -> String {
    match remark {
        Remark::Glyph(glyph) => format!("${glyph}"),
        Remark::Comment(text) => format!("{{{text}}}"),
        Remark::Variation(elements) => {
            let words: Vec<String> = elements
                .iter()
                .map(|element| match element {
                    Element::Move(san) => san.to_string(),
                    Element::Remark(remark) => short(remark),
                })
                .collect();
            format!("({})", words.join(" "))
        }
    }
}

#[test]
fn self_terminating_tokens_need_no_blank_around_them() {
    let cases = [
        // All at once.
        ("1.e4(1.d4)e5{x}2.Nf3$1Nc6*", "e4 (d4) e5 {x} Nf3 $1 Nc6 *"),
        // A full stop, also after a move and several in a row.
        ("1.e4.e5.2....Nf3 *", "e4 e5 Nf3 *"),
        ("1.e4 1...e5 2.Nf3 2. ... Nc6 *", "e4 e5 Nf3 Nc6 *"),
        // The asterisk ends the game.
        ("1.e4 e5*", "e4 e5 *"),
        ("1.e4{good}*", "e4 {good} *"),
        ("1.e4$2*", "e4 $2 *"),
        ("1.e4 (1.d4*) e5 1-0", "e4 (d4) e5 1-0"),
        // Parentheses.
        ("1.e4(1.d4 d5(1...Nf6)2.c4)(1.c4)e5 *", "e4 (d4 d5 (Nf6) c4) (c4) e5 *"),
        ("1.e4((1.d4))e5 *", "e4 ((d4)) e5 *"),
        // Braces.
        ("{a}1.e4{b}{c}e5{d}1-0", "{a} e4 {b} {c} e5 {d} 1-0"),
        ("1.e4}e5 *", "e4 e5 *"),
        // Glyphs: numbers, marks, and a sign without a number.
        ("1.e4$6e5$10$14 2.Nf3$1Nc6 *", "e4 $6 e5 $10 $14 Nf3 $1 Nc6 *"),
        ("1.e4$e5$ *", "e4 e5 *"),
        ("1.e4!e5?2.Nf3!!Nc6??3.Bb5!?a6?!*", "e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 *"),
        // Comments to the end of the line.
        ("1.e4;best { by ( test\ne5 *", "e4 {best { by ( test} e5 *"),
        ("1.e4{x};y\ne5;z", "e4 {x} {y} e5 {z} *"),
        // A string is a comment; a single quote is nothing.
        ("1.e4\"a novelty 1. d4\"e5 *", "e4 {a novelty 1. d4} e5 *"),
        ("1.e4\"e5 *", "e4 e5 *"),
        // Angle brackets are reserved; they end a token, and nothing of them is lost.
        ("1.e4<e5> 2.Nf3 *", "e4 {<} e5 {>} Nf3 *"),
        ("1.e4 -> e5 *", "e4 {-} {>} e5 *"),
        // A bracket that closes nothing.
        ("1.e4]e5 *", "e4 e5 *"),
        // Results after a move; a symbol has no end there, but it can be read in one way only.
        ("1.e4 e5 2.Nf3{!}1-0", "e4 e5 Nf3 {!} 1-0"),
        ("1.f3 e5 2.g4 Qh4#0-1", "f3 e5 g4 Qh4# 0-1"),
        ("1.e4 e51/2-1/2", "e4 e5 1/2-1/2"),
        // Numbers without a full stop, and moves right after them.
        ("1 e4 e5 2 Nf3 *", "e4 e5 Nf3 *"),
        ("1e4 1e5 2Nf3 *", "e4 e5 Nf3 *"),
    ];
    for (text, expected) in cases {
        assert_eq!(outline(&only(text)), expected, "{text}");
    }
}

#[test]
fn a_tag_right_after_the_moves_begins_the_next_game() {
    let text = "1.e4 e5*[Event \"b\"]1.d4*[Event \"c\"]{x}1.c4 c5 1-0";
    let outlines: Vec<_> = games(text).iter().map(|game| outline(&read(game).unwrap())).collect();
    assert_eq!(outlines, ["e4 e5 *", "d4 *", "{x} c4 c5 1-0"]);
}

#[test]
fn a_percent_sign_hides_a_line_only_at_its_start() {
    let game = only("%hidden\n1.e4\n%1... c5\n e5\n{%kept}\n2.Nf3;%kept too\n%\n*");
    assert_eq!(outline(&game), "e4 e5 {%kept} Nf3 {%kept too} *");
    assert_eq!(refused("1.e4\n %e5 *"), (2, "\"%e5\" is not a move".to_owned()));
}

#[test]
fn byte_order_marks_and_ends_of_files_inside_a_file_are_blanks() {
    for mark in ['\u{feff}', '\u{1a}'] {
        let text = format!(
            "{mark}[Event \"a\"]\n\n1.e4{mark}e5 *\n\n{mark}[Event \"b\"]\n{mark}[White \"W\"]\n\n\
             1.d4 *\n{mark}%hidden\n{mark}{mark}1.c4 *{mark}"
        );
        let read: Vec<_> = games(&text).iter().map(|game| read(game).unwrap()).collect();
        let outlines: Vec<_> = read.iter().map(outline).collect();
        assert_eq!(outlines, ["e4 e5 *", "d4 *", "c4 *"]);
        assert_eq!((read[1].tag("Event"), read[1].tag("White")), (Some("b"), Some("W")));
    }
}

#[test]
fn a_game_without_an_end_is_an_error() {
    let (line, message) = refused(&"Nf3 Nf6 Ng1 Ng8\n".repeat(260_000));
    assert_eq!((line, &*message), (250_001, "the game has more than 1000000 moves and remarks"));
}

/// Returns movetext without the blanks that the standard does not require.
fn tight(text: &str) -> String {
    let mut tight = String::new();
    let mut is_comment = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        is_comment = (is_comment || c == '{') && c != '}';
        let is_needed = is_comment
            || !tight.ends_with(['(', ')', '{', '}', '.', '*'])
                && chars.peek().is_some_and(|next| !"(){}*.$".contains(*next));
        if !c.is_whitespace() || is_needed {
            tight.push(c);
        }
    }
    tight
}

proptest! {
    #[test]
    fn a_game_without_optional_blanks_is_the_same_game(game in any_game()) {
        let text = write(&game);
        let (tags, movetext) = text.split_once("\n\n").unwrap();
        let tight = tight(movetext);
        let again = only(&format!("{tags}\n\n{tight}"));
        prop_assert_eq!(outline(&again), outline(&game), "{}", tight);
        prop_assert_eq!(again.wrong_number, None);
    }
}
