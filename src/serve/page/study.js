/**
 * The analysed game: a tree of moves. A node has the board after its move. Its first child continues the
 * main line; the others are variations.
 */
const study = { root: null, node: null, tags: [], result: "*", chess960: false, running: false, view: null, titles: [], text: "" };

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const [START_BOARD] = START_FEN.split(" ");

/** Annotations of a move without any. `unplayable` has the PGN text of lines that cannot be played. */
const NO_ANNOTATIONS = { comment: "", glyphs: [], unplayable: [] };

/** Starts a study from a position, `{ fen, board, chess960 }`. */
function newStudy(start, tags = [], result = "*", annotations = NO_ANNOTATIONS) {
  rememberStudy();
  study.root = { parent: null, children: [], fen: start.fen, board: start.board, squares: [], annotations };
  study.node = study.root;
  study.chess960 = start.chess960;
  study.tags = tags;
  study.result = result;
}

/** Adds a move as a child and returns its node, or the existing child with this move. */
function addNode(parent, ply) {
  const known = parent.children.find(({ uci }) => uci === ply.uci);
  if (known) return known;
  const node = { annotations: NO_ANNOTATIONS, ...ply, parent, children: [] };
  parent.children.push(node);
  return node;
}

/** Returns the nodes from the start to a node. */
function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** Returns the position of a node in the form of requests. */
const positionOf = (node) => ({ fen: study.root.fen, chess960: study.chess960, moves: pathTo(node).map(({ uci }) => uci) });

/** Goes to a node and moves a running analysis to it. */
async function goTo(node) {
  study.node = node;
  study.view = null;
  drawStudy();
  try {
    if (!node.position) Object.assign(node, await request("/api/position", positionOf(node)));
  } catch (error) {
    // The running analysis is that of another position.
    if (study.running) stopAnalysis();
    return showError(error.message);
  }
  if (study.node !== node) return;
  drawStudy();
  keepStudy();
  showAddress();
  if (study.running) startAnalysis();
}

/** Plays a move from the board or the text field: follows an existing move or adds a variation. */
function studyMove(text) {
  const from = study.node;
  return attempt(async () => {
    const ply = await request("/api/play", { position: positionOf(from), move: text });
    const node = addNode(from, ply);
    speak(`${node.number} ${spokenMove(node.san)}`);
    await goTo(node);
  });
}

/** Opens a file of games. */
function openGames(text) {
  if (shownTab() !== "analyse") showTab("analyse");
  return readStudy(text);
}

/**
 * Returns the FEN and the moves in a text: a FEN, also with underscores, an EPD, or a `position` line of UCI. Returns
 * null for other texts.
 */
function positionIn(text) {
  const [, start, moves = ""] = /^position\s+(startpos|fen\s+.*?)(?:\s+moves\s+(.*))?$/s.exec(text) ?? [null, text];
  const fields = (start === "startpos" ? START_FEN : start.replace(/^fen\s+/, "")).split(/[\s_]+/);
  if (!/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}$/.test(fields[0])) return null;
  // The operations of an EPD follow in place of the counters.
  const counters = fields.slice(4, 6).every((field) => /^\d+$/.test(field)) ? fields.slice(4, 6) : [];
  return { fen: [...fields.slice(0, 4), ...counters].join(" "), moves: moves.split(/\s+/).filter(Boolean) };
}

/** Loads a text: a position or games in PGN. */
function readStudy(text, number) {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  const found = positionIn(trimmed);
  return attempt(async () => {
    await (found ? readPosition(found) : readGame(text, number));
    find("study-text").value = "";
    find("study-import").open = false;
  });
}

async function readPosition({ fen, moves }) {
  const read = async (chess960) => ({ ...await request("/api/position", { fen, chess960, moves: [] }), chess960 });
  const rights = (text) => (text.split(/\s+/)[2] ?? "").replace("-", "").length;
  let found = await read(false).catch(() => null);
  // Castling from other squares is Chess960. Standard chess refuses the FEN or drops the castling right.
  if (!found || rights(found.position.fen) < rights(fen)) {
    const other = found ? await read(true).catch(() => found) : await read(true);
    if (!found || rights(other.position.fen) > rights(found.position.fen)) found = other;
  }
  const { position, chess960 } = found;
  newStudy({ fen: position.fen, board: position.board, chess960 });
  drawGameList([]);
  let node = study.root;
  for (const move of moves) node = addNode(node, await request("/api/play", { position: positionOf(node), move }));
  await goTo(node);
}

/** Loads the game with this index, or the first readable game. */
async function readGame(text, number) {
  const read = await request(`/api/games${number === undefined ? "" : `?game=${number}`}`, text);
  newStudy(read.start, read.tags, read.result, read.annotations);
  const nodes = [];
  for (const { parent, ...ply } of read.nodes) nodes.push(addNode(parent === null ? study.root : nodes[parent], ply));
  study.text = text;
  drawGameList(read.titles, read.game);
  await goTo(study.root);
}

/** Fills the list of the games in a file. */
function drawGameList(titles, chosen = 0) {
  const choice = find("study-games");
  choice.hidden = titles.length < 2;
  choice.replaceChildren(...titles.map((title, index) => make("option", { value: index }, [`${index + 1}. ${title}`])));
  choice.value = String(chosen);
}

