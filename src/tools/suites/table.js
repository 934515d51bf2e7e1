import { around, copyText, data, find, onClick } from "../pages/common.js";
import { drawBoard } from "../pages/board.js";
import { enableListing } from "../pages/listing.js";

/** Returns the picture in an element. @param {Element} element */
const boardIn = (element) => /** @type {SVGElement} */ (element.querySelector(".board"));

/** Draws the board of a row; `data-board` is its index in the page's data. @param {Element} row */
function drawRow(row) {
  const board = boardIn(row);
  drawBoard(board, data[Number(board.dataset.board)]);
}

/** Shows a row's board large when it is clicked, with the text that `describe` makes of the row's cells. @param {(text: (name: string) => string) => string} describe */
function enableEnlarging(describe) {
  const large = /** @type {HTMLDialogElement} */ (find("large"));
  onClick("rows", (event) => {
    const row = around(event, ".picture button")?.closest("tr");
    if (!row) return;
    const { board, fen = "" } = boardIn(row).dataset;
    drawBoard(boardIn(large), data[Number(board)]);
    find("large-name").textContent = row.dataset.name ?? "";
    find("large-answer").textContent = describe((name) => row.querySelector("." + name)?.textContent ?? "");
    find("large-fen").textContent = fen;
    find("copy-fen").textContent = "Copy FEN";
    large.showModal();
  });
  large.addEventListener("click", (event) => { if (event.target === large) large.close(); });
  onClick("copy-fen", async () => {
    find("copy-fen").textContent = await copyText(find("large-fen").textContent ?? "") ? "FEN copied" : "The browser refused to copy";
  });
}

/**
 * Enables the table of a page of suites: its search, its boards, and buttons with `data-show` or `data-kind` that
 * select rows. A button with `data-show` selects the rows with this value of `data-{result}`, one with `data-kind`
 * those with the value `data-name`, until it is pressed again.
 * @param {string} result
 * @param {(text: (name: string) => string) => string} describe Returns the text next to a large board.
 */
export function enableTable(result, describe) {
  /** Wanted values by kind; "" for all. @type {Record<string, string>} */
  const chosen = { [result]: "" };
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show], [data-kind]"));
  const choiceOf = (/** @type {HTMLElement} */ { dataset }) => dataset.kind ? [dataset.kind, dataset.name ?? ""] : [result, dataset.show ?? ""];
  const list = enableListing({
    table: /** @type {HTMLTableElement} */ (find("rows").closest("table")),
    rowNames: "positions", search: find("search"), shown: find("shown"), sort: find("sort"),
    isWanted: ({ dataset }) => Object.entries(chosen).every(([kind, value]) => value === "" || dataset[kind] === value),
    onFirstShown: drawRow,
    changed: () => buttons.forEach((button) => {
      const [kind, value] = choiceOf(button);
      button.setAttribute("aria-pressed", String((chosen[kind] ?? "") === value));
    }),
  });
  document.addEventListener("click", (event) => {
    const button = around(event, "[data-show], [data-kind]");
    if (!button) return;
    const [kind, value] = choiceOf(button);
    chosen[kind] = button.dataset.kind && chosen[kind] === value ? "" : value;
    list.update();
  });
  enableEnlarging(describe);
  document.querySelector(".tools")?.removeAttribute("hidden");
  list.update();
}
