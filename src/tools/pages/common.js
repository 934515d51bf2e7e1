/** Returns the element with an id. */
export const find = (id) => document.getElementById(id);

/** Creates an element with these attributes and children. */
export function make(name, attributes, children) {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** Marks an element of a move as shown or not shown; does nothing without an element. */
export function mark(move, isShown) {
  move?.classList.toggle("shown", isShown);
  move?.setAttribute("aria-current", String(isShown));
}

/** Returns the number in the page's address: 12 for "#12". It is the number of a step or a move. */
export const numberOfAddress = () => Math.trunc(Number(location.hash.slice(1))) || 0;

/** Writes a number into the page's address. */
export function setAddress(number) {
  try {
    history.replaceState(null, "", "#" + number);
  } catch {
    // A page inside another page has no address of its own.
  }
}

/** Data of the page. */
export const data = JSON.parse(find("data").textContent);

/** Copies a text, or the text of a promise, to the clipboard. Returns whether it was possible. */
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
