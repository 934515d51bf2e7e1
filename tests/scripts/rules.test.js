// The rules in the scripts of pages, checked with the same perft counts as the engine.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { load } = require("./support.js");

const root = path.join(__dirname, "..", "..");
const { rules } = load("rules");

function perft(position, depth) {
  const moves = rules.moves(position);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(rules.play(position, move), depth - 1), 0);
}

/** Returns the position after moves, given by their names. */
function played(fen, ...names) {
  return names.reduce((position, name) => {
    const move = rules.moves(position).find((it) => rules.san(position, it) === name);
    assert.ok(move, name + " is legal in " + rules.fen(position));
    return rules.play(position, move);
  }, rules.read(fen));
}

for (const file of ["perft.epd", "perft-chess960.epd"]) {
  test(file, () => {
    for (const line of fs.readFileSync(path.join(root, "epd", file), "utf8").split("\n").filter(Boolean)) {
      const [fen, ...counts] = line.split(";");
      for (const [depth, nodes] of counts.map((count) => count.trim().slice(1).split(" ").map(Number))) {
        if (nodes < 9000) assert.strictEqual(perft(rules.read(fen), depth), nodes, fen + " depth " + depth);
      }
    }
  });
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("reading and writing a FEN returns the same FEN", () => {
  for (const fen of [START, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", "8/8/8/3pP3/8/8/8/k1K5 w - d6 0 9"]) {
    assert.strictEqual(rules.fen(rules.read(fen)), fen);
  }
});

test("moves are named in algebraic notation", () => {
  const mated = played(START, "e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#");
  assert.strictEqual(rules.moves(mated).length, 0);
  assert.ok(rules.isCheck(mated));
  const names = (fen) => rules.moves(rules.read(fen)).map((move) => rules.san(rules.read(fen), move));
  const has = (fen, ...wanted) => assert.deepStrictEqual(wanted.filter((it) => !names(fen).includes(it)), []);
  has("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "O-O-O", "Rd1", "Rh8+");
  has("7k/P7/8/3pP3/8/8/8/K1N3N1 w - d6 0 1", "a8=Q+", "a8=N", "exd6", "Nce2", "Nge2");
  has("k7/8/8/R7/8/8/8/R3K2R w - - 0 1", "R1a3+", "R5a3+");
});

test("counters, castling rights and the en passant square are updated by moves", () => {
  assert.strictEqual(rules.fen(played(START, "e4")), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  assert.match(rules.fen(played(START, "e4", "a6", "e5", "d5")), / w KQkq d6 0 3$/);
  assert.match(rules.fen(played(START, "Nf3", "Nf6", "Rg1")), / b Qkq - 3 2$/);
});

test("a premove may go wherever the piece could move after some reply", () => {
  const targets = (fen, from) => rules.premoves(rules.read(fen), rules.square(from)).map(rules.name).sort().join(" ");
  assert.strictEqual(targets(START, "e2"), "d3 e3 e4 f3");
  assert.strictEqual(targets(START, "e7"), "d6 e5 e6 f6");
  assert.strictEqual(targets(START, "g1"), "e2 f3 h3");
  assert.strictEqual(targets("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "e1"), "d1 d2 e2 f1 f2 g1 h1");
  assert.strictEqual(targets("4k3/P7/8/8/8/8/8/4K3 b - - 0 1", "a7"), "a8 b8");
});
