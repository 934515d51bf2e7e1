//! A run as a page of HTML: what was solved by theme, and every position with its picture.

use serde_json::{Value as Json, json};
use shakmaty::Chess;

use super::record::Record;
use super::results::{Count, Results};
use crate::engine::position::notation::{parse_fen_any, parse_move};
use crate::engine::position::san::parse_san;
use crate::tools::pages::{self, Page, escape, fill};

const CONTENT: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Makes the page.
pub fn report(results: &Results) -> String {
    let names: Vec<_> = results.files.iter().map(|file| file_name(&file.name)).collect();
    let has_points = results.total.most_points > 0;
    let rows: String = (0..).zip(&results.results).map(|(index, it)| row(index, it)).collect();
    let title = names.join(", ");
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("total", &total(&results.total)),
            ("settings", &escape(&settings(results))),
            ("groups", &groups(results)),
            ("positions", &results.results.len().to_string()),
            ("rows", &rows),
            ("problems", &problems(results)),
        ],
    );
    let page = Page {
        title: &title,
        class: if has_points { "" } else { "without-points" },
        style: STYLE,
        content: &content,
        data: results.results.iter().map(board).collect(),
        script: SCRIPT,
        has_boards: true,
    };
    page.to_html()
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The figures on top.
fn total(total: &Count) -> String {
    let figure = |figure: &str, words: &str| {
        format!("<div><b>{figure}</b><span class=\"note\">{words}</span></div>\n")
    };
    let Count { positions, solved, points, most_points, .. } = total;
    let mut figures =
        figure(&format!("{:.1} %", total.percent()), &format!("{solved} of {positions} solved"));
    if *most_points > 0 {
        let share = 100.0 * *points as f64 / *most_points as f64;
        figures += &figure(&format!("{share:.1} %"), &format!("{points} of {most_points} points"));
    }
    if let Some(mean) = total.mean_time_to_solution_ms {
        figures += &figure(&time(mean), "mean time to the solution");
    }
    figures
}

fn settings(results: &Results) -> String {
    let settings = &results.settings;
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    format!(
        "{} ({}), {}, {} a position, {} MB of table, {} at a time",
        settings.engine,
        settings.commit,
        settings.limit,
        plural(settings.threads, "thread"),
        settings.table_megabytes,
        plural(settings.jobs, "position")
    )
}

/// The suites, if there are several, and the themes, each with its share as a bar.
fn groups(results: &Results) -> String {
    let has_several = results.files.len() > 1;
    let suites =
        results.files.iter().map(|file| bar("file", &file.name, file_name(&file.name), file));
    let themes = results.files.iter().flat_map(|file| {
        file.themes.iter().flatten().map(move |theme| {
            let label = if has_several {
                format!("{}, {}", theme.name, file_name(&file.name))
            } else {
                theme.name.clone()
            };
            bar("theme", &theme_of(&file.name, &theme.name), &label, theme)
        })
    });
    group("Suites", suites.collect()) + &group("Themes", themes.collect())
}

/// What tells a theme from one of the same name in another file.
fn theme_of(file: &str, theme: &str) -> String {
    format!("{file}: {theme}")
}

/// One share alone says no more than the figures on top.
fn group(title: &str, bars: Vec<String>) -> String {
    if bars.len() < 2 {
        return String::new();
    }
    let bars = bars.concat();
    format!("<section class=\"card group\">\n<h2>{title}</h2>\n<ul>\n{bars}</ul>\n</section>\n")
}

/// A share that can be clicked on to see only its positions, which have this name.
fn bar(kind: &str, name: &str, label: &str, count: &Count) -> String {
    let Count { positions, solved, points, most_points, .. } = count;
    let percent = count.percent();
    let points = match most_points {
        0 => String::new(),
        most => format!(", {:.0} % of the points", 100.0 * *points as f64 / *most as f64),
    };
    let mean = count.mean_time_to_solution_ms.map(|mean| format!(", {}", time(mean)));
    format!(
        r#"<li><button type="button" data-kind="{kind}" data-name="{name}" aria-pressed="false"><span class="label">{label}</span><span class="track"><span style="width:{percent:.1}%"></span></span><span class="share">{percent:.0} %</span><span class="note">{solved} of {positions}{points}{mean}</span></button></li>
"#,
        name = escape(name),
        label = escape(label),
        mean = mean.unwrap_or_default(),
    )
}

