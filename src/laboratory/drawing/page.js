import { around, data, find, findButton, findField, make, numberOfAddress, onChange, onClick } from "../../tools/pages/common.js";
import { drawBoard } from "../../tools/pages/board.js";
/** @import { Search, SearchEvent, Tree } from "./types.js" */

/** @type {Tree} */
const tree = data;
const nodes = tree.names.length;

/** Returns the nodes on the path from the root to a node. @param {number} node */
function pathOf(node) {
  const above = [];
  for (let each = /** @type {number | null} */ (node); each !== null; each = tree.parents[each]) above.unshift(each);
  return above;
}

/** State of a search after some of its steps. */
class State {
  visits = new Array(nodes).fill(0);
  windows = new Array(nodes).fill("");
  values = new Array(nodes).fill("");
  finished = new Array(nodes).fill(false);
  evaluations = new Array(nodes).fill(0);
  evaluated = new Array(nodes).fill(false);
  cut = new Array(nodes).fill(false);
  /** @type {string[]} */
  cuts = [];
  leaves = 0;
  distinct = 0;
  /** @type {number | null} */
  openLength = null;
  /** @type {number | null} */
  current = null;

  /** @param {SearchEvent} event */
  apply([kind, node, detail, reason]) {
    if (kind === "open") {
      this.openLength = node;
      return;
    }
    this.current = node;
    if (kind === "enter") {
      this.visits[node] += 1;
      this.windows[node] = detail;
      this.values[node] = "";
      this.finished[node] = false;
      pathOf(node).forEach((each) => { this.cut[each] = false; });
    } else if (kind === "evaluate") {
      this.leaves += 1;
      this.distinct += this.evaluated[node] ? 0 : 1;
      this.evaluations[node] += 1;
      pathOf(node).forEach((each) => { this.evaluated[each] = true; this.cut[each] = false; });
    } else if (kind === "improve") {
      this.values[node] = detail;
    } else if (kind === "leave") {
      this.values[node] = detail;
      this.finished[node] = true;
    } else if (kind === "cut") {
      this.cuts.push(reason);
      detail.forEach((/** @type {number} */ child) => { this.cut[child] = !this.evaluated[child]; });
    }
  }
}

/** One search on the page. */
class Panel {
  /** @param {Search} search @param {number} index */
  constructor(search, index) {
    this.search = search;
    this.element = find("r" + index);
    this.sentence = this.part(".sentence");
    this.tree = this.part(".tree");
    this.facts = this.part(".facts");
    this.state = new State();
    const part = (/** @type {string} */ kind, /** @type {number} */ node) => find("r" + index + kind + node);
    this.parts = tree.names.map((_, node) => {
      const group = part("n", node);
      const windows = [...group.querySelectorAll(".window")];
      const lines = windows.map((line) => Number(line.getAttribute("y")));
      // Only one window line is shown beside a node, in the middle.
      if (windows.length > 0 && !windows[0].hasAttribute("text-anchor")) {
        windows[0].setAttribute("y", String((lines[0] + lines[lines.length - 1]) / 2));
      }
      windows.slice(1).forEach((line) => line.remove());
      return {
        group, window: windows[0], value: group.querySelector(".value"),
        numbers: /** @type {SVGElement[]} */ ([...group.querySelectorAll(".number")]),
        again: part("a", node), edge: part("e", node), bars: part("c", node),
      };
    });
    this.step = -1;
    if (tree.boards !== null) this.watchPointer();
  }

  /** Returns the part of the panel with a selector. @param {string} selector */
  part(selector) {
    return /** @type {HTMLElement} */ (this.element.querySelector(selector));
  }

  /** Shows the board of the node under the pointer. */
  watchPointer() {
    const point = (/** @type {PointerEvent} */ event) => {
      const node = around(event, ".node");
      this.drawBoard(node ? Number(node.id.replace(/.*n/, "")) : this.state.current ?? 0);
    };
    this.tree.addEventListener("pointerover", point);
    this.tree.addEventListener("pointerleave", point);
  }

  /** @param {number} node */
  drawBoard(node) {
    if (!tree.boards) return;
    const [placement, moved] = tree.boards[node];
    const board = this.part(".board");
    drawBoard(board, { placement, moved: moved ?? [], flipped: tree.blackBelow });
    board.setAttribute("aria-label", "Board: " + tree.names[node]);
    this.part("figcaption").textContent = tree.names[node];
  }

