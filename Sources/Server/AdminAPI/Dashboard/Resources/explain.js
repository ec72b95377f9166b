// The page that explains a hypothetical push: which widgets it would reach, when, and why.

import { ask } from "./api.js";
import { deviceAddress } from "./connections.js";
import { make, setText } from "./dom.js";
import * as format from "./format.js";
import * as words from "./words.js";

const limit = 100;

const field = (name, label, title, attributes = {}) => {
  const input = make("input", { name, autocomplete: "off", spellcheck: "false", ...attributes });
  return { input, element: make("label", { title }, label, input) };
};

/// What is wrong with a payload, or null. The router checks it more strictly, and names the place.
const mistake = (text) => {
  try {
    const value = JSON.parse(text);
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject ? null : "A payload must be a JSON object.";
  } catch (error) {
    return `The payload is not JSON: ${error.message}`;
  }
};

/// The text of a payload's value, which the router has already written as JSON.
const valueText = (value) =>
  (typeof value === "string" ? value : JSON.stringify(value) ?? "nothing");

const testRow = (test) => make("li", { class: test.isHeld ? "holds" : "fails" },
  make("b", { text: test.isHeld ? "holds" : "fails" }),
  " ", make("code", { text: test.field }), " has ", make("code", { text: valueText(test.value) }),
  ", the test is ", make("code", { text: test.test }));

/// A widget's place in a list.
const nameLine = (app, one) => make("p", {},
  make("a", { href: deviceAddress(app, one.device), text: one.device }), ` ${one.widget} `,
  make("span", { class: "note", text: one.kind }));

/// A widget that the push does not match, with what failed as `reload-router push` says it.
const missRow = (app, one) => make("li", { class: "result" }, nameLine(app, one),
  make("p", { text: one.text ?? "" }));

const widgetRow = (app, one, now) => make("li", { class: "result" }, nameLine(app, one),
  one.outcome || one.text ? make("p", {},
    make("b", { text: one.outcome ?? "", title: words.reason(one.outcome) }), " ", one.text ?? "",
    typeof one.reloadsAt === "number"
      ? ` Reloads at ${format.moment(one.reloadsAt, now)} `
        + `(${format.distance(one.reloadsAt, now)}).` : "") : null,
  make("ul", { class: "tests" }, ...(one.tests ?? []).map(testRow)));

export class Explain {
  constructor(live, query) {
    this.live = live;
    this.title = "Explain";
    this.app = field("app", "App", undefined,
      { required: true, list: "apps", value: query.get("app") ?? "" });
    this.device = field("device", "Device",
      "Only this device's widgets, including those that the push does not match.",
      { value: query.get("device") ?? "", placeholder: "any" });
    this.kind = field("kind", "Kind", "Only widgets of this kind.",
      { value: query.get("kind") ?? "", placeholder: "any" });
    this.urgent = make("input", { type: "checkbox", name: "urgent" });
    this.apps = make("datalist", { id: "apps" });
    this.payload = make("textarea", {
      name: "payload", rows: "7", spellcheck: "false", required: true,
      "aria-describedby": "payload-problem" });
    this.payload.value = query.get("payload") ?? "{\n  \n}";
    this.problem = make("p", { id: "payload-problem", class: "problem", role: "alert" });
    this.button = make("button", { class: "main", text: "Explain" });
    this.form = make("form", { id: "explain" }, this.apps, this.app.element,
      make("label", {}, "Payload", this.payload), this.device.element, this.kind.element,
      make("label", { class: "check" }, this.urgent, "Urgent"), this.problem, this.button);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.result = make("div", { id: "result", "aria-live": "polite" });
    this.element = make("div", {}, make("h1", { text: "Explain", tabindex: "-1" }),
      make("p", { class: "lead",
        text: "Runs a push against the live state, and changes nothing." }),
      make("div", { class: "explain" }, this.form, this.result));
    this.stopped = new AbortController();
  }

  async begin() {
    try {
      const { apps } = await ask("v1/apps", { signal: this.stopped.signal });
      this.apps.replaceChildren(...(apps ?? []).map((app) => make("option", { value: app.app })));
      if (this.app.input.value === "" && apps?.length === 1) this.app.input.value = apps[0].app;
    } catch {
      // The list only helps: names can also be typed.
    }
  }

  end() { this.stopped.abort(); }
  show() {}

  /// The body of the request. It is not made by `JSON.stringify`, because the payload's numbers
  /// must stay as they were typed.
  body() {
    const text = (input) => JSON.stringify(input.value.trim() || null);
    return `{"app":${text(this.app.input)},"payload":${this.payload.value},`
      + `"urgent":${this.urgent.checked},`
      + `"device":${text(this.device.input)},"kind":${text(this.kind.input)},"limit":${limit}}`;
  }

  async submit() {
    const wrong = mistake(this.payload.value);
    setText(this.problem, wrong ?? "");
    if (wrong) {
      this.payload.focus();
      return;
    }
    this.button.disabled = true;
    try {
      const app = this.app.input.value.trim();
      const found = await ask("v1/explain",
        { method: "POST", body: this.body(), signal: this.stopped.signal });
      this.showResult(app, found);
    } catch (problem) {
      if (!this.stopped.signal.aborted) setText(this.problem, problem.message);
    } finally {
      this.button.disabled = false;
    }
  }

  showResult(app, found) {
    const now = this.live.now();
    const list = (rows, row) =>
      make("ol", { class: "results" }, ...rows.map((one) => row(app, one, now)));
    const matched = typeof found.concerned === "number"
      ? format.count(found.concerned) : found.concerned;
    const widgets = found.widgets ?? [];
    const isOfDevice = this.device.input.value.trim() !== "";
    // As `reload-router explain --to` prints it: of a push that matches, with --near alone.
    const near = isOfDevice || widgets.length === 0 ? found.near ?? [] : [];
    this.result.replaceChildren(
      make("h2", { text: found.concerned === 1
        ? "1 widget matches" : `${matched} widgets match` }),
      list(widgets, widgetRow),
      ...(near.length ? [
        make("h2", { text: isOfDevice ? "Not matched" : "Nearest",
          title: isOfDevice ? "The other widgets of the device."
            : "The widgets that the push comes nearest to, and what fails." }),
        list(near, isOfDevice ? widgetRow : missRow)] : []));
  }
}
