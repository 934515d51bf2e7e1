import { find, findButton, make, onClick, saveFile } from "../../tools/pages/common.js";
import { drawBoard } from "../../tools/pages/board.js";
import { START_FEN } from "../../tools/pages/rules.js";
import { dateText } from "./dates.js";
import { explorer } from "./explorer.js";
import { acceptFiles } from "./files.js";
import { deleteGame, gamesOfOtherTabs, ownGame, playedGames, setOwnGame, writeGame } from "./kept.js";
import { attempt, speak } from "./messages.js";
import { outcomeOf, play } from "./play.js";
import { showPosition } from "./players.js";
import { ask, request } from "./requests.js";
import { reviewPgn } from "./review.js";
import { MAX_SAVED, addGames, pgnOf } from "./saved_pgn.js";
import { levelOf, restorePrevious } from "./setup.js";
import { squares } from "./squares.js";
import { openGames } from "./study.js";
import { addTab, showTab, shownTab, turnTab } from "./tabs.js";
/** @import { SavedGame, SavedView } from "./types.js" */

// The list of the player's games.

/** Number of games that are added to the list at once. */
const GAMES_AT_ONCE = 30;

/**
 * `list` has the stored games; `shown` of them are drawn. `current` is the view of the game on the board, and
 * `ticket` counts drawings, to drop late answers.
 * @type {{ list: SavedGame[], shown: number, current: SavedView | null, ticket: number }}
 */
const saved = { list: [], shown: 0, current: null, ticket: 0 };

/** Draws the list anew. @param {string} [note] */
async function drawSaved(note = "") {
  Object.assign(saved, { list: playedGames(), shown: 0, current: null });
  find("import-note").textContent = note;
  find("import-note").hidden = note === "";
  find("saved-games").replaceChildren();
  drawSavedBoard();
  await showMoreGames();
}

function drawCount() {
  const { length } = playedGames();
  find("saved-count").textContent = length === 0 ? "Games that you play are kept here. There are none yet." : length === 1 ? "1 game" : `${length} games`;
  findButton("export-games").disabled = length === 0;
}

/** Adds the next games to the list. */
async function showMoreGames() {
  const ticket = ++saved.ticket;
  const { list } = saved;
  const games = list.slice(saved.shown, saved.shown + GAMES_AT_ONCE);
  drawCount();
  await attempt(async () => {
    const views = games.length > 0 ? await request("/api/saved", games.map(({ kept }) => kept)) : [];
    if (ticket !== saved.ticket) return;
    saved.current ??= views.find((/** @type {SavedView} */ { error }) => !error) ?? null;
    if (shownTab() === "games") drawSavedBoard();
    saved.shown += games.length;
    find("saved-games").append(...games.map((game, index) => savedGameRow(game, views[index])));
  });
  find("more-games").hidden = saved.shown >= list.length;
}

/** Returns the three lines about a game: result, date and opponent, opening. @param {SavedView} view */
function wordsOfGame(view) {
  if (view.error) return ["This game cannot be read", "", view.error];
  const { ending, person, elo, opening, moves } = view;
  const opponent = elo === null ? "full strength" : `${levelOf(elo)[1]}, Elo ${elo}`;
  const start = opening ? `${opening.eco} ${opening.name}` : view.chess960 ? "Chess960" : "";
  const result = ending ? outcomeOf(ending, person).join(" ") : "Not finished";
  return [result, [dateText(view.date), `${person === "white" ? "White" : "Black"} against ${opponent}`].filter(Boolean).join(" · "),
    [start, `${moves} move${moves === 1 ? "" : "s"}`, ending?.text].filter(Boolean).join(" · ")];
}

