/**
 * Games kept by the browser, so that they outlive the page and the server. A tab has its own game; a
 * new one goes on with the last game that no other tab has open.
 */
const MAX_KEPT = 20;
const tabs = new BroadcastChannel("outrider-games");
let ownGame = sessionStorage.getItem("game");

tabs.addEventListener("message", ({ data: message }) => {
  if (message.asks && ownGame) tabs.postMessage({ has: ownGame });
});

function keptGames() {
  try {
    return JSON.parse(localStorage.getItem("games")) ?? [];
  } catch {
    return [];
  }
}

/** Keeps the game of this tab as it stands. */
function keepGame(kept) {
  if (!ownGame) nameGame();
  const others = keptGames().filter(({ id }) => id !== ownGame);
  try {
    localStorage.setItem("games", JSON.stringify([{ id: ownGame, kept }, ...others].slice(0, MAX_KEPT)));
  } catch {
    // No room, or none allowed: the game goes on, but is not kept.
  }
}

/** Another game begins in this tab. */
function nameGame() {
  ownGame = Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join("");
  sessionStorage.setItem("game", ownGame);
}

/** The games that other tabs have open, as far as they answer at once. */
function gamesOfOtherTabs() {
  return new Promise((resolve) => {
    const found = new Set();
    const note = ({ data: message }) => message.has && found.add(message.has);
    tabs.addEventListener("message", note);
    tabs.postMessage({ asks: true });
    setTimeout(() => {
      tabs.removeEventListener("message", note);
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
  ownGame = game.id;
  sessionStorage.setItem("game", ownGame);
  await request(`/api/clients/${server.id}/game/restore`, game.kept);
}
