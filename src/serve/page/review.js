/** Reviews of games, and exercises from their mistakes. `ticket` counts questions, to drop late answers. */
const review = { work: null, mistakes: [], index: -1, ticket: 0, answer: null, position: null };

const startReview = () => attempt(() => ask("review", {
  pgn: find("review-text").value, game: 0, milliseconds: Number(find("review-time").value),
}));

/** Reviews a game at once. */
function reviewPgn(pgn) {
  openReview(pgn);
  showTab("review");
  return startReview();
}

/** Opens a file with the game to review. */
function openReview(text) {
  find("review-text").value = text;
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

function onReview(work) {
  review.work = work;
  if (work.stage !== "done") review.index = -1;
  drawReview();
}

const withArticle = (fault) => (fault.startsWith("i") ? "an " : "a ") + fault;

const BUSY = ["waiting", "running"];

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

function drawReview() {
  const { work } = review;
  drawProgress("review", work);
  if (work?.games > 1) find("review-state").textContent += `, game 1 of ${work.games}`;
  const result = work?.stage === "done" ? work.result : null;
  find("review-pgn").hidden = !result;
  find("review-pgn").href = `/api/clients/${server.id}/review/pgn`;
  find("learn").hidden = !result;
  if (!result) return;
  const rows = result.players.filter(Boolean).map(({ name, accuracy, loss, faults, missed }) => {
    const cells = [`${accuracy.toFixed(1)}%`, loss.toFixed(0), ...faults, missed[0] + missed[1]];
    return make("tr", {}, [make("th", { scope: "row" }, [name]), ...cells.map((cell) => make("td", {}, [String(cell)]))]);
  });
  find("review-players").replaceChildren(...rows);
  const side = find("learn-side").value;
  review.mistakes = result.mistakes.filter((mistake) => side === "both" || mistake.side === side);
  if (review.index >= review.mistakes.length) review.index = -1;
  drawLearn();
}

/** Asks for a better move than the mistake with this index. */
async function askMistake(index) {
  const ticket = ++review.ticket;
  review.index = index;
  review.answer = null;
  const mistake = review.mistakes[index];
  if (!mistake) return drawLearn();
  try {
    const { position } = await request("/api/position", mistake.position);
    if (ticket !== review.ticket) return;
    review.position = position;
  } catch (error) {
    showError(error.message);
  }
  turnBoard("review", mistake.side === "black");
  drawLearn();
  speak(find("learn-question").textContent);
}

/** Has the server judge an answer from the board or the text field. */
async function answerMistake(text) {
  const mistake = review.mistakes[review.index];
  if (!mistake) {
    showError("Moves are answers to “Learn from mistakes”.");
    return false;
  }
  const { ticket } = review;
  showError("");
  find("learn-answer").textContent = "…";
  try {
    const answer = await ask("judge", { position: mistake.position, move: text, milliseconds: Number(find("review-time").value) });
    // Another mistake may have been shown meanwhile.
    if (ticket !== review.ticket) return false;
    review.answer = answer;
    find("learn-answer").textContent = verdictText(answer);
    speak(find("learn-answer").textContent);
    drawLearnBoard();
    return !answer.fault;
  } catch (error) {
    if (ticket === review.ticket) {
      find("learn-answer").textContent = "";
      showError(error.message);
    }
    return false;
  }
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

function drawLearn() {
  const mistake = review.mistakes[review.index];
  const count = review.mistakes.length;
  find("learn-begin").textContent = count === 0 ? "No mistakes to learn from" : `Learn from ${count} mistake${count > 1 ? "s" : ""}`;
  find("learn-begin").disabled = count === 0;
  find("learn-exercise").hidden = !mistake;
  find("panel-review").classList.toggle("learning", Boolean(mistake));
  if (mistake) {
    find("learn-question").textContent = `${review.index + 1} of ${count}: ${mistake.number} ${mistake.played} ${mistake.missed ?? `was ${withArticle(mistake.fault)}`}. Find a better move for ${mistake.side === "white" ? "White" : "Black"}.`;
    if (!review.answer) find("learn-answer").textContent = "";
    find("learn-back").disabled = review.index === 0;
    find("learn-next").disabled = review.index + 1 >= count;
  }
  if (shownTab() === "review") drawLearnBoard();
}

function drawLearnBoard() {
  const mistake = review.mistakes[review.index];
  drawSteps(0, 0);
  drawPlayers();
  drawChances(null);
  if (!mistake || !review.position) {
    return showPosition({ fen: review.position?.fen ?? START_FEN });
  }
  const { answer, position } = review;
  const isWrong = answer?.fault || answer?.missed;
  showPosition({
    fen: answer && !isWrong ? answer.board : position.fen,
    moved: answer && !isWrong ? answer.squares : [],
    arrows: answer && isWrong ? [[...answer.squares, "bad"]] : answer ? [] : [[...mistake.squares, "bad"]],
    movable: answer && !isWrong ? "" : "wb",
  });
}

find("review-start").addEventListener("click", startReview);
find("review-stop").addEventListener("click", () => attempt(() => ask("work/stop")));
find("review-own").addEventListener("click", () => attempt(async () => { find("review-text").value = await gamePgn(); }));
find("review-ended").addEventListener("click", () => attempt(async () => reviewPgn(await gamePgn())));
acceptFiles(find("review-file"), openReview);
find("learn-begin").addEventListener("click", () => askMistake(0));
find("learn-back").addEventListener("click", () => askMistake(review.index - 1));
find("learn-next").addEventListener("click", () => askMistake(review.index + 1));
find("learn-solution").addEventListener("click", () => {
  const { played, best, reason } = review.mistakes[review.index];
  find("learn-answer").textContent = [`The engine plays ${best}.`, reason && `${played}: ${reason}`].filter(Boolean).join(" ");
});
find("learn-side").addEventListener("change", () => { review.index = -1; drawReview(); });
onEvent("work", onWork);