/** Returns the entry of a game in the list, with what can be done with it. @param {SavedGame} game @param {SavedView} view */
function savedGameRow(game, view) {
  const [result, opponent, opening] = wordsOfGame(view);
  const title = make("b", { id: `saved-${game.id}` }, [result]);
  const board = make("div", { class: "small-board", "aria-hidden": "true" });
  const button = (/** @type {string} */ text, /** @type {(game: SavedGame, row: HTMLElement) => void} */ action) =>
    make("button", { type: "button", class: "button", "aria-describedby": title.id, click: () => action(game, row) }, [text]);
  const usual = view.error ? [] : [
    button(view.ending ? "Open" : "Go on", openGame), button("Review", reviewSaved), button("Analyse", analyseSaved),
  ];
  const row = make("li", { class: "card saved" }, [
    board,
    make("div", {}, [make("p", {}, [title]), make("p", { class: "note" }, [opponent]), make("p", { class: "note" }, [opening]),
      make("div", { class: "actions" }, [...usual, button("Delete", removeGame)])]),
  ]);
  if (view.error) return row;
  board.innerHTML = "<svg class=\"board\"></svg>";
  const flipped = view.person === "black";
  drawBoard(/** @type {Element} */ (board.firstElementChild), { placement: view.fen, moved: view.squares ?? [], flipped });
  const look = () => { saved.current = view; drawSavedBoard(); };
  for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, look);
  return row;
}

/** Shows the last position of the game that is pointed at. */
function drawSavedBoard() {
  const view = saved.current;
  squares.flipped = view?.person === "black";
  showPosition({ fen: view?.fen ?? START_FEN, moved: view?.squares ?? [] });
}

/** Continues a stored game in this tab. The game that was open here stays in the list. @param {SavedGame} game */
const openGame = ({ id, kept }) => attempt(async () => {
  if ((await gamesOfOtherTabs()).has(id)) throw new Error("This game is open in another tab.");
  if (id !== ownGame.id || !play.game) {
    const before = { game: play.game, own: ownGame.id };
    setOwnGame(id);
    play.game = null;
    await ask("game/restore", kept).catch((error) => {
      restorePrevious(before);
      throw error;
    });
  }
  showTab("play");
});

/** @param {SavedGame} game */
const reviewSaved = (game) => attempt(async () => reviewPgn((await pgnOf([game])).pgn));
/** @param {SavedGame} game */
const analyseSaved = (game) => attempt(async () => {
  const { pgn } = await pgnOf([game]);
  turnTab("analyse", !game.kept.white);
  await openGames(pgn);
});

/** Deletes a game. Its place in the list offers to put it back. @param {SavedGame} game @param {HTMLElement} row */
async function removeGame(game, row) {
  if (game.id === ownGame.id && play.game) {
    if (!await attempt(() => ask("game/close"))) return;
    play.game = null;
    setOwnGame("");
  }
  deleteGame(game.id);
  drawCount();
  const putBack = () => {
    writeGame(game);
    drawCount();
    gone.replaceWith(row);
    row.querySelector("button")?.focus();
    speak("The game is back.");
  };
  const undo = make("button", { type: "button", class: "button", click: putBack }, ["Undo"]);
  const gone = make("li", { class: "card saved gone" }, ["Game deleted.", undo]);
  row.replaceWith(gone);
  undo.focus();
  speak("Game deleted.");
}

explorer.open = openGame;
/** Says how many games of a PGN were added. @param {{ added: number, known: number, others: number }} counts */
function wordsOfAdded({ added, known, others }) {
  const parts = [added === 1 ? "1 game added" : `${added} games added`];
  if (known > 0) parts.push(`${known} here already`);
  if (others > 0) parts.push(`${others} of others left out`);
  return `${parts.join(", ")}.`;
}

/** Adds the games of a PGN to the list. @param {string} text */
async function importGames(text) {
  let words = "";
  try {
    words = wordsOfAdded(await addGames(text));
  } finally {
    if (shownTab() === "games") await drawSaved(words);
  }
}

addTab("games", { draw: () => drawSaved(), names: () => saved.current?.names });
acceptFiles("import-games", importGames, MAX_SAVED);
onClick("more-games", showMoreGames);
onClick("export-games", () => attempt(async () => {
  const { pgn, unreadable } = await pgnOf(playedGames());
  saveFile("outrider-games.pgn", pgn, "application/x-chess-pgn");
  if (unreadable > 0) throw new Error(`Games that cannot be read are not in the file: ${unreadable}.`);
}));
