// The program of the page of `outrider serve`: how it connects, also where a browser allows little.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

const refuse = () => { throw new Error("closed"); };

/**
 * The page of a server that answers as `answers` says: a status and JSON by the request. A tab keeps
 * nothing. What the page does when it is left is `leave`.
 */
function page(answers) {
  const asked = [];
  const leaving = {};
  const opened = open(["../serve/page/requests.js", "../serve/page/kept.js"], {}, {
    sessionStorage: { getItem: refuse, setItem: refuse },
    localStorage: { getItem: refuse, setItem: refuse },
    BroadcastChannel: class { constructor() { refuse(); } },
    EventSource: class { addEventListener() {} close() {} },
    window: { addEventListener: (name, listener) => { leaving[name] = listener; } },
    navigator: { sendBeacon: (path) => asked.push(`beacon ${path}`) },
    setTimeout: (call) => call(), crypto,
    fetch: async (path, { method }) => {
      const request = `${method} ${path}`;
      asked.push(request);
      const [status, answer] = answers[request];
      return { ok: status < 400, status, headers: new Map([["content-type", "application/json"]]), json: async () => answer };
    },
  });
  return { ...opened, asked, leave: () => leaving.pagehide() };
}

const NEW = { "POST /api/clients": [200, { id: "one" }] };

test("a page that may keep nothing connects and has a game all the same", async () => {
  const { world, asked } = page(NEW);
  await world.connect();
  await world.connect();
  assert.deepStrictEqual(asked, ["POST /api/clients"]);
  world.startOwnGame();
  world.keepGame({ moves: [] });
});

test("a page whose connection was lost takes a new place only if the server does not know it", async () => {
  for (const [answer, expected] of [[[204], []], [[404, { error: "in any words" }], ["POST /api/clients"]]]) {
    const { world, asked } = page({ ...NEW, "GET /api/clients/one": answer });
    await world.connect();
    await world.reconnect();
    await new Promise(setImmediate);
    assert.deepStrictEqual(asked, ["POST /api/clients", "GET /api/clients/one", ...expected]);
  }
});

test("a page that is closed gives its place away", async () => {
  const { world, asked, leave } = page(NEW);
  leave();
  await world.connect();
  leave();
  assert.deepStrictEqual(asked, ["POST /api/clients", "beacon /api/clients/one/leave"]);
});
