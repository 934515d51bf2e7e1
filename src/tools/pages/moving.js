import { around, make } from "./common.js";
import { KINDS, colourOf, drawBoard, pieceOn, pieceSvg, placePiece } from "./board.js";
import { rules } from "./rules.js";
/** @import { Board, Drag, Mark, Marks, Move, Position, View } from "./types.js" */

/** A drag starts when the pointer has moved by this many pixels. */
const DRAG_DISTANCE = 5;
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
export const EMPTY_FEN = "8/8/8/8/8/8/8/8 w - - 0 1";
/** @type {Marks} */
const NO_MARKS = { arrows: [], circles: [] };

/** Returns the colour of a mark drawn with the right button: red with Shift or Ctrl, blue with Alt. @param {PointerEvent} event */
const colourOfMark = ({ shiftKey, ctrlKey, altKey }) => (shiftKey || ctrlKey ? altKey ? "yellow" : "red" : altKey ? "blue" : "green");

/** Adds a mark in place of one of another colour, or removes it if it is there already. @param {Mark[]} all @param {Mark} mark */
function toggleMark(all, mark) {
  const rest = all.filter((other) => other.slice(0, -1).join() !== mark.slice(0, -1).join());
  return all.some((other) => other.join() === mark.join()) ? rest : [...rest, mark];
}

/** Returns the moves between two squares. Moving the king onto its rook also castles. @param {Move[]} moves @param {number} from @param {number} to */
function movesBetween(moves, from, to) {
  const all = moves.filter((move) => move.from === from);
  const direct = all.filter((move) => move.to === to && move.rook === undefined);
  return direct.length > 0 ? direct : all.filter((move) => move.rook !== undefined && (move.to === to || move.rook === to)).slice(0, 1);
}

/** Asks for the piece to promote to. Resolves to null if the dialog is cancelled. @param {Move[]} promotions @param {string} colour */
function choosePromotion(promotions, colour) {
  const dialog = make("dialog", { id: "promotion", "aria-label": "Promote to" });
  document.body.append(dialog);
  return /** @type {Promise<Move | null>} */ (new Promise((resolve) => {
    for (const move of promotions) {
      const kind = move.promotion ?? "";
      const button = make("button", { "aria-label": KINDS[kind], click: () => { resolve(move); dialog.close(); } });
      button.innerHTML = pieceSvg(kind, colour);
      dialog.append(button);
    }
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { dialog.remove(); resolve(null); });
    dialog.showModal();
  }));
}

/**
 * Makes a board on which pieces are moved by taps, drags and keys. `onMove(move, position)` gets each chosen
 * legal move and the position before it. The move is shown at once, until `show` is called with another position
 * or `restore` because the move is refused.
 * @param {Element} svg The picture; 64 buttons are put over it.
 * @param {(move: Move, position: Position) => void} onMove
 * @param {(marks: Marks) => void} [onMark] Gets the user's marks after a change.
 * @returns {Board}
 */
