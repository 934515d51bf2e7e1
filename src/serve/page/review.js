import { find, findButton, findDetails, findField, findLink, keepFocus, make, onChange, onClick } from "../../tools/pages/common.js";
import { START_FEN, rules } from "../../tools/pages/rules.js";
import { createViewer } from "../../tools/pages/viewer.js";
import { addExplorer, drawExplorer } from "./explorer.js";
import { acceptFiles } from "./files.js";
import { attempt, showError, speak } from "./messages.js";
import { drawSteps } from "./moves.js";
import { fetchGame, listGames } from "./pgn_games.js";
import { gamePgn } from "./play.js";
import { showPosition } from "./players.js";
import { addPuzzles } from "./puzzles.js";
import { ask, fetchOwn, ownPath } from "./requests.js";
import { playFrom } from "./setup.js";
import { drawChances } from "./squares.js";
import { openGames } from "./study.js";
import { addTab, carryTo, showAddress, showTab, shownTab, turnTab } from "./tabs.js";
import { isBusy, onWork } from "./work.js";
/** @import { Shown } from "../../tools/pages/types.js" */
/** @import { Judgement, Move, Position, ReviewView, Work } from "./types.js" */

/**
 * The review of a game: its work, the server's view of it with a viewer, the position that the viewer shows, and
 * the ply to show first.
 * @type {{ work: Work | null, view: ReviewView | null, viewer: ReturnType<typeof createViewer> | null, shown: Shown | null, wanted: number }}
 */
export const review = { work: null, view: null, viewer: null, shown: null, wanted: 0 };

const reviewTime = () => Number(findField("review-time").value);

const startReview = () => attempt(async () => {
  closeReview();
  review.wanted = 0;
  await ask("review", { pgn: findField("review-text").value, game: Number(findField("review-games").value), milliseconds: reviewTime() });
});

/** Reviews a game at once. @param {string} pgn */
export function reviewPgn(pgn) {
  openReview(pgn);
  showTab("review");
  return startReview();
}

/** Opens a text with the game to review. @param {string} text */
function openReview(text) {
  findField("review-text").value = text;
  findDetails("review-form").open = true;
  return listTextGames();
}

/** The text whose games are listed. */
let listedText = "";

/** Lists the games of the text. */
async function listTextGames() {
  const text = findField("review-text").value;
  if (text === listedText) return;
  forgetTextGames();
  listedText = text;
  // The review says why a text cannot be read.
  const read = text.trim() ? await fetchGame(text).catch(() => null) : null;
  if (read && text === listedText) listGames("review-games", read.titles, read.game);
}

function forgetTextGames() {
  listedText = "";
  listGames("review-games", []);
}

onWork("review", (work) => {
  const isNew = work.stage !== review.work?.stage;
  review.work = work;
  if (isBusy(work)) closeReview();
  if (isNew) findDetails("review-form").open = !isBusy(work) && work.stage !== "done";
  if (work.games > 1) find("review-state").textContent += `, game ${work.game + 1} of ${work.games}`;
  find("review-progress").hidden = work.stage === "none" || (work.stage === "done" && work.games < 2);
  keepFocus(isBusy(work) ? "review-stop" : "panel-review");
  if (work.stage === "done" && !review.view) attempt(showReview);
});

function closeReview() {
  Object.assign(review, { view: null, viewer: null, shown: null });
  find("reviewed").hidden = true;
  if (shownTab() === "review") drawReview();
}

/** Fetches the finished review and shows it. The faults of the player of a game against the engine come first. */
async function showReview() {
  /** @type {ReviewView} */
  const view = await fetchOwn("review/view");
  review.view = view;
  addPuzzles(view.puzzles);
  const root = make("div", { class: "viewer" });
  root.innerHTML = view.game.text + view.game.overview;
  find("review-view").replaceChildren(root);
  find("review-title").textContent = view.game.title;
  find("review-occasion").textContent = view.game.occasion;
  findLink("review-pgn").href = ownPath("review/pgn");
  find("reviewed").hidden = false;
  review.viewer = createViewer(view.game.data, { root, draw: showReviewed, judge: judgeAnswer });
  const player = view.names.indexOf("Player");
  findField("fault-side").value = player < 0 ? "" : String(player);
  turnTab("review", player === 1);
  visitFaults();
  review.viewer.show(review.wanted);
}

function visitFaults() {
  const side = findField("fault-side").value;
  review.viewer?.visit(side === "" ? null : Number(side));
}

