// Repeats requests while a page is shown.

import { make, setText } from "./dom.js";

const pageSize = 100;

/// Calls an asynchronous step, waits, and calls it again, until it is ended. The element `problem`
/// says why the last one failed, and is empty after one that succeeded.
export class Repeat {
  constructor(interval, step) {
    this.interval = interval;
    this.step = step;
    this.problem = make("p", { class: "empty", role: "status" });
    this.controller = null;
  }

  /// Begins a step at once, also while waiting for the next; a step under way is abandoned.
  begin() {
    this.end();
    this.controller = new AbortController();
    this.go(this.controller.signal);
  }

  async go(signal) {
    try {
      // While the page is hidden, the router is not asked.
      if (!document.hidden) {
        await this.step(signal);
        if (!signal.aborted) setText(this.problem, "");
      }
    } catch (problem) {
      if (!signal.aborted) setText(this.problem, problem.message);
    }
    if (!signal.aborted) this.timer = setTimeout(() => this.go(signal), this.interval);
  }

  end() {
    this.controller?.abort();
    clearTimeout(this.timer);
  }
}

/// Repeats the request for one page of a list, with buttons for the previous and the next page.
///
/// `step` gets the parameters of the page, requests it, shows it, and returns the answer.
export class Pages {
  constructor(interval, step) {
    /// The values of `after` with which the previous pages were requested.
    this.starts = [];
    this.after = null;
    this.next = null;
    this.previous = make("button", { type: "button", text: "Previous" });
    this.following = make("button", { type: "button", text: "Next" });
    this.previous.addEventListener("click", () => this.turn(this.starts.pop() ?? null));
    this.following.addEventListener("click", () => {
      this.starts.push(this.after);
      this.turn(this.next);
    });
    this.element = make("p", { class: "pages", hidden: true }, this.previous, this.following);
    this.repeat = new Repeat(interval, (signal) => this.load(step, signal));
  }

  get problem() { return this.repeat.problem; }

  begin() { this.turn(null); }
  end() { this.repeat.end(); }

  turn(after) {
    if (after === null) this.starts = [];
    this.after = after;
    this.repeat.begin();
  }

  async load(step, signal) {
    const place = this.after === null ? "" : `&after=${encodeURIComponent(this.after)}`;
    const found = await step(`limit=${pageSize}${place}`, signal);
    this.next = found.next ?? null;
    this.previous.disabled = this.after === null;
    this.following.disabled = this.next === null;
    this.element.hidden = this.previous.disabled && this.following.disabled;
  }
}
