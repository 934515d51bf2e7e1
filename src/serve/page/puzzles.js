import { find, findButton, findField, make, mark, onChange, onClick } from "../../tools/pages/common.js";
import { findTypedMoves } from "../../tools/pages/keyboard.js";
import { distinctPuzzles, isPuzzleDue, judgePuzzle, nextProgress, puzzleSolution, puzzleSteps, puzzleTask } from "../../tools/pages/puzzle.js";
import { START_FEN, rules, stepOf } from "../../tools/pages/rules.js";
import { showError } from "./messages.js";
import { drawSteps } from "./moves.js";
import { showPosition } from "./players.js";
import { playFrom } from "./setup.js";
import { readJson, writeJson } from "./storage.js";
import { readStudy } from "./study.js";
import { addTab, carryTo, showTab, shownTab, turnTab } from "./tabs.js";
/** @import { Mark, Move } from "./types.js" */
/** @import { Progress, Puzzle } from "../../tools/games/types.js" */

// Puzzles: the faults and missed chances of the reviewed games, asked again after 1, 3, 7 and more days. The browser
// stores the puzzles and their schedule, as it stores the games.

const PUZZLES = "puzzles";
const PROGRESS = "puzzle-progress";
const STREAK = "puzzle-streak";

/**
 * The puzzles that are asked: `list` in this order, `at` the current one. `tried` is the position after a move.
 * `hints` counts the hints given, and `now` returns the time in milliseconds.
 */
export const puzzles = {
  /** @type {Puzzle[]} */
  list: [], at: 0,
  /** @type {{ fen: string, moved: string[] } | null} */
  tried: null,
  hints: 0, failed: false, isOver: false, isChosen: false,
  now: () => Date.now(),
};

/** @returns {Record<string, Puzzle>} */
const storedPuzzles = () => readJson(PUZZLES) ?? {};
/** @returns {Record<string, Progress>} */
const storedProgress = () => readJson(PROGRESS) ?? {};
const storedStreak = () => ({ now: 0, best: 0, ...readJson(STREAK) });
const currentPuzzle = () => /** @type {Puzzle | undefined} */ (puzzles.list[puzzles.at]);

/** Stores the puzzles of a review. @param {Puzzle[]} found */
export function addPuzzles(found) {
  const stored = storedPuzzles();
  if (found.every(({ id }) => id in stored)) return;
  for (const puzzle of distinctPuzzles(found)) stored[puzzle.id] = puzzle;
  if (!writeJson(PUZZLES, stored)) showError("The browser does not store the puzzles of this review: its storage is full or not allowed.");
  puzzles.isChosen = false;
}

/** Returns the puzzles of the chosen player. */
function ownPuzzles() {
  const player = findField("puzzle-player").value;
  return Object.values(storedPuzzles()).filter((puzzle) => player === "" || puzzle.player === player);
}

/** Chooses the puzzles to ask, the one that is due longest first and new ones after it. */
function choosePuzzles() {
  const progress = storedProgress();
  const which = findField("puzzle-which").value;
  const dueTime = (/** @type {Puzzle} */ { id }) => progress[id]?.due ?? Infinity;
  const wanted = ownPuzzles().filter(({ id }) => which === "all" || (which === "due" ? isPuzzleDue(progress[id], puzzles.now()) : progress[id]?.failed));
  Object.assign(puzzles, { list: wanted.sort((one, other) => dueTime(one) < dueTime(other) ? -1 : Number(dueTime(one) > dueTime(other))), at: 0, isChosen: true });
  beginPuzzle();
}

/** Fills the choice of players. */
function fillPlayers() {
  const names = [...new Set(Object.values(storedPuzzles()).map(({ player }) => player))].sort((one, other) => one.localeCompare(other));
  const field = findField("puzzle-player");
  const chosen = names.includes(field.value) ? field.value : "";
  field.replaceChildren(make("option", { value: "" }, ["all"]), ...names.map((name) => make("option", { value: name }, [name])));
  field.value = chosen;
}

/** Asks the current puzzle. */
function beginPuzzle() {
  Object.assign(puzzles, { tried: null, hints: 0, failed: false, isOver: false });
  sayOfPuzzle("", "");
  const puzzle = currentPuzzle();
  if (puzzle) turnTab("puzzles", puzzle.by_black);
  drawPuzzles();
}

