// One event stream for all tabs with the same token: a browser opens at most six connections to a server,
// and each stream takes one.
//
//     router ──► the tab that reads ──► BroadcastChannel ──► the other tabs
//
// A tab that hears of none begins to read. Of two that read, the one that began later ends.

import { eventsAddress, tabsName } from "./api.js";

/// How long a tab waits at least for word of one that reads, in ms; up to twice as long, so that of tabs that
/// are opened together one is the first.
const patience = 150;
/// The events of the stream.
const names = ["status", "problem"];

export class SharedStream {
  /// `hear` is called with the name and the data of each event, `lose` when this tab's stream has ended.
  constructor(hear, lose) {
    this.hear = hear;
    this.lose = lose;
    this.channel = null;
    this.source = null;
    /// When this tab began to read, with a fraction that no other tab has.
    this.since = 0;
    /// The same of the other tab that reads; null if none is known.
    this.reader = null;
    /// Changes whenever a wait for word of other tabs is over.
    this.turn = 0;
  }

  /// Whether there is a stream, in this tab or another one.
  get isOpen() { return this.source !== null || this.reader !== null; }

  /// Asks which tab reads; if there is none, this one does.
  async open() {
    this.turn += 1;
    const { turn } = this;
    this.reader = null;
    if (this.join()) {
      this.post("who");
      await new Promise((resolve) => { setTimeout(resolve, patience * (1 + Math.random())); });
    }
    if (turn === this.turn && !this.isOpen) this.read();
  }

  /// Asks whether the tab that reads is still there; if not, this one reads.
  check() { if (this.source === null) this.open(); }

  /// Ends the stream if it is this tab's, and follows no other.
  end() {
    this.turn += 1;
    this.reader = null;
    if (this.source === null) return;
    this.source.close();
    this.source = null;
    this.post("ends");
  }

  /// Joins the tabs with the same token; false if the browser has no channels.
  join() {
    if (typeof BroadcastChannel !== "function") return false;
    if (this.channel?.name === tabsName()) return true;
    this.channel?.close();
    this.channel = new BroadcastChannel(tabsName());
    this.channel.onmessage = ({ data }) => this.take(data);
    return true;
  }

  post(kind, more = {}) { this.channel?.postMessage({ kind, since: this.since, ...more }); }

  take({ kind, since, name, data }) {
    switch (kind) {
      case "who":
        if (this.source !== null) this.post("reads");
        return;
      case "ends":
        if (since === this.reader) this.open();
        return;
      default: break;
    }
    if (this.source !== null) {
      if (this.since < since) {
        this.post("reads");
        return;
      }
      this.source.close();
      this.source = null;
    }
    this.reader = since;
    if (kind === "event") this.hear(name, data);
  }

  read() {
    this.since = Date.now() + Math.random();
    const source = new EventSource(eventsAddress());
    this.source = source;
    this.post("reads");
    for (const name of names) {
      source.addEventListener(name, ({ data }) => {
        this.post("event", { name, data });
        this.hear(name, data);
      });
    }
    // An EventSource reconnects by itself, but not after a status such as 401, which it hides.
    source.onerror = () => {
      this.end();
      this.lose();
    };
  }
}
