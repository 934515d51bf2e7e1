import { KINDS } from "./board.js";
import { readPlacement } from "./placement.js";
import { rules } from "./rules.js";

// Accessible boards: typed moves, and descriptions of positions for screen readers.

/** Describes the pieces of a position: "White: king e1, pawn e2. Black: king e8". */
export function piecesInWords(fen) {
  const board = readPlacement(fen);
  const standing = (turn) => Object.keys(KINDS).reverse().flatMap((kind) => board.flatMap((piece, at) =>
    rules.isOwn(piece, turn) && piece.toLowerCase() === kind ? [KINDS[kind] + " " + rules.name(at)] : [])).join(", ");
  return "White: " + (standing("w") || "nothing") + ". Black: " + (standing("b") || "nothing");
}

/** Returns the names of a move: SAN, and its squares; for castling also the squares of king and rook. */
function namesOfMove(position, move) {
  const ends = [move.to, move.rook].filter((end) => end !== undefined);
  return [rules.san(position, move), ...ends.map((end) => rules.name(move.from) + rules.name(end) + (move.promotion ?? ""))];
}

/**
 * Finds the moves that a text means. Accepts many forms: "Nf3", "nf3", "exd6", "ed6", "0-0", "e7e8q". There are
 * several if the text does not name the piece of a promotion.
 */
export function findTypedMoves(position, text) {
  const plain = (name) => name.replace(/[-+#=x:!?\s]/g, "").replaceAll("0", "O");
  const lower = (name) => plain(name).toLowerCase();
  const moves = rules.moves(position);
  const meant = (read, names) => moves.filter((move) => names(move).some((name) => read(name) === read(text)));
  const full = (move) => namesOfMove(position, move);
  const withoutPiece = (move) => move.promotion ? full(move).map((name) => name.replace(/=?[qrbn][+#]?$/i, "")) : [];
  // The exact case has priority: "bc3" is a move of a pawn rather than of a bishop.
  for (const [read, names] of [[plain, full], [plain, withoutPiece], [lower, full], [lower, withoutPiece]]) {
    const found = meant(read, names);
    if (found.length > 0) return names === full ? found.slice(0, 1) : found.filter(({ from }) => from === found[0].from);
  }
  return [];
}

/** Takes typed moves: `position()` returns the FEN, and `decide(moves)` gets the moves that a text means. */
export function enableTyping({ position, decide }) {
  const [form, field] = ["typed", "move-text"].map((id) => document.getElementById(id));
  const refuse = (words) => { document.getElementById("refused").textContent = words; };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const before = rules.read(position());
    const moves = findTypedMoves(before, field.value);
    refuse(moves.length > 0 ? "" : `"${field.value}" is not a legal move here`);
    if (moves.length === 0) return;
    field.value = "";
    decide(moves, before);
  });
  field.addEventListener("blur", () => refuse(""));
}

/** Returns whether a key was pressed in a field. */
export const isTyping = (event) => Boolean(event.target.closest("input[type=text], select"));
