import { data, enableKeys, find, findButton, findField, findLink, numberOfAddress, onChange, onClick, setAddress, copyText } from "../pages/common.js";
import { drawBoard } from "../pages/board.js";
import { enableTyping, piecesInWords } from "../pages/keyboard.js";
import { createBoard } from "../pages/moving.js";
import { createViewer } from "../pages/viewer.js";
/** @import { ReviewedGame, Shown } from "../pages/types.js" */

/** @type {ReviewedGame & { blackBelow: boolean, chess960: boolean, pgn: string }} */
const game = data;
let flipped = false;
/** @type {Shown} */
let shown;

/** @param {Shown} view */
function drawPosition(view) {
  shown = view;
  const { fen, moved, name, chance, arrows, circles } = view;
  const isArrowWanted = findField("arrow").checked;
  board.show({ fen, moved, flipped, arrows: arrows.filter(([, , kind]) => kind !== "good" || isArrowWanted), circles });
  find("board").setAttribute("aria-label", "Board, " + name + ". " + piecesInWords(fen));
  const isKnown = chance !== undefined;
  find("share").style.height = isKnown ? 100 * chance + "%" : "0";
  find("chance").classList.toggle("unknown", !isKnown);
  find("chance").classList.toggle("flipped", flipped);
  find("chance").setAttribute("aria-label", isKnown ? "White's winning chance " + Math.round(100 * chance) + " %" : "Not searched");
  ["first", "back"].forEach((id) => { findButton(id).disabled = view.isFirst; });
  ["last", "forward"].forEach((id) => { findButton(id).disabled = view.isLast; });
  findButton("fault").disabled = !view.hasFault;
  findLink("lichess").href = lichess(fen);
  const clocks = flipped ? view.clocks : view.clocks.toReversed();
  ["above", "below"].forEach((id, index) => {
    const clock = find(id).querySelector(".clock");
    clock?.replaceChildren(clocks[index].text);
    clock?.classList.toggle("trouble", clocks[index].trouble);
  });
  if (view.isGame) setAddress(view.ply);
}

/** Returns the address of a position on the analysis board of lichess.org. @param {string} fen */
function lichess(fen) {
  const variant = game.chess960 ? "chess960/" : "";
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
const viewer = createViewer(game, { root: document, draw: drawPosition });
enableTyping({ position: () => shown.fen, decide: board.decide });

/** Draws the diagrams for print, one for each fault, with the played and the best move. */
function drawDiagrams() {
  for (const diagram of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".diagram"))) {
    const at = Number(diagram.dataset.ply);
    const best = game.positions[at - 1].line[0];
    drawBoard(diagram, {
      placement: game.positions[at - 1].fen, flipped: game.blackBelow,
      arrows: [[...game.positions[at].moved ?? [], "bad"], ...best ? [[...best[3], "good"]] : []],
    });
  }
}

/** @param {string} text @param {string} name */
async function copy(text, name) {
  find("copied").textContent = await copyText(text) ? name + " copied" : "The browser does not allow copying";
  setTimeout(() => { find("copied").textContent = ""; }, 2500);
}

const steps = {
  first: () => viewer.show(0), back: () => viewer.step(-1), forward: () => viewer.step(1), last: viewer.showLast, fault: viewer.showNextFault, flip: turn,
};
Object.entries(steps).forEach(([id, step]) => onClick(id, step));
onChange("arrow", viewer.update);
onClick("copy-fen", () => copy(shown.fen, "FEN"));
onClick("copy-pgn", () => copy(game.pgn, "PGN"));
window.addEventListener("beforeprint", drawDiagrams);
// The wheel steps like the arrow keys. Small deltas, as from a trackpad, are added up.
const NOTCH = 50;
let turned = 0;
find("board").parentElement?.addEventListener("wheel", (event) => {
  if (event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
  if (Math.abs(turned) < NOTCH) return;
  viewer.step(Math.sign(turned));
  turned = 0;
}, { passive: false });
enableKeys(() => ({
  ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last, Escape: viewer.leave,
  n: steps.fault, f: turn, b: () => find("arrow").click(), m: () => find("move-text").focus(),
}));
window.addEventListener("hashchange", () => viewer.show(numberOfAddress()));
viewer.show(numberOfAddress());
if (game.blackBelow) turn();
