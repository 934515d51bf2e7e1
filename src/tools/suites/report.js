const chosen = { show: "", file: null, theme: null };

const list = enableListing({
  table: find("rows").closest("table"),
  rowNames: "positions",
  search: find("search"),
  shown: find("shown"),
  sort: find("sort"),
  isWanted: ({ dataset }) => (chosen.show === "" || dataset.solved === chosen.show)
    && (chosen.file === null || dataset.file === chosen.file)
    && (chosen.theme === null || dataset.theme === chosen.theme),
  onFirstShown: drawRow,
  changed: () => {
    document.querySelectorAll("[data-show]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.show === chosen.show));
    document.querySelectorAll("[data-kind]").forEach((button) => button.setAttribute("aria-pressed", chosen[button.dataset.kind] === button.dataset.name));
  },
});

document.querySelectorAll("[data-show]").forEach((button) => button.addEventListener("click", () => {
  chosen.show = button.dataset.show;
  list.update();
}));
document.querySelectorAll("[data-kind]").forEach((button) => button.addEventListener("click", () => {
  const { kind, name } = button.dataset;
  chosen[kind] = chosen[kind] === name ? null : name;
  list.update();
}));
enableEnlarging((text) => "Expected: " + text("wanted") + ". Chosen: " + text("played") + ", " + text("verdict") + ".");
document.querySelector(".tools").hidden = false;
list.update();
