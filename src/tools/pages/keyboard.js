/** Boards for those who use no pointer or do not see them: moves are typed, and what is shown is told. */

/** Where the pieces stand: "White: king e1, pawn e2. Black: king e8". */
function piecesInWords(fen) {
  const kinds = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const { board } = rules.read(fen);
  const standing = (turn) => Object.keys(kinds).flatMap((kind) => board.flatMap((piece, at) =>
    rules.isOwn(piece, turn) && piece.toLowerCase() === kind ? [kinds[kind] + " " + rules.name(at)] : [])).join(", ");
  return "White: " + (standing("w") || "nothing") + ". Black: " + (standing("b") || "nothing");
}

/** A move's name and its squares, which when castling are also those of king and rook. */
function namesOf(position, move) {
  const ends = [move.to, move.rook].filter((end) => end !== undefined);
  return [rules.san(position, move), ...ends.map((end) => rules.name(move.from) + rules.name(end) + (move.promotion ?? ""))];
}

/** The move that a text means, however exactly it is written: "Nf3", "nf3", "exd6", "ed6", "0-0", "e7e8q". */
function moveMeant(position, text) {
  const plain = (name) => name.replace(/[-+#=x:!?\s]/g, "").replaceAll("0", "O");
  const moves = rules.moves(position);
  const meant = (read) => moves.find((move) => namesOf(position, move).some((name) => read(name) === read(text)));
  // First as it is written: "bc3" is a pawn's move before it is a bishop's.
  return meant(plain) ?? meant((name) => plain(name).toLowerCase());
}

/** Takes moves that are typed, as `letMove` takes those on a board. */
function letType({ position, moved }) {
  const field = find("move-text");
  const refuse = (words) => { find("refused").textContent = words; };
  find("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const before = rules.read(position());
    const move = moveMeant(before, field.value);
    refuse(move ? "" : `"${field.value}" is not a legal move here`);
    if (!move) return;
    field.value = "";
    moved(move, before);
  });
  field.addEventListener("blur", () => refuse(""));
}

/** Whether the keys that are pressed belong to a field. */
const isTyping = (event) => Boolean(event.target.closest("input[type=text], select"));
