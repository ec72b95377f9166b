// The page of one device, which answers: why was my widget not reloaded?

import { ask } from "./api.js";
import { make, setText } from "./dom.js";
import * as format from "./format.js";
import { Repeat } from "./repeat.js";
import * as words from "./words.js";

/// Time between two requests, in ms.
const interval = 1_000;

const waits = {
  debounced: "waits for the end of its debounce window",
  deferred: "waits until its budget and the spacing between reloads allow it",
  queued: "waits for a permit of its origin",
  held: "waits until the device has a session again",
  ready: "is sent in the next tick, or as soon as the device can accept it",
};

/// A time with its distance from now: `15:22:21 (in 2 min 16 s)`.
const both = (milliseconds, now) =>
  `${format.moment(milliseconds, now)} (${format.distance(milliseconds, now)})`;

const times = (count) => (count === 1 ? "1 reload" : `${format.count(count)} reloads`);

/// The answer to the page's question for one widget of a device, in a sentence or two.
export const answer = (widget, device, decisions, now) => {
  const pending = `A reload is pending (cause: ${widget.cause ?? "unknown"}).`;
  if (device.isPaused) {
    // While the app is paused, the other reasons for waiting do not matter.
    return "The app is paused: its reloads wait. "
      + (widget.stage === "idle" ? "Nothing is pending, and no push is accepted." : pending);
  }
  if (widget.stage !== "idle") {
    const wait = Object.hasOwn(waits, widget.stage)
      ? waits[widget.stage] : `is in the stage ${widget.stage}`;
    const until = typeof widget.waitsUntil === "number"
      ? `, until ${both(widget.waitsUntil, now)}` : "";
    return `${pending} It ${wait}${until}.`;
  }
  if (widget.isAnswered === false) {
    return "A RELOAD was sent, and the device has not answered with a new timeline yet"
      + (device.isOnline ? "." : ": it is offline, and is sent the rest when it is back.");
  }
  const last = decisions.find((decision) => decision.widget === widget.widget);
  if (last) return `Nothing is pending. The last decision: ${last.text}`;
  return "Nothing is pending, and no decision on it is kept: no push has matched it lately, "
    + "or none since the router's start. Explain says which test a push does not pass.";
};

class WidgetView {
  constructor(widget) {
    this.name = make("h2");
    this.kind = make("p", { class: "note" });
    this.answer = make("p", { class: "answer" });
    this.list = make("dl", { class: "wide" });
    this.configuration = make("pre", { tabindex: "0", "aria-label": `Configuration of ${widget}` });
    this.shown = make("pre", { tabindex: "0", "aria-label": `What ${widget} shows` });
    this.shownTitle = make("h3", { text: "Observed values" });
    this.element = make("section", { class: "panel widget" },
      this.name, this.kind, this.answer, this.list,
      make("h3", { text: "Configuration" }), this.configuration, this.shownTitle, this.shown);
  }

  show(widget, device, decisions, now) {
    setText(this.name, widget.widget);
    setText(this.kind, widget.kind);
    setText(this.answer, answer(widget, device, decisions, now));
    this.element.classList.toggle("pending", widget.stage !== "idle");
    const rows = facts(widget, now);
    while (this.list.children.length > rows.length) this.list.lastElementChild.remove();
    rows.forEach(([name, value, title], index) => {
      const row = this.list.children[index]
        ?? this.list.appendChild(make("div", {}, make("dt"), make("dd")));
      setText(row.firstElementChild, name);
      setText(row.lastElementChild, value);
      row.title = title ?? "";
    });
    setText(this.configuration, JSON.stringify(widget.configuration ?? {}, null, 1));
    const values = widget.shown;
    this.shown.hidden = this.shownTitle.hidden = values === null || values === undefined;
    setText(this.shown, JSON.stringify(values ?? null, null, 1));
  }
}

const facts = (widget, now) => {
  const { budget, date } = widget;
  const rows = [["Stage", widget.stage, words.reason(widget.stage)]];
  if (budget) {
    const reserve = budget.reserve
      ? `, the last ${format.count(budget.reserve)} for urgent pushes` : "";
    rows.push(["Budget", typeof budget.allowance === "number"
      ? `${format.count(budget.used)} of ${times(budget.allowance)} used${reserve}`
      : `${times(budget.used)} used, no limit`,
    "In the last 24 hours, a rolling window."]);
    if (budget.nextAt) {
      rows.push(["Next unit", both(budget.nextAt, now),
        `When a reload is possible again: ${format.exact(budget.nextAt)}`]);
    }
  } else {
    rows.push(["Budget", "no limit", "The kind's reloads are not counted."]);
  }
  if (date) {
    rows.push(["Date", both(date.at, now),
      "When its timeline asks for a reload, including the delay added by spreading: "
        + format.exact(date.at)]);
    rows.push(["Its slot",
      typeof date.slot === "number" ? format.moment(date.slot, now) : "no slot",
      "The second at the origin that it was given, so that reloads do not all come at once."]);
  }
  const { lastReload, lastReloadAt } = widget;
  // The router keeps the time only for kinds with a budget or a spacing.
  const sent = lastReload ? "sent, time not recorded" : "none";
  rows.push(["Last reload", lastReloadAt ? both(lastReloadAt, now) : sent,
    [lastReload && `RELOAD ${lastReload}`, format.exact(lastReloadAt)].filter(Boolean).join(", ")]);
  if (lastReload) {
    rows.push(["Answered", widget.isAnswered ? "yes" : "not yet", "By a TIMELINE of the device."]);
  }
  return rows;
};

