import { find, onClick } from "../../tools/pages/common.js";
import { findTypedMoves } from "../../tools/pages/keyboard.js";
import { distinctPuzzles, nextProgress } from "../../tools/pages/puzzle.js";
import { createPuzzles } from "../../tools/pages/puzzle_session.js";
import { rules } from "../../tools/pages/rules.js";
import { showError } from "./messages.js";
import { drawSteps } from "./moves.js";
import { showPosition } from "./players.js";
import { playFrom } from "./setup.js";
import { readJson, writeJson } from "./storage.js";
import { readStudy } from "./study.js";
import { addTab, carryTo, showTab, shownTab, turnTab } from "./tabs.js";
/** @import { Move } from "./types.js" */
/** @import { Progress, Puzzle } from "../../tools/games/types.js" */

// Puzzles: the faults and missed chances of the reviewed games, asked again after 1, 3, 7 and more days. The browser
// stores the puzzles and their schedule, as it stores the games.

const PUZZLES = "puzzles";
const PROGRESS = "puzzle-progress";
const STREAK = "puzzle-streak";
/** The puzzles to ask are to be chosen at the next visit of the tab. */
let isOutdated = true;

/** @returns {Record<string, Puzzle>} */
const storedPuzzles = () => readJson(PUZZLES) ?? {};
/** @returns {Record<string, Progress>} */
const storedProgress = () => readJson(PROGRESS) ?? {};
const storedStreak = () => ({ now: 0, best: 0, ...readJson(STREAK) });

/** Stores the result of the first answer. @param {Puzzle} puzzle @param {boolean} isSolved */
function keepResult({ id }, isSolved) {
  const progress = storedProgress();
  writeJson(PROGRESS, { ...progress, [id]: nextProgress(progress[id], isSolved, puzzles.now()) });
  const streak = storedStreak();
  const now = isSolved ? streak.now + 1 : 0;
  writeJson(STREAK, { now, best: Math.max(now, streak.best) });
}

export const puzzles = createPuzzles({
  all: () => Object.values(storedPuzzles()),
  progress: storedProgress,
  keep: keepResult,
  begin: (puzzle) => { if (puzzle) turnTab("puzzles", puzzle.by_black); },
  show: (view) => {
    find("puzzle-to-review").hidden = Object.keys(storedPuzzles()).length > 0;
    drawSteps(puzzles.at, Math.max(0, puzzles.list.length - 1), "puzzle");
    showPosition(view);
  },
  none: "Review one of your games: its mistakes and missed mates become puzzles here.",
  note: () => `streak ${storedStreak().now}, best ${storedStreak().best}`,
});

/** Stores the puzzles of a review. @param {Puzzle[]} found */
export function addPuzzles(found) {
  const stored = storedPuzzles();
  if (found.every(({ id }) => id in stored)) return;
  for (const puzzle of distinctPuzzles(found)) stored[puzzle.id] = puzzle;
  if (!writeJson(PUZZLES, stored)) showError("The browser does not store the puzzles of this review: its storage is full or not allowed.");
  isOutdated = true;
}

function openPuzzles() {
  if (!isOutdated && puzzles.current()) return puzzles.draw();
  puzzles.fillPlayers();
  puzzles.choose();
  isOutdated = false;
}

/** Answers the puzzle with a move. A typed move counts also after a wrong answer. @param {string} typed @param {Move} [made] */
async function answerPuzzle(typed, made) {
  const puzzle = puzzles.current();
  const move = puzzle && (made ?? findTypedMoves(rules.read(puzzle.fen), typed)[0]);
  showError(puzzle && !move ? `“${typed}” is not a legal move here.` : "");
  if (move) puzzles.answer(move);
  return Boolean(move);
}

onClick("puzzle-to-review", () => showTab("review"));
onClick("puzzle-play", () => {
  const puzzle = puzzles.current();
  if (puzzle) playFrom(puzzle.fen);
});
onClick("puzzle-analyse", () => {
  const puzzle = puzzles.current();
  if (!puzzle) return;
  carryTo("analyse");
  readStudy(puzzles.tried?.fen ?? puzzle.fen);
});
addTab("puzzles", {
  draw: openPuzzles,
  step: puzzles.step,
  end: (last) => puzzles.step((last ? puzzles.list.length - 1 : 0) - puzzles.at),
  move: answerPuzzle,
  start: () => puzzles.current()?.fen,
  // The next visit begins with the puzzles that are due then.
  leave: () => { isOutdated ||= puzzles.isOver; },
  keys: { h: puzzles.hint, s: puzzles.solve, t: puzzles.retry, n: puzzles.next },
});
// Another tab may have reviewed a game or answered a puzzle.
window.addEventListener("storage", ({ key }) => {
  if (key !== PUZZLES && key !== PROGRESS) return;
  isOutdated = true;
  if (shownTab() !== "puzzles") return;
  // The puzzle that is shown stays; only the counts change.
  if (puzzles.current()) puzzles.draw();
  else openPuzzles();
});
