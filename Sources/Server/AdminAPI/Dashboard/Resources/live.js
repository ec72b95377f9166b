// The router's status, once a second, over an event stream that is replaced when it fails.

import { ask } from "./api.js";
import { History } from "./history.js";
import { SharedStream } from "./stream.js";

/// Time without a status after which the router counts as silent, in ms.
const silence = 3_500;
/// Time without a status after which the connection is replaced, in ms.
const death = 12_000;
/// Time between two requests for the history, which joins the samples of earlier seconds, in ms.
const historyInterval = 60_000;
/// Pauses between attempts to connect, in ms, and up to half as long again, so that not all tabs try at once;
/// the last one repeats.
const pauses = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/// The longest pause that the router can ask for, in ms.
const longestPause = 60_000;
/// How long a stream has to last, in ms, for the next pause to be the shortest.
const steady = 10_000;

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
    this.stream = new SharedStream((name, data) => this.hear(name, data), () => this.retry());
    this.attempts = 0;
    /// When the stream was opened.
    this.openedAt = 0;
    this.retrying = null;
    setInterval(() => this.look(), 500);
    setInterval(() => { if (this.state === "live") this.loadHistory(); }, historyInterval);
    const hurry = () => { if (this.retrying !== null && !document.hidden) this.connect(); };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    // A page that the browser keeps without running it must not keep the stream from other tabs.
    addEventListener("pagehide", () => this.stream.end());
    document.addEventListener("freeze", () => this.stream.end());
    const wake = () => { if (!this.stream.isOpen && this.retrying === null) this.connect(); };
    addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
    document.addEventListener("resume", wake);
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
    this.stay();
    try {
      this.take(await ask("v1/status"));
      this.openedAt = performance.now();
      this.stream.open();
      this.loadHistory();
    } catch (problem) {
      this.detail = problem.message;
      this.retry(problem.retryAfter);
    }
  }

  /// Calls off the next attempt to connect.
  stay() {
    clearTimeout(this.retrying);
    this.retrying = null;
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

  /// An event of the stream, here or in another tab.
  hear(name, data) {
    this.stay();
    try {
      const found = JSON.parse(data);
      if (name === "status") {
        this.take(found);
        if (performance.now() - this.openedAt > steady) this.attempts = 0;
      } else {
        // The stream is open, but the router's loop has published no status.
        this.detail = found.detail ?? "";
      }
    } catch {
      this.detail = "What the router sent cannot be read.";
    }
  }

  retry(seconds) {
    this.stream.end();
    this.stay();
    const pause = pauses[Math.min(this.attempts, pauses.length - 1)] * (1 + Math.random() / 2);
    this.attempts += 1;
    // A stream may end at any time; that is shown only if the next attempt fails too.
    if (this.attempts > 1 || this.silentFor > silence) this.enter("away");
    this.retrying = setTimeout(() => this.connect(),
      seconds ? Math.min(seconds * 1000, longestPause) : pause);
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
    if (!this.stream.isOpen || this.silentFor < silence) return;
    this.enter("silent");
    if (this.silentFor > death) this.retry();
    else this.stream.check();
  }
}
