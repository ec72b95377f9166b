// The origins: how many reloads were requested for each second, and how they were spread.

import { ask } from "./api.js";
import { spread } from "./charts.js";
import { folding, make, setText, showAll, table } from "./dom.js";
import * as format from "./format.js";
import { Repeat } from "./repeat.js";

/// Most charts, one for each origin with waiting reloads; the table lists all origins.
const picturesLimit = 6;
/// Most origins that are read for the charts; more than a screen can say anything about.
const originsLimit = 1_000;
/// Time between two requests, in ms.
const interval = 2_000;

/// The first origins, page by page.
async function all(signal) {
  const found = [];
  let after = null;
  do {
    const from = after === null ? "" : `&after=${after}`;
    const page = await ask(`v1/origins?limit=${originsLimit}${from}`, { signal });
    found.push(...(page.origins ?? []));
    after = page.next ?? null;
  } while (after !== null && found.length < originsLimit);
  return found;
}

/// The name of an origin; the origin of kinds that declare none is unnamed.
const named = (origin) => origin.origin || "(unnamed)";
const key = (origin) => JSON.stringify([origin.app, origin.origin]);

class Picture {
  constructor() {
    this.name = make("h3");
    this.note = make("p", { class: "note" });
    this.canvas = make("canvas",
      { role: "img", "aria-label": "Asked and given per second; the peaks are above" });
    this.element = make("div", { class: "picture" }, this.name, this.note,
      make("div", { class: "chart small" }, this.canvas));
    this.chart = null;
  }

  show(origin) {
    this.chart ??= spread(this.canvas);
    const peak = (values) => Math.max(0, ...(values ?? []));
    setText(this.name, named(origin));
    setText(this.note, `${origin.app}: ${format.count(origin.waiting)} waiting; `
      + `peak ${format.count(peak(origin.asked))} asked, `
      + `${format.count(peak(origin.given))} given`
      + (typeof origin.perSecond === "number"
        ? `, of ${format.count(origin.perSecond)} per second` : ""));
    this.chart?.show(origin);
  }

  end() {
    this.chart?.end();
    this.chart = null;
  }
}

export class Origins {
  constructor() {
    this.pictures = new Map();
    this.repeat = new Repeat(interval, async (signal) => this.draw(await all(signal)));
    this.frame = make("div", { class: "pictures" });
    this.key = make("p", { class: "key" }, make("span", { class: "accent", text: "given" }),
      make("span", { class: "ink dashed", text: "asked" }),
      make("span", { class: "faint", text: "most per second" }));
    this.peaks = table("Origins", [
      { name: "origin" }, { name: "app" },
      { name: "waiting", number: true, title: "Reloads that have a slot or wait for a permit." },
      { name: "peak asked", number: true, title: "The busiest second if nothing had been spread." },
      { name: "peak given", number: true, title: "The busiest second after spreading." },
    ], "no app names an origin");
    this.element = folding("Origins",
      "The next 120 s: the reloads asked for in each second, and those given to it.",
      this.key, this.repeat.problem, this.frame, this.peaks.element);
  }

  begin() {
    this.repeat.begin();
  }

  end() {
    this.repeat.end();
    for (const picture of this.pictures.values()) picture.end();
    this.pictures.clear();
    this.frame.replaceChildren();
  }

  draw(origins) {
    const isBusy = ({ asked, given }) =>
      [...(asked ?? []), ...(given ?? [])].some((count) => count > 0);
    const shown = origins.filter(isBusy)
      .sort((one, other) => other.waiting - one.waiting).slice(0, picturesLimit);
    this.key.hidden = shown.length === 0;
    showAll(this.pictures, this.frame, shown, key, () => new Picture(),
      (picture, origin) => picture.show(origin));
  }

  show(status) {
    this.peaks.show((status.origins ?? []).map((origin) => [
      named(origin), origin.app, format.count(origin.waiting),
      format.count(origin.peakAsked), format.count(origin.peakGiven),
    ]));
  }
}
