// The storage of the study: what is kept for a tab, for the next one, and if there is little room.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

/** A storage for this many characters. */
class Storage {
  entries = new Map();

  constructor(room = Infinity) {
    this.room = room;
  }

  getItem(name) {
    return this.entries.get(name) ?? null;
  }

  setItem(name, text) {
    const rest = [...this.entries].filter(([other]) => other !== name).reduce((sum, [, other]) => sum + other.length, 0);
    if (rest + text.length > this.room) throw new Error("full");
    this.entries.set(name, text);
  }

  removeItem(name) {
    this.entries.delete(name);
  }
}

/** Opens a page of a tab with these storages. */
const page = (sessionStorage, localStorage = new Storage()) => open(["serve/page/study_storage.js"], {}, { sessionStorage, localStorage }).world;
const state = (moves, text) => ({ tree: { nodes: moves }, place: moves, file: text === null ? null : { text, titles: ["A", "B"], number: 1, states: {} } });
const plain = (value) => JSON.parse(JSON.stringify(value));

test("a tab gets its game and its file back, and the next tab the game", () => {
  const [own, shared] = [new Storage(), new Storage()];
  const kept = state(["e2e4"], "1. e4 * 1. d4 *");
  page(own, shared).keepState(kept);
  assert.deepStrictEqual(plain(page(own, shared).storedState()), kept);
  assert.deepStrictEqual(plain(page(new Storage(), shared).storedState()), { ...kept, file: null });
  assert.strictEqual(page(new Storage()).storedState(), null);
});

test("a game without a file does not get the file of the game before", () => {
  const own = new Storage();
  const { keepState, storedState } = page(own);
  keepState(state(["e2e4"], "1. e4 * 1. d4 *"));
  keepState(state(["c2c4"], null));
  assert.deepStrictEqual(plain(storedState()), state(["c2c4"], null));
  keepState(state(["e2e4"], "x".repeat(100)));
  own.room = 200;
  keepState(state(["d2d4"], "y".repeat(1000)));
  assert.deepStrictEqual(plain(storedState()), state(["d2d4"], null), "the file is too large");
});

test("a game that grows takes the room of its file", () => {
  const { keepState, storedState } = page(new Storage(500));
  const { file, ...game } = state([], "x".repeat(300));
  keepState({ ...game, file });
  assert.notStrictEqual(storedState().file, null);
  const moves = new Array(20).fill("e2e4");
  keepState({ ...state(moves, null), file });
  assert.deepStrictEqual(plain(storedState()), state(moves, null));
});
