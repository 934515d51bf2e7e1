import { around, find, findButton, findDetails, findField, onChange, onClick, saveFile } from "../../tools/pages/common.js";
import { START_FEN } from "../../tools/pages/rules.js";
import { addExplorer, drawExplorer } from "./explorer.js";
import { acceptFiles } from "./files.js";
import { addInside } from "./inside.js";
import { drawLines, lineArrows, startAnalysis, stopAnalysis } from "./lines.js";
import { attempt, copies, showError, speak } from "./messages.js";
import { drawSteps, openingOf, spokenMove } from "./moves.js";
import { fetchGame, listGames } from "./pgn_games.js";
import { play } from "./play.js";
import { showPosition } from "./players.js";
import { request } from "./requests.js";
import { playFrom } from "./setup.js";
import { squares } from "./squares.js";
import { keepState, storedState } from "./study_storage.js";
import { addTab, carryTo, showAddress, showTab, shownTab } from "./tabs.js";
import { commentOf, promote, removeNode, setComment, toggleGlyph, variationOf } from "./tree.js";
import { addNode, childOf, marksOf, movesTo, pathTo, positionOf, setMarks, setStudy, study, studyTree } from "./tree.js";
import { drawTree } from "./tree_view.js";
import { createUndo } from "./undo.js";
/** @import { GameState, Ply, ReadGame, StudyFile, StudyNode, StudyState } from "./types.js" */

// Analyse: the moves of the study, and what can be done with them.

/** The node whose comment was edited last, until its field loses the focus. @type {StudyNode | null} */
let commented = null;

/** The file whose games are listed. @type {StudyFile | null} */
let listed = null;

/** Returns the game with the current place, in a form that can be stored. @returns {GameState} */
const gameState = () => ({ tree: studyTree(), place: movesTo(study.node) });

/** Returns the study in a form that can be stored. @returns {StudyState} */
const studyState = () => ({ ...gameState(), file: study.file });

const keepStudy = () => keepState(studyState());

const { undo, redo, remember: rememberStudy } = createUndo("study", { state: studyState, open: openState });

/** Remembers the study before another one replaces it. An empty one is not missed. */
function rememberReplaced() {
  if (study.root.children.length > 0 || study.root.fen !== START_FEN) rememberStudy();
}

/** Goes to a node and moves a running analysis to it. @param {StudyNode} node */
async function goTo(node) {
  study.node = node;
  study.view = null;
  drawStudy();
  try {
    if (!node.position) Object.assign(node, await request("/api/position", positionOf(node)));
  } catch (error) {
    // The running analysis is that of another position.
    if (study.running) stopAnalysis();
    return showError(/** @type {Error} */ (error).message);
  }
  if (study.node !== node) return;
  drawStudy();
  keepStudy();
  showAddress();
  if (study.running) startAnalysis();
}

/** Plays a move from the board or the text field: follows an existing move or adds a variation. @param {string} text */
function studyMove(text) {
  const from = study.node;
  return attempt(async () => {
    const node = await addMoves(from, [text]);
    speak(`${node.number} ${spokenMove(node.san)}`);
    await goTo(node);
  });
}

/**
 * Adds moves after a node, as one change that can be undone. Moves that are there already are followed. Returns the node
 * of the last move.
 * @param {StudyNode} from
 * @param {string[]} moves
 */
async function addMoves(from, moves) {
  const position = positionOf(from);
  /** @type {Ply[]} */
  const plies = [];
  for (const move of moves) {
    const ply = await request("/api/play", { position, move });
    plies.push(ply);
    position.moves.push(ply.uci);
  }
  let node = from;
  let isChanged = false;
  for (const ply of plies) {
    const known = childOf(node, ply.uci);
    if (!known && !isChanged) rememberStudy();
    isChanged ||= !known;
    node = known ?? addNode(node, ply);
  }
  return node;
}

/** Opens a file of games. @param {string} text */
export function openGames(text) {
  if (shownTab() !== "analyse") showTab("analyse");
  return readStudy(text);
}

/**
 * Returns the FEN and the moves in a text: a FEN, also with underscores, an EPD, or a `position` line of UCI. Returns
 * null for other texts.
 * @param {string} text
 */
function positionIn(text) {
  const [, start = "", moves = ""] = /^position\s+(startpos|fen\s+.*?)(?:\s+moves\s+(.*))?$/s.exec(text) ?? ["", text];
  const fields = (start === "startpos" ? START_FEN : start.replace(/^fen\s+/, "")).split(/[\s_]+/);
  if (!/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}$/.test(fields[0])) return null;
  // The operations of an EPD follow in place of the counters.
  const counters = fields.slice(4, 6).every((field) => /^\d+$/.test(field)) ? fields.slice(4, 6) : [];
  return { fen: [...fields.slice(0, 4), ...counters].join(" "), moves: moves.split(/\s+/).filter(Boolean) };
}

