// Accessible boards: typed moves, and descriptions of positions for screen readers.

/** Describes the pieces of a position: "White: king e1, pawn e2. Black: king e8". */
function piecesInWords(fen) {
  const kinds = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const { board } = rules.read(fen);
  const standing = (turn) => Object.keys(kinds).flatMap((kind) => board.flatMap((piece, at) =>
    rules.isOwn(piece, turn) && piece.toLowerCase() === kind ? [kinds[kind] + " " + rules.name(at)] : [])).join(", ");
  return "White: " + (standing("w") || "nothing") + ". Black: " + (standing("b") || "nothing");
}

/** Returns the names of a move: SAN, and its squares; for castling also the squares of king and rook. */
function namesOfMove(position, move) {
  const ends = [move.to, move.rook].filter((end) => end !== undefined);
  return [rules.san(position, move), ...ends.map((end) => rules.name(move.from) + rules.name(end) + (move.promotion ?? ""))];
}

/** Finds the move that a text means. Accepts many forms: "Nf3", "nf3", "exd6", "ed6", "0-0", "e7e8q". */
function findTypedMove(position, text) {
  const plain = (name) => name.replace(/[-+#=x:!?\s]/g, "").replaceAll("0", "O");
  const moves = rules.moves(position);
  const meant = (read) => moves.find((move) => namesOfMove(position, move).some((name) => read(name) === read(text)));
  // The exact case has priority: "bc3" is a move of a pawn rather than of a bishop.
  return meant(plain) ?? meant((name) => plain(name).toLowerCase());
}

/** Accepts typed moves, as `enableMoving` accepts moves on a board. */
function enableTyping({ position, moved }) {
  const field = find("move-text");
  const refuse = (words) => { find("refused").textContent = words; };
  find("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const before = rules.read(position());
    const move = findTypedMove(before, field.value);
    refuse(move ? "" : `"${field.value}" is not a legal move here`);
    if (!move) return;
    field.value = "";
    moved(move, before);
  });
  field.addEventListener("blur", () => refuse(""));
}

/** Returns whether a key was pressed in a field. */
const isTyping = (event) => Boolean(event.target.closest("input[type=text], select"));
