import { readPlacement, squareNumber } from "./placement.js";
/** @import { Mark, Picture } from "./types.js" */
/** @typedef {{ sign: string, square: number, element: SVGElement }} Piece */
/** @typedef {{ layers: Record<string, SVGElement>, pieces: Piece[] }} Drawing */
/** @typedef {[x: number, y: number]} Corner */

/** @type {Record<string, string>} */
export const KINDS = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
/** Returns the colour of a piece. @param {string} sign */
export const colourOf = (sign) => sign === sign.toLowerCase() ? "black" : "white";

/** Returns a picture of a piece for `innerHTML`. @param {string} kind @param {string} colour */
export const pieceSvg = (kind, colour, viewBox = "0 0 100 100") =>
  `<svg class="board" viewBox="${viewBox}" aria-hidden="true"><use class="piece ${colour}" href="#${KINDS[kind]}" width="100" height="100"/></svg>`;

/** More pieces than castling moves are placed without a glide: the position is not that after a move. */
const MOST_GLIDING = 2;
const LAYERS = ["squares", "moved", "pieces", "labels", "marks"];
/** The layers and the pieces of each drawn board. @type {WeakMap<Element, Drawing>} */
const drawings = new WeakMap();

/** Returns the left and the top edge of a square in units of the board, 0 to 800. @param {number} square @param {boolean} flipped @returns {Corner} */
const cornerOf = (square, flipped) => flipped ? [100 * (7 - square % 8), 100 * (square >> 3)] : [100 * (square % 8), 100 * (7 - (square >> 3))];
/** @param {number} square */
const tintOf = (square) => (square % 8 + (square >> 3)) % 2 === 0 ? "on-dark" : "on-light";

/**
 * Finds where the pieces of a board stand in another placement, so that each keeps its element. Returns the
 * new square of each piece, or -1 if it is gone, and the squares of pieces that are new.
 * @param {{ sign: string, square: number }[]} pieces
 * @param {string[]} board
 */
export function followPieces(pieces, board) {
  const free = new Set(board.flatMap((sign, at) => sign ? [at] : []));
  const squares = pieces.map(({ sign, square }) => board[square] === sign && free.delete(square) ? square : -1);
  pieces.forEach(({ sign, square }, index) => {
    if (squares[index] >= 0) return;
    const distance = (/** @type {number} */ at) => Math.hypot(at % 8 - square % 8, (at >> 3) - (square >> 3));
    const [nearest] = [...free].filter((at) => board[at] === sign).sort((one, two) => distance(one) - distance(two));
    if (nearest === undefined) return;
    squares[index] = nearest;
    free.delete(nearest);
  });
  return { squares, added: [...free] };
}

/** @param {string} name @param {Record<string, string | number>} [attributes] */
function svgElement(name, attributes = {}) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {Element} svg */
function beginDrawing(svg) {
  const layers = Object.fromEntries(LAYERS.map((name) => [name, svgElement("g")]));
  svg.setAttribute("viewBox", "0 0 800 800");
  svg.replaceChildren(...Object.values(layers));
  const dark = Array.from({ length: 64 }, (_, square) => square).filter((square) => tintOf(square) === "on-dark");
  const path = dark.map((square) => `M${cornerOf(square, false).join(" ")}h100v100h-100z`).join("");
  layers.squares.innerHTML = `<rect class="light" width="800" height="800"/><path class="dark" d="${path}"/>`;
  /** @type {Drawing} */
  const drawing = { layers, pieces: [] };
  drawings.set(svg, drawing);
  return drawing;
}

/**
 * Moves the pieces to their squares; style.css lets them glide. A piece that is dragged stays at the pointer.
 * @param {Element} svg
 * @param {Drawing} drawing
 * @param {string[]} board
 * @param {boolean} flipped
 */
function drawPieces(svg, { layers, pieces }, board, flipped) {
  const { squares, added } = followPieces(pieces, board);
  let gliding = 0;
  const kept = pieces.filter((piece, index) => {
    if (squares[index] < 0) piece.element.remove();
    else if (squares[index] !== piece.square) gliding += 1;
    piece.square = squares[index];
    return piece.square >= 0;
  });
  for (const square of added) {
    const sign = board[square];
    const element = svgElement("use", { class: `piece ${colourOf(sign)}`, href: `#${KINDS[sign.toLowerCase()]}`, width: 100, height: 100 });
    kept.push({ sign, square, element });
    layers.pieces.append(element);
  }
  svg.classList.toggle("still", gliding > MOST_GLIDING);
  for (const { square, element } of kept) if (!element.classList.contains("dragged")) placePiece(element, cornerOf(square, flipped));
  return kept;
}

/** @param {SVGElement} element @param {number[]} corner */
export function placePiece(element, [x, y]) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** Returns the element of the piece on a square, if there is one. @param {Element} svg @param {number} square */
export const pieceOn = (svg, square) => drawings.get(svg)?.pieces.find((piece) => piece.square === square)?.element;

/** Returns the coordinates in the corners of the squares. @param {boolean} flipped */
function labels(flipped) {
  const label = (/** @type {number} */ square, /** @type {Corner} */ [x, y], /** @type {string} */ anchor, /** @type {string} */ text) => `<text class="label ${tintOf(square)}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((index) => {
    const [ofFile, ofRank] = flipped ? [56 + index, 7 + 8 * index] : [index, 8 * index];
    const [[fileX, fileY], [rankX, rankY]] = [cornerOf(ofFile, flipped), cornerOf(ofRank, flipped)];
    return label(ofFile, [fileX + 97, fileY + 96], "end", "abcdefgh"[index]) + label(ofRank, [rankX + 3, rankY + 22], "start", String(index + 1));
  }).join("");
}

/** @param {Mark[]} arrows @param {Mark[]} circles @param {boolean} flipped */
function drawMarks(arrows, circles, flipped) {
  const middle = (/** @type {string} */ name) => cornerOf(squareNumber(name), flipped).map((edge) => edge + 50);
  const arrow = (/** @type {Mark} */ [from, to, name]) => {
    const [[x0, y0], [x1, y1]] = [from, to].map(middle);
    const length = Math.hypot(x1 - x0, y1 - y0);
    const angle = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
    return `<path class="arrow ${name}" transform="translate(${x0} ${y0}) rotate(${angle.toFixed(2)})" d="M26 -9H${length - 42}V-26L${length - 4} 0L${length - 42} 26V9H26Z"/>`;
  };
  const circle = (/** @type {Mark} */ [square, name]) => `<circle class="circle ${name}" cx="${middle(square)[0]}" cy="${middle(square)[1]}" r="45"/>`;
  return arrows.map(arrow).join("") + circles.map(circle).join("");
}

/**
 * Draws a position. Pieces that were drawn before keep their elements and glide to their new squares.
 * @param {Element} svg
 * @param {Picture} picture
 */
export function drawBoard(svg, { placement, moved = [], arrows = [], circles = [], flipped = false }) {
  const drawing = drawings.get(svg) ?? beginDrawing(svg);
  const { layers } = drawing;
  layers.moved.innerHTML = moved.map(squareNumber).map((square) => {
    const [x, y] = cornerOf(square, flipped);
    return `<rect class="moved ${tintOf(square)}" x="${x}" y="${y}" width="100" height="100"/>`;
  }).join("");
  drawing.pieces = drawPieces(svg, drawing, readPlacement(placement), flipped);
  layers.labels.innerHTML = labels(flipped);
  layers.marks.innerHTML = drawMarks(arrows, circles, flipped);
}
