import { make } from "./common.js";

/**
 * Makes the rows of a table sortable and searchable. Column heads with data-sort become buttons that sort
 * by the rows' data of that name; the field `sort` does the same (an option with data-down sorts in
 * descending order). A row is shown if it contains the text of the field `search` and `isWanted(row)` is
 * true. `rowNames` is a plural for the rows, such as "positions"; the element `shown` gets their number.
 * `onFirstShown(row)` is called once when a row is first shown, for costly drawing.
 *
 * The page contains only the rows up to the scroll position, since the layout of thousands takes a second.
 * @param {object} options
 * @param {HTMLTableElement} options.table
 * @param {string} options.rowNames
 * @param {HTMLElement | null} [options.search]
 * @param {HTMLElement | null} [options.sort]
 * @param {HTMLElement | null} [options.shown]
 * @param {(row: HTMLTableRowElement) => boolean} [options.isWanted]
 * @param {(row: HTMLTableRowElement) => void} [options.onFirstShown]
 * @param {() => void} [options.changed] Called after each change of the shown rows.
 */
export function enableListing({ table, rowNames, search = null, sort = null, shown = null, isWanted = () => true, onFirstShown = () => {}, changed = () => {} }) {
  const PORTION = 15;
  const body = table.tBodies[0];
  const heads = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("[data-sort]")]);
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, (row.textContent ?? "").toLowerCase()]));
  const seen = new Set();
  const chosen = { sort: "", down: false, search: "" };
  const choice = /** @type {HTMLSelectElement | null} */ (sort);
  let wanted = rows;
  let placed = 0;
  const end = make("p", { class: "note list-end" });
  table.after(end);

  /** Compares two rows. A row without a value comes last in both directions. @param {HTMLElement} one @param {HTMLElement} other */
  function compare(one, other) {
    const [a, b] = [one, other].map(({ dataset }) => dataset[chosen.sort] ?? "");
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1;
    const difference = Number(a) - Number(b);
    const order = a !== "" && isFinite(difference) ? difference : a.localeCompare(b, "en", { numeric: true });
    return chosen.down ? -order : order;
  }

  /** Adds the next rows to the page. @param {number} count */
  function place(count) {
    const next = wanted.slice(placed, placed + count);
    body.append(...next);
    placed += next.length;
    for (const row of next.filter((row) => !seen.has(row))) {
      seen.add(row);
      onFirstShown(row);
    }
    const left = wanted.length - placed;
    end.textContent = wanted.length === 0 ? "No matching " + rowNames + ". Change the search or the selection to see more." : left > 0 ? left + " more below" : "";
    // Observing again reports the end once more if it is still visible.
    observer.unobserve(end);
    if (left > 0) observer.observe(end);
  }

  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) place(PORTION);
  }, { rootMargin: "600px" });

  function update() {
    wanted = rows.filter((row) => isWanted(row) && texts.get(row)?.includes(chosen.search));
    if (chosen.sort !== "") wanted.sort(compare);
    body.replaceChildren();
    placed = 0;
    place(PORTION);
    if (shown) shown.textContent = (wanted.length === rows.length ? "" : wanted.length + " of ") + rows.length + " " + (rows.length === 1 ? rowNames.slice(0, -1) : rowNames);
    if (choice) choice.value = chosen.sort;
    heads.forEach((head) => {
      const isSorted = head.dataset.sort === chosen.sort;
      head.classList.toggle("sorted", isSorted);
      head.setAttribute("aria-sort", !isSorted ? "none" : chosen.down ? "descending" : "ascending");
      head.querySelector(".direction")?.replaceChildren(!isSorted ? "" : chosen.down ? " ↓" : " ↑");
    });
    changed();
  }

  /** @param {string} name */
  function sortBy(name, down = false) {
    Object.assign(chosen, { sort: name, down });
    update();
  }

  heads.forEach((head) => {
    const name = head.dataset.sort ?? "";
    const turn = () => {
      const isSorted = chosen.sort === name;
      sortBy(isSorted && chosen.down ? "" : name, isSorted && !chosen.down);
    };
    head.replaceChildren(make("button", { type: "button", click: turn }, [head.textContent ?? "", make("span", { class: "direction" })]));
  });
  choice?.addEventListener("change", () => sortBy(choice.value, "down" in choice.selectedOptions[0].dataset));
  search?.addEventListener("input", () => {
    chosen.search = /** @type {HTMLInputElement} */ (search).value.trim().toLowerCase();
    update();
  });
  window.addEventListener("beforeprint", () => placeAll());
  /** Scrolls to the first row for which `isMeant(row)` is true. @param {(row: HTMLTableRowElement) => boolean} isMeant */
  function reveal(isMeant) {
    const at = wanted.findIndex(isMeant);
    if (at < 0) return;
    if (at >= placed) place(at + 1 - placed + PORTION);
    wanted[at].scrollIntoView({ block: "center" });
  }

  /** Adds all rows to the page. After that, elements below the table no longer move. */
  const placeAll = () => place(wanted.length);

  return { update, reveal, placeAll };
}
