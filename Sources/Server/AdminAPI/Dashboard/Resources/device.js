// The page of one device, which answers: why was my widget not reloaded?

import { ask } from "./api.js";
import { confirmed, facts, make, setText, showAll } from "./dom.js";
import * as format from "./format.js";
import { pushAddress } from "./pushes.js";
import { Repeat } from "./repeat.js";
import * as words from "./words.js";

/// Time between two requests, in ms.
const interval = 1_000;

const waits = {
  debounced: "waits for the end of its debounce window",
  deferred: "waits until it may reload: for its budget, the spacing between reloads, or a push by APNs",
  queued: "waits for a permit of its origin",
  held: "waits until the device has a session again",
  ready: "is sent in the next tick, or as soon as the device can accept it",
};

/// A time with its distance from now: `15:22:21 (in 2 min 16 s)`.
const both = (milliseconds, now) =>
  `${format.moment(milliseconds, now)} (${format.distance(milliseconds, now)})`;

/// What is to be said of a device's pushes by APNs, in a few words.
const pushes = (push, now) => {
  if (!push || push.cap === null) return [];
  if (!push.isReached) {
    const dead = [push.token, push.appToken].find((state) => state && state !== "good");
    return [dead ? `its push token is ${dead}` : "its push token is none of APNs'"];
  }
  const way = { background: " in background", controls: " for its controls" }[push.channel] ?? "";
  const sandbox = push.environment === "sandbox" ? " (sandbox)" : "";
  const wait = push.waitsUntil === null
    ? "" : `, the next one ${both(push.waitsUntil, now)} (${push.waitsFor})`;
  return [
    `APNs${way}${sandbox}: ${push.used} of ${push.cap} pushes in 24 h${wait}`,
    `its widgets registered ${both(push.registeredAt, now)}`,
  ];
};

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
    this.list = facts();
    this.configuration = make("pre", { tabindex: "0", "aria-label": `Configuration of ${widget}` });
    this.values = make("section", { class: "values" });
    this.valuesNote = make("p", { class: "note" });
    this.valuesList = facts(`Values of ${widget}`);
    this.values.append(make("h3", { text: "Values" }), this.valuesNote, this.valuesList.element);
    this.element = make("section", { class: "panel widget" },
      this.name, this.kind, this.answer, this.list.element, this.values,
      make("h3", { text: "Configuration" }), this.configuration);
  }

  show(widget, device, decisions, now) {
    setText(this.name, widget.widget);
    setText(this.kind, widget.kind);
    setText(this.answer, answer(widget, device, decisions, now));
    this.element.classList.toggle("pending", widget.stage !== "idle");
    this.list.show(rowsOf(widget, decisions, now));
    setText(this.configuration, JSON.stringify(widget.configuration ?? {}, null, 1));
    const values = widget.shown;
    this.values.hidden = values === null || values === undefined;
    setText(this.valuesNote, valuesNote(widget, decisions, now));
    this.values.classList.toggle("waiting", widget.shownState === "waiting");
    this.valuesList.show(Object.entries(values ?? {}).map(([name, value]) =>
      [name, JSON.stringify(value), states[widget.shownState]]));
  }
}

const states = {
  sent: "The last RELOAD brought it.",
  waiting: "The pending reload brings it, or what it is by then.",
  known: "It is not certain that a RELOAD brought it.",
};

/// Whether the device has the values, since when, or what they wait for.
const valuesNote = (widget, decisions, now) => {
  const { shown, shownState, lastReload, lastReloadAt } = widget;
  if (Object.keys(shown ?? {}).length === 0) return "None is known yet: no push has matched.";
  const last = lastReload
    ? ` RELOAD ${lastReload} was the last${lastReloadAt ? `, ${both(lastReloadAt, now)}` : ""}.`
    : " No RELOAD was sent yet.";
  switch (shownState) {
    case "sent":
      return `Sent with RELOAD ${lastReload}${lastReloadAt ? `, ${both(lastReloadAt, now)}` : ""}.`;
    case "waiting":
      return `They wait for the pending reload: ${waitOf(widget, decisions)}, `
        + `due ${dueOf(widget, now)}.${last}`;
    default: return `Known, and not certain to have been sent.${last}`;
  }
};

/// What a pending reload waits for, in a word: the reason of the last decision that says so, or
/// else its stage.
const waitOf = (widget, decisions) => {
  if (widget.stage !== "deferred") return widget.stage;
  const last = decisions.find((decision) =>
    decision.widget === widget.widget
      && ["spacing", "budget", "loop", "grace", "cap", "retry"].includes(decision.reason));
  return last?.reason ?? widget.stage;
};

/// When a pending reload is due, as far as that is known.
const dueOf = (widget, now) => {
  if (typeof widget.waitsUntil === "number") return both(widget.waitsUntil, now);
  return widget.stage === "ready" ? "now"
    : widget.stage === "held" ? "when the device is back" : "at a time not known";
};