/// A position; its board is the one of this index in the page's data.
fn row(index: usize, record: &Record) -> String {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    format!(
        r#"<tr data-name="{name}" data-file="{file}" data-theme="{theme}" data-solved="{solved}" data-time="{found}" data-depth="{depth}" data-points="{points}"><td class="picture"><button type="button" title="Enlarge"><svg class="board" viewBox="0 0 800 800" data-fen="{fen}" data-board="{index}"></svg></button></td>{cells}</tr>
"#,
        name = escape(&record.name()),
        file = escape(&record.file),
        theme = escape(&theme_of(&record.file, record.theme.as_deref().unwrap_or_default())),
        solved = u8::from(record.solved),
        found = number(solution_time(record)),
        depth = number(solution_depth(record).map(f64::from)),
        points = number(record.points.zip(record.most_points).map(|(points, _)| points.into())),
        fen = escape(&record.fen),
        cells = cells(record),
    )
}

/// What a position's row says.
fn cells(record: &Record) -> String {
    let word = if record.solved { "solved" } else { "failed" };
    let points = record.points.zip(record.most_points);
    let played = record.played.as_deref().unwrap_or("none");
    let side = if is_black_to_move(&record.fen) { "Black to move" } else { "White to move" };
    let note = record.theme.as_ref().map(|theme| format!("{theme} · ")).unwrap_or_default();
    let cell = |class: &str, label: &str, content: &str| {
        format!(r#"<td class="{class}" data-label="{label}">{content}</td>"#)
    };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let cells = [
        cell(
            "name",
            "",
            &format!(
                "<b>{}</b><span class=\"note\">{}{side}</span>",
                escape(&record.name()),
                escape(&note)
            ),
        ),
        cell("verdict", "", &format!("<span class=\"{word}\">{word}</span>")),
        cell("wanted", "expected", &escape(&wanted(record))),
        cell(
            "played",
            "chosen",
            &format!("{} <span class=\"note\">{}</span>", escape(played), record.score),
        ),
        cell("number", "time", &or_dash(solution_time(record).map(time))),
        cell("number", "depth", &or_dash(solution_depth(record).map(|depth| depth.to_string()))),
        cell(
            "number points",
            "points",
            &points.map_or_else(String::new, |(points, most)| format!("{points} of {most}")),
        ),
    ];
    cells.concat()
}

/// When the solution was found, in milliseconds, if the position was solved.
fn solution_time(record: &Record) -> Option<f64> {
    record.found_ms.filter(|_| record.solved)
}

/// The depth at which the solution was found, if the position was solved.
fn solution_depth(record: &Record) -> Option<i32> {
    record.found_depth.filter(|_| record.solved)
}

/// What is right, as a person reads it.
fn wanted(record: &Record) -> String {
    let moves = |before: &str, moves: &[String], between: &str| {
        (!moves.is_empty()).then(|| format!("{before}{}", moves.join(between)))
    };
    let mate = record.dm.map(|moves| match moves {
        1.. => format!("mate in {moves}"),
        _ => format!("mated in {}", -moves),
    });
    let parts = [moves("", &record.bm, " or "), moves("not ", &record.am, " nor "), mate];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// For the program that draws boards: the pieces, with the side to move below, the right moves and
/// the one chosen if it is wrong.
fn board(record: &Record) -> Json {
    let placement = record.fen.split(' ').next().unwrap_or_default();
    let arrows = parse_fen_any(&record.fen).map(|chess| arrows(record, &chess));
    json!({
        "placement": placement,
        "flipped": is_black_to_move(&record.fen),
        "arrows": arrows.unwrap_or_default(),
    })
}

fn arrows(record: &Record, chess: &Chess) -> Vec<[String; 3]> {
    let arrow = |mv: shakmaty::Move, kind: &str| {
        let [from, to] = pages::board::squares(mv);
        [from, to, kind.to_owned()]
    };
    let played = record.played_uci.as_ref().and_then(|text| parse_move(chess, text).ok());
    let best: Vec<_> = record.bm.iter().filter_map(|text| parse_san(chess, text).ok()).collect();
    let mut arrows: Vec<_> = best.iter().map(|&mv| arrow(mv, "good")).collect();
    if let Some(mv) = played
        && !best.contains(&mv)
    {
        arrows.push(arrow(mv, if record.solved { "good" } else { "bad" }));
    }
    arrows
}

fn is_black_to_move(fen: &str) -> bool {
    fen.split(' ').nth(1) == Some("b")
}

/// A time in milliseconds, in a unit that fits it.
fn time(milliseconds: f64) -> String {
    match milliseconds {
        ..9.95 => format!("{milliseconds:.1} ms"),
        ..999.5 => format!("{milliseconds:.0} ms"),
        _ => format!("{:.2} s", milliseconds / 1000.0),
    }
}

/// What could not be read.
fn problems(results: &Results) -> String {
    let lines = results
        .broken_lines
        .iter()
        .map(|broken| format!("{}:{}: {}", broken.file, broken.line, broken.reason));
    let files = results.unreadable_files.iter().map(|it| format!("{}: {}", it.file, it.reason));
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

    use super::super::record::tests::record;
    use super::super::results::{BrokenRecord, RunSettings};
    use super::super::summary::{Summary, Themes};
    use super::*;
    use crate::tools::Limit;

    fn results(records: Vec<Record>) -> Results {
        let (mut summary, mut themes) = (Summary::default(), Themes::default());
        for record in &records {
            summary.add(record);
            themes.add(record);
        }
        let settings = RunSettings::of_tests(Limit::Depth(9));
        Results {
            settings,
            total: Count::new("total", &summary, None),
            files: vec![Count::new("a/some.epd", &summary, Some(&themes))],
            results: records,
            broken_lines: vec![BrokenRecord {
                file: "a/some.epd".to_owned(),
                line: 3,
                reason: "<nonsense>".to_owned(),
            }],
            unreadable_files: Vec::new(),
        }
    }

    fn solved(id: &str) -> Record {
        let (played, uci) = (Some("Ra8#".to_owned()), Some("a1a8".to_owned()));
        let found = (Some(1234.5), Some(7));
        Record {
            solved: true,
            played,
            played_uci: uci,
            found_ms: found.0,
            found_depth: found.1,
            ..record(id)
        }
    }

    fn parsed(page: &str) -> Document<'_> {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        Document::parse_with_options(page, options).expect("well-formed XML")
    }

    fn rows<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
        document.descendants().filter(|node| node.attribute("data-solved").is_some()).collect()
    }

    fn told(node: &Node<'_, '_>) -> String {
        node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
    }

    #[test]
    fn a_report_is_one_well_formed_file_whatever_the_suite_says() {
        let hostile = Record { id: Some("<script>\"&{{rows}}.1".to_owned()), ..solved("x") };
        let page = report(&results(vec![hostile]));
        let document = parsed(&page);
        assert_eq!(page.matches("<script").count(), 2, "the data and the program");
        assert!(document.descendants().all(|node| node.attribute("src").is_none()));
        assert!(!page.contains("url(") && !page.contains("@import") && !page.contains("http"));
        assert_eq!(rows(&document)[0].attribute("data-name"), Some("<script>\"&{{rows}}.1"));
        for promise in ["prefers-color-scheme: dark", "width=device-width", "lang=\"en\""] {
            assert!(page.contains(promise), "{promise}");
        }
    }

    #[test]
    fn every_position_has_its_picture_its_moves_its_time_and_depth() {
        let page = report(&results(vec![solved("Pins.1"), record("Forks.1")]));
        let document = parsed(&page);
        let rows = rows(&document);
        let text = told(&rows[0]);
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
        assert_eq!(rows[1].attribute("data-time"), Some(""), "what is not solved took no time");
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
    fn themes_have_their_shares_and_broken_lines_are_told() {
        let records = vec![solved("Pins.1"), record("Pins.2"), record("Forks.1")];
        let page = report(&results(records));
        let document = parsed(&page);
        let groups = document.descendants().filter(|node| node.attribute("data-kind").is_some());
        let groups: Vec<_> = groups.map(|group| told(&group)).collect();
        assert_eq!(groups.len(), 2);
        assert!(groups[0].starts_with("Pins50 %1 of 2"), "{groups:?}");
        assert!(groups[1].starts_with("Forks0 %0 of 1"), "{groups:?}");
        assert!(page.contains("a/some.epd:3: &lt;nonsense&gt;"));
        assert!(page.contains("1 of 3 solved"));
    }

    #[test]
    fn themes_of_the_same_name_in_two_suites_are_told_apart() {
        let mut results =
            results(vec![Record { file: "a/some.epd".to_owned(), ..solved("Pins.1") }]);
        let other = Count { name: "b/other.epd".to_owned(), ..results.files[0].clone() };
        results.files.push(other);
        results.results.push(Record { file: "b/other.epd".to_owned(), ..record("Pins.1") });
        let page = report(&results);
        let document = parsed(&page);
        let named = |name: &'static str| {
            document.descendants().filter_map(move |node| node.attribute(name)).collect::<Vec<_>>()
        };
        let (bars, themes) = (named("data-kind"), named("data-theme"));
        assert_eq!(bars, ["file", "file", "theme", "theme"]);
        assert_ne!(themes[0], themes[1]);
        assert!(themes.iter().all(|theme| named("data-name").contains(theme)), "{themes:?}");
        assert!(page.contains("Pins, some.epd") && page.contains("Pins, other.epd"));
    }

    #[test]
    fn a_suite_without_points_and_themes_shows_none() {
        let nameless = Record { id: None, theme: None, ..record("x") };
        let page = report(&results(vec![nameless]));
        assert!(page.contains("<body class=\"without-points\">"));
        assert!(!page.contains("data-kind="));
    }
}
