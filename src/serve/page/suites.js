/** Solving of test suites. */
const suite = { work: null, rows: [], name: "suite.epd" };

const startSuite = () => attempt(() => ask("suite", {
  name: suite.name, epd: find("suite-text").value, milliseconds: Number(find("suite-time").value),
}));

/** Opens a file of positions. */
function openSuite(text, name) {
  find("suite-text").value = text;
  suite.name = name;
}

/** Shows the position that was searched last. */
function drawSuiteBoard() {
  drawSteps(0, 0);
  drawPlayers();
  const last = suite.rows.at(-1);
  showPosition({ fen: last ? last.fen : START_FEN });
}

/** Returns the counts of solved positions and of those without an expected answer. */
function sumOfSuite(rows) {
  const judged = rows.filter((row) => row.solved !== null);
  const solved = judged.filter((row) => row.solved).length;
  const parts = judged.length > 0 ? [`${solved} of ${judged.length} solved`] : [];
  if (judged.length < rows.length) parts.push(`${rows.length - judged.length} only evaluated`);
  return parts.join(", ");
}

/** Handles a suite event with the new rows. */
function onSuite(work) {
  suite.work = work;
  const body = find("suite-rows");
  if (work.rows_from === 0) {
    suite.rows = [];
    body.replaceChildren();
  }
  suite.rows.push(...work.rows);
  if (shownTab() === "suites") drawSuiteBoard();
  drawProgress("suite", work);
  find("suite-sum").textContent = sumOfSuite(suite.rows);
  for (const row of work.rows) {
    const time = row.found_ms === null ? "" : `${(row.found_ms / 1000).toFixed(2)} s`;
    const name = make("button", { type: "button", title: "Analyse" }, [row.name]);
    const verdict = row.solved === null ? "evaluated" : row.solved ? "solved" : "failed";
    const cells = [verdict, name, row.wanted, row.played ?? "", time].map((cell) => make("td", {}, [cell]));
    cells[0].className = { solved: "solved", failed: "blunder", evaluated: "" }[verdict];
    const line = make("tr", {}, cells);
    line.addEventListener("click", () => { showTab("analyse"); readStudy(row.fen); });
    body.append(line);
  }
}

find("suite-start").addEventListener("click", startSuite);
find("suite-stop").addEventListener("click", () => attempt(() => ask("work/stop")));
acceptFiles(find("suite-file"), openSuite);
