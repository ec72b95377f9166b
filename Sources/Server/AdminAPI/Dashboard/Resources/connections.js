// The page of open connections.

import { ask } from "./api.js";
import { make, number, setText, table } from "./dom.js";
import * as format from "./format.js";
import { Pages } from "./repeat.js";

/// Time between two requests, in ms.
const interval = 2_000;

const stateMeaning =
  "Paused: it is not read from for now. Full: it accepts no output, and RELOADs wait.";

export class Connections {
  constructor(live) {
    this.live = live;
    this.title = "Connections";
    this.earlier = new Map();
    this.list = table("Live connections", [
      { name: "connection" }, { name: "role" }, { name: "app" },
      { name: "name", title: "The producer or device." },
      number("open for"), number("silent for", "Since its last frame."),
      number("in/s"), number("out/s"), number("frames/s"),
      number("unsent", "Bytes that the system has not accepted yet."),
      number("unacknowledged", "RELOADs without an answer."),
      number("devices"), { name: "state" },
    ], "no connections");
    this.about = make("p", { class: "lead" });
    this.pages = new Pages(interval, (page, signal) => this.load(page, signal));
    this.element = make("div", {},
      make("h1", { text: "Connections", tabindex: "-1" }), this.about,
      this.pages.problem,
      make("section", { class: "panel" }, this.list.element), this.pages.element);
  }

  begin() { this.pages.begin(); }
  end() { this.pages.end(); }

  async load(page, signal) {
    const found = await ask(`v1/connections?${page}`, { signal });
    const now = this.live.now();
    const rows = found.connections ?? [];
    this.list.show(rows.map((connection) => this.row(connection, now)));
    const at = performance.now();
    this.earlier = new Map(rows.map((connection) => [connection.slot, { at, connection }]));
    this.show();
    return found;
  }

  row(one, now) {
    const before = this.earlier.get(one.slot);
    const isSame = before?.connection.openedAt === one.openedAt;
    const seconds = isSame ? (performance.now() - before.at) / 1000 : 0;
    const rate = (part) =>
      (seconds > 0.2 ? Math.max(0, one[part] - before.connection[part]) / seconds : undefined);
    const isDevice = one.role === "device" && one.name;
    const state = [one.isHeld && "paused", one.isFull && "full"].filter(Boolean).join(", ");
    return [
      { text: one.peer, title: `Slot ${one.slot}` }, one.role, one.app,
      { text: one.name, href: isDevice ? deviceAddress(one.app, one.name) : undefined },
      { text: format.span(now - one.openedAt), title: format.exact(one.openedAt) },
      { text: format.span(now - one.lastFrameAt), title: format.exact(one.lastFrameAt) },
      { text: format.bytes(rate("inputBytes")), title: `${format.bytes(one.inputBytes)} in all` },
      { text: format.bytes(rate("outputBytes")), title: `${format.bytes(one.outputBytes)} in all` },
      { text: format.short(rate("frames")), title: `${format.count(one.frames)} in all` },
      format.bytes(one.unsentBytes), format.count(one.unacknowledged), format.count(one.devices),
      { text: state || "serving", mark: state ? "warn" : undefined,
        title: state ? stateMeaning : undefined },
    ];
  }

  show() {
    const counts = this.live.status?.connections;
    if (!counts) return;
    setText(this.about, [
      `${format.count(counts.publisher)} publishers`, `${format.count(counts.device)} devices`,
      `${format.count(counts.gateway)} gateways`,
      `${format.count(counts.awaitingHello)} without HELLO`,
    ].join(", "));
  }
}

/// The address of a device's page.
export const deviceAddress = (app, device) =>
  `#/devices/${encodeURIComponent(app)}/${encodeURIComponent(device)}`;
