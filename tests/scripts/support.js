// A page in which the scripts of pages can run without a browser.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const read = (file) => fs.readFileSync(path.join(__dirname, "..", "..", "src/tools", file), "utf8");

/** Returns modules as the part of a classic script that defines their exports. */
const modules = (...files) => files.map((file) => read(file).replace(/^import .*\n/gm, "").replace(/^export /gm, "")).join("\n");

/** Runs modules for boards and returns the named exports. */
const load = (...names) => {
  const files = ["placement", "board", "rules", "keyboard", ...names].map((name) => `pages/${name}.js`);
  return vm.runInThisContext(`(() => { ${modules(...new Set(files))}; return { rules, followPieces, readPlacement, piecesInWords, findTypedMoves }; })()`);
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
 * Runs a script, in one or several files, on a page with these data and values of fields. The result has
 * `drawn` (what the script draws), `handlers` (for clicks and keys), `move` (moves a piece on the board) and
 * `type` (types a move).
 */
function open(file, data, more = {}, values = {}) {
  const elements = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, Object.assign(element(), { value })]));
  const find = (id) => elements[id] ??= element();
  find("data").textContent = JSON.stringify(data);
  const handlers = {};
  const world = {
    drawn: {},
    createBoard: (svg, onMove) => {
      world.move = (move) => onMove(move, world.rules.read(world.drawn.fen));
      return { show: (view) => { world.drawn = view; }, restore: () => {}, decide: ([move]) => world.move(move) };
    },
    window: { addEventListener: () => {} },
    location: { hash: "" },
    document: {
      getElementById: find, createElement: () => element(), querySelectorAll: () => [], body: element(),
      addEventListener: (name, handler) => { handlers[name] = handler; },
    },
    ...more,
  };
  const shared = modules("pages/placement.js", "pages/rules.js", "pages/keyboard.js");
  const script = [modules("pages/common.js"), `const { KINDS } = (() => { ${modules("pages/placement.js", "pages/board.js")}; return { KINDS }; })();`, shared, modules(...[file].flat())];
  vm.runInNewContext(script.join("\n") + "; this.rules = rules;", world);
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

module.exports = { open, load };
