/**
 * Worker shared by all pages of a browser. It has one event stream for all of them and sends each page the
 * events of its client.
 */
export {};

/** A page that has sent nothing for this time in milliseconds is closed. */
const SILENCE = 60000;
/** Changes within this time in milliseconds open the stream once. */
const GATHERING_TIME = 20;
const NAMES = ["game", "analysis", "work", "gone"];

/** The pages by port: their client, the time of their last message, and if they have received an event. @type {Map<MessagePort, { client: string, seen: number, isOpen: boolean }>} */
const pages = new Map();
/** @type {EventSource | null} */
let source = null;
/** @type {ReturnType<typeof setTimeout> | null} */
let gathering = null;

function openSource() {
  gathering = null;
  source?.close();
  source = null;
  const clients = [...new Set([...pages.values()].map(({ client }) => client))];
  if (clients.length === 0) return;
  const own = new EventSource(`/api/events?clients=${clients.join(",")}`);
  source = own;
  own.addEventListener("error", () => {
    for (const [port, page] of pages) {
      page.isOpen = false;
      port.postMessage({ name: "error", state: own.readyState });
    }
  });
  for (const name of NAMES) own.addEventListener(name, (event) => deliver(name, event.data));
}

/** Sends an event to the pages of its client, whose id is the first line. @param {string} name @param {string} text */
function deliver(name, text) {
  const end = text.indexOf("\n");
  const client = text.slice(0, end);
  const data = text.slice(end + 1);
  for (const [port, page] of pages) {
    if (page.client !== client) continue;
    if (!page.isOpen && name !== "gone") {
      page.isOpen = true;
      port.postMessage({ name: "open", state: EventSource.OPEN, client });
    }
    port.postMessage({ name, data, client });
  }
}

function changed() {
  gathering ??= setTimeout(openSource, GATHERING_TIME);
}

function forgetSilentPages() {
  const silent = [...pages].filter(([, { seen }]) => Date.now() - seen > SILENCE);
  for (const [port] of silent) pages.delete(port);
  if (silent.length > 0) changed();
}

/** @param {MessagePort} port @param {{ listen?: string, alive?: string, leave?: boolean }} message */
function receive(port, { listen, alive, leave }) {
  const page = pages.get(port);
  if (leave) {
    if (pages.delete(port)) changed();
  } else if (alive && page?.client === alive) {
    page.seen = Date.now();
  } else {
    pages.set(port, { client: listen ?? alive ?? "", seen: Date.now(), isOpen: false });
    changed();
  }
  forgetSilentPages();
}

self.addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.addEventListener("message", ({ data: message }) => receive(port, message));
  port.start();
});
