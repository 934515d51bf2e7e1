// The script of the page of `outrider serve`: how it connects, also in restricted browsers.
"use strict";
const assert = require("node:assert");
const vm = require("node:vm");
const { test } = require("node:test");
const { open, script } = require("./support.js");

const refuse = () => { throw new Error("closed"); };

/**
 * Opens the page of a server. `answers` gives a status and JSON for each request. The tab has no storage.
 * `leave` calls the page's handler for leaving it.
 */
function page(answers) {
  const requests = [];
  const leaving = {};
  const opened = open(["serve/page/kept.js"], {}, {
    sessionStorage: { getItem: refuse, setItem: refuse },
    localStorage: { getItem: refuse, setItem: refuse },
    BroadcastChannel: class { constructor() { refuse(); } },
    EventSource: class { addEventListener() {} close() {} },
    window: { addEventListener: (name, listener) => { (leaving[name] ??= []).push(listener); } },
    navigator: { sendBeacon: (path) => requests.push(`beacon ${path}`) },
    setTimeout: (call) => call(), crypto,
    fetch: async (path, { method }) => {
      const request = `${method} ${path}`;
      requests.push(request);
      const [status, answer] = answers[request];
      return { ok: status < 400, status, headers: new Map([["content-type", "application/json"]]), json: async () => answer };
    },
  });
  return { ...opened, requests, leave: () => leaving.pagehide.forEach((listener) => listener()) };
}

/** Runs scripts of the page; returns their functions. */
function functions(...files) {
  const { world } = open(files.map((file) => `serve/page/${file}`), { levels: [450, 2700] }, {
    localStorage: { getItem: () => null, setItem: () => {} }, setInterval: () => {},
  });
  return world;
}

test("a sound tells what happened", () => {
  const { soundOfChange } = functions("sounds.js");
  const game = (sans, turn, ending = null) => ({ start: { fen: "start" }, person: "white", plies: sans.map((san) => ({ san })), position: { turn }, ending });
  const before = game(["e4"], "black");
  assert.strictEqual(soundOfChange(before, game(["e4", "e5"], "white")), "move");
  assert.strictEqual(soundOfChange(before, game(["e4", "dxe4"], "white")), "capture");
  assert.strictEqual(soundOfChange(before, game(["e4", "Qxe4+"], "white")), "check");
  assert.strictEqual(soundOfChange(before, game(["e4", "Qe2#"], "white", { text: "mate" })), "end");
  assert.strictEqual(soundOfChange(game([], "white"), before), null, "the player's own move was heard before");
  assert.strictEqual(soundOfChange(null, before), null, "a game that is opened");
});

