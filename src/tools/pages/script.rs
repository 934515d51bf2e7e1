//! Scripts of pages.
//!
//! On disk each script is an ES module that imports others by their paths, so that `tsc`, Node and editors
//! understand it. A page gets one script: its module after the modules that it imports, without lines of imports
//! and comments and the keyword `export`. The modules of a page therefore declare different names at the top level,
//! and no module imports one that imports it.

use std::collections::BTreeSet;

/// An ES module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Path from `src`: `tools/pages/board.js`.
    pub path: &'static str,
    /// Source text.
    pub text: &'static str,
}

/// Returns the modules with these file names, which are in the folder of the source file.
#[macro_export]
macro_rules! modules {
    ($folder:literal, [$($name:literal),+ $(,)?]) => {
        [$($crate::pages::Module { path: concat!($folder, "/", $name), text: include_str!($name) }),+]
    };
}

/// Modules that any page may import.
static SHARED: [Module; 11] = modules!(
    "tools/pages",
    [
        "board.js",
        "bundle.js",
        "common.js",
        "keyboard.js",
        "listing.js",
        "moving.js",
        "placement.js",
        "puzzle.js",
        "puzzle_session.js",
        "rules.js",
        "viewer.js",
    ]
);

/// Returns the script of a page. `entry` is the path of its module. `own` has the modules of the page besides
/// the shared ones, or in place of them.
pub fn script(entry: &str, own: &[Module]) -> String {
    let mut script = Script { own, added: BTreeSet::new(), text: String::new() };
    script.add(entry);
    script.text
}

struct Script<'a> {
    own: &'a [Module],
    added: BTreeSet<String>,
    text: String,
}

impl Script<'_> {
    /// Adds a module after the modules that it imports. The import of an unknown module stays in the script, so
    /// that the browser reports it.
    fn add(&mut self, path: &str) {
        if !self.added.insert(path.to_owned()) {
            return;
        }
        let Some(module) = self.own.iter().chain(&SHARED).find(|module| module.path == path) else {
            self.text += &format!("import \"{path}\";\n");
            return;
        };
        for line in module.text.lines() {
            if let Some(imported) = imported(path, line) {
                self.add(&imported);
            }
        }
        for line in without_comments(module.text) {
            if imported(path, line).is_none() && line != "export {};" {
                self.text += line.strip_prefix("export ").unwrap_or(line);
                self.text.push('\n');
            }
        }
    }
}

/// Returns the lines of a module without those that have only a comment.
fn without_comments(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.lines().filter(move |line| {
        let (was_inside, line) = (is_inside, line.trim());
        is_inside = (is_inside || line.starts_with("/**")) && !line.contains("*/");
        let is_comment = line.starts_with("//") || line.starts_with("/**") && line.ends_with("*/");
        !was_inside && !is_inside && !is_comment
    })
}

/// Returns the path of the module that a line of the module at `path` imports.
fn imported(path: &str, line: &str) -> Option<String> {
    let from = line.strip_prefix("import ")?.split('"').nth(1)?;
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_has_each_module_once_after_the_modules_that_it_imports() {
        let module = |path, text| Module { path, text };
        let own = [
            module(
                "a/main.js",
                "import { f } from \"./f.js\";\nimport \"../b/g.js\";\n/** @import { T } from \"./t.js\" */\nf();\n",
            ),
            module(
                "a/f.js",
                "import { g } from \"../b/g.js\";\nexport function f() {\n  g();\n}\n",
            ),
            module("b/g.js", "export {};\nexport const g = () => {};\n"),
        ];
        let text = "const g = () => {};\nfunction f() {\n  g();\n}\nf();\n";
        assert_eq!(script("a/main.js", &own), text);
    }

    #[test]
    fn lines_with_only_a_comment_are_left_out() {
        let text = "/** Does it. @type {{ a: 1 }} */\nconst a = b\n  // Why.\n  * /** @type {number} */ (c);\n\
            /**\n * Says\n * more.\n */\nf(/** @type {T} */ (a)); // here\n";
        let own = [Module { path: "a/main.js", text }];
        let script = script("a/main.js", &own);
        assert_eq!(
            script,
            "const a = b\n  * /** @type {number} */ (c);\nf(/** @type {T} */ (a)); // here\n"
        );
    }

    #[test]
    fn the_browser_reports_a_missing_module() {
        let own = [Module { path: "a/main.js", text: "import { f } from \"./f.js\";\nf();\n" }];
        assert_eq!(script("a/main.js", &own), "import \"a/f.js\";\nf();\n");
    }
}
