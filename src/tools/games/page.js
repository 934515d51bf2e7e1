const { positions, variations } = data;
const last = positions.length - 1;
let ply = 0;
let flipped = false;
/** Place in a line that is shown instead of the game: { key, index }. */
let shownLine = null;
/** The user's own moves: the ply at which they leave the game, and their steps. */
let tried = null;

/**
 * Returns the steps of a line. Lines have keys: "b12" is the best line of position 12, "b12/1" the second
 * best, "v3" variation 3 of the file, "own" the user's moves. A step is [number, name, FEN, squares,
 * remarks].
 */
function stepsOf(key) {
  if (key === "own") return tried?.steps ?? [];
  return key[0] === "b" ? searched(key).line : variations[Number(key.slice(1))].steps;
}

/** Returns the search result of a line, with its score and chance. */
function searched(key) {
  const [at, rank] = key.slice(1).split("/").map(Number);
  return rank ? positions[at].others[rank - 1] : positions[at];
}

/** Returns the ply at which a line leaves the game. */
function branchPly(key) {
  if (key === "own") return tried.at;
  return key[0] === "b" ? parseInt(key.slice(1), 10) : variations[Number(key.slice(1))].at;
}

/** Returns all steps from the game to a place in a line. */
function path({ key, index }) {
  const parent = key[0] === "v" ? variations[Number(key.slice(1))].parent : null;
  const before = parent === null ? [] : path({ key: "v" + parent[0], index: parent[1] - 1 });
  return [...before, ...stepsOf(key).slice(0, index + 1)];
}

/** Returns the name of a step's move with its number: "12... Kf8". */
function nameOf([, san, fen]) {
  const [, turn, , , , full] = fen.split(" ");
  return (turn === "b" ? full + ". " : full - 1 + "... ") + san;
}

/** Returns the shown position, of the game or of a line. */
function shown() {
  const here = positions[ply];
  if (!shownLine) {
    return { fen: here.fen, moved: here.moved ?? [], name: here.name ?? "The start", remarks: here.remarks, score: here.score, chance: here.chance };
  }
  const step = stepsOf(shownLine.key)[shownLine.index];
  const { score = step[4]?.score, chance } = shownLine.key[0] === "b" ? searched(shownLine.key) : {};
  return { fen: step[2], moved: step[3], name: nameOf(step), remarks: step[4], score, chance };
}

/** Describes a score from White's point of view; a mate names the side that mates. */
function inWords(score) {
  const mate = /^#(−?)(\d+)$/.exec(score);
  return mate ? (mate[1] ? "Black" : "White") + " mates in " + mate[2] : score === "mate" ? "Mate" : "White " + score;
}

const percent = (chance) => Math.round(100 * chance) + " %";

function draw() {
  const { fen, moved, name, remarks, chance } = shown();
  const best = positions[ply].line[0];
  const arrows = !shownLine && best && find("arrow").checked ? [[...best[3], "good"]] : [];
  board.show({ fen, moved, flipped, arrows: [...remarks?.arrows ?? [], ...arrows], circles: remarks?.circles });
  find("board").setAttribute("aria-label", "Board, " + name + ". " + piecesInWords(fen));
  const isKnown = chance !== undefined;
  find("share").style.height = isKnown ? 100 * chance + "%" : "0";
  find("chance").classList.toggle("unknown", !isKnown);
  find("chance").classList.toggle("flipped", flipped);
  find("chance").setAttribute("aria-label", isKnown ? "White's winning chance " + percent(chance) : "Not searched");
  find("cursor").hidden = false;
  find("cursor").style.left = 100 * ply / Math.max(last, 1) + "%";
  ["first", "back"].forEach((id) => { find(id).disabled = ply === 0 && !shownLine; });
  ["last", "forward"].forEach((id) => { find(id).disabled = ply === last && !shownLine; });
  find("fault").disabled = nextFault() === undefined;
  find("lichess").href = lichess(fen);
}

/** Returns the address of a position on the analysis board of lichess.org. */
function lichess(fen) {
  const variant = data.chess960 ? "chess960/" : "";
  return "https://lichess.org/analysis/" + variant + fen.replaceAll(" ", "_") + (flipped ? "?color=black" : "");
}

