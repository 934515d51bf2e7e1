/**
 * A table of which rows can be sorted and found. Heads with data-sort become buttons that sort by the
 * rows' data of that name, as the field `sort` does (an option with data-down: the greatest first); what is typed into the field `search` must be in a
 * row, and `isWanted(row)` says what else. `what` names several rows, as "positions", and `shown` says how
 * many there are; `inSight(row)` draws what costs time.
 *
 * Only as many rows are in the page as were scrolled to: to lay out thousands takes a second.
 */
function letList({ table, what, search = null, sort = null, shown = null, isWanted = () => true, inSight = () => {}, changed = () => {} }) {
  const PORTION = 15;
  const body = table.tBodies[0];
  const heads = [...table.querySelectorAll("[data-sort]")];
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const seen = new Set();
  const chosen = { sort: "", down: false, search: "" };
  let wanted = rows;
  let placed = 0;
  const end = make("p", { class: "note list-end" }, []);
  table.after(end);

  /** Compares two rows; what has no value comes last, whatever the direction. */
  function compare(one, other) {
    const [a, b] = [one.dataset[chosen.sort], other.dataset[chosen.sort]];
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1;
    const order = a !== "" && isFinite(a) && isFinite(b) ? a - b : a.localeCompare(b, "en", { numeric: true });
    return chosen.down ? -order : order;
  }

  function place(count) {
    const next = wanted.slice(placed, placed + count);
    body.append(...next);
    placed += next.length;
    for (const row of next.filter((it) => !seen.has(it))) {
      seen.add(row);
      inSight(row);
    }
    const left = wanted.length - placed;
    end.textContent = wanted.length === 0 ? "No " + what + " fit. Another word or another choice shows more." : left > 0 ? left + " more below" : "";
    // Told again if the end is still in sight.
    sight.unobserve(end);
    if (left > 0) sight.observe(end);
  }

  const sight = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) place(PORTION);
  }, { rootMargin: "600px" });

  function update() {
    wanted = rows.filter((row) => isWanted(row) && texts.get(row).includes(chosen.search));
    if (chosen.sort !== "") wanted.sort(compare);
    body.replaceChildren();
    placed = 0;
    place(PORTION);
    if (shown) shown.textContent = (wanted.length === rows.length ? "" : wanted.length + " of ") + rows.length + " " + (rows.length === 1 ? what.slice(0, -1) : what);
    if (sort) sort.value = chosen.sort;
    heads.forEach((head) => {
      const isSorted = head.dataset.sort === chosen.sort;
      head.classList.toggle("sorted", isSorted);
      head.setAttribute("aria-sort", !isSorted ? "none" : chosen.down ? "descending" : "ascending");
      head.querySelector(".direction").textContent = !isSorted ? "" : chosen.down ? " ↓" : " ↑";
    });
    changed();
  }

  function sortBy(name, down = false) {
    Object.assign(chosen, { sort: name, down });
    update();
  }

  heads.forEach((head) => {
    const button = make("button", { type: "button" }, [head.textContent, make("span", { class: "direction" }, [])]);
    button.addEventListener("click", () => {
      const isSorted = chosen.sort === head.dataset.sort;
      if (isSorted && chosen.down) sortBy("");
      else sortBy(head.dataset.sort, isSorted);
    });
    head.replaceChildren(button);
  });
  sort?.addEventListener("change", () => sortBy(sort.value, "down" in sort.selectedOptions[0].dataset));
  search?.addEventListener("input", (event) => {
    chosen.search = event.target.value.trim().toLowerCase();
    update();
  });
  window.addEventListener("beforeprint", () => placeAll());
  /** Puts the first row of which this is true into sight. */
  function reveal(isMeant) {
    const at = wanted.findIndex(isMeant);
    if (at < 0) return;
    if (at >= placed) place(at + 1 - placed + PORTION);
    wanted[at].scrollIntoView({ block: "center" });
  }

  /** Puts all rows into the page: what stands behind the table moves no more. */
  const placeAll = () => place(wanted.length);

  return { update, reveal, placeAll };
}
