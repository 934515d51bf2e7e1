const { positions } = data;
let flipped = false;
let shown = null;

function draw(view) {
  shown = view;
  const { fen, moved, name, chance, arrows, circles } = view;
  const isArrowWanted = find("arrow").checked;
  board.show({ fen, moved, flipped, arrows: arrows.filter(([, , kind]) => kind !== "good" || isArrowWanted), circles });
  find("board").setAttribute("aria-label", "Board, " + name + ". " + piecesInWords(fen));
  const isKnown = chance !== undefined;
  find("share").style.height = isKnown ? 100 * chance + "%" : "0";
  find("chance").classList.toggle("unknown", !isKnown);
  find("chance").classList.toggle("flipped", flipped);
  find("chance").setAttribute("aria-label", isKnown ? "White's winning chance " + Math.round(100 * chance) + " %" : "Not searched");
  ["first", "back"].forEach((id) => { find(id).disabled = view.isFirst; });
  ["last", "forward"].forEach((id) => { find(id).disabled = view.isLast; });
  find("fault").disabled = !view.hasFault;
  find("lichess").href = lichess(fen);
  const clocks = flipped ? view.clocks : view.clocks.toReversed();
  ["above", "below"].forEach((id, index) => {
    const clock = find(id).querySelector(".clock");
    clock.textContent = clocks[index].text;
    clock.classList.toggle("trouble", clocks[index].trouble);
  });
  if (view.isGame) setAddress(view.ply);
}

/** Returns the address of a position on the analysis board of lichess.org. */
function lichess(fen) {
  const variant = data.chess960 ? "chess960/" : "";
  return "https://lichess.org/analysis/" + variant + fen.replaceAll(" ", "_") + (flipped ? "?color=black" : "");
}

function turn() {
  flipped = !flipped;
  const [above, below] = [find("above"), find("below")];
  const content = [...above.childNodes];
  above.replaceChildren(...below.childNodes);
  below.replaceChildren(...content);
  viewer.update();
}

const board = createBoard(find("board"), (move, before) => viewer.tryMove(move, before));
const viewer = createViewer(data, { root: document, draw });
enableTyping({ position: () => shown.fen, decide: board.decide });

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

find("first").addEventListener("click", () => viewer.show(0));
find("back").addEventListener("click", () => viewer.step(-1));
find("forward").addEventListener("click", () => viewer.step(1));
find("last").addEventListener("click", viewer.showLast);
find("fault").addEventListener("click", viewer.showNextFault);
find("flip").addEventListener("click", turn);
find("arrow").addEventListener("change", viewer.update);
find("copy-fen").addEventListener("click", () => copy(shown.fen, "FEN"));
find("copy-pgn").addEventListener("click", () => copy(data.pgn, "PGN"));
window.addEventListener("beforeprint", drawDiagrams);
// The wheel steps like the arrow keys. Small deltas, as from a trackpad, are added up.
const NOTCH = 50;
let turned = 0;
find("board").parentElement.addEventListener("wheel", (event) => {
  if (event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
  if (Math.abs(turned) < NOTCH) return;
  viewer.step(Math.sign(turned));
  turned = 0;
}, { passive: false });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const keys = {
    ArrowLeft: () => viewer.step(-1), ArrowRight: () => viewer.step(1), Home: () => viewer.show(0), End: viewer.showLast, Escape: viewer.leave,
    n: viewer.showNextFault, f: turn, b: () => find("arrow").click(), m: () => find("move-text").focus(),
  };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
window.addEventListener("hashchange", () => viewer.show(numberOfAddress()));
viewer.show(numberOfAddress());
if (data.blackBelow) turn();
