import { readJson, tryOrNull, writeJson } from "./storage.js";
/** @import { StudyFile, StudyState } from "./types.js" */

// The stored study: the game for this tab and for the next one, and the file that it comes from for this tab only. A
// file may be large, and the storage that the tabs share is for the games that were played.

const ofTab = () => sessionStorage;
/** The file that is stored. @type {StudyFile | null | undefined} */
let keptFile;

function dropFile() {
  tryOrNull(() => sessionStorage.removeItem("study-file"));
}

/** Stores a study. A study without a move is stored too. @param {StudyState} state */
export function keepState({ file, ...game }) {
  writeJson("study", game);
  if (file !== keptFile && !(file && writeJson("study-file", file, ofTab))) dropFile();
  keptFile = file;
  if (writeJson("study", game, ofTab)) return;
  // The game is worth more than the file.
  dropFile();
  writeJson("study", game, ofTab);
}

/** Returns the study that was stored last by this tab, or else by any tab. @returns {StudyState | null} */
export function storedState() {
  const own = readJson("study", ofTab);
  if (own) return { ...own, file: readJson("study-file", ofTab) };
  const last = readJson("study");
  return last && { ...last, file: null };
}
