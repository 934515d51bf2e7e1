/** The connection to the server: the client of this page, its event source and its listeners. */
const server = { id: null, source: null, listeners: {}, wasLost: false };

/** A page hidden for this time in milliseconds closes its event source, and its analysis stops. */
const HIDDEN_TIME = 20000;
/** Time between two attempts to connect in milliseconds. */
const RETRY_TIME = 1000;

/** Sends a request and returns the response. Throws an error with the server's reason and status. */
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

/** Sends a request of this client. If the server no longer knows the client, connects again first. */
async function ask(path, body) {
  try {
    return await request(`/api/clients/${server.id}/${path}`, body);
  } catch (error) {
    if (error.status !== 404) throw error;
    await connect(true);
    return request(`/api/clients/${server.id}/${path}`, body);
  }
}

/** Sets the listener for events of this name. */
function onEvent(name, listener) {
  server.listeners[name] = listener;
}

/** Connects as the client of this tab, or as a new one with the stored game restored. */
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
  const source = openEvents(server.id);
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

// A closed page releases its client at once; a reloaded page takes it back.
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
