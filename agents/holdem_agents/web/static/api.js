// Asking the server. Every error is an ApiError whose message is a sentence that can be shown.

import { offer } from "./dom.js";

/** wasRepeated: the request was sent again, so the server may have acted on the first one. */
export class ApiError extends Error {
  constructor(status, message, body = {}, wasRepeated = false) {
    super(message);
    Object.assign(this, { status, body, wasRepeated });
  }
}

const LOST = "The server does not answer. Is `holdem web` still running?";
const SILENCE = 40_000; // the server says something every 15 seconds
const PATIENCE = 1000; // milliseconds until a probe is sent, and until the probe must be answered

/** Requests without an answer. A slow answer is no news; a server that leaves even a small file waiting is. */
const pending = new Set();
let probe = null;

async function checkServer() {
  if (probe || !pending.size) return;
  probe = new AbortController();
  let withdraw = null;
  const late = setTimeout(() => {
    const sent = [...pending].some((each) => each.moves) ? "; your move is sent" : "";
    withdraw = offer(`The server does not answer yet${sent}.`, "Try again", () => [...pending, probe].forEach((each) => each.abort()));
  }, PATIENCE);
  await fetch("/icon.svg", { cache: "no-store", signal: probe.signal }).catch(() => null);
  clearTimeout(late);
  withdraw?.();
  probe = null;
  setTimeout(checkServer, PATIENCE);
}

/** Fetch, and send the request again when the reader wants that. Returns the response and whether it was repeated. */
async function send(path, options) {
  for (let wasRepeated = false; ; wasRepeated = true) {
    const request = new AbortController();
    request.moves = path.endsWith("/move");
    pending.add(request);
    const late = setTimeout(checkServer, PATIENCE);
    try {
      return [await fetch(path, { credentials: "same-origin", ...options, signal: request.signal }), wasRepeated];
    } catch (error) {
      if (!request.signal.aborted) throw error;
    } finally {
      clearTimeout(late);
      pending.delete(request);
      if (!pending.size) probe?.abort();
    }
  }
}

async function ask(path, options = {}) {
  let response, wasRepeated;
  try {
    [response, wasRepeated] = options.signal ? [await fetch(path, { credentials: "same-origin", ...options }), false] : await send(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, LOST);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  const unknown = response.status === 401
    ? "The server was restarted. Open the address that `holdem web` printed."
    : `The server answers with the status ${response.status}.`;
  throw new ApiError(response.status, body.error ?? unknown, body, wasRepeated);
}

export const api = {
  /** What a path answers, from JSON. */
  async get(path, options = {}) {
    return (await ask(path, options)).json();
  },

  /** Send a body as JSON; returns what the path answers. */
  async post(path, body = {}) {
    const headers = { "Content-Type": "application/json" };
    return (await ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  },

  /** Send a file as it is; returns what the path answers. */
  async send(path, file) {
    return (await ask(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file })).json();
  },

  /**
   * Follow a stream of events, each of which is one JSON value. onData(value); onState("live" | "lost", error).
   * Connects again by itself, except when the server says no (status 4xx). Returns a function that ends it.
   */
  events(path, onData, onState = () => {}) {
    const stream = new Stream(path, onData, onState);
    stream.run();
    return () => stream.end();
  },
};

class Stream {
  constructor(path, onData, onState) {
    Object.assign(this, { path, onData, onState, ended: false, tries: 0 });
    this.retryNow = () => this.wake?.();
    this.drop = () => this.abort?.abort();
    addEventListener("online", this.retryNow);
    addEventListener("offline", this.drop);
  }

  async run() {
    while (!this.ended) {
      const error = await this.once().catch((problem) => problem);
      if (this.ended) return;
      this.onState("lost", error);
      if (error?.status >= 400 && error.status < 500) return this.end();
      const pause = Math.min(500 * 2 ** this.tries++, 5000);
      await new Promise((done) => { this.wake = done; setTimeout(done, pause); });
    }
  }

  /** One connection, until it breaks. */
  async once() {
    this.abort = new AbortController();
    const response = await ask(this.path, { signal: this.abort.signal, headers: { Accept: "text/event-stream" } });
    this.onState("live");
    this.tries = 0;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const guard = setTimeout(this.drop, SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(guard));
      if (done) return null;
      const events = (text + value).replaceAll("\r\n", "\n").split("\n\n");
      text = events.pop();
      if (!this.ended) events.forEach((each) => this.hand(each));
    }
  }

  hand(event) {
    const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
    if (data.length) this.onData(JSON.parse(data.join("\n")));
  }

  end() {
    this.ended = true;
    removeEventListener("online", this.retryNow);
    removeEventListener("offline", this.drop);
    this.drop();
    this.retryNow();
  }
}
