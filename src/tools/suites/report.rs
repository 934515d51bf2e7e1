//! The report of a run as an HTML page: results by theme, and a diagram of each position.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value as Json, json};
use shakmaty::{Move, Position as _};

use super::exercise::Exercise;
use super::file::SuiteEntry;
use super::record::milliseconds;
use super::results::UnreadableRecord;
use super::solve::{Answer, RunSettings};
use super::solved::SolvedSuite;
use super::summary::SuiteSummary;
use crate::modules;
use crate::pages::board::{arrow, placement};
use crate::pages::{Module, Page, escape, fill, script};
use crate::score_record::ScoreRecord;
use outrider_engine::position::notation::format_fen;
use outrider_engine::position::san::format_san;

const CONTENT: &str = include_str!("report.html");
pub(super) const STYLE: &str = include_str!("report.css");

/// Dialog shared by the pages of suites, which shows a board large.
pub(super) const ENLARGE: &str = include_str!("enlarge.html");
/// Script of the table and the dialog of these pages.
pub(super) const TABLE: Module = modules!("tools/suites", ["table.js"])[0];

/// Creates the page of a run. `unreadable` has the files that could not be read.
pub fn report(
    settings: &RunSettings,
    solved: &[SolvedSuite<'_>],
    unreadable: &[UnreadableRecord],
) -> String {
    let all = || {
        solved.iter().flat_map(|solved| {
            let name = solved.suite.name();
            solved.answered().map(move |answered| (name.clone(), answered))
        })
    };
    let total = SolvedSuite::total(solved);
    let names: Vec<_> =
        solved.iter().map(|solved| file_name(&solved.suite.name()).to_owned()).collect();
    let rows: String = (0..)
        .zip(all())
        .map(|(index, (file, (entry, answer)))| row(index, &file, entry, answer))
        .collect();
    let title = names.join(", ");
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("total", &figures(&total)),
            ("settings", &escape(&conditions(settings))),
            ("groups", &groups(solved)),
            ("positions", &(total.positions + total.evaluated).to_string()),
            ("rows", &rows),
            ("problems", &problems(solved, unreadable)),
            ("enlarge", ENLARGE),
        ],
    );
    let [report] = modules!("tools/suites", ["report.js"]);
    let page = Page {
        title: &title,
        class: if total.most_points > 0 { "" } else { "without-points" },
        style: STYLE,
        content: &content,
        data: all().map(|(_, (entry, answer))| board(&entry.exercise, answer)).collect(),
        script: &script("tools/suites/report.js", &[TABLE, report]),
        has_boards: true,
    };
    page.to_html()
}

/// Returns the last component of a path, on any system.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Creates a figure at the top, with its label.
pub(super) fn figure(figure: &str, words: &str) -> String {
    format!("<div><b>{figure}</b><span class=\"note\">{words}</span></div>\n")
}

/// Creates the figures at the top.
fn figures(total: &SuiteSummary) -> String {
    let SuiteSummary { positions, evaluated, solved, points, most_points, .. } = total;
    let mut figures = String::new();
    if *positions > 0 || *evaluated == 0 {
        let words = format!("{solved} of {positions} solved");
        figures += &figure(&format!("{:.1} %", total.percent()), &words);
    }
    if *evaluated > 0 {
        figures += &figure(&evaluated.to_string(), "only evaluated");
    }
    if *most_points > 0 {
        let share = 100.0 * *points as f64 / *most_points as f64;
        figures += &figure(&format!("{share:.1} %"), &format!("{points} of {most_points} points"));
    }
    if let Some(mean) = total.mean_time() {
        figures += &figure(&time(mean), "mean time to the solution");
    }
    figures
}

/// Describes the engine and its settings.
fn conditions(settings: &RunSettings) -> String {
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let commit = match settings.commit.as_str() {
        "" => String::new(),
        commit => format!(" ({commit})"),
    };
    format!(
        "{}{commit}, {}, {} per position, {} MB hash table, {} at a time",
        settings.engine,
        settings.limit,
        plural(settings.threads, "thread"),
        settings.table_megabytes,
        plural(settings.jobs, "position")
    )
}

