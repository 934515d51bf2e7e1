import { around, data, find, findDetails, findField, onClick } from "../../tools/pages/common.js";
import { START_FEN } from "../../tools/pages/rules.js";
import { deleteGame, ownGame, setOwnGame, startOwnGame } from "./kept.js";
import { attempt } from "./messages.js";
import { drawPlay, play } from "./play.js";
import { ask } from "./requests.js";
import { rememberField, saveSettings, settings } from "./settings.js";
import { squares } from "./squares.js";
import { showTab, shownTab } from "./tabs.js";
/** @import { GameView, KeptGame, NewGame } from "./types.js" */

// The form for a new game, and the games that it starts.

/** The measured levels: Elo rating, name and meaning. @type {[number, string, string][]} */
const levels = data.levels;

/** Returns the level that is nearest to a strength: [elo, name, meaning]. @param {number} elo */
export const levelOf = (elo) => levels.toSorted((one, two) => Math.abs(one[0] - elo) - Math.abs(two[0] - elo))[0];

/** Returns the chosen button of the group with a name, or the one with a value. @param {string} name */
const radio = (name, choice = ":checked") => /** @type {HTMLInputElement} */ (find("setup").querySelector(`[name=${name}]${choice}`));

const isRunning = () => play.game !== null && !play.game.ending && play.game.plies.length > 0;

/** Returns the request for a new game from the form. @returns {NewGame} */
function newGameRequest() {
  const numberOf = (/** @type {string} */ id) => Number(findField(id).value);
  const start = radio("start").value;
  return {
    side: radio("side").value,
    elo: findField("full").checked ? null : numberOf("elo"),
    clock: findField("timed").checked ? { minutes: numberOf("minutes"), increment: numberOf("increment") } : null,
    start: start === "fen" ? { fen: findField("fen").value.trim() }
      : start === "chess960" ? { chess960: findField("number").value === "" ? null : numberOf("number") } : start,
  };
}

/** Starts a game. A game that is not over is left only after a question. Resolves to true if it was started. @param {NewGame} wanted */
async function startGame(wanted, isAsked = false) {
  if (isRunning() && !isAsked && !confirm("Your game is not over. It stays in Games. Start a new one?")) return false;
  const before = { game: play.game, own: ownGame.id };
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  squares.board.restore();
  startOwnGame();
  play.game = null;
  const isStarted = await attempt(() => ask("game", { ...wanted, date }));
  if (!isStarted) {
    if (!play.game) restorePrevious(before);
    return false;
  }
  // A game without a move was not played.
  if (before.own && before.game?.plies.length === 0) deleteGame(before.own);
  scrollTo(0, 0);
  return true;
}

/** Continues the previous game after a new one was refused. @param {{ game: GameView | null, own: string | null }} before */
export function restorePrevious({ game, own }) {
  play.game = game;
  if (own) setOwnGame(own);
  if (shownTab() === "play") drawPlay();
}

/** Returns the clock of a stored game in the form of a request. A game of an earlier version does not know its time. @param {KeptGame} kept */
function clockOf({ clock }) {
  if (!clock) return null;
  const { initial, increment } = clock;
  return initial ? { minutes: initial / 60000, increment: increment / 1000 } : newGameRequest().clock;
}

/** Starts a game like the one that is shown, from either side. @param {boolean} changesSides */
function rematch(changesSides) {
  if (!play.game) return;
  const { person, elo, start: { fen, number }, kept } = play.game;
  const other = person === "white" ? "black" : "white";
  const start = typeof number === "number" ? { chess960: number } : fen === START_FEN ? "standard" : { fen };
  return startGame({ side: changesSides ? other : person, elo, clock: clockOf(kept), start });
}

const playDialog = /** @type {HTMLDialogElement} */ (find("play-from"));
/** The position of the dialog. */
let playedFen = "";

/** Asks for a level and starts a game from a position. The person plays the side to move. @param {string} fen */
export function playFrom(fen) {
  playedFen = fen;
  const side = fen.split(" ")[1] === "b" ? "Black" : "White";
  const running = isRunning() ? " Your game is not over. It stays in Games." : "";
  find("play-from-text").textContent = `You play ${side} from this position.${running}`;
  const { clock } = newGameRequest();
  find("play-from-clock").textContent = `${clock ? `Clock: ${clock.minutes} minutes plus ${clock.increment} seconds per move` : "Without a clock"}, as chosen in Play.`;
  findField("play-from-level").value = findField("full").checked ? "" : String(levelOf(Number(findField("elo").value))[0]);
  playDialog.showModal();
}

async function startFromPosition() {
  const level = findField("play-from-level").value;
  playDialog.close();
  const side = playedFen.split(" ")[1] === "b" ? "black" : "white";
  const wanted = { ...newGameRequest(), side, elo: level === "" ? null : Number(level), start: { fen: playedFen } };
  if (await startGame(wanted, true)) showTab("play");
}

/** Chooses the clicked level of the list. @param {Event} event */
function chooseLevel(event) {
  const elo = around(event, "button")?.dataset.level;
  if (elo === undefined) return;
  findField("full").checked = elo === "";
  if (elo) findField("elo").value = elo;
  for (const id of ["full", "elo"]) find(id).dispatchEvent(new Event("input", { bubbles: true }));
  findDetails("all-levels").open = false;
  find("level").focus();
}

function drawSetup() {
  const [elo, isFull] = [Number(findField("elo").value), findField("full").checked];
  const [nearest, name, meaning] = isFull ? ["", "Full strength", "Plays as well as it can."] : levelOf(elo);
  findField("elo").disabled = isFull;
  find("elo-shown").textContent = isFull ? "" : `Elo ${elo}`;
  find("level").textContent = `${name}. ${meaning}`;
  for (const button of find("level-list").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.level === String(nearest)));
  const clock = findField("timed").checked ? `${findField("minutes").value}+${findField("increment").value}` : "none";
  for (const button of find("clocks").children) button.setAttribute("aria-pressed", String(button.getAttribute("data-clock") === clock));
}

for (const id of ["elo", "full", "timed", "minutes", "increment", "number", "fen"]) rememberField(id);
for (const name of ["side", "start"]) radio(name, `[value=${settings[name]}]`).checked = true;
onClick("level-list", chooseLevel);
onClick("clocks", (event) => {
  const clock = around(event, "button")?.dataset.clock;
  if (!clock) return;
  findField("timed").checked = clock !== "none";
  if (clock !== "none") [findField("minutes").value, findField("increment").value] = clock.split("+");
  saveSettings({ timed: clock !== "none", minutes: findField("minutes").value, increment: findField("increment").value });
  drawSetup();
});
// A value that is typed chooses the option that it belongs to.
for (const id of ["minutes", "increment"]) find(id).addEventListener("input", () => {
  findField("timed").checked = true;
  saveSettings({ timed: true });
});
for (const [id, start] of [["number", "chess960"], ["fen", "fen"]]) find(id).addEventListener("input", () => { radio("start", `[value=${start}]`).checked = true; });
onClick("number-random", () => {
  findField("number").value = String(Math.floor(960 * Math.random()));
  find("number").dispatchEvent(new Event("input", { bubbles: true }));
});
find("setup").addEventListener("input", () => {
  saveSettings({ side: radio("side").value, start: radio("start").value });
  drawSetup();
});
onClick("play-from-start", startFromPosition);
onClick("play-from-cancel", () => playDialog.close());
find("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  startGame(newGameRequest());
});
onClick("rematch", () => rematch(false));
onClick("change-sides", () => rematch(true));
drawSetup();
