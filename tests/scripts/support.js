// A page in which the scripts of pages can run without a browser.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const source = path.join(__dirname, "..", "..", "src");

/**
 * Returns modules and those that they import as one script, as the server and the static pages do. `without` names
 * modules that are left out.
 */
function script(entries, without = []) {
  const added = new Set();
  const add = (file) => {
    if (added.has(file) || without.includes(file)) return "";
    added.add(file);
    const lines = fs.readFileSync(path.join(source, file), "utf8").split("\n");
    const imported = lines.map((line) => /^import .*?"(.*)";$/.exec(line)?.[1]).filter(Boolean);
    const own = lines.filter((line) => !line.startsWith("import ") && line !== "export {};");
    return imported.map((name) => add(path.posix.join(path.posix.dirname(file), name))).join("") + own.join("\n").replace(/^export /gm, "");
  };
  return entries.map(add).join("");
}

/** Runs modules that need no page and returns the named values. */
const load = (...names) => {
  const files = ["board", "rules", "keyboard", "moving", "puzzle"].map((name) => `tools/pages/${name}.js`);
  return vm.runInNewContext(`${script(files, ["tools/pages/common.js"])}; ({ ${names.join(", ")} })`);
};

/** An element that records changes. */
function element() {
  const classes = new Set();
  const own = {
    attributes: {}, children: [], listeners: {}, style: {}, hidden: false, dataset: {}, checked: true, value: "", scrollHeight: 0, clientHeight: 0,
    classList: { add: (...names) => names.forEach((it) => classes.add(it)), remove: (...names) => names.forEach((it) => classes.delete(it)), toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)), contains: (name) => classes.has(name) },
    replaceChildren: (...parts) => { own.children = parts; },
    addEventListener: (name, listener) => { own.listeners[name] = listener; },
    setAttribute: (name, value) => {
      own.attributes[name] = value;
      if (name === "class") value.split(" ").filter(Boolean).forEach((it) => classes.add(it));
    },
    append: (...parts) => { own.children.push(...parts); },
    remove: () => {},
    click: () => own.listeners.click?.(),
    querySelector: () => own.inner ??= element(),
    get parentElement() { return own.parent ??= element(); },
    get childNodes() { return own.children; },
    get textContent() { return own.children.map((child) => typeof child === "string" ? child : child.textContent).join(""); },
    set textContent(text) { own.children = [text]; },
  };
  return own;
}

/**
 * Runs scripts on a page with these data and values of fields. `without` names modules that are replaced by values
 * of `more`. The result has `drawn` (what the script draws), `handlers` (for clicks and keys), `move` (moves a piece
 * on the board) and `type` (types a move).
 */
function open(files, data, more = {}, values = {}, without = ["tools/pages/moving.js"]) {
  const elements = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, Object.assign(element(), { value })]));
  const find = (id) => elements[id] ??= element();
  find("data").textContent = JSON.stringify(data);
  const handlers = {};
  const world = {
    drawn: {},
    EMPTY_FEN: "8/8/8/8/8/8/8/8 w - - 0 1",
    createBoard: (svg, onMove) => {
      world.move = (move) => onMove(move, world.rules.read(world.drawn.fen));
      return { show: (view) => { world.drawn = view; }, restore: () => {}, decide: ([move]) => world.move(move) };
    },
    window: { addEventListener: () => {} },
    location: { hash: "" },
    document: {
      getElementById: find, createElement: () => element(), querySelector: () => null, querySelectorAll: () => [], body: element(),
      addEventListener: (name, handler) => { handlers[name] = handler; },
    },
    ...more,
  };
  const names = "if (typeof rules !== 'undefined') this.rules = rules;";
  vm.runInNewContext(`${script([files].flat(), without)}; ${names}`, world);
  return {
    world, find, handlers, text: (id) => find(id).textContent, isHidden: (id) => find(id).hidden, fen: () => world.drawn.fen,
    press: (key) => handlers.keydown({ key, target: { closest: () => null }, preventDefault: () => {} }),
    click: (id) => find(id).listeners.click(),
    type: (text) => {
      find("move-text").value = text;
      find("typed").listeners.submit({ preventDefault: () => {} });
    },
    move: (from, to) => {
      const legal = world.rules.moves(world.rules.read(world.drawn.fen));
      world.move(legal.find((it) => world.rules.name(it.from) === from && world.rules.name(it.to) === to));
    },
  };
}

module.exports = { open, load, script };
