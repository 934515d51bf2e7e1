//! Machine verdicts in comments: sentences and scores that chess programs write about moves.
//!
//! The forms are those of lichess.org, chess.com, ChessBase and Fritz, Scid, Lucas Chess, and of this
//! program. Each form has something that people do not write, such as two scores with an arrow between
//! them; other text in the same comment is kept.

use std::sync::LazyLock;

use regex::Regex;

use super::comment::EngineNote;

/// A machine's text in a comment, and the rest of the comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MachineText {
    /// Kind of the text.
    pub kind: MachineKind,
    /// This program, too, writes sentences of this form.
    pub may_be_own: bool,
    /// The comment without the machine's text.
    pub rest: String,
}

/// Kinds of machine texts about a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MachineKind {
    /// A sentence that judges the move.
    Verdict {
        /// Glyphs that the program gives such a move.
        glyphs: &'static [u8],
        /// The better move, if the sentence names it.
        best: Option<String>,
    },
    /// A score with the name of the engine.
    NamedScore,
    /// A score alone.
    Score,
}

/// Glyphs of faults.
pub(crate) const FAULTS: &[u8] = &[2, 4, 6];

/// Start of the command with which chess.com draws the sign of its verdict.
pub(crate) const PICTURE: &str = "[%c_effect";

/// A score: `+0.35`, `-1,20`, `#-3`, `M5`, `Mate in 2`.
const SCORE: &str = "(?:[-+−±]?[0-9]+[.,][0-9]+|[-+−]?(?:#|M)[-+−]?[0-9]+|-?[♔♚]? ?Mate in [0-9]+)";

/// A move in standard algebraic notation.
const MOVE: &str = "(?:[KQRBNa-h][a-h1-8x=+#QRBN]*|O-O(?:-O)?[+#]?)";

/// The reasons that this program adds to its sentences.
const REASON: &str = "(?: (?:It (?:stalemates|allows|misses|leaves|loses|puts|gives|does not recapture)|The king leaves)[^.]*\\.)?";

/// Names of engines, for comments to which a program appends a score.
const ENGINE: &str = "(?:Stockfish|Komodo|Dragon|Houdini|Fritz|Rybka|Lc0|Leela|Toga|Phalanx|Scidlet|\
                      Crafty|Fruit|Berserk|Ethereal|Hiarcs|Junior|Shredder|Outrider)";

/// Compiles a pattern in which `<score>`, `<move>`, `<reason>` and `<engine>` stand for those above.
fn pattern(text: &str) -> Regex {
    let parts = [("<score>", SCORE), ("<move>", MOVE), ("<reason>", REASON), ("<engine>", ENGINE)];
    let text = parts.iter().fold(text.to_owned(), |text, (name, part)| text.replace(name, part));
    Regex::new(&text).expect("the patterns are constants, which the tests compile")
}

/// Two scores and a sentence of lichess.org; the better move was named in several ways over the years.
static SCORES_AND_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "\\(<score> (?:→|->) <score>\\) *(?P<kind>Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable\
         |Lost forced checkmate sequence|Not the best checkmate sequence)\\.\
         (?: (?:(?:The )?[Bb]est move was (?P<best><move>)|(?P<was><move>) was best)\\.)?",
    )
});

/// The sentence without scores, as in studies of lichess.org and in games of this program.
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "(?P<kind>Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|Lost forced checkmate sequence\
         |Not the best checkmate sequence|Misses a win)(?:, (?:a win|mate in [0-9]+) missed)?\\. \
         (?:(?:The )?[Bb]est move was (?P<best><move>)|(?P<was><move>) was best)\\.<reason>",
    )
});

/// This program's sentence about a missed mate.
static MISSED_MATE: LazyLock<Regex> =
    LazyLock::new(|| pattern("(?P<kind>Misses mate in [0-9]+): (?P<best><move>)\\."));

