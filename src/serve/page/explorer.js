import { findDetails, make } from "../../tools/pages/common.js";
import { dateText } from "./dates.js";
import { followBoard } from "./following.js";
import { changedGames, playedGames, storedGame } from "./kept.js";
import { sentence } from "./messages.js";
import { ask, server } from "./requests.js";
/** @import { ExplorerMove, ExplorerPlace, ExplorerView, SavedGame } from "./types.js" */

// The opening explorer: the moves of a position in the named openings, in the book of the server and in the player's
// own games. The server indexes these games by position; it gets all of them once, and then those that change.

/** Number of games that are sent at once. */
const SENT_AT_ONCE = 100;

/** The client of the server whose index has all games. @type {string | null} */
let indexedFor = null;
/** Opens a stored game. Set by the list of games. */
export const explorer = { open: (/** @type {SavedGame} */ _game) => {} };

/** Sends the games that the server's index lacks. */
async function sendGames() {
  const client = server.id;
  const isNew = indexedFor !== client;
  const ids = isNew ? [] : [...changedGames];
  const games = isNew ? playedGames() : ids.map(storedGame).filter((game) => game !== null);
  const deleted = ids.filter((id) => !games.some((game) => game.id === id));
  changedGames.clear();
  if (!isNew && ids.length === 0) return;
  // All games are sent again after a failure, or if the server was restarted meanwhile.
  indexedFor = null;
  for (let from = 0; from === 0 || from < games.length; from += SENT_AT_ONCE) {
    const changed = games.slice(from, from + SENT_AT_ONCE).map(({ id, kept, time }) => ({ id, kept, time: time ?? 0 }));
    await ask("explorer/games", { all: isNew && from === 0, changed, deleted: from === 0 ? deleted : [] });
  }
  indexedFor = client === server.id ? client : null;
}

/** Sendings follow each other. @type {Promise<void>} */
let sending = Promise.resolve();

/** Returns the moves of a position. @param {object} position @returns {Promise<ExplorerView>} */
async function explore(position) {
  for (;;) {
    const client = server.id;
    sending = sending.catch(() => {}).then(sendGames);
    await sending;
    const view = await ask("explorer", position);
    // A new client, after a restart of the server, has none of the games.
    if (client === server.id) return view;
  }
}

/** Returns the name of the opening after a move, or the number of named openings that begin with it. @param {ExplorerMove} move */
function openingText({ opening, lines }) {
  if (opening) return `${opening.eco} ${opening.name}`;
  return lines > 0 ? `${lines} named line${lines === 1 ? "" : "s"}` : "";
}

/** Opens the last game with a move. @param {string} id */
function openLast(id) {
  const game = storedGame(id);
  if (game) explorer.open(game);
}

/** Returns the row of a move. Columns without a value in any row are left out. @param {ExplorerMove} move @param {boolean} hasBook @param {boolean} hasGames @param {(san: string) => unknown} play */
function explorerRow(move, hasBook, hasGames, play) {
  const { san, share, games, score, last } = move;
  const cell = (/** @type {(Node | string)[]} */ ...parts) => make("td", {}, parts);
  const day = last ? dateText(last.date) || "last game" : "";
  const open = last && make("button", { type: "button", class: "step", "aria-label": `Open the last game with ${san}, ${day}`, click: () => openLast(last.id) }, [day]);
  return make("tr", {}, [
    cell(make("button", { type: "button", class: "move", "aria-label": `Play ${san}`, click: () => play(san) }, [san])), cell(openingText(move)),
    ...hasBook ? [cell(share === null ? "" : `${share} %`)] : [],
    ...hasGames ? [cell(games > 0 ? String(games) : ""), cell(score === null ? "" : `${score} %`), cell(open ?? "")] : [],
  ]);
}

/** @param {ExplorerView} view @param {(san: string) => unknown} play */
function explorerTable({ moves, has_book, book_error: bookError }, play) {
  const hasBook = has_book && bookError === null;
  const hasGames = moves.some(({ games }) => games > 0);
  const titles = ["Move", "Opening", ...hasBook ? ["Book"] : [], ...hasGames ? ["Games", "Score", "Last game"] : []];
  const head = make("thead", {}, [make("tr", {}, titles.map((title) => make("th", { scope: "col" }, [title])))]);
  return make("table", {}, [head, make("tbody", {}, moves.map((move) => explorerRow(move, hasBook, hasGames, play)))]);
}

/** Returns the text above the table. @param {ExplorerView} view */
function explorerNote({ games, moves, book_error: bookError }) {
  const found = moves.length === 0 ? "No named opening and none of your games continues from this position."
    : games === 0 ? "None of your games has this position." : `${games} of your games ${games === 1 ? "has" : "have"} this position.`;
  return bookError === null ? found : `${found} ${sentence(`The opening book cannot be read: ${bookError}`)}`;
}

/** Functions that draw the explorers, by the names of their tabs. @type {Record<string, () => unknown>} */
const explorers = {};

/** Shows the current position in the explorer of a tab. @param {string} name */
export const drawExplorer = (name) => explorers[name]?.();

/** Adds the explorer of a tab in the element `#explorer-NAME`. @param {string} name @param {ExplorerPlace} place */
export function addExplorer(name, place) {
  const details = findDetails(`explorer-${name}`);
  const note = make("p", { class: "note", role: "status" });
  const table = make("div", { class: "explored" });
  details.append(note, table);
  explorers[name] = followBoard(details, {
    status: note, content: table, waiting: "Looking for openings and games…", failure: "The moves cannot be shown",
    key: () => {
      const position = place.position();
      return position && JSON.stringify([server.id, position, [...changedGames]]);
    },
    load: () => explore(place.position() ?? {}),
    show: (view) => {
      table.replaceChildren(...view.moves.length > 0 ? [explorerTable(view, place.play)] : []);
      return explorerNote(view);
    },
  });
}
