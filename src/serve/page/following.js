import { sentence } from "./messages.js";
/** @import { FollowingPanel } from "./types.js" */

// Panels that follow the board while they are open.

/**
 * Sets up a panel. Returns a function that shows the current state, unless it is shown already.
 * @template T
 * @param {HTMLDetailsElement} details
 * @param {FollowingPanel<T>} panel
 */
export function followBoard(details, { status, content, waiting, failure, key, load, show }) {
  /** @type {string | null} */
  let shown = null;
  const draw = async () => {
    const wanted = key();
    details.hidden = wanted === null;
    if (!details.open || wanted === null || wanted === shown) return;
    shown = wanted;
    content.setAttribute("aria-busy", "true");
    if (!content.firstChild) status.textContent = waiting;
    try {
      const view = await load();
      // The board has moved on.
      if (wanted !== shown) return;
      const hasFocus = content.contains(document.activeElement);
      status.textContent = show(view);
      if (hasFocus) (content.querySelector("button") ?? details.querySelector("summary"))?.focus({ preventScroll: true });
    } catch (error) {
      if (wanted !== shown) return;
      shown = null;
      content.replaceChildren();
      status.textContent = sentence(`${failure}: ${/** @type {Error} */ (error).message}`);
    }
    content.removeAttribute("aria-busy");
  };
  details.addEventListener("toggle", draw);
  return draw;
}
