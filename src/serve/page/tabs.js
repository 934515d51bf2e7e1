import { find, keepFocus } from "../../tools/pages/common.js";
import { showError } from "./messages.js";
import { drawChances, flipBoard, squares } from "./squares.js";
import { tryOrNull } from "./storage.js";
/** @import { Tab } from "./types.js" */

/** The tabs by name. Their panels are `#panel-NAME`, their buttons `#tab-NAME`. @type {Record<string, Tab>} */
export const tabs = {};

const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
/** @param {HTMLElement} button */
const nameOfButton = (button) => button.id.replace("tab-", "");

/** Adds a tab. @param {string} name @param {Tab} tab */
export function addTab(name, tab) {
  tabs[name] = tab;
}

export const shownTab = () => document.body.dataset.tab ?? "play";

/** Sets the orientation of a tab's board, also if the tab is hidden. @param {string} name @param {boolean} flipped */
export function turnTab(name, flipped) {
  tabs[name].flipped = flipped;
  if (name === shownTab()) flipBoard(flipped);
}

/** Returns the address of a tab and of the place in it: "#analyse/FEN". @param {string} name */
const addressOf = (name) => `#${[name, tabs[name].place?.()].filter((part) => part || part === 0).join("/")}`;

/** Writes the place in the tab that is shown into the address. */
export const showAddress = () => history.replaceState(null, "", addressOf(shownTab()));

/** Shows the tab and the place in the address. */
export async function openAddress() {
  const [name, ...place] = (location.hash.slice(1) || "play").split("/");
  if (!Object.hasOwn(tabs, name)) return;
  const text = place.join("/");
  if (name !== shownTab()) showTab(name, true);
  await tabs[name].open?.(tryOrNull(() => decodeURIComponent(text)) ?? text);
}

/** Shows a tab. Back returns to the previous one, unless Back has led here. @param {string} name */
export function showTab(name, isBack = false) {
  const before = tabs[shownTab()];
  if (!isBack && name !== shownTab()) history.pushState(null, "", addressOf(name));
  before.flipped = squares.flipped;
  if (name !== shownTab()) before.leave?.();
  document.body.dataset.tab = name;
  flipBoard(tabs[name].flipped ?? false);
  for (const other of Object.keys(tabs)) find(`panel-${other}`).hidden = other !== name;
  const shown = tabs[name].parent?.() ?? name;
  for (const button of buttons) {
    const isShown = nameOfButton(button) === shown;
    button.setAttribute("aria-selected", String(isShown));
    button.tabIndex = isShown ? 0 : -1;
  }
  find(`panel-${name}`).tabIndex = -1;
  keepFocus(`panel-${name}`);
  showError("");
  drawChances();
  tabs[name].draw();
}

/** Shows a tab to which a position is carried: the board stays turned as it is. @param {string} name */
export function carryTo(name) {
  turnTab(name, squares.flipped);
  showTab(name);
}

for (const button of buttons) button.addEventListener("click", ({ detail }) => {
  showTab(nameOfButton(button));
  // After a click of the pointer, the arrow keys step through the moves, not through the tabs.
  if (detail > 0) button.blur();
});
document.querySelector(".tabs")?.addEventListener("keydown", (event) => {
  const { key } = /** @type {KeyboardEvent} */ (event);
  const by = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  if (by === 0) return;
  event.stopPropagation();
  const at = buttons.findIndex((button) => nameOfButton(button) === shownTab());
  const next = buttons[(at + by + buttons.length) % buttons.length];
  showTab(nameOfButton(next));
  next.focus();
});
