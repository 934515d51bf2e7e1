import { find, findDetails, findField, make, onChange, onClick } from "../../tools/pages/common.js";
import { KINDS, colourOf, pieceSvg } from "../../tools/pages/board.js";
import { EMPTY_FEN } from "../../tools/pages/moving.js";
import { readPlacement } from "../../tools/pages/placement.js";
import { START_FEN, rules } from "../../tools/pages/rules.js";
import { attempt } from "./messages.js";
import { showPosition } from "./players.js";
import { request } from "./requests.js";
import { readStudy } from "./study.js";
import { addTab, carryTo, showAddress, showTab, shownTab } from "./tabs.js";
import { study } from "./tree.js";

// The position editor: on the board, pieces may be placed, moved anywhere and taken off.

/**
 * The edited position, the piece that a tap places ("" removes one, null moves pieces), and the tab to go back to.
 * @type {{ board: string[], piece: string | null, from: string }}
 */
const editor = { board: readPlacement(EMPTY_FEN), piece: null, from: "analyse" };
const castlingFields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=castling]"));

/** Opens the editor with a position. @param {string} fen */
function editPosition(fen) {
  editor.from = shownTab();
  setEdited(fen);
  carryTo("edit");
}

/** Sets the pieces, the side to move and the castling rights from a FEN. @param {string} fen */
function setEdited(fen) {
  const [, turn = "w", castling = "-"] = fen.split(" ");
  editor.board = readPlacement(fen);
  findField("edit-turn").value = turn;
  for (const field of castlingFields) field.checked = castling.includes(field.value);
}

/** Returns the edited position as FEN. */
function editedFen() {
  const [placement] = rules.fen({ board: editor.board, turn: "w", rooks: [], enPassant: -1, half: 0, full: 1 }).split(" ");
  const castling = [...castlingFields].filter(({ checked }) => checked).map(({ value }) => value).join("");
  return `${placement} ${findField("edit-turn").value} ${castling || "-"} - 0 1`;
}

function drawEditor() {
  const { piece } = editor;
  showPosition({ fen: editedFen(), onFreeMove: movePiece, onPress: piece === null ? undefined : (square) => pressSquare(square, piece) });
  findField("edit-fen").value = editedFen();
  for (const button of find("palette").children) button.setAttribute("aria-pressed", String(String(piece) === button.getAttribute("data-piece")));
  showAddress();
}

/** Sets the pieces on squares. @param {[square: number, piece: string][]} changes */
function setPieces(...changes) {
  for (const [square, piece] of changes) editor.board = editor.board.with(square, piece);
  drawEditor();
}

/** Puts a piece on a square; the same piece again removes it. @param {number} square @param {string} piece */
const pressSquare = (square, piece) => setPieces([square, editor.board[square] === piece ? "" : piece]);

/** Moves a piece to a square, or off the board if `to` is null. @param {{ from: number, to: number | null }} squares */
const movePiece = ({ from, to }) => setPieces([from, ""], ...to === null ? [] : [/** @type {[number, string]} */ ([to, editor.board[from]])]);

/** Has the server check a position, then calls `use` with it. @param {string} fen @param {(fen: string) => unknown} use */
const usePosition = (fen, use) => attempt(async () => {
  await request("/api/position", { fen, chess960: true, moves: [] });
  await use(fen);
});

/** @param {string} fen */
function showEdited(fen) {
  setEdited(fen);
  drawEditor();
}

/** Returns the button of the palette for a piece. @param {string | null} piece */
function paletteButton(piece) {
  const words = piece === null ? "Move pieces" : piece === "" ? "Remove pieces" : `Place a ${colourOf(piece)} ${KINDS[piece.toLowerCase()]}`;
  const choose = () => {
    editor.piece = piece;
    drawEditor();
  };
  const button = make("button", { type: "button", "data-piece": String(piece), "aria-label": words, title: words, click: choose }, [piece === null ? "↖" : piece === "" ? "✕" : ""]);
  if (!piece) return button;
  button.innerHTML = pieceSvg(piece.toLowerCase(), colourOf(piece));
  // A piece can also be dragged to a square.
  button.addEventListener("pointerdown", ({ pointerId }) => button.setPointerCapture(pointerId));
  button.addEventListener("pointerup", ({ clientX, clientY }) => {
    const square = document.elementFromPoint(clientX, clientY)?.closest("[data-square]")?.getAttribute("data-square");
    if (square) setPieces([rules.square(square), piece]);
  });
  return button;
}

// The editor has no tab of its own: Play and Analyse open it.
addTab("edit", {
  place: () => editedFen().replaceAll(" ", "_"),
  open: (place) => {
    const fen = place.replaceAll("_", " ");
    if (fen && fen !== editedFen()) showEdited(fen);
  },
  draw: drawEditor,
  parent: () => editor.from,
});
find("palette").append(...[null, ..."KQRBNPkqrbnp", ""].map(paletteButton));
for (const field of [find("edit-turn"), ...castlingFields]) field.addEventListener("change", drawEditor);
onChange("edit-fen", () => usePosition(findField("edit-fen").value.trim().replaceAll("_", " "), showEdited));
onClick("edit-start", () => showEdited(START_FEN));
onClick("edit-clear", () => showEdited(EMPTY_FEN));
onClick("edit-cancel", () => showTab(editor.from));
onClick("edit-analyse", () => usePosition(editedFen(), (fen) => { carryTo("analyse"); return readStudy(fen); }));
onClick("edit-play", () => usePosition(editedFen(), (fen) => {
  findField("fen").value = fen;
  find("fen").dispatchEvent(new Event("input", { bubbles: true }));
  showTab("play");
  findDetails("new-game").open = true;
  find("setup").scrollIntoView({ block: "nearest" });
}));
onClick("study-edit", () => editPosition(study.node.fen));
onClick("setup-edit", () => editPosition(findField("fen").value.trim() || START_FEN));
