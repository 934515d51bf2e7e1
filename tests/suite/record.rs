//! The record of measurements is complete and well-formed.

use std::fs;
use std::path::{Path, PathBuf};

use outrider_engine::evaluation::Network;

/// An entry of a page: its day, its subject, and the lines below its heading.
struct Entry {
    day: String,
    subject: String,
    lines: Vec<String>,
}

/// Returns the folder of the record.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/record")
}

/// Returns the names of the record's files with this extension.
fn names(extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the folder of the record");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|it| it == extension));
    let names = paths.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned());
    names.filter(|name| name != "README.md").collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a readable page")
}

/// Returns true if a text is a day such as 2026-11-22.
fn is_day(text: &str) -> bool {
    let like = |(letter, model): (char, char)| match model {
        '0' => letter.is_ascii_digit(),
        _ => letter == model,
    };
    text.len() == 10 && text.chars().zip("0000-00-00".chars()).all(like)
}

/// Parses an entry from the text after its `## `; the error is a heading without a day.
fn entry(part: &str) -> Result<Entry, String> {
    let mut lines = part.lines();
    let heading = lines.next().unwrap_or_default();
    let dated = heading.split_once(": ").filter(|(day, _)| is_day(day));
    let (day, subject) = dated.ok_or_else(|| heading.to_owned())?;
    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    Ok(Entry { day: day.to_owned(), subject: subject.to_owned(), lines })
}

/// Returns the entries of a page in order; the error is a heading without a day.
fn entries(page: &str) -> Result<Vec<Entry>, String> {
    page.split("\n## ").skip(1).map(entry).collect()
}

/// Returns true if a line names a commit by at least seven digits of its hash.
fn names_a_commit(line: &str) -> bool {
    let is_hash = |word: &str| word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit());
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(is_hash)
}

/// Returns the first missing part of an entry, if there is one.
fn flaw(entry: &Entry) -> Option<String> {
    let parts = ["Commit", "Machine", "Command"];
    for (number, part) in parts.into_iter().enumerate() {
        let line = entry.lines.get(number).map_or("", String::as_str);
        let value = line.strip_prefix(&format!("- {part}: ")).unwrap_or_default();
        if value.is_empty() {
            return Some(format!("{}: no line \"- {part}: …\"", entry.subject));
        }
    }
    let commit = &entry.lines[0];
    let is_dated = names_a_commit(commit) || commit.contains("not recorded");
    if !is_dated {
        return Some(format!("{}: neither a commit nor \"not recorded\"", entry.subject));
    }
    (entry.lines.len() == parts.len()).then(|| format!("{}: nothing was measured", entry.subject))
}

#[test]
fn every_entry_has_day_commit_machine_and_command_and_the_newest_is_first() {
    let pages = names("md");
    assert!(pages.len() >= 7, "{pages:?}");
    for name in pages {
        let entries = entries(&read(&name)).unwrap_or_else(|it| panic!("{name}: no day: {it}"));
        assert!(!entries.is_empty(), "{name}");
        let flaws: Vec<String> = entries.iter().filter_map(flaw).collect();
        assert!(flaws.is_empty(), "{name}: {flaws:?}");
        let days: Vec<&str> = entries.iter().map(|entry| entry.day.as_str()).collect();
        assert!(days.is_sorted_by(|newer, older| newer >= older), "{name}: {days:?}");
    }
}

#[test]
fn the_index_of_the_record_lists_every_page_and_every_picture_is_used() {
    let contents = read("README.md");
    let pages = names("md");
    for name in &pages {
        assert!(contents.contains(&format!("]({name})")), "{name} is not listed");
    }
    for picture in names("svg") {
        let shown = pages.iter().any(|page| read(page).contains(&format!("]({picture})")));
        assert!(shown, "{picture} is shown nowhere");
    }
}

#[test]
fn the_newest_built_in_network_of_the_record_is_the_one_in_the_program() {
    let entries = entries(&read("networks.md")).expect("days");
    let newest = entries.iter().find(|entry| entry.subject.ends_with(", built in"));
    let checksum = Network::built_in().checksum();
    let subject = &newest.expect("a network built in").subject;
    assert_eq!(*subject, format!("network {checksum:08x}, built in"));
}

#[test]
fn an_incomplete_entry_is_detected() {
    let whole = "\n## 2026-11-22: a\n\n- Commit: b652d5b\n- Machine: any\n- Command: x\n\nText.\n";
    let flaw_of = |page: &str| flaw(&entries(page).expect("days")[0]);
    assert_eq!(flaw_of(whole), None);
    for (from, to) in [
        ("b652d5b", "the last"),
        ("- Machine: any\n", ""),
        ("- Command: x", "- Command: "),
        ("Text.", ""),
    ] {
        assert!(flaw_of(&whole.replace(from, to)).is_some(), "{from}");
    }
    assert!(entries(&whole.replace("2026-11-22", "22 November")).is_err());
}
