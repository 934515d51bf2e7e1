const { puzzles } = data;
/** Days until a puzzle is due again, by the number of solutions in a row since a failure. */
const DAYS = [1, 3, 7, 14, 30, 60];
const DAY = 24 * 60 * 60 * 1000;
const STORE = "outrider-puzzles";
/** Empty board, shown if there is no puzzle. */
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

/** Puzzles of the chosen player (`playerPuzzles`), and the selected ones among them (`list`). */
let playerPuzzles = [];
let list = [];
let at = 0;
let flipped = false;
/** Position after the user's move, { fen, moved }, or null. */
let tried = null;
let failed = false;
let isOver = false;

/** Reads the stored progress: { solved, due, failed } by puzzle. Without storage it is empty. */
function readKept() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

const kept = readKept();

/** Stores these entries and removes undefined ones. Entries that other tabs have stored are kept. */
function store(entries) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readKept(), ...entries }));
  } catch {
    // Without storage the page still works, for this visit.
  }
}

function keep(puzzle, isSolved) {
  const before = kept[puzzle.id];
  // A puzzle solved at the first try gets the longest interval.
  const solved = !isSolved ? 0 : before ? Math.min(before.solved + 1, DAYS.length - 1) : DAYS.length - 1;
  kept[puzzle.id] = { solved, due: Date.now() + DAYS[solved] * DAY, failed: !isSolved || Boolean(before?.failed) };
  store({ [puzzle.id]: kept[puzzle.id] });
}

/** Removes repeated puzzles, which occur if a player repeats an opening. */
const distinct = (all) => [...new Map(all.toReversed().map((puzzle) => [puzzle.id, puzzle])).values()].toReversed();

const isDue = ({ id }) => !kept[id] || kept[id].due <= Date.now();

function choose() {
  const [which, player] = [find("which").value, find("player").value];
  const isWanted = { due: isDue, failed: ({ id }) => Boolean(kept[id]?.failed), all: () => true }[which];
  playerPuzzles = distinct(puzzles.filter((puzzle) => player === "" || puzzle.player === player));
  list = playerPuzzles.filter(isWanted);
  at = 0;
  showPuzzle();
}

function count() {
  const due = playerPuzzles.filter(isDue).length;
  find("count").textContent = (list.length === 0 ? "No puzzles" : at + 1 + " of " + list.length) + ", " + due + " due of " + playerPuzzles.length + ".";
}

function showPuzzle() {
  [tried, failed, isOver] = [null, false, false];
  const puzzle = list[at];
  flipped = puzzle ? puzzle.by_black : false;
  find("task").textContent = puzzle ? (puzzle.by_black ? "Black" : "White") + " to move: " + (puzzle.mate ? "mate in " + puzzle.mate + ", instead of " : "find a better move than ") + puzzle.played
    : puzzles.length === 0 ? "There are no faults or missed chances and therefore no puzzles." : "No puzzle is due. Come back tomorrow or show other puzzles.";
  find("to-move").textContent = puzzle ? (puzzle.by_black ? "Black" : "White") + " to move" : "";
  find("side").className = "man " + (puzzle?.by_black ? "of-black" : "of-white");
  find("of-game").textContent = puzzle?.game ?? "";
  find("to-game").hidden = !puzzle;
  if (puzzle) find("to-game").href = puzzle.address;
  showMessage("", "");
  find("line").hidden = true;
  find("again").hidden = true;
  find("next").hidden = true;
  find("solve").hidden = !puzzle;
  find("typed").hidden = !puzzle;
  find("back").disabled = at === 0;
  find("forward").disabled = at + 1 >= list.length;
  count();
  draw();
}

function draw() {
  const puzzle = list[at];
  const here = tried ?? { fen: puzzle?.fen ?? EMPTY, moved: puzzle?.moved ?? [] };
  const arrows = puzzle && !tried ? [[...puzzle.squares, "bad"]] : [];
  if (isOver && !tried) arrows.push(...stepsOf(puzzle).slice(0, 1).map((step) => [...step[3], "good"]));
  board.show({ fen: here.fen, moved: here.moved, arrows, flipped });
  find("board").setAttribute("aria-label", "Board, " + find("task").textContent + ". " + piecesInWords(here.fen));
}

function showMessage(text, kind) {
  find("answer").textContent = text;
  find("answer").className = kind;
}

/** Returns the steps of the best line: [number or "", name, FEN after the move, squares]. */
function stepsOf({ fen, line }) {
  let position = rules.read(fen);
  const steps = [];
  for (const san of line) {
    const move = rules.moves(position).find((move) => rules.san(position, move) === san);
    if (!move) break;
    const number = position.turn === "w" ? position.full + "." : steps.length === 0 ? position.full + "..." : "";
    position = rules.play(position, move);
    steps.push([number, san, rules.fen(position), [move.from, move.to].map(rules.name)]);
  }
  return steps;
}

/** Shows the best line with clickable moves. */
function showLine(puzzle) {
  const steps = stepsOf(puzzle).map(([number, san, fen, squares]) => {
    const step = make("button", { type: "button", class: "step" }, [(number ? number + " " : "") + san]);
    step.addEventListener("click", () => {
      tried = { fen, moved: squares };
      document.querySelectorAll(".step.shown").forEach((other) => mark(other, false));
      mark(step, true);
      draw();
    });
    return [step, " "];
  });
  find("line").replaceChildren(make("b", {}, ["Best"]), " ", make("span", { class: "note" }, [puzzle.moves[0].score]), " ", ...steps.flat());
  find("line").hidden = false;
}

function end(isSolved) {
  isOver = true;
  keep(list[at], isSolved && !failed);
  find("solve").hidden = true;
  find("again").hidden = true;
  find("next").hidden = at + 1 >= list.length;
  showLine(list[at]);
  count();
  draw();
}

