const rows = [...document.querySelectorAll("#rows tr")];
const chosen = { show: "", file: null, theme: null, search: "", sort: "", down: false };

/** Boards are drawn when they come into sight: there may be thousands. */
const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    drawBoard(target, data[target.dataset.board]);
  }
}, { rootMargin: "400px" });
document.querySelectorAll("#rows .board").forEach((board) => sight.observe(board));

/** Whether a row is among those that were asked for. */
function isWanted({ dataset, textContent }) {
  return (chosen.show === "" || dataset.solved === chosen.show)
    && (chosen.file === null || dataset.file === chosen.file)
    && (chosen.theme === null || dataset.theme === chosen.theme)
    && textContent.toLowerCase().includes(chosen.search);
}

/** Compares two rows; what has no value comes last, whatever the direction. */
function compare(one, other) {
  const [a, b] = [one.dataset[chosen.sort], other.dataset[chosen.sort]];
  if ((a === "") !== (b === "")) return a === "" ? 1 : -1;
  const order = chosen.sort === "name" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  return chosen.down ? -order : order;
}

function update() {
  const sorted = chosen.sort === "" ? rows : [...rows].sort(compare);
  find("rows").append(...sorted);
  let shown = 0;
  for (const row of rows) {
    row.hidden = !isWanted(row);
    shown += row.hidden ? 0 : 1;
  }
  find("shown").textContent = shown === rows.length ? rows.length + " positions" : shown + " of " + rows.length + " positions";
  find("sort").value = chosen.sort;
  document.querySelectorAll("[data-show]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.show === chosen.show));
  document.querySelectorAll("[data-kind]").forEach((button) => button.setAttribute("aria-pressed", chosen[button.dataset.kind] === button.dataset.name));
  document.querySelectorAll("[data-sort]").forEach((header) => {
    const isSorted = header.dataset.sort === chosen.sort;
    header.classList.toggle("sorted", isSorted);
    header.setAttribute("aria-sort", !isSorted ? "none" : chosen.down ? "descending" : "ascending");
    header.querySelector(".direction").textContent = !isSorted ? "" : chosen.down ? " ↓" : " ↑";
  });
}

function sortBy(name, down = false) {
  Object.assign(chosen, { sort: name, down });
  update();
}

document.querySelectorAll("[data-sort]").forEach((header) => {
  const button = document.createElement("button");
  const direction = document.createElement("span");
  direction.className = "direction";
  button.type = "button";
  button.append(header.textContent, direction);
  button.addEventListener("click", () => {
    const isSorted = chosen.sort === header.dataset.sort;
    if (isSorted && chosen.down) sortBy("");
    else sortBy(header.dataset.sort, isSorted);
  });
  header.replaceChildren(button);
});
find("sort").addEventListener("change", (event) => sortBy(event.target.value));
document.querySelectorAll("[data-show]").forEach((button) => button.addEventListener("click", () => {
  chosen.show = button.dataset.show;
  update();
}));
document.querySelectorAll("[data-kind]").forEach((button) => button.addEventListener("click", () => {
  const { kind, name } = button.dataset;
  chosen[kind] = chosen[kind] === name ? null : name;
  update();
}));
find("search").addEventListener("input", (event) => {
  chosen.search = event.target.value.trim().toLowerCase();
  update();
});

const large = find("large");
find("rows").addEventListener("click", (event) => {
  const picture = event.target.closest(".picture button");
  if (!picture) return;
  const row = picture.closest("tr");
  const board = picture.firstElementChild;
  drawBoard(large.querySelector(".board"), data[board.dataset.board]);
  const text = (name) => row.querySelector("." + name).textContent;
  find("large-name").textContent = row.dataset.name;
  find("large-answer").textContent = "Expected: " + text("wanted") + ". Chosen: " + text("played") + ", " + text("verdict") + ".";
  find("large-fen").textContent = board.dataset.fen;
  large.showModal();
});
large.addEventListener("click", (event) => { if (event.target === large) large.close(); });

document.querySelector(".tools").hidden = false;
update();
