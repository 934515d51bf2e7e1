//! Pages and pictures use one palette, and no script or style is in the markup of a page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the source files with this extension.
fn files(ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the source") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "there are files that end in .{ending}");
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a text")
}

/// Returns the names after each `before`, up to the first character that cannot be in a name.
fn names<'a>(text: &'a str, before: &str) -> BTreeSet<&'a str> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let parts = text.split(before).skip(1);
    parts.map(|part| &part[..part.find(|it| !is_of_name(it)).unwrap_or(part.len())]).collect()
}

#[test]
fn every_colour_is_in_the_palette_and_is_used() {
    let styles = files("css");
    let palette = styles.iter().find(|path| path.ends_with("palette.css")).expect("the palette");
    let palette = read(palette);
    let (light, dark) = palette.split_once("@media").expect("colours for the dark");
    let defined = |text| -> BTreeSet<&str> {
        let numbers = names(text, ": #").len();
        assert!(numbers > 5, "{numbers} colours");
        names(text, " --")
    };
    assert!(defined(dark).is_subset(&defined(light)), "each has a value for the light");
    let mut used = String::new();
    for path in styles.iter().filter(|path| !path.ends_with("palette.css")) {
        let style = read(path);
        assert!(!style.contains(": #"), "{} has a colour of its own", path.display());
        used += &style;
    }
    let (used, defined) = (names(&used, "var(--"), defined(light));
    // These are not colours of the palette: properties set by a tree, a piece or a layout.
    let own = ["inner", "natural", "aside", "bar", "edge", "side", "strip"];
    let strange: Vec<_> = used.difference(&defined).filter(|name| !own.contains(name)).collect();
    assert!(strange.is_empty(), "no colours of the palette: {strange:?}");
    let idle: Vec<_> = defined.difference(&used).collect();
    assert!(idle.is_empty(), "used by no style: {idle:?}");
}

#[test]
fn scripts_and_styles_of_pages_are_separate_files() {
    // A frame has the places that other files fill.
    let is_frame = |path: &Path| path.to_string_lossy().ends_with("frame.html");
    for path in files("html").iter().filter(|path| !is_frame(path)) {
        let markup = read(path);
        for element in ["<script", "<style", " onclick="] {
            assert!(!markup.contains(element), "{} has {element}", path.display());
        }
    }
}