/** Returns the game with its variations in the form of requests. */
function studyTree() {
  const nodes = [];
  const collect = (node) => node.children.forEach((child) => {
    child.index = nodes.length;
    nodes.push({ parent: child.parent === study.root ? null : child.parent.index, uci: child.uci, annotations: child.annotations });
    collect(child);
  });
  collect(study.root);
  const tags = study.tags.length > 0 ? study.tags : [["White", "?"], ["Black", "?"], ["Result", "*"]];
  const needsFen = study.root.fen !== START_FEN && !tags.some(([name]) => name === "FEN");
  const start = needsFen ? [["SetUp", "1"], ["FEN", study.root.fen], ...(study.chess960 ? [["Variant", "Chess960"]] : [])] : [];
  return { fen: study.root.fen, chess960: study.chess960, tags: [...tags, ...start], result: study.result, annotations: study.root.annotations, nodes };
}

/** Fetches the game with its variations as PGN. */
const studyPgn = () => request("/api/pgn", studyTree());

/** Draws the moves of the tree, with variations in brackets and unplayable lines as text. */
function drawTree() {
  const parts = [];
  const note = (text) => make("span", { class: "note" }, [text]);
  const spoken = ({ comment }) => {
    const noted = ["eval", "clk"].flatMap((name) => commandsOf(comment, name)).join(" ");
    return [noted && `[${noted}]`, comment.replace(/\[%[^\]]*\]/g, "").trim()].filter(Boolean).join(" ");
  };
  const show = (node, isFirst) => {
    const number = isFirst || !node.number.endsWith("...") ? `${node.number} ` : "";
    const glyphs = node.annotations.glyphs.map((glyph) => data.glyphs[glyph] ?? "").join("");
    const button = make("button", { type: "button", class: "move" }, [`${number}${node.san}${glyphs}`]);
    mark(button, node === study.node);
    button.addEventListener("click", () => goTo(node));
    const { annotations } = node;
    parts[parts.length - 1].append(button, spoken(annotations) ? note(` ${spoken(annotations)} `) : " ");
  };
  const line = (parent, isFirst) => {
    let from = parent;
    for (; from.children.length > 0; [from] = from.children) {
      const [main, ...others] = from.children;
      show(main, isFirst);
      for (const other of others) {
        const variation = make("span", { class: "variation" }, ["("]);
        parts[parts.length - 1].append(variation, " ");
        parts.push(variation);
        show(other, true);
        line(other, false);
        parts.pop();
        variation.append(")");
      }
      const { unplayable } = from.annotations;
      for (const text of unplayable) parts[parts.length - 1].append(note(`(${text}) `));
      isFirst = others.length + unplayable.length > 0;
    }
    const [rest, ...others] = from.annotations.unplayable;
    if (rest) parts[parts.length - 1].append(note([rest, ...others.map((text) => `(${text})`)].join(" ")));
  };
  parts.push(make("div", {}, []));
  const { annotations } = study.root;
  if (annotations.comment) parts[0].append(note(`${spoken(annotations)} `));
  line(study.root, true);
  fillMoves(find("study-moves"), parts);
}

function drawStudy() {
  if (shownTab() !== "analyse") return;
  const { node } = study;
  showPosition({
    fen: node.fen, moved: node.squares, arrows: lineArrows(study.view), movable: "wb", marks: marksOf(node),
  });
  find("study-fen").value = node.fen;
  find("study-ending").textContent = node.ending?.text ?? "";
  const path = pathTo(node);
  find("study-opening").textContent = openingOf(path);
  drawSteps(path.length, node.children.length > 0 ? Infinity : path.length);
  drawTree();
  drawLines();
  drawPlayers();
}

/** Goes to the previous or the next move. */
function studyStep(by) {
  const next = by < 0 ? study.node.parent : study.node.children[0];
  if (next) goTo(next);
}

/** Goes to the end of the current line or to the start. */
function studyEnd(last) {
  let node = last ? study.node : study.root;
  while (last && node.children.length > 0) [node] = node.children;
  goTo(node);
}

/** Opens the game that is played as a study, at the shown ply. */
function studyGame() {
  const { game } = play;
  if (!game) return;
  newStudy(game.start, [["White", game.names[0]], ["Black", game.names[1]], ["Result", game.ending?.result ?? "*"]], game.ending?.result ?? "*");
  let node = study.root;
  let shown = node;
  game.plies.forEach((ply, index) => {
    node = addNode(node, ply);
    if (index + 1 === play.shown) shown = node;
  });
  drawGameList([]);
  turnBoard("analyse", squares.flipped);
  showTab("analyse");
  goTo(shown);
}

/** Returns a file as text: UTF-8, or Latin-1 as in many old PGN files. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Calls `onFile` with the text and name of each file chosen in an input. */
function acceptFiles(input, onFile) {
  input.addEventListener("change", async () => {
    if (input.files[0]) onFile(await textOf(input.files[0]), input.files[0].name);
    input.value = "";
  });
}

acceptFiles(find("study-file"), openGames);
find("study-read").addEventListener("click", () => readStudy(find("study-text").value));
find("study-text").addEventListener("paste", () => setTimeout(() => readStudy(find("study-text").value)));
find("study-games").addEventListener("change", (event) => readStudy(study.text, Number(event.target.value)));
find("study-fen").addEventListener("change", (event) => readStudy(event.target.value));
copies(find("study-copy-fen"), () => study.node.fen);
copies(find("study-copy"), studyPgn);
find("study-remove").addEventListener("click", () => {
  const { node } = study;
  if (!node.parent) return;
  rememberStudy();
  node.parent.children = node.parent.children.filter((child) => child !== node);
  goTo(node.parent);
});
for (const id of ["analyse-game", "analyse-ended"]) find(id).addEventListener("click", studyGame);
