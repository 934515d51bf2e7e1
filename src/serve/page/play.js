/** The game as sent by the server, the shown ply, and the time at which its clocks were received. */
const play = { game: null, shown: 0, receivedAt: 0 };

/** Runs an action and shows its error, if any. */
async function attempt(action) {
  showError("");
  try {
    await action();
  } catch (error) {
    showError(error.message);
  }
}

/** Sends an action of the game. */
const act = (path, body) => attempt(() => ask(`game${path}`, body));

function showError(text) {
  find("message").textContent = text;
}

/** Handles a game event. */
function onGame(game) {
  const before = play.game;
  const isSame = before && before.start.fen === game.start.fen && before.person === game.person;
  const wasAtEnd = !before || play.shown >= before.plies.length;
  play.game = game;
  play.receivedAt = performance.now();
  if (!isSame) turnBoard("play", game.person === "black");
  if (!isSame || wasAtEnd || play.shown > game.plies.length) play.shown = game.plies.length;
  announce(before, game);
  keepGame(game.kept);
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
  find("panel-play").classList.toggle("idle", !game || game.ending !== null);
  find("panel-play").classList.toggle("fresh", !game);
  if (!game) {
    showPosition({ placement: START_BOARD, moves: NO_MOVES });
    find("play-status").textContent = "Choose the settings below and start a game.";
    return drawPlayers();
  }
  const atEnd = play.shown === game.plies.length;
  const ply = game.plies[play.shown - 1];
  const isMine = atEnd && !game.ending && game.position.turn === game.person;
  const hint = atEnd && game.hint ? [[...game.hint.squares, "good"]] : [];
  showPosition({
    placement: ply?.board ?? game.start.board,
    moved: ply?.squares ?? [],
    check: atEnd ? game.position.check : ply?.check,
    arrows: hint,
    moves: isMine ? game.position.moves : NO_MOVES,
  });
  listMoves(find("play-moves"), game.plies, play.shown, (wanted) => showPly(wanted));
  find("play-status").textContent = statusOf(game);
  drawPlayers();
}

/** Shared by all positions without moves, so that showPosition sees no change. */
const NO_MOVES = [];

function statusOf(game) {
  if (game.ending) return `${game.ending.text} (${game.ending.result}).`;
  const notice = game.notice ? `${game.notice} ` : "";
  const hint = game.hint ? ` Hint: ${game.hint.san}.` : "";
  if (game.waiting) return `${notice}Outrider is waiting for a free search thread.`;
  if (game.thinking) return `${notice}Outrider is thinking.`;
  if (game.position.turn !== game.person) return notice;
  return `${notice}Your move. You play ${game.person === "white" ? "White" : "Black"}.${hint}`;
}

/** Returns the name of a side's player on the current tab. */
function nameOf(side) {
  if (shownTab() === "play") return play.game?.names[side === "white" ? 0 : 1] ?? "";
  const colour = side === "white" ? "White" : "Black";
  const tag = shownTab() === "analyse" && study.tags.find(([name]) => name === colour);
  return tag && tag[1] !== "?" ? tag[1] : colour;
}

/** Returns the rows above and below the board with their sides. */
function playerRows() {
  const sides = squares.flipped ? ["white", "black"] : ["black", "white"];
  return ["above", "below"].map((id, index) => [find(id), sides[index]]);
}

/** Draws names and clocks above and below the board. */
function drawPlayers() {
  for (const [row, side] of playerRows()) {
    row.querySelector(".man").className = `man of-${side}`;
    row.querySelector("b").textContent = nameOf(side);
  }
  drawClocks();
}

function drawClocks() {
  const clock = shownTab() === "play" ? play.game?.clock : null;
  for (const [row, side] of playerRows()) {
    const display = row.querySelector(".clock");
    display.classList.toggle("running", clock?.running === side);
    const used = clock?.running === side ? performance.now() - play.receivedAt : 0;
    display.textContent = clock ? clockText(Math.max(0, clock[side] - used)) : "";
  }
}

function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const tenths = milliseconds < 20000 ? `.${Math.floor(milliseconds / 100) % 10}` : "";
  const hours = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : "";
  return `${hours}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${tenths}`;
}

setInterval(drawClocks, 100);

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
  act("/move", { move: text });
}

/** Returns the request for a new game from the form. */
function newGameRequest() {
  const form = new FormData(find("setup"));
  const kind = form.get("start");
  const number = find("number").value === "" ? null : Number(find("number").value);
  const starts = { standard: "standard", chess960: { chess960: number }, fen: { fen: find("fen").value.trim() } };
  const today = new Date();
  return {
    side: form.get("side"),
    elo: find("full").checked ? null : Number(find("elo").value),
    clock: find("timed").checked ? { minutes: Number(find("minutes").value), increment: Number(find("increment").value) } : null,
    start: starts[kind],
    date: [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("."),
  };
}

function drawStrength() {
  find("elo").disabled = find("full").checked;
  find("elo-shown").textContent = find("full").checked ? "" : `Elo ${find("elo").value}`;
}

const { levels } = data;
find("elo").min = levels[0];
find("elo").max = levels[levels.length - 1];
find("elo").step = 10;
find("elo").value = levels[2];
find("levels").append(...levels.map((level) => make("option", { value: level }, [])));
find("elo").addEventListener("input", drawStrength);
find("full").addEventListener("change", drawStrength);
drawStrength();

find("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  const before = { game: play.game, own: ownGame };
  startOwnGame();
  play.game = null;
  attempt(async () => {
    try {
      await ask("game", newGameRequest());
    } catch (error) {
      if (!play.game) restorePrevious(before);
      throw error;
    }
  });
});

/** Continues the previous game after a new one was refused. */
function restorePrevious({ game, own }) {
  play.game = game;
  if (own) setOwnGame(own);
  if (shownTab() === "play") drawPlay();
}
["number", "fen"].forEach((id) => find(id).addEventListener("input", () => {
  const start = id === "number" ? "chess960" : "fen";
  find("setup").querySelector(`[name=start][value=${start}]`).checked = true;
}));
["minutes", "increment"].forEach((id) => find(id).addEventListener("input", () => { find("timed").checked = true; }));
find("take-back").addEventListener("click", () => act("/take-back"));
find("hint").addEventListener("click", () => act("/hint"));
find("offer-draw").addEventListener("click", () => act("/draw"));
find("resign").addEventListener("click", () => {
  if (confirm("Resign this game?")) act("/resign");
});

/** Fetches the game as PGN. */
const gamePgn = () => request(`/api/clients/${server.id}/game/pgn`, undefined, { method: "GET" });

copies(find("copy-pgn"), gamePgn);
find("download-pgn").addEventListener("click", (event) => {
  const link = find("download-pgn");
  if (link.dataset.ready) return void delete link.dataset.ready;
  event.preventDefault();
  attempt(async () => {
    offerFile(link, await gamePgn(), "application/x-chess-pgn");
    link.dataset.ready = "yes";
    link.click();
  });
});
onEvent("game", onGame);
