// The script of a game's page: its texts while a line is shown instead of the game.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const F6 = "rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const NF3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
const best = [["1...", "e5", E5, ["e7", "e5"]], ["2.", "Nf3", NF3, ["g1", "f3"]]];

function game() {
  const page = open("tools/games/page.js", {
    blackBelow: false, pgn: "1. e4 f6 *",
    positions: [
      { fen: START, score: "+0.20", chance: 0.52, depth: 9, line: [["1.", "e4", E4, ["e2", "e4"]]], others: [{ score: "#2", chance: 1, line: [["1.", "d4", E4, ["d2", "d4"]]] }] },
      { fen: E4, score: "+0.20", chance: 0.52, depth: 9, line: best, name: "1. e4", moved: ["e2", "e4"], best: true, loss: 0, onlyMove: true, engine: { score: "#−12", depth: 20, seconds: 0.5 } },
      { fen: F6, score: "+4.00", chance: 0.81, depth: 9, line: [], name: "1... f6", moved: ["f7", "f6"], best: false, loss: 29, fault: "blunder", missedWin: true, verdict: "Blunder. e5 was best." },
    ],
    variations: [
      { at: 1, parent: null, steps: [["1...", "e5", E5, ["e7", "e5"], { comment: "solid" }], ["2.", "Nf3", NF3, ["g1", "f3"]]] },
      { at: 1, parent: [0, 1], steps: [["2.", "d4", E5, ["d2", "d4"]]] },
    ],
  });
  const step = (line, index) => ({ dataset: { line, step: String(index) } });
  return {
    ...page, bar: () => page.find("share").style.height,
    look: (line, index) => page.handlers.click({ target: { closest: (selector) => selector === ".step" ? step(line, index) : null } }),
  };
}

test("headline, score and bar belong to the current line, and Esc returns to the game", () => {
  const page = game();
  page.press("End");
  assert.match(page.text("name"), /1\.\.\. f6 blunder, a win missed/);
  assert.match(page.text("description"), /depth 9\. Blunder\. e5 was best\. The move gave away 29 % of a point\.$/);
  assert.strictEqual(page.bar(), "81%");
  assert.ok(page.isHidden("return"));
  page.look("b1", 1);
  assert.match(page.text("name"), /^2\. Nf3 best line$/);
  assert.match(page.text("description"), /\+0\.20 \(52 %\)/);
  assert.deepStrictEqual([page.bar(), page.fen(), page.isHidden("return")], ["52%", NF3, false]);
  assert.match(page.text("return"), /1\.\.\. f6/);
  page.press("Escape");
  assert.match(page.text("name"), /1\.\.\. f6 blunder/);
  assert.deepStrictEqual([page.bar(), page.fen(), page.isHidden("return")], ["81%", F6, true]);
});

test("variations of the file, including nested ones, can be played through with their comments", () => {
  const page = game();
  page.look("v0", 0);
  assert.strictEqual(page.text("comment"), "solid");
  assert.match(page.text("description"), /Not searched/);
  assert.match(page.text("shown-line"), /Variation.*1\.\.\. e5.*2\. Nf3/);
  page.look("v1", 0);
  page.press("ArrowLeft");
  assert.strictEqual(page.fen(), E5);
  page.press("ArrowLeft");
  assert.deepStrictEqual([page.fen(), page.isHidden("return")], [E4, true]);
});

test("a move on the board follows the game, then the best line, otherwise it begins a new line", () => {
  const page = game();
  page.move("e2", "e4");
  assert.match(page.text("name"), /^1\. e4 the only move/);
  page.move("e7", "e5");
  assert.match(page.text("name"), /1\.\.\. e5 best line/);
  page.move("d2", "d4");
  assert.match(page.text("name"), /2\. d4 your moves/);
  assert.match(page.text("shown-line"), /Your moves.*1\.\.\. e5.*2\. d4/);
  assert.strictEqual(page.bar(), "0");
  page.press("ArrowLeft");
  assert.match(page.text("name"), /1\.\.\. e5 your moves/);
  page.press("Escape");
  assert.match(page.text("name"), /^1\. e4 the only move/);
});

test("lines after the best one are shown, and a mate names its side", () => {
  const page = game();
  assert.match(page.find("others").children[0].textContent, /^Or #2 1\. d4 $/);
  page.look("b0/1", 0);
  assert.match(page.text("name"), /1\. d4 another line/);
  assert.match(page.text("description"), /^White mates in 2 \(100 %\)/);
  assert.ok(page.isHidden("shown-line"), "it is shown already");
  page.press("Escape");
  page.press("ArrowRight");
  assert.match(page.text("name"), /1\. e4 the only move/);
  assert.match(page.text("description"), /The player thought: Black mates in 12 \(depth 20, 0\.5 s\)\.$/);
});

test("a move can be typed, and an illegal move gives an error with its name", () => {
  const page = game();
  page.type("e2e4");
  assert.match(page.text("name"), /^1\. e4 the only move/);
  page.type("Ke4");
  assert.strictEqual(page.text("refused"), "\"Ke4\" is not a legal move here");
  assert.match(page.text("name"), /^1\. e4 the only move/);
  page.type("e5");
  assert.match(page.text("name"), /1\.\.\. e5 best line/);
  assert.deepStrictEqual([page.text("refused"), page.find("move-text").value], ["", ""]);
});

test("letters typed into a field are not commands", () => {
  const page = game();
  const press = (isInField) => page.handlers.keydown({ key: "f", target: { closest: () => isInField ? {} : null }, preventDefault: () => {} });
  press(true);
  assert.ok(!page.world.drawn.flipped);
  press(false);
  assert.ok(page.world.drawn.flipped);
});

test("the board announces the pieces on its squares, and the list the current move", () => {
  const page = game();
  const current = () => [1, 2].map((ply) => page.find("m" + ply).attributes["aria-current"]);
  page.press("ArrowRight");
  assert.match(page.find("board").attributes["aria-label"], /^Board, 1\. e4\. White: king e1, queen d1, rook a1, .* pawn e4\. Black: king e8,/);
  assert.strictEqual(current()[0], "true");
  page.press("ArrowRight");
  assert.deepStrictEqual(current(), ["false", "true"]);
});