/** Shows the texts about the position. */
function describe() {
  const here = positions[ply];
  const before = positions[ply - 1];
  const { name, remarks } = shown();
  const fault = shownLine ? null : here.fault;
  const where = shownLine && { b: shownLine.key.includes("/") ? "another line" : "best line", v: "variation", o: "your moves" }[shownLine.key[0]];
  const merit = fault && here.missedWin ? ", a win missed" : fault ? "" : here.missed ? " " + here.missed : here.onlyMove ? " the only move" : "";
  find("name").replaceChildren(name, fault ? make("span", { class: fault }, [" " + fault]) : "", shownLine ? "" : make("span", { class: "note" }, [merit]), where ? make("span", { class: "note" }, [" " + where]) : "");
  find("return").hidden = !shownLine;
  find("return").textContent = here.name ? "Back to " + here.name : "Back to the start";
  find("description").textContent = shownLine ? describeShownLine() : describeHere();
  find("comment").hidden = !remarks?.comment;
  find("comment").textContent = remarks?.comment ?? "";
  describeLine("better", "Better", "b" + (ply - 1), before && !here.best && before.line.length > 0);
  describeLine("next", "Best now", "b" + ply, here.line.length > 0);
  describeOthers(here.others ?? []);
  const isListed = shownLine && ["b" + (ply - 1), "b" + ply].some((key) => shownLine.key === key || shownLine.key.startsWith("b" + ply + "/"));
  describeLine("shown-line", { b: "Best line", v: "Variation", o: "Your moves" }[shownLine?.key[0]], shownLine?.key, shownLine && !isListed);
  showClocks();
  document.querySelectorAll(".step.shown").forEach((step) => mark(step, false));
  if (shownLine) document.querySelectorAll(`[data-line="${shownLine.key}"][data-step="${shownLine.index}"]`).forEach((step) => mark(step, true));
  find("m" + ply)?.classList.toggle("left-behind", shownLine !== null);
}

function describeHere() {
  const here = positions[ply];
  const depth = here.depth > 0 ? ", depth " + here.depth : "";
  const loss = here.loss > 0 ? " The move gave away " + here.loss + " % of a point" + (here.book && !here.fault && here.loss >= 10 ? ", but it belongs to a named opening." : ".") : "";
  const isNoted = here.engine && here.engine.seconds !== null;
  const time = here.spent === undefined || isNoted ? "" : " Time used: " + here.spent + (here.trouble ? ", in time trouble." : ".");
  return inWords(here.score) + " (" + percent(here.chance) + ")" + depth + "." + (here.verdict ? " " + here.verdict : "") + (here.repertoire ? " " + here.repertoire : "") + loss + time + describeEngine(here.engine);
}

/** Describes the evaluation of the engine that made the move, if the game contains it. */
function describeEngine(note) {
  if (!note) return "";
  const details = [note.depth ? "depth " + note.depth : "", note.seconds === null ? "" : note.seconds + " s"].filter(Boolean);
  return " The player thought: " + inWords(note.score) + (details.length > 0 ? " (" + details.join(", ") + ")" : "") + ".";
}

function describeShownLine() {
  const { score, chance } = shown();
  if (score === undefined) return "Not searched.";
  return inWords(score) + (chance === undefined ? "" : " (" + percent(chance) + ")") + " at the end of this line.";
}

function showClocks() {
  const clocks = { above: flipped ? 0 : 1, below: flipped ? 1 : 0 };
  for (const [id, side] of Object.entries(clocks)) {
    const at = [ply, ply - 1].find((candidate) => candidate > 0 && sideOf(candidate) === side);
    const clock = find(id).querySelector(".clock");
    clock.textContent = at && positions[at].clock || "";
    clock.classList.toggle("trouble", Boolean(at && positions[at].trouble));
  }
}

/** Returns the side that made the move to a position: 0 for White, 1 for Black. */
const sideOf = (at) => positions[at].name.includes("...") ? 1 : 0;

/** Shows a line with clickable moves. */
function describeLine(id, title, key, applies) {
  find(id).hidden = !applies;
  find(id).replaceChildren(...applies ? lineOf(title, key) : []);
}

/** Shows the lines other than the best. */
function describeOthers(others) {
  find("others").replaceChildren(...others.map((other, index) => make("p", { class: "line" }, lineOf("Or", "b" + ply + "/" + (index + 1)))));
}

function lineOf(title, key) {
  const moves = stepsOf(key).map(([number, san], index) =>
    [make("button", { type: "button", class: "step", "data-line": key, "data-step": index }, [(number ? number + " " : "") + san]), " "]);
  // The score comes first, since after the moves it could wrap to a line of its own.
  const score = key[0] === "b" ? [make("span", { class: "note" }, [searched(key).score]), " "] : [];
  return [make("b", {}, [title]), " ", ...score, ...moves.flat()];
}

function update() {
  draw();
  describe();
}

/** Shows a place in a line. The game stays at the ply where the line leaves it. */
function lookAt(place) {
  const at = branchPly(place.key);
  if (ply !== at && ply !== at + 1) show(Math.min(at + 1, last));
  shownLine = place;
  update();
}

