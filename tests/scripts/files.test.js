// Files that the user opens in the page of `outrider serve`: compressions and encodings.
"use strict";
const assert = require("node:assert");
const zlib = require("node:zlib");
const { test } = require("node:test");
const { open } = require("./support.js");

const { textOf } = open("serve/page/files.js", {}, { Blob, DecompressionStream, TextDecoder }).world;
const text = (...parts) => textOf(new Blob(parts));
const GAME = "[White \"Müller\"]\n\n1. e4 *\n";

test("a text is read in each of its encodings", async () => {
  const little = Buffer.from(`\ufeff${GAME}`, "utf16le");
  for (const bytes of [Buffer.from(GAME), Buffer.from(`\ufeff${GAME}`), Buffer.from(GAME, "latin1"), little, Buffer.from(little).swap16()]) {
    assert.strictEqual(await text(bytes), GAME, bytes.toString("hex"));
  }
  assert.strictEqual(await text(), "");
});

test("a file that is packed with gzip is unpacked, in each encoding", async () => {
  for (const encoding of ["utf8", "latin1"]) assert.strictEqual(await text(zlib.gzipSync(Buffer.from(GAME, encoding))), GAME);
  assert.strictEqual(await text(zlib.gzipSync(Buffer.from(`\ufeff${GAME}`, "utf16le"))), GAME);
  const packed = zlib.gzipSync(GAME);
  for (const damaged of [packed.subarray(0, packed.length - 9), Buffer.concat([packed.subarray(0, 12), packed])]) {
    await assert.rejects(text(damaged), /^Error: The browser cannot unpack this file/);
  }
});

test("a file that is packed with Zstandard is refused by its name", async () => {
  await assert.rejects(text(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04])), /Zstandard: unpack this file first/);
});

test("a file is not longer than the server takes, also after it is unpacked", async () => {
  const longest = Buffer.alloc(4 << 20, "x");
  assert.strictEqual((await text(longest)).length, longest.length);
  assert.strictEqual((await text(zlib.gzipSync(longest))).length, longest.length);
  for (const long of [[longest, "x"], [zlib.gzipSync(Buffer.alloc(64 << 20))]]) {
    await assert.rejects(text(...long), /too large: a file has at most 4 MB/);
  }
});
