/**
 * The game that is analysed: a tree of moves. A node knows the board behind its move; its first child
 * goes on with the main line, the others are variations.
 */
const study = { root: null, node: null, tags: [], result: "*", chess960: false, running: false, view: null, titles: [], text: "" };

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** What is said of a move of which nothing is said; `unplayable` are lines that no board can follow. */
const NO_ANNOTATIONS = { comment: "", glyphs: [], unplayable: [] };

/** Begins with another start, `{ fen, board, chess960 }`. */
function newStudy(start, tags = [], result = "*", annotations = NO_ANNOTATIONS) {
  study.root = { parent: null, children: [], fen: start.fen, board: start.board, squares: [], annotations };
  study.node = study.root;
  study.chess960 = start.chess960;
  study.tags = tags;
  study.result = result;
}

function addNode(parent, ply) {
  const known = parent.children.find(({ uci }) => uci === ply.uci);
  if (known) return known;
  const node = { annotations: NO_ANNOTATIONS, ...ply, parent, children: [] };
  parent.children.push(node);
  return node;
}

/** The moves from the start to a node. */
function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** A node as the server is asked about it. */
const positionOf = (node) => ({ fen: study.root.fen, chess960: study.chess960, moves: pathTo(node).map(({ uci }) => uci) });

/** Goes to a node, and to its analysis if one is running. */
async function goTo(node) {
  study.node = node;
  study.view = null;
  drawStudy();
  try {
    if (!node.position) Object.assign(node, await request("/api/position", positionOf(node)));
  } catch (error) {
    return showError(error.message);
  }
  if (study.node !== node) return;
  drawStudy();
  if (study.running) startAnalysis();
}

/** A move on the board or typed: a variation, or a move that is there already. */
function studyMove(text) {
  const from = study.node;
  return attempt(async () => {
    const ply = await request("/api/play", { position: positionOf(from), move: text });
    const node = addNode(from, ply);
    speak(`${node.number} ${spokenMove(node.san)}`);
    await goTo(node);
  });
}

/** Takes a file of games. */
function openGames(text) {
  if (shownTab() !== "analyse") showTab("analyse");
  readStudy(text);
}

/** Takes a text: a FEN or games in PGN. */
function readStudy(text, number) {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  const isFen = /^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/.test(trimmed);
  return attempt(async () => {
    await (isFen ? readPosition(trimmed) : readGame(text, number));
    find("study-text").value = "";
    find("study-import").open = false;
  });
}

async function readPosition(fen) {
  const read = async (chess960) => ({ ...await request("/api/position", { fen, chess960, moves: [] }), chess960 });
  const rights = (text) => (text.split(/\s+/)[2] ?? "").replace("-", "").length;
  let found = await read(false).catch(() => null);
  // Castling from other squares is Chess960: standard chess refuses it or leaves it out.
  if (!found || rights(found.position.fen) < rights(fen)) {
    const other = found ? await read(true).catch(() => found) : await read(true);
    if (!found || rights(other.position.fen) > rights(found.position.fen)) found = other;
  }
  const { position, chess960 } = found;
  newStudy({ fen: position.fen, board: position.board, chess960 });
  drawGameList([]);
  await goTo(study.root);
}

/** Takes the game of this number, or the first that can be read. */
async function readGame(text, number) {
  const read = await request(`/api/games${number === undefined ? "" : `?game=${number}`}`, text);
  newStudy(read.start, read.tags, read.result, read.annotations);
  const nodes = [];
  for (const { parent, ...ply } of read.nodes) nodes.push(addNode(parent === null ? study.root : nodes[parent], ply));
  study.text = text;
  drawGameList(read.titles, read.game);
  await goTo(study.root);
}

/** The games of a file, to choose one. */
function drawGameList(titles, chosen = 0) {
  const choice = find("study-games");
  choice.hidden = titles.length < 2;
  choice.replaceChildren(...titles.map((title, index) => make("option", { value: index }, [`${index + 1}. ${title}`])));
  choice.value = String(chosen);
}

/** The game with its variations as PGN. */
function studyPgn() {
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
  return request("/api/pgn", {
    fen: study.root.fen, chess960: study.chess960, tags: [...tags, ...start], result: study.result, annotations: study.root.annotations, nodes,
  });
}

/** The moves of the tree, variations in brackets; what cannot be played is text. */
function drawTree() {
  const parts = [];
  const note = (text) => make("span", { class: "note" }, [text]);
  const spoken = ({ comment }) => comment.replace(/\[%[^\]]*\]/g, "");
  const show = (node, isFirst) => {
    const number = isFirst || !node.number.endsWith("...") ? `${node.number} ` : "";
    const glyphs = node.annotations.glyphs.map((glyph) => data.glyphs[glyph] ?? "").join("");
    const button = make("button", { type: "button", class: "move" }, [`${number}${node.san}${glyphs}`]);
    mark(button, node === study.node);
    button.addEventListener("click", () => goTo(node));
    const { annotations } = node;
    parts[parts.length - 1].append(button, annotations.comment ? note(` ${spoken(annotations)} `) : " ");
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
  const arrows = (study.view?.lines ?? []).map(({ moves: [first] }, index) => [...first.squares, index === 0 ? "good" : "other"]).reverse();
  showPosition({
    placement: node.board, moved: node.squares, check: node.position?.check ?? node.check,
    arrows: find("arrows").checked ? arrows : [], moves: node.position?.moves ?? NO_MOVES,
  });
  find("study-fen").value = node.fen;
  find("study-ending").textContent = node.ending?.text ?? "";
  const path = pathTo(node);
  drawSteps(path.length, node.children.length > 0 ? Infinity : path.length);
  drawTree();
  drawLines();
  drawPlayers();
}

/** A step along the line that is looked at, or to the end of it. */
function studyStep(by) {
  const next = by < 0 ? study.node.parent : study.node.children[0];
  if (next) goTo(next);
}

function studyEnd(last) {
  let node = last ? study.node : study.root;
  while (last && node.children.length > 0) [node] = node.children;
  goTo(node);
}

/** Goes on in the study with the game that is played, at the ply that is shown. */
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

/** A file as text, in UTF-8 or, as many old files are, in Latin-1. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Lets a file be chosen. One that is dropped on the page goes to the tab that is shown. */
function acceptFiles(input, take) {
  input.addEventListener("change", async () => {
    if (input.files[0]) take(await textOf(input.files[0]), input.files[0].name);
    input.value = "";
  });
}

newStudy({ fen: START_FEN, board: START_FEN.split(" ")[0], chess960: false });
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
  node.parent.children = node.parent.children.filter((child) => child !== node);
  goTo(node.parent);
});
find("analyse-game").addEventListener("click", studyGame);