/// Creates the lists of suites and themes, each entry with its percentage as a bar.
fn groups(solved: &[SolvedSuite<'_>]) -> String {
    // Number of suites that have a theme.
    let mut suites_with: HashMap<&str, usize> = HashMap::new();
    for (theme, _) in solved.iter().flat_map(|solved| solved.themes.iter()) {
        *suites_with.entry(theme).or_default() += 1;
    }
    let (mut suites, mut themes) = (Vec::new(), Vec::new());
    for SolvedSuite { suite, summary, themes: own, .. } in solved {
        let file = suite.name();
        suites.push(bar("file", &file, file_name(&file), summary));
        for (theme, summary) in own.iter() {
            let label = match suites_with[theme.as_str()] {
                1 => theme.clone(),
                _ => format!("{theme}, {}", file_name(&file)),
            };
            themes.push(bar("theme", &theme_of(&file, theme), &label, summary));
        }
    }
    group("Suites", &suites) + &group("Themes", &themes)
}

/// Returns a name of a theme that is unique over all files.
fn theme_of(file: &str, theme: &str) -> String {
    format!("{file}: {theme}")
}

/// Creates a list. It is left out if it has only one bar, which would repeat the figures at the top.
fn group(title: &str, bars: &[String]) -> String {
    if bars.len() < 2 {
        return String::new();
    }
    let bars = bars.concat();
    format!("<section class=\"card group\">\n<h2>{title}</h2>\n<ul>\n{bars}</ul>\n</section>\n")
}

/// Creates an entry of a list. A click shows only the positions whose attribute `kind` is `name`.
fn bar(kind: &str, name: &str, label: &str, summary: &SuiteSummary) -> String {
    let SuiteSummary { positions, solved, points, most_points, evaluated, .. } = summary;
    let percent = summary.percent();
    let (share, solved) = match positions {
        0 => (String::new(), format!("{evaluated} only evaluated")),
        _ => (format!("{percent:.0} %"), format!("{solved} of {positions}")),
    };
    let points = match most_points {
        0 => String::new(),
        most => format!(", {:.0} % of the points", 100.0 * *points as f64 / *most as f64),
    };
    let mean = summary.mean_time().map(|mean| format!(", {}", time(mean)));
    format!(
        r#"<li><button type="button" data-kind="{kind}" data-name="{name}" aria-pressed="false"><span class="label">{label}</span><span class="track"><span style="width:{percent:.1}%"></span></span><span class="share">{share}</span><span class="note">{solved}{points}{mean}</span></button></li>
"#,
        name = escape(name),
        // A line may break after each part of a name.
        label = escape(label).replace('/', "/<wbr/>"),
        mean = mean.unwrap_or_default(),
    )
}

/// Creates the row of a position.
fn row(index: usize, file: &str, entry: &SuiteEntry, answer: &Answer) -> String {
    let exercise = &entry.exercise;
    let name = escape(&entry.name());
    let found = answer.verdict.found;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let points = (exercise.most_points() > 0).then_some(answer.verdict.points);
    format!(
        r#"<tr data-name="{name}" data-file="{file}" data-theme="{theme}" data-solved="{solved}" data-time="{time}" data-depth="{depth}" data-points="{points}">{picture}{cells}</tr>
"#,
        theme = escape(&theme_of(file, exercise.theme().unwrap_or_default())),
        file = escape(file),
        solved =
            answer.verdict.solved.map(|solved| u8::from(solved).to_string()).unwrap_or_default(),
        time = number(found.map(|found| milliseconds(found.elapsed))),
        depth = number(found.map(|found| found.depth.plies().into())),
        points = number(points.map(f64::from)),
        picture = picture(&name, &format_fen(&exercise.chess), index),
        cells = cells(entry, answer),
    )
}

/// Creates a cell of a row. On narrow screens the label is shown in the cell.
pub(super) fn cell(class: &str, label: &str, content: &str) -> String {
    format!(r#"<td class="{class}" data-label="{label}">{content}</td>"#)
}

/// Creates the cell with the diagram of a position. `index` is the index of the board in the page's
/// data, and `name` is already escaped.
pub(super) fn picture(name: &str, fen: &str, index: usize) -> String {
    format!(
        r#"<td class="picture"><button type="button" title="Enlarge {name}"><svg class="board" viewBox="0 0 800 800" data-fen="{}" data-board="{index}"></svg></button></td>"#,
        escape(fen)
    )
}

/// Creates the cells of a position's row, except for the diagram.
fn cells(entry: &SuiteEntry, answer: &Answer) -> String {
    let exercise = &entry.exercise;
    let chess = &exercise.chess;
    let (verdict, most_points) = (&answer.verdict, entry.exercise.most_points());
    let word = verdict.word();
    let played = answer.played.map_or("none".to_owned(), |mv| format_san(chess, mv));
    let side = chess.turn().fold_wb("White to move", "Black to move");
    let note = entry.exercise.theme().map(|theme| format!("{theme} · ")).unwrap_or_default();
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let score = ScoreRecord::from(answer.score);
    let name = format!(
        "<b>{}</b><span class=\"note\">{}{side}</span>",
        escape(&entry.name()),
        escape(&note)
    );
    // The line is what is wanted of a position that is only evaluated.
    let line = match verdict.solved {
        None => format!(" {}", escape(&exercise.line_names(&answer.line).join(" "))),
        Some(_) => String::new(),
    };
    let points = match most_points {
        0 => String::new(),
        most => format!("{} of {most}", verdict.points),
    };
    let cells = [
        cell("name", "", &name),
        cell("verdict", "", &format!("<span class=\"{word}\">{word}</span>")),
        cell("wanted", "expected", &escape(&or_dash(wanted(&entry.exercise)))),
        cell(
            "played",
            "chosen",
            &format!("{} <span class=\"note\">{score}{line}</span>", escape(&played)),
        ),
        cell("number", "time", &or_dash(verdict.found.map(|found| time(found.elapsed)))),
        cell(
            "number",
            "depth",
            &or_dash(verdict.found.map(|found| found.depth.plies().to_string())),
        ),
        cell("number points", "points", &points),
    ];
    cells.concat()
}

/// Describes the expected answer in words, if there is one.
fn wanted(exercise: &Exercise) -> Option<String> {
    let moves = |before: &str, moves: &[Move], between: &str| {
        (!moves.is_empty()).then(|| format!("{before}{}", exercise.names(moves).join(between)))
    };
    let mate = exercise.mate.map(|moves| match moves {
        1.. => format!("mate in {moves}"),
        _ => format!("mated in {}", -moves),
    });
    let parts = [moves("", &exercise.best, " or "), moves("not ", &exercise.avoid, " nor "), mate];
    let wanted = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    exercise.has_condition().then_some(wanted)
}

/// Creates the data of a diagram: the pieces, with the side to move at the bottom, and arrows for the
/// expected moves and for the move played if it is another one.
fn board(exercise: &Exercise, answer: &Answer) -> Json {
    let mut arrows: Vec<_> = exercise.best.iter().map(|&mv| arrow(mv, "good")).collect();
    if let Some(mv) = answer.played
        && !exercise.best.contains(&mv)
    {
        arrows.push(arrow(mv, if answer.verdict.solved == Some(false) { "bad" } else { "good" }));
    }
    json!({
        "placement": placement(&exercise.chess),
        "flipped": exercise.chess.turn().is_black(),
        "arrows": arrows,
    })
}

/// Formats a time in milliseconds or seconds.
fn time(time: Duration) -> String {
    match milliseconds(time) {
        milliseconds @ ..9.95 => format!("{milliseconds:.1} ms"),
        milliseconds @ ..999.5 => format!("{milliseconds:.0} ms"),
        milliseconds => format!("{:.2} s", milliseconds / 1000.0),
    }
}

/// Lists the lines, parts of lines and files that could not be read.
fn problems(solved: &[SolvedSuite<'_>], unreadable: &[UnreadableRecord]) -> String {
    let lines = solved.iter().flat_map(|SolvedSuite { suite, .. }| {
        let name = suite.name();
        let broken = suite.broken.iter().map(|line| (line.line, line.reason.to_string()));
        let skipped = suite.skipped().into_iter().map(|parts| (parts.line, parts.to_string()));
        broken.chain(skipped).map(move |(line, reason)| format!("{name}:{line}: {reason}"))
    });
    let files = unreadable.iter().map(|file| format!("{}: {}", file.file, file.reason));
    let items: String =
        lines.chain(files).map(|text| format!("<li>{}</li>\n", escape(&text))).collect();
    if items.is_empty() {
        return items;
    }
    format!("<section class=\"card group\">\n<h2>Not read</h2>\n<ul>\n{items}</ul>\n</section>\n")
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node, ParsingOptions};
    use serde_json::Value;

    use super::*;
    use crate::PositionLimit;
    use crate::suites::Suite;
    use std::path::Path;

    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8 Re8; am Kf1; dm 1;";

    /// Returns a suite with these names of positions, whose third line is broken.
    fn suite(file: &str, ids: &[&str]) -> Suite {
        let lines = ids.iter().map(|id| format!("{MATE} id \"{id}\";\n"));
        let text = format!("#\n#\n<nonsense>\n{}", lines.collect::<String>());
        Suite::parse(Path::new(file), &text)
    }

    /// Returns the report of suites in which only the positions named in `solved` are solved.
    fn page(suites: &[Suite], solved: &[&str]) -> String {
        let answer = |entry: &SuiteEntry| {
            let is_solved = solved.contains(&&*entry.name());
            let mv = if is_solved { "Ra8" } else { "Kf1" };
            Answer::for_tests(&entry.exercise, mv, Duration::from_micros(1_234_500))
        };
        let solved: Vec<_> = suites
            .iter()
            .map(|suite| SolvedSuite::new(suite, suite.entries.iter().map(answer).collect()))
            .collect();
        report(&RunSettings::for_tests(PositionLimit::Depth(9)), &solved, &[])
    }

    fn parsed(page: &str) -> Document<'_> {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        Document::parse_with_options(page, options).expect("well-formed XML")
    }

    fn rows<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
        document.descendants().filter(|node| node.attribute("data-solved").is_some()).collect()
    }

    fn text_of(node: &Node<'_, '_>) -> String {
        node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
    }

    #[test]
    fn a_report_is_one_well_formed_file_for_any_text_in_the_suite() {
        let page = page(&[suite("<b>.epd", &["<script>'&{{rows}}.1"])], &[]);
        let document = parsed(&page);
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        assert!(document.descendants().all(|node| node.attribute("src").is_none()));
        // The namespace of SVG is a name that the board's script needs, not an address.
        let rest = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains("url(") && !rest.contains("@import") && !rest.contains("http"));
        assert_eq!(rows(&document)[0].attribute("data-name"), Some("<script>'&{{rows}}.1"));
        for promise in ["prefers-color-scheme: dark", "width=device-width", "lang=\"en\""] {
            assert!(page.contains(promise), "{promise}");
        }
    }

    #[test]
    fn every_position_has_its_board_moves_time_and_depth() {
        let page = page(&[suite("some.epd", &["Pins.1", "Forks.1"])], &["Pins.1"]);
        let document = parsed(&page);
        let rows = rows(&document);
        let text = text_of(&rows[0]);
        for part in [
            "Pins.1",
            "Pins · White to move",
            "solved",
            "Ra8# or Re8#, not Kf1, mate in 1",
            "1.23 s",
        ] {
            assert!(text.contains(part), "{part:?} in {text:?}");
        }
        let keys = ["data-solved", "data-time", "data-depth"].map(|key| rows[0].attribute(key));
        assert_eq!(keys, [Some("1"), Some("1234.5"), Some("7")]);
        assert_eq!(rows[1].attribute("data-time"), Some(""), "a failed position has no time");
        let data = document.descendants().find(|node| node.attribute("id") == Some("data"));
        let data: Value = serde_json::from_str(data.and_then(|data| data.text()).unwrap()).unwrap();
        let board = |row: &Node<'_, '_>| {
            let index = row.descendants().find_map(|node| node.attribute("data-board"));
            data[index.unwrap().parse::<usize>().unwrap()].clone()
        };
        assert_eq!(board(&rows[0])["placement"], "6k1/5ppp/8/8/8/8/8/R3R1K1");
        assert_eq!(board(&rows[0])["arrows"], json!([["a1", "a8", "good"], ["e1", "e8", "good"]]));
        assert_eq!(board(&rows[1])["arrows"][2], json!(["g1", "f1", "bad"]));
    }

    #[test]
    fn themes_have_their_shares_and_broken_lines_are_listed() {
        let page =
            page(&[suite("a/some.epd", &["Pins.1", "Pins.2", "Forks.1", "Forks.2"])], &["Pins.1"]);
        let document = parsed(&page);
        let groups = document.descendants().filter(|node| node.attribute("data-kind").is_some());
        let groups: Vec<_> = groups.map(|group| text_of(&group)).collect();
        assert_eq!(groups.len(), 2);
        assert!(groups[0].starts_with("Pins50 %1 of 2"), "{groups:?}");
        assert!(groups[1].starts_with("Forks0 %0 of 2"), "{groups:?}");
        assert!(page.contains("a/some.epd:3: a position has four fields"));
        assert!(page.contains("1 of 4 solved"));
    }

    #[test]
    fn a_suite_without_expected_answers_has_no_share_among_several() {
        let fens = Suite::parse(Path::new("fens.epd"), "6k1/5ppp/8/8/8/8/8/R3R1K1 w - -\n");
        let page = page(&[fens, suite("a.epd", &["mate"])], &["mate"]);
        let document = parsed(&page);
        let bars = document.descendants().filter(|node| node.attribute("data-kind").is_some());
        let texts: Vec<String> = bars.map(|bar| text_of(&bar)).collect();
        assert!(texts[0].starts_with("fens.epd1 only evaluated"), "{texts:?}");
        assert!(texts[1].starts_with("a.epd100 %1 of 1"), "{texts:?}");
    }

    #[test]
    fn themes_of_the_same_name_in_two_suites_are_distinguished() {
        let ids = ["Pins.1", "Pins.2"];
        let suites = [suite("a/some.epd", &ids), suite("b/other.epd", &ids)];
        let page = page(&suites, &[]);
        let document = parsed(&page);
        let named = |name: &'static str| {
            document.descendants().filter_map(move |node| node.attribute(name)).collect::<Vec<_>>()
        };
        let (bars, themes) = (named("data-kind"), named("data-theme"));
        assert_eq!(bars, ["file", "file", "theme", "theme"]);
        assert_ne!(themes[0], themes[2]);
        assert!(themes.iter().all(|theme| named("data-name").contains(theme)), "{themes:?}");
        assert!(page.contains("Pins, some.epd") && page.contains("Pins, other.epd"));
    }

    #[test]
    fn a_position_without_an_expected_answer_shows_its_score_and_line() {
        let fen = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1";
        let suite = Suite::parse(Path::new("a.epd"), &format!("{fen}\n{fen} 00:00; bm #1;\n"));
        let page = page(&[suite], &["line 2"]);
        let document = parsed(&page);
        let rows = rows(&document);
        assert_eq!(rows[0].attribute("data-solved"), Some(""), "neither solved nor failed");
        let text = text_of(&rows[0]);
        assert!(text.contains("evaluated–Kf1 #1 Kf1"), "{text}");
        assert!(page.contains("1 of 1 solved") && page.contains("only evaluated"));
        assert!(page.contains("a.epd:2: &quot;00:00&quot; is not the name"), "{page}");
    }

    #[test]
    fn a_long_name_of_a_theme_may_break_between_its_parts() {
        let ids = ["Outposts/Centralization.1", "Outposts/Centralization.2", "Pins.1", "Pins.2"];
        let page = page(&[suite("some.epd", &ids)], &[]);
        assert!(page.contains(r#"<span class="label">Outposts/<wbr/>Centralization</span>"#));
    }

    #[test]
    fn the_commit_of_the_engine_is_named_if_it_is_known() {
        let settings = RunSettings::for_tests(PositionLimit::Depth(9));
        assert!(conditions(&settings).starts_with("Outrider (a commit), "));
        let unknown = RunSettings { commit: String::new(), ..settings };
        assert!(conditions(&unknown).starts_with("Outrider, "), "{}", conditions(&unknown));
    }

    #[test]
    fn a_suite_without_points_and_themes_shows_none() {
        let page = page(&[suite("some.epd", &["nameless"])], &[]);
        assert!(page.contains("<body class=\"without-points\">"));
        assert!(!page.contains("data-kind="));
    }
}
