import { find, onClick } from "../../tools/pages/common.js";
import { saveSettings, settings } from "./settings.js";
import { tryOrNull } from "./storage.js";
/** @import { GameView } from "./types.js" */

/** The five sounds, made by WebAudio. A note is [frequency in Hz, start in s, duration in s]. @type {Record<string, [number, number, number][]>} */
const NOTES = {
  move: [[240, 0, .08]],
  capture: [[330, 0, .06], [165, .04, .12]],
  check: [[660, 0, .1], [880, .09, .16]],
  end: [[523, 0, .2], [392, .17, .2], [262, .34, .45]],
  low: [[988, 0, .08], [988, .16, .08]],
};
const VOLUME = .25;
/** @type {AudioContext | null} */
let audio = null;

/** Returns the name of the sound of a move. @param {string} san */
export const soundOf = (san) => /[+#]/.test(san) ? "check" : san.includes("x") ? "capture" : "move";

/** Returns the name of the sound for a change of the game, or null. The player's own moves are heard before. @param {GameView | null} before @param {GameView} after */
export function soundOfChange(before, after) {
  if (!before || before.start.fen !== after.start.fen) return null;
  if (after.ending && !before.ending) return "end";
  const last = after.plies.at(-1);
  const isReply = after.plies.length > before.plies.length && after.position.turn === after.person;
  return last && isReply ? soundOf(last.san) : null;
}

/** @param {string | null} name */
export function playSound(name) {
  if (!settings.sound || !name) return;
  audio ??= tryOrNull(() => new AudioContext());
  if (!audio) return;
  for (const [frequency, start, duration] of NOTES[name]) {
    const [from, tone, gain] = [audio.currentTime + start, audio.createOscillator(), audio.createGain()];
    tone.type = "triangle";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(VOLUME, from);
    gain.gain.exponentialRampToValueAtTime(.001, from + duration);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + duration);
  }
}

function drawSoundButton() {
  find("sound").setAttribute("aria-pressed", String(settings.sound));
  find("sound").title = settings.sound ? "Sound is on" : "Sound is off";
}

onClick("sound", () => {
  saveSettings({ sound: !settings.sound });
  drawSoundButton();
  playSound("move");
});
drawSoundButton();
