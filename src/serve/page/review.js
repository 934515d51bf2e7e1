/**
 * The review of a game: its work, the server's view of it with a viewer, the position that the viewer shows, and
 * the ply to show first.
 * @type {{ work: object | null, view: object | null, viewer: object | null, shown: object | null, wanted: number }}
 */
const review = { work: null, view: null, viewer: null, shown: null, wanted: 0 };

const startReview = () => attempt(async () => {
  closeReview();
  review.wanted = 0;
  await ask("review", { pgn: find("review-text").value, game: 0, milliseconds: Number(find("review-time").value) });
});

/** Reviews a game at once. */
function reviewPgn(pgn) {
  openReview(pgn);
  showTab("review");
  return startReview();
}

/** Opens a file with the game to review. */
function openReview(text) {
  find("review-text").value = text;
  find("review-form").open = true;
}

/** State of work that a restarted server does not know. */
const LOST_WORK = { stage: "failed", error: "The server was restarted and has lost this work." };

/** Handles a work event. Its kind is null if the client has no work. */
function onWork(work) {
  const kinds = { review: onReview, suite: onSuite };
  if (work.kind) return kinds[work.kind]?.(work);
  if (BUSY.includes(review.work?.stage)) onReview({ ...review.work, ...LOST_WORK });
  if (BUSY.includes(suite.work?.stage)) drawProgress("suite", suite.work = { ...suite.work, ...LOST_WORK });
}

const BUSY = ["waiting", "running"];

function onReview(work) {
  const isNew = work.stage !== review.work?.stage;
  review.work = work;
  if (BUSY.includes(work.stage)) closeReview();
  if (isNew) find("review-form").open = !BUSY.includes(work.stage) && work.stage !== "done";
  drawProgress("review", work);
  if (work.games > 1) find("review-state").textContent += `, game 1 of ${work.games}`;
  find("review-progress").hidden = work.stage === "none" || (work.stage === "done" && work.games < 2);
  if (work.stage === "done" && !review.view) attempt(showReview);
}

/** Draws the progress of work as a bar and a text. */
function drawProgress(name, work) {
  const isBusy = BUSY.includes(work?.stage);
  find(`${name}-start`).disabled = isBusy;
  find(`${name}-stop`).disabled = !isBusy;
  find(`${name}-bar`).max = Math.max(1, work?.total ?? 1);
  find(`${name}-bar`).value = work?.done ?? 0;
  const words = {
    waiting: "waiting for a free search thread", running: `${work?.done} of ${work?.total} positions`,
    done: "done", stopped: "stopped", failed: work?.error,
  };
  find(`${name}-state`).textContent = words[work?.stage] ?? "";
  find(`${name}-page`).hidden = work?.stage !== "done";
  find(`${name}-page`).href = `/api/clients/${server.id}/${name}/page`;
}

function closeReview() {
  Object.assign(review, { view: null, viewer: null, shown: null });
  find("reviewed").hidden = true;
  if (shownTab() === "review") drawReview();
}

/** Fetches the finished review and shows it. The faults of the player of a game against the engine come first. */
async function showReview() {
  const view = await request(`/api/clients/${server.id}/review/view`, undefined, { method: "GET" });
  review.view = view;
  const root = make("div", { class: "viewer" }, []);
  root.innerHTML = view.game.text + view.game.overview;
  find("review-view").replaceChildren(root);
  find("review-title").textContent = view.game.title;
  find("review-occasion").textContent = view.game.occasion;
  find("review-pgn").href = `/api/clients/${server.id}/review/pgn`;
  find("reviewed").hidden = false;
  review.viewer = createViewer(view.game.data, { root, draw: showReviewed, judge: judgeAnswer });
  const player = view.names.indexOf("Player");
  find("fault-side").value = player < 0 ? "" : player;
  turnBoard("review", player === 1);
  visitFaults();
  review.viewer.show(review.wanted);
}

/** Shows a ply of the review, now or when it has been fetched. */
function showReviewPly(ply) {
  review.wanted = ply;
  review.viewer?.show(ply);
}

const visitFaults = () => review.viewer?.visit(find("fault-side").value === "" ? null : Number(find("fault-side").value));

/** Shows a position of the viewer. */
function showReviewed(shown) {
  review.shown = shown;
  if (shownTab() !== "review") return;
  drawReview();
  if (shown.isGame) showAddress();
}

function drawReview() {
  const { shown } = review;
  find("fault").disabled = !shown?.hasFault;
  drawSteps(Number(Boolean(shown) && !shown.isFirst), shown && !shown.isLast ? 2 : 0);
  showPosition(shown ? { fen: shown.fen, moved: shown.moved, arrows: shown.arrows, circles: shown.circles, movable: "wb" } : { fen: START_FEN });
  const chance = shown?.chance;
  drawChances(chance === undefined ? null : [chance, 0, 1 - chance], `White’s winning chance: ${Math.round(100 * chance)}%`);
  drawPlayers();
}

/** Plays a move in the viewer. Resolves to false if it is not shown: it is illegal, or a wrong answer. */
async function moveInReview(text, move, position) {
  if (!review.viewer || !move) {
    showError(review.viewer ? `“${text}” is not a legal move here.` : "There is no reviewed game yet.");
    return false;
  }
  showError("");
  const { fen } = review.shown;
  await review.viewer.tryMove(move, position);
  return review.shown?.fen !== fen;
}

const withArticle = (fault) => (fault.startsWith("i") ? "an " : "a ") + fault;

/** Has the server judge a move in a position of the game. */
async function judgeAnswer(ply, san) {
  const { fen, chess960, moves } = review.view.position;
  const position = { fen, chess960, moves: moves.slice(0, ply) };
  const answer = await ask("judge", { position, move: san, milliseconds: Number(find("review-time").value) });
  const text = verdictText(answer);
  speak(text);
  return { isGood: !answer.fault && !answer.missed, text };
}

/** Returns the text for a judged answer. */
function verdictText({ san, score, best, fault, missed, loss, reason, line }) {
  const words = [`${san} (White’s score: ${score}).`];
  if (best) words.push("That is the best move.");
  else if (!fault && missed) words.push(`That ${missed}.`, "Try again.");
  else if (!fault) words.push("That is a good move.");
  else words.push(`That is ${withArticle(fault)}: it costs ${loss}% of a point.`, reason ?? "", "Try again.");
  if (line) words.push(`Expected continuation: ${line}.`);
  return words.filter(Boolean).join(" ");
}

find("review-start").addEventListener("click", startReview);
find("review-stop").addEventListener("click", () => attempt(() => ask("work/stop")));
find("review-own").addEventListener("click", () => attempt(async () => { find("review-text").value = await gamePgn(); }));
find("review-ended").addEventListener("click", () => attempt(async () => reviewPgn(await gamePgn())));
find("review-analyse").addEventListener("click", () => attempt(async () => openGames(await request(find("review-pgn").getAttribute("href"), undefined, { method: "GET" }))));
acceptFiles(find("review-file"), openReview);
find("fault").addEventListener("click", () => review.viewer?.showNextFault());
find("fault-side").addEventListener("change", visitFaults);
onEvent("work", onWork);
