import { find } from "../../tools/pages/common.js";
import { openEvents } from "./events.js";
import { readFromTab, writeToTab } from "./storage.js";
/** @import { Events } from "./types.js" */

/**
 * The connection to the server: the client of this page, its event source and its listeners.
 * @type {{ id: string | null, source: Events | null, listeners: Record<string, (view?: any) => unknown> }}
 */
export const server = { id: null, source: null, listeners: {} };

/** A page hidden for this time in milliseconds closes its event source, and its analysis stops. */
const HIDDEN_TIME = 20000;
/** Time between two attempts to connect in milliseconds. */
const RETRY_TIME = 1000;

/** A refused request. */
class RequestError extends Error {
  /** @param {string} reason @param {number} status */
  constructor(reason, status) {
    super(reason);
    this.status = status;
  }
}

/** Returns whether the server has refused a request with this status. @param {unknown} error @param {number} status */
const hasStatus = (error, status) => error instanceof RequestError && error.status === status;

/**
 * Sends a request and returns the response. Throws an error with the server's reason and status.
 * @param {string} path
 * @param {unknown} [body] A text, or a value that is sent as JSON.
 */
export async function request(path, body, method = "POST") {
  const isText = typeof body === "string";
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": isText ? "text/plain" : "application/json" },
    body: body === undefined || isText ? body : JSON.stringify(body),
  });
  if (response.status === 204) return null;
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new RequestError(isJson ? answer.error : answer, response.status);
  return answer;
}

/** Returns the address of something that belongs to this client. @param {string} path */
export const ownPath = (path) => `/api/clients/${server.id}/${path}`;

/** Fetches something that belongs to this client. @param {string} path */
export const fetchOwn = (path) => request(ownPath(path), undefined, "GET");

/** Sends a request of this client. If the server no longer knows the client, connects again first. @param {string} path @param {unknown} [body] */
export async function ask(path, body) {
  try {
    return await request(ownPath(path), body);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    await connect(true);
    return request(ownPath(path), body);
  }
}

/**
 * Sets the listener for events of the server, for the opening of the stream ("open"), or for a new client ("new").
 * @param {string} name
 * @param {(view?: any) => unknown} listener
 */
export function onEvent(name, listener) {
  server.listeners[name] = listener;
}

/** Connects as the client of this tab, or as a new one. */
export async function connect(isNew = false) {
  server.source?.close();
  server.id = isNew ? null : server.id ?? readFromTab("client");
  if (!server.id) {
    server.id = (await request("/api/clients")).id;
    writeToTab("client", server.id ?? "");
    await server.listeners.new?.();
  }
  listen();
}

export function listen() {
  const source = openEvents(server.id ?? "");
  server.source = source;
  source.addEventListener("open", () => {
    showConnection("");
    server.listeners.open?.();
  });
  for (const name of ["game", "analysis", "work"]) {
    source.addEventListener(name, (event) => server.listeners[name]?.(JSON.parse(event.data)));
  }
  source.addEventListener("gone", reconnect);
  source.addEventListener("error", () => {
    showConnection("Connection lost. Your game is saved.");
    // A restarted server does not know this client.
    if (source.readyState === EventSource.CLOSED) reconnect();
  });
}

export async function reconnect() {
  server.source?.close();
  server.source = null;
  try {
    await request(`/api/clients/${server.id}`, undefined, "GET");
    listen();
  } catch (error) {
    if (hasStatus(error, 404)) connect(true).catch(failToConnect);
    else setTimeout(reconnect, RETRY_TIME);
  }
}

/** @param {unknown} error */
export function failToConnect(error) {
  showConnection(error instanceof RequestError ? error.message : "The server does not respond.");
  setTimeout(() => connect(!server.id).catch(failToConnect), 3 * RETRY_TIME);
}

/** @param {string} text */
function showConnection(text) {
  find("connection").textContent = text;
}

// A closed page releases its client at once; a reloaded page takes it back.
window.addEventListener("pagehide", () => {
  if (server.id) navigator.sendBeacon(`/api/clients/${server.id}/leave`);
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiding = setTimeout(() => { server.source?.close(); server.source = null; }, HIDDEN_TIME);
  } else if (!server.source && server.id) {
    listen();
  }
});
