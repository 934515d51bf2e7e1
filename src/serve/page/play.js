import { find, findButton, findDetails, keepFocus, onClick, saveFile } from "../../tools/pages/common.js";
import { START_FEN } from "../../tools/pages/rules.js";
import { drawExplorer } from "./explorer.js";
import { keepGame, ownGame } from "./kept.js";
import { attempt, copies, showError, speak } from "./messages.js";
import { drawSteps, listMoves, openingOf, spokenMove } from "./moves.js";
import { drawClocks, showPosition } from "./players.js";
import { ask, fetchOwn, onEvent } from "./requests.js";
import { playSound, soundOfChange } from "./sounds.js";
import { squares } from "./squares.js";
import { addTab, shownTab, turnTab } from "./tabs.js";
/** @import { Ending, GameView } from "./types.js" */

/** The clock warns below this time in milliseconds. */
const LOW_TIME = 20000;

/**
 * The game as sent by the server, the shown ply, and the time at which its clocks were received.
 * @type {{ game: GameView | null, shown: number, receivedAt: number, wasRunning: boolean | null, isWarned: boolean }}
 */
export const play = { game: null, shown: 0, receivedAt: 0, wasRunning: null, isWarned: false };

/** Sends an action of the game. @param {string} path @param {unknown} [body] */
const act = (path, body) => attempt(() => ask(`game${path}`, body));

/** Handles a game event. @param {GameView} game */
function onGame(game) {
  // The tab has left this game.
  if (!ownGame.id) return;
  const before = play.game;
  const isSame = before && before.start.fen === game.start.fen && before.person === game.person;
  const wasAtEnd = !before || play.shown >= before.plies.length;
  play.game = game;
  play.receivedAt = performance.now();
  if (!isSame) turnTab("play", game.person === "black");
  if (!isSame || wasAtEnd || play.shown > game.plies.length) play.shown = game.plies.length;
  announce(before, game);
  playSound(soundOfChange(before, game));
  if (!keepGame(game.kept) && !before) showError("The browser does not store this game. It is lost when you close the page.");
  drawTitle();
  if (shownTab() === "play") drawPlay();
}

/** Announces the engine's move, the end of the game, notices and hints to screen readers. @param {GameView | null} before @param {GameView} game */
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

export function drawPlay() {
  const { game } = play;
  drawControls();
  const isRunning = game !== null && !game.ending;
  find("panel-play").classList.toggle("idle", !isRunning);
  find("panel-play").classList.toggle("fresh", !game);
  // The form is folded once a game begins, and unfolded when it is over.
  if (isRunning !== play.wasRunning) findDetails("new-game").open = !isRunning;
  play.wasRunning = isRunning;
  drawTitle();
  drawEnding();
  keepFocus(game?.ending ? "rematch" : "play-moves");
  if (!game) {
    find("play-status").textContent = "Choose the settings below and start a game.";
    drawExplorer("play");
    return showPosition({ fen: START_FEN });
  }
  const atEnd = play.shown === game.plies.length;
  const ply = game.plies[play.shown - 1];
  const side = atEnd && isRunning ? game.person[0] : undefined;
  const hint = atEnd && game.hint ? [[...game.hint.squares, "good"]] : [];
  showPosition({
    fen: ply?.fen ?? game.start.fen, moved: ply?.squares, arrows: hint,
    movable: side ?? "", premovable: side,
  });
  find("play-opening").textContent = openingOf(game.plies.slice(0, play.shown)) || (game.start.number === null ? "" : `Chess960, position ${game.start.number}`);
  listMoves(find("play-moves"), game.plies, play.shown, showPly);
  find("play-status").textContent = statusOf(game);
  drawExplorer("play");
}

/** Returns the result of a game that is over from the player's side, in words and as a score. @param {Ending} ending @param {string} person */
export function outcomeOf({ result }, person) {
  const isWon = (result === "1-0") === (person === "white");
  return [result === "1/2-1/2" ? "Draw" : isWon ? "You won" : "You lost", result.replaceAll("1/2", "½").replace("-", "–")];
}

