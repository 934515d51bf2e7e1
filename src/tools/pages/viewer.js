import { find, make, mark } from "./common.js";
import { rules } from "./rules.js";

/**
 * A step of a line: number (may be empty), move, FEN after it, its squares, and remarks.
 * @typedef {[string, string, string, string[], object?]} Step
 *
 * A position as the viewer shows it.
 * @typedef {object} Shown
 * @property {string} fen
 * @property {string[]} moved Squares of the last move.
 * @property {string} name Name of the last move.
 * @property {string[][]} arrows
 * @property {string[][]} [circles]
 * @property {number} [chance] White's winning chance, 0 to 1.
 * @property {number} ply
 * @property {boolean} isGame The position is one of the game, not of a line.
 * @property {boolean} isFirst
 * @property {boolean} isLast
 * @property {boolean} hasFault A fault follows.
 * @property {{ text: string, trouble: boolean }[]} clocks Of White and of Black.
 *
 * Judgement of a move: `isGood` tells if it solves the exercise, and `text` says more.
 * @typedef {{ isGood: boolean, text: string }} Judgement
 */

/** Returns whether the move to a position was a fault or missed a chance. */
const isLesson = ({ fault, missed }) => Boolean(fault || missed);

const percent = (chance) => Math.round(100 * chance) + " %";

/** Describes a score from White's point of view; a mate names the side that mates. */
function inWords(score) {
  const mate = /^#(−?)(\d+)$/.exec(score);
  return mate ? (mate[1] ? "Black" : "White") + " mates in " + mate[2] : score === "mate" ? "Mate" : "White " + score;
}

/** Returns the name of a step's move with its number: "12... Kf8". */
function nameOf([, san, fen]) {
  const [, turn, , , , full] = fen.split(" ");
  return (turn === "b" ? full + ". " : full - 1 + "... ") + san;
}

/**
 * Shows an analysed game in the parts of a page that the server or `analyse` has made: the text about a
 * position, its lines, the moves and the curve.
 * @param {object} game The positions and the variations of the file.
 * @param {object} options
 * @param {Element | Document} options.root Contains the parts.
 * @param {(shown: Shown) => void} options.draw Draws a position.
 * @param {(position: object, san: string) => Promise<Judgement>} [options.judge] Judges a move. With it, faults
 *   can be asked again.
 */
