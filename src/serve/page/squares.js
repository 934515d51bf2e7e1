import { find } from "../../tools/pages/common.js";
import { findTypedMoves } from "../../tools/pages/keyboard.js";
import { createBoard } from "../../tools/pages/moving.js";
import { rules } from "../../tools/pages/rules.js";
import { playSound, soundOf } from "./sounds.js";
/** @import { Move, Position, Squares } from "./types.js" */

/** The board of the page. @type {Squares} */
export const squares = {
  flipped: false,
  board: createBoard(find("board"), (move, position) => makeMove(rules.san(position, move), move, position), (marks) => squares.onMark(marks)),
  onMove: async () => false,
  onMark: () => {},
};

/** @param {string} san @param {Move} [move] @param {Position} [position] */
async function makeMove(san, move, position) {
  if (move) playSound(soundOf(san));
  if (!await squares.onMove(san, move, position)) squares.board.restore();
}

/** Makes a typed move. The server explains why a move that is not legal is refused. @param {string} text */
export function typeMove(text) {
  const { fen, movable = "wb" } = squares.board.view;
  const position = rules.read(fen);
  const moves = movable.includes(position.turn) ? findTypedMoves(position, text) : [];
  if (moves.length > 0) squares.board.decide(moves);
  else makeMove(text);
}

export function flipBoard(flipped = !squares.flipped) {
  squares.flipped = flipped;
  find("chances").classList.toggle("flipped", flipped);
  squares.board.show({ ...squares.board.view, flipped });
}

/** Draws the bar of White's wins, draws and losses next to the board; an empty one without them. @param {number[] | null} [wdl] */
export function drawChances(wdl, words = "") {
  const bar = find("chances");
  bar.classList.toggle("known", Boolean(wdl));
  if (!wdl) return;
  const parts = /** @type {HTMLElement[]} */ ([".white-wins", ".draws", ".black-wins"].map((part) => bar.querySelector(part)));
  parts.forEach((part, index) => { part.style.flexGrow = String(wdl[index]); });
  bar.setAttribute("aria-label", words);
}
