import { DAY, distinctPuzzles, isPuzzleDue, judgePuzzle, puzzleSolution, puzzleSteps, puzzleTask } from "./puzzle.js";
import { find, findButton, findField, keepFocus, make, mark, onChange, onClick } from "./common.js";
import { START_FEN, rules, stepOf } from "./rules.js";
/** @import { Puzzle, PuzzleSource } from "../games/types.js" */
/** @import { Mark, Move } from "./types.js" */

/** Asks puzzles in the elements `#puzzle-…` of the page. @param {PuzzleSource} source */
export function createPuzzles({ all, progress, keep, show, begin, none, note = () => "" }) {
  /**
   * The puzzles that are asked: `list` in this order, `at` the current one. `tried` is the position after a move.
   * `hints` counts the hints given, and `now` returns the time in milliseconds.
   */
  const session = {
    /** @type {Puzzle[]} */
    list: [], at: 0,
    /** @type {{ fen: string, moved: string[] } | null} */
    tried: null,
    hints: 0, failed: false, isOver: false,
    now: () => Date.now(),
    current: () => /** @type {Puzzle | undefined} */ (session.list[session.at]),
    fillPlayers, choose, draw, answer, hint, solve, retry, step,
    /** Goes to the next puzzle if this one is over. */
    next: () => { if (session.isOver) step(1); },
  };

  /** Returns the puzzles of the chosen player. */
  function ownPuzzles() {
    const player = findField("puzzle-player").value;
    return distinctPuzzles(all().filter((puzzle) => player === "" || puzzle.player === player));
  }

  /** Chooses the puzzles to ask, the one that is due longest first and new ones after it. */
  function choose() {
    const known = progress();
    const which = findField("puzzle-which").value;
    const dueTime = (/** @type {Puzzle} */ { id }) => known[id]?.due ?? Number.MAX_VALUE;
    const wanted = ownPuzzles().filter(({ id }) => which === "all" || (which === "due" ? isPuzzleDue(known[id], session.now()) : known[id]?.failed));
    session.list = wanted.sort((one, other) => dueTime(one) - dueTime(other));
    ask(0);
  }

  /** Fills the choice of players. */
  function fillPlayers() {
    const names = [...new Set(all().map(({ player }) => player))].sort((one, other) => one.localeCompare(other));
    const field = findField("puzzle-player");
    const chosen = names.includes(field.value) ? field.value : "";
    field.replaceChildren(make("option", { value: "" }, ["all"]), ...names.map((name) => make("option", { value: name }, [name])));
    field.value = chosen;
    return names;
  }

  /** Asks the puzzle with an index. @param {number} at */
  function ask(at) {
    Object.assign(session, { at, tried: null, hints: 0, failed: false, isOver: false });
    say("", "");
    begin(session.current());
    draw();
  }

  /** Says what to do if there is no puzzle to ask. */
  function emptyText() {
    if (all().length === 0) return none;
    if (findField("puzzle-which").value !== "due") return "There are no such puzzles. Choose others below.";
    const known = progress();
    const next = Math.min(...ownPuzzles().map(({ id }) => known[id]?.due ?? Infinity));
    const days = Math.max(1, Math.ceil((next - session.now()) / DAY));
    return `Nothing is due now. The next puzzle is due ${days === 1 ? "within a day" : `in ${days} days`}.`;
  }

  /** Draws the puzzle and the position. */
  function draw() {
    const puzzle = session.current();
    const { tried, isOver, hints, list, at } = session;
    const isLast = at + 1 >= list.length;
    find("puzzle-task").textContent = puzzle ? puzzleTask(puzzle) : emptyText();
    find("puzzle-game").textContent = puzzle?.game ?? "";
    find("puzzle-actions").hidden = !puzzle;
    for (const id of ["puzzle-hint", "puzzle-solve"]) find(id).hidden = isOver;
    findButton("puzzle-hint").disabled = hints > 1 || tried !== null;
    find("puzzle-again").hidden = isOver || !tried;
    find("puzzle-next").hidden = !isOver || isLast;
    keepFocus(!isOver ? "puzzle-solve" : isLast ? "puzzle-which" : "puzzle-next");
    drawLine();
    drawCount();
    if (!puzzle) return show({ fen: START_FEN });
    const best = puzzleSteps(puzzle)[0]?.[3];
    /** @type {Mark[]} */
    const arrows = tried ? [] : [[...puzzle.squares, "bad"]];
    if (best && !tried && (isOver || hints > 1)) arrows.push([...best, "good"]);
    show({
      fen: tried?.fen ?? puzzle.fen, moved: tried?.moved ?? puzzle.moved ?? [], arrows, movable: tried ? "" : "wb",
      circles: best && !tried && hints === 1 && !isOver ? [[best[0], "green"]] : [],
    });
  }

  /** Shows the best line after the puzzle, with moves to click. */
  function drawLine() {
    const puzzle = session.current();
    const line = find("puzzle-line");
    line.hidden = !session.isOver || !puzzle;
    if (!puzzle || !session.isOver) return;
    const steps = puzzleSteps(puzzle).map(([number, san, fen, moved]) => {
      const look = () => {
        session.tried = { fen, moved };
        draw();
        /** @type {HTMLElement | null} */ (line.querySelector(".shown"))?.focus();
      };
      const step = make("button", { type: "button", class: "step", click: look }, [(number ? number + " " : "") + san]);
      mark(step, fen === session.tried?.fen);
      return [step, " "];
    });
    line.replaceChildren(make("b", {}, ["Best"]), " ", make("span", { class: "note" }, [puzzle.moves[0].score]), " ", ...steps.flat());
  }

  function drawCount() {
    const { list, at } = session;
    const known = progress();
    const own = ownPuzzles();
    const due = own.filter(({ id }) => isPuzzleDue(known[id], session.now())).length;
    const parts = [list.length > 0 ? `${at + 1} of ${list.length}` : "", `${due} due of ${own.length}`, note()];
    find("puzzle-count").textContent = all().length === 0 ? "" : parts.filter(Boolean).join(" · ");
  }

  /** @param {string} text @param {string} kind */
  function say(text, kind) {
    find("puzzle-answer").textContent = text;
    find("puzzle-answer").className = kind;
  }

  /** Counts the puzzle as failed, once. @param {Puzzle} puzzle */
  function fail(puzzle) {
    if (!session.failed) keep(puzzle, false);
    session.failed = true;
  }

  /** Answers the puzzle with a move. @param {Move} move */
  function answer(move) {
    const puzzle = session.current();
    if (!puzzle) return;
    const position = rules.read(puzzle.fen);
    const { isGood, text } = judgePuzzle(puzzle, rules.san(position, move));
    const [, , fen, moved] = stepOf(position, move, true);
    session.tried = { fen, moved };
    if (!session.isOver) {
      if (!isGood) fail(puzzle);
      else if (!session.failed) keep(puzzle, true);
      session.isOver = isGood;
    }
    say(session.isOver ? text : text + " It comes again tomorrow.", isGood ? "good" : "bad");
    draw();
  }

  /** Gives a hint: first the square of the piece, then the move. The puzzle then counts as failed. */
  function hint() {
    const puzzle = session.current();
    const [step] = puzzle ? puzzleSteps(puzzle) : [];
    if (!puzzle || !step || session.isOver || session.hints > 1 || session.tried) return;
    fail(puzzle);
    session.hints += 1;
    const text = session.hints === 1 ? `Hint: the piece on ${step[3][0]}.` : `Hint: ${step[1]}.`;
    say(`${text} The puzzle comes again tomorrow.`, "");
    draw();
  }

  function solve() {
    const puzzle = session.current();
    if (!puzzle || session.isOver) return;
    fail(puzzle);
    Object.assign(session, { isOver: true, tried: null });
    say(puzzleSolution(puzzle), "");
    draw();
  }

  /** Takes back a wrong answer. */
  function retry() {
    session.tried = null;
    say("", "");
    draw();
  }

  /** Goes to the next or the previous puzzle. @param {number} by */
  function step(by) {
    const wanted = session.at + by;
    if (wanted >= 0 && wanted < session.list.length) ask(wanted);
  }

  onClick("puzzle-hint", hint);
  onClick("puzzle-solve", solve);
  onClick("puzzle-again", retry);
  onClick("puzzle-next", session.next);
  for (const id of ["puzzle-which", "puzzle-player"]) onChange(id, choose);
  return session;
}
