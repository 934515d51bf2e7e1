/** The position editor: on the board, pieces may be placed, moved anywhere and taken off. */

const NO_PIECES = new Array(64).fill("");
/** The edited position, the piece that a tap places ("" removes one, null moves pieces), and the tab to go back to. */
const editor = { board: NO_PIECES, piece: null, from: "analyse" };

/** Opens the editor with a position. */
function editPosition(fen) {
  editor.from = shownTab();
  setEdited(fen);
  showTab("edit");
}

/** Sets the pieces, the side to move and the castling rights from a FEN. */
function setEdited(fen) {
  const [, turn = "w", castling = "-"] = fen.split(" ");
  editor.board = readPlacement(fen);
  find("edit-turn").value = turn;
  for (const field of document.querySelectorAll("[name=castling]")) field.checked = castling.includes(field.value);
}

/** Shows a position that an address names. */
function openEdited(fen) {
  if (!fen || fen === editedFen()) return;
  setEdited(fen);
  drawEditor();
}

/** Returns the edited position as FEN. */
function editedFen() {
  const [placement] = rules.fen({ board: editor.board, turn: "w", rooks: [], enPassant: -1, half: 0, full: 1 }).split(" ");
  const castling = [...document.querySelectorAll("[name=castling]:checked")].map(({ value }) => value).join("");
  return `${placement} ${find("edit-turn").value} ${castling || "-"} - 0 1`;
}

function drawEditor() {
  showPosition({ fen: editedFen(), isFree: true, onPress: editor.piece === null ? undefined : placePieceOn });
  find("edit-fen").value = editedFen();
  for (const button of find("palette").children) button.setAttribute("aria-pressed", String(editor.piece) === button.dataset.piece);
  drawPlayers();
  showAddress();
}

/** Puts the chosen piece on a square; the same piece again removes it. */
function placePieceOn(square) {
  editor.board = editor.board.with(square, editor.board[square] === editor.piece ? "" : editor.piece);
  drawEditor();
}

/** Moves a piece to a square, or off the board if `to` is null. */
function movePiece({ from, to }) {
  const board = editor.board.with(from, "");
  editor.board = to === null ? board : board.with(to, editor.board[from]);
  drawEditor();
}

/** Has the server check the position, then calls `use` with its FEN. */
const useEdited = (use) => attempt(async () => {
  const fen = editedFen();
  await request("/api/position", { fen, chess960: true, moves: [] });
  await use(fen);
});

function choosePiece(piece) {
  editor.piece = piece;
  drawEditor();
}

for (const piece of [null, ..."KQRBNPkqrbnp", ""]) {
  const words = piece === null ? "Move pieces" : piece === "" ? "Remove pieces" : `Place a ${colourOf(piece)} ${KINDS[piece.toLowerCase()]}`;
  const button = make("button", { type: "button", "data-piece": String(piece), "aria-label": words, title: words }, [piece === null ? "↖" : piece === "" ? "✕" : ""]);
  if (piece) button.innerHTML = `<svg class="board" viewBox="0 0 100 100" aria-hidden="true"><use class="piece ${colourOf(piece)}" href="#${KINDS[piece.toLowerCase()]}" width="100" height="100"/></svg>`;
  button.addEventListener("click", () => choosePiece(piece));
  // A piece can also be dragged to a square.
  button.addEventListener("pointerup", ({ clientX, clientY }) => {
    const name = document.elementFromPoint(clientX, clientY)?.closest("[data-square]")?.dataset.square;
    if (!piece || !name) return;
    editor.board = editor.board.with(rules.square(name), piece);
    drawEditor();
  });
  button.addEventListener("pointerdown", ({ pointerId }) => button.setPointerCapture(pointerId));
  find("palette").append(button);
}
for (const field of [find("edit-turn"), ...document.querySelectorAll("[name=castling]")]) field.addEventListener("change", drawEditor);
find("edit-fen").addEventListener("change", () => attempt(async () => {
  const { position } = await request("/api/position", { fen: find("edit-fen").value.trim().replaceAll("_", " "), chess960: true, moves: [] });
  setEdited(position.fen);
  drawEditor();
}));
find("edit-start").addEventListener("click", () => { setEdited(START_FEN); drawEditor(); });
find("edit-clear").addEventListener("click", () => { setEdited("8/8/8/8/8/8/8/8 w - - 0 1"); drawEditor(); });
find("edit-cancel").addEventListener("click", () => showTab(editor.from));
find("edit-analyse").addEventListener("click", () => useEdited(async (fen) => { showTab("analyse"); await readStudy(fen); }));
find("edit-play").addEventListener("click", () => useEdited(async (fen) => {
  find("fen").value = fen;
  find("setup").querySelector("[name=start][value=fen]").checked = true;
  showTab("play");
  find("new-game").open = true;
  find("setup").scrollIntoView({ block: "nearest" });
}));
find("study-edit").addEventListener("click", () => editPosition(study.node.fen));
find("setup-edit").addEventListener("click", () => editPosition(find("fen").value.trim() || START_FEN));
