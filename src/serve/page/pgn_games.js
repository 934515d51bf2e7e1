import { findField, make } from "../../tools/pages/common.js";
import { request } from "./requests.js";
/** @import { ReadGame } from "./types.js" */

// The games of a PGN: the server reads them, and a list chooses one of them.

/** Has the server read the game with this index in a PGN, or the first readable one. @param {string} text @param {number} [number] @returns {Promise<ReadGame>} */
export const fetchGame = (text, number) => request(`/api/games${number === undefined ? "" : `?game=${number}`}`, text);

/** Lists games in the field with an id, whose value is an index. The list is hidden if there is nothing to choose. @param {string} id @param {string[]} titles @param {number} [chosen] */
export function listGames(id, titles, chosen = 0) {
  const field = findField(id);
  field.hidden = titles.length < 2;
  field.replaceChildren(...titles.map((title, index) => make("option", { value: index }, [`${index + 1}. ${title}`])));
  field.value = String(chosen);
}
