// The stretch of time that the charts show: the last hour, another range, or a zoom.

import { make, setText } from "./dom.js";
import * as format from "./format.js";
import * as words from "./words.js";

const ranges = [
  [60_000, "1 minute"], [120_000, "2 minutes"], [300_000, "5 minutes"], [600_000, "10 minutes"],
  [1_800_000, "30 minutes"], [3_600_000, "1 hour"], [21_600_000, "6 hours"], [86_400_000, "1 day"],
];
/// The shortest stretch that can be shown, in ms.
const shortest = 10_000;
/// The shortest drag that zooms, in px; a shorter one is a click.
const shortestDrag = 6;
/// The most marks in the list.
const marksShown = 6;

export class Range {
  /// `onChange` is called when the charts have to be drawn again.
  constructor(live, onChange) {
    this.live = live;
    this.onChange = onChange;
    /// `{from, to}` in ms since 1970, or null while the charts follow the router.
    this.zoom = null;
    this.select = make("select", {}, ...ranges.map(([length, name]) =>
      make("option", { value: length, text: name })));
    this.select.value = String(live.history.shown);
    this.select.addEventListener("change", () => {
      this.zoom = null;
      live.setRange(Number(this.select.value));
      onChange();
    });
    const button = (text, title, act) => {
      const element = make("button", { type: "button", text, title });
      element.addEventListener("click", act);
      return element;
    };
    this.buttons = {
      earlier: button("Earlier", "Half of the shown time further back.", () => this.move(-0.5)),
      later: button("Later", "Half of the shown time on.", () => this.move(0.5)),
      closer: button("Zoom in", "Half of the shown time; or drag over a chart.",
        () => this.scale(0.5)),
      wider: button("Zoom out", "Twice the shown time.", () => this.scale(2)),
      live: button("Live", "Ends the zoom (Escape).", () => this.set(null)),
    };
    this.text = make("span", { class: "note", role: "status" });
    this.marks = make("ol", { id: "marks", "aria-label": "What happened" });
    this.element = make("div", { id: "range" },
      make("div", { class: "line", role: "group", "aria-label": "Time shown by the charts" },
        make("label", {}, "Charts ", this.select), ...Object.values(this.buttons), this.text),
      this.marks);
  }

  set(zoom) {
    this.zoom = zoom;
    this.onChange();
  }

  /// Shows a stretch, limited to what is known; one that is everything ends the zoom.
  choose(from, to) {
    const { history } = this.live;
    const last = history.samples.at(-1)?.at;
    const first = history.samples[0];
    if (last === undefined) return;
    const oldest = Math.min(first.at - (first.length ?? 0), last - history.shown);
    const length = Math.max(shortest, Math.min(to - from, last - oldest));
    if (length >= history.shown && to >= last) return this.set(null);
    const end = Math.min(last, Math.max(to, oldest + length));
    this.set({ from: end - length, to: end });
  }

  move(part) {
    const { from, to } = this.live.history.window(this.zoom);
    this.choose(from + part * (to - from), to + part * (to - from));
  }

  scale(factor) {
    const { from, to } = this.live.history.window(this.zoom);
    const [middle, half] = [(from + to) / 2, (factor * (to - from)) / 2];
    this.choose(middle - half, middle + half);
  }

  /// Lets a drag over a chart zoom; `timeAt` has the time at a distance from its left edge.
  follow(element, timeAt) {
    const band = make("div", { class: "band", hidden: true });
    element.append(band);
    let start = null;
    const place = (event) => event.clientX - element.getBoundingClientRect().left;
    const stop = () => {
      start = null;
      band.hidden = true;
    };
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = place(event);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const end = place(event);
      band.hidden = Math.abs(end - start) < shortestDrag;
      band.style.left = `${Math.min(start, end)}px`;
      band.style.width = `${Math.abs(end - start)}px`;
    });
    element.addEventListener("pointerup", (event) => {
      const [from, to] = [start, place(event)].sort((one, other) => one - other);
      const isDrag = start !== null && to - from >= shortestDrag;
      stop();
      if (isDrag) this.choose(timeAt(from), timeAt(to));
    });
    element.addEventListener("pointercancel", stop);
    element.addEventListener("dblclick", () => this.set(null));
  }

  show() {
    const { history } = this.live;
    const shown = history.window(this.zoom);
    // Until one is chosen, the range is what there is of an hour.
    if (document.activeElement !== this.select) this.select.value = String(history.shown);
    const now = this.live.now();
    this.buttons.live.disabled = this.zoom === null;
    this.buttons.later.disabled = this.zoom === null;
    this.buttons.wider.disabled = this.zoom === null;
    setText(this.text, this.zoom
      ? `${format.moment(shown.from, now)} to ${format.moment(shown.to, now)}` : "");
    const marks = history.marks.filter(({ at }) => at >= shown.from && at <= shown.to);
    const rows = marks.slice(-marksShown).reverse();
    while (this.marks.children.length > rows.length) this.marks.lastElementChild.remove();
    rows.forEach(({ at, event }, index) => {
      const row = this.marks.children[index]
        ?? this.marks.appendChild(make("li", {}, make("time"), " ", make("span")));
      setText(row.firstElementChild, format.moment(at, now));
      row.firstElementChild.dateTime = format.exact(at) ?? "";
      setText(row.lastElementChild, words.name(words.events, event));
      row.title = words.meaning(words.events, event) ?? "";
    });
  }
}