/** Shows a position of the viewer. @param {Shown} shown */
function showReviewed(shown) {
  review.shown = shown;
  if (shownTab() !== "review") return;
  drawReview();
  if (shown.isGame) showAddress();
}

function drawReview() {
  const { shown } = review;
  findButton("fault").disabled = !shown?.hasFault;
  drawSteps(shown && !shown.isFirst ? 1 : 0, shown && !shown.isLast ? 2 : 0);
  showPosition(shown ? { fen: shown.fen, moved: shown.moved, arrows: shown.arrows, circles: shown.circles, movable: "wb" } : { fen: START_FEN });
  const { chance } = shown ?? {};
  if (chance === undefined) drawChances();
  else drawChances([chance, 0, 1 - chance], `White’s winning chance: ${Math.round(100 * chance)} %`);
  drawExplorer("review");
}

/** Plays a move in the viewer. Resolves to false if it is not shown: it is illegal, or a wrong answer. @param {string} text @param {Move} [move] @param {Position} [position] */
async function moveInReview(text, move, position) {
  if (!review.viewer || !move || !position) {
    showError(review.viewer ? `“${text}” is not a legal move here.` : "There is no reviewed game yet.");
    return false;
  }
  showError("");
  const before = review.shown?.fen;
  await review.viewer.tryMove(move, position);
  return review.shown?.fen !== before;
}

addExplorer("review", {
  position: () => review.shown && review.view ? { fen: review.shown.fen, chess960: review.view.position.chess960, moves: [] } : null,
  play: (san) => {
    const position = rules.read(review.shown?.fen ?? START_FEN);
    return moveInReview(san, rules.moves(position).find((move) => rules.san(position, move) === san), position);
  },
});

/** @param {string} fault */
const withArticle = (fault) => (fault.startsWith("i") ? "an " : "a ") + fault;

/** Has the server judge a move in a position of the game. @param {number} ply @param {string} san */
async function judgeAnswer(ply, san) {
  const { moves = [], ...start } = review.view?.position ?? {};
  const position = { ...start, moves: moves.slice(0, ply) };
  /** @type {Judgement} */
  const answer = await ask("judge", { position, move: san, milliseconds: reviewTime() });
  const text = verdictText(answer);
  speak(text);
  return { isGood: !answer.fault && !answer.missed, text };
}

/** Returns the text for a judged answer. @param {Judgement} answer */
function verdictText({ san, score, best, fault, missed, loss, reason, line }) {
  const words = [`${san} (White’s score: ${score}).`];
  if (best) words.push("That is the best move.");
  else if (!fault && missed) words.push(`That ${missed}.`, "Try again.");
  else if (!fault) words.push("That is a good move.");
  else words.push(`That is ${withArticle(fault)}: it costs ${loss} % of a point.`, reason ?? "", "Try again.");
  if (line) words.push(`Expected continuation: ${line}.`);
  return words.filter(Boolean).join(" ");
}

addTab("review", {
  place: () => review.viewer?.ply ?? "",
  // The ply is shown now, or when the review has been fetched.
  open: (place) => {
    review.wanted = Number(place);
    review.viewer?.show(review.wanted);
  },
  draw: drawReview,
  step: (by) => review.viewer?.step(by),
  end: (last) => last ? review.viewer?.showLast() : review.viewer?.show(0),
  move: moveInReview,
  file: openReview,
  keys: { n: () => review.viewer?.showNextFault(), b: () => review.viewer?.ask(), s: () => review.viewer?.solve(), Escape: () => review.viewer?.leave() },
  names: () => review.view?.names,
  start: () => review.view?.position.fen,
  clocks: () => review.shown?.clocks.map(({ text, trouble }) => ({ text, isLow: trouble })),
});
onClick("review-start", startReview);
onClick("review-stop", () => attempt(() => ask("work/stop")));
onClick("review-own", () => attempt(async () => openReview(await gamePgn())));
find("review-text").addEventListener("input", forgetTextGames);
find("review-text").addEventListener("paste", () => setTimeout(listTextGames));
onChange("review-text", listTextGames);
onClick("review-ended", () => attempt(async () => reviewPgn(await gamePgn())));
onClick("review-analyse", () => attempt(async () => {
  const pgn = await fetchOwn("review/pgn");
  carryTo("analyse");
  return openGames(pgn);
}));
onClick("review-play", () => playFrom(review.shown?.fen ?? START_FEN));
acceptFiles("review-file", openReview);
onClick("fault", () => review.viewer?.showNextFault());
onChange("fault-side", visitFaults);
