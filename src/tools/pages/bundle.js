const pages = new Map(data.pages);
const view = find("view");

/** Returns the page and the place in the address: "#game-3.html#12" means place 12 of game-3.html. */
function wanted() {
  const [name, place = ""] = location.hash.slice(1).split("#");
  return pages.has(name) ? [name, place] : [data.pages[0][0], place];
}

let shown = null;

function show() {
  const [name, place] = wanted();
  if (shown === name) return go(place);
  shown = name;
  view.onload = () => {
    document.title = view.contentDocument.title;
    view.contentDocument.addEventListener("click", follow);
    go(place);
    view.contentWindow.focus();
  };
  view.srcdoc = pages.get(name).map((number) => data.lines[number]).join("\n");
}

function go(place) {
  if (place) view.contentWindow.location.hash = place;
}

/** Follows a link to another page of the bundle. */
function follow(event) {
  const address = event.target.closest("a[href]")?.getAttribute("href") ?? "";
  if (event.defaultPrevented || !pages.has(address.split("#")[0])) return;
  event.preventDefault();
  location.hash = address;
}

window.addEventListener("hashchange", show);
show();