const rowsOf = (widget, decisions, now) => {
  const { budget, date } = widget;
  const isPending = widget.stage !== "idle";
  const wait = isPending ? waitOf(widget, decisions) : null;
  const rows = [
    ["Stage", widget.stage, words.reason(widget.stage)],
    ["Waits for", wait ?? format.dash, words.reason(wait) ?? "No reload is pending."],
    ["Due", isPending ? dueOf(widget, now) : format.dash,
      isPending ? "When the pending reload stops waiting, at the latest." : "No reload is pending."],
  ];
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
    this.repeat = new Repeat(interval, (signal) => this.load(signal));
    this.widgets = make("div", { class: "widgets" });
    this.timeline = make("ol", { id: "decisions" });
    this.noDecisions = make("p",
      { class: "empty", text: "No decisions are kept.", hidden: true });
    const query = new URLSearchParams({ app, device });
    this.removal = make("button", { type: "button", class: "remove", text: "Remove this device…" });
    this.removal.addEventListener("click", () => this.remove());
    this.refusal = make("p", { class: "problem", role: "alert" });
    this.element = make("div", {},
      make("p", { class: "path" }, make("a", { href: "#/devices", text: "Devices" }), " / ",
        make("a", { href: `#/devices/${encodeURIComponent(app)}`, text: app })),
      make("h1", { text: device, tabindex: "-1" }), this.about, this.repeat.problem,
      make("p", { class: "choice" },
        make("a", { class: "button", href: `#/explain?${query}`, text: "Try a push" }), this.removal),
      this.refusal,
      make("div", { class: "device" }, this.widgets,
        make("section", { class: "panel" },
          make("h2", { text: "Decisions",
            title: "The last ones that the router keeps, the latest first." }),
          this.timeline, this.noDecisions)));
  }

  begin() { this.repeat.begin(); }
  end() { this.repeat.end(); }
  show() {}

  /// The device's resource.
  get path() {
    return `v1/apps/${encodeURIComponent(this.app)}/devices/${encodeURIComponent(this.device)}`;
  }

  /// Removes the device, if the user says so twice, and shows the others of its app.
  async remove() {
    const isMeant = await confirmed(`Remove ${this.device}?`,
      "Its widgets, push tokens, budgets, dates and waiting reloads end at once. A device whose "
        + "app still runs registers again, as a new one.", "Remove");
    if (!isMeant) return;
    this.removal.disabled = true;
    this.end();
    try {
      await ask(this.path, { method: "DELETE" });
      location.hash = `#/devices/${encodeURIComponent(this.app)}`;
    } catch (problem) {
      setText(this.refusal, problem.message);
      this.removal.disabled = false;
      this.begin();
    }
  }

  async load(signal) {
    const found = await ask(this.path, { signal });
    const now = this.live.now();
    const decisions = [...(found.decisions ?? [])].sort((one, other) => other.at - one.at);
    setText(this.about, [
      found.isOnline ? "Online" : "Offline",
      ...pushes(found.push, now),
      typeof found.connection === "number" ? `connection ${found.connection}` : null,
      found.isPaused ? "the app is paused" : null,
      found.session?.foreground ? "the app is in the foreground" : null,
      found.session?.media ? `${found.session.media} session` : null,
    ].filter(Boolean).join(", "));
    this.showWidgets(found, decisions, now);
    this.showDecisions(decisions, now);
  }

  showWidgets(found, decisions, now) {
    showAll(this.views, this.widgets, found.widgets ?? [], ({ widget }) => widget,
      ({ widget }) => new WidgetView(widget),
      (view, widget) => view.show(widget, found, decisions, now));
  }

  showDecisions(decisions, now) {
    this.noDecisions.hidden = decisions.length > 0;
    while (this.timeline.children.length > decisions.length) {
      this.timeline.lastElementChild.remove();
    }
    decisions.forEach((decision, index) => {
      const row = this.timeline.children[index] ?? this.timeline.appendChild(make("li", {},
        make("time"), make("div", {}, make("p", {}, make("b"), " ", make("span"), " ", make("a")),
          make("p", { class: "text" }))));
      const [time, body] = row.children;
      setText(time, format.moment(decision.at, now));
      time.dateTime = format.exact(decision.at) ?? "";
      time.title = `${format.distance(decision.at, now)}, ${format.exact(decision.at)}`;
      setText(body.querySelector("b"), decision.reason);
      body.querySelector("b").title = words.reason(decision.reason) ?? "";
      setText(body.querySelector("span"), `${decision.widget}, cause ${decision.cause}`
        + (decision.until ? `, until ${format.moment(decision.until, now)}` : ""));
      const link = body.querySelector("a");
      const { push } = decision;
      link.hidden = !push;
      link.href = push ? pushAddress(this.app, push.producer, push.seq) : "";
      setText(link, push ? `push ${push.seq} of ${push.producer}` : "");
      setText(body.querySelector(".text"), decision.text ?? "");
      row.classList.toggle("sent", decision.reason === "sent");
    });
  }
}
