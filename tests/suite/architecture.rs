//! The wings of the source and what they may import, and that no files import each other in a circle,
//! except a module's head and its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module as the parts of its path: `search::table` is `["search", "table"]`.
type Module = Vec<String>;

/// The files of a folder by their modules.
fn read_sources(folder: &Path, module: &Module, sources: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_stem().expect("a name").to_str().expect("a name in UTF-8");
        let part = || module.iter().cloned().chain([name.to_owned()]).collect();
        if path.is_dir() {
            read_sources(&path, &part(), sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_head = ["lib", "mod"].contains(&name);
            let text = fs::read_to_string(&path).expect("a readable file");
            sources.insert(if is_head { module.clone() } else { part() }, text);
        }
    }
}

/// The paths that a `use` names, with its braces resolved.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut open = 0;
    let branches = inside.split(|c| {
        open += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && open == 0
    });
    let branches = branches.filter(|branch| !branch.is_empty());
    branches.flat_map(|branch| expand(&format!("{before}{branch}"))).collect()
}

/// The paths that the `use` lines of a file name; what only its tests import does not count.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().expect("a first part");
    let starts = ["use ", "pub use ", "pub(super) use ", "pub(crate) use "];
    let statements = code.split(';').filter_map(|statement| {
        let lines: Vec<&str> = statement.lines().map(str::trim).collect();
        let is_use = |line: &&str| starts.iter().any(|start| line.starts_with(start));
        let text = lines[lines.iter().rposition(is_use)?..].concat();
        text.split_once("use ").map(|(_, tree)| tree.replace(char::is_whitespace, ""))
    });
    statements.flat_map(|tree| expand(&tree)).collect()
}

/// The module of the source that a path, as it stands in `module`, leads into, and the name in it.
fn lead(
    path: &str,
    module: &Module,
    sources: &BTreeMap<Module, String>,
) -> Option<(Module, Option<String>)> {
    let mut parts = path.split("::").peekable();
    let first = *parts.peek()?;
    let mut target = if first == "crate" { Module::new() } else { module.clone() };
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => drop(target.pop()),
            name => target.push(name.to_owned()),
        }
    }
    // A part of this module may be named without `self`.
    let is_part = sources.keys().any(|known| {
        known.len() > module.len() && known.starts_with(module) && target.starts_with(known)
    });
    let mut name = None;
    while !sources.contains_key(&target) {
        name = Some(target.pop()?);
    }
    (["crate", "self", "super"].contains(&first) || is_part).then_some((target, name))
}

/// The file that holds what a path, as it stands in `module`, names: not the head of a module that
/// imports it from one of its parts.
fn resolve(path: &str, module: &Module, sources: &BTreeMap<Module, String>) -> Option<Module> {
    let (mut target, mut name) = lead(path, module, sources)?;
    loop {
        let ending = format!("::{}", name.unwrap_or_default());
        let paths = imports(&sources[&target]).into_iter().filter(|path| path.ends_with(&ending));
        let mut leads = paths.filter_map(|path| lead(&path, &target, sources));
        let Some(part) = leads.find(|(it, _)| *it != target && it.starts_with(&target)) else {
            return Some(target);
        };
        (target, name) = part;
    }
}

/// The modules that each one imports, besides its heads and its parts.
fn imported<'a>(sources: &'a BTreeMap<Module, String>) -> BTreeMap<&'a Module, BTreeSet<Module>> {
    let of_module = |(module, text): (&'a Module, &String)| {
        let paths = imports(text).into_iter();
        let targets = paths.filter_map(|path| resolve(&path, module, sources));
        let is_related = |it: &Module| it.starts_with(module) || module.starts_with(it);
        (module, targets.filter(|target| !is_related(target)).collect())
    };
    sources.iter().map(of_module).collect()
}

/// All modules that `module` imports, and those import, and so on.
fn reached<'a>(
    module: &Module,
    imported: &'a BTreeMap<&Module, BTreeSet<Module>>,
) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = imported[module].iter().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(&imported[next]);
        }
    }
    reached
}

/// Modules that import themselves by way of others.
fn circles(sources: &BTreeMap<Module, String>) -> Vec<String> {
    let imported = imported(sources);
    let modules = sources.keys().filter(|&module| reached(module, &imported).contains(module));
    modules.map(|module| module.join("::")).collect()
}

/// What each wing may import besides itself. Nothing imports the commands but the program.
const WINGS: [(&str, &[&str]); 7] = [
    ("engine", &[]),
    ("protocol", &["engine"]),
    ("tools", &["engine"]),
    ("laboratory", &["engine", "tools"]),
    ("serve", &["engine", "protocol", "tools"]),
    ("commands", &["engine", "protocol", "tools"]),
    // No wing of the program: it is compiled for tests and fuzzers only.
    ("fuzzing", &["engine", "protocol", "tools", "laboratory"]),
];
/// Wings that only these modules may import besides.
const OF_ONE_MODULE: [(&str, [&str; 2]); 3] = [
    ("laboratory", ["commands", "lab"]),
    ("laboratory", ["serve", "inside"]),
    ("serve", ["commands", "serve"]),
];

