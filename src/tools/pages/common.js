/** Returns the element with an id. @param {string} id */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** Returns the field with an id: an input, a choice or a text area. @param {string} id */
export const findField = (id) => /** @type {HTMLInputElement} */ (find(id));
/** @param {string} id */
export const findButton = (id) => /** @type {HTMLButtonElement} */ (find(id));
/** @param {string} id */
export const findLink = (id) => /** @type {HTMLAnchorElement} */ (find(id));
/** @param {string} id */
export const findDetails = (id) => /** @type {HTMLDetailsElement} */ (find(id));

/** Handles clicks on the element with an id. @param {string} id @param {(event: MouseEvent) => void} listener */
export const onClick = (id, listener) => find(id).addEventListener("click", listener);
/** Handles changes of the field with an id. @param {string} id @param {(event: Event) => void} listener */
export const onChange = (id, listener) => find(id).addEventListener("change", listener);

/** Returns the closest element around the target of an event. @param {Event} event @param {string} selector */
export const around = (event, selector) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(selector));

/** The focused element was hidden and has lost the focus. Browsers take it at once or at the next drawing. */
let isFocusLost = false;
document.addEventListener("focusout", ({ target }) => { isFocusLost = /** @type {Element} */ (target).checkVisibility() === false; });
document.addEventListener("focusin", () => { isFocusLost = false; });

/** Moves the focus to an element if the focused one is hidden now. @param {string} id */
export function keepFocus(id) {
  if (isFocusLost || document.activeElement?.checkVisibility() === false) find(id).focus({ preventScroll: true });
}

/**
 * Creates an element. A function among the attributes listens to the event of its name.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number | boolean | ((event: Event) => void)>} [attributes]
 * @param {(Node | string)[]} [children]
 */
export function make(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Marks an element of a move as shown or not shown; does nothing without an element.
 * @param {Element | null} move
 * @param {boolean} isShown
 */
export function mark(move, isShown) {
  move?.classList.toggle("shown", isShown);
  move?.setAttribute("aria-current", String(isShown));
}

/** Returns the number in the page's address: 12 for "#12". It is the number of a step or a move. */
export const numberOfAddress = () => Math.trunc(Number(location.hash.slice(1))) || 0;

/** Writes a number into the page's address. @param {number} number */
export function setAddress(number) {
  try {
    history.replaceState(null, "", "#" + number);
  } catch {
    // A page inside another page has no address of its own.
  }
}

/** Data of the page. Each page says of which type they are. */
export const data = JSON.parse(find("data").textContent ?? "");

/** Copies a text, or the text of a promise, to the clipboard. Returns whether it was possible. @param {string | Promise<string>} text */
export const copyText = async (text) => {
  try {
    // Browsers allow this only directly after a click, so the call must not wait for the text.
    const plain = async () => new Blob([await text], { type: "text/plain" });
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain() })]);
    return true;
  } catch {
    // Pages from other machines without encryption can use only the old method.
    const field = make("textarea", {}, [await text]);
    Object.assign(field.style, { position: "fixed", opacity: 0 });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
};

/** Makes the browser save a text as a file. @param {string} name @param {string} text @param {string} type */
export function saveFile(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Returns the name of a pressed key: "f", "Ctrl+z" or "Ctrl+Shift+z". The command key of a Mac counts as Ctrl. @param {KeyboardEvent} event */
const nameOfKey = ({ key, ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey ? `Ctrl+${shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;

/**
 * Runs the action of each pressed key, by its name, except in fields and with Alt.
 * @param {(event: KeyboardEvent) => Record<string, () => void>} actions
 */
export function enableKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || around(event, "input:not([type=checkbox]), select, textarea, dialog")) return;
    const action = actions(event)[nameOfKey(event)];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