  /** Shows the search after `step` steps. @param {number} step */
  show(step) {
    const { steps } = this.search;
    const wanted = Math.min(step, steps.length);
    if (wanted === this.step) return;
    const before = this.step;
    if (wanted < before || before < 0) {
      this.state = new State();
      this.step = 0;
    }
    let cuts = this.state.cuts.length;
    while (this.step < wanted) {
      cuts = this.state.cuts.length;
      steps[this.step][1].forEach((event) => this.state.apply(event));
      this.step += 1;
    }
    this.draw(wanted === steps.length);
    this.describe(cuts);
    this.drawBoard(this.state.current ?? 0);
    this.scroll();
  }

  /** @param {boolean} ended */
  draw(ended) {
    const { state } = this;
    const open = new Set(state.current === null || ended ? [] : pathOf(state.current));
    /** @type {boolean[]} */
    const pruned = [];
    this.parts.forEach((part, node) => {
      const parent = tree.parents[node];
      const above = parent !== null && pruned[parent];
      pruned.push(!state.evaluated[node] && (ended || above || state.cut[node]));
      const isLeaf = tree.leaves[node];
      // A leaf that is only in OPEN has not been visited.
      const seen = isLeaf ? state.evaluations[node] > 0 : state.visits[node] > 0;
      const marks = {
        pruned: pruned[node], unseen: !seen && !pruned[node], open: open.has(node),
        unfinished: seen && !state.finished[node],
        current: node === state.current && !ended,
      };
      for (const [name, applies] of Object.entries(marks)) {
        part.group.classList.toggle(name, applies);
        if (part.edge) part.edge.classList.toggle(name, applies);
      }
      if (!isLeaf && part.value) part.value.textContent = state.values[node];
      if (part.window) part.window.textContent = state.windows[node] && this.search.prefix + state.windows[node];
      // A long list shows only its first and last numbers.
      const before = (/** @type {number} */ index) => Number(part.numbers[index].dataset.from ?? index + 1);
      part.numbers.forEach((number, index) => {
        number.toggleAttribute("hidden", state.evaluations[node] < before(index));
      });
      part.again.toggleAttribute("hidden", state.visits[node] < 2);
      if (part.bars) part.bars.toggleAttribute("hidden", above || !pruned[node] || !state.cut[node]);
    });
  }

  /** Updates the texts next to the picture. `cuts` is the number of cut-offs before this step. @param {number} cuts */
  describe(cuts) {
    const { state, search } = this;
    const total = search.steps.length;
    this.sentence.textContent = this.step === 0 ? "Nothing is searched yet."
      : this.step === total ? search.steps[total - 1][0] + " Result: " + search.sum + "."
      : search.steps[this.step - 1][0];
    const lines = state.current === null ? [] : pathOf(state.current);
    const facts = [["Evaluations", String(state.leaves)], ["Leaves evaluated", state.distinct + " of " + tree.leafCount]];
    if (search.windows) facts.push([search.windows, state.windows[lines[lines.length - 1]] || "–"]);
    const inner = lines.filter((node) => !tree.leaves[node]);
    facts.push(["Best so far", inner.length > 0 && state.values[inner[inner.length - 1]] || "–"]);
    facts.push(["Best at the root", state.values[0] || "–"]);
    if (state.openLength !== null) facts.push(["In OPEN", String(state.openLength)]);
    const list = make("dl", {}, facts.flatMap(([name, fact]) => [make("dt", {}, [name]), make("dd", {}, [fact])]));
    const header = ["Node", "", ...(search.windows ? [search.windows] : []), "Best"];
    const nameOf = (/** @type {number} */ node) => tree.boards?.[node][2] || tree.names[node];
    const rows = lines.map((node) => [nameOf(node), tree.kinds[node],
      ...(search.windows ? [state.windows[node]] : []), state.values[node] || "–"]);
    const table = make("table", {}, [
      make("thead", {}, [make("tr", {}, header.map((name) => make("th", { scope: "col" }, [name])))]),
      make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell) => make("td", {}, [cell]))))),
    ]);
    const reasons = state.cuts.map((reason, index) => make("li", { class: index >= cuts ? "new" : "" }, [reason]));
    const log = make("ul", { class: "cuts" }, reasons.reverse());
    this.facts.replaceChildren(
      list,
      make("div", {}, [make("h3", {}, ["From the root to here"]), make("div", { class: "scroll" }, [table])]),
      make("div", {}, [make("h3", {}, ["Cut-offs, latest first"]),
        make("div", { class: "scroll" }, reasons.length > 0 ? [log] : [this.step === total ? "none" : "none yet"])]),
    );
  }

  /** Ends the tree's viewport where the controls begin, unless it is far down the page. */
  fit() {
    const top = this.tree.getBoundingClientRect().top + window.scrollY;
    const height = window.innerHeight - /** @type {HTMLElement} */ (document.querySelector(".controls")).offsetHeight - top - 12;
    this.tree.style.maxHeight = height >= 180 ? height + "px" : "";
  }

  /** Scrolls to the current node (at the beginning, the root) if the tree is larger than its viewport. */
  scroll() {
    const box = this.parts[this.state.current ?? 0].group.getBoundingClientRect();
    const view = this.tree.getBoundingClientRect();
    this.tree.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
    this.tree.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
  }
}

