import { find, findField, make, onClick } from "../../tools/pages/common.js";
import { START_FEN } from "../../tools/pages/rules.js";
import { acceptFiles } from "./files.js";
import { attempt } from "./messages.js";
import { showPosition } from "./players.js";
import { ask } from "./requests.js";
import { readStudy } from "./study.js";
import { addTab, showTab, shownTab } from "./tabs.js";
import { onWork } from "./work.js";
/** @import { SuiteRow, Work } from "./types.js" */

/** Solving of test suites. @type {{ work: Work | null, rows: SuiteRow[], name: string }} */
export const suite = { work: null, rows: [], name: "suite.epd" };

const startSuite = () => attempt(() => ask("suite", {
  name: suite.name, epd: findField("suite-text").value, milliseconds: Number(findField("suite-time").value),
}));

/** Opens a file of positions. @param {string} text @param {string} name */
function openSuite(text, name) {
  findField("suite-text").value = text;
  suite.name = name;
}

/** Shows the position that was searched last. */
const drawSuiteBoard = () => showPosition({ fen: suite.rows.at(-1)?.fen ?? START_FEN });

/** Returns the counts of solved positions and of those without an expected answer. @param {SuiteRow[]} rows */
function sumOfSuite(rows) {
  const judged = rows.filter((row) => row.solved !== null);
  const solved = judged.filter((row) => row.solved).length;
  const parts = judged.length > 0 ? [`${solved} of ${judged.length} solved`] : [];
  if (judged.length < rows.length) parts.push(`${rows.length - judged.length} only evaluated`);
  return parts.join(", ");
}

/** Returns the row of a position in the table. @param {SuiteRow} row */
function suiteRow({ name, fen, wanted, played, solved, found_ms }) {
  const time = found_ms === null ? "" : `${(found_ms / 1000).toFixed(2)} s`;
  const [verdict, kind] = solved === null ? ["evaluated", ""] : solved ? ["solved", "solved"] : ["failed", "blunder"];
  const cells = [verdict, make("button", { type: "button", title: "Analyse" }, [name]), wanted, played ?? "", time].map((cell) => make("td", {}, [cell]));
  cells[0].className = kind;
  return make("tr", { click: () => { showTab("analyse"); readStudy(fen); } }, cells);
}

// An event has only the new rows.
onWork("suite", (work) => {
  suite.work = work;
  if (work.rows_from === 0) {
    suite.rows = [];
    find("suite-rows").replaceChildren();
  }
  suite.rows.push(...work.rows);
  if (shownTab() === "suites") drawSuiteBoard();
  find("suite-sum").textContent = sumOfSuite(suite.rows);
  find("suite-rows").append(...work.rows.map(suiteRow));
});
addTab("suites", { draw: drawSuiteBoard, file: openSuite });
onClick("suite-start", startSuite);
onClick("suite-stop", () => attempt(() => ask("work/stop")));
acceptFiles("suite-file", openSuite);
