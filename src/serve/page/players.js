import { find } from "../../tools/pages/common.js";
import { KINDS, pieceSvg } from "../../tools/pages/board.js";
import { readPlacement } from "../../tools/pages/placement.js";
import { squares } from "./squares.js";
import { shownTab, tabs } from "./tabs.js";
/** @import { View } from "./types.js" */

// Names, clocks and captured pieces above and below the board.

/** @type {Record<string, number>} */
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };

/** Shows a position on the board with its players. @param {View} view */
export function showPosition(view) {
  squares.board.show({ movable: "", ...view, flipped: squares.flipped });
  drawPlayers();
}

/**
 * Returns the kinds of the pieces that a side has captured since the start, and its lead in material in
 * pawns. A pawn that was promoted is not captured.
 * @param {string} side
 * @param {string} start
 * @param {string} fen
 */
export function capturedBy(side, start, fen) {
  const [before, now] = [start, fen].map(readPlacement);
  const count = (/** @type {string[]} */ board, /** @type {string} */ kind, /** @type {string} */ colour) =>
    board.filter((sign) => sign === (colour === "white" ? kind.toUpperCase() : kind)).length;
  const other = side === "white" ? "black" : "white";
  const missing = Object.fromEntries(Object.keys(VALUES).map((kind) => [kind, count(before, kind, other) - count(now, kind, other)]));
  for (const kind of "qrbn") missing.p -= Math.max(0, -missing[kind]);
  const lead = Object.entries(VALUES).reduce((sum, [kind, value]) => sum + value * (count(now, kind, side) - count(now, kind, other)), 0);
  return { kinds: Object.keys(VALUES).flatMap((kind) => new Array(Math.max(0, missing[kind])).fill(kind)), lead };
}

/** Returns a part of each of the rows above and below the board, with its side. @param {string} selector @returns {[HTMLElement, "white" | "black"][]} */
const partsOfRows = (selector) => ["above", "below"].map((id, index) =>
  [/** @type {HTMLElement} */ (find(id).querySelector(selector)), (index === 0) === squares.flipped ? "white" : "black"]);

function drawPlayers() {
  const tab = tabs[shownTab()];
  const names = tab.names?.() ?? ["White", "Black"];
  const start = tab.start?.();
  for (const [man, side] of partsOfRows(".man")) man.className = `man of-${side}`;
  for (const [name, side] of partsOfRows("b")) name.textContent = names[side === "white" ? 0 : 1];
  for (const [place, side] of partsOfRows(".captured")) drawCaptured(place, start ? capturedBy(side, start, squares.board.view.fen) : { kinds: [], lead: 0 }, side);
  drawClocks();
}

/** @param {HTMLElement} place @param {{ kinds: string[], lead: number }} captured @param {string} side */
function drawCaptured(place, { kinds, lead }, side) {
  const words = kinds.map((kind) => KINDS[kind]).join(", ");
  const label = [words && `captured: ${words}`, lead > 0 && `ahead by ${lead}`].filter(Boolean).join("; ");
  if (place.title === label) return;
  place.title = label;
  const colour = side === "white" ? "black" : "white";
  place.innerHTML = kinds.map((kind) => pieceSvg(kind, colour, "14 10 72 82")).join("");
  place.append(lead > 0 ? `+${lead}` : "");
}

export function drawClocks() {
  const clocks = tabs[shownTab()].clocks?.();
  for (const [display, side] of partsOfRows(".clock")) {
    const { text, isRunning, isLow } = clocks?.[side === "white" ? 0 : 1] ?? { text: "" };
    display.classList.toggle("running", Boolean(isRunning));
    display.classList.toggle("low", Boolean(isLow));
    display.textContent = text;
  }
}
