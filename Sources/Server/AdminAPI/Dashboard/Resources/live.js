// The router's status, once a second, over an EventSource that is replaced when it fails.

import { ask, eventsAddress } from "./api.js";
import { History } from "./history.js";

/// Time without a status after which the router counts as silent, in ms.
const silence = 3_500;
/// Time without a status after which the connection is replaced, in ms.
const death = 12_000;
/// Time between two requests for the history, which joins the samples of earlier seconds, in ms.
const historyInterval = 60_000;
/// Pauses between attempts to connect, in ms; the last one repeats.
const pauses = [500, 1_000, 2_000, 4_000];

export class Live {
  constructor() {
    this.history = new History();
    /// `connecting`, `live`, `silent` or `away`.
    this.state = "connecting";
    /// Why there is no status; empty while there is one.
    this.detail = "";
    this.heardAt = performance.now();
    this.skew = 0;
    this.listeners = new Set();
    this.source = null;
    this.attempts = 0;
    setInterval(() => this.look(), 500);
    setInterval(() => { if (this.state === "live") this.loadHistory(); }, historyInterval);
    this.connect();
  }

  get status() { return this.history.status; }
  get rates() { return this.history.rates; }

  /// The router's clock, in ms since 1970.
  now() { return Date.now() + this.skew; }

  /// Time since the last status, in ms; before the first one, since the page was opened.
  get silentFor() { return performance.now() - this.heardAt; }

  /// Calls `listener` after each status and each change of the state; returns a function that stops
  /// it.
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  /// Asks once, which reveals whether a token is needed, and then opens the event stream.
  async connect() {
    try {
      this.take(await ask("v1/status"));
      this.open();
      this.loadHistory();
    } catch (problem) {
      this.detail = problem.message;
      this.retry(problem.retryAfter);
    }
  }

  /// Asks for what the router has kept of the charts' range. If that fails, the charts show what
  /// comes from now on, and the next request follows in a minute.
  async loadHistory() {
    try {
      this.history.merge(await ask(`v1/history?range=${this.history.range / 1000}`));
      this.tell();
    } catch {
      // The page has said already that the router does not answer.
    }
  }

  /// Sets how far back charts go, in ms.
  setRange(range) {
    this.history.range = range;
    this.history.isRangeChosen = true;
    this.tell();
    this.loadHistory();
  }

  open() {
    const source = new EventSource(eventsAddress());
    this.source = source;
    source.addEventListener("status", (event) => {
      try {
        this.take(JSON.parse(event.data));
        this.attempts = 0;
      } catch {
        this.detail = "What the router sent cannot be read.";
      }
    });
    // The stream is open, but the router's loop has published no status.
    source.addEventListener("problem", (event) => {
      try {
        this.detail = JSON.parse(event.data).detail ?? "";
      } catch {
        this.detail = "What the router sent cannot be read.";
      }
    });
    // An EventSource reconnects by itself, but not after a status such as 401, which it hides.
    source.onerror = () => this.retry();
  }

  retry(seconds) {
    this.source?.close();
    this.source = null;
    const pause = pauses[Math.min(this.attempts, pauses.length - 1)];
    this.attempts += 1;
    // A stream may end at any time; that is shown only if the next attempt fails too.
    if (this.attempts > 1 || this.silentFor > silence) this.enter("away");
    setTimeout(() => this.connect(), seconds ? Math.min(seconds * 1000, 5_000) : pause);
  }

  take(status) {
    if (!this.history.add(status)) return;
    this.heardAt = performance.now();
    this.skew = status.at - Date.now();
    this.detail = "";
    this.state = "live";
    this.tell();
  }

  enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.tell();
  }

  look() {
    if (this.source === null || this.silentFor < silence) return;
    this.enter("silent");
    if (this.silentFor > death) this.retry();
  }
}