const panels = tree.searches.map((search, index) => new Panel(search, index));
const longest = Math.max(...tree.searches.map((search) => search.steps.length));
const [slider, speed] = ["slider", "speed"].map(findField);
const [position, play] = ["position", "play"].map(find);
let step = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** @param {number} wanted */
function show(wanted) {
  step = Math.max(0, Math.min(longest, wanted));
  panels.forEach((panel) => panel.show(step));
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", "step " + step + " of " + longest);
  position.textContent = "Step " + step + " of " + longest;
  for (const id of ["first", "back"]) findButton(id).disabled = step === 0;
  for (const id of ["last", "forward"]) findButton(id).disabled = step === longest;
}

/** Returns the next or previous step that evaluates a leaf in any search. @param {number} direction */
function leaf(direction) {
  const evaluates = (/** @type {number} */ at) => tree.searches.some((search) =>
    search.steps[at - 1] !== undefined && search.steps[at - 1][1].some(([kind]) => kind === "evaluate"));
  let at = step + direction;
  while (at > 0 && at < longest && !evaluates(at)) at += direction;
  return at;
}

function pause() {
  clearInterval(timer);
  timer = undefined;
  drawPlay("play", "Play");
}

/** @param {string} icon @param {string} label */
function drawPlay(icon, label) {
  play.setAttribute("aria-label", label);
  play.querySelector("use")?.setAttribute("href", "#icon-" + icon);
  // During play the sentence changes too often for a screen reader.
  panels.forEach((panel) => panel.sentence.setAttribute("aria-live", !timer ? "polite" : "off"));
}

function start() {
  if (step === longest) show(0);
  timer = setInterval(() => {
    show(step + 1);
    if (step === longest) pause();
  }, Number(speed.value));
  drawPlay("pause", "Pause");
}

/** @param {number} wanted */
function go(wanted) {
  pause();
  show(wanted);
}

const togglePlay = () => timer ? pause() : start();
onClick("first", () => go(0));
onClick("back", () => go(step - 1));
onClick("forward", () => go(step + 1));
onClick("last", () => go(longest));
onClick("play", togglePlay);
slider.addEventListener("input", () => go(Number(slider.value)));
speed.addEventListener("change", () => { if (timer) { pause(); start(); } });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === speed) return;
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => go(event.shiftKey ? leaf(-1) : step - 1),
    ArrowRight: () => go(event.shiftKey ? leaf(1) : step + 1),
    Home: () => go(0),
    End: () => go(longest),
    " ": togglePlay,
  };
  const hasOwnUse = around(event, "button, summary, #whole") !== null;
  if (!(event.key in keys) || (event.key === " " && hasOwnUse)) return;
  event.preventDefault();
  keys[event.key]();
});

onChange("whole", () => {
  document.body.classList.toggle("whole", findField("whole").checked);
  panels.forEach((panel) => panel.scroll());
});

slider.max = String(longest);
document.querySelectorAll(".controls, label").forEach((element) => element.removeAttribute("hidden"));
/** One tree, or two side by side, use the available height. */
function fit() {
  const isSmall = matchMedia("(max-width: 40rem)").matches;
  if (panels.length === 1 || (panels.length === 2 && !isSmall)) panels.forEach((panel) => panel.fit());
  panels.forEach((panel) => panel.scroll());
}

window.addEventListener("resize", fit);
window.addEventListener("hashchange", () => go(numberOfAddress()));
// Searches that share a small screen are shown without details, so that all are visible.
if (document.querySelector(matchMedia("(max-width: 40rem)").matches ? ".several" : ".many")) {
  document.querySelectorAll("details").forEach((details) => { details.open = false; });
}
show(numberOfAddress());
drawPlay("play", "Play");
fit();
