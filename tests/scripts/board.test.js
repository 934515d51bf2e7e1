// How the pieces of a board are followed from one position to the next, and how marks are drawn.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { load } = require("./support.js");

const { rules, followPieces, readPlacement, toggleMark } = load("rules", "followPieces", "readPlacement", "toggleMark");

/** Returns the moves of the pieces between two placements, in words. */
function followed(before, after) {
  const pieces = readPlacement(before).flatMap((sign, square) => sign ? [{ sign, square }] : []);
  const { squares, added } = followPieces(pieces, readPlacement(after));
  const went = pieces.flatMap(({ sign, square }, index) => squares[index] === square ? [] : [`${sign} ${rules.name(square)} ${squares[index] < 0 ? "gone" : rules.name(squares[index])}`]);
  return [...went, ...added.map((square) => `${readPlacement(after)[square]} new ${rules.name(square)}`)];
}

test("only the pieces of a move leave their squares", () => {
  assert.deepStrictEqual(followed("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1", "4k3/8/8/8/4P3/8/8/R3K2R"), ["P e2 e4"]);
  assert.deepStrictEqual(followed("4k3/8/8/8/8/8/8/R3K2R", "4k3/8/8/8/8/8/8/R4RK1"), ["K e1 g1", "R h1 f1"]);
});

test("a captured piece is gone, and a promoted one is new", () => {
  assert.deepStrictEqual(followed("4k3/8/8/3p4/4P3/8/8/4K3", "4k3/8/8/3P4/8/8/8/4K3"), ["P e4 d5", "p d5 gone"]);
  assert.deepStrictEqual(followed("7k/P7/8/8/8/8/8/K7", "Q6k/8/8/8/8/8/8/K7"), ["P a7 gone", "Q new a8"]);
});

test("of equal pieces the one that moved is followed", () => {
  assert.deepStrictEqual(followed("4k3/8/8/8/8/8/8/RN2K1N1", "4k3/8/8/8/8/5N2/8/RN2K3"), ["N g1 f3"]);
});

test("the same mark again removes it, and another colour changes it", () => {
  const marks = (...drawn) => JSON.stringify(drawn.reduce(toggleMark, []));
  const [green, red, other] = [["e2", "e4", "green"], ["e2", "e4", "red"], ["d2", "d4", "green"]];
  assert.strictEqual(marks(green, other, red), JSON.stringify([other, red]));
  assert.strictEqual(marks(green, other, green), JSON.stringify([other]));
  assert.strictEqual(marks(green, red, red), "[]");
  assert.strictEqual(marks(["e4", "green"], ["e4", "red"]), JSON.stringify([["e4", "red"]]));
});
