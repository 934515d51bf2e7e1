// The syntax of all scripts. `node --check` accepts any text that looks like a module.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { test } = require("node:test");
const { script } = require("./support.js");

test("each module and those that it imports make a script", () => {
  const source = path.join(__dirname, "..", "..", "src");
  const files = fs.readdirSync(source, { recursive: true }).map(String).filter((file) => file.endsWith(".js"));
  assert.ok(files.length > 20, files.join(" "));
  for (const file of files) new vm.Script(script([file.split(path.sep).join("/")]), { filename: file });
});
