/**
 * The tabs by name. Each has functions to draw it, to step through its moves, to handle a move on the board
 * and to open a file, and may have keys of its own. `place` is the part of the address that follows the name of
 * the tab, and `open` shows such a place. `flipped` is set once the orientation of its board is known.
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
  analyse: {
    place: () => study.node.fen.replaceAll(" ", "_"),
    open: (place) => openFen(place.replaceAll("_", " ")),
    draw: openStudy, step: studyStep, end: studyEnd, move: studyMove, file: openGames,
  },
  review: {
    place: () => review.viewer?.ply ?? "",
    open: (ply) => showReviewPly(Number(ply)),
    draw: drawReview,
    step: (by) => review.viewer?.step(by),
    end: (last) => last ? review.viewer?.showLast() : review.viewer?.show(0),
    move: moveInReview,
    file: openReview,
    keys: { n: () => review.viewer?.showNextFault(), b: () => review.viewer?.ask(), s: () => review.viewer?.solve(), Escape: () => review.viewer?.leave() },
  },
  // The editor has no tab of its own: Play and Analyse open it.
  edit: {
    place: () => editedFen().replaceAll(" ", "_"),
    open: (place) => openEdited(place.replaceAll("_", " ")),
    draw: drawEditor, step: () => {}, end: () => {}, move: async () => false, file: openGames,
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

/** Returns the address of a tab and of the place in it: "#analyse/FEN". */
const addressOf = (name) => `#${[name, TABS[name].place?.()].filter((part) => part || part === 0).join("/")}`;

/** Writes the place in the tab that is shown into the address. */
const showAddress = () => history.replaceState(null, "", addressOf(shownTab()));

/** Shows the tab and the place in the address. */
async function openAddress() {
  const [name, ...place] = (location.hash.slice(1) || "play").split("/");
  if (!(name in TABS)) return;
  const text = place.join("/");
  if (name !== shownTab()) showTab(name, true);
  await TABS[name].open?.(tryOrNull(() => decodeURIComponent(text)) ?? text);
}

/** Shows a tab. Back returns to the previous one, unless Back has led here. */
function showTab(name, isBack = false) {
  if (!isBack && name !== shownTab()) history.pushState(null, "", addressOf(name));
  TABS[shownTab()].flipped = squares.flipped;
  document.body.dataset.tab = name;
  flipBoard(TABS[name].flipped ?? squares.flipped);
  for (const other of Object.keys(TABS)) {
    find(`panel-${other}`).hidden = other !== name;
    const shown = name === "edit" ? editor.from : name;
    find(`tab-${other}`)?.setAttribute("aria-selected", other === shown);
    if (find(`tab-${other}`)) find(`tab-${other}`).tabIndex = other === shown ? 0 : -1;
  }
  showError("");
  // A hidden analysis needs no search.
  if (name !== "analyse" && study.running) stopAnalysis();
  drawChances(null);
  TABS[name].draw();
}

for (const name of Object.keys(TABS)) find(`tab-${name}`)?.addEventListener("click", () => showTab(name));
document.querySelector(".tabs").addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.stopPropagation();
  const names = Object.keys(TABS).filter((name) => find(`tab-${name}`));
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
if (location.search) history.replaceState(null, "", location.pathname + location.hash);
const { hash } = location;
showTab("play", true);
window.addEventListener("popstate", openAddress);
restoreStudy().catch(() => {}).then(() => {
  if (hash) history.replaceState(null, "", hash);
  return openAddress();
}).catch((error) => showError(error.message));
// For the browser's console and the tests.
window.outrider = {
  gamePgn, keepGame, keptGames, leaveEventsWorker, listen, play, positionOf, review, server, shownTab, squares, study, studyPgn, suite, textOf,
};
connect().catch(failToConnect);
