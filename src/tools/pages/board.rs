//! Boards on pages: shapes of the pieces, styles, and the script that draws a position. The shapes were
//! drawn for this project.

use shakmaty::{CastlingSide, Chess, Move, Position as _, Square};

/// Pieces as SVG symbols; a page with boards includes them once.
pub(super) const PIECES: &str = include_str!("pieces.svg");

pub(super) const STYLE: &str = include_str!("board.css");

/// A JavaScript module: a file of `serve`, and a part of the script of static pages.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// File name, as in the imports of other modules.
    pub name: &'static str,
    /// Source text.
    pub text: &'static str,
}

/// Functions shared by the scripts of all pages.
pub(super) const COMMON: Module = Module { name: "common.js", text: include_str!("common.js") };

/// Modules in dependency order: `drawBoard(svg, picture)`.
pub(super) const DRAWING: [Module; 2] = [
    Module { name: "placement.js", text: include_str!("placement.js") },
    Module { name: "board.js", text: include_str!("board.js") },
];

/// Further modules in dependency order: the rules of chess, `createBoard(svg, onMove)` and
/// `enableTyping(listeners)`.
pub(super) const MOVING: [Module; 3] = [
    Module { name: "rules.js", text: include_str!("rules.js") },
    Module { name: "moving.js", text: include_str!("moving.js") },
    Module { name: "keyboard.js", text: include_str!("keyboard.js") },
];

/// `createViewer(game, options)`: shows an analysed game.
pub(crate) const VIEWER: Module = Module { name: "viewer.js", text: include_str!("viewer.js") };

/// Returns all modules in dependency order.
pub fn modules() -> impl Iterator<Item = Module> {
    [COMMON].into_iter().chain(DRAWING).chain(MOVING).chain([VIEWER])
}

impl Module {
    /// Returns the module as a part of a classic script that defines its exports. It must follow the modules
    /// that it imports.
    pub(super) fn inlined(&self) -> String {
        let mut exports = Vec::new();
        let mut body = String::new();
        for line in self.text.lines().filter(|line| !line.starts_with("import ")) {
            let declared = line.strip_prefix("export ");
            exports.extend(declared.and_then(exported_name));
            body.push_str(declared.unwrap_or(line));
            body.push('\n');
        }
        let exports = exports.join(", ");
        format!("const {{ {exports} }} = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
    }
}

/// Returns the name in a declaration: `f` in `function f() {` and in `const f = 1;`.
fn exported_name(declaration: &str) -> Option<&str> {
    let (_, named) = declaration.split_once(' ')?;
    named.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()
}

/// Returns the pieces on the board, in the form of the first field of a FEN.
pub fn placement(chess: &Chess) -> String {
    chess.board().board_fen().to_string()
}

/// Returns the start and target squares of a move; for castling, those of the king.
pub fn squares(mv: Move) -> [String; 2] {
    let to = match mv {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king.file() < rook.file());
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => mv.to(),
    };
    [mv.from().map_or_else(String::new, |from| from.to_string()), to.to_string()]
}

/// Returns an arrow for `drawBoard`: the squares of a move and the class `kind`.
pub(crate) fn arrow(mv: Move, kind: &str) -> [String; 3] {
    let [from, to] = squares(mv);
    [from, to, kind.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inlined_module_defines_its_exports_and_nothing_else() {
        let text = "import { a } from \"./a.js\";\n\nconst own = a;\nexport function f() {\n}\n\
            export const g = own;\n";
        let inlined = Module { name: "b.js", text }.inlined();
        assert_eq!(
            inlined,
            "const { f, g } = (() => {\n\nconst own = a;\nfunction f() {\n}\nconst g = own;\n\
             return { f, g };\n})();\n"
        );
    }

    #[test]
    fn modules_import_only_modules_before_them() {
        let mut before = Vec::new();
        for Module { name, text } in modules() {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('"').nth(1).unwrap().trim_start_matches("./");
                assert!(before.contains(&from), "{name}: {line}");
            }
            before.push(name);
        }
    }
}
