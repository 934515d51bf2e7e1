import { data, enableKeys, find, findButton, findField, findLink, make, mark, onChange, onClick, saveFile } from "../pages/common.js";
import { enableTyping, piecesInWords } from "../pages/keyboard.js";
import { EMPTY_FEN, createBoard } from "../pages/moving.js";
import { PUZZLE_DAYS, distinctPuzzles, goodMoves, isPuzzleDue, judgePuzzle, nextProgress, puzzleSolution, puzzleSteps, puzzleTask } from "../pages/puzzle.js";
import { rules, stepOf } from "../pages/rules.js";
/** @import { Mark, Move, Position } from "../pages/types.js" */
/** @import { Progress, Puzzle } from "./types.js" */

/** @type {{ puzzles: Puzzle[] }} */
const { puzzles } = data;
const STORE = "outrider-puzzles";

/** Puzzles of the chosen player. @type {Puzzle[]} */
let playerPuzzles = [];
/** The selected ones among them. @type {Puzzle[]} */
let list = [];
let at = 0;
let flipped = false;
/** Position after the user's move. @type {{ fen: string, moved: string[] } | null} */
let tried = null;
let failed = false;
let isOver = false;

/** Reads the stored progress by puzzle. Without storage it is empty. @returns {Record<string, Progress>} */
function readKept() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

const kept = readKept();

/** Stores these entries and removes undefined ones. Entries that other tabs have stored are kept. @param {Record<string, Progress | undefined>} entries */
function store(entries) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readKept(), ...entries }));
  } catch {
    // Without storage the page still works, for this visit.
  }
}

/** @param {Puzzle} puzzle @param {boolean} isSolved */
function keepProgress(puzzle, isSolved) {
  // A puzzle solved at the first try gets the longest interval.
  kept[puzzle.id] = nextProgress(kept[puzzle.id], isSolved, Date.now(), PUZZLE_DAYS.length - 1);
  store({ [puzzle.id]: kept[puzzle.id] });
}

/** @param {Puzzle} puzzle */
const isDue = ({ id }) => isPuzzleDue(kept[id], Date.now());

function choosePuzzles() {
  const [which, player] = ["which", "player"].map((id) => findField(id).value);
  playerPuzzles = distinctPuzzles(puzzles.filter((puzzle) => player === "" || puzzle.player === player));
  list = playerPuzzles.filter((puzzle) => which === "all" || (which === "due" ? isDue(puzzle) : kept[puzzle.id]?.failed));
  at = 0;
  showPuzzle();
}

function drawCount() {
  const due = playerPuzzles.filter(isDue).length;
  find("count").textContent = (list.length === 0 ? "No puzzles" : at + 1 + " of " + list.length) + ", " + due + " due of " + playerPuzzles.length + ".";
}

function showPuzzle() {
  [tried, failed, isOver] = [null, false, false];
  /** @type {Puzzle | undefined} */
  const puzzle = list[at];
  flipped = puzzle ? puzzle.by_black : false;
  find("task").textContent = puzzle ? puzzleTask(puzzle)
    : puzzles.length === 0 ? "There are no faults or missed chances and therefore no puzzles." : "No puzzle is due. Come back tomorrow or show other puzzles.";
  find("to-move").textContent = puzzle ? (puzzle.by_black ? "Black" : "White") + " to move" : "";
  find("side").className = "man " + (puzzle?.by_black ? "of-black" : "of-white");
  find("of-game").textContent = puzzle?.game ?? "";
  find("to-game").hidden = !puzzle;
  if (puzzle) findLink("to-game").href = puzzle.address;
  showMessage("", "");
  ["line", "again", "next"].forEach((id) => { find(id).hidden = true; });
  ["solve", "typed"].forEach((id) => { find(id).hidden = !puzzle; });
  findButton("back").disabled = at === 0;
  findButton("forward").disabled = at + 1 >= list.length;
  drawCount();
  drawPuzzle();
}

function drawPuzzle() {
  /** @type {Puzzle | undefined} */
  const puzzle = list[at];
  const here = tried ?? { fen: puzzle?.fen ?? EMPTY_FEN, moved: puzzle?.moved ?? [] };
  /** @type {Mark[]} */
  const arrows = puzzle && !tried ? [[...puzzle.squares, "bad"]] : [];
  if (puzzle && isOver && !tried) arrows.push(...puzzleSteps(puzzle).slice(0, 1).map((step) => [...step[3], "good"]));
  board.show({ fen: here.fen, moved: here.moved, arrows, flipped });
  find("board").setAttribute("aria-label", "Board, " + find("task").textContent + ". " + piecesInWords(here.fen));
}

/** @param {string} text @param {string} kind */
function showMessage(text, kind) {
  find("answer").textContent = text;
  find("answer").className = kind;
}

/** Shows the best line with clickable moves. @param {Puzzle} puzzle */
function showLine(puzzle) {
  const steps = puzzleSteps(puzzle).map(([number, san, fen, squares]) => {
    const look = () => {
      tried = { fen, moved: squares };
      document.querySelectorAll(".step.shown").forEach((other) => mark(other, false));
      mark(step, true);
      drawPuzzle();
    };
    const step = make("button", { type: "button", class: "step", click: look }, [(number ? number + " " : "") + san]);
    return [step, " "];
  });
  find("line").replaceChildren(make("b", {}, ["Best"]), " ", make("span", { class: "note" }, [puzzle.moves[0].score]), " ", ...steps.flat());
  find("line").hidden = false;
}