/// A verdict of chess.com in capital letters, with its score and a stock sentence.
static CAPITALS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "(?-u:\\b)(?P<kind>INACCURACY|MISTAKE|BLUNDER|MISSED WIN|MISSED MATE|MISS|EXCELLENT|GOOD|BEST|GREAT\
         |BRILLIANT|BOOK|FORCED)(?: MOVE)? *\\(<score>\\)(?: [A-Z][^.!?\\[\\]{}]*[.!?])?",
    )
});

/// The start of a better line of chess.com.
static BETTER_LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern("^\\(<score>\\) (?:The best move was|Checkmate after)$"));

/// A blunder check of Scid.
static BLUNDER_CHECK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "(?:[A-Z][A-Za-z0-9 .]*: )?(?P<kind>Analysis reports blunder), with score change from/to: *\
         <score> / <score>",
    )
});

/// A score with the name of its engine: of Scid `Stockfish 15: +0.35` or `[Stockfish 15] 20:+0.35`, of
/// Lucas Chess `+0.35/20 Stockfish 15 Second(s) 3`.
static NAMED_SCORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "(?: ?(?:^[A-Z][A-Za-z]+ [0-9][0-9.]*|(?-u:\\b)<engine>[A-Za-z0-9 .]*) ?: ?<score>(?: \\(<score>\\))?$\
         |^\\[[^%\\]][^\\]]*\\] [0-9]+:<score>$\
         |^<score>(?:/[0-9]+)? [A-Z][A-Za-z0-9 .-]* (?:Second\\(s\\)|Depth) [0-9.]+$)",
    )
});

/// A score as the whole comment: `+0.35/20` of ChessBase, `+0.35` or `(+0.35)` of Scid.
static SCORE_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^(?:<score> ?/ ?[0-9]+|\\(?(?:[-+−][0-9]+[.,][0-9]+|0[.,]00|[-+−]?(?:#|M)[-+−]?[0-9]+)\\)?\
         |[0-9]+:<score>|<score> \\(<score>\\))$",
    )
});

/// Finds the text that a program wrote into a comment. Notes of match runners, such as `+0.13/12 0.29s`,
/// are data of the game and are not found.
pub(crate) fn machine_text(comment: &str) -> Option<MachineText> {
    if EngineNote::read(comment).is_some() {
        return None;
    }
    sentence(comment).or_else(|| {
        let (commands, text) = split_commands(comment);
        let text = text.trim();
        let kind = if NAMED_SCORE.is_match(text) {
            MachineKind::NamedScore
        } else if BETTER_LINE.is_match(text) || SCORE_ALONE.is_match(text) {
            MachineKind::Score
        } else {
            return None;
        };
        let kept =
            if kind == MachineKind::NamedScore { NAMED_SCORE.replace(text, "") } else { "".into() };
        let rest = format!("{commands} {kept}").trim().to_owned();
        Some(MachineText { kind, may_be_own: false, rest })
    })
}

/// Finds a sentence that judges a move.
fn sentence(comment: &str) -> Option<MachineText> {
    let own = [&SENTENCE, &MISSED_MATE].map(|pattern| (pattern, true));
    let others = [&SCORES_AND_SENTENCE, &CAPITALS, &BLUNDER_CHECK].map(|pattern| (pattern, false));
    // The forms with scores come first: the sentence alone would leave the scores.
    let mut patterns = others.into_iter().chain(own);
    let (found, may_be_own) =
        patterns.find_map(|(pattern, is_own)| Some((pattern.captures(comment)?, is_own)))?;
    let whole = found.get(0)?.range();
    let best = found.name("best").or_else(|| found.name("was"));
    let [before, after] = [&comment[..whole.start], &comment[whole.end..]].map(str::trim);
    let rest = format!("{before} {after}").trim().to_owned();
    let kind = MachineKind::Verdict {
        glyphs: glyphs(found.name("kind").map_or("", |kind| kind.as_str())),
        best: best.map(|best| best.as_str().to_owned()),
    };
    Some(MachineText { kind, may_be_own, rest })
}

