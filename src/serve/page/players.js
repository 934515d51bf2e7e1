/** Names, clocks and captured pieces above and below the board. */

const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };
/** The clock warns below this time in milliseconds. */
const LOW_TIME = 20000;
let isWarned = false;

/**
 * Returns the kinds of the pieces that a side has captured since the start, and its lead in material in
 * pawns. A pawn that was promoted is not captured.
 */
function capturedBy(side, start, fen) {
  const [before, now] = [start, fen].map(readPlacement);
  const count = (board, kind, colour) => board.filter((sign) => sign === (colour === "white" ? kind.toUpperCase() : kind)).length;
  const other = side === "white" ? "black" : "white";
  const missing = Object.fromEntries(Object.keys(VALUES).map((kind) => [kind, count(before, kind, other) - count(now, kind, other)]));
  for (const kind of "qrbn") missing.p -= Math.max(0, -missing[kind]);
  const lead = Object.entries(VALUES).reduce((sum, [kind, value]) => sum + value * (count(now, kind, side) - count(now, kind, other)), 0);
  return { kinds: Object.keys(VALUES).flatMap((kind) => new Array(Math.max(0, missing[kind])).fill(kind)), lead };
}

/** Returns the name of a side's player on the current tab. */
function nameOf(side) {
  if (shownTab() === "play") return play.game?.names[side === "white" ? 0 : 1] ?? "";
  const [index, colour] = side === "white" ? [0, "White"] : [1, "Black"];
  if (shownTab() === "games") return saved.current?.names[index] ?? colour;
  if (shownTab() === "review") return review.view?.names[index] ?? colour;
  const tag = shownTab() === "analyse" && study.tags.find(([name]) => name === colour);
  return tag && tag[1] !== "?" ? tag[1] : colour;
}

/** Returns the rows above and below the board with their sides. */
function playerRows() {
  const sides = squares.flipped ? ["white", "black"] : ["black", "white"];
  return ["above", "below"].map((id, index) => [find(id), sides[index]]);
}

function drawPlayers() {
  const start = { play: play.game?.start.fen, analyse: study.root.fen, review: review.view?.position.fen }[shownTab()];
  for (const [row, side] of playerRows()) {
    row.querySelector(".man").className = `man of-${side}`;
    row.querySelector("b").textContent = nameOf(side);
    drawCaptured(row.querySelector(".captured"), start ? capturedBy(side, start, squares.board.view.fen) : { kinds: [], lead: 0 }, side);
  }
  drawClocks();
}

function drawCaptured(place, { kinds, lead }, side) {
  const words = kinds.map((kind) => KINDS[kind]).join(", ");
  const label = [words && `captured: ${words}`, lead > 0 && `ahead by ${lead}`].filter(Boolean).join("; ");
  if (place.title === label) return;
  place.title = label;
  const colour = side === "white" ? "black" : "white";
  place.innerHTML = kinds.map((kind) => `<svg class="board" viewBox="14 10 72 82" aria-hidden="true"><use class="piece ${colour}" href="#${KINDS[kind]}" width="100" height="100"/></svg>`).join("");
  place.append(lead > 0 ? `+${lead}` : "");
}

function drawClocks() {
  const clock = shownTab() === "play" ? play.game?.clock : null;
  const noted = shownTab() === "review" ? review.shown?.clocks : null;
  for (const [row, side] of playerRows()) {
    const display = row.querySelector(".clock");
    const isRunning = clock?.running === side;
    const left = clock ? Math.max(0, clock[side] - (isRunning ? performance.now() - play.receivedAt : 0)) : null;
    display.classList.toggle("running", isRunning);
    const { text, trouble } = noted?.[side === "white" ? 0 : 1] ?? {};
    display.classList.toggle("low", trouble ?? (left !== null && left < LOW_TIME));
    display.textContent = text ?? (clock ? clockText(left) : "");
  }
  warnOfTime();
}

/** Sounds once when the player's own time runs low. */
function warnOfTime() {
  const { game } = play;
  if (game?.clock?.running !== game?.person) return;
  const isLow = Boolean(game?.clock) && game.clock[game.person] - (performance.now() - play.receivedAt) < LOW_TIME;
  if (isLow && !isWarned) playSound("low");
  isWarned = isLow;
}

function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const tenths = milliseconds < LOW_TIME ? `.${Math.floor(milliseconds / 100) % 10}` : "";
  const hours = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : "";
  return `${hours}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${tenths}`;
}

setInterval(drawClocks, 100);
