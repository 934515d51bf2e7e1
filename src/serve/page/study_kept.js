/** The stored study, undoing of its changes, and the marks in its comments. */

const MAX_UNDONE = 20;
/** Studies before the last changes, the latest last. */
const before = [];

/** Returns the study with its current place, in a form that can be stored. */
const studyState = () => ({ tree: studyTree(), place: pathTo(study.node).map(({ uci }) => uci) });

/** Stores the study for this tab and for the next one. A study without a move is stored too. */
function keepStudy() {
  const text = JSON.stringify(studyState());
  tryOrNull(() => sessionStorage.setItem("study", text));
  tryOrNull(() => localStorage.setItem("study", text));
}

/** Remembers the study before a change that can be undone. */
function rememberStudy() {
  if (!study.root || study.isRestoring || (study.root.children.length === 0 && study.root.fen === START_FEN)) return;
  before.push(studyState());
  if (before.length > MAX_UNDONE) before.shift();
  find("study-undo").disabled = false;
}

/** Opens a study from a stored form. */
async function openState({ tree, place }) {
  study.isRestoring = true;
  try {
    await readGame(await request("/api/pgn", tree));
    let node = study.root;
    for (const uci of place) node = node.children.find((child) => child.uci === uci) ?? node;
    await goTo(node);
  } finally {
    study.isRestoring = false;
  }
}

/** Opens the stored study, if there is one. */
async function restoreStudy() {
  const text = readFromTab("study") ?? tryOrNull(() => localStorage.getItem("study"));
  const state = tryOrNull(() => JSON.parse(text));
  if (state) await openState(state);
}

/** Shows a position that an address names: a node of the study, or else a study of its own. */
async function openFen(fen) {
  if (!fen || fen === study.node.fen) return;
  const nodes = [study.root];
  for (const node of nodes) nodes.push(...node.children);
  const node = nodes.find((candidate) => candidate.fen === fen);
  await (node ? goTo(node) : readStudy(fen));
}

/** Returns the values of a command in a comment: "[%eval 0.3]". */
const commandsOf = (comment, name) => [...comment.matchAll(/\[%(\w+) ([^\]]*)\]/g)].filter(([, found]) => found === name).map(([, , value]) => value);

const MARK_COLOURS = { G: "green", R: "red", Y: "yellow", B: "blue" };

/** Returns the arrows and circles in the comment of a node: "[%cal Ge2e4][%csl Rd4]". */
function marksOf({ annotations: { comment } }) {
  const read = (name) => commandsOf(comment, name).flatMap((list) => list.split(",")).map((mark) => mark.trim())
    .filter((mark) => /^[GRYB]([a-h][1-8]){1,2}$/.test(mark)).map((mark) => [...mark.slice(1).match(/../g), MARK_COLOURS[mark[0]]]);
  return { arrows: read("cal").filter(({ length }) => length === 3), circles: read("csl").filter(({ length }) => length === 2) };
}

/** Writes arrows and circles into the comment of the current node. */
function keepMarks({ arrows, circles }) {
  if (shownTab() !== "analyse") return;
  const write = (name, marks) => marks.length > 0 ? `[%${name} ${marks.map((mark) => mark.at(-1)[0].toUpperCase() + mark.slice(0, -1).join("")).join(",")}]` : "";
  const { node } = study;
  const rest = node.annotations.comment.replace(/\[%c[as]l [^\]]*\]/g, "").trim();
  node.annotations = { ...node.annotations, comment: [write("csl", circles) + write("cal", arrows), rest].filter(Boolean).join(" ") };
  drawStudy();
  keepStudy();
}

newStudy({ fen: START_FEN, board: START_BOARD, chess960: false });
squares.onMark = keepMarks;
find("study-undo").addEventListener("click", () => attempt(async () => {
  await openState(before.pop());
  find("study-undo").disabled = before.length === 0;
}));
