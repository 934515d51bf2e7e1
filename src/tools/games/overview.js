/** A cell of text, or of a link if there is an address. */
function cell(text, className = "", address = "") {
  const content = address ? make("a", { href: address }, [String(text)]) : String(text);
  return make("td", { class: className }, [content]);
}

const percent = (value) => value === null || value === undefined ? "–" : value.toFixed(1) + " %";
const points = (row) => row.points === undefined ? "" : String(row.points).replace(/^0\.5$/, "½").replace(".5", "½");

/** The picture of a game's worst move, a link to its place in the game. */
function worstCells(game) {
  const { worst } = game;
  if (!worst) return [cell(""), cell("")];
  const address = game.page + "#" + worst.ply;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "board");
  svg.setAttribute("viewBox", "0 0 800 800");
  drawBoard(svg, { placement: worst.board, moved: [], arrows: [[...worst.moved, "bad"]], flipped: worst.by_black });
  const words = worst.name + ", −" + worst.loss + " %";
  return [cell(words, worst.fault, address), make("td", {}, [make("a", { href: address, "aria-label": words }, [svg])])];
}

const gameColumns = [
  ["Game", (game) => [cell(game.number, "number", game.page)], (game) => game.number],
  ["White", (game) => [cell(game.players[0], "", game.playerPages[0] ?? "")], (game) => game.players[0]],
  ["Black", (game) => [cell(game.players[1], "", game.playerPages[1] ?? "")], (game) => game.players[1]],
  ["Result", (game) => [cell(game.result.replaceAll("1/2", "½"))], (game) => game.result],
  ["Date", (game) => [cell(game.date)], (game) => game.date],
  ["Opening", (game) => [cell(game.opening ?? "")], (game) => game.opening ?? ""],
  ["White’s accuracy", (game) => [cell(percent(game.accuracy[0]), "number")], (game) => game.accuracy[0] ?? -1],
  ["Black’s accuracy", (game) => [cell(percent(game.accuracy[1]), "number")], (game) => game.accuracy[1] ?? -1],
  ["Worst move", worstCells, (game) => game.worst?.loss ?? -1, 2],
];

const partColumns = (title) => [
  [title, (row) => [cell(row.name, "", row.page ?? "")], (row) => row.name],
  ["Games", (row) => [cell(row.games ?? "", "number")], (row) => row.games ?? 0],
  ["Points", (row) => [cell(points(row), "number")], (row) => row.points ?? 0],
  ["Moves", (row) => [cell(row.moves, "number")], (row) => row.moves],
  ["Accuracy", (row) => [cell(percent(row.accuracy), "number")], (row) => row.accuracy],
  ["?!", (row) => [cell(row.faults[0], "number inaccuracy")], (row) => row.faults[0]],
  ["?", (row) => [cell(row.faults[1], "number mistake")], (row) => row.faults[1]],
  ["??", (row) => [cell(row.faults[2], "number blunder")], (row) => row.faults[2]],
];

/** Fills a table; a click on a column's head sorts by it, another one turns the order round. */
function fillTable(table, columns, rows) {
  const body = make("tbody", {}, []);
  const elements = new Map(rows.map((row) => [row, make("tr", row.number ? { id: row.number } : {}, columns.flatMap(([, cells]) => cells(row)))]));
  const show = (sorted) => body.replaceChildren(...sorted.map((row) => elements.get(row)));
  let sortedBy = null;
  const heads = columns.map(([name, , value, width]) => {
    const button = make("button", { type: "button" }, [name]);
    const head = make("th", { scope: "col", colspan: width ?? 1 }, [button]);
    button.addEventListener("click", () => {
      const down = sortedBy === value;
      sortedBy = down ? null : value;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = (a, b) => typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
      show([...rows].sort((one, other) => (down ? -1 : 1) * order(value(one), value(other))));
    });
    return head;
  });
  table.replaceChildren(make("thead", {}, [make("tr", {}, heads)]), body);
  show(rows);
}

fillTable(find("games"), gameColumns, data.games);
if (data.players) {
  find("players-card").hidden = false;
  fillTable(find("players"), partColumns("Player"), data.players);
}
for (const { name, rows } of data.tables ?? []) {
  const table = make("table", {}, []);
  find("tables").append(make("div", { class: "card" }, [table]));
  const isUsed = ([title]) => !["Games", "Points"].includes(title) || rows.some((row) => row.games);
  fillTable(table, partColumns(name).filter(isUsed), rows);
}
// The page that links here names its game.
document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "center" });
