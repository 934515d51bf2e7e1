import { data, find, make } from "../pages/common.js";
import { drawBoard } from "../pages/board.js";
import { enableListing } from "../pages/listing.js";
/** @import { Column, ListedGame, Overview, Part } from "./types.js" */

/** @type {Overview} */
const overview = data;

/** Returns a table cell with a text, or with a link if there is an address. @param {string | number} text */
function cell(text, className = "", address = "") {
  const content = address ? make("a", { href: address }, [String(text)]) : String(text);
  return make("td", { class: className }, [content]);
}

/** Returns a cell with an accuracy and a bar. The label is shown where the table has no head. @param {number | null} value */
function accuracyCell(value, label = "") {
  const share = make("span", { style: "width:" + (value ?? 0) + "%" });
  return make("td", { class: "number accuracy", "data-label": label }, [percent(value), make("span", { class: "track" }, [share])]);
}

/** @param {number | null | undefined} value */
const percent = (value) => value === null || value === undefined ? "–" : value.toFixed(1) + " %";
/** @param {{ points?: number }} row */
const points = (row) => row.points === undefined ? "" : String(row.points).replace(/^0\.5$/, "½").replace(".5", "½");

/** Returns the cells of a game's worst move: its name and its picture, both linked to the game. @param {ListedGame} game */
function worstCells(game) {
  const { worst } = game;
  if (!worst) return [cell("", "worst"), cell("", "picture")];
  const address = game.page + "#" + worst.ply;
  const words = worst.name + ", −" + worst.loss + " %";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "board");
  svg.setAttribute("viewBox", "0 0 800 800");
  const picture = make("a", { href: address, "aria-label": words }, [svg]);
  return [cell(words, "worst " + worst.fault, address), make("td", { class: "picture" }, [picture])];
}

/** @type {Column<ListedGame>[]} */
const gameColumns = [
  ["Game", (game) => [cell(game.number, "number", game.page)], (game) => game.number],
  ["White", (game) => [cell(game.players[0], "name", game.playerPages[0] ?? "")], (game) => game.players[0]],
  ["Black", (game) => [cell(game.players[1], "name", game.playerPages[1] ?? "")], (game) => game.players[1]],
  ["Result", (game) => [cell(game.result.replaceAll("1/2", "½").replace("-", "–"), "result")], (game) => game.result],
  ["Date", (game) => [cell(game.date, "date")], (game) => game.date],
  ["Opening", (game) => [cell(game.opening ?? "", "opening")], (game) => game.opening ?? ""],
  ["White’s accuracy", (game) => [accuracyCell(game.accuracy[0], "White")], (game) => game.accuracy[0] ?? ""],
  ["Black’s accuracy", (game) => [accuracyCell(game.accuracy[1], "Black")], (game) => game.accuracy[1] ?? ""],
  ["Worst move", worstCells, (game) => game.worst?.loss ?? "", 2],
];
// The column is there if the games were compared with a repertoire.
if (overview.games.some((game) => game.repertoire)) {
  const noteCell = (/** @type {ListedGame} */ { page, repertoire }) => cell(repertoire?.words ?? "not met", "repertoire", repertoire?.ply ? page + "#" + repertoire.ply : "");
  gameColumns.splice(8, 0, ["Left the repertoire", (game) => [noteCell(game)], (game) => game.repertoire?.ply ?? ""]);
}

/** @param {string} title @returns {Column<Part>[]} */
const partColumns = (title) => [
  [title, (row) => [cell(row.name, "part", row.page ?? "")], (row) => row.name],
  ["Games", (row) => [cell(row.games ?? "", "number")], (row) => row.games ?? 0],
  ["Points", (row) => [cell(points(row), "number")], (row) => row.points ?? 0],
  ["Moves", (row) => [cell(row.moves, "number")], (row) => row.moves],
  ["Accuracy", (row) => [accuracyCell(row.accuracy)], (row) => row.accuracy],
  ["?!", (row) => [cell(row.faults[0], "number inaccuracy")], (row) => row.faults[0]],
  ["?", (row) => [cell(row.faults[1], "number mistake")], (row) => row.faults[1]],
  ["??", (row) => [cell(row.faults[2], "number blunder")], (row) => row.faults[2]],
  ["Missed", (row) => [cell(row.missed[0] + row.missed[1], "number")], (row) => row.missed[0] + row.missed[1]],
];

