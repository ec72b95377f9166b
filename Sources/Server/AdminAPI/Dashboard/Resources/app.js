// The page of an app, or of one of its kinds: what it has done, minute by minute.

import { ask } from "./api.js";
import { canDraw } from "./charts.js";
import { facts, make, panel, setText, table } from "./dom.js";
import * as format from "./format.js";
import { History } from "./history.js";
import { chartPanel } from "./overview.js";
import { pushesAddress } from "./pushes.js";
import { Range } from "./range.js";
import { Repeat } from "./repeat.js";

/// Time between two requests, in ms.
const interval = 5_000;

/// The address of the page of an app, or of one of its kinds.
export const appAddress = (app, kind) =>
  `#/apps/${encodeURIComponent(app)}${kind === undefined ? "" : `/${encodeURIComponent(kind)}`}`;

const counters = ["pushes", "matched", "reloads", "putOff", "rejected"];

/// A sample as charts draw it, of what was counted in a length of time.
const sampleOf = ({ at, length, counts }) => ({
  at, length, devices: counts.devices, widgets: counts.widgets,
  ...Object.fromEntries(counters.map((name) => [name, (1000 * counts[name]) / length])),
});

const grown = (now, before) => ({
  ...now, ...Object.fromEntries(counters.map((name) => [name, now[name] - before[name]])),
});

export class App {
  constructor(live, app, kind) {
    this.live = live;
    this.app = app;
    this.kind = kind;
    this.title = kind ?? app;
    /// The minutes that the router keeps and, since the last one, what was counted between two requests each.
    this.history = new History();
    this.before = null;
    this.repeat = new Repeat(interval, (signal) => this.load(signal));
    const source = {
      history: this.history,
      now: () => live.now(),
      setRange: (length) => {
        this.history.range = length;
        this.history.isRangeChosen = true;
        this.repeat.begin();
      },
    };
    this.range = new Range(source, () => this.draw());
    const line = (name, label, tone, more = {}) =>
      ({ label, tone, get: (sample) => sample[name], ...more });
    const widgets = line("widgets", "widgets", "ink");
    this.charts = kind === undefined ? [
      chartPanel("Throughput", "Per second.", [
        line("pushes", "pushes", "accent", { isFilled: true }), line("reloads", "reloads", "ink"),
        line("matched", "matched widgets", "faint", { dash: [3, 3] })], format.short),
      chartPanel("Put off and refused", "Per second.", [
        line("putOff", "put off", "accent", { isFilled: true }),
        line("rejected", "refused frames", "ink")], format.short),
      chartPanel("Stored", "Devices and widgets that the router knows.", [
        line("devices", "devices", "accent", { isFilled: true }), widgets], format.short),
    ] : [
      chartPanel("Throughput", "Per second: pushes that match widgets of the kind, and these widgets.", [
        line("pushes", "pushes", "accent", { isFilled: true }), line("reloads", "reloaded widgets", "ink"),
        line("matched", "matched widgets", "faint", { dash: [3, 3] })], format.short),
      chartPanel("Put off", "Widgets of the kind whose reload has to wait, per second.", [
        line("putOff", "put off", "accent", { isFilled: true })], format.short),
      chartPanel("Stored", "Widgets of the kind that the router knows.", [widgets], format.short),
    ];
    this.counts = facts("Since the start");
    this.kinds = table("Kinds", [{ name: "kind" }], "the app file declares none");
    this.kept = make("p", { class: "note" });
    this.element = this.build();
    this.drawn = [];
  }

  build() {
    const isApp = this.kind === undefined;
    const back = isApp
      ? make("a", { href: "#/overview", text: "Overview" })
      : make("a", { href: appAddress(this.app), text: this.app });
    return make("div", {}, make("p", { class: "path" }, back),
      make("h1", { text: this.title, tabindex: "-1" }),
      isApp ? make("p", { class: "line" },
        make("a", { class: "button", href: `#/devices/${encodeURIComponent(this.app)}`, text: "Devices" }),
        make("a", { class: "button", href: pushesAddress(this.app), text: "Last pushes" })) : null,
      this.repeat.problem, this.range.element, this.kept,
      make("p", { class: "empty", hidden: canDraw(), text: "Without charts: no Chart.js here." }),
      make("div", { class: "pair" }, ...this.charts.map((one) => one.element),
        panel("Since the start", undefined, this.counts.element)),
      isApp ? panel("Kinds", undefined, this.kinds.element) : null);
  }

  begin() {
    this.drawn = this.charts.map((one) => one.begin(this.range));
    this.repeat.begin();
  }

  end() {
    this.repeat.end();
    for (const chart of this.drawn) chart?.end();
  }

  show() {}

  draw() {
    this.range.show();
    for (const chart of this.drawn) chart?.show(this.history, this.range.zoom);
  }

  async load(signal) {
    const path = `v1/apps/${encodeURIComponent(this.app)}`;
    const kind = this.kind === undefined ? "" : `&kind=${encodeURIComponent(this.kind)}`;
    const range = this.history.range / 1000;
    const found = await ask(`${path}/history?range=${range}${kind}`, { signal });
    if (this.kind === undefined) {
      const { kinds } = await ask(path, { signal });
      this.kinds.show((kinds ?? []).map((one) =>
        [{ text: one.kind, href: appAddress(this.app, one.kind) }]));
    }
    this.take(found);
    this.draw();
  }

  take({ at, startedAt, counts, isKept, notKept, points }) {
    const { before, history } = this;
    // The clock was set back: earlier samples cannot be drawn.
    if (before && at < before.at) history.samples = [];
    if (before?.startedAt === startedAt && at > before.at) {
      history.samples.push(sampleOf({ at, length: at - before.at, counts: grown(counts, before.counts) }));
    } else if (before) {
      history.samples.push({ at: at - 1 });
    }
    this.before = { at, startedAt, counts };
    history.merge({ points, marks: this.live.history.marks }, sampleOf);
    setText(this.kept, isKept ? ""
      : `It is one of ${format.count(notKept)} apps and kinds of which the router keeps no minutes, because there `
        + "are too many: its curves begin with this page.");
    const isApp = this.kind === undefined;
    const shown = [["Pushes", counts.pushes], ["Matched widgets", counts.matched],
      [isApp ? "RELOADs" : "Widgets reloaded", counts.reloads], ["Put off", counts.putOff],
      ...(isApp ? [["Refused frames", counts.rejected], ["Devices", counts.devices]] : []),
      ["Widgets", counts.widgets]];
    this.counts.show(shown.map(([name, count]) => [name, format.total(count)]));
  }
}
