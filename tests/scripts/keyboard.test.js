// Typed moves on pages with a board, and texts for screen readers.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { load } = require("./support.js");

const { rules, findTypedMoves, piecesInWords } = load("rules", "findTypedMoves", "piecesInWords");

/** Returns the name of the move that a text means. */
function moveName(fen, text) {
  const position = rules.read(fen);
  const moves = findTypedMoves(position, text).map((move) => rules.san(position, move));
  return moves.length > 1 ? moves.join(" ") : moves[0];
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

test("a move is understood in short and in long notation", () => {
  for (const text of ["Nf3", "nf3", " Nf3! ", "g1f3", "G1F3"]) assert.strictEqual(moveName(START, text), "Nf3", text);
  for (const text of ["O-O", "o-o", "0-0", "e1g1", "e1h1"]) assert.strictEqual(moveName(CASTLING, text), "O-O", text);
  assert.strictEqual(moveName(CASTLING, "0-0-0"), "O-O-O");
  for (const text of ["exd6", "ed6", "e5d6"]) assert.strictEqual(moveName("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", text), "exd6", text);
  for (const text of ["e2e4", "E2E4", "e4", "E4"]) assert.strictEqual(moveName(START, text), "e4", text);
  for (const text of ["a8=N", "a8N", "a7a8n"]) assert.strictEqual(moveName("7k/P7/8/8/8/8/8/K7 w - - 0 1", text), "a8=N", text);
});

test("a promotion without its piece means all four", () => {
  const fen = "1r5k/P1P5/8/8/8/8/8/K7 w - - 0 1";
  for (const text of ["a8", "A8", "a7a8"]) assert.strictEqual(moveName(fen, text), "a8=Q a8=R a8=B a8=N", text);
  assert.strictEqual(moveName(fen, "axb8"), "axb8=Q+ axb8=R+ axb8=B axb8=N");
  assert.strictEqual(moveName(fen, "b8"), undefined);
});

test("a lower-case b is a pawn if a pawn can move there, otherwise a bishop", () => {
  const both = "7k/8/8/8/2p5/1P6/4B3/K7 w - - 0 1";
  assert.deepStrictEqual([moveName(both, "bxc4"), moveName(both, "Bxc4")], ["bxc4", "Bxc4"]);
  assert.strictEqual(moveName("7k/8/8/8/2p5/8/4B3/K7 w - - 0 1", "bxc4"), "Bxc4");
});

test("in Chess960 the king's own step comes before castling", () => {
  const fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
  assert.strictEqual(moveName(fen, "f1g1"), "Kg1");
  assert.strictEqual(moveName(fen, "f1h1"), "O-O");
});

test("a text that is not a legal move means no move", () => {
  for (const text of ["", "e5", "Ke2", "nonsense", "e2e4q"]) assert.strictEqual(moveName(START, text), undefined, text);
});

test("the pieces are listed by side and kind", () => {
  assert.strictEqual(piecesInWords("4k3/8/8/8/8/8/P7/4K2R w K - 0 1"), "White: king e1, rook h1, pawn a2. Black: king e8");
  assert.strictEqual(piecesInWords("8/8/8/8/8/8/8/8"), "White: nothing. Black: nothing");
});
