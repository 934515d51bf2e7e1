/**
 * Games stored in the browser, one entry each, so that they survive a restart of the page or the server. Each
 * tab has its own game. A new tab continues the latest unfinished game that no other tab has open.
 *
 * @typedef {object} SavedGame
 * @property {string} id
 * @property {object} kept The game in the form of the server.
 * @property {number} time Time of the last change in milliseconds.
 */
const GAME_PREFIX = "game:";
const otherTabs = tryOrNull(() => new BroadcastChannel("outrider-games"));
let ownGame = readFromTab("game");

/** Returns the result of `use`, or null if the browser forbids storage. */
function tryOrNull(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** Reads a value from the storage of this tab. */
function readFromTab(name) {
  return tryOrNull(() => sessionStorage.getItem(name));
}

function writeToTab(name, value) {
  tryOrNull(() => sessionStorage.setItem(name, value));
}

otherTabs?.addEventListener("message", ({ data: message }) => {
  if (message.asks && ownGame) otherTabs.postMessage({ has: ownGame });
});

/** Returns all stored games, the latest first. @returns {SavedGame[]} */
function keptGames() {
  const entries = tryOrNull(() => Object.entries(localStorage)) ?? [];
  const games = entries.filter(([key]) => key.startsWith(GAME_PREFIX)).map(([key, text]) => ({ id: key.slice(GAME_PREFIX.length), ...tryOrNull(() => JSON.parse(text)) }));
  return games.filter(({ kept }) => Array.isArray(kept?.moves)).sort((one, two) => two.time - one.time);
}

/** Stores a game. Returns false if the browser does not allow it or its storage is full. */
const writeGame = ({ id, kept, time }) => tryOrNull(() => localStorage.setItem(GAME_PREFIX + id, JSON.stringify({ kept, time })) ?? true) === true;

const deleteGame = (id) => tryOrNull(() => localStorage.removeItem(GAME_PREFIX + id));

/** Stores the current state of this tab's game. Returns false if that fails. */
function keepGame(kept) {
  const before = tryOrNull(() => JSON.parse(localStorage.getItem(GAME_PREFIX + ownGame)));
  const isSame = before?.kept?.moves.length === kept.moves.length && before.kept.ending === kept.ending;
  return writeGame({ id: ownGame, kept, time: isSame ? before.time : Date.now() });
}

/** Moves the games of earlier versions, which were in one entry, to entries of their own. */
function moveOldGames() {
  const games = tryOrNull(() => JSON.parse(localStorage.getItem("games"))) ?? [];
  games.forEach(({ id, kept }, index) => writeGame({ id, kept, time: Date.now() - index }));
  tryOrNull(() => localStorage.removeItem("games"));
}

/** Gives this tab a new game with a random id. */
function startOwnGame() {
  setOwnGame(Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join(""));
}

/** Makes the game with this id the game of this tab. */
function setOwnGame(id) {
  ownGame = id;
  writeToTab("game", ownGame);
}

/** Returns the ids of games open in other tabs, from the answers within 150 ms. */
function gamesOfOtherTabs() {
  return new Promise((resolve) => {
    const found = new Set();
    const note = ({ data: message }) => message.has && found.add(message.has);
    otherTabs?.addEventListener("message", note);
    otherTabs?.postMessage({ asks: true });
    setTimeout(() => {
      otherTabs?.removeEventListener("message", note);
      resolve(found);
    }, 150);
  });
}

/** Restores the game of this tab on a new client, or the latest unfinished game that no tab has open. */
async function restoreGame() {
  const games = keptGames();
  let game = games.find(({ id }) => id === ownGame);
  if (!ownGame) {
    const open = await gamesOfOtherTabs();
    game = games.find(({ id, kept }) => !open.has(id) && !kept.ending);
  }
  if (!game) return;
  setOwnGame(game.id);
  await request(`/api/clients/${server.id}/game/restore`, game.kept);
}

moveOldGames();
