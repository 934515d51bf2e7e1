/**
 * Makes the pieces on a board movable by two clicks or by dragging. Only legal moves are accepted.
 * `position()` returns the shown FEN, `flipped()` whether Black is at the bottom; `redraw()` draws the
 * board again; `moved(move, position)` is called with a move and the position before it. Returns functions
 * for the arguments of `drawBoard`: the chosen square and the squares that its piece can move to.
 */
function enableMoving(svg, { position, flipped, redraw, moved }) {
  let chosen = null;
  let drag = null;
  /** Promotions to choose from. */
  let promotions = null;
  const board = () => rules.read(position());
  const from = (square) => rules.moves(board()).filter((move) => move.from === square);
  svg.classList.add("movable");

  /** Returns the position of an event in units of the board, 0 to 800. */
  function point(event) {
    const box = svg.getBoundingClientRect();
    return [800 * (event.clientX - box.left) / box.width, 800 * (event.clientY - box.top) / box.height];
  }

  function squareAt(event) {
    const [file, below] = point(event).map((edge) => Math.floor(edge / 100));
    if (file < 0 || file > 7 || below < 0 || below > 7) return undefined;
    return flipped() ? 7 - file + 8 * below : file + 8 * (7 - below);
  }

  function choose(square) {
    chosen = square;
    redraw();
  }

  /** Returns the moves from the chosen square to another. Moving the king onto its rook also castles. */
  function movesTo(square) {
    const all = from(chosen);
    const direct = all.filter((move) => move.to === square && move.rook === undefined);
    return direct.length > 0 ? direct : all.filter((move) => move.rook !== undefined && (move.to === square || move.rook === square)).slice(0, 1);
  }

  function finish(move) {
    const before = board();
    chosen = null;
    moved(move, before);
  }

  /** Shows the pieces of a promotion over the board. */
  function promote(all) {
    const { turn } = board();
    const signs = { q: "queen", r: "rook", b: "bishop", n: "knight" };
    const parts = all.map(({ promotion }, index) => `<g data-promotion="${promotion}"><rect class="light" x="${200 + 100 * index}" y="350" width="100" height="100"/><use class="piece ${turn === "w" ? "white" : "black"}" href="#${signs[promotion]}" x="${200 + 100 * index}" y="350" width="100" height="100"/></g>`);
    svg.insertAdjacentHTML("beforeend", `<g class="promotion"><rect class="cover" width="800" height="800"/>${parts.join("")}</g>`);
  }

  function take(square) {
    const all = movesTo(square);
    if (all.length === 0) return false;
    if (all.length === 1) finish(all[0]);
    else {
      promotions = all;
      promote(all);
    }
    return true;
  }

  function endDrag() {
    drag?.piece?.remove();
    drag?.origin?.removeAttribute("opacity");
    drag = null;
  }

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    if (promotions) {
      const wanted = event.target.closest("[data-promotion]")?.dataset.promotion;
      const move = promotions.find((move) => move.promotion === wanted);
      promotions = null;
      if (move) finish(move);
      else choose(null);
      return;
    }
    const square = squareAt(event);
    if (square === undefined) return;
    if (chosen !== null && square !== chosen && take(square)) return;
    const { board: pieces, turn } = board();
    if (!rules.isOwn(pieces[square], turn) || from(square).length === 0) {
      if (chosen !== null) choose(null);
      return;
    }
    const again = chosen === square;
    choose(square);
    drag = { square, again };
    svg.setPointerCapture(event.pointerId);
  });

  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = point(event);
    if (!drag.piece) {
      if (squareAt(event) === drag.square) return;
      const [file, rank] = [drag.square % 8, drag.square >> 3];
      const corner = flipped() ? [100 * (7 - file), 100 * rank] : [100 * file, 100 * (7 - rank)];
      drag.origin = [...svg.querySelectorAll(".piece")].find((piece) => Number(piece.getAttribute("x")) === corner[0] && Number(piece.getAttribute("y")) === corner[1]);
      drag.piece = drag.origin.cloneNode();
      drag.piece.classList.add("dragged");
      drag.origin.setAttribute("opacity", ".35");
      svg.append(drag.piece);
    }
    drag.piece.setAttribute("x", x - 50);
    drag.piece.setAttribute("y", y - 50);
  });

  svg.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { square: origin, again, piece } = drag;
    endDrag();
    const square = squareAt(event);
    if (piece && square !== origin) {
      if (square === undefined || !take(square)) choose(null);
    } else if (again) choose(null);
  });
  svg.addEventListener("pointercancel", endDrag);

  return {
    targets: () => chosen === null ? [] : from(chosen).map((move) => rules.name(move.to)),
    chosen: () => chosen === null ? [] : [rules.name(chosen)],
    forget: () => { chosen = null; promotions = null; },
  };
}