export function createBoard(svg, onMove, onMark = () => {}) {
  /** @type {View} */
  let view = { fen: EMPTY_FEN, movable: "" };
  let position = rules.read(EMPTY_FEN);
  /** @type {Move[]} */
  let legal = [];
  /** Position and squares after a move that is not confirmed yet. @type {{ position: Position, fen: string, moved: string[] } | null} */
  let preview = null;
  /** @type {number | null} */
  let chosen = null;
  /** @type {[from: number, to: number] | null} */
  let premove = null;
  /** @type {Drag | null} */
  let drag = null;
  let drawn = NO_MARKS;
  let focus = 12;

  const frame = make("div", { class: "board-frame" });
  const overlay = make("div", { class: "squares", id: "squares", role: "group", "aria-label": "Squares: arrow keys move the focus, Enter picks up and drops a piece" });
  svg.replaceWith(frame);
  frame.append(svg, overlay);
  const buttons = Array.from({ length: 64 }, (_, square) => make("button", {
    type: "button", tabindex: -1, "data-square": rules.name(square), keydown: (event) => moveFocus(/** @type {KeyboardEvent} */ (event), square),
  }));
  // In reading order, from a8 to h1.
  for (let row = 7; row >= 0; row -= 1) overlay.append(...buttons.slice(8 * row, 8 * row + 8));

  const current = () => preview?.position ?? position;
  const isTurn = () => !preview && (view.movable ?? "wb").includes(position.turn);
  const canPremove = () => view.premovable !== undefined && current().turn !== view.premovable;

  /** Returns the squares to which the piece on a square can be moved now or in advance. @param {number} square @returns {number[]} */
  function targetsOf(square) {
    if (view.onFreeMove) return current().board[square] ? buttons.map((_, at) => at).filter((at) => at !== square) : [];
    if (canPremove()) return rules.isOwn(current().board[square], view.premovable ?? "") ? rules.premoves(current(), square) : [];
    if (!isTurn()) return [];
    return legal.filter(({ from }) => from === square).flatMap(({ to, rook }) => rook === undefined ? [to] : [to, rook]).filter((to) => to !== square);
  }

  function draw() {
    const { moved, arrows = [], circles = [], flipped } = view;
    drawBoard(svg, {
      placement: preview?.fen ?? view.fen, moved: preview?.moved ?? moved, flipped,
      arrows: [...arrows, ...drawn.arrows], circles: [...circles, ...drawn.circles],
    });
    const { board, turn } = current();
    const check = rules.kingOf(board, turn) >= 0 && rules.isCheck(current()) ? rules.kingOf(board, turn) : null;
    const targets = new Set(chosen === null ? [] : targetsOf(chosen));
    buttons.forEach((button, square) => {
      const sign = board[square];
      button.style.order = String(flipped ? (square >> 3) * 8 + 7 - square % 8 : (7 - (square >> 3)) * 8 + square % 8);
      button.tabIndex = square === focus ? 0 : -1;
      /** Classes, and words for them. @type {Record<string, [boolean | undefined, string]>} */
      const marks = {
        selected: [chosen === square, "selected"], check: [check === square, "in check"], target: [targets.has(square), "possible move"],
        premove: [premove?.includes(square), "premove"], movable: [targetsOf(square).length > 0, ""], full: [sign !== "", ""],
      };
      const words = [rules.name(square), sign ? `${colourOf(sign)} ${KINDS[sign.toLowerCase()]}` : "empty"];
      for (const [name, [isOn, word]] of Object.entries(marks)) {
        button.classList.toggle(name, Boolean(isOn));
        if (isOn && word) words.push(word);
      }
      if (button.getAttribute("aria-label") !== words.join(", ")) button.setAttribute("aria-label", words.join(", "));
    });
  }

  /** @param {number | null} square */
  function choose(square) {
    chosen = square;
    draw();
  }

  /** @param {Move} move */
  function finish(move) {
    const before = position;
    const after = rules.play(position, move);
    preview = { position: after, fen: rules.fen(after), moved: [move.from, move.to].map(rules.name) };
    choose(null);
    onMove(move, before);
  }

  /** Makes the move to a square, with the chosen piece. Returns false if it cannot move there. @param {number} from @param {number} square */
  function moveTo(from, square) {
    if (!targetsOf(from).includes(square)) return false;
    if (view.onFreeMove) {
      chosen = null;
      view.onFreeMove({ from, to: square });
    } else if (canPremove()) {
      premove = [from, square];
      choose(null);
    } else {
      decide(movesBetween(legal, from, square));
    }
    return true;
  }

  /** Makes the only move, or asks which promotion is meant. @param {Move[]} moves */
  async function decide(moves) {
    const before = position;
    const move = moves.length > 1 ? await choosePromotion(moves, colourOf(position.board[moves[0].from])) : moves[0];
    if (move && before === position) finish(move);
    else choose(null);
  }

  /** Handles a tap on a square: makes a move, or changes the selection. @param {number} square */
  function press(square) {
    if (view.onPress) return view.onPress(square);
    if (chosen !== null && chosen !== square && moveTo(chosen, square)) return;
    if (premove && targetsOf(square).length === 0) premove = null;
    choose(chosen !== square && targetsOf(square).length > 0 ? square : null);
  }

  /** Returns the position of an event in units of the board, 0 to 800. @param {PointerEvent} event */
  function pointOf(event) {
    const box = overlay.getBoundingClientRect();
    return [800 * (event.clientX - box.left) / box.width, 800 * (event.clientY - box.top) / box.height];
  }

  /** @param {PointerEvent} event */
  function squareAt(event) {
    const [file, below] = pointOf(event).map((edge) => Math.floor(edge / 100));
    if (file < 0 || file > 7 || below < 0 || below > 7) return null;
    return view.flipped ? 7 - file + 8 * below : file + 8 * (7 - below);
  }

  /** @param {PointerEvent} event */
  function beginDrag(event) {
    const square = squareAt(event);
    if (square === null || drag) return;
    overlay.setPointerCapture(event.pointerId);
    if (event.button === 2) {
      drag = { square, isMark: true };
    } else if (event.button === 0) {
      if (!view.marks) drawn = NO_MARKS;
      const wasChosen = chosen === square;
      if (!wasChosen) press(square);
      drag = { square, wasChosen, isOwn: chosen === square, x: event.clientX, y: event.clientY };
    }
  }

  /** @param {PointerEvent} event */
  function moveDrag(event) {
    if (!drag?.isOwn) return;
    if (!drag.piece) {
      if (Math.hypot(event.clientX - (drag.x ?? 0), event.clientY - (drag.y ?? 0)) < DRAG_DISTANCE) return;
      drag.piece = pieceOn(svg, drag.square);
      if (!drag.piece) return;
      drag.origin = /** @type {SVGElement} */ (drag.piece.cloneNode());
      drag.origin.classList.add("faded");
      drag.piece.before(drag.origin);
      drag.piece.classList.add("dragged");
      drag.piece.parentNode?.append(drag.piece);
      frame.classList.add("dragging");
    }
    placePiece(drag.piece, pointOf(event).map((middle) => middle - 50));
  }

  function endDrag() {
    drag?.origin?.remove();
    drag?.piece?.classList.remove("dragged");
    frame.classList.remove("dragging");
    drag = null;
  }

  /** @param {PointerEvent} event */
  function drop(event) {
    if (!drag) return;
    const { square, isMark, wasChosen, isOwn, piece } = drag;
    const at = squareAt(event);
    endDrag();
    if (isMark && at !== null) {
      const squares = [...new Set([square, at])].map(rules.name);
      const kind = squares.length > 1 ? "arrows" : "circles";
      drawn = { ...drawn, [kind]: toggleMark(drawn[kind], [...squares, colourOfMark(event)]) };
      onMark(drawn);
    }
    if (piece && at !== square) {
      if (at !== null && chosen === square && moveTo(square, at)) return;
      chosen = null;
      if (at === null && view.onFreeMove) return view.onFreeMove({ from: square, to: null });
    } else if (isOwn && wasChosen && !piece) {
      chosen = null;
    }
    draw();
  }

  /** Moves the focus to the next square with an arrow key. @param {KeyboardEvent} event @param {number} square */
  function moveFocus(event, square) {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const [file, rank] = step.map((by, index) => Math.max(0, Math.min(7, [square % 8, square >> 3][index] + (view.flipped ? -by : by))));
    buttons[focus].tabIndex = -1;
    focus = file + 8 * rank;
    buttons[focus].tabIndex = 0;
    buttons[focus].focus();
  }

  overlay.addEventListener("pointerdown", beginDrag);
  overlay.addEventListener("pointermove", moveDrag);
  overlay.addEventListener("pointerup", drop);
  overlay.addEventListener("pointercancel", () => { endDrag(); draw(); });
  overlay.addEventListener("contextmenu", (event) => event.preventDefault());
  // The pointer leaves the focus alone, so that the arrow keys go on stepping through the moves.
  overlay.addEventListener("mousedown", (event) => { event.preventDefault(); /** @type {HTMLElement | null} */ (document.activeElement)?.blur(); });
  // Keys and assistive technology; the pointer is handled above.
  overlay.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (around(event, "button"));
    if (event.detail === 0 && button) press(buttons.indexOf(button));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || (chosen === null && !premove)) return;
    premove = null;
    endDrag();
    choose(null);
  });

  return {
    /** Shows a position. A premove is made if it is legal now. */
    show(next) {
      const isNew = next.fen !== view.fen || Boolean(next.onFreeMove) !== Boolean(view.onFreeMove);
      if (next.marks || view.marks || isNew) drawn = next.marks ?? NO_MARKS;
      view = next;
      if (isNew) {
        preview = null;
        position = rules.read(view.fen);
        legal = view.onFreeMove ? [] : rules.moves(position);
      }
      if (chosen !== null && targetsOf(chosen).length === 0) {
        chosen = null;
        endDrag();
      }
      if (premove && !canPremove()) {
        const [move] = isTurn() ? movesBetween(legal, ...premove) : [];
        premove = null;
        if (move) {
          draw();
          return finish(move);
        }
      }
      draw();
    },
    /** Takes back the move that was shown before it was confirmed, the selection and the premove. */
    restore() {
      preview = null;
      premove = null;
      choose(null);
    },
    /** Makes one of these moves, which differ only in the piece of a promotion. */
    decide,
    get view() { return view; },
  };
}