/** Draws the card with the result and what can be done next. */
function drawEnding() {
  const ending = play.game?.ending;
  find("ending").hidden = !ending;
  find("status").hidden = Boolean(ending);
  if (!play.game || !ending) return;
  find("outcome").textContent = outcomeOf(ending, play.game.person).join(" ");
  find("reason").textContent = `${ending.text}.`;
}

/** Says in the title of the window whose turn it is. */
function drawTitle() {
  const { game } = play;
  const [outcome] = game?.ending ? outcomeOf(game.ending, game.person) : [game?.position.turn === game?.person ? "Your move" : "Thinking"];
  document.title = game ? `${outcome} – Outrider` : "Outrider";
}

/** @param {GameView} game */
function statusOf(game) {
  if (game.ending) return "";
  const notice = game.notice ? `${game.notice} ` : "";
  const hint = game.hint ? ` Hint: ${game.hint.san}.` : "";
  if (game.waiting) return `${notice}Outrider is waiting for a free search thread.`;
  if (game.thinking) return `${notice}Outrider is thinking.`;
  if (game.position.turn !== game.person) return notice;
  return `${notice}Your move. You play ${game.person === "white" ? "White" : "Black"}.${hint}`;
}

/** @param {number} wanted */
function showPly(wanted) {
  play.shown = Math.max(0, Math.min(play.game?.plies.length ?? 0, wanted));
  drawPlay();
}

function drawControls() {
  const { game } = play;
  const isOver = !game || game.ending !== null;
  const hasMoved = game?.plies.some((_, index) => (index % 2 === 0) === (game.start.fen.split(" ")[1] === game.person[0]));
  const disabled = { "take-back": !hasMoved, hint: isOver || game.position.turn !== game.person, "offer-draw": isOver, resign: isOver, "copy-pgn": !game };
  for (const [id, isDisabled] of Object.entries(disabled)) findButton(id).disabled = isDisabled;
  drawSteps(play.shown, game?.plies.length ?? 0);
}

/** Plays a move from the board or the text field. @param {string} text */
function makeOwnMove(text) {
  play.shown = play.game?.plies.length ?? 0;
  return act("/move", { move: text });
}

/** Returns the time in milliseconds that a side has left, or null without a clock. @param {"white" | "black"} side */
function timeLeft(side) {
  const clock = play.game?.clock;
  return clock ? Math.max(0, clock[side] - (clock.running === side ? performance.now() - play.receivedAt : 0)) : null;
}

/** Sounds once when the player's own time runs low. */
function warnOfTime() {
  const { game } = play;
  if (!game?.clock || game.clock.running !== game.person) return;
  const isLow = (timeLeft(game.person) ?? LOW_TIME) < LOW_TIME;
  if (isLow && !play.isWarned) playSound("low");
  play.isWarned = isLow;
}

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const tenths = milliseconds < LOW_TIME ? `.${Math.floor(milliseconds / 100) % 10}` : "";
  const hours = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : "";
  return `${hours}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${tenths}`;
}

/** @param {"white" | "black"} side */
function clockFace(side) {
  const left = timeLeft(side);
  return { text: left === null ? "" : clockText(left), isRunning: play.game?.clock?.running === side, isLow: left !== null && left < LOW_TIME };
}

/** Fetches the game as PGN. @returns {Promise<string>} */
export const gamePgn = () => fetchOwn("game/pgn");

addTab("play", {
  draw: drawPlay,
  step: (by) => showPly(play.shown + by),
  end: (last) => showPly(last ? Infinity : 0),
  move: makeOwnMove,
  names: () => play.game?.names,
  start: () => play.game?.start.fen,
  clocks: () => [clockFace("white"), clockFace("black")],
});
onClick("take-back", () => {
  squares.board.restore();
  act("/take-back");
});
onClick("hint", () => act("/hint"));
onClick("offer-draw", () => act("/draw"));
onClick("resign", () => {
  if (confirm("Resign this game?")) act("/resign");
});
for (const id of ["copy-pgn", "copy-ended"]) copies(id, gamePgn);
onClick("download-pgn", () => attempt(async () => saveFile("game.pgn", await gamePgn(), "application/x-chess-pgn")));
onEvent("game", onGame);
setInterval(() => {
  drawClocks();
  warnOfTime();
}, 100);
