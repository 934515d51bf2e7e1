/** Returns a move as spoken text: "knight takes f 3, check". */
function spokenMove(san) {
  if (san.startsWith("O-O-O")) return "castles queenside" + spokenCheck(san);
  if (san.startsWith("O-O")) return "castles kingside" + spokenCheck(san);
  const words = [...san.replace(/[+#]/g, "")].map((sign) => {
    if (sign === "x") return "takes";
    if (sign === "=") return "promotes to";
    return KINDS[sign.toLowerCase()] && sign === sign.toUpperCase() ? KINDS[sign.toLowerCase()] : sign;
  });
  return words.join(" ") + spokenCheck(san);
}

const spokenCheck = (san) => san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";

/** Returns the code and the name of the opening that moves lead to: the last one that has a name. */
function openingOf(plies) {
  const last = plies.findLast(({ opening }) => opening)?.opening;
  return last ? `${last.eco} ${last.name}` : "";
}

/** Announces a text to screen readers. */
function speak(text) {
  find("spoken").textContent = text;
}

/** Fills a list with moves. Calls `pick` with the number of the clicked move, from 1. */
function listMoves(list, plies, shown, pick) {
  const rows = [];
  plies.forEach(({ number, san }, index) => {
    const isWhiteMove = !number.endsWith("...");
    if (isWhiteMove || rows.length === 0) {
      rows.push(make("div", { class: "row" }, [make("span", { class: "number" }, [number.replace("...", ".")])]));
      if (!isWhiteMove) rows[0].append(make("span", { class: "note" }, ["…"]));
    }
    const button = make("button", { type: "button", class: "move" }, [san]);
    mark(button, index + 1 === shown);
    button.addEventListener("click", () => pick(index + 1));
    rows[rows.length - 1].append(button);
  });
  fillMoves(list, rows);
}

/** Puts moves into a list and scrolls to the current one. Keyboard focus on a move stays on the current move. */
function fillMoves(list, parts) {
  const isOnMove = list.contains(document.activeElement) && document.activeElement !== list;
  list.replaceChildren(...parts);
  const current = list.querySelector(".shown");
  list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  if (isOnMove) (current ?? list).focus({ preventScroll: true });
}

/** Makes a button copy the result of `text`, and show "Copied" or an error. */
function copies(button, text) {
  const label = button.textContent;
  button.addEventListener("click", () => attempt(async () => {
    if (!await copyText(text())) throw new Error("The browser did not allow copying.");
    speak("Copied");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  }));
}

/** Makes the browser save a text as a file. */
function saveFile(name, text, kind) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name }, []);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
