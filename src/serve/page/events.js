/**
 * The event stream of this page. A browser opens at most six connections to a server, so its pages share one
 * stream in a worker. A browser without shared workers opens a stream for each page.
 */

/** A page tells the worker this often that it is open, in milliseconds. */
const SIGN_OF_LIFE = 10000;

/** The worker of this page; null if there is none. */
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
function leaveEventsWorker() {
  eventsWorker = null;
}

/** The events of a client from the worker. Its interface is that of an EventSource. */
class SharedEvents {
  constructor(worker, client) {
    this.readyState = EventSource.CONNECTING;
    this.listeners = {};
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

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  receive({ name, data, state, client }) {
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

/** Opens the event stream of a client. */
function openEvents(client) {
  return eventsWorker ? new SharedEvents(eventsWorker, client) : new EventSource(`/api/clients/${client}/events`);
}

// If the browser keeps the page and shows it again, its sign of life lets it listen again.
window.addEventListener("pagehide", () => eventsWorker?.port.postMessage({ leave: true }));
