import { findButton, onClick } from "../../tools/pages/common.js";
import { attempt } from "./messages.js";

// Undo and redo of changes.

/** Maximum number of changes that can be undone. */
const MAX_UNDONE = 20;

/**
 * Undoes and redoes changes by the buttons `#NAME-undo` and `#NAME-redo`. `state` returns the present state, and `open`
 * shows another one. Call `remember` before each change.
 * @template State
 * @param {string} name
 * @param {{ state: () => State, open: (state: State) => Promise<void> }} owner
 */
export function createUndo(name, { state, open }) {
  /** States before the last changes, the latest last. @type {State[]} */
  const earlier = [];
  /** States that undoing has left, the latest last. @type {State[]} */
  const later = [];
  /** One state is opened after the other. @type {Promise<unknown>} */
  let opening = Promise.resolve();

  function draw() {
    findButton(`${name}-undo`).disabled = earlier.length === 0;
    findButton(`${name}-redo`).disabled = later.length === 0;
  }

  /** Opens the latest state of a list. The present one becomes the latest of the other list. @param {State[]} from @param {State[]} to */
  async function exchange(from, to) {
    const wanted = from.pop();
    if (wanted === undefined) return;
    to.push(state());
    draw();
    try {
      await open(wanted);
    } catch (error) {
      to.pop();
      from.push(wanted);
      draw();
      throw error;
    }
  }

  /** @param {State[]} from @param {State[]} to */
  const exchangeNext = (from, to) => { opening = opening.then(() => attempt(() => exchange(from, to))); };
  const undo = () => exchangeNext(earlier, later);
  const redo = () => exchangeNext(later, earlier);

  onClick(`${name}-undo`, undo);
  onClick(`${name}-redo`, redo);
  return {
    undo, redo,
    /** Remembers the present state. What was undone before can no longer be redone. */
    remember() {
      earlier.push(state());
      if (earlier.length > MAX_UNDONE) earlier.shift();
      later.length = 0;
      draw();
    },
  };
}
