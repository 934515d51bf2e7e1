/** The board of the page. `flipped` is the orientation of the current tab. */
const squares = {
  flipped: false,
  board: createBoard(find("board"), (move, position) => squares.board.view.isFree ? movePiece(move) : makeMove(rules.san(position, move), move, position), (marks) => squares.onMark(marks)),
  /**
   * Called with each move in short algebraic notation and, if it is legal, the move and the position of the rules.
   * Resolves to false if the move is refused.
   */
  onMove: async () => false,
  /** Called with the arrows and circles of the user after a change. */
  onMark: () => {},
};

/** Shows a position, `View` of the module moving.js. */
function showPosition(view) {
  squares.board.show({ movable: "", ...view, flipped: squares.flipped });
}

async function makeMove(san, move, position) {
  if (move) playSound(soundOf(san));
  if (!await squares.onMove(san, move, position)) squares.board.restore();
}

/** Makes a typed move. The server explains why a move that is not legal is refused. */
function typeMove(text) {
  const { fen, movable = "wb" } = squares.board.view;
  const position = rules.read(fen);
  const moves = movable.includes(position.turn) ? findTypedMoves(position, text) : [];
  if (moves.length > 0) squares.board.decide(moves);
  else makeMove(text);
}

function flipBoard(flipped = !squares.flipped) {
  squares.flipped = flipped;
  find("chances").classList.toggle("flipped", flipped);
  squares.board.show({ ...squares.board.view, flipped });
}
