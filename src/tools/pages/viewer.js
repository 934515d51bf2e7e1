import { around, find, keepFocus, make, mark } from "./common.js";
import { rules, stepOf } from "./rules.js";
/** @import { LinePlace, Mark, Move, Position, ReviewedGame, ReviewedPosition, SearchedLine, Shown, Step, Verdict } from "./types.js" */

/** Returns whether the move to a position was a fault or missed a chance. @param {ReviewedPosition} position */
const isLesson = ({ fault, missed }) => Boolean(fault || missed);

/** @param {number} chance */
const percentOf = (chance) => Math.round(100 * chance) + " %";

/** Describes a score from White's point of view; a mate names the side that mates. @param {string} score */
function inWords(score) {
  const mate = /^#(−?)(\d+)$/.exec(score);
  return mate ? (mate[1] ? "Black" : "White") + " mates in " + mate[2] : score === "mate" ? "Mate" : "White " + score;
}

/** Returns the name of a step's move with its number: "12... Kf8". @param {Step} step */
function stepName([, san, fen]) {
  const [, turn, , , , full] = fen.split(" ");
  return (turn === "b" ? full + ". " : Number(full) - 1 + "... ") + san;
}

/**
 * Shows an analysed game in the parts of a page that the server or `analyse` has made: the text about a
 * position, its lines, the moves and the curve.
 * @param {ReviewedGame} game
 * @param {object} options
 * @param {Element | Document} options.root Contains the parts.
 * @param {(shown: Shown) => void} options.draw Draws a position.
 * @param {(ply: number, san: string) => Promise<Verdict>} [options.judge] Judges a move. With it, faults
 *   can be asked again.
 */
