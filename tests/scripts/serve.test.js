// The script of the page of `outrider serve`: how it connects, also in restricted browsers.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

const refuse = () => { throw new Error("closed"); };

/**
 * Opens the page of a server. `answers` gives a status and JSON for each request. The tab has no storage.
 * `leave` calls the page's handler for leaving it.
 */
function page(answers) {
  const requests = [];
  const leaving = {};
  const opened = open(["../serve/page/requests.js", "../serve/page/kept.js"], {}, {
    sessionStorage: { getItem: refuse, setItem: refuse },
    localStorage: { getItem: refuse, setItem: refuse },
    BroadcastChannel: class { constructor() { refuse(); } },
    EventSource: class { addEventListener() {} close() {} },
    window: { addEventListener: (name, listener) => { leaving[name] = listener; } },
    navigator: { sendBeacon: (path) => requests.push(`beacon ${path}`) },
    setTimeout: (call) => call(), crypto,
    fetch: async (path, { method }) => {
      const request = `${method} ${path}`;
      requests.push(request);
      const [status, answer] = answers[request];
      return { ok: status < 400, status, headers: new Map([["content-type", "application/json"]]), json: async () => answer };
    },
  });
  return { ...opened, requests, leave: () => leaving.pagehide() };
}

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
