// Dates in the notation of PGN, as the page of `outrider serve` shows them.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

test("a date is shown as the browser writes dates, and an unknown one is left out", () => {
  const { dateText } = open("serve/page/dates.js", {}).world;
  assert.strictEqual(dateText("2026.11.23"), new Date(2026, 10, 23).toLocaleDateString(undefined, { dateStyle: "medium" }));
  for (const unknown of ["????.??.??", "2026.??.??", ""]) assert.strictEqual(dateText(unknown), "");
});