export function createViewer(game, { root, draw, judge }) {
  const { positions, variations } = game;
  const last = positions.length - 1;
  let ply = 0;
  /** Place in a line that is shown instead of the game: { key, index }. A solution, { key, index, isSolution }, begins
   * at -1, the position before the line. */
  let shownLine = null;
  /** The user's own moves: the ply at which they leave the game, their steps, and a judgement. */
  let tried = null;
  /** The fault for which a better move is asked: its ply and the answers so far. */
  let exercise = null;
  /** The side whose faults are visited, 0 or 1; null for both. */
  let side = null;

  /** Returns the side that made the move to a position: 0 for White, 1 for Black. */
  const sideOf = (at) => positions[at].name.includes("...") ? 1 : 0;

  /**
   * Returns the steps of a line. Lines have keys: "b12" is the best line of position 12, "b12/1" the second
   * best, "v3" variation 3 of the file, "own" the user's moves.
   * @returns {Step[]}
   */
  function stepsOf(key) {
    if (key === "own") return tried?.steps ?? [];
    return key[0] === "b" ? searched(key).line : variations[Number(key.slice(1))].steps;
  }

  /** Returns the search result of a line, with its score and chance. */
  function searched(key) {
    const [at, rank] = key.slice(1).split("/").map(Number);
    return rank ? positions[at].others[rank - 1] : positions[at];
  }

  /** Returns the ply at which a line leaves the game. */
  function branchPly(key) {
    if (key === "own") return tried.at;
    return key[0] === "b" ? parseInt(key.slice(1), 10) : variations[Number(key.slice(1))].at;
  }

  /** Returns all steps from the game to a place in a line. */
  function path({ key, index }) {
    const parent = key[0] === "v" ? variations[Number(key.slice(1))].parent : null;
    const before = parent === null ? [] : path({ key: "v" + parent[0], index: parent[1] - 1 });
    return [...before, ...stepsOf(key).slice(0, index + 1)];
  }

  /** Returns the current position, of the game, of a line, or before the fault of an exercise. */
  function current() {
    const at = exercise ? exercise.at - 1 : shownLine?.index < 0 ? branchPly(shownLine.key) : ply;
    const { fen, moved = [], name = "The start", remarks, score, chance } = positions[at];
    if (exercise) return { fen, moved, name: `Find a better move than ${positions[exercise.at].name}` };
    if (!shownLine || shownLine.index < 0) return { fen, moved, name: shownLine ? `Better than ${positions[at + 1].name}` : name, remarks, score, chance };
    const step = stepsOf(shownLine.key)[shownLine.index];
    const result = shownLine.key[0] === "b" ? searched(shownLine.key) : {};
    return { fen: step[2], moved: step[3], name: nameOf(step), remarks: step[4], score: result.score ?? step[4]?.score, chance: result.chance };
  }

  /** Returns the arrows of the next best move, or of an exercise. */
  function arrows() {
    if (exercise) return [[...(exercise.wrong ?? positions[exercise.at].moved), "bad"]];
    if (shownLine && shownLine.key[0] !== "b") return [];
    const next = shownLine ? stepsOf(shownLine.key)[shownLine.index + 1] : positions[ply].line[0];
    return next && (!shownLine || shownLine.isSolution) ? [[...next[3], "good"]] : [];
  }

  function clocks() {
    return [0, 1].map((colour) => {
      const at = [ply, ply - 1].find((candidate) => candidate > 0 && sideOf(candidate) === colour);
      return { text: at && positions[at].clock || "", trouble: Boolean(at && positions[at].trouble) };
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

  /** Shows the texts about the position. */
  function describe() {
    const here = positions[ply];
    const before = positions[ply - 1];
    const { name, remarks } = current();
    const isGame = !shownLine && !exercise;
    const fault = isGame ? here.fault : null;
    const where = shownLine?.index >= 0 && { b: shownLine.key.includes("/") ? "another line" : "best line", v: "variation", o: "your moves" }[shownLine.key[0]];
    const merit = fault && here.missedWin ? ", a win missed" : fault ? "" : here.missed ? " " + here.missed : here.onlyMove ? " the only move" : "";
    find("name").replaceChildren(name, fault ? make("span", { class: fault }, [" " + fault]) : "", isGame ? make("span", { class: "note" }, [merit]) : "", where ? make("span", { class: "note" }, [" " + where]) : "");
    find("return").hidden = isGame;
    find("return").textContent = here.name ? "Back to " + here.name : "Back to the start";
    find("description").textContent = exercise ? describeExercise() : shownLine ? describeShownLine() : describeHere();
    find("comment").hidden = exercise || !remarks?.comment;
    find("comment").textContent = remarks?.comment ?? "";
    describeLine("better", "Better", "b" + (ply - 1), !exercise && before && !here.best && before.line.length > 0);
    describeLine("next", "Best now", "b" + ply, !exercise && !shownLine?.isSolution && here.line.length > 0);
    describeOthers(exercise ? [] : here.others ?? []);
    const isListed = shownLine && ["b" + (ply - 1), "b" + ply].some((key) => shownLine.key === key || shownLine.key.startsWith("b" + ply + "/"));
    describeLine("shown-line", { b: "Best line", v: "Variation", o: "Your moves" }[shownLine?.key[0]], shownLine?.key, shownLine && !isListed);
    root.querySelectorAll(".step.shown").forEach((step) => mark(step, false));
    if (shownLine) root.querySelectorAll(`[data-line="${shownLine.key}"][data-step="${shownLine.index}"]`).forEach((step) => mark(step, true));
    find("m" + ply)?.classList.toggle("left-behind", shownLine !== null);
    // The list names the best moves, so it hides them while a move is asked.
    find("moves").classList.toggle("asking", exercise !== null);
    find("exercise").hidden = !judge || (!exercise && !isLesson(here));
    find("ask").hidden = exercise !== null;
    find("solve").hidden = exercise === null;
  }

  function describeHere() {
    const here = positions[ply];
    const depth = here.depth > 0 ? ", depth " + here.depth : "";
    const loss = here.loss > 0 ? " The move gave away " + here.loss + " % of a point" + (here.book && !here.fault && here.loss >= 10 ? ", but it belongs to a named opening." : ".") : "";
    const isNoted = here.engine && here.engine.seconds !== null;
    const time = here.spent === undefined || isNoted ? "" : " Time used: " + here.spent + (here.trouble ? ", in time trouble." : ".");
    return inWords(here.score) + " (" + percent(here.chance) + ")" + depth + "." + (here.verdict ? " " + here.verdict : "") + (here.repertoire ? " " + here.repertoire : "") + loss + time + describeEngine(here.engine);
  }

  /** Describes the evaluation of the engine that made the move, if the game contains it. */
  function describeEngine(note) {
    if (!note) return "";
    const details = [note.depth ? "depth " + note.depth : "", note.seconds === null ? "" : note.seconds + " s"].filter(Boolean);
    return " The player thought: " + inWords(note.score) + (details.length > 0 ? " (" + details.join(", ") + ")" : "") + ".";
  }

  function describeShownLine() {
    if (shownLine.key === "own" && tried.judgement) return tried.judgement;
    const { score, chance } = current();
    if (score === undefined) return "Not searched.";
    const end = shownLine.index < 0 ? "." : " at the end of this line.";
    return inWords(score) + (chance === undefined ? "" : " (" + percent(chance) + ")") + end;
  }

  function describeExercise() {
    const { fault, missed } = positions[exercise.at];
    return exercise.text ?? `${sideOf(exercise.at) ? "Black" : "White"} to move. The move of the game ${fault ? `was ${fault === "inaccuracy" ? "an" : "a"} ${fault}` : missed}.`;
  }

  /** Shows a line with clickable moves. */
  function describeLine(id, title, key, applies) {
    find(id).hidden = !applies;
    find(id).replaceChildren(...applies ? lineOf(title, key) : []);
  }

  /** Shows the lines other than the best. */
  function describeOthers(others) {
    find("others").replaceChildren(...others.map((other, index) => make("p", { class: "line" }, lineOf("Or", "b" + ply + "/" + (index + 1)))));
  }

  function lineOf(title, key) {
    const moves = stepsOf(key).map(([number, san], index) =>
      [make("button", { type: "button", class: "step", "data-line": key, "data-step": index }, [(number ? number + " " : "") + san]), " "]);
    // The score comes first, since after the moves it could wrap to a line of its own.
    const score = key[0] === "b" ? [make("span", { class: "note" }, [searched(key).score]), " "] : [];
    return [make("b", {}, [title]), " ", ...score, ...moves.flat()];
  }

  /** Shows a place in a line. The game stays at the ply where the line leaves it. */
  function lookAt(place) {
    const at = branchPly(place.key);
    if (exercise || (ply !== at && ply !== at + 1)) show(Math.min(at + 1, last));
    shownLine = place;
    update();
  }

  /** Shows the game at a ply. */
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

  /** Moves one step from the shown position, in the shown line or else in the game. */
  function step(by) {
    if (shownLine === null) return show(ply + by);
    const { key, index } = shownLine;
    if (index + by >= (shownLine.isSolution ? -1 : 0)) {
      if (index + by < stepsOf(key).length) lookAt({ ...shownLine, index: index + by });
      return;
    }
    const parent = key[0] === "v" ? variations[Number(key.slice(1))].parent : null;
    if (parent !== null && parent[1] > 0) lookAt({ key: "v" + parent[0], index: parent[1] - 1 });
    else show(branchPly(key));
  }

  /** Plays the user's move: follows the shown line, the game or the best line if it is its next move, else
   * extends the user's own line. */
  function tryMove(move, before) {
    const san = rules.san(before, move);
    if (exercise) return answer(san, move, before);
    if (shownLine) {
      if (stepsOf(shownLine.key)[shownLine.index + 1]?.[1] === san) return step(1);
    } else {
      if (positions[ply + 1]?.name.endsWith(" " + san)) return show(ply + 1);
      if (positions[ply].line[0]?.[1] === san) return lookAt({ key: "b" + ply, index: 0 });
    }
    const at = shownLine ? branchPly(shownLine.key) : ply;
    extend(at, shownLine ? path(shownLine) : [], move, before);
  }

  /** Makes a move the end of the user's own line. */
  function extend(at, steps, move, before, judgement) {
    const number = before.turn === "w" ? before.full + "." : steps.length === 0 ? before.full + "..." : "";
    const squares = [move.from, move.to].map(rules.name);
    tried = { at, judgement, steps: [...steps, [number, rules.san(before, move), rules.fen(rules.play(before, move)), squares]] };
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

  /** Judges an answer. A late judgement, of an exercise that was left, is dropped. */
  async function answer(san, move, before) {
    const asked = exercise;
    asked.text = "…";
    find("description").textContent = asked.text;
    try {
      const { isGood, text } = await judge(asked.at - 1, san);
      if (asked !== exercise) return;
      if (isGood) return extend(asked.at - 1, [], move, before, text);
      Object.assign(asked, { text, wrong: [move.from, move.to].map(rules.name) });
    } catch (error) {
      if (asked !== exercise) return;
      asked.text = error.message;
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
    const place = event.target.closest(".step");
    if (place) return lookAt({ key: place.dataset.line, index: Number(place.dataset.step) });
    const move = event.target.closest("a.move");
    if (!move) return;
    event.preventDefault();
    show(Number(move.id.slice(1)), false);
  });
  find("return").addEventListener("click", () => show(ply));
  find("ask").addEventListener("click", ask);
  find("solve").addEventListener("click", solve);
  const plot = find("plot");
  const goTo = (event) => {
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
    /** Visits only the faults of a side, 0 or 1; null for both. */
    visit(wanted) { side = wanted; update(); },
    get current() { return current(); },
    get ply() { return ply; },
  };
}