export function createViewer(game, { root, draw, judge }) {
  const { positions, variations } = game;
  const last = positions.length - 1;
  let ply = 0;
  /** The line that is shown instead of the game. @type {LinePlace | null} */
  let shownLine = null;
  /** The user's own moves: the ply at which they leave the game, their steps, and a judgement. @type {{ at: number, judgement?: string, steps: Step[] } | null} */
  let tried = null;
  /** The fault for which a better move is asked: its ply, the verdict on the last answer, and its squares. @type {{ at: number, text?: string, wrong?: string[] } | null} */
  let exercise = null;
  /** The side whose faults are visited, 0 or 1; null for both. @type {number | null} */
  let side = null;

  /** Returns the side that made the move to a position: 0 for White, 1 for Black. @param {number} at */
  const sideOf = (at) => positions[at].name?.includes("...") ? 1 : 0;

  /** Returns the variation of the file with a key. @param {string} key */
  const variation = (key) => variations[Number(key.slice(1))];

  /** Returns the steps of a line. @param {string} key @returns {Step[]} */
  function stepsOf(key) {
    if (key === "own") return tried?.steps ?? [];
    return key[0] === "b" ? searched(key).line : variation(key).steps;
  }

  /** Returns the search result of a line. @param {string} key @returns {SearchedLine} */
  function searched(key) {
    const [at, rank] = key.slice(1).split("/").map(Number);
    return rank ? (positions[at].others ?? [])[rank - 1] : positions[at];
  }

  /** Returns the ply at which a line leaves the game. @param {string} key */
  function branchPly(key) {
    if (key === "own") return tried?.at ?? ply;
    return key[0] === "b" ? parseInt(key.slice(1), 10) : variation(key).at;
  }

  /** Returns the place from which a nested variation leaves its parent, or null. @param {string} key @returns {LinePlace | null} */
  function parentOf(key) {
    const parent = key[0] === "v" ? variation(key).parent : null;
    return parent && { key: "v" + parent[0], index: parent[1] - 1 };
  }

  /** Returns all steps from the game to a place in a line. @param {LinePlace} place @returns {Step[]} */
  function path({ key, index }) {
    const parent = parentOf(key);
    const before = parent === null ? [] : path(parent);
    return [...before, ...stepsOf(key).slice(0, index + 1)];
  }

  /** Returns the current position, of the game, of a line, or before the fault of an exercise. */
  function current() {
    const at = exercise ? exercise.at - 1 : shownLine && shownLine.index < 0 ? branchPly(shownLine.key) : ply;
    const { fen, moved = [], name = "The start", remarks, score, chance } = positions[at];
    if (exercise) return { fen, moved, name: `Find a better move than ${positions[exercise.at].name}` };
    if (!shownLine || shownLine.index < 0) return { fen, moved, name: shownLine ? `Better than ${positions[at + 1].name}` : name, remarks, score, chance };
    const step = stepsOf(shownLine.key)[shownLine.index];
    const result = shownLine.key[0] === "b" ? searched(shownLine.key) : undefined;
    return { fen: step[2], moved: step[3], name: stepName(step), remarks: step[4], score: result?.score ?? step[4]?.score, chance: result?.chance };
  }

  /** Returns the arrows of the next best move, or of an exercise. @returns {Mark[]} */
  function arrows() {
    if (exercise) return [[...(exercise.wrong ?? positions[exercise.at].moved ?? []), "bad"]];
    if (shownLine && shownLine.key[0] !== "b") return [];
    const next = shownLine ? stepsOf(shownLine.key)[shownLine.index + 1] : positions[ply].line[0];
    return next && (!shownLine || shownLine.isSolution) ? [[...next[3], "good"]] : [];
  }

  function clocks() {
    return [0, 1].map((colour) => {
      const at = [ply, ply - 1].find((candidate) => candidate > 0 && sideOf(candidate) === colour);
      const { clock = "", trouble = false } = at ? positions[at] : {};
      return { text: clock, trouble };
    });
  }

  function update() {
    const { fen, moved, name, remarks, chance } = current();
    const isGame = !shownLine && !exercise;
    draw({
      fen, moved, name, chance, ply, isGame, arrows: [...remarks?.arrows ?? [], ...arrows()], circles: remarks?.circles,
      isFirst: ply === 0 && isGame, isLast: ply === last && isGame, hasFault: nextFault() !== undefined, clocks: clocks(),
    });
    find("cursor").hidden = false;
    find("cursor").style.left = 100 * ply / Math.max(last, 1) + "%";
    describe();
  }

  /** Returns the kind of a line in words. @param {string} key */
  function kindOf(key) {
    if (key[0] === "b") return key.includes("/") ? "another line" : "best line";
    return key === "" ? "" : key === "own" ? "your moves" : "variation";
  }

  /** Shows the texts about the position. */
  function describe() {
    const here = positions[ply];
    const before = positions[ply - 1];
    const { name, remarks } = current();
    const isGame = !shownLine && !exercise;
    const fault = isGame ? here.fault : null;
    const where = shownLine && shownLine.index >= 0 ? kindOf(shownLine.key) : "";
    const merit = fault && here.missedWin ? ", a win missed" : fault ? "" : here.missed ? " " + here.missed : here.onlyMove ? " the only move" : "";
    find("name").replaceChildren(name, fault ? make("span", { class: fault }, [" " + fault]) : "", isGame ? make("span", { class: "note" }, [merit]) : "", where ? make("span", { class: "note" }, [" " + where]) : "");
    find("return").hidden = isGame;
    find("return").textContent = here.name ? "Back to " + here.name : "Back to the start";
    find("description").textContent = exercise ? describeExercise(exercise) : shownLine ? describeShownLine() : describeHere();
    find("comment").hidden = Boolean(exercise) || !remarks?.comment;
    find("comment").textContent = remarks?.comment ?? "";
    describeLine("better", "Better", "b" + (ply - 1), !exercise && Boolean(before) && !here.best && before.line.length > 0);
    describeLine("next", "Best now", "b" + ply, !exercise && !shownLine?.isSolution && here.line.length > 0);
    describeOthers(exercise ? [] : here.others ?? []);
    const key = shownLine?.key ?? "";
    const isListed = key === "b" + (ply - 1) || key === "b" + ply || key.startsWith("b" + ply + "/");
    const kind = kindOf(key);
    describeLine("shown-line", kind && kind[0].toUpperCase() + kind.slice(1), key, key !== "" && !isListed);
    root.querySelectorAll(".step.shown").forEach((step) => mark(step, false));
    if (shownLine) root.querySelectorAll(`[data-line="${shownLine.key}"][data-step="${shownLine.index}"]`).forEach((step) => mark(step, true));
    find("m" + ply)?.classList.toggle("left-behind", shownLine !== null);
    // The list names the best moves, so it hides them while a move is asked.
    find("moves").classList.toggle("asking", exercise !== null);
    find("exercise").hidden = !judge || (!exercise && !isLesson(here));
    find("ask").hidden = exercise !== null;
    find("solve").hidden = exercise === null;
    keepFocus(exercise && judge ? "solve" : "moves");
  }

  function describeHere() {
    const here = positions[ply];
    const depth = here.depth > 0 ? ", depth " + here.depth : "";
    const loss = here.loss ? " The move gave away " + here.loss + " % of a point" + (here.book && !here.fault && here.loss >= 10 ? ", but it belongs to a named opening." : ".") : "";
    const isNoted = here.engine && here.engine.seconds !== null;
    const time = here.spent === undefined || isNoted ? "" : " Time used: " + here.spent + (here.trouble ? ", in time trouble." : ".");
    return inWords(here.score) + " (" + percentOf(here.chance) + ")" + depth + "." + (here.verdict ? " " + here.verdict : "") + (here.repertoire ? " " + here.repertoire : "") + loss + time + describeEngine(here.engine);
  }

  /** Describes the evaluation of the engine that made the move, if the game contains it. @param {ReviewedPosition["engine"]} note */
  function describeEngine(note) {
    if (!note) return "";
    const details = [note.depth ? "depth " + note.depth : "", note.seconds === null ? "" : note.seconds + " s"].filter(Boolean);
    return " The player thought: " + inWords(note.score) + (details.length > 0 ? " (" + details.join(", ") + ")" : "") + ".";
  }

  function describeShownLine() {
    if (shownLine?.key === "own" && tried?.judgement) return tried.judgement;
    const { score, chance } = current();
    if (score === undefined) return "Not searched.";
    const end = shownLine && shownLine.index < 0 ? "." : " at the end of this line.";
    return inWords(score) + (chance === undefined ? "" : " (" + percentOf(chance) + ")") + end;
  }

  /** @param {{ at: number, text?: string }} exercise */
  function describeExercise({ at, text }) {
    const { fault, missed } = positions[at];
    return text ?? `${sideOf(at) ? "Black" : "White"} to move. The move of the game ${fault ? `was ${fault === "inaccuracy" ? "an" : "a"} ${fault}` : missed}.`;
  }

  /** Shows a line with clickable moves. @param {string} id @param {string} title @param {string} key @param {boolean} applies */
  function describeLine(id, title, key, applies) {
    find(id).hidden = !applies;
    find(id).replaceChildren(...applies ? lineOf(title, key) : []);
  }

  /** Shows the lines other than the best. @param {SearchedLine[]} others */
  function describeOthers(others) {
    find("others").replaceChildren(...others.map((other, index) => make("p", { class: "line" }, lineOf("Or", "b" + ply + "/" + (index + 1)))));
  }

  /** @param {string} title @param {string} key */
  function lineOf(title, key) {
    const moves = stepsOf(key).map(([number, san], index) =>
      [make("button", { type: "button", class: "step", "data-line": key, "data-step": index }, [(number ? number + " " : "") + san]), " "]);
    // The score comes first, since after the moves it could wrap to a line of its own.
    const score = key[0] === "b" ? [make("span", { class: "note" }, [searched(key).score]), " "] : [];
    return [make("b", {}, [title]), " ", ...score, ...moves.flat()];
  }

  /** Shows a place in a line. The game stays at the ply where the line leaves it. @param {LinePlace} place */
  function lookAt(place) {
    const at = branchPly(place.key);
    if (exercise || (ply !== at && ply !== at + 1)) show(Math.min(at + 1, last));
    shownLine = place;
    update();
  }

  /** Shows the game at a ply. @param {number} wanted */
  function show(wanted, scroll = true) {
    shownLine = null;
    exercise = null;
    find("m" + ply)?.classList.remove("left-behind");
    mark(find("m" + ply), false);
    ply = Math.max(0, Math.min(last, wanted));
    update();
    const move = find("m" + ply);
    const list = find("moves");
    mark(move, true);
    // Scrolls only a list with a scroll bar of its own, not the page.
    if (scroll && list.scrollHeight > list.clientHeight) {
      list.scrollTop = move ? move.offsetTop - list.clientHeight / 2 : 0;
    }
  }

  /** Returns the ply after the next fault, if there is one. */
  function nextFault() {
    const at = positions.findIndex((position, index) => index > ply && isLesson(position) && (side === null || sideOf(index) === side));
    return at < 0 ? undefined : at;
  }

  /** Moves one step from the shown position, in the shown line or else in the game. @param {number} by */
  function step(by) {
    if (shownLine === null) return show(ply + by);
    const { key, index } = shownLine;
    if (index + by >= (shownLine.isSolution ? -1 : 0)) {
      if (index + by < stepsOf(key).length) lookAt({ ...shownLine, index: index + by });
      return;
    }
    const parent = parentOf(key);
    if (parent !== null && parent.index >= 0) lookAt(parent);
    else show(branchPly(key));
  }

  /** Plays the user's move: follows the shown line, the game or the best line if it is its next move, else
   * extends the user's own line. @param {Move} move @param {Position} before */
  function tryMove(move, before) {
    const san = rules.san(before, move);
    if (exercise) return answer(san, move, before);
    if (shownLine) {
      if (stepsOf(shownLine.key)[shownLine.index + 1]?.[1] === san) return step(1);
    } else {
      if (positions[ply + 1]?.name?.endsWith(" " + san)) return show(ply + 1);
      if (positions[ply].line[0]?.[1] === san) return lookAt({ key: "b" + ply, index: 0 });
    }
    const at = shownLine ? branchPly(shownLine.key) : ply;
    extend(at, shownLine ? path(shownLine) : [], move, before);
  }

  /**
   * Makes a move the end of the user's own line.
   * @param {number} at
   * @param {Step[]} steps
   * @param {Move} move
   * @param {Position} before
   * @param {string} [judgement]
   */
  function extend(at, steps, move, before, judgement) {
    tried = { at, judgement, steps: [...steps, stepOf(before, move, steps.length === 0)] };
    lookAt({ key: "own", index: steps.length });
  }

  /** Asks for a better move than the shown fault. */
  function ask() {
    const at = ply;
    show(at);
    if (!judge || !isLesson(positions[at])) return;
    exercise = { at };
    update();
  }

  /** Judges an answer. A late judgement, of an exercise that was left, is dropped. @param {string} san @param {Move} move @param {Position} before */
  async function answer(san, move, before) {
    const asked = exercise;
    if (!asked || !judge) return;
    asked.text = "…";
    find("description").textContent = asked.text;
    try {
      const { isGood, text } = await judge(asked.at - 1, san);
      if (asked !== exercise) return;
      if (isGood) return extend(asked.at - 1, [], move, before, text);
      Object.assign(asked, { text, wrong: [move.from, move.to].map(rules.name) });
    } catch (error) {
      if (asked !== exercise) return;
      asked.text = /** @type {Error} */ (error).message;
    }
    update();
  }

  /** Shows the solution of the exercise: the best line, which can be played through. */
  function solve() {
    if (!exercise) return;
    const { at } = exercise;
    show(at);
    lookAt({ key: "b" + (at - 1), index: -1, isSolution: true });
  }

  root.addEventListener("click", (event) => {
    const place = around(event, ".step");
    if (place) {
      lookAt({ key: place.dataset.line ?? "", index: Number(place.dataset.step) });
      // The line may have been drawn anew.
      if (!place.isConnected) /** @type {HTMLElement | null} */ (root.querySelector(".step.shown"))?.focus();
      return;
    }
    const move = around(event, "a.move");
    if (!move) return;
    event.preventDefault();
    show(Number(move.id.slice(1)), false);
  });
  find("return").addEventListener("click", () => show(ply));
  find("ask").addEventListener("click", ask);
  find("solve").addEventListener("click", solve);
  const plot = find("plot");
  const goTo = (/** @type {PointerEvent} */ event) => {
    const box = plot.getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * last));
  };
  plot.addEventListener("pointerdown", goTo);
  plot.addEventListener("pointermove", (event) => { if (event.buttons) goTo(event); });

  return {
    show, step, tryMove, ask, solve, update,
    showLast: () => show(last),
    showNextFault: () => show(nextFault() ?? ply),
    /** Leaves the line or the exercise. */
    leave: () => show(ply),
    /** Visits only the faults of a side, 0 or 1; null for both. @param {number | null} wanted */
    visit(wanted) { side = wanted; update(); },
    get current() { return current(); },
    get ply() { return ply; },
  };
}
