import { data, enableKeys, find, findButton, findField, findLink, onClick, saveFile } from "../pages/common.js";
import { enableTyping, piecesInWords } from "../pages/keyboard.js";
import { EMPTY_FEN, createBoard } from "../pages/moving.js";
import { PUZZLE_DAYS, goodMoves, nextProgress, puzzleSteps } from "../pages/puzzle.js";
import { createPuzzles } from "../pages/puzzle_session.js";
/** @import { Progress, Puzzle } from "./types.js" */

/** @type {Puzzle[]} */
const all = data.puzzles;
const STORE = "outrider-puzzles";
let flipped = false;

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

const board = createBoard(find("board"), (move) => puzzles.answer(move));

const puzzles = createPuzzles({
  all: () => all,
  progress: () => kept,
  keep: ({ id }, isSolved) => {
    // A puzzle solved at the first try gets the longest interval.
    kept[id] = nextProgress(kept[id], isSolved, Date.now(), PUZZLE_DAYS.length - 1);
    store({ [id]: kept[id] });
  },
  begin: (puzzle) => {
    flipped = puzzle?.by_black ?? false;
    find("to-move").textContent = puzzle ? (flipped ? "Black" : "White") + " to move" : "";
    find("side").className = "man " + (flipped ? "of-black" : "of-white");
    if (puzzle) findLink("to-game").href = puzzle.address;
    find("typed").hidden = !puzzle;
    findButton("back").disabled = puzzles.at === 0;
    findButton("forward").disabled = puzzles.at + 1 >= puzzles.list.length;
  },
  show: (view) => {
    board.show({ ...view, flipped });
    find("board").setAttribute("aria-label", "Board, " + find("puzzle-task").textContent + ". " + piecesInWords(view.fen));
  },
  none: "There are no faults or missed chances and therefore no puzzles.",
});

enableTyping({
  position: () => puzzles.current()?.fen ?? EMPTY_FEN,
  // A typed move always answers the puzzle, even if another move is on the board.
  decide: (moves) => {
    puzzles.retry();
    board.decide(moves);
  },
});

/** Quote a text for PGN and CSV. Some first characters would make spreadsheets see a formula. @param {string} name @param {string} value */
const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]\n`;
/** @param {string | number} value */
const cell = (value) => `"${String(value).replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;

/** Returns the puzzles as PGN games: the position, the best line, and other good moves as variations. */
function toPgn() {
  return puzzles.list.map((puzzle) => {
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
  const rows = puzzles.list.map((puzzle) => [puzzle.fen, puzzle.by_black ? "black" : "white", puzzle.played, puzzle.fault, puzzle.loss,
    goodMoves(puzzle).join(" "), puzzleSteps(puzzle).map(([number, san]) => (number ? number + " " : "") + san).join(" "), puzzle.game, puzzle.address]);
  return [["fen", "side", "played", "fault", "loss", "accepted", "line", "game", "page"], ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

const turnBoard = () => { flipped = !flipped; puzzles.draw(); };
onClick("back", () => puzzles.step(-1));
onClick("forward", () => puzzles.step(1));
onClick("flip", turnBoard);
onClick("to-pgn", () => saveFile("puzzles.pgn", toPgn(), "application/x-chess-pgn"));
onClick("to-csv", () => saveFile("puzzles.csv", toCsv(), "text/csv"));
onClick("forget", () => {
  all.forEach(({ id }) => { delete kept[id]; });
  store(Object.fromEntries(all.map(({ id }) => [id, undefined])));
  puzzles.choose();
});
enableKeys(() => ({
  ArrowLeft: () => puzzles.step(-1), ArrowRight: () => puzzles.step(1), h: puzzles.hint, s: puzzles.solve, t: puzzles.retry, n: puzzles.next, f: turnBoard, m: () => find("move-text").focus(),
}));

const names = puzzles.fillPlayers();

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
  findField("puzzle-player").value = names.find((candidate) => rawName(candidate) === rawName(name)) ?? "";
  puzzles.choose();
}

window.addEventListener("hashchange", choosePlayer);
choosePlayer();
