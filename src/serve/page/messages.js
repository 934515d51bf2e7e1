import { copyText, find, findButton, findField, onChange, onClick } from "../../tools/pages/common.js";

/** Returns a text as a sentence. @param {string} text */
export const sentence = (text) => text && text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

/** Shows an error above the panel; an empty text removes it. @param {string} text */
export function showError(text) {
  find("message").textContent = sentence(text);
}

/** Announces a text to screen readers. @param {string} text */
export function speak(text) {
  find("spoken").textContent = text;
}

/** Runs an action and shows its error, if any. Resolves to false after an error. @param {() => unknown} action */
export async function attempt(action) {
  showError("");
  try {
    await action();
    return true;
  } catch (error) {
    showError(/** @type {Error} */ (error).message);
    return false;
  }
}

/** Makes the button with an id copy the result of `text`, and show "Copied" or an error. @param {string} id @param {() => string | Promise<string>} text */
export function copies(id, text) {
  const button = findButton(id);
  const label = button.textContent;
  onClick(id, () => attempt(async () => {
    if (!await copyText(text())) throw new Error("The browser did not allow copying.");
    speak("Copied");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  }));
}

/** Returns a file as text: UTF-8, or Latin-1 as in many old PGN files. @param {File} file */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Calls `onFile` with the text and name of each file chosen in an input. @param {string} id @param {(text: string, name: string) => void} onFile */
export function acceptFiles(id, onFile) {
  const input = findField(id);
  onChange(id, async () => {
    const [file] = input.files ?? [];
    if (file) onFile(await textOf(file), file.name);
    input.value = "";
  });
}
