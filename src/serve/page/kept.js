/**
 * Games stored in the browser, so that they survive a restart of the page or the server. Each tab has its
 * own game. A new tab continues the latest unfinished game that no other tab has open.
 */
const MAX_KEPT = 20;
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

function keptGames() {
  return tryOrNull(() => JSON.parse(localStorage.getItem("games"))) ?? [];
}

/** Stores the current state of this tab's game. */
function keepGame(kept) {
  if (!ownGame) startOwnGame();
  const others = keptGames().filter(({ id }) => id !== ownGame);
  // If the storage is full, the game continues without being stored.
  tryOrNull(() => localStorage.setItem("games", JSON.stringify([{ id: ownGame, kept }, ...others].slice(0, MAX_KEPT))));
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
