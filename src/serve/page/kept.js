/**
 * Games kept by the browser, so that they outlive the page and the server. A tab has its own game; a
 * new one goes on with the last game that no other tab has open.
 */
const MAX_KEPT = 20;
const otherTabs = tryOrNull(() => new BroadcastChannel("outrider-games"));
let ownGame = readFromTab("game");

/** What `use` returns; nothing where the browser lets a page keep nothing. */
function tryOrNull(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** What this tab has kept under a name. */
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

/** Keeps the game of this tab as it stands. */
function keepGame(kept) {
  if (!ownGame) startOwnGame();
  const others = keptGames().filter(({ id }) => id !== ownGame);
  // Without room the game goes on, but is not kept.
  tryOrNull(() => localStorage.setItem("games", JSON.stringify([{ id: ownGame, kept }, ...others].slice(0, MAX_KEPT))));
}

/** Another game begins in this tab. */
function startOwnGame() {
  setOwnGame(Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join(""));
}

/** The game of this name is that of this tab. */
function setOwnGame(name) {
  ownGame = name;
  writeToTab("game", ownGame);
}

/** The games that other tabs have open, as far as they answer at once. */
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

/** Gives a new client the game of this tab, or the last one that nobody has open. */
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