/** @param {boolean} isSolved */
function endPuzzle(isSolved) {
  isOver = true;
  keepProgress(list[at], isSolved && !failed);
  ["solve", "again"].forEach((id) => { find(id).hidden = true; });
  find("next").hidden = at + 1 >= list.length;
  showLine(list[at]);
  drawCount();
  drawPuzzle();
}

/** @param {Move} move @param {Position} before */
function answer(move, before) {
  const puzzle = list[at];
  const san = rules.san(before, move);
  const [, , fen, moved] = stepOf(before, move, true);
  tried = { fen, moved };
  const { isGood, text } = judgePuzzle(puzzle, san);
  showMessage(text, isGood ? "good" : "bad");
  if (isGood) {
    if (!isOver) endPuzzle(true);
  } else {
    if (!isOver && !failed) keepProgress(puzzle, false);
    failed = true;
    find("again").hidden = isOver;
  }
  drawPuzzle();
}

function solve() {
  if (isOver || !list[at]) return;
  failed = true;
  showMessage(puzzleSolution(list[at]), "");
  endPuzzle(false);
}

/** @param {number} by */
function stepPuzzle(by) {
  const wanted = at + by;
  if (wanted < 0 || wanted >= list.length) return;
  at = wanted;
  showPuzzle();
}

const board = createBoard(find("board"), (move, before) => {
  // After an answer, moves on the board are ignored until "Try again" or another puzzle.
  if (list[at] && tried === null) answer(move, before);
  else board.restore();
});

enableTyping({
  position: () => list[at]?.fen ?? EMPTY_FEN,
  // A typed move always answers the puzzle, even if another move is on the board.
  decide: (moves) => {
    tried = null;
    drawPuzzle();
    board.decide(moves);
  },
});

/** Quote a text for PGN and CSV. Some first characters would make spreadsheets see a formula. @param {string} name @param {string} value */
const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]\n`;
/** @param {string | number} value */
const cell = (value) => `"${String(value).replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;

/** Returns the puzzles as PGN games: the position, the best line, and other good moves as variations. */
function toPgn() {
  return list.map((puzzle) => {
    const [best, ...others] = puzzle.moves.filter((move) => move.good);
    const number = puzzle.played.split(" ")[0];
    // After a comment, Black's move needs its number.
    const rest = puzzleSteps(puzzle).slice(1).map(([due, san], index) => (index === 0 && !puzzle.by_black ? number + ".." : due) + " " + san);
    const moves = [number + " " + best.san, `{${best.score}; ${puzzle.played} was ${puzzle.fault === "inaccuracy" ? "an" : "a"} ${puzzle.fault}}`, ...others.map((move) => `(${number} ${move.san} {${move.score}})`), ...rest, "*"];
    return tag("Event", "Find a better move than " + puzzle.played) + tag("Site", puzzle.address) + tag("White", puzzle.by_black ? "?" : puzzle.player) + tag("Black", puzzle.by_black ? puzzle.player : "?")
      + tag("Result", "*") + tag("SetUp", "1") + tag("FEN", puzzle.fen) + "\n" + moves.join(" ").replace(/ +/g, " ") + "\n";
  }).join("\n");
}

function toCsv() {
  const rows = list.map((puzzle) => [puzzle.fen, puzzle.by_black ? "black" : "white", puzzle.played, puzzle.fault, puzzle.loss,
    goodMoves(puzzle).join(" "), puzzleSteps(puzzle).map(([number, san]) => (number ? number + " " : "") + san).join(" "), puzzle.game, puzzle.address]);
  return [["fen", "side", "played", "fault", "loss", "accepted", "line", "game", "page"], ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

onClick("again", () => {
  tried = null;
  find("again").hidden = true;
  showMessage("", "");
  drawPuzzle();
});
const turnBoard = () => { flipped = !flipped; drawPuzzle(); };
onClick("solve", solve);
onClick("back", () => stepPuzzle(-1));
["forward", "next"].forEach((id) => onClick(id, () => stepPuzzle(1)));
onClick("flip", turnBoard);
["which", "player"].forEach((id) => onChange(id, choosePuzzles));
onClick("to-pgn", () => saveFile("puzzles.pgn", toPgn(), "application/x-chess-pgn"));
onClick("to-csv", () => saveFile("puzzles.csv", toCsv(), "text/csv"));
onClick("forget", () => {
  puzzles.forEach(({ id }) => { delete kept[id]; });
  store(Object.fromEntries(puzzles.map(({ id }) => [id, undefined])));
  choosePuzzles();
});
enableKeys(() => ({ ArrowLeft: () => stepPuzzle(-1), ArrowRight: () => stepPuzzle(1), s: solve, f: turnBoard, m: () => find("move-text").focus() }));

const names = [...new Set(puzzles.map((puzzle) => puzzle.player))].sort((one, other) => one.localeCompare(other));
find("player").append(make("option", { value: "" }, ["all"]), ...names.map((name) => make("option", { value: name }, [name])));

/** Decodes a name that may be percent-encoded. @param {string} text */
function rawName(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Selects the player in the address, which links from a player's page contain. */
function choosePlayer() {
  const [, name = ""] = /^#player=(.*)$/.exec(location.hash) ?? [];
  findField("player").value = names.find((candidate) => rawName(candidate) === rawName(name)) ?? "";
  choosePuzzles();
}

window.addEventListener("hashchange", choosePlayer);
choosePlayer();