/// Returns the glyphs that programs give a move with this verdict.
fn glyphs(kind: &str) -> &'static [u8] {
    match kind {
        "Inaccuracy" | "INACCURACY" => &[6],
        "Mistake" | "MISTAKE" => &[2],
        "Blunder" | "BLUNDER" => &[4],
        "BRILLIANT" => &[3],
        "GREAT" => &[1],
        "EXCELLENT" | "GOOD" | "BEST" | "BOOK" | "FORCED" => &[],
        _ if kind.starts_with("Misses") => &[],
        _ => FAULTS,
    }
}

/// Separates the commands (`[%...]`) of a comment from its text.
fn split_commands(comment: &str) -> (String, String) {
    let (mut commands, mut text, mut rest) = (Vec::new(), String::new(), comment);
    while let Some(begin) = rest.find("[%") {
        let end = rest[begin..].find(']').map_or(rest.len(), |length| begin + length + 1);
        text.push_str(&rest[..begin]);
        commands.push(&rest[begin..end]);
        rest = &rest[end..];
    }
    (commands.join(" "), text + rest)
}

/// Removes the evaluations among the commands of a comment: `[%eval]`, ChessBase's profile of a game
/// `[%evp]`, and chess.com's pictures of its verdicts `[%c_effect]`.
pub(crate) fn without_evaluations(comment: &str) -> String {
    let mut text = comment.to_owned();
    for name in ["[%eval", "[%evp", PICTURE] {
        while let Some(begin) = text.find(name) {
            let end = text[begin..].find(']').map_or(text.len(), |length| begin + length + 1);
            text.replace_range(begin..end, "");
        }
    }
    text.trim().to_owned()
}

