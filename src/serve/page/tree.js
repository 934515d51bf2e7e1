import { START_FEN } from "../../tools/pages/rules.js";
/** @import { Annotations, Marks, Ply, Start, Study, StudyNode } from "./types.js" */

// The analysed game: a tree of moves.

/** Annotations of a move without any. @type {Annotations} */
const NO_ANNOTATIONS = { comment: "", glyphs: [], unplayable: [] };

/** @param {string} fen @returns {StudyNode} */
const rootNode = (fen, annotations = NO_ANNOTATIONS) => ({ parent: null, children: [], number: "", san: "", uci: "", fen, squares: [], annotations });
const root = rootNode(START_FEN);

/** The analysed game, and the shown node. @type {Study} */
export const study = { root, node: root, tags: [], result: "*", chess960: false, file: null, running: false, view: null };

/** Begins a study from a position, without a file. @param {Start} start @param {[string, string][]} tags */
export function setStudy(start, tags, result = "*", annotations = NO_ANNOTATIONS) {
  const node = rootNode(start.fen, annotations);
  Object.assign(study, { root: node, node, chess960: start.chess960, tags, result, file: null });
}

/** Returns the child of a node with this move, if there is one. @param {StudyNode} parent @param {string} move */
export const childOf = (parent, move) => parent.children.find(({ uci }) => uci === move);

/** Adds a move as a child and returns its node, or the existing child with this move. @param {StudyNode} parent @param {Ply & { annotations?: Annotations }} ply @returns {StudyNode} */
export function addNode(parent, ply) {
  const known = childOf(parent, ply.uci);
  if (known) return known;
  const node = { annotations: NO_ANNOTATIONS, ...ply, parent, children: [] };
  parent.children.push(node);
  return node;
}

/** Returns the nodes from the start to a node. @param {StudyNode} node */
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** Returns the moves from the start to a node. @param {StudyNode} node */
export const movesTo = (node) => pathTo(node).map(({ uci }) => uci);

/** Returns the position of a node in the form of requests. @param {StudyNode} node */
export const positionOf = (node) => ({ fen: study.root.fen, chess960: study.chess960, moves: movesTo(node) });

/** Returns the nearest node on the path to a node that begins a variation. @param {StudyNode} node */
export const variationOf = (node) => pathTo(node).findLast((each) => each.parent?.children[0] !== each);

/** Makes the variation that a node belongs to the main continuation of the move before it. @param {StudyNode} node */
export function promote(node) {
  const first = variationOf(node);
  if (first?.parent) first.parent.children = [first, ...first.parent.children.filter((other) => other !== first)];
}

/** Deletes a node and the moves after it, and returns the node before it. @param {StudyNode} node */
export function removeNode(node) {
  if (!node.parent) return node;
  node.parent.children = node.parent.children.filter((child) => child !== node);
  return node.parent;
}

/** Returns the game with its variations in the form of requests. */
export function studyTree() {
  /** @type {object[]} */
  const nodes = [];
  const collect = (/** @type {StudyNode} */ node) => node.children.forEach((child) => {
    child.index = nodes.length;
    nodes.push({ parent: node.index ?? null, uci: child.uci, annotations: child.annotations });
    collect(child);
  });
  collect(study.root);
  const tags = study.tags.length > 0 ? study.tags : [["White", "?"], ["Black", "?"], ["Result", "*"]];
  const needsFen = study.root.fen !== START_FEN && !tags.some(([name]) => name === "FEN");
  const start = needsFen ? [["SetUp", "1"], ["FEN", study.root.fen], ...(study.chess960 ? [["Variant", "Chess960"]] : [])] : [];
  return { fen: study.root.fen, chess960: study.chess960, tags: [...tags, ...start], result: study.result, annotations: study.root.annotations, nodes };
}

/** A command in a comment: "[%eval 0.3]". */
const COMMAND = /\[%(\w+) ([^\]]*)\]/g;

/** Returns the values of a command in the comment of a node. @param {StudyNode} node @param {string} name */
export const commandsOf = ({ annotations: { comment } }, name) => [...comment.matchAll(COMMAND)].filter(([, found]) => found === name).map(([, , value]) => value);

/** Returns the comment of a node without commands. @param {StudyNode} node */
export const commentOf = ({ annotations: { comment } }) => comment.replace(COMMAND, "").trim();

/** Writes a comment; the commands in the old one are kept. @param {StudyNode} node @param {string} text */
export function setComment(node, text) {
  const commands = (node.annotations.comment.match(COMMAND) ?? []).join(" ");
  node.annotations = { ...node.annotations, comment: [commands, text].filter(Boolean).join(" ") };
}

/** Glyphs that judge a move; a move has at most one of them: "!", "?", "!!", "??", "!?" and "?!". */
const JUDGEMENTS = [3, 1, 5, 6, 2, 4];

/** Gives a move the glyph, in place of another judgement, or takes it away. @param {StudyNode} node @param {number} glyph */
export function toggleGlyph(node, glyph) {
  const { glyphs } = node.annotations;
  const others = glyphs.filter((other) => !JUDGEMENTS.includes(other));
  node.annotations = { ...node.annotations, glyphs: glyphs.includes(glyph) ? others : [glyph, ...others] };
}

/** @type {Record<string, string>} */
const MARK_COLOURS = { G: "green", R: "red", Y: "yellow", B: "blue" };

/** Returns the arrows and circles in the comment of a node: "[%cal Ge2e4][%csl Rd4]". @param {StudyNode} node @returns {Marks} */
export function marksOf(node) {
  const read = (/** @type {string} */ name) => commandsOf(node, name).flatMap((list) => list.split(",")).map((mark) => mark.trim())
    .filter((mark) => /^[GRYB]([a-h][1-8]){1,2}$/.test(mark)).map((mark) => [...mark.slice(1).match(/../g) ?? [], MARK_COLOURS[mark[0]]]);
  return { arrows: read("cal").filter(({ length }) => length === 3), circles: read("csl").filter(({ length }) => length === 2) };
}

/** Writes arrows and circles into the comment of a node. @param {StudyNode} node @param {Marks} marks */
export function setMarks(node, { arrows, circles }) {
  const write = (/** @type {string} */ name, /** @type {string[][]} */ marks) =>
    marks.length > 0 ? `[%${name} ${marks.map((mark) => (mark.at(-1) ?? "")[0].toUpperCase() + mark.slice(0, -1).join("")).join(",")}]` : "";
  const rest = node.annotations.comment.replace(/\[%c[as]l [^\]]*\]/g, "").trim();
  node.annotations = { ...node.annotations, comment: [write("csl", circles) + write("cal", arrows), rest].filter(Boolean).join(" ") };
}