function openPuzzles() {
  if (puzzles.isChosen && currentPuzzle()) return drawPuzzles();
  fillPlayers();
  choosePuzzles();
}

/** Says what to do if there is no puzzle to ask. */
function emptyText() {
  const progress = storedProgress();
  if (Object.keys(storedPuzzles()).length === 0) return "Review one of your games: its mistakes and missed mates become puzzles here.";
  if (findField("puzzle-which").value !== "due") return "There are no such puzzles. Choose others below.";
  const next = Math.min(...ownPuzzles().map(({ id }) => progress[id]?.due ?? Infinity));
  const days = Math.max(1, Math.ceil((next - puzzles.now()) / (24 * 60 * 60 * 1000)));
  return `Nothing is due now. The next puzzle is due ${days === 1 ? "within a day" : `in ${days} days`}.`;
}

/** Draws the puzzle and the position. */
function drawPuzzles() {
  const puzzle = currentPuzzle();
  const { tried, isOver, hints, list, at } = puzzles;
  find("puzzle-task").textContent = puzzle ? puzzleTask(puzzle) : emptyText();
  find("puzzle-game").textContent = puzzle?.game ?? "";
  find("puzzle-to-review").hidden = Object.keys(storedPuzzles()).length > 0;
  find("puzzle-actions").hidden = !puzzle;
  for (const id of ["puzzle-hint", "puzzle-solve"]) find(id).hidden = isOver;
  findButton("puzzle-hint").disabled = hints > 1 || tried !== null;
  find("puzzle-again").hidden = isOver || !tried;
  find("puzzle-next").hidden = !isOver || at + 1 >= list.length;
  drawPuzzleLine();
  drawPuzzleCount();
  drawSteps(at, Math.max(0, list.length - 1));
  if (!puzzle) return showPosition({ fen: START_FEN });
  const best = puzzleSteps(puzzle)[0]?.[3];
  /** @type {Mark[]} */
  const arrows = tried ? [] : [[...puzzle.squares, "bad"]];
  if (best && !tried && (isOver || hints > 1)) arrows.push([...best, "good"]);
  showPosition({
    fen: tried?.fen ?? puzzle.fen, moved: tried?.moved ?? puzzle.moved ?? [], arrows, movable: tried ? "" : "wb",
    circles: best && !tried && hints === 1 && !isOver ? [[best[0], "green"]] : [],
  });
}

/** Shows the best line after the puzzle, with moves to click. */
function drawPuzzleLine() {
  const puzzle = currentPuzzle();
  const line = find("puzzle-line");
  line.hidden = !puzzles.isOver || !puzzle;
  if (!puzzle || !puzzles.isOver) return;
  const steps = puzzleSteps(puzzle).map(([number, san, fen, moved]) => {
    const look = () => {
      puzzles.tried = { fen, moved };
      drawPuzzles();
    };
    const step = make("button", { type: "button", class: "step", click: look }, [(number ? number + " " : "") + san]);
    mark(step, fen === puzzles.tried?.fen);
    return [step, " "];
  });
  line.replaceChildren(make("b", {}, ["Best"]), " ", make("span", { class: "note" }, [puzzle.moves[0].score]), " ", ...steps.flat());
}

function drawPuzzleCount() {
  const { list, at } = puzzles;
  const progress = storedProgress();
  const all = Object.values(storedPuzzles());
  const due = all.filter(({ id }) => isPuzzleDue(progress[id], puzzles.now())).length;
  const streak = storedStreak();
  find("puzzle-count").textContent = all.length === 0 ? "" : [list.length > 0 ? `${at + 1} of ${list.length}` : "", `${due} due of ${all.length}`, `streak ${streak.now}, best ${streak.best}`].filter(Boolean).join(" · ");
}

/** @param {string} text @param {string} kind */
function sayOfPuzzle(text, kind) {
  find("puzzle-answer").textContent = text;
  find("puzzle-answer").className = kind;
}

/** Stores the result of the first answer. @param {boolean} isSolved */
function keepResult(isSolved) {
  const puzzle = currentPuzzle();
  if (!puzzle) return;
  const progress = storedProgress();
  writeJson(PROGRESS, { ...progress, [puzzle.id]: nextProgress(progress[puzzle.id], isSolved, puzzles.now()) });
  const streak = storedStreak();
  const now = isSolved ? streak.now + 1 : 0;
  writeJson(STREAK, { now, best: Math.max(now, streak.best) });
}

