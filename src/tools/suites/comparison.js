let show = "";

const list = enableListing({
  table: find("rows").closest("table"),
  rowNames: "positions",
  search: find("search"),
  shown: find("shown"),
  isWanted: ({ dataset }) => show === "" || dataset.result === show,
  onFirstShown: drawRow,
  changed: () => document.querySelectorAll("[data-show]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.show === show)),
});

document.querySelectorAll("[data-show]").forEach((button) => button.addEventListener("click", () => {
  show = button.dataset.show;
  list.update();
}));
enableEnlarging((text) => "Expected: " + text("wanted") + ". A chose " + text("before") + ", B " + text("after") + ".");
document.querySelector(".tools").hidden = false;
list.update();
