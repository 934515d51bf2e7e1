// Puzzles: the schedule of repetitions and the judgement of answers.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { load } = require("./support.js");

const { nextProgress, isPuzzleDue, judgePuzzle, puzzleSteps } = load("nextProgress", "isPuzzleDue", "judgePuzzle", "puzzleSteps");
const DAY = 24 * 60 * 60 * 1000;

test("solutions in a row get the next interval, and a failure begins again after a day", () => {
  let progress;
  let now = 0;
  const days = [true, true, true, false, true, true].map((isSolved) => {
    assert.ok(isPuzzleDue(progress, now));
    progress = nextProgress(progress, isSolved, now);
    assert.ok(!isPuzzleDue(progress, progress.due - 1));
    const wait = (progress.due - now) / DAY;
    now = progress.due;
    return wait;
  });
  assert.deepStrictEqual(days, [1, 3, 7, 1, 3, 7]);
  assert.ok(progress.failed);
  for (let count = 0; count < 9; count += 1) progress = nextProgress(progress, true, 0);
  assert.strictEqual(progress.due, 60 * DAY);
});

test("a missed mate is solved only by a mate in time, and the best line has numbers", () => {
  const fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
  const known = (san, good, loss) => ({ san, good, loss, score: "+9.00" });
  const puzzle = { fen, played: "1. h3", loss: 0, mate: 1, moves: [known("Ra8#", true, 0), known("Ra7", false, 0)], line: ["Ra8#"], by_black: false };
  assert.deepStrictEqual({ ...judgePuzzle(puzzle, "Ra8#") }, { isGood: true, text: "Ra8#: the best move (+9.00)." });
  assert.match(judgePuzzle(puzzle, "Ra7").text, /does not mate in time/);
  assert.match(judgePuzzle(puzzle, "h3").text, /^h3 was played in the game\.$/);
  assert.strictEqual(puzzleSteps(puzzle)[0][0], "1.");
});