/**
 * Fills a table with sortable columns.
 * @template {ListedGame | Part} Row
 * @param {HTMLElement} table
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 * @param {Omit<Parameters<typeof enableListing>[0], "table">} more
 */
function fillTable(table, columns, rows, more) {
  const heads = columns.map(([name, , , width], at) => make("th", { scope: "col", colspan: width ?? 1, "data-sort": "key" + at }, [name]));
  const body = rows.map((row, index) => {
    const element = make("tr", { "data-row": index, ..."number" in row ? { id: row.number } : {} }, columns.flatMap(([, cells]) => cells(row)));
    columns.forEach(([, , value], at) => { element.dataset["key" + at] = String(value(row)); });
    return element;
  });
  heads.forEach((head, at) => head.classList.toggle("number", Boolean(body[0]?.cells[at].classList.contains("number"))));
  table.replaceChildren(make("thead", {}, [make("tr", {}, heads)]), make("tbody", {}, body));
  const list = enableListing({ table: /** @type {HTMLTableElement} */ (table), ...more });
  list.update();
  return list;
}

/** Sort orders for narrow windows, which show no column heads: column, label, and true for descending. */
/** @type {[string, string, boolean?][]} */
const orders = [["", "order in the file"], ["Date", "date, latest first", true], ["Worst move", "worst move", true], ["Opening", "opening"],
  ["White’s accuracy", "White’s accuracy"], ["Black’s accuracy", "Black’s accuracy"], ["White", "White"], ["Black", "Black"]];
find("sort").append(...orders.map(([column, name, isDown]) => {
  const value = column && "key" + gameColumns.findIndex(([head]) => head === column);
  return make("option", { value, ...isDown ? { "data-down": "" } : {} }, [name]);
}));

const games = fillTable(find("games"), gameColumns, overview.games, {
  rowNames: "games", search: find("search"), sort: find("sort"), shown: find("shown"),
  onFirstShown: (row) => {
    const { worst } = overview.games[Number(row.dataset.row)];
    const picture = row.querySelector(".board");
    if (worst && picture) drawBoard(picture, { placement: worst.board, arrows: [[...worst.moved, "bad"]], flipped: worst.by_black });
  },
});
if (overview.players) {
  find("players-card").hidden = false;
  fillTable(find("players"), partColumns("Player"), overview.players, { rowNames: "players" });
}
for (const { name, rows } of overview.tables ?? []) {
  const table = make("table", rows.some((row) => row.games) ? { class: "by-game" } : {});
  find("tables").append(make("div", { class: "card" }, [table]));
  const isUsed = (/** @type {Column<Part>} */ [title]) => !["Games", "Points"].includes(title) || rows.some((row) => row.games);
  fillTable(table, partColumns(name).filter(isUsed), rows, { rowNames: "parts" });
}
/** @param {number} number @param {string} word */
const countOf = (number, word) => number + " " + word + (number === 1 ? "" : "s");
if (overview.players) {
  const toPlayers = (/** @type {Event} */ event) => {
    event.preventDefault();
    games.placeAll();
    find("players-card").scrollIntoView();
  };
  const link = make("a", { href: "#players-card", click: toPlayers }, [countOf(overview.players.length, "player")]);
  find("summary").append(make("span", {}, [countOf(overview.games.length, "game") + ", ", link]));
} else {
  find("summary").append(countOf(overview.games.length, "game") + ", " + points(overview) + " of " + countOf(overview.finished, "point") + ", accuracy " + percent(overview.accuracy));
}

/** Scrolls to the game in the address. */
function reveal() {
  games.reveal((row) => row.id === location.hash.slice(1));
}

window.addEventListener("hashchange", reveal);
reveal();
