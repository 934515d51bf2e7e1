import { around, data, find } from "./common.js";

/** Numbers of the lines of each page. @type {Map<string, number[]>} */
const pages = new Map(data.pages);
const view = /** @type {HTMLIFrameElement} */ (find("view"));
const inner = () => /** @type {Document} */ (view.contentDocument);

/** Returns the page and the place in the address: "#game-3.html#12" means place 12 of game-3.html. */
function wanted() {
  const [name, place = ""] = location.hash.slice(1).split("#");
  return pages.has(name) ? [name, place] : [data.pages[0][0], place];
}

/** @type {string | null} */
let shown = null;

function show() {
  const [name, place] = wanted();
  if (shown === name) return go(place);
  shown = name;
  view.onload = () => {
    document.title = inner().title;
    inner().addEventListener("click", follow);
    go(place);
    view.contentWindow?.focus();
  };
  view.srcdoc = (pages.get(name) ?? []).map((number) => data.lines[number]).join("\n");
}

/** @param {string} place */
function go(place) {
  if (place) inner().location.hash = place;
}

/** Follows a link to another page of the bundle. @param {MouseEvent} event */
function follow(event) {
  const address = around(event, "a[href]")?.getAttribute("href") ?? "";
  if (event.defaultPrevented || !pages.has(address.split("#")[0])) return;
  event.preventDefault();
  location.hash = address;
}

window.addEventListener("hashchange", show);
show();
