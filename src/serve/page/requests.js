/** The server: a client for this page, requests, and what is sent as it happens. */
const server = { id: null, source: null, listeners: {}, wasLost: false };

/** After this time out of sight the page hears nothing more, and what is analysed for it stops. */
const HIDDEN_TIME = 20000;
/** The time between two attempts to connect, in milliseconds. */
const RETRY_TIME = 1000;

/** Sends a request and returns the answer; throws what the server says against it. */
async function request(path, body, options = {}) {
  const isText = typeof body === "string";
  const response = await fetch(path, {
    method: options.method ?? "POST",
    headers: body === undefined ? {} : { "content-type": isText ? "text/plain" : "application/json" },
    body: body === undefined || isText ? body : JSON.stringify(body),
    signal: options.signal,
  });
  if (response.status === 204) return null;
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) {
    const error = new Error(isJson ? answer.error : answer);
    error.status = response.status;
    throw error;
  }
  return answer;
}

/** Sends a request of this client; connects first if the server does not know it any more. */
async function ask(path, body) {
  try {
    return await request(`/api/clients/${server.id}/${path}`, body);
  } catch (error) {
    if (error.status !== 404) throw error;
    await connect(true);
    return request(`/api/clients/${server.id}/${path}`, body);
  }
}

/** Calls `listener` with each event of a name. */
function onEvent(name, listener) {
  server.listeners[name] = listener;
}

/** Begins to listen as the client of this tab, or as a new one, which goes on with the game kept. */
async function connect(isNew = false) {
  server.source?.close();
  server.id = isNew ? null : server.id ?? readFromTab("client");
  if (!server.id) {
    server.id = (await request("/api/clients")).id;
    writeToTab("client", server.id);
    await restoreGame();
  }
  listen();
}

function listen() {
  const source = new EventSource(`/api/clients/${server.id}/events`);
  server.source = source;
  source.addEventListener("open", () => {
    showConnection("");
    server.listeners.open?.();
  });
  for (const name of ["game", "analysis", "work"]) {
    source.addEventListener(name, (event) => server.listeners[name]?.(JSON.parse(event.data)));
  }
  source.addEventListener("error", () => {
    showConnection("Connection lost. Your game is saved.");
    // A server that was started again does not know this client.
    if (source.readyState === EventSource.CLOSED) reconnect();
  });
}

async function reconnect() {
  server.source?.close();
  server.source = null;
  try {
    await request(`/api/clients/${server.id}`, undefined, { method: "GET" });
    listen();
  } catch (error) {
    if (error.status === 404) connect(true).catch(failToConnect);
    else setTimeout(reconnect, RETRY_TIME);
  }
}

function failToConnect(error) {
  showConnection(error.status ? error.message : "The server does not respond.");
  setTimeout(() => connect(!server.id).catch(failToConnect), 3 * RETRY_TIME);
}

function showConnection(text) {
  find("connection").textContent = text;
}

// The place of a page that is closed is free at once; one that is only loaded again takes it back.
window.addEventListener("pagehide", () => {
  if (server.id) navigator.sendBeacon(`/api/clients/${server.id}/leave`);
});

let hiding = null;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiding = setTimeout(() => { server.source?.close(); server.source = null; }, HIDDEN_TIME);
  } else if (!server.source && server.id) {
    listen();
  }
});
