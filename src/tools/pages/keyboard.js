import { KINDS } from "./board.js";
import { find, findField } from "./common.js";
import { readPlacement } from "./placement.js";
import { rules } from "./rules.js";
/** @import { Move, Position } from "./types.js" */

// Accessible boards: typed moves, and descriptions of positions for screen readers.

/** Describes the pieces of a position: "White: king e1, pawn e2. Black: king e8". @param {string} fen */
export function piecesInWords(fen) {
  const board = readPlacement(fen);
  const standing = (/** @type {string} */ turn) => Object.keys(KINDS).reverse().flatMap((kind) => board.flatMap((piece, at) =>
    rules.isOwn(piece, turn) && piece.toLowerCase() === kind ? [KINDS[kind] + " " + rules.name(at)] : [])).join(", ");
  return "White: " + (standing("w") || "nothing") + ". Black: " + (standing("b") || "nothing");
}

/** Returns the names of a move: SAN, and its squares; for castling also the squares of king and rook. @param {Position} position @param {Move} move */
function namesOfMove(position, move) {
  const ends = [move.to, move.rook].filter((end) => end !== undefined);
  return [rules.san(position, move), ...ends.map((end) => rules.name(move.from) + rules.name(end) + (move.promotion ?? ""))];
}

/**
 * Finds the moves that a text means. Accepts many forms: "Nf3", "nf3", "exd6", "ed6", "0-0", "e7e8q". There are
 * several if the text does not name the piece of a promotion.
 * @param {Position} position
 * @param {string} text
 */
export function findTypedMoves(position, text) {
  const plain = (/** @type {string} */ name) => name.replace(/[-+#=x:!?\s]/g, "").replaceAll("0", "O");
  const lower = (/** @type {string} */ name) => plain(name).toLowerCase();
  const moves = rules.moves(position);
  const meant = (/** @type {(name: string) => string} */ read, /** @type {(move: Move) => string[]} */ names) => moves.filter((move) => names(move).some((name) => read(name) === read(text)));
  const full = (/** @type {Move} */ move) => namesOfMove(position, move);
  const withoutPiece = (/** @type {Move} */ move) => move.promotion ? full(move).map((name) => name.replace(/=?[qrbn][+#]?$/i, "")) : [];
  // The exact case has priority: "bc3" is a move of a pawn rather than of a bishop.
  for (const read of [plain, lower]) {
    const [move] = meant(read, full);
    if (move) return [move];
    const promotions = meant(read, withoutPiece);
    if (promotions.length > 0) return promotions.filter(({ from }) => from === promotions[0].from);
  }
  return [];
}

/**
 * Takes typed moves: `position()` returns the FEN, and `decide(moves)` gets the moves that a text means.
 * @param {{ position: () => string, decide: (moves: Move[]) => void }} listeners
 */
export function enableTyping({ position, decide }) {
  const field = findField("move-text");
  const refuse = (/** @type {string} */ words) => { find("refused").textContent = words; };
  find("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const moves = findTypedMoves(rules.read(position()), field.value);
    refuse(moves.length > 0 ? "" : `"${field.value}" is not a legal move here`);
    if (moves.length === 0) return;
    field.value = "";
    decide(moves);
  });
  field.addEventListener("blur", () => refuse(""));
}
