import { copyText, find, findButton, onClick } from "../../tools/pages/common.js";

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
