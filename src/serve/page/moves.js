import { find, findButton, make, mark } from "../../tools/pages/common.js";
import { KINDS } from "../../tools/pages/board.js";
/** @import { Opening, Ply } from "./types.js" */

/** Returns a move as spoken text: "knight takes f 3, check". @param {string} san */
export function spokenMove(san) {
  if (san.startsWith("O-O-O")) return "castles queenside" + spokenCheck(san);
  if (san.startsWith("O-O")) return "castles kingside" + spokenCheck(san);
  const words = [...san.replace(/[+#]/g, "")].map((sign) => {
    if (sign === "x") return "takes";
    if (sign === "=") return "promotes to";
    return KINDS[sign.toLowerCase()] && sign === sign.toUpperCase() ? KINDS[sign.toLowerCase()] : sign;
  });
  return words.join(" ") + spokenCheck(san);
}

/** @param {string} san */
const spokenCheck = (san) => san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";

/** Returns the code and the name of the opening that moves lead to: the last one that has a name. @param {{ opening?: Opening }[]} plies */
export function openingOf(plies) {
  const last = plies.findLast(({ opening }) => opening)?.opening;
  return last ? `${last.eco} ${last.name}` : "";
}

/** Fills a list with moves. Calls `pick` with the number of the clicked move, from 1. @param {HTMLElement} list @param {Ply[]} plies @param {number} shown @param {(ply: number) => void} pick */
export function listMoves(list, plies, shown, pick) {
  /** @type {HTMLElement[]} */
  const rows = [];
  plies.forEach(({ number, san }, index) => {
    const isWhiteMove = !number.endsWith("...");
    if (isWhiteMove || rows.length === 0) {
      rows.push(make("div", { class: "row" }, [make("span", { class: "number" }, [number.replace("...", ".")])]));
      if (!isWhiteMove) rows[0].append(make("span", { class: "note" }, ["…"]));
    }
    const button = make("button", { type: "button", class: "move", click: () => pick(index + 1) }, [san]);
    mark(button, index + 1 === shown);
    rows[rows.length - 1].append(button);
  });
  fillMoves(list, rows.length > 0 ? rows : [make("p", { class: "note" }, ["No moves yet."])]);
}

/**
 * Puts moves into a list and scrolls to the current one. Keyboard focus on a move goes to the current move, or stays.
 * @param {HTMLElement} list
 * @param {Node[]} parts
 */
export function fillMoves(list, parts) {
  const moves = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".move")]);
  const focused = moves().findIndex((move) => move === document.activeElement);
  list.replaceChildren(...parts);
  const current = /** @type {HTMLElement | null} */ (list.querySelector(".shown"));
  list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  if (focused >= 0) (current ?? moves()[focused] ?? list).focus({ preventScroll: true });
}

/** Enables and names the buttons that step through moves, or through something else. @param {number} at @param {number} last */
export function drawSteps(at, last, thing = "move") {
  for (const [id, direction, key] of [["back", "Previous", "left arrow"], ["forward", "Next", "right arrow"]]) {
    find(id).setAttribute("aria-label", `${direction} ${thing}`);
    find(id).title = `${direction} ${thing} (${key})`;
  }
  ["first", "back"].forEach((id) => { findButton(id).disabled = at === 0; });
  ["forward", "last"].forEach((id) => { findButton(id).disabled = at >= last; });
}
