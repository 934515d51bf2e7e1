/** The element with an id. */
const find = (id) => document.getElementById(id);

/** A new element with these attributes and children. */
function make(name, attributes, children) {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** Says of a move, if there is one, whether it is the one that is shown. */
function mark(move, isShown) {
  move?.classList.toggle("shown", isShown);
  move?.setAttribute("aria-current", String(isShown));
}

/** "#12" behind the page's address means 12: a step, or a move. */
const numberOfAddress = () => Math.trunc(Number(location.hash.slice(1))) || 0;

/** Puts a number behind the page's address; a page that is shown within another has none of its own. */
function setAddress(number) {
  try {
    history.replaceState(null, "", "#" + number);
  } catch {
    // It is shown all the same.
  }
}

/** What the page shows, as the program that made it wrote it. */
const data = JSON.parse(find("data").textContent);

/** Puts a text, or one that is promised, into the clipboard; whether that was possible. */
async function copyText(text) {
  try {
    // A browser asks whether somebody has just clicked: so it is told before the text is there.
    const plain = async () => new Blob([await text], { type: "text/plain" });
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain() })]);
    return true;
  } catch {
    // Pages of another machine without encryption may only use the old way.
    const field = make("textarea", {}, [await text]);
    Object.assign(field.style, { position: "fixed", opacity: 0 });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
