//! The modules of the pages. A page joins the modules that it needs to one script, so their names must differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The names of a module of JavaScript.
#[derive(Default)]
struct Names {
    /// Imported names by the path of the module that exports them.
    imports: BTreeMap<String, Vec<String>>,
    /// Names declared at the top level.
    declared: Vec<String>,
    exported: BTreeSet<String>,
}

impl Names {
    fn read(path: &str, text: &str) -> Names {
        let mut names = Names::default();
        for line in text.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let from = import.split('"').nth(1).unwrap_or_else(|| panic!("{path}: {line}"));
                assert!(line.ends_with("\";"), "{path}: an import of several lines: {line}");
                let folder = Path::new(path).parent().unwrap();
                let target = normal(&folder.join(from).display().to_string());
                let list =
                    import.split_once('}').map_or("", |(list, _)| list.trim_start_matches('{'));
                let list = list.split(',').map(|name| name.trim().to_owned());
                names
                    .imports
                    .entry(target)
                    .or_default()
                    .extend(list.filter(|name| !name.is_empty()));
                continue;
            }
            let exported = line.strip_prefix("export ");
            let found = declared(exported.unwrap_or(line));
            if exported.is_some() {
                names.exported.extend(found.iter().cloned());
            }
            names.declared.extend(found);
        }
        names
    }
}

/// Returns the names that a line declares at the top level: `f` in `function f() {`, `a` and `b` in
/// `const { a, b } = c;`.
fn declared(line: &str) -> Vec<String> {
    let line = line.trim_start_matches("async ");
    let kinds = ["function ", "const ", "let ", "class "];
    let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
        return Vec::new();
    };
    let end = if rest.starts_with(['{', '[']) { rest.find(" = ").unwrap() } else { rest.len() };
    let list = rest[..end].trim_matches(['{', '}', '[', ']', ' ']);
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let several = if end < rest.len() { list.split(',').collect() } else { vec![list] };
    let name = |text: &str| text.trim().split(|sign| !is_name(sign)).next().unwrap().to_owned();
    several.into_iter().map(name).collect()
}

/// Resolves `.` and `..` in a path.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn collect(folder: &Path, modules: &mut BTreeMap<String, Names>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, modules);
        } else if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
            let name = name.display().to_string().replace('\\', "/");
            let names = Names::read(&name, &fs::read_to_string(&path).unwrap());
            modules.insert(name, names);
        }
    }
}

fn modules() -> BTreeMap<String, Names> {
    let mut modules = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut modules);
    assert!(modules.len() > 20, "the scripts are in another folder");
    modules
}

#[test]
fn every_imported_name_is_exported() {
    let modules = modules();
    for (path, names) in &modules {
        for (from, list) in &names.imports {
            let source = modules.get(from).unwrap_or_else(|| panic!("{path}: there is no {from}"));
            for name in list {
                assert!(source.exported.contains(name), "{path}: {from} does not export {name}");
            }
        }
    }
}

#[test]
fn modules_of_a_page_declare_different_names() {
    let modules = modules();
    let imported: BTreeSet<&String> =
        modules.values().flat_map(|names| names.imports.keys()).collect();
    let entries: Vec<_> = modules.keys().filter(|path| !imported.contains(path)).collect();
    assert!(entries.len() >= 8, "each page has a module of its own: {entries:?}");
    for entry in entries {
        let mut all: Vec<&String> = vec![entry];
        let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
        let mut at = 0;
        while let Some(path) = all.get(at).copied() {
            for name in &modules[path].declared {
                if let Some(other) = owners.insert(name, path) {
                    panic!("{entry}: {other} and {path} both declare {name}");
                }
            }
            for import in modules[path].imports.keys() {
                if !all.contains(&import) {
                    all.push(import);
                }
            }
            at += 1;
        }
    }
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let modules = modules();
    // Removes modules without imports until only those that import each other are left.
    let mut left: BTreeMap<&String, BTreeSet<&String>> =
        modules.iter().map(|(path, names)| (path, names.imports.keys().collect())).collect();
    loop {
        let free: Vec<&String> =
            left.iter().filter(|(_, imports)| imports.is_empty()).map(|(path, _)| *path).collect();
        if free.is_empty() {
            break;
        }
        left.retain(|path, _| !free.contains(path));
        left.values_mut().for_each(|imports| imports.retain(|path| !free.contains(path)));
    }
    assert!(left.is_empty(), "{:?}", left.keys());
}
