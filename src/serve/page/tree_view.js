import { data, find, make, mark } from "../../tools/pages/common.js";
import { fillMoves } from "./moves.js";
import { commandsOf, commentOf, study } from "./tree.js";
/** @import { StudyNode } from "./types.js" */

// The moves of the study: the main line in a column for each side, and below a move its comment and the variations.

/** @param {string} text */
const note = (text) => make("span", { class: "note" }, [text]);

/** @param {(Node | string)[]} moves */
const variation = (...moves) => make("span", { class: "variation" }, moves);

/** Returns the evaluation and the clock of a move as they are shown. @param {StudyNode} node */
function valuesOf(node) {
  const [score] = commandsOf(node, "eval");
  const [clock] = commandsOf(node, "clk");
  // The depth may follow the evaluation.
  const shown = score?.split(",")[0].replace(/^(?=\d)/, "+").replace("-", "−");
  return [shown, clock].flatMap((value) => value ? [" ", make("span", { class: "value" }, [value])] : []);
}

/** Draws the moves. A click on one calls `pick`. @param {(node: StudyNode) => void} pick */
export function drawTree(pick) {
  /** @param {StudyNode} node @param {string} number */
  const moveButton = (node, number) => {
    const signs = node.annotations.glyphs.map((glyph) => data.glyphs[glyph] ?? "").join("");
    const button = make("button", { type: "button", class: "move", click: () => pick(node) }, [`${number}${node.san}${signs}`]);
    mark(button, node === study.node);
    return button;
  };

  /** Returns the moves from a node on, with the variations of those after it. @param {StudyNode} first @returns {(Node | string)[]} */
  const lineFrom = (first) => {
    /** @type {(Node | string)[]} */
    const parts = [];
    /** @type {StudyNode[]} */
    let others = [];
    let needsNumber = true;
    let last = first;
    for (let node = first; node; [node, ...others] = node.children) {
      const comment = commentOf(node);
      parts.push(moveButton(node, needsNumber || !node.number.endsWith("...") ? `${node.number} ` : ""), ...valuesOf(node), comment ? note(` ${comment} `) : " ");
      const replaced = node === first ? [] : [...others.flatMap((other) => [variation("(", ...lineFrom(other), ")"), " "]), ...unplayable(last)];
      parts.push(...replaced);
      needsNumber = replaced.length > 0 || comment !== "";
      last = node;
    }
    return [...parts, ...unplayable(last)];
  };

  const parts = [];
  let needsNumber = true;
  const rootComment = commentOf(study.root);
  if (rootComment) parts.push(make("div", { class: "between" }, [make("p", { class: "note" }, [rootComment])]));
  for (let from = study.root; from.children.length > 0; [from] = from.children) {
    const [node, ...others] = from.children;
    const isBlack = node.number.endsWith("...");
    if (!isBlack || needsNumber) parts.push(make("span", { class: "number" }, [node.number.replace("...", ".")]));
    if (isBlack && needsNumber) parts.push(note("…"));
    parts.push(make("span", {}, [moveButton(node, ""), ...valuesOf(node)]));
    const comment = commentOf(node);
    const below = [...comment ? [make("p", {}, [comment])] : [], ...others.map((other) => variation(...lineFrom(other))), ...unplayable(from)];
    if (below.length > 0) parts.push(...isBlack ? [] : [note("…")], make("div", { class: "between" }, below));
    needsNumber = below.length > 0;
    if (node.children.length === 0 && node.annotations.unplayable.length > 0) parts.push(make("div", { class: "between" }, unplayable(node)));
  }
  fillMoves(find("study-moves"), parts.length > 0 ? parts : [note("No moves yet. Make one on the board, or load a game below.")]);
}

/** Returns the lines after a node that cannot be played. The first one continues a line that ends here. @param {StudyNode} node */
function unplayable({ annotations, children }) {
  const [first, ...others] = annotations.unplayable;
  if (!first) return [];
  return [children.length > 0 ? `(${first})` : first, ...others.map((text) => `(${text})`)].map((text) => note(`${text} `));
}
