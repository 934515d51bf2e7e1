/**
 * The tabs by name. Each has functions to draw it, to step through its moves, to handle a move on the board
 * and to open a file, and may have keys of its own. `flipped` is set once the orientation of its board is known.
 */
const TABS = {
  play: {
    draw: drawPlay,
    step: (by) => showPly(play.shown + by),
    end: (last) => showPly(last ? Infinity : 0),
    move: playMove,
    file: openGames,
  },
  games: { draw: drawSaved, step: () => {}, end: () => {}, move: async () => false, file: openGames },
  analyse: { draw: openStudy, step: studyStep, end: studyEnd, move: studyMove, file: openGames },
  review: {
    draw: drawReview,
    step: (by) => review.viewer?.step(by),
    end: (last) => last ? review.viewer?.showLast() : review.viewer?.show(0),
    move: moveInReview,
    file: openReview,
    keys: { n: () => review.viewer?.showNextFault(), b: () => review.viewer?.ask(), s: () => review.viewer?.solve(), Escape: () => review.viewer?.leave() },
  },
  suites: { draw: drawSuiteBoard, step: () => {}, end: () => {}, move: async () => false, file: openSuite },
};

function openStudy() {
  drawStudy();
  if (!study.node.position) goTo(study.node);
}

function shownTab() {
  return document.body.dataset.tab ?? "play";
}

/** Sets the orientation of a tab's board, also if the tab is hidden. */
function turnBoard(name, flipped) {
  TABS[name].flipped = flipped;
  if (name === shownTab()) flipBoard(flipped);
}

function showTab(name) {
  TABS[shownTab()].flipped = squares.flipped;
  document.body.dataset.tab = name;
  flipBoard(TABS[name].flipped ?? squares.flipped);
  for (const other of Object.keys(TABS)) {
    find(`panel-${other}`).hidden = other !== name;
    find(`tab-${other}`).setAttribute("aria-selected", other === name);
    find(`tab-${other}`).tabIndex = other === name ? 0 : -1;
  }
  showError("");
  // A hidden analysis needs no search.
  if (name !== "analyse" && study.running) stopAnalysis();
  drawChances(null);
  TABS[name].draw();
}

for (const name of Object.keys(TABS)) find(`tab-${name}`).addEventListener("click", () => showTab(name));
document.querySelector(".tabs").addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.stopPropagation();
  const names = Object.keys(TABS);
  const next = names[(names.indexOf(shownTab()) + by + names.length) % names.length];
  showTab(next);
  find(`tab-${next}`).focus();
});

document.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  TABS[shownTab()].file(await textOf(file), file.name);
});

squares.onMove = (...move) => TABS[shownTab()].move(...move);
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = find("move-text").value.trim();
  find("move-text").value = "";
  if (text) typeMove(text);
});
find("first").addEventListener("click", () => TABS[shownTab()].end(false));
find("back").addEventListener("click", () => TABS[shownTab()].step(-1));
find("forward").addEventListener("click", () => TABS[shownTab()].step(1));
find("last").addEventListener("click", () => TABS[shownTab()].end(true));
find("flip").addEventListener("click", () => { flipBoard(); TABS[shownTab()].draw(); });
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const tab = TABS[shownTab()];
  const keys = {
    ArrowLeft: () => tab.step(-1), ArrowRight: () => tab.step(1), Home: () => tab.end(false), End: () => tab.end(true),
    f: () => find("flip").click(), m: () => find("move-text").focus(), ...tab.keys,
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// The secret of the link is now in a cookie; remove it from the address bar.
if (location.search) history.replaceState(null, "", location.pathname);
showTab("play");
// For the browser's console and the tests.
window.outrider = {
  gamePgn, keepGame, keptGames, leaveEventsWorker, listen, play, positionOf, review, server, shownTab, squares, study, studyPgn, suite, textOf,
};
connect().catch(failToConnect);