/** Counts the puzzle as failed, once. */
function failPuzzle() {
  if (!puzzles.failed) keepResult(false);
  puzzles.failed = true;
}

/** Answers the puzzle with a move. A typed move counts also after a wrong answer. @param {string} typed @param {Move} [made] */
async function answerPuzzle(typed, made) {
  const puzzle = currentPuzzle();
  const position = rules.read(puzzle?.fen ?? START_FEN);
  const move = made ?? findTypedMoves(position, typed)[0];
  if (!puzzle || !move) {
    if (puzzle) showError(`“${typed}” is not a legal move here.`);
    return false;
  }
  showError("");
  const { isGood, text } = judgePuzzle(puzzle, rules.san(position, move));
  const [, , fen, moved] = stepOf(position, move, true);
  puzzles.tried = { fen, moved };
  if (!puzzles.isOver) {
    if (!isGood) failPuzzle();
    else if (!puzzles.failed) keepResult(true);
    puzzles.isOver = isGood;
  }
  const repeats = isGood || puzzles.isOver ? "" : " It comes again tomorrow.";
  sayOfPuzzle(text + repeats, isGood ? "good" : "bad");
  drawPuzzles();
  return true;
}

/** Gives a hint: first the square of the piece, then the move. The puzzle then counts as failed. */
function hintPuzzle() {
  const puzzle = currentPuzzle();
  const [step] = puzzle ? puzzleSteps(puzzle) : [];
  if (!step || puzzles.isOver || puzzles.hints > 1 || puzzles.tried) return;
  failPuzzle();
  puzzles.hints += 1;
  const text = puzzles.hints === 1 ? `Hint: the piece on ${step[3][0]}.` : `Hint: ${step[1]}.`;
  sayOfPuzzle(`${text} The puzzle comes again tomorrow.`, "");
  drawPuzzles();
}

function solvePuzzle() {
  const puzzle = currentPuzzle();
  if (!puzzle || puzzles.isOver) return;
  failPuzzle();
  Object.assign(puzzles, { isOver: true, tried: null });
  sayOfPuzzle(puzzleSolution(puzzle), "");
  drawPuzzles();
}

function tryAgain() {
  puzzles.tried = null;
  sayOfPuzzle("", "");
  drawPuzzles();
}

/** Goes to the next or the previous puzzle. @param {number} by */
function stepPuzzle(by) {
  const wanted = puzzles.at + by;
  if (wanted < 0 || wanted >= puzzles.list.length) return;
  puzzles.at = wanted;
  beginPuzzle();
}

onClick("puzzle-hint", hintPuzzle);
onClick("puzzle-solve", solvePuzzle);
onClick("puzzle-again", tryAgain);
onClick("puzzle-next", () => stepPuzzle(1));
onClick("puzzle-to-review", () => showTab("review"));
onClick("puzzle-play", () => {
  const puzzle = currentPuzzle();
  if (puzzle) playFrom(puzzle.fen);
});
onClick("puzzle-analyse", () => {
  const puzzle = currentPuzzle();
  if (!puzzle) return;
  carryTo("analyse");
  readStudy(puzzles.tried?.fen ?? puzzle.fen);
});
for (const id of ["puzzle-which", "puzzle-player"]) onChange(id, choosePuzzles);
addTab("puzzles", {
  draw: openPuzzles,
  step: stepPuzzle,
  end: (last) => stepPuzzle((last ? puzzles.list.length - 1 : 0) - puzzles.at),
  move: answerPuzzle,
  start: () => currentPuzzle()?.fen,
  // The next visit begins with the puzzles that are due then.
  leave: () => { if (puzzles.isOver) puzzles.isChosen = false; },
  keys: { h: hintPuzzle, s: solvePuzzle, t: tryAgain, n: () => { if (puzzles.isOver) stepPuzzle(1); } },
});
// Another tab may have reviewed a game or answered a puzzle.
window.addEventListener("storage", ({ key }) => {
  if (key !== PUZZLES) return;
  puzzles.isChosen = false;
  if (shownTab() === "puzzles" && !currentPuzzle()) openPuzzles();
});
