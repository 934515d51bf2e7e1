// The program of the page of `outrider serve`: what it does where a browser allows little.
"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const { open } = require("./support.js");

const refuse = () => { throw new Error("closed"); };

/** The page of a server that answers each request with `answer`; a tab keeps nothing. */
function page(answer) {
  const asked = [];
  const opened = open(["../serve/page/requests.js", "../serve/page/kept.js"], {}, {
    sessionStorage: { getItem: refuse, setItem: refuse },
    localStorage: { getItem: refuse, setItem: refuse },
    BroadcastChannel: class { constructor() { refuse(); } },
    EventSource: class { addEventListener() {} close() {} },
    setTimeout: (call) => call(), crypto,
    fetch: async (path, options) => {
      asked.push(`${options.method} ${path}`);
      return { ok: true, status: 200, headers: new Map([["content-type", "application/json"]]), json: async () => answer };
    },
  });
  return { ...opened, asked };
}

test("a page that may keep nothing connects and has a game all the same", async () => {
  const { world, asked } = page({ id: "one" });
  await world.connect();
  assert.deepStrictEqual(asked, ["POST /api/clients"]);
  world.nameGame();
  world.keepGame({ moves: [] });
});