/// Imports, and paths in the midst of code, that a wing may not have: the importing module and the
/// imported wing.
fn forbidden_imports(sources: &BTreeMap<Module, String>) -> Vec<(Module, &'static str)> {
    let mut forbidden = Vec::new();
    for (module, text) in sources {
        let Some((own, allowed)) =
            WINGS.iter().find(|(wing, _)| module.first().is_some_and(|it| it == wing))
        else {
            continue;
        };
        for (wing, _) in WINGS {
            let is_allowed = wing == *own
                || allowed.contains(&wing)
                || OF_ONE_MODULE.iter().any(|(alone, by)| {
                    wing == *alone && module.starts_with(&by.map(str::to_owned))
                });
            let named = format!("crate::{wing}");
            if !is_allowed && text.contains(&named) {
                forbidden.push((module.clone(), wing));
            }
        }
    }
    forbidden
}

fn sources() -> BTreeMap<Module, String> {
    let mut sources = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    read_sources(&folder, &Module::new(), &mut sources);
    assert!(sources.len() > 100, "{} files were read", sources.len());
    sources
}

#[test]
fn every_file_stands_in_a_wing_and_imports_only_the_wings_below_it() {
    let sources = sources();
    for module in sources.keys().filter(|module| !module.is_empty()) {
        let in_a_wing = WINGS.iter().any(|(wing, _)| module[0] == *wing) || module[0] == "main";
        assert!(in_a_wing, "{module:?} stands in no wing");
    }
    assert_eq!(forbidden_imports(&sources), []);
}

#[test]
fn an_import_from_a_wing_above_or_beside_is_found() {
    let found = |path: &str, text: &str| {
        let module: Module = path.split("::").map(str::to_owned).collect();
        forbidden_imports(&BTreeMap::from([(module, text.to_owned())])).len()
    };
    assert_eq!(found("engine::search", "use crate::protocol::session::Session;"), 1);
    assert_eq!(found("protocol::uci", "use crate::tools::pgn;"), 1);
    assert_eq!(found("tools::games", "fn f() -> crate::protocol::uci::Response {}"), 1);
    assert_eq!(found("commands::bench", "use crate::laboratory::tree::Tree;"), 1);
    assert_eq!(found("commands::lab::draw", "use crate::laboratory::tree::Tree;"), 0);
    assert_eq!(found("tools::games", "use crate::engine::search::Engine;"), 0);
    assert_eq!(found("serve::client", "use crate::protocol::session::Session;"), 0);
    assert_eq!(found("tools::games", "use crate::serve::Server;"), 1);
    assert_eq!(found("commands::bench", "use crate::serve::Server;"), 1);
    assert_eq!(found("commands::serve", "use crate::serve::Server;"), 0);
}

#[test]
fn the_laboratory_searches_with_the_papers_algorithms_and_plays_in_one_experiment_only() {
    let plays = |text: &str| {
        ["engine::evaluation", "engine::openings", "tools::selfplay"]
            .iter()
            .any(|room| text.contains(&format!("crate::{room}")))
    };
    let sources = sources();
    let laboratory =
        sources.iter().filter(|(module, _)| module.first().is_some_and(|it| it == "laboratory"));
    let playing: Vec<_> =
        laboratory.filter(|(_, text)| plays(text)).map(|(module, _)| module.join("::")).collect();
    assert_eq!(playing, ["laboratory::experiments::diminishing_returns"]);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    assert_eq!(circles(&sources()), [""; 0]);
}

#[test]
fn a_circle_is_found_however_its_imports_are_written() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let found = |files: &[(&str, &str)]| {
        let sources = files.iter().map(|&(path, text)| (module(path), text.to_owned()));
        circles(&sources.collect()).len()
    };
    let back = ("search::table", "use super::worker::Worker;");
    for line in [
        "use super::table::Table;",
        "pub use crate::search::table::Table;",
        "use std::fmt;\n\nuse super::{node::Node, table::{self, Entry}};",
        "use super::{\n    node::Node,\n    table::{self, Entry},\n};",
    ] {
        assert_eq!(found(&[("search::worker", line), back]), 2, "{line}");
    }
    let in_tests = "#[cfg(test)]\nmod tests {\n    use super::super::table::Table;\n}";
    assert_eq!(found(&[("search::worker", in_tests), back]), 0);
    assert_eq!(found(&[("search::worker", "use std::fmt;"), back]), 0);
    let head = ("search", "pub use table::Table;\nuse worker::Worker;");
    assert_eq!(found(&[head, ("search::table", "use super::Bound;")]), 0);
    let by_its_head = ("search::worker", "use super::Table;");
    assert_eq!(found(&[head, by_its_head, back]), 2);
    let node = ("search::node", "use super::worker::Worker;");
    let of_three = ("search::table", "use super::node::Node;");
    assert_eq!(found(&[head, by_its_head, node, of_three]), 3);
}

#[test]
fn the_commit_is_named_by_the_program_so_that_another_one_leaves_the_library_compiled() {
    let names_it = |text: &String| text.contains("env!(\"OUTRIDER_C");
    let sources = sources();
    let naming = sources.iter().filter(|(_, text)| names_it(text)).map(|(module, _)| module);
    assert_eq!(naming.collect::<Vec<_>>(), [&["main"]]);
}
