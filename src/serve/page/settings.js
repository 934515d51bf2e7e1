/** Choices of the user, stored in the browser. */
const settings = {
  sound: true, arrows: true, lines: "3", side: "white", elo: null, full: false, timed: false, minutes: "10", increment: "5", lastGame: null,
  ...tryOrNull(() => JSON.parse(localStorage.getItem("settings"))),
};

/** Changes settings and stores them. */
function saveSettings(changes) {
  Object.assign(settings, changes);
  tryOrNull(() => localStorage.setItem("settings", JSON.stringify(settings)));
}

/** Sets a field to its stored value, and stores each change of it. */
function rememberField(field, name, property = field.type === "checkbox" ? "checked" : "value") {
  if (settings[name] !== null) field[property] = settings[name];
  for (const event of ["input", "change"]) field.addEventListener(event, () => saveSettings({ [name]: field[property] }));
}
