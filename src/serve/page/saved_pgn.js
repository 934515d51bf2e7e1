import { keptGames, newGameId, writeGame } from "./kept.js";
import { request } from "./requests.js";
/** @import { KeptGame, SavedGame } from "./types.js" */

// Stored games as PGN: they are written to a file, and read from it.

/** Number of games that are sent at once. */
const GAMES_IN_REQUEST = 30;
/** Maximum size of a file of saved games in bytes. A browser has no room for as many games. */
export const MAX_SAVED = 32 << 20;

/** Returns games as PGN, and the number of unreadable games that were left out. @param {SavedGame[]} games */
export async function pgnOf(games) {
  const answers = [];
  for (let from = 0; from < games.length; from += GAMES_IN_REQUEST) {
    answers.push(await request("/api/saved/pgn", games.slice(from, from + GAMES_IN_REQUEST).map(({ kept }) => kept)));
  }
  return { pgn: answers.map(({ pgn }) => pgn).join(""), unreadable: answers.reduce((sum, answer) => sum + answer.unreadable, 0) };
}

/** Returns a text that equal games have in common. @param {KeptGame} kept */
const keyOf = ({ fen, moves, white, elo, date }) => JSON.stringify([fen, moves, white, elo, date]);

/** Returns the time at which a day begins, in milliseconds. An unknown day counts as today. @param {string} date */
function timeOfDay(date) {
  const time = Date.parse(date.replaceAll(".", "-") + "T00:00");
  return isNaN(time) ? new Date().setHours(0, 0, 0, 0) : time;
}

/**
 * Stores the games of a PGN, the latest of which is first. Returns how many were added, how many are here already, and
 * how many are not games of the player against the engine.
 * @param {string} text
 */
export async function addGames(text) {
  const stored = new Set(keptGames().map(({ kept }) => keyOf(kept)));
  const parts = text.split(/^(?=\[Event )/m);
  const counts = { added: 0, known: 0, others: 0 };
  for (let from = 0; from < parts.length; from += GAMES_IN_REQUEST) {
    const answer = await request("/api/saved/read", parts.slice(from, from + GAMES_IN_REQUEST).join(""));
    counts.others += answer.others;
    for (const kept of /** @type {KeptGame[]} */ (answer.games)) {
      if (stored.has(keyOf(kept))) {
        counts.known += 1;
      } else if (writeGame({ id: newGameId(), kept, time: timeOfDay(kept.date) - counts.added })) {
        counts.added += 1;
      } else {
        throw new Error(`The browser has no room for more games. Games that were added: ${counts.added}.`);
      }
    }
  }
  return counts;
}
