/** The game as sent by the server, the shown ply, and the time at which its clocks were received. */
const play = { game: null, shown: 0, receivedAt: 0, wasRunning: null };

/** Runs an action and shows its error, if any. Resolves to false after an error. */
async function attempt(action) {
  showError("");
  try {
    await action();
    return true;
  } catch (error) {
    showError(error.message);
    return false;
  }
}

/** Sends an action of the game. */
const act = (path, body) => attempt(() => ask(`game${path}`, body));

function showError(text) {
  find("message").textContent = text;
}

/** Handles a game event. */
function onGame(game) {
  // The tab has left this game.
  if (!ownGame) return;
  const before = play.game;
  const isSame = before && before.start.fen === game.start.fen && before.person === game.person;
  const wasAtEnd = !before || play.shown >= before.plies.length;
  play.game = game;
  play.receivedAt = performance.now();
  if (!isSame) turnBoard("play", game.person === "black");
  if (!isSame || wasAtEnd || play.shown > game.plies.length) play.shown = game.plies.length;
  announce(before, game);
  playSound(soundOfChange(before, game));
  if (!keepGame(game.kept) && !before) showError("The browser does not store this game. It is lost when you close the page.");
  drawTitle();
  if (shownTab() === "play") drawPlay();
}

/** Announces the engine's move, the end of the game, notices and hints to screen readers. */
function announce(before, game) {
  const last = game.plies.at(-1);
  const isNew = game.plies.length > (before?.plies.length ?? Infinity);
  const words = [];
  if (isNew && last && (game.position.turn === game.person || game.ending)) words.push(`${last.number} ${spokenMove(last.san)}`);
  if (game.ending && !before?.ending) words.push(game.ending.text);
  if (game.notice && game.notice !== before?.notice) words.push(game.notice);
  if (game.hint && !before?.hint) words.push(`Hint: ${spokenMove(game.hint.san)}`);
  if (words.length > 0) speak(words.join(". "));
}

function drawPlay() {
  const { game } = play;
  drawControls();
  const isRunning = Boolean(game) && !game.ending;
  find("panel-play").classList.toggle("idle", !isRunning);
  find("panel-play").classList.toggle("fresh", !game);
  // The form is folded once a game begins, and unfolded when it is over.
  if (isRunning !== play.wasRunning) find("new-game").open = !isRunning;
  play.wasRunning = isRunning;
  drawTitle();
  drawEnding();
  if (!game) {
    showPosition({ fen: START_FEN });
    find("play-status").textContent = "Choose the settings below and start a game.";
    return drawPlayers();
  }
  const atEnd = play.shown === game.plies.length;
  const ply = game.plies[play.shown - 1];
  const side = atEnd && isRunning ? game.person[0] : undefined;
  const hint = atEnd && game.hint ? [[...game.hint.squares, "good"]] : [];
  showPosition({
    fen: ply?.fen ?? game.start.fen, moved: ply?.squares, arrows: hint,
    movable: side ?? "", premovable: side,
  });
  find("play-opening").textContent = openingOf(game.plies.slice(0, play.shown));
  listMoves(find("play-moves"), game.plies, play.shown, (wanted) => showPly(wanted));
  find("play-status").textContent = statusOf(game);
  drawPlayers();
}

/** Returns the result of a game that is over from the player's side. */
function outcomeOf({ ending, person }) {
  if (ending.result === "1/2-1/2") return "Draw";
  return (ending.result === "1-0") === (person === "white") ? "You won" : "You lost";
}

const resultText = ({ result }) => result.replaceAll("1/2", "½").replace("-", "–");

/** Draws the card with the result and what can be done next. */
function drawEnding() {
  const ending = play.game?.ending;
  find("ending").hidden = !ending;
  find("status").hidden = Boolean(ending);
  if (!ending) return;
  find("outcome").textContent = `${outcomeOf(play.game)} ${resultText(ending)}`;
  find("reason").textContent = `${ending.text}.`;
}

/** Says in the title of the window whose turn it is. */
function drawTitle() {
  const { game } = play;
  const turn = () => game.position.turn === game.person ? "Your move" : "Thinking";
  document.title = game ? `${game.ending ? outcomeOf(game) : turn()} – Outrider` : "Outrider";
}

function statusOf(game) {
  if (game.ending) return "";
  const notice = game.notice ? `${game.notice} ` : "";
  const hint = game.hint ? ` Hint: ${game.hint.san}.` : "";
  if (game.waiting) return `${notice}Outrider is waiting for a free search thread.`;
  if (game.thinking) return `${notice}Outrider is thinking.`;
  if (game.position.turn !== game.person) return notice;
  return `${notice}Your move. You play ${game.person === "white" ? "White" : "Black"}.${hint}`;
}

function showPly(wanted) {
  play.shown = Math.max(0, Math.min(play.game?.plies.length ?? 0, wanted));
  drawPlay();
}

function drawControls() {
  const { game } = play;
  const isOver = !game || game.ending !== null;
  const isMine = !isOver && game.position.turn === game.person;
  const hasMoved = game?.plies.some((_, index) => (index % 2 === 0) === (game.start.fen.split(" ")[1] === game.person[0]));
  find("take-back").disabled = !hasMoved;
  find("hint").disabled = !isMine;
  find("offer-draw").disabled = isOver;
  find("resign").disabled = isOver;
  find("copy-pgn").disabled = !game;
  drawSteps(play.shown, game?.plies.length ?? 0);
}

function drawSteps(at, last) {
  ["first", "back"].forEach((id) => { find(id).disabled = at === 0; });
  ["forward", "last"].forEach((id) => { find(id).disabled = at >= last; });
}

/** Plays a move from the board or the text field. */
function playMove(text) {
  play.shown = play.game?.plies.length ?? 0;
  return act("/move", { move: text });
}

find("take-back").addEventListener("click", () => {
  squares.board.restore();
  act("/take-back");
});
find("hint").addEventListener("click", () => act("/hint"));
find("offer-draw").addEventListener("click", () => act("/draw"));
find("resign").addEventListener("click", () => {
  if (confirm("Resign this game?")) act("/resign");
});

/** Fetches the game as PGN. */
const gamePgn = () => request(`/api/clients/${server.id}/game/pgn`, undefined, { method: "GET" });

for (const id of ["copy-pgn", "copy-ended"]) copies(find(id), gamePgn);
find("download-pgn").addEventListener("click", () => attempt(async () => saveFile("game.pgn", await gamePgn(), "application/x-chess-pgn")));
onEvent("game", onGame);