/// Returns true if a comment is only a sign that evaluates the position, such as `±`.
pub(crate) fn is_evaluation_sign(comment: &str) -> bool {
    let signs = [
        "=", "∞", "⩲", "⩱", "±", "∓", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "+−",
        "−+", "+–", "–+",
    ];
    comment.split_whitespace().all(|word| signs.contains(&word)) && !comment.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind and the rest of a comment.
    fn found(comment: &str) -> Option<(MachineKind, String)> {
        machine_text(comment).map(|found| (found.kind, found.rest))
    }

    fn verdict(glyphs: &'static [u8], best: &str, rest: &str) -> Option<(MachineKind, String)> {
        let best = (!best.is_empty()).then(|| best.to_owned());
        Some((MachineKind::Verdict { glyphs, best }, rest.to_owned()))
    }

    #[test]
    fn verdicts_of_lichess_are_recognised() {
        for (comment, glyphs, best) in [
            ("(0.36 → 0.92) Inaccuracy. c5 was best.", &[6][..], "c5"),
            ("(0.25 → 1.60) Mistake. O-O-O+ was best.", &[2], "O-O-O+"),
            ("(-0.10 → #1) Checkmate is now unavoidable. g6 was best.", FAULTS, "g6"),
            ("(0.00 → Mate in 1) Checkmate is now unavoidable. Rb2 was best.", FAULTS, "Rb2"),
            ("(Mate in 8 → -7.64) Lost forced checkmate sequence. Nd2 was best.", FAULTS, "Nd2"),
            ("(0.36 → 0.92) Blunder. Best move was exd8=Q+.", &[4], "exd8=Q+"),
            ("Blunder. The best move was Qxh7#.", &[4], "Qxh7#"),
            ("Mistake. N1xd4 was best.", &[2], "N1xd4"),
            ("Lost forced checkmate sequence. Qh7# was best.", FAULTS, "Qh7#"),
        ] {
            assert_eq!(found(comment), verdict(glyphs, best, ""), "{comment}");
        }
    }

    #[test]
    fn verdicts_of_chess_com_are_recognised() {
        assert_eq!(found("MISTAKE (+3.05) Critical mistake."), verdict(&[2], "", ""));
        assert_eq!(found("BLUNDER (♚ Mate in 1)"), verdict(&[4], "", ""));
        assert_eq!(found("BRILLIANT (-0.12)"), verdict(&[3], "", ""));
        assert_eq!(found("BEST MOVE (+0.20)"), verdict(&[], "", ""));
        assert_eq!(found("MISSED WIN (+0.55)"), verdict(FAULTS, "", ""));
        let line = Some((MachineKind::Score, String::new()));
        assert_eq!(found("(+1.06) The best move was"), line);
        assert_eq!(found("(♔ Mate in 2) Checkmate after"), line);
        let effect = "[%c_effect g6;square;g6;type;Mistake] mine [%clk 0:01:00]";
        assert_eq!(without_evaluations(effect), "mine [%clk 0:01:00]");
    }

    #[test]
    fn scores_of_chessbase_scid_and_lucas_chess_are_recognised() {
        for score in
            ["+0.35/20", "0.35/9", "-1,20/14", "+0.35", "(-0.35)", "0.00", "#-3", "+M5", "14:+0.35"]
        {
            assert_eq!(found(score), Some((MachineKind::Score, String::new())), "{score}");
        }
        for score in [
            "Stockfish 15: +0.35",
            "Stockfish 15.1: +1.20 (+0.35)",
            "[Stockfish 15] 20:+0.35",
            "+0.35/20 Stockfish 17 Depth 20",
            "-0.12 Komodo 14 Second(s) 3",
        ] {
            assert_eq!(found(score), Some((MachineKind::NamedScore, String::new())), "{score}");
        }
        let blunder =
            "Stockfish 15: Analysis reports blunder, with score change from/to:  +0.10 / +2.30";
        assert_eq!(found(blunder), verdict(FAULTS, "", ""));
    }

    #[test]
    fn sentences_of_this_program_are_recognised_with_their_reasons() {
        for (comment, glyphs, best) in [
            ("Blunder. Bd7 was best. It allows the fork Nc2+ of king and rook.", &[4][..], "Bd7"),
            ("Blunder. Kc5 was best. The king leaves the square of the pawn on a4.", &[4], "Kc5"),
            ("Mistake, a win missed. Qh5+ was best.", &[2], "Qh5+"),
            ("Blunder, mate in 2 missed. Qh5+ was best.", &[4], "Qh5+"),
            ("Misses mate in 1: Ra8#.", &[], "Ra8#"),
            ("Misses a win. Qe7 was best.", &[], "Qe7"),
        ] {
            assert_eq!(found(comment), verdict(glyphs, best, ""), "{comment}");
        }
    }

    #[test]
    fn what_people_wrote_and_clocks_are_kept() {
        let comment = "[%clk 0:01:00] (0.36 → 0.92) Inaccuracy. c5 was best. I was tired.";
        assert_eq!(found(comment), verdict(&[6], "c5", "[%clk 0:01:00] I was tired."));
        assert_eq!(
            found("a new idea Stockfish 15: +0.35"),
            Some((MachineKind::NamedScore, "a new idea".to_owned()))
        );
        assert_eq!(
            found("[%clk 0:01:00] +0.35/20"),
            Some((MachineKind::Score, "[%clk 0:01:00]".to_owned()))
        );
        for other in [
            "Mistake. I should have castled.",
            "A blunder. I was tired",
            "Nf6 was best.",
            "+0.13/12 0.29s",
            "+0.13/12 0.29s, White mates",
            "book",
            "+1 pawn",
            "1.5 minutes left",
            "White is better: +0.35",
            "Mate in 2",
            "2.5",
            "[%clk 0:01:00]",
            "GOOD",
            "",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn evaluation_signs_are_recognised() {
        assert!(["±", "=", "+/-", "= +- -+"].into_iter().all(is_evaluation_sign));
        assert!(!["", "± better", "N", "□"].into_iter().any(is_evaluation_sign));
    }
}
