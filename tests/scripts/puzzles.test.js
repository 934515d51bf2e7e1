// The script of the page of puzzles: accepted answers, and the schedule of repetitions.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DAY = 24 * 60 * 60 * 1000;

const known = (san, loss, good) => ({ san, loss, good, score: "+0.30" });
const puzzle = (id, player) => ({
  id, player, fen: START, moved: null, before: null, played: "1. f3", squares: ["f2", "f3"], fault: "mistake", loss: 21, by_black: false,
  moves: [known("e4", 0, true), known("d4", 4, true), known("c4", 0, true), known("a4", 13, false), known("f3", 21, false)], line: ["e4", "e5"], game: "A – \"B\"", address: "a-1.html#1",
});

/** Opens the page at a time, with the stored data of a browser. */
function page(kept = {}, now = 0, puzzles = [puzzle("p", "Ann"), puzzle("q", "Bob")]) {
  const store = kept;
  const saved = [];
  class At extends Date {
    static now() { return now; }
  }
  const opened = open("tools/games/puzzles.js", { puzzles }, {
    localStorage: { getItem: () => store.text ?? null, setItem: (key, text) => { store.text = text; } },
    Date: At, setTimeout: () => {}, Blob: class { constructor(parts) { saved.push(parts.join("")); } }, URL: { createObjectURL: () => "", revokeObjectURL: () => {} },
  }, { "puzzle-which": "due" });
  const choose = (id, value) => {
    opened.find(id).value = value;
    opened.find(id).listeners.change();
  };
  return { ...opened, choose, saved, store };
}

test("every move that is good enough is accepted, and for others the loss is shown", () => {
  const { move, text, isHidden, click, fen } = page();
  assert.match(text("puzzle-task"), /White to move: find a better move than 1\. f3/);
  move("a2", "a4");
  assert.match(text("puzzle-answer"), /a4 loses 13 % of a point/);
  assert.ok(!isHidden("puzzle-again"));
  click("puzzle-again");
  assert.strictEqual(fen(), START);
  move("f2", "f3");
  assert.match(text("puzzle-answer"), /was played in the game, −21 %/);
  click("puzzle-again");
  move("d2", "d4");
  assert.match(text("puzzle-answer"), /d4: good enough, e4 is best/);
  const other = page();
  other.move("c2", "c4");
  assert.match(other.text("puzzle-answer"), /c4: as good as e4/);
  assert.match(text("puzzle-line"), /Best.*1\. e4.*e5/);
});

test("a wrong answer is taken back and the next puzzle is asked by keys", () => {
  const { move, text, press, fen } = page();
  move("a2", "a4");
  press("n");
  assert.match(text("puzzle-count"), /^1 of 2/, "it is not solved yet");
  press("t");
  assert.strictEqual(fen(), START);
  move("e2", "e4");
  press("n");
  assert.match(text("puzzle-count"), /^2 of 2/);
});

test("a failed puzzle is repeated after one day, then after three; one solved at once after sixty", () => {
  const kept = {};
  const first = page(kept);
  first.move("a2", "a4");
  first.click("puzzle-again");
  first.move("e2", "e4");
  first.press("ArrowRight");
  first.move("e2", "e4");
  const due = () => Object.fromEntries(Object.entries(JSON.parse(kept.text)).map(([id, it]) => [id, it.due / DAY]));
  assert.deepStrictEqual(due(), { p: 1, q: 60 });
  assert.match(page(kept).text("puzzle-count"), /^0 due of 2/);
  const later = page(kept, DAY);
  assert.match(later.text("puzzle-count"), /1 of 1 · 1 due/);
  later.move("e2", "e4");
  assert.deepStrictEqual(due(), { p: 4, q: 60 });
});

test("a reset forgets only the puzzles of this page, even if another tab has stored data since", () => {
  const kept = {};
  const { move, click, text } = page(kept);
  move("e2", "e4");
  const others = { p: { solved: 2, due: DAY }, z: { solved: 1, due: DAY } };
  kept.text = JSON.stringify(others);
  click("forget");
  assert.deepStrictEqual(JSON.parse(kept.text), { z: others.z });
  assert.match(text("puzzle-count"), /1 of 2 · 2 due/);
});

test("the page works in a browser without storage", () => {
  const refuse = () => { throw new Error("closed"); };
  const closed = open("tools/games/puzzles.js", { puzzles: [puzzle("p", "Ann")] }, { localStorage: { getItem: refuse, setItem: refuse } }, { "puzzle-which": "due" });
  closed.move("e2", "e4");
  assert.match(closed.text("puzzle-answer"), /the best move/);
});

test("puzzles are saved as PGN and CSV", () => {
  const { click, saved, choose } = page();
  choose("puzzle-player", "Bob");
  click("to-pgn");
  click("to-csv");
  assert.match(saved[0], /\[White "Bob"\][^]*\[SetUp "1"\]\n\[FEN "rnbq[^]*1\. e4 \{\+0\.30; 1\. f3 was a mistake\} \(1\. d4 \{\+0\.30\}\) \(1\. c4 \{\+0\.30\}\) 1\.\.\. e5 \*\n$/);
  assert.strictEqual(saved[0].match(/\[Event/g).length, 1);
  assert.match(saved[1], /^"fen","side",[^]*"e4 d4 c4","1\. e4 e5","A – ""B""","a-1\.html#1"\n$/);
});

test("no cell of the CSV is a formula", () => {
  for (const game of ["=1+1", "+1", "-1", "@A1"]) {
    const { click, saved } = page({}, 0, [{ ...puzzle("p", "Ann"), game }]);
    click("to-csv");
    assert.ok(saved[0].includes(`,"'${game}",`), saved[0]);
  }
});

test("a player's page links to the player's puzzles, and a repeated mistake is asked once", () => {
  const puzzles = [puzzle("p", "Ann"), puzzle("q", "Cid Hamete"), puzzle("q", "Cid Hamete")];
  const { text } = open("tools/games/puzzles.js", { puzzles }, { location: { hash: "#player=Cid%20Hamete" }, localStorage: { getItem: () => null } }, { "puzzle-which": "due" });
  assert.match(text("puzzle-count"), /1 of 1 · 1 due of 1/);
  const all = open("tools/games/puzzles.js", { puzzles }, { location: { hash: "#player=%E0" }, localStorage: { getItem: () => null } }, { "puzzle-which": "due" });
  assert.match(all.text("puzzle-count"), /1 of 2 · 2 due of 2/);
});

test("a typed move answers the puzzle, also after a wrong one", () => {
  const { type, text, fen } = page();
  type("a4");
  assert.match(text("puzzle-answer"), /a4 loses 13 % of a point/);
  type("d4");
  assert.match(text("puzzle-answer"), /d4: good enough, e4 is best/);
  assert.match(fen(), /^rnbqkbnr\/pppppppp\/8\/8\/3P4\//);
});
