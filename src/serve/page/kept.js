import { request, onEvent, ownPath } from "./requests.js";
import { readFromTab, readJson, tryOrNull, writeJson, writeToTab } from "./storage.js";
/** @import { KeptGame, SavedGame } from "./types.js" */

// Games stored in the browser, one entry each, so that they survive a restart of the page or the server. Each tab
// has its own game. A new tab continues the latest unfinished game that no other tab has open.
const GAME_PREFIX = "game:";
const otherTabs = tryOrNull(() => new BroadcastChannel("outrider-games"));
/** Ids of games that were stored, changed or deleted, also in other tabs. @type {Set<string>} */
export const changedGames = new Set();
/** The game of this tab. @type {{ id: string | null }} */
export const ownGame = { id: readFromTab("game") };

otherTabs?.addEventListener("message", ({ data: message }) => {
  if (message.asks && ownGame.id) otherTabs.postMessage({ has: ownGame.id });
});

/** Returns all stored games, the latest first. @returns {SavedGame[]} */
export function keptGames() {
  const keys = tryOrNull(() => Object.keys(localStorage)) ?? [];
  const games = keys.filter((key) => key.startsWith(GAME_PREFIX)).map((key) => ({ id: key.slice(GAME_PREFIX.length), ...readJson(key) }));
  return games.filter(({ kept }) => Array.isArray(kept?.moves)).sort((one, two) => two.time - one.time);
}

/** Returns the stored games with at least one move. */
export const playedGames = () => keptGames().filter(({ kept }) => kept.moves.length > 0);

/** Returns the stored game with an id if it has a move. @param {string} id @returns {SavedGame | null} */
export function storedGame(id) {
  const stored = readJson(GAME_PREFIX + id);
  return stored?.kept?.moves?.length > 0 ? { id, ...stored } : null;
}

/** Stores a game. Returns false if that fails. @param {SavedGame} game */
export function writeGame({ id, kept, time }) {
  changedGames.add(id);
  return writeJson(GAME_PREFIX + id, { kept, time });
}

/** @param {string} id */
export function deleteGame(id) {
  changedGames.add(id);
  tryOrNull(() => localStorage.removeItem(GAME_PREFIX + id));
}

window.addEventListener("storage", ({ key }) => {
  if (key?.startsWith(GAME_PREFIX)) changedGames.add(key.slice(GAME_PREFIX.length));
});

/** Stores the current state of this tab's game. Returns false if that fails. @param {KeptGame} kept */
export function keepGame(kept) {
  const id = ownGame.id ?? "";
  const before = readJson(GAME_PREFIX + id);
  const isSame = before?.kept?.moves.length === kept.moves.length && before.kept.ending === kept.ending;
  return writeGame({ id, kept, time: isSame ? before.time : Date.now() });
}

/** Moves the games of earlier versions, which were in one entry, to entries of their own. */
function moveOldGames() {
  const games = readJson("games") ?? [];
  games.forEach((/** @type {SavedGame} */ { id, kept }, /** @type {number} */ index) => writeGame({ id, kept, time: Date.now() - index }));
  tryOrNull(() => localStorage.removeItem("games"));
}

/** Returns a random id for a game. */
export const newGameId = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join("");

/** Gives this tab a new game. */
export function startOwnGame() {
  setOwnGame(newGameId());
}

/** Makes the game with this id the game of this tab. @param {string} id */
export function setOwnGame(id) {
  ownGame.id = id;
  writeToTab("game", id);
}

/** Returns the ids of games open in other tabs, from the answers within 150 ms. */
export async function gamesOfOtherTabs() {
  /** @type {Set<string>} */
  const found = new Set();
  const note = (/** @type {MessageEvent} */ { data: message }) => message.has && found.add(message.has);
  otherTabs?.addEventListener("message", note);
  otherTabs?.postMessage({ asks: true });
  await new Promise((resolve) => { setTimeout(resolve, 150); });
  otherTabs?.removeEventListener("message", note);
  return found;
}

/** Restores the game of this tab on a new client, or the latest unfinished game that no tab has open. */
async function restoreGame() {
  const games = keptGames();
  let game = games.find(({ id }) => id === ownGame.id);
  if (!ownGame.id) {
    const open = await gamesOfOtherTabs();
    game = games.find(({ id, kept }) => !open.has(id) && !kept.ending);
  }
  if (!game) return;
  setOwnGame(game.id);
  await request(ownPath("game/restore"), game.kept);
}

moveOldGames();
onEvent("new", restoreGame);
