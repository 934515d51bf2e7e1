import { find, findField } from "../../tools/pages/common.js";
import { readJson, writeJson } from "./storage.js";

/**
 * Choices of the user, stored in the browser. Null means that the page has no choice of its own.
 * @type {Record<string, any> & { sound: boolean }}
 */
export const settings = {
  sound: true, arrows: true, lines: "3", side: "white", elo: null, full: false, timed: false, minutes: "10", increment: "5", start: "standard", number: "", fen: "",
  ...readJson("settings"),
};

/** Changes settings and stores them. @param {Partial<typeof settings>} changes */
export function saveSettings(changes) {
  Object.assign(settings, changes);
  writeJson("settings", settings);
}

/** Sets the field with an id to its stored value, and stores each change of it. @param {string} id */
export function rememberField(id) {
  const field = findField(id);
  const property = field.type === "checkbox" ? "checked" : "value";
  if (settings[id] !== null) Object.assign(field, { [property]: settings[id] });
  for (const event of ["input", "change"]) find(id).addEventListener(event, () => saveSettings({ [id]: field[property] }));
}
