import { data, find, findField, make, onChange, onClick } from "../../tools/pages/common.js";
import { showError } from "./messages.js";
import { ask, onEvent } from "./requests.js";
import { rememberField } from "./settings.js";
import { drawChances, squares } from "./squares.js";
import { shownTab } from "./tabs.js";
import { positionOf, study } from "./tree.js";
/** @import { AnalysisView } from "./types.js" */

// The engine's lines for the analysed position.

/** Starts the analysis of the current node. */
export async function startAnalysis() {
  study.running = true;
  drawSwitch();
  const body = {
    position: positionOf(study.node),
    ...Object.fromEntries(["lines", "threads", "megabytes"].map((id) => [id, Number(findField(id).value)])),
  };
  try {
    await ask("analysis", body);
  } catch (error) {
    study.running = false;
    drawSwitch();
    showError(/** @type {Error} */ (error).message);
  }
}

export function stopAnalysis() {
  study.running = false;
  drawSwitch();
  ask("analysis/stop").catch((error) => showError(error.message));
}

function drawSwitch() {
  find("analysis-switch").setAttribute("aria-checked", String(study.running));
}

/** Returns an arrow for the first move of each line, the best one last, so that it is drawn on top. @param {AnalysisView | null} view @returns {string[][]} */
export function lineArrows(view) {
  if (!view || !findField("arrows").checked) return [];
  return view.lines.map(({ moves: [first] }, index) => [...first.squares, index === 0 ? "good" : "other"]).reverse();
}

/** Handles an analysis event. @param {AnalysisView} view */
function onAnalysis(view) {
  if (view.fen !== study.node.fen) return;
  study.view = view;
  if (shownTab() !== "analyse") return;
  drawLines();
  squares.board.show({ ...squares.board.view, arrows: lineArrows(view) });
}

/** @param {number} count */
const shortCount = (count) => count >= 1e9 ? `${(count / 1e9).toFixed(1)} G` : count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);

/** Adjusts the number of an element's children and returns them. @param {Element} parent @param {number} length @param {() => Element} create */
function setLength(parent, length, create) {
  while (parent.childElementCount < length) parent.append(create());
  while (parent.childElementCount > length) parent.lastElementChild?.remove();
  return [...parent.children];
}

export function drawLines() {
  const { view } = study;
  const count = Number(findField("lines").value);
  // One row per requested line, so that the layout does not jump. Rows and buttons are reused: a button
  // that is replaced between press and release gets no click.
  const rows = setLength(find("found-lines"), count, () => make("li", {}, [make("b"), make("span")]));
  rows.forEach((row, rank) => {
    const line = view?.lines[rank];
    const [score, moves] = row.children;
    score.textContent = line?.score ?? "";
    const texts = line?.moves.map(({ number, san }) => number ? `${number} ${san}` : san) ?? [];
    setLength(moves, texts.length, () => make("button", { type: "button" })).forEach((button, index) => { button.textContent = texts[index]; });
  });
  find("figures").textContent = figures(view);
  const wdl = view?.lines[0]?.wdl;
  drawChances(wdl, wdl && wordsOfWdl(wdl));
}

/** @param {number[]} wdl */
function wordsOfWdl(wdl) {
  const [win, loss] = [wdl[0], wdl[2]].map((permille) => Math.round(permille / 10));
  return `White wins ${win} %, draw ${100 - win - loss} %, Black wins ${loss} %`;
}

/** @param {AnalysisView | null} view */
function figures(view) {
  if (!view) return study.running ? "…" : "The engine is off. It shows its best moves here.";
  return [searchFigures(view), view.tablebase_error && `endgame tables are not used: ${view.tablebase_error}`].filter(Boolean).join(" · ");
}

/** @param {AnalysisView} view */
function searchFigures(view) {
  if (view.activity === "waiting") return "waiting for a free search thread";
  const best = view.lines[0];
  if (!best) return "";
  const parts = [`depth ${best.depth}/${best.seldepth}`, `${shortCount(view.nodes)} nodes`, `${shortCount(view.nodes_per_second)} nodes/s`,
    `hash ${Math.round(view.hashfull / 10)} % full`];
  if (view.tablebase_hits > 0) parts.push(`${shortCount(view.tablebase_hits)} tablebase hits`);
  return [...parts, wordsOfWdl(best.wdl)].join(" · ");
}

Object.assign(findField("threads"), { max: data.threads, value: data.threads });
Object.assign(findField("megabytes"), { max: data.megabytes, value: data.megabytes });
["lines", "arrows"].forEach(rememberField);
onClick("analysis-switch", () => study.running ? stopAnalysis() : startAnalysis());
["lines", "threads", "megabytes"].forEach((id) => onChange(id, () => {
  drawLines();
  if (study.running) startAnalysis();
}));
onEvent("analysis", onAnalysis);
// Resumes the analysis when the page is visible again.
onEvent("open", () => { if (study.running) startAnalysis(); });
