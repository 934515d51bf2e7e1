import { findField, onChange } from "../../tools/pages/common.js";
import { attempt } from "./messages.js";

// Files that the user opens: their compression and their encoding.

/** Usual maximum size of a file in bytes, unpacked. The server takes as much. */
const MAX_FILE = 4 << 20;

/** First bytes of formats. */
const GZIP = [0x1f, 0x8b];
const ZSTANDARD = [0x28, 0xb5, 0x2f, 0xfd];
const UTF_16_LITTLE_ENDIAN = [0xff, 0xfe];
const UTF_16_BIG_ENDIAN = [0xfe, 0xff];

/** @param {Uint8Array} bytes @param {number[]} mark */
const beginsWith = (bytes, mark) => mark.every((byte, index) => bytes[index] === byte);

/** Returns the bytes of a stream, or null if there are too many: a small file may unpack to gigabytes. @param {ReadableStream} stream @param {number} max */
async function bytesOf(stream, max) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > max) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the bytes of a file that is packed with gzip, or null if there are too many. @param {ReadableStream} stream @param {number} max */
async function unpacked(stream, max) {
  try {
    return await bytesOf(stream.pipeThrough(new DecompressionStream("gzip")), max);
  } catch {
    throw new Error("The browser cannot unpack this file: unpack it first, for example with gzip -d.");
  }
}

/** Returns bytes as text: UTF-16 with a byte-order mark, UTF-8, or Windows-1252 as in many old PGN files. @param {Uint8Array} bytes */
function decoded(bytes) {
  if (beginsWith(bytes, UTF_16_LITTLE_ENDIAN)) return new TextDecoder("utf-16le").decode(bytes);
  if (beginsWith(bytes, UTF_16_BIG_ENDIAN)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Returns a file as text. It may be packed with gzip. @param {Blob} file @param {number} [max] Size in bytes, unpacked. */
export async function textOf(file, max = MAX_FILE) {
  const head = new Uint8Array(await file.slice(0, ZSTANDARD.length).arrayBuffer());
  if (beginsWith(head, ZSTANDARD)) throw new Error("Browsers cannot unpack Zstandard: unpack this file first, for example with zstd -d.");
  const bytes = await (beginsWith(head, GZIP) ? unpacked : bytesOf)(file.stream(), max);
  if (!bytes) throw new Error(`This file is too large: a file has at most ${max >> 20} MB, unpacked.`);
  return decoded(bytes);
}

/** Calls `onFile` with the text and name of a file, or shows why it cannot be read. @param {File} file @param {(text: string, name: string) => unknown} onFile @param {number} [max] */
export const openFile = (file, onFile, max) => attempt(async () => onFile(await textOf(file, max), file.name));

/** Calls `onFile` with the text and name of the file that is chosen in an input. @param {string} id @param {(text: string, name: string) => unknown} onFile @param {number} [max] */
export function acceptFiles(id, onFile, max) {
  const input = findField(id);
  onChange(id, async () => {
    const [file] = input.files ?? [];
    if (file) await openFile(file, onFile, max);
    input.value = "";
  });
}
