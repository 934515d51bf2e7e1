/** The form for a new game, and the games that it starts. */

/** Names of the measured levels, and what they mean. The numbers are from benches/record/levels.md. */
const LEVELS = [
  [450, "Newcomer", "Looks 1 half-move ahead; 30 of 100 moves lose a pawn or more."],
  [750, "Beginner", "Looks 1 or 2 half-moves ahead; 22 of 100 moves lose a pawn or more."],
  [1100, "Casual player", "Looks 2 or 3 half-moves ahead; 17 of 100 moves lose a pawn or more."],
  [1350, "Regular player", "Looks 4 half-moves ahead; 12 of 100 moves lose a pawn or more."],
  [1600, "Club player", "Looks 5 or 6 half-moves ahead; 9 of 100 moves lose a pawn or more."],
  [1850, "Strong club player", "Looks 7 half-moves ahead; 6 of 100 moves lose a pawn or more."],
  [2150, "Expert", "Looks 10 half-moves ahead; 4 of 100 moves lose a pawn or more."],
  [2350, "Master", "Looks 14 half-moves ahead; 4 of 100 moves lose a pawn or more."],
  [2700, "Grandmaster", "Looks up to 24 half-moves ahead; 2 of 100 moves lose a pawn or more."],
];

/** Returns the level that is nearest to a strength: [elo, name, meaning]. */
const levelOf = (elo) => LEVELS.toSorted((one, two) => Math.abs(one[0] - elo) - Math.abs(two[0] - elo))[0];

/** Returns the request for a new game from the form. */
function newGameRequest() {
  const form = new FormData(find("setup"));
  const number = find("number").value === "" ? null : Number(find("number").value);
  const starts = { standard: "standard", chess960: { chess960: number }, fen: { fen: find("fen").value.trim() } };
  return {
    side: form.get("side"),
    elo: find("full").checked ? null : Number(find("elo").value),
    clock: find("timed").checked ? { minutes: Number(find("minutes").value), increment: Number(find("increment").value) } : null,
    start: starts[form.get("start")],
  };
}

/** Starts a game. A game that is not over is left only after a question. Resolves to true if it was started. */
async function startGame(wanted) {
  const isRunning = play.game && !play.game.ending && play.game.plies.length > 0;
  if (isRunning && !confirm("Your game is not over. It stays in My games. Start a new one?")) return false;
  const before = { game: play.game, own: ownGame };
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  squares.board.restore();
  startOwnGame();
  play.game = null;
  const isStarted = await attempt(() => ask("game", { ...wanted, date }));
  if (!isStarted) {
    if (!play.game) restorePrevious(before);
    return false;
  }
  saveSettings({ lastGame: wanted });
  // A game without a move was not played.
  if (before.own && before.game?.plies.length === 0) deleteGame(before.own);
  scrollTo(0, 0);
  return true;
}

/** Continues the previous game after a new one was refused. */
function restorePrevious({ game, own }) {
  play.game = game;
  if (own) setOwnGame(own);
  if (shownTab() === "play") drawPlay();
}

/** Starts a game like the last one, from either side. */
function rematch(changesSides) {
  const { person, elo, start } = play.game;
  const like = settings.lastGame ?? { side: person, elo, clock: null, start: start.chess960 ? { chess960: null } : { fen: start.fen } };
  const other = person === "white" ? "black" : "white";
  return startGame({ ...like, side: changesSides ? other : person });
}

function drawSetup() {
  const [elo, isFull] = [Number(find("elo").value), find("full").checked];
  const [, name, meaning] = isFull ? [null, "Full strength", "Plays as well as it can."] : levelOf(elo);
  find("elo").disabled = isFull;
  find("elo-shown").textContent = isFull ? "" : `Elo ${elo}`;
  find("level").textContent = `${name}. ${meaning}`;
  const clock = find("timed").checked ? `${find("minutes").value}+${find("increment").value}` : "none";
  for (const button of find("clocks").children) button.setAttribute("aria-pressed", button.dataset.clock === clock);
}

find("elo").min = data.levels[0];
find("elo").max = data.levels.at(-1);
find("elo").step = 10;
find("elo").value = data.levels[2];
find("levels").append(...data.levels.map((level) => make("option", { value: level }, [])));
for (const name of ["elo", "full", "timed", "minutes", "increment"]) rememberField(find(name), name);
for (const radio of find("setup").querySelectorAll("[name=side]")) {
  radio.checked = radio.value === settings.side;
  radio.addEventListener("change", () => saveSettings({ side: radio.value }));
}
find("clocks").addEventListener("click", ({ target }) => {
  const { clock } = target.closest("button")?.dataset ?? {};
  if (!clock) return;
  find("timed").checked = clock !== "none";
  if (clock !== "none") [find("minutes").value, find("increment").value] = clock.split("+");
  saveSettings({ timed: find("timed").checked, minutes: find("minutes").value, increment: find("increment").value });
  drawSetup();
});
["minutes", "increment"].forEach((id) => find(id).addEventListener("input", () => {
  find("timed").checked = true;
  saveSettings({ timed: true });
}));
["number", "fen"].forEach((id) => find(id).addEventListener("input", () => {
  const start = id === "number" ? "chess960" : "fen";
  find("setup").querySelector(`[name=start][value=${start}]`).checked = true;
}));
find("setup").addEventListener("input", drawSetup);
find("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  startGame(newGameRequest());
});
find("rematch").addEventListener("click", () => rematch(false));
find("change-sides").addEventListener("click", () => rematch(true));
drawSetup();
