const { positions } = data;
const last = positions.length - 1;
let ply = 0;
let flipped = false;
/** A move of a line that is looked at instead of the game: [ply whose line it is, place in it]. */
let aside = null;

function draw() {
  const here = positions[ply];
  const inLine = aside && positions[aside[0]].line[aside[1]];
  const [placement, moved] = inLine ? [inLine[2], inLine[3]] : [here.board, here.moved ?? []];
  const best = here.line[0];
  const arrows = !inLine && best && find("arrow").checked ? [[...best[3], "good"]] : [];
  drawBoard(find("board"), { placement, moved, arrows, flipped });
  find("board").setAttribute("aria-label", inLine ? "Board after " + inLine[1] : "Board after " + (here.name ?? "nothing"));
  find("share").style.height = 100 * here.chance + "%";
  find("chance").classList.toggle("flipped", flipped);
  find("chance").setAttribute("aria-label", "White's winning chance " + Math.round(100 * here.chance) + " %");
  find("cursor").hidden = false;
  find("cursor").style.left = 100 * ply / Math.max(last, 1) + "%";
  ["first", "back"].forEach((id) => { find(id).disabled = ply === 0 && !aside; });
  ["last", "forward"].forEach((id) => { find(id).disabled = ply === last && !aside; });
  find("fault").disabled = nextFault() === undefined;
}

/** Puts into words what is to be known of a position. */
function describe() {
  const here = positions[ply];
  const before = positions[ply - 1];
  find("name").replaceChildren(here.name ?? "The start", here.fault ? make("span", { class: here.fault }, [" " + here.fault]) : "");
  const depth = here.depth > 0 ? ", depth " + here.depth : "";
  const loss = here.loss > 0 ? ". The move gave away " + here.loss + " % of winning chance" : "";
  find("description").textContent = "White " + here.score + " (" + Math.round(100 * here.chance) + " %)" + depth + loss + ".";
  describeLine("better", "Better", ply - 1, before && !here.best && before.line.length > 0);
  describeLine("next", "Best now", ply, here.line.length > 0);
  const clocks = { above: flipped ? 0 : 1, below: flipped ? 1 : 0 };
  for (const [id, side] of Object.entries(clocks)) {
    const at = [ply, ply - 1].find((it) => it > 0 && sideOf(it) === side);
    find(id).querySelector(".clock").textContent = at && positions[at].clock || "";
  }
}

/** Who made the move that led to a position: 0 for White, 1 for Black. */
const sideOf = (at) => positions[at].name.includes("...") ? 1 : 0;

function describeLine(id, title, at, applies) {
  find(id).hidden = !applies;
  if (!applies) return;
  const moves = positions[at].line.map(([number, san], index) => {
    const button = make("button", { type: "button" }, [(number ? number + " " : "") + san]);
    button.classList.toggle("shown", aside !== null && aside[0] === at && aside[1] === index);
    button.addEventListener("click", () => lookAt([at, index]));
    return [button, " "];
  });
  find(id).replaceChildren(make("b", {}, [title]), " ", ...moves.flat(), make("span", { class: "note" }, [positions[at].score]));
}

function lookAt(place) {
  aside = place;
  draw();
  describe();
}

function show(wanted, scroll = true) {
  aside = null;
  find("m" + ply)?.classList.remove("shown");
  ply = Math.max(0, Math.min(last, wanted));
  draw();
  describe();
  const move = find("m" + ply);
  const list = find("moves");
  move?.classList.add("shown");
  // Only a list with a bar of its own is moved; the page stays where it is.
  if (scroll && list.scrollHeight > list.clientHeight) {
    list.scrollTop = move ? move.offsetTop - list.clientHeight / 2 : 0;
  }
  history.replaceState(null, "", "#" + ply);
}

/** The next position to which a fault led, if there is one. */
function nextFault() {
  const at = positions.findIndex((position, index) => index > ply && position.fault);
  return at < 0 ? undefined : at;
}

function turn() {
  flipped = !flipped;
  const [above, below] = [find("above"), find("below")];
  const content = [...above.childNodes];
  above.replaceChildren(...below.childNodes);
  below.replaceChildren(...content);
  draw();
  describe();
}

/** A step from what is shown: within a line that is looked at, else in the game. */
function step(by) {
  if (aside === null) return show(ply + by);
  const [at, index] = aside;
  if (index + by < 0) return show(ply);
  if (index + by < positions[at].line.length) lookAt([at, index + by]);
}

find("first").addEventListener("click", () => show(0));
find("back").addEventListener("click", () => step(-1));
find("forward").addEventListener("click", () => step(1));
find("last").addEventListener("click", () => show(last));
find("fault").addEventListener("click", () => show(nextFault() ?? ply));
find("flip").addEventListener("click", turn);
find("arrow").addEventListener("change", draw);
find("moves").addEventListener("click", (event) => {
  const move = event.target.closest(".move");
  if (!move) return;
  event.preventDefault();
  show(Number(move.id.slice(1)), false);
});
const plot = find("plot");
const goTo = (event) => {
  const box = plot.getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * last));
};
plot.addEventListener("pointerdown", goTo);
plot.addEventListener("pointermove", (event) => { if (event.buttons) goTo(event); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(last),
    n: () => show(nextFault() ?? ply), f: turn, b: () => find("arrow").click(),
  };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
window.addEventListener("hashchange", () => show(numberOfAddress()));
show(numberOfAddress());