/** Loads a text: a position or games in PGN. @param {string} text */
export async function readStudy(text) {
  const trimmed = text.trim();
  if (!trimmed) return showError("Paste a game or a position first.");
  const found = positionIn(trimmed);
  return attempt(async () => {
    await (found ? readPosition(found) : readGame(text));
    findField("study-text").value = "";
    findDetails("study-import").open = false;
  });
}

/** @param {{ fen: string, moves: string[] }} found */
async function readPosition({ fen, moves }) {
  const read = async (/** @type {boolean} */ chess960) => ({ ...await request("/api/position", { fen, chess960, moves: [] }), chess960 });
  const rights = (/** @type {string} */ text) => (text.split(/\s+/)[2] ?? "").replace("-", "").length;
  let found = await read(false).catch(() => null);
  // Castling from other squares is Chess960. Standard chess refuses the FEN or drops the castling right.
  if (!found || rights(found.position.fen) < rights(fen)) {
    const other = found ? await read(true).catch(() => found) : await read(true);
    if (!found || rights(other.position.fen) > rights(found.position.fen)) found = other;
  }
  const { position, chess960 } = found;
  rememberReplaced();
  setStudy({ fen: position.fen, board: position.board, chess960 }, []);
  let node = study.root;
  for (const move of moves) node = addNode(node, await request("/api/play", { position: positionOf(node), move }));
  await goTo(node);
}

/** Has the server read a game in the form of requests. @param {object} tree */
const fetchTree = async (tree) => fetchGame(await request("/api/pgn", tree));

/** Makes a game the study, with the file that it comes from if that has other games. @param {ReadGame} game @param {StudyFile | null} file */
function setGame({ start, tags, result, annotations, nodes: plies }, file) {
  setStudy(start, tags, result, annotations);
  /** @type {StudyNode[]} */
  const nodes = [];
  for (const { parent, ...ply } of plies) nodes.push(addNode(parent === null ? study.root : nodes[parent], ply));
  study.file = file;
}

/** Loads the first readable game of a PGN. @param {string} text */
async function readGame(text) {
  const read = await fetchGame(text);
  const { titles, game: number } = read;
  rememberReplaced();
  setGame(read, titles.length > 1 ? { text, titles, number, states: {} } : null);
  await goTo(study.root);
}

/** Shows another game of the file. The present one is kept with its changes and its place. @param {number} number */
async function chooseGame(number) {
  const { file } = study;
  if (!file) return;
  const known = file.states[number];
  const isShown = await attempt(async () => {
    const game = await (known ? fetchTree(known.tree) : fetchGame(file.text, number));
    const states = { ...file.states, [file.number]: gameState() };
    rememberReplaced();
    setGame(game, { ...file, number, states });
    await goTo(nodeAt(known?.place ?? []));
  });
  if (!isShown) findField("study-games").value = String(file.number);
}

/** Lists the games of the file, if there are several. */
function drawGameList() {
  if (study.file === listed) return;
  listed = study.file;
  listGames("study-games", listed?.titles ?? [], listed?.number);
}

/** Fetches the game with its variations as PGN. @returns {Promise<string>} */
export const studyPgn = () => request("/api/pgn", studyTree());

function drawStudy() {
  if (shownTab() !== "analyse") return;
  const { node } = study;
  showPosition({
    fen: node.fen, moved: node.squares, arrows: lineArrows(study.view), movable: "wb", marks: marksOf(node),
  });
  findField("study-fen").value = node.fen;
  find("study-ending").textContent = node.ending?.text ?? "";
  const path = pathTo(node);
  find("study-opening").textContent = openingOf(path);
  drawSteps(path.length, node.children.length > 0 ? Infinity : path.length);
  drawGameList();
  drawTree(goTo);
  drawNotes(node);
  drawLines();
  drawExplorer("analyse");
  drawInside();
}

/** Draws what can be done with the shown move. @param {StudyNode} node */
function drawNotes(node) {
  const field = findField("study-comment");
  const name = node.parent ? `${node.number} ${node.san}` : "the start";
  if (field.value.trim() !== commentOf(node)) field.value = commentOf(node);
  field.setAttribute("aria-label", `Comment on ${name}`);
  field.placeholder = `Comment on ${name}`;
  for (const button of /** @type {Iterable<HTMLButtonElement>} */ (find("study-glyphs").children)) {
    button.disabled = !node.parent;
    button.setAttribute("aria-pressed", String(node.annotations.glyphs.includes(Number(button.dataset.glyph))));
  }
  findButton("study-remove").disabled = !node.parent;
  findButton("study-promote").disabled = !variationOf(node);
}

/** Makes a change that can be undone. @param {() => void} change */
function changeStudy(change) {
  rememberStudy();
  change();
  drawStudy();
  keepStudy();
}

/** Writes what is typed into the comment. The changes of a visit to the field are undone together. */
function writeComment() {
  const { node } = study;
  if (commented !== node) rememberStudy();
  commented = node;
  setComment(node, findField("study-comment").value.trim());
  drawTree(goTo);
  keepStudy();
}

/** Goes to the previous or the next move. @param {number} by */
function studyStep(by) {
  const next = by < 0 ? study.node.parent : study.node.children[0];
  if (next) goTo(next);
}

