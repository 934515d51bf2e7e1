/** @import { Events } from "./types.js" */
/**
 * The event stream of this page. A browser opens at most six connections to a server, so its pages share one
 * stream in a worker. A browser without shared workers opens a stream for each page.
 */

/** A page tells the worker this often that it is open, in milliseconds. */
const SIGN_OF_LIFE = 10000;

/** The worker of this page; null if there is none. @type {SharedWorker | null} */
let eventsWorker = startEventsWorker();

function startEventsWorker() {
  if (typeof SharedWorker === "undefined") return null;
  try {
    const worker = new SharedWorker("/events.js", { name: "outrider-events" });
    worker.addEventListener("error", leaveEventsWorker);
    return worker;
  } catch {
    return null;
  }
}

/** Makes the page open streams of its own from now on. */
export function leaveEventsWorker() {
  eventsWorker = null;
}

/** The events of a client from the worker. @implements {Events} */
class SharedEvents {
  /** @type {number} */
  readyState = EventSource.CONNECTING;
  /** @type {Record<string, (event: { data: string }) => void>} */
  listeners = {};

  /** @param {SharedWorker} worker @param {string} client */
  constructor(worker, client) {
    this.client = client;
    this.port = worker.port;
    this.port.onmessage = ({ data: message }) => this.receive(message);
    this.port.postMessage({ listen: client });
    this.timer = setInterval(() => this.sign(), SIGN_OF_LIFE);
    // The worker has failed to start.
    worker.addEventListener("error", () => this.receive({ name: "error", state: EventSource.CLOSED }));
  }

  sign() {
    this.port.postMessage({ alive: this.client });
  }

  /** @param {string} name @param {(event: { data: string }) => void} listener */
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  /** @param {{ name: string, data?: string, state?: number, client?: string }} message */
  receive({ name, data = "", state, client }) {
    const isOwn = client === undefined || client === this.client;
    if (this.readyState === EventSource.CLOSED || !isOwn) return;
    if (state !== undefined) this.readyState = state;
    this.listeners[name]?.({ data });
  }

  close() {
    this.readyState = EventSource.CLOSED;
    clearInterval(this.timer);
    this.port.postMessage({ leave: true });
  }
}

/** Opens the event stream of a client. @param {string} client @returns {Events} */
export function openEvents(client) {
  return eventsWorker ? new SharedEvents(eventsWorker, client) : new EventSource(`/api/clients/${client}/events`);
}

// If the browser keeps the page and shows it again, its sign of life lets it listen again.
window.addEventListener("pagehide", () => eventsWorker?.port.postMessage({ leave: true }));