function show(wanted, scroll = true) {
  shownLine = null;
  find("m" + ply)?.classList.remove("left-behind");
  mark(find("m" + ply), false);
  ply = Math.max(0, Math.min(last, wanted));
  update();
  const move = find("m" + ply);
  const list = find("moves");
  mark(move, true);
  // Scrolls only a list with a scroll bar of its own, not the page.
  if (scroll && list.scrollHeight > list.clientHeight) {
    list.scrollTop = move ? move.offsetTop - list.clientHeight / 2 : 0;
  }
  setAddress(ply);
}

/** Returns the ply after the next fault, if there is one. */
function nextFault() {
  const at = positions.findIndex((position, index) => index > ply && (position.fault || position.missed));
  return at < 0 ? undefined : at;
}

function turn() {
  flipped = !flipped;
  const [above, below] = [find("above"), find("below")];
  const content = [...above.childNodes];
  above.replaceChildren(...below.childNodes);
  below.replaceChildren(...content);
  update();
}

/** Moves one step from the shown position, in the shown line or else in the game. */
function step(by) {
  if (shownLine === null) return show(ply + by);
  const { key, index } = shownLine;
  if (index + by >= 0) {
    if (index + by < stepsOf(key).length) lookAt({ key, index: index + by });
    return;
  }
  const parent = key[0] === "v" ? variations[Number(key.slice(1))].parent : null;
  if (parent !== null && parent[1] > 0) lookAt({ key: "v" + parent[0], index: parent[1] - 1 });
  else show(branchPly(key));
}

/** Plays the user's move: follows the shown line, the game or the best line if it is its next move, else
 * extends the user's own line. */
function tryMove(move, before) {
  const san = rules.san(before, move);
  if (shownLine) {
    if (stepsOf(shownLine.key)[shownLine.index + 1]?.[1] === san) return step(1);
  } else {
    if (positions[ply + 1]?.name.endsWith(" " + san)) return show(ply + 1);
    if (positions[ply].line[0]?.[1] === san) return lookAt({ key: "b" + ply, index: 0 });
  }
  const at = shownLine ? branchPly(shownLine.key) : ply;
  const steps = shownLine ? path(shownLine) : [];
  const number = before.turn === "w" ? before.full + "." : steps.length === 0 ? before.full + "..." : "";
  const squares = [move.from, move.to].map(rules.name);
  tried = { at, steps: [...steps, [number, san, rules.fen(rules.play(before, move)), squares]] };
  lookAt({ key: "own", index: steps.length });
}

const board = createBoard(find("board"), tryMove);
enableTyping({ position: () => shown().fen, decide: board.decide });

/** Draws the diagrams for print, one for each fault, with the played and the best move. */
function drawDiagrams() {
  document.querySelectorAll(".diagram").forEach((diagram) => {
    const at = Number(diagram.dataset.ply);
    const best = positions[at - 1].line[0];
    drawBoard(diagram, {
      placement: positions[at - 1].fen, flipped: data.blackBelow,
      arrows: [[...positions[at].moved, "bad"], ...best ? [[...best[3], "good"]] : []],
    });
  });
}

async function copy(text, name) {
  find("copied").textContent = await copyText(text) ? name + " copied" : "The browser does not allow copying";
  setTimeout(() => { find("copied").textContent = ""; }, 2500);
}

find("first").addEventListener("click", () => show(0));
find("back").addEventListener("click", () => step(-1));
find("forward").addEventListener("click", () => step(1));
find("last").addEventListener("click", () => show(last));
find("fault").addEventListener("click", () => show(nextFault() ?? ply));
find("flip").addEventListener("click", turn);
find("return").addEventListener("click", () => show(ply));
find("arrow").addEventListener("change", draw);
find("copy-fen").addEventListener("click", () => copy(shown().fen, "FEN"));
find("copy-pgn").addEventListener("click", () => copy(data.pgn, "PGN"));
window.addEventListener("beforeprint", drawDiagrams);
document.addEventListener("click", (event) => {
  const place = event.target.closest(".step");
  if (place) return lookAt({ key: place.dataset.line, index: Number(place.dataset.step) });
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
// The wheel steps like the arrow keys. Small deltas, as from a trackpad, are added up.
const NOTCH = 50;
let turned = 0;
find("board").parentElement.addEventListener("wheel", (event) => {
  if (event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
  if (Math.abs(turned) < NOTCH) return;
  step(Math.sign(turned));
  turned = 0;
}, { passive: false });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(last), Escape: () => show(ply),
    n: () => show(nextFault() ?? ply), f: turn, b: () => find("arrow").click(), m: () => find("move-text").focus(),
  };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
window.addEventListener("hashchange", () => show(numberOfAddress()));
show(numberOfAddress());
if (data.blackBelow) turn();