test("captured pieces are counted from the start, without promoted pawns", () => {
  const { capturedBy } = functions("players.js");
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const plain = (side, fen, from = start) => { const { kinds, lead } = capturedBy(side, from, fen); return `${kinds.join("")} ${lead}`; };
  assert.strictEqual(plain("white", start), " 0");
  assert.strictEqual(plain("white", "rnbqkb1r/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "np 4");
  assert.strictEqual(plain("black", "rnbqkb1r/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), " -4");
  assert.strictEqual(plain("black", "Q6k/8/8/8/8/8/8/K7 b - - 0 1", "7k/P7/8/8/8/8/8/K7 w - - 0 1"), " -9");
});

test("an address that names no tab opens none", async () => {
  const address = { hash: "#constructor" };
  const { world } = open("serve/page/tabs.js", {}, { location: address, localStorage: { getItem: () => null } });
  for (const name of ["play", "games"]) world.addTab(name, { draw: () => {} });
  await world.openAddress();
  assert.strictEqual(world.document.body.dataset.tab, undefined);
  address.hash = "#games";
  await world.openAddress();
  assert.strictEqual(world.document.body.dataset.tab, "games");
});

const NEW = { "POST /api/clients": [200, { id: "one" }] };

test("a page without storage connects and has a game", async () => {
  const { world, requests } = page(NEW);
  await world.connect();
  await world.connect();
  assert.deepStrictEqual(requests, ["POST /api/clients"]);
  world.startOwnGame();
  world.keepGame({ moves: [] });
});

test("a page that lost its connection takes a new place only if the server does not know it", async () => {
  for (const [answer, expected] of [[[204], []], [[404, { error: "in any words" }], ["POST /api/clients"]]]) {
    const { world, requests } = page({ ...NEW, "GET /api/clients/one": answer });
    await world.connect();
    await world.reconnect();
    await new Promise(setImmediate);
    assert.deepStrictEqual(requests, ["POST /api/clients", "GET /api/clients/one", ...expected]);
  }
});

test("a closed page frees its place", async () => {
  const { world, requests, leave } = page(NEW);
  leave();
  await world.connect();
  leave();
  assert.deepStrictEqual(requests, ["POST /api/clients", "beacon /api/clients/one/leave"]);
});

test("a restarted server gets the games again before the explorer shows its moves", async () => {
  const kept = { moves: ["e2e4"], ending: "resignation", white: true };
  const localStorage = { "game:a": JSON.stringify({ kept, time: 1 }) };
  Object.defineProperty(localStorage, "getItem", { value: (name) => localStorage[name] ?? null });
  const requests = [];
  let clients = 0;
  let gone = "";
  const { world } = open(["serve/page/explorer.js"], {}, {
    localStorage, sessionStorage: { getItem: refuse, setItem: refuse },
    EventSource: class { addEventListener() {} close() {} },
    document: { getElementById: () => ({ textContent: "{}" }), addEventListener: () => {} },
    setTimeout: (call) => call(),
    fetch: async (path) => {
      requests.push(path.replace("/api/clients", ""));
      const isKnown = gone === "" || !path.includes(gone);
      if (path === "/api/clients") clients += 1;
      const answer = isKnown ? path === "/api/clients" ? { id: `c${clients}` } : { games: 1 } : { error: "unknown" };
      return { ok: isKnown, status: isKnown ? 200 : 404, headers: new Map([["content-type", "application/json"]]), json: async () => answer };
    },
  });
  await world.connect();
  await world.explore({});
  gone = "c1";
  await world.explore({});
  assert.deepStrictEqual(requests, ["", "/c1/explorer/games", "/c1/explorer", "/c1/explorer", "", "/c2/explorer", "/c2/explorer/games", "/c2/explorer"]);
});

/** Runs the events worker. `pages` gives new pages of it: what they receive, and a way to send to it. */
function worker() {
  const sources = [];
  const timers = [];
  const world = { listeners: {}, now: 0 };
  class EventSource {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    constructor(path) {
      Object.assign(this, { path, listeners: {}, readyState: 1 });
      sources.push(this);
    }
    addEventListener(name, listener) { this.listeners[name] = listener; }
    close() { this.readyState = 2; }
  }
  const self = { addEventListener: (name, listener) => { world.listeners[name] = listener; } };
  const Date = { now: () => world.now };
  vm.runInNewContext(script(["serve/page/events_worker.js"]), { self, EventSource, Date, setTimeout: (call) => timers.push(call) });
  const addPage = () => {
    const page = { received: [] };
    const port = {
      addEventListener: (name, listener) => { page.send = (data) => { listener({ data }); timers.splice(0).forEach((call) => call()); }; },
      start: () => {}, postMessage: (message) => page.received.push(message),
    };
    world.listeners.connect({ ports: [port] });
    return page;
  };
  const open = () => sources.filter(({ readyState }) => readyState !== EventSource.CLOSED);
  const send = (name, data) => open()[0].listeners[name]({ data });
  return { addPage, open, send, world };
}

test("all pages of a browser share one event stream", () => {
  const { addPage, open, send } = worker();
  const pages = ["a", "b", "c", "d", "e", "f", "9"].map((client) => {
    const page = addPage();
    page.send({ listen: client });
    return page;
  });
  assert.deepStrictEqual(open().map(({ path }) => path), ["/api/events?clients=a,b,c,d,e,f,9"]);
  send("game", "c\n{\"plies\":[]}");
  assert.deepStrictEqual(pages[2].received.map(({ name, data }) => [name, data]), [["open", undefined], ["game", "{\"plies\":[]}"]]);
  assert.ok(pages.every(({ received }, index) => index === 2 || received.length === 0));
  pages[0].send({ leave: true });
  assert.deepStrictEqual(open().map(({ path }) => path), ["/api/events?clients=b,c,d,e,f,9"]);
  pages.slice(1).forEach((page) => page.send({ leave: true }));
  assert.deepStrictEqual(open(), []);
});

test("a page that joins does not interrupt the others, and a lost connection is told to all", () => {
  const { addPage, open, send } = worker();
  const [first, second] = [addPage(), addPage()];
  first.send({ listen: "a" });
  send("work", "a\n{}");
  second.send({ listen: "b" });
  send("work", "a\n{}");
  assert.deepStrictEqual(first.received.map(({ name }) => name), ["open", "work", "work"]);
  open()[0].listeners.error();
  assert.deepStrictEqual([first, second].map(({ received }) => received.at(-1).name), ["error", "error"]);
  send("gone", "a\nnull");
  send("work", "b\n{}");
  assert.deepStrictEqual([first, second].map(({ received }) => received.at(-1).name), ["gone", "work"]);
  assert.deepStrictEqual(second.received.map(({ name }) => name), ["error", "open", "work"]);
});

test("a page without a sign of life loses its place in the stream", () => {
  const { addPage, open, world } = worker();
  const [silent, alive] = [addPage(), addPage()];
  silent.send({ listen: "a" });
  alive.send({ listen: "b" });
  world.now = 50000;
  alive.send({ alive: "b" });
  world.now = 70000;
  alive.send({ alive: "b" });
  assert.deepStrictEqual(open().map(({ path }) => path), ["/api/events?clients=b"]);
  silent.send({ alive: "a" });
  assert.deepStrictEqual(open().map(({ path }) => path), ["/api/events?clients=b,a"]);
});
