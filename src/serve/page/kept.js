/**
 * Games kept by the browser, so that they outlive the page and the server. A tab has its own game; a
 * new one goes on with the last game that no other tab has open.
 */
const MAX_KEPT = 20;
const tabs = allowed(() => new BroadcastChannel("outrider-games"));
let ownGame = ofTab("game");

/** What `use` returns; nothing where the browser lets a page keep nothing. */
function allowed(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** What this tab has kept under a name. */
function ofTab(name) {
  return allowed(() => sessionStorage.getItem(name));
}

function keepInTab(name, value) {
  allowed(() => sessionStorage.setItem(name, value));
}

tabs?.addEventListener("message", ({ data: message }) => {
  if (message.asks && ownGame) tabs.postMessage({ has: ownGame });
});

function keptGames() {
  return allowed(() => JSON.parse(localStorage.getItem("games"))) ?? [];
}

/** Keeps the game of this tab as it stands. */
function keepGame(kept) {
  if (!ownGame) nameGame();
  const others = keptGames().filter(({ id }) => id !== ownGame);
  // Without room the game goes on, but is not kept.
  allowed(() => localStorage.setItem("games", JSON.stringify([{ id: ownGame, kept }, ...others].slice(0, MAX_KEPT))));
}

/** Another game begins in this tab. */
function nameGame() {
  ownTheGame(Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join(""));
}

/** The game of this name is that of this tab. */
function ownTheGame(name) {
  ownGame = name;
  keepInTab("game", ownGame);
}

/** The games that other tabs have open, as far as they answer at once. */
function gamesOfOtherTabs() {
  return new Promise((resolve) => {
    const found = new Set();
    const note = ({ data: message }) => message.has && found.add(message.has);
    tabs?.addEventListener("message", note);
    tabs?.postMessage({ asks: true });
    setTimeout(() => {
      tabs?.removeEventListener("message", note);
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
  ownTheGame(game.id);
  await request(`/api/clients/${server.id}/game/restore`, game.kept);
}