/** Goes to the end of the current line or to the start. @param {boolean} last */
function studyEnd(last) {
  let node = last ? study.node : study.root;
  while (last && node.children.length > 0) [node] = node.children;
  goTo(node);
}

/** Opens the game that is played as a study, at the shown ply. */
function studyGame() {
  const { game } = play;
  if (!game) return;
  const result = game.ending?.result ?? "*";
  rememberReplaced();
  setStudy(game.start, [["White", game.names[0]], ["Black", game.names[1]], ["Result", result]], result);
  let node = study.root;
  let shown = node;
  game.plies.forEach((ply, index) => {
    node = addNode(node, ply);
    if (index + 1 === play.shown) shown = node;
  });
  carryTo("analyse");
  goTo(shown);
}

/** Returns the node after these moves from the start. @param {string[]} place */
function nodeAt(place) {
  let node = study.root;
  for (const uci of place) node = childOf(node, uci) ?? node;
  return node;
}

/** Opens a study from a stored form. @param {StudyState} state */
async function openState({ tree, place, file }) {
  setGame(await fetchTree(tree), file);
  await goTo(nodeAt(place));
}

/** Opens the stored study, if there is one. */
export async function restoreStudy() {
  const state = storedState();
  if (state) await openState(state);
}

/** Shows a position that an address names: a node of the study, or else a study of its own. @param {string} fen */
async function openFen(fen) {
  if (!fen || fen === study.node.fen) return;
  const nodes = [study.root];
  for (const node of nodes) nodes.push(...node.children);
  const node = nodes.find((candidate) => candidate.fen === fen);
  await (node ? goTo(node) : readStudy(fen));
}

/** Adds moves of a line of the engine to the study and goes to the last one. @param {MouseEvent} event */
const playLine = (event) => attempt(async () => {
  const button = around(event, "button");
  const [row, list] = [around(event, "li"), button?.parentElement];
  if (!row || !button || !list) return;
  const [rank, index] = [[...find("found-lines").children].indexOf(row), [...list.children].indexOf(button)];
  await playMoves(study.view?.lines[rank].moves.slice(0, index + 1).map(({ uci }) => uci) ?? []);
});

/** Adds moves after the shown one and goes to the last of them. @param {string[]} moves */
const playMoves = async (moves) => goTo(await addMoves(study.node, moves));

addExplorer("analyse", { position: () => positionOf(study.node), play: studyMove });
// Only after the end: during the game it would help the player.
addExplorer("play", {
  position: () => play.game?.ending ? { fen: play.game.start.fen, chess960: play.game.start.chess960, moves: play.game.plies.slice(0, play.shown).map(({ uci }) => uci) } : null,
  play: (san) => {
    studyGame();
    return studyMove(san);
  },
});
const drawInside = addInside({ position: () => positionOf(study.node), fen: () => study.node.fen, play: (line) => attempt(() => playMoves(line)) });

addTab("analyse", {
  place: () => study.node.fen.replaceAll(" ", "_"),
  open: (place) => openFen(place.replaceAll("_", " ")),
  draw: () => {
    drawStudy();
    if (!study.node.position) goTo(study.node);
  },
  step: studyStep, end: studyEnd, move: studyMove,
  keys: { "Ctrl+z": undo, "Ctrl+Shift+z": redo, "Ctrl+y": redo },
  // A hidden analysis needs no search.
  leave: () => { if (study.running) stopAnalysis(); },
  names: () => ["White", "Black"].map((side) => {
    const [, name = "?"] = study.tags.find(([tag]) => tag === side) ?? [];
    return name === "?" ? side : name;
  }),
  start: () => study.root.fen,
});
squares.onMark = (marks) => {
  if (shownTab() !== "analyse") return;
  rememberStudy();
  setMarks(study.node, marks);
  drawStudy();
  keepStudy();
};
acceptFiles("study-file", openGames);
onClick("study-read", () => readStudy(findField("study-text").value));
find("study-text").addEventListener("paste", () => setTimeout(() => readStudy(findField("study-text").value)));
onChange("study-games", () => chooseGame(Number(findField("study-games").value)));
onChange("study-fen", () => readStudy(findField("study-fen").value));
onChange("arrows", drawStudy);
onClick("found-lines", playLine);
copies("study-copy-fen", () => study.node.fen);
copies("study-copy", studyPgn);
onClick("study-download", () => attempt(async () => saveFile("study.pgn", await studyPgn(), "application/x-chess-pgn")));
onClick("study-glyphs", (event) => {
  const glyph = around(event, "button")?.dataset.glyph;
  if (glyph) changeStudy(() => toggleGlyph(study.node, Number(glyph)));
});
find("study-comment").addEventListener("input", writeComment);
find("study-comment").addEventListener("blur", () => { commented = null; });
onClick("study-promote", () => changeStudy(() => promote(study.node)));
onClick("study-remove", () => {
  rememberStudy();
  goTo(removeNode(study.node));
});
onClick("study-play", () => playFrom(study.node.fen));
for (const id of ["analyse-game", "analyse-ended"]) onClick(id, studyGame);
