/** The engine's lines for the analysed position. */

/** Starts the analysis of the current node. */
async function startAnalysis() {
  study.running = true;
  drawSwitch();
  const body = {
    position: positionOf(study.node), lines: Number(find("lines").value),
    threads: Number(find("threads").value), megabytes: Number(find("megabytes").value),
  };
  try {
    await ask("analysis", body);
  } catch (error) {
    study.running = false;
    drawSwitch();
    showError(error.message);
  }
}

function stopAnalysis() {
  study.running = false;
  drawSwitch();
  ask("analysis/stop").catch((error) => showError(error.message));
}

function drawSwitch() {
  find("analysis-switch").setAttribute("aria-checked", study.running);
}

/** Returns an arrow for the first move of each line, the best one last, so that it is drawn on top. */
function lineArrows(view) {
  if (!view || !find("arrows").checked) return [];
  return view.lines.map(({ moves: [first] }, index) => [...first.squares, index === 0 ? "good" : "other"]).reverse();
}

/** Handles an analysis event. */
function onAnalysis(view) {
  if (view.fen !== study.node.fen) return;
  study.view = view;
  if (shownTab() !== "analyse") return;
  drawLines();
  squares.board.show({ ...squares.board.view, arrows: lineArrows(view) });
}

const shortCount = (count) => count >= 1e9 ? `${(count / 1e9).toFixed(1)} G` : count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);

/** Adjusts the number of an element's children and returns them. */
function setLength(parent, length, create) {
  while (parent.childElementCount < length) parent.append(create());
  while (parent.childElementCount > length) parent.lastElementChild.remove();
  return [...parent.children];
}

function drawLines() {
  const { view } = study;
  const count = Number(find("lines").value);
  // One row per requested line, so that the layout does not jump. Rows and buttons are reused: a button
  // that is replaced between press and release gets no click.
  const rows = setLength(find("found-lines"), count, () => make("li", {}, [make("b", {}, []), make("span", {}, [])]));
  rows.forEach((row, rank) => {
    const line = view?.lines[rank];
    const [score, moves] = row.children;
    score.textContent = line?.score ?? "";
    const buttons = setLength(moves, line?.moves.length ?? 0, () => make("button", { type: "button" }, []));
    buttons.forEach((button, index) => {
      const { number, san } = line.moves[index];
      button.textContent = number ? `${number} ${san}` : san;
    });
  });
  find("figures").textContent = figures(view);
  const wdl = view?.lines[0]?.wdl;
  const [win, draw, loss] = (wdl ?? []).map((permille) => Math.round(permille / 10));
  drawChances(wdl, `White wins ${win}%, draw ${draw}%, Black wins ${loss}%`);
}

function figures(view) {
  if (!view) return study.running ? "…" : "";
  return [searchFigures(view), view.tablebase_error && `endgame tables are not used: ${view.tablebase_error}`].filter(Boolean).join(" · ");
}

function searchFigures(view) {
  if (view.activity === "waiting") return "waiting for a free search thread";
  const best = view.lines[0];
  if (!best) return "";
  const parts = [`depth ${best.depth}/${best.seldepth}`, `${shortCount(view.nodes)} nodes`, `${shortCount(view.nodes_per_second)} nodes/s`,
    `hash ${Math.round(view.hashfull / 10)}% full`];
  if (view.tablebase_hits > 0) parts.push(`${shortCount(view.tablebase_hits)} tablebase hits`);
  const [win, draw, loss] = best.wdl.map((permille) => Math.round(permille / 10));
  parts.push(`White wins ${win}%, draw ${draw}%, Black wins ${loss}%`);
  return parts.join(" · ");
}

/** Draws the bar of White's wins, draws and losses next to the board; an empty one without them. */
function drawChances(wdl, words) {
  const bar = find("chances");
  bar.classList.toggle("known", Boolean(wdl));
  if (!wdl) return;
  const [win, draw, loss] = wdl;
  bar.querySelector(".white-wins").style.flexGrow = win;
  bar.querySelector(".draws").style.flexGrow = draw;
  bar.querySelector(".black-wins").style.flexGrow = loss;
  bar.setAttribute("aria-label", words);
}

/** Adds moves of a line to the study and goes to the last one. */
const playLine = (from, moves) => attempt(async () => {
  let node = from;
  for (const { uci } of moves) node = addNode(node, await request("/api/play", { position: positionOf(node), move: uci }));
  await goTo(node);
});

find("threads").max = data.threads;
find("threads").value = data.threads;
find("megabytes").max = data.megabytes;
find("megabytes").value = data.megabytes;
find("analysis-switch").addEventListener("click", () => study.running ? stopAnalysis() : startAnalysis());
["lines", "threads", "megabytes"].forEach((id) => find(id).addEventListener("change", () => {
  drawLines();
  if (study.running) startAnalysis();
}));
find("found-lines").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const rank = [...find("found-lines").children].indexOf(button.closest("li"));
  const index = [...button.parentElement.children].indexOf(button);
  playLine(study.node, study.view.lines[rank].moves.slice(0, index + 1));
});
rememberField(find("lines"), "lines");
rememberField(find("arrows"), "arrows");
find("arrows").addEventListener("change", drawStudy);
find("look-inside").addEventListener("click", () => {
  const query = new URLSearchParams({ fen: study.node.fen, depth: find("inside-depth").value });
  window.open(`/inside?${query}`, "_blank", "noopener");
});
onEvent("analysis", onAnalysis);
// Resumes the analysis when the page is visible again.
onEvent("open", () => { if (study.running) startAnalysis(); });
