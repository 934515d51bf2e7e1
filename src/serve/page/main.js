import { enableKeys, find, findField, onClick } from "../../tools/pages/common.js";
import "./editor.js";
import { leaveEventsWorker } from "./events.js";
import { openFile, textOf } from "./files.js";
import "./games.js";
import { keepGame, keptGames } from "./kept.js";
import { showError } from "./messages.js";
import { gamePgn, play } from "./play.js";
import { puzzles } from "./puzzles.js";
import { connect, failToConnect, listen, server } from "./requests.js";
import { review } from "./review.js";
import { flipBoard, squares, typeMove } from "./squares.js";
import { openGames, restoreStudy, studyPgn } from "./study.js";
import { suite } from "./suites.js";
import { openAddress, showTab, shownTab, tabs } from "./tabs.js";
import { positionOf, study } from "./tree.js";

// The board, the buttons and the keys, for the tab that is shown.
const tab = () => tabs[shownTab()];

document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  openFile(file, tab().file ?? openGames);
});

squares.onMove = async (...move) => await tab().move?.(...move) ?? false;
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = findField("move-text").value.trim();
  findField("move-text").value = "";
  if (text) typeMove(text);
});
const steps = {
  first: () => tab().end?.(false), back: () => tab().step?.(-1), forward: () => tab().step?.(1), last: () => tab().end?.(true),
  flip: () => { flipBoard(); tab().draw(); },
};
for (const [id, step] of Object.entries(steps)) onClick(id, step);
enableKeys(() => ({
  ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last, f: steps.flip, m: () => find("move-text").focus(), ...tab().keys,
}));

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
Object.assign(window, { outrider: {
  gamePgn, keepGame, keptGames, leaveEventsWorker, listen, play, positionOf, puzzles, review, server, shownTab, squares, study, studyPgn, suite, textOf,
} });
connect().catch(failToConnect);
