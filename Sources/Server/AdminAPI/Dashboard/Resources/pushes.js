// The pages of an app's last pushes, of those of a request or event, and of one push, which answer: what became of my
// push?

import { ask } from "./api.js";
import { deviceAddress } from "./connections.js";
import { facts, folding, make, number, panel, setText, table } from "./dom.js";
import * as format from "./format.js";
import { Pages } from "./repeat.js";
import * as words from "./words.js";

/// Time between two requests, in ms.
const interval = 5_000;

/// The address of the page of a push.
export const pushAddress = (app, producer, seq) =>
  `#/pushes/${[app, producer, seq].map((name) => encodeURIComponent(name)).join("/")}`;

/// The address of the page of an app's pushes: the last ones, or those that a query names.
export const pushesAddress = (app, query = "") =>
  `#/pushes/${encodeURIComponent(app)}${query && `?${query}`}`;

/// The path above a page: the apps, an app's devices and, above some of its pushes, its last ones.
const path = (app, isAbove = true) => make("p", { class: "path" },
  make("a", { href: "#/devices", text: "Devices" }), " / ",
  make("a", { href: `#/devices/${encodeURIComponent(app)}`, text: app }),
  ...(isAbove ? [" / ", make("a", { href: pushesAddress(app), text: "Last pushes" })] : []));

/// The outcomes that are reasons of decisions, and those that a history has beside them.
const outcomes = {
  ready: "The reload is about to be sent.",
  undecided: "The push has yet to be applied to it: it matches very many widgets.",
  unknown: "The decision on it is not kept any more.",
};
const meaning = (outcome) => outcomes[outcome] ?? words.reason(outcome);

/// What pushes are found by, as the admin API has it.
const keys = [
  ["key", "Idempotency-Key", "Of the request over HTTP that had this header."],
  ["source", "Event source", "Of the CloudEvent with this source and id."],
  ["id", "Event id", "Of the CloudEvent with this source and id."],
  ["credential", "Credential",
    "The id of the credential that has sent the request or the event; empty if the app's publishers need none."],
  ["sub", "Token's sub", "The producers that its signed token names, if these are not its key's."],
];

/// A form that opens the page of the pushes that it names, or of the last ones if it names none.
const finder = (app, query) => {
  const inputs = keys.map(([name]) => make("input",
    { name, value: query.get(name) ?? "", autocomplete: "off", spellcheck: "false" }));
  const form = make("form", { class: "line" },
    ...keys.map(([, label, title], place) => make("label", { title }, `${label} `, inputs[place])),
    make("button", { class: "main", text: "Find" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = inputs.filter((input) => input.value !== "").map((input) => [input.name, input.value]);
    location.hash = pushesAddress(app, String(new URLSearchParams(given)));
  });
  return folding("Find a push", "By the request or the CloudEvent that brought it.", form);
};

/// The last pushes of an app, or those of a request or a CloudEvent that the query names.
export class AppPushes {
  constructor(live, app, query) {
    this.live = live;
    this.app = app;
    this.query = String(query);
    const isSearch = this.query !== "";
    this.title = isSearch ? "Pushes found" : `Pushes of ${app}`;
    this.list = table("Pushes", [
      { name: "push" }, { name: "producer" }, number("matched", "Widgets that it matches."), { name: "came" },
    ], "no push is kept: the router keeps the last ones since its start");
    // What is not found is said by the router, and no empty list beside it.
    this.found = make("section", { class: "panel", hidden: true }, this.list.element);
    this.pages = new Pages(interval, (page, signal) => this.load(page, signal));
    this.element = make("div", {}, path(app, isSearch),
      make("h1", { text: isSearch ? "Pushes found" : "Last pushes", tabindex: "-1" }),
      make("div", { class: "stack" }, finder(app, query), this.pages.problem, this.found), this.pages.element);
  }

  begin() { this.pages.begin(); }
  end() { this.pages.end(); }
  show() {}

  async load(page, signal) {
    const query = this.query && `&${this.query}`;
    const found = await ask(`v1/apps/${encodeURIComponent(this.app)}/pushes?${page}${query}`, { signal });
    const now = this.live.now();
    this.list.show((found.pushes ?? []).map((push) => [
      { text: String(push.seq), href: pushAddress(this.app, push.producer, push.seq) }, push.producer,
      format.count(push.matched), { text: format.moment(push.at, now), title: format.exact(push.at) },
    ]));
    this.found.hidden = false;
    return found;
  }
}

export class PushHistory {
  constructor(live, app, producer, seq) {
    Object.assign(this, { live, app, producer, seq });
    this.title = `Push ${seq} of ${producer}`;
    this.about = make("p", { class: "lead" });
    this.outcomes = facts("Widgets by outcome");
    this.kinds = facts("Widgets by kind");
    this.list = table("Widgets", [
      { name: "widget" }, { name: "outcome" }, { name: "when" },
      { name: "device" }, { name: "kind" }, { name: "why" },
    ], "it matches no widget that is still there");
    this.pages = new Pages(interval, (page, signal) => this.load(page, signal));
    this.element = make("div", {}, path(app), make("h1", { text: this.title, tabindex: "-1" }),
      this.about, this.pages.problem,
      make("div", { class: "pair" },
        panel("Outcomes", "All widgets that it matches, by what became of it.", this.outcomes.element),
        panel("Kinds", "The widgets that are known, by their kind.", this.kinds.element)),
      make("section", { class: "panel" }, make("h2", { text: "Widgets" }), this.list.element),
      this.pages.element);
  }

  begin() { this.pages.begin(); }
  end() { this.pages.end(); }
  show() {}

  async load(page, signal) {
    const names = [this.app, "pushes", this.producer, this.seq].map((name) => encodeURIComponent(name));
    const found = await ask(`v1/apps/${names.join("/")}?${page}`, { signal });
    const now = this.live.now();
    setText(this.about, `Came ${format.moment(found.at, now)} (${format.distance(found.at, now)}) and matched `
      + `${found.matched === 1 ? "1 widget" : `${format.count(found.matched)} widgets`}.`);
    // Only the first page counts all widgets.
    if (found.outcomes) {
      this.outcomes.show(Object.entries(found.outcomes)
        .map(([name, count]) => [name, format.count(count), meaning(name)]));
      this.kinds.show(Object.entries(found.kinds ?? {}).map(([name, count]) => [name, format.count(count)]));
    }
    this.list.show((found.widgets ?? []).map((widget) => [
      widget.widget,
      { text: widget.first ? `${widget.outcome}, at first ${widget.first}` : widget.outcome,
        title: meaning(widget.outcome) },
      { text: widget.until ? `until ${format.moment(widget.until, now)}` : format.moment(widget.at, now),
        title: format.exact(widget.until ?? widget.at) },
      { text: widget.device, href: deviceAddress(this.app, widget.device) }, widget.kind, widget.why ?? format.dash,
    ]));
    return found;
  }
}