function answer(move, before) {
  const puzzle = list[at];
  const san = rules.san(before, move);
  tried = { fen: rules.fen(rules.play(before, move)), moved: [move.from, move.to].map(rules.name) };
  const known = puzzle.moves.find((move) => move.san === san);
  if (known?.good) {
    const best = puzzle.moves[0];
    const rank = known === best ? "the best move" : known.loss > 0 ? "good enough, " + best.san + " is best" : "as good as " + best.san;
    showMessage(san + ": " + rank + " (" + known.score + ").", "good");
    if (!isOver) end(true);
  } else {
    const isPlayed = puzzle.played.endsWith(" " + san);
    const cost = (loss) => loss > 0 ? ", −" + loss + " %" : "";
    const loss = isPlayed ? "was played in the game" + cost(puzzle.loss)
      : puzzle.mate ? "does not mate in time" : known ? "loses " + known.loss + " % of a point" : "is not among the best moves";
    showMessage(san + " " + loss + ".", "bad");
    if (!isOver && !failed) keep(puzzle, false);
    failed = true;
    find("again").hidden = isOver;
  }
  draw();
}

function solve() {
  if (isOver || !list[at]) return;
  failed = true;
  const good = list[at].moves.filter((move) => move.good).map((move) => move.san);
  showMessage(good.join(" or ") + (good.length === 1 ? " was the move." : " were good enough."), "");
  end(false);
}

function go(by) {
  const wanted = at + by;
  if (wanted < 0 || wanted >= list.length) return;
  at = wanted;
  showPuzzle();
}

const board = createBoard(find("board"), (move, before) => {
  // After an answer, moves on the board are ignored until "Try again" or another puzzle.
  if (list[at] && tried === null) answer(move, before);
  else board.restore();
});

enableTyping({
  position: () => list[at]?.fen ?? EMPTY,
  // A typed move always answers the puzzle, even if another move is on the board.
  decide: (moves) => {
    tried = null;
    draw();
    board.decide(moves);
  },
});

/** Quote a text for PGN and CSV. Some first characters would make spreadsheets see a formula. */
const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]\n`;
const field = (value) => `"${String(value).replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;

/** Returns the puzzles as PGN games: the position, the best line, and other good moves as variations. */
function toPgn() {
  return list.map((puzzle) => {
    const [best, ...others] = puzzle.moves.filter((move) => move.good);
    const number = puzzle.played.split(" ")[0];
    // After a comment, Black's move needs its number.
    const rest = stepsOf(puzzle).slice(1).map(([due, san], index) => (index === 0 && !puzzle.by_black ? number + ".." : due) + " " + san);
    const moves = [number + " " + best.san, `{${best.score}; ${puzzle.played} was ${puzzle.fault === "inaccuracy" ? "an" : "a"} ${puzzle.fault}}`, ...others.map((move) => `(${number} ${move.san} {${move.score}})`), ...rest, "*"];
    return tag("Event", "Find a better move than " + puzzle.played) + tag("Site", puzzle.address) + tag("White", puzzle.by_black ? "?" : puzzle.player) + tag("Black", puzzle.by_black ? puzzle.player : "?")
      + tag("Result", "*") + tag("SetUp", "1") + tag("FEN", puzzle.fen) + "\n" + moves.join(" ").replace(/ +/g, " ") + "\n";
  }).join("\n");
}

function toCsv() {
  const rows = list.map((puzzle) => [puzzle.fen, puzzle.by_black ? "black" : "white", puzzle.played, puzzle.fault, puzzle.loss,
    puzzle.moves.filter((move) => move.good).map((move) => move.san).join(" "), stepsOf(puzzle).map(([number, san]) => (number ? number + " " : "") + san).join(" "), puzzle.game, puzzle.address]);
  return [["fen", "side", "played", "fault", "loss", "accepted", "line", "game", "page"], ...rows].map((row) => row.map(field).join(",")).join("\n") + "\n";
}

function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name }, []);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

find("again").addEventListener("click", () => {
  tried = null;
  find("again").hidden = true;
  showMessage("", "");
  draw();
});
find("solve").addEventListener("click", solve);
find("back").addEventListener("click", () => go(-1));
find("forward").addEventListener("click", () => go(1));
find("next").addEventListener("click", () => go(1));
find("flip").addEventListener("click", () => { flipped = !flipped; draw(); });
find("which").addEventListener("change", choose);
find("player").addEventListener("change", choose);
find("to-pgn").addEventListener("click", () => save(toPgn(), "puzzles.pgn", "application/x-chess-pgn"));
find("to-csv").addEventListener("click", () => save(toCsv(), "puzzles.csv", "text/csv"));
find("forget").addEventListener("click", () => {
  puzzles.forEach(({ id }) => { delete kept[id]; });
  store(Object.fromEntries(puzzles.map(({ id }) => [id, undefined])));
  choose();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const keys = { ArrowLeft: () => go(-1), ArrowRight: () => go(1), s: solve, f: () => find("flip").click(), m: () => find("move-text").focus() };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});

const names = [...new Set(puzzles.map((puzzle) => puzzle.player))].sort((one, other) => one.localeCompare(other));
find("player").append(make("option", { value: "" }, ["all"]), ...names.map((name) => make("option", { value: name }, [name])));

/** Decodes a name that may be percent-encoded. */
function rawName(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Selects the player in the address, which links from a player's page contain. */
function choosePlayer() {
  const [, name = ""] = /^#player=(.*)$/.exec(location.hash) ?? [];
  find("player").value = names.find((candidate) => rawName(candidate) === rawName(name)) ?? "";
  choose();
}

window.addEventListener("hashchange", choosePlayer);
choosePlayer();
