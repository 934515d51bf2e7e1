//! Links, anchors and pictures are valid, on a hosting site and in `cargo doc`. A Markdown page is
//! shown from its own folder. The documentation of the source is shown from a folder of HTML, to
//! which rustdoc copies neither pages nor pictures.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Root folder of the repository.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Beginnings of file names that pages quote.
const FOLDERS: [&str; 6] = ["src/", "tests/", "benches/", "epd/", ".ci/", ".github/"];

/// Finds the files with this extension in a folder and its subfolders, except build output and the
/// data of git.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
}

/// References in a text.
#[derive(Default)]
struct Contents {
    links: Vec<String>,
    pictures: Vec<String>,
    quoted: Vec<String>,
    anchors: HashSet<String>,
}

/// Returns the anchor of a heading, as made by hosting sites and rustdoc: lower-case letters,
/// digits, `-` and `_`.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    letters.flat_map(char::to_lowercase).collect()
}

fn contents(text: &str) -> Contents {
    let mut contents = Contents::default();
    let mut heading = None;
    let mut headings: HashMap<String, u32> = HashMap::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => contents.links.push(dest_url.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => {
                contents.pictures.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let earlier = headings.entry(anchor.clone()).or_default();
                let again = if *earlier == 0 { anchor } else { format!("{anchor}-{earlier}") };
                contents.anchors.insert(again);
                *earlier += 1;
            }
            Event::Text(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
                contents.quoted.push(part.to_string());
            }
            _ => {}
        }
    }
    contents
}

fn is_elsewhere(target: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// Returns the error in a link or picture of a page in this folder, if there is one.
fn flaw_of_target(target: &str, folder: &Path, own: &HashSet<String>) -> Option<String> {
    let (file, place) = target.split_once('#').map_or((target, None), |(a, b)| (a, Some(b)));
    let path = folder.join(file);
    if !file.is_empty() && !path.exists() {
        return Some(format!("{target}: there is no such file"));
    }
    let place = place?;
    let known = if file.is_empty() {
        own.contains(place)
    } else {
        let text = fs::read_to_string(&path).expect("a page");
        contents(&text).anchors.contains(place)
    };
    (!known).then(|| format!("{target}: there is no such heading"))
}

/// Returns the errors in a page as shown by a hosting site.
fn flaws_of_page(path: &Path, text: &str) -> Vec<String> {
    let contents = contents(text);
    let folder = path.parent().expect("a folder");
    let targets = contents.links.iter().chain(&contents.pictures);
    let targets = targets.filter(|target| !is_elsewhere(target));
    targets.filter_map(|target| flaw_of_target(target, folder, &contents.anchors)).collect()
}

/// Returns the errors in a text that rustdoc shows. Rustdoc itself checks paths of Rust items, and
/// the build of the documentation fails on warnings.
fn flaws_of_documentation(text: &str) -> Vec<String> {
    let contents = contents(text);
    let links = contents.links.iter().filter(|link| !is_elsewhere(link));
    let links = links.filter_map(|link| match link.strip_prefix('#') {
        Some(place) if contents.anchors.contains(place) => None,
        Some(_) => Some(format!("{link}: there is no such heading")),
        None if link.contains(['/', '.']) => Some(format!("{link}: rustdoc copies no file")),
        None => None,
    });
    let pictures = contents.pictures.iter().filter(|picture| !is_elsewhere(picture));
    links.chain(pictures.map(|picture| format!("{picture}: rustdoc copies no picture"))).collect()
}

/// Returns the texts that rustdoc makes of a file: those of its head, with an included page, and
/// those of its items.
fn documentation(path: &Path) -> Vec<String> {
    let source = fs::read_to_string(path).expect("a readable file");
    let mut texts = vec![String::new()];
    for line in source.lines().map(str::trim_start) {
        let page = line.strip_prefix("#![doc = include_str!(\"");
        if let Some(page) = page.and_then(|rest| rest.split('"').next()) {
            let page = path.with_file_name(page);
            texts[0].push_str(&fs::read_to_string(page).expect("the page included"));
        } else if let Some(line) = line.strip_prefix("//!") {
            texts[0] += line.strip_prefix(' ').unwrap_or(line);
            texts[0].push('\n');
        } else if let Some(line) = line.strip_prefix("///") {
            let item = texts.last_mut().expect("a text");
            *item += line.strip_prefix(' ').unwrap_or(line);
            item.push('\n');
        } else if !line.starts_with("#[") {
            texts.push(String::new());
        }
    }
    texts.retain(|text| !text.is_empty());
    texts
}

/// Returns quoted files that do not exist.
fn missing_files(text: &str) -> Vec<String> {
    let quoted = contents(text).quoted.into_iter();
    let names = quoted.filter(|name| FOLDERS.iter().any(|folder| name.starts_with(folder)));
    let names = names.filter(|name| !name.contains(char::is_whitespace));
    names.filter(|name| !Path::new(ROOT).join(name).exists()).collect()
}

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    files(Path::new(ROOT), "md", &mut pages);
    pages
}

fn sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    files(&Path::new(ROOT).join("src"), "rs", &mut sources);
    sources
}

#[test]
fn links_anchors_and_pictures_of_every_page_are_valid() {
    let pages = pages();
    assert!(pages.len() > 8, "{pages:?}");
    for page in pages {
        let flaws = flaws_of_page(&page, &fs::read_to_string(&page).expect("a page"));
        assert!(flaws.is_empty(), "{}: {flaws:?}", page.display());
    }
}

#[test]
fn links_and_pictures_of_the_documentation_are_valid() {
    let texts = sources().into_iter().map(|source| (documentation(&source), source));
    for (texts, source) in texts {
        let flaws: Vec<String> =
            texts.iter().flat_map(|text| flaws_of_documentation(text)).collect();
        assert!(flaws.is_empty(), "{}: {flaws:?}", source.display());
    }
}

#[test]
fn every_file_quoted_in_pages_and_documentation_exists() {
    // The record names files of its time, and the page of the suites names files of the suites'
    // sources.
    let names_ours = |page: &&PathBuf| {
        let folder = page.parent().expect("a folder");
        !["benches/record", "epd"].iter().any(|excluded| folder.ends_with(excluded))
    };
    let pages = pages();
    let texts = pages.iter().filter(names_ours).map(|page| {
        let text = fs::read_to_string(page).expect("a page");
        (vec![text], page.clone())
    });
    let documented = sources().into_iter().map(|source| (documentation(&source), source));
    for (texts, path) in texts.chain(documented) {
        let missing: Vec<String> = texts.iter().flat_map(|text| missing_files(text)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", path.display());
    }
}

#[test]
fn a_broken_link_anchor_or_picture_is_found() {
    let page = Path::new(ROOT).join("README.md");
    let broken = "# One\n[a](#two) ![b](no.svg) [c](epd/README.md#no) [d](no/such.md)";
    assert_eq!(flaws_of_page(&page, broken).len(), 4);
    let fine = "# One `two`\n[a](#one-two) ![b](.github/negascout.svg) [c](epd/README.md#perft)";
    assert!(flaws_of_page(&page, fine).is_empty());
    assert_eq!(flaws_of_documentation(broken).len(), 4);
    assert!(flaws_of_documentation("[a](crate::engine) [b](mod@file) [`C`]").is_empty());
    assert_eq!(missing_files("`src/no.rs`, `src/lib.rs`, `benches/no one`"), ["src/no.rs"]);
}
