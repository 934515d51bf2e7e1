/** The squares over the board: input by click, drag and keyboard. */
const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
/** A drag starts when the pointer has moved by this many pixels. */
const DRAG_DISTANCE = 5;

const squares = {
  view: { placement: "8/8/8/8/8/8/8/8", moved: [], arrows: [], check: null, moves: [] },
  flipped: false,
  pieces: {},
  selected: null,
  focus: "e2",
  buttons: {},
  /** Called with each move, in long algebraic notation. */
  onMove: () => {},
};

/** Returns the pieces of a FEN's first field by square: `{ e2: "P" }`. */
function piecesOf(placement) {
  const pieces = {};
  placement.split("/").forEach((row, below) => {
    let file = 0;
    for (const sign of row) {
      if (sign >= "1" && sign <= "8") file += Number(sign);
      else pieces["abcdefgh"[file++] + (8 - below)] = sign;
    }
  });
  return pieces;
}

const nameOfPiece = (sign) => (sign === sign.toLowerCase() ? "black " : "white ") + PIECES[sign.toLowerCase()];

/** Shows a position. `moves` are the moves that the player can make. */
function showPosition(view) {
  const isOther = view.placement !== squares.view.placement || view.moves !== squares.view.moves;
  squares.view = view;
  squares.pieces = piecesOf(view.placement);
  if (isOther) {
    squares.selected = null;
    endDrag();
  }
  drawSquares();
}

function drawSquares() {
  const { view, flipped, selected, pieces } = squares;
  drawBoard(find("board"), { placement: view.placement, moved: view.moved ?? [], arrows: view.arrows ?? [], flipped });
  const targets = new Set(view.moves.filter(({ from }) => from === selected).flatMap(({ to }) => to));
  const movable = new Set(view.moves.map(({ from }) => from));
  const order = flipped ? -1 : 1;
  for (const [name, button] of Object.entries(squares.buttons)) {
    const [file, rank] = [name.charCodeAt(0) - 96, Number(name[1])];
    button.style.order = order * (64 - 8 * rank + file);
    button.classList.toggle("movable", movable.has(name));
    button.classList.toggle("selected", selected === name);
    button.classList.toggle("check", view.check === name);
    button.classList.toggle("target", targets.has(name));
    button.classList.toggle("full", name in pieces);
    button.tabIndex = name === squares.focus ? 0 : -1;
    const content = name in pieces ? nameOfPiece(pieces[name]) : "empty";
    const marks = [[selected === name, "selected"], [view.check === name, "in check"], [targets.has(name), "possible move"]];
    const label = [name, content, ...marks.filter(([is]) => is).map(([, words]) => words)].join(", ");
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  }
}

/** Handles a press on a square: makes a move, or changes the selection. */
function press(name) {
  const { view, selected } = squares;
  const matching = view.moves.filter(({ from, to }) => from === selected && to.includes(name));
  if (matching.length > 0) return makeMove(matching);
  squares.selected = selected !== name && view.moves.some(({ from }) => from === name) ? name : null;
  drawSquares();
}

async function makeMove(matching) {
  const chosen = matching.length > 1 ? await choosePromotion(matching) : matching[0];
  squares.selected = null;
  drawSquares();
  if (chosen) squares.onMove(chosen.uci);
}

/** Asks for the piece to promote to. Resolves to null if the dialog is cancelled. */
function choosePromotion(matching) {
  const dialog = find("promotion");
  const colour = squares.pieces[matching[0].from] === "P" ? "white" : "black";
  return new Promise((resolve) => {
    const choices = ["q", "r", "b", "n"].map((sign) => {
      const move = matching.find(({ promotion }) => promotion === sign);
      const button = make("button", { type: "button", "aria-label": PIECES[sign] }, []);
      button.innerHTML = `<svg class="board" viewBox="0 0 100 100" aria-hidden="true"><use class="piece ${colour}" href="#${PIECES[sign]}"/></svg>`;
      button.addEventListener("click", () => { resolve(move); dialog.close(); });
      return button;
    });
    dialog.replaceChildren(make("div", { class: "choices" }, choices));
    dialog.addEventListener("close", () => resolve(null), { once: true });
    dialog.showModal();
  });
}

let drag = null;

function beginDrag(event, name) {
  drag = { name, x: event.clientX, y: event.clientY, ghost: null };
}

function moveDrag(event) {
  if (!drag) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_DISTANCE) return;
    const sign = squares.pieces[drag.name];
    const size = find("board").getBoundingClientRect().width / 8;
    drag.size = size;
    drag.ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drag.ghost.setAttribute("class", "ghost board");
    drag.ghost.setAttribute("viewBox", "0 0 100 100");
    drag.ghost.innerHTML = `<use class="piece ${nameOfPiece(sign).split(" ")[0]}" href="#${PIECES[sign.toLowerCase()]}"/>`;
    drag.ghost.style.width = `${size}px`;
    document.body.append(drag.ghost);
  }
  drag.ghost.style.transform = `translate(${event.clientX - drag.size / 2}px, ${event.clientY - drag.size / 2}px)`;
}

function endDrag() {
  drag?.ghost?.remove();
  drag = null;
}

/** Returns the square under the pointer. */
function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]")?.dataset.square;
}

function drop(event) {
  if (!drag) return;
  const { name, ghost } = drag;
  const at = squareAt(event);
  endDrag();
  if (ghost && at !== name) {
    if (at) press(at);
    squares.selected = null;
    drawSquares();
  }
}

/** Moves the focus to the next square with an arrow key. */
function moveFocus(event, name) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const direction = squares.flipped ? -1 : 1;
  const file = Math.min(7, Math.max(0, name.charCodeAt(0) - 97 + direction * step[0]));
  const rank = Math.min(8, Math.max(1, Number(name[1]) + direction * step[1]));
  squares.focus = "abcdefgh"[file] + rank;
  for (const [other, button] of Object.entries(squares.buttons)) button.tabIndex = other === squares.focus ? 0 : -1;
  squares.buttons[squares.focus].focus();
}

for (const file of "abcdefgh") {
  for (let rank = 1; rank <= 8; rank += 1) {
    const name = file + rank;
    const button = make("button", { type: "button", "data-square": name, tabindex: -1 }, []);
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      // Releases the implicit capture of a touch: the pointer may leave this square.
      if (button.hasPointerCapture?.(event.pointerId)) button.releasePointerCapture(event.pointerId);
      const isOwn = squares.view.moves.some(({ from }) => from === name);
      const wasSelected = squares.selected === name;
      if (!wasSelected) press(name);
      if (isOwn && squares.selected === name) beginDrag(event, name);
      button.dataset.wasSelected = wasSelected ? "yes" : "";
    });
    button.addEventListener("click", (event) => {
      // A key press, or a second press on the selected piece, which deselects it.
      if (event.detail === 0 || button.dataset.wasSelected) press(name);
      button.dataset.wasSelected = "";
    });
    button.addEventListener("keydown", (event) => moveFocus(event, name));
    squares.buttons[name] = button;
  }
}
// In reading order, from a8 to h1.
for (let rank = 8; rank >= 1; rank -= 1) {
  for (const file of "abcdefgh") find("squares").append(squares.buttons[file + rank]);
}
document.addEventListener("pointermove", moveDrag);
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", endDrag);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && squares.selected) {
    squares.selected = null;
    endDrag();
    drawSquares();
  }
});

function flipBoard(flipped = !squares.flipped) {
  squares.flipped = flipped;
  find("chances").classList.toggle("flipped", flipped);
  drawSquares();
}
