/** Returns a date in PGN notation as the browser writes dates; an empty text if it is not known. @param {string} date */
export function dateText(date) {
  const day = new Date(date.replaceAll(".", "-") + "T12:00");
  return isNaN(day.getTime()) ? "" : day.toLocaleDateString(undefined, { dateStyle: "medium" });
}
