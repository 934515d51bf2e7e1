import { find, findDetails, findLink, make } from "../../tools/pages/common.js";
import { followBoard } from "./following.js";
import { request } from "./requests.js";
/** @import { InsideNode, InsideView } from "./types.js" */

// Look inside: the tree that NegaScout searches from the position of the board. The server chooses the depth and folds
// the deep parts.

/** @param {number} count @param {string} one @param {string} [several] */
const counted = (count, one, several = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** Describes the searches of a node. @param {InsideNode} node */
function insideNote({ null_window: isNull, searches, evaluated }) {
  return [isNull ? "null window" : "", searches > 1 ? `searched ${searches} times` : "", evaluated > 0 ? counted(evaluated, "leaf", "leaves") : ""]
    .filter(Boolean).join(", ");
}

/**
 * Returns the entry of a node. Its replies are drawn when it is unfolded.
 * @param {InsideNode} node
 * @param {string[]} line Moves to the node.
 * @param {(line: string[]) => unknown} play
 * @returns {HTMLLIElement}
 */
function insideEntry(node, line, play) {
  const moves = [...line, node.uci];
  const hidden = node.cut + node.folded + node.children.length;
  const value = make("b", {}, [node.value ?? "–"]);
  const move = make("button", { type: "button", class: node.principal ? "move principal" : "move", "aria-label": `Play to ${node.san}`, click: () => play(moves) }, [node.san]);
  const entry = make("li", {}, [move, " ", value, " ", make("span", { class: "note" }, [insideNote(node)])]);
  if (hidden === 0) return entry;
  const fold = make("button", { type: "button", class: "fold", "aria-label": `Replies to ${node.san}` });
  /** @type {HTMLElement | null} */
  let list = null;
  const unfold = (/** @type {boolean} */ isOpen) => {
    fold.setAttribute("aria-expanded", String(isOpen));
    fold.textContent = isOpen ? "▾" : "▸";
    if (isOpen && !list) entry.append(list = insideList(node, moves, play));
    if (list) list.hidden = !isOpen;
  };
  fold.addEventListener("click", () => unfold(fold.getAttribute("aria-expanded") !== "true"));
  entry.prepend(fold, " ");
  unfold(node.principal);
  return entry;
}

/** @param {InsideNode} node @param {string[]} line @param {(line: string[]) => unknown} play */
function insideList(node, line, play) {
  const rest = [node.folded > 0 ? `${counted(node.folded, "position")} folded` : "", node.cut > 0 ? `${counted(node.cut, "move")} cut off` : ""].filter(Boolean);
  return make("ul", {}, [
    ...node.children.map((child) => insideEntry(child, line, play)),
    ...rest.map((text) => make("li", { class: "note" }, [text])),
  ]);
}

/**
 * Sets up the panel. `position` returns the position of the board in the form of requests, `fen` its FEN, and `play`
 * plays moves in it. Returns a function that shows the current position.
 * @param {{ position: () => object, fen: () => string, play: (line: string[]) => unknown }} place
 */
export function addInside({ position, fen, play }) {
  const details = findDetails("inside");
  const [summary, tree] = [find("inside-summary"), find("inside-tree")];
  return followBoard(details, {
    status: summary, content: tree, waiting: "Searching…", failure: "The search cannot be shown",
    key: () => JSON.stringify(position()),
    load: () => {
      findLink("inside-replay").href = `/inside?${new URLSearchParams({ fen: fen() })}`;
      return /** @type {Promise<InsideView>} */ (request("/api/inside", position()));
    },
    show: (view) => {
      tree.replaceChildren(insideList(view.root, [], play));
      return view.summary;
    },
  });
}