export class Device {
  constructor(live, app, device) {
    this.live = live;
    this.app = app;
    this.device = device;
    this.title = device;
    this.views = new Map();
    this.about = make("p", { class: "lead" });
    this.problem = make("p", { class: "empty", role: "status" });
    this.widgets = make("div", { class: "widgets" });
    this.timeline = make("ol", { id: "decisions" });
    this.noDecisions = make("p",
      { class: "empty", text: "No decisions are kept.", hidden: true });
    const query = new URLSearchParams({ app, device });
    this.element = make("div", {},
      make("p", { class: "path" }, make("a", { href: "#/devices", text: "Devices" }), " / ",
        make("a", { href: `#/devices/${encodeURIComponent(app)}`, text: app })),
      make("h1", { text: device, tabindex: "-1" }), this.about, this.problem,
      make("p", {}, make("a", { class: "button", href: `#/explain?${query}`, text: "Try a push" })),
      make("div", { class: "device" }, this.widgets,
        make("section", { class: "panel" },
          make("h2", { text: "Decisions",
            title: "The last ones that the router keeps, the latest first." }),
          this.timeline, this.noDecisions)));
    this.repeat = new Repeat(interval, (signal) => this.load(signal),
      (problem) => setText(this.problem, problem?.message ?? ""));
  }

  begin() { this.repeat.begin(); }
  end() { this.repeat.end(); }
  show() {}

  async load(signal) {
    const found = await ask(
      `v1/apps/${encodeURIComponent(this.app)}/devices/${encodeURIComponent(this.device)}`,
      { signal });
    const now = this.live.now();
    const decisions = [...(found.decisions ?? [])].sort((one, other) => other.at - one.at);
    setText(this.about, [
      found.isOnline ? "Online" : "Offline",
      typeof found.connection === "number" ? `connection ${found.connection}` : null,
      found.isPaused ? "the app is paused" : null,
      found.session?.foreground ? "the app is in the foreground" : null,
      found.session?.media ? `${found.session.media} session` : null,
    ].filter(Boolean).join(", "));
    this.showWidgets(found, decisions, now);
    this.showDecisions(decisions, now);
  }

  showWidgets(found, decisions, now) {
    const widgets = found.widgets ?? [];
    const names = new Set(widgets.map((widget) => widget.widget));
    for (const [name, view] of this.views) {
      if (names.has(name)) continue;
      view.element.remove();
      this.views.delete(name);
    }
    for (const widget of widgets) {
      let view = this.views.get(widget.widget);
      if (!view) {
        view = new WidgetView(widget.widget);
        this.views.set(widget.widget, view);
        this.widgets.append(view.element);
      }
      view.show(widget, found, decisions, now);
    }
  }

  showDecisions(decisions, now) {
    this.noDecisions.hidden = decisions.length > 0;
    while (this.timeline.children.length > decisions.length) {
      this.timeline.lastElementChild.remove();
    }
    decisions.forEach((decision, index) => {
      const row = this.timeline.children[index] ?? this.timeline.appendChild(make("li", {},
        make("time"), make("div", {}, make("p", {}, make("b"), " ", make("span")),
          make("p", { class: "text" }))));
      const [time, body] = row.children;
      setText(time, format.moment(decision.at, now));
      time.dateTime = format.exact(decision.at) ?? "";
      time.title = `${format.distance(decision.at, now)}, ${format.exact(decision.at)}`;
      setText(body.querySelector("b"), decision.reason);
      body.querySelector("b").title = words.reason(decision.reason) ?? "";
      setText(body.querySelector("span"), `${decision.widget}, cause ${decision.cause}`
        + (decision.until ? `, until ${format.moment(decision.until, now)}` : ""));
      setText(body.querySelector(".text"), decision.text ?? "");
      row.classList.toggle("sent", decision.reason === "sent");
    });
  }
}
