/** Returns the result of `use`, or null if the browser forbids storage. @template Result @param {() => Result} use */
export function tryOrNull(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** Returns stored JSON; null if there is none. @param {string} name @param {() => Storage} storage */
export const readJson = (name, storage = () => localStorage) => tryOrNull(() => JSON.parse(storage().getItem(name) ?? "null"));

/** Stores JSON. Returns false if the browser forbids it or its storage is full. @param {string} name @param {unknown} value @param {() => Storage} storage */
export const writeJson = (name, value, storage = () => localStorage) =>
  tryOrNull(() => { storage().setItem(name, JSON.stringify(value)); return true; }) === true;

/** Reads a value from the storage of this tab. @param {string} name */
export const readFromTab = (name) => tryOrNull(() => sessionStorage.getItem(name));

/** @param {string} name @param {string} value */
export const writeToTab = (name, value) => tryOrNull(() => sessionStorage.setItem(name, value));
