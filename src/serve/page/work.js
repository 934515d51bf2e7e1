import { find, findButton, findLink } from "../../tools/pages/common.js";
import { sentence } from "./messages.js";
import { onEvent, ownPath } from "./requests.js";
/** @import { Work } from "./types.js" */

// Work in the background: reviews and suites. Each kind has a bar, a text and buttons with its name in their ids.

/** The listener of each kind of work, and its last state. @type {Record<string, { listener: (work: Work) => void, work: Work | null }>} */
const kinds = {};

/** Sets the listener for work of a kind. @param {string} kind @param {(work: Work) => void} listener */
export function onWork(kind, listener) {
  kinds[kind] = { listener, work: null };
}

/** Returns whether work is not finished. @param {Work | null} work */
export const isBusy = (work) => work?.stage === "waiting" || work?.stage === "running";

/** Draws the progress of work and tells its listener. @param {string} kind @param {Work} work */
function receive(kind, work) {
  kinds[kind].work = work;
  findButton(`${kind}-start`).disabled = isBusy(work);
  findButton(`${kind}-stop`).disabled = !isBusy(work);
  Object.assign(find(`${kind}-bar`), { max: Math.max(1, work.total), value: work.done });
  /** @type {Record<string, string>} */
  const words = {
    waiting: "waiting for a free search thread", running: work.puzzles[1] > 0 ? `better moves for ${work.puzzles[0]} of ${work.puzzles[1]} faults` : `${work.done} of ${work.total} positions`,
    done: "done", stopped: "stopped", failed: sentence(work.error ?? ""),
  };
  const state = find(`${kind}-state`);
  state.textContent = words[work.stage] ?? "";
  state.parentElement?.setAttribute("data-stage", work.stage);
  const page = findLink(`${kind}-page`);
  page.hidden = work.stage !== "done";
  page.href = ownPath(`${kind}/page`);
  kinds[kind].listener(work);
}

// The kind is null if the client has no work: a restarted server does not know the work before.
onEvent("work", (/** @type {Work} */ view) => {
  if (view.kind) return receive(view.kind, view);
  for (const [kind, { work }] of Object.entries(kinds)) {
    if (work && isBusy(work)) receive(kind, { ...work, stage: "failed", error: "The server was restarted and has lost this work.", rows: [], rows_from: -1 });
  }
});
