// Apps, and the devices of one: the way to a device's page.

import { ask } from "./api.js";
import { deviceAddress } from "./connections.js";
import { make, setText, table } from "./dom.js";
import * as format from "./format.js";
import { Repeat } from "./repeat.js";

const pageSize = 100;
/// Between questions, in ms.
const interval = 5_000;

const number = (name, title) => ({ name, title, number: true });

const plain = { autocomplete: "off", spellcheck: "false" };

/// A form that goes to a device by its name.
const finder = (app) => {
  const names = {
    app: make("input", { name: "app", value: app, required: true, ...plain }),
    device: make("input", { name: "device", required: true, ...plain }),
  };
  const form = make("form", { class: "line" },
    make("label", { hidden: Boolean(app) }, "App ", names.app),
    make("label", {}, "Device ", names.device), make("button", { class: "main", text: "Show" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = deviceAddress(names.app.value, names.device.value);
  });
  return form;
};

export class Apps {
  constructor() {
    this.title = "Devices";
    this.list = table("Apps", [
      { name: "app" }, number("kinds"), number("devices"), number("widgets"),
      number("pushes", "Since the start."),
      number("reloads", "Since the start."), { name: "state" },
    ], "the app file names no app");
    this.problem = make("p", { class: "empty", role: "status" });
    this.element = make("div", {}, make("h1", { text: "Devices", tabindex: "-1" }),
      make("p", { class: "lead",
        text: "Why was my widget not reloaded? Name the device, or choose an app." }),
      finder(), this.problem, make("section", { class: "panel" }, this.list.element));
    this.repeat = new Repeat(interval, (signal) => this.load(signal),
      (problem) => setText(this.problem, problem?.message ?? ""));
  }

  begin() { this.repeat.begin(); }
  end() { this.repeat.end(); }
  show() {}

  async load(signal) {
    const { apps } = await ask("v1/apps", { signal });
    this.list.show((apps ?? []).map((app) => [
      { text: app.app, href: `#/devices/${encodeURIComponent(app.app)}` },
      format.count(app.kinds), format.count(app.devices), format.count(app.widgets),
      format.count(app.pushes), format.count(app.reloads),
      { text: app.isPaused ? "paused" : "serving", mark: app.isPaused ? "warn" : undefined },
    ]));
  }
}

export class AppDevices {
  constructor(live, app) {
    this.title = app;
    this.app = app;
    this.starts = [];
    this.after = null;
    this.next = null;
    this.list = table("Devices",
      [{ name: "device" }, number("widgets"), { name: "session" }], "no devices");
    this.problem = make("p", { class: "empty", role: "status" });
    this.previous = make("button", { type: "button", text: "Previous" });
    this.following = make("button", { type: "button", text: "Next" });
    this.previous.addEventListener("click", () => this.turn(this.starts.pop() ?? null));
    this.following.addEventListener("click", () => {
      this.starts.push(this.after);
      this.turn(this.next);
    });
    this.pages = make("p", { class: "pages", hidden: true }, this.previous, this.following);
    this.element = make("div", {},
      make("p", { class: "path" }, make("a", { href: "#/devices", text: "Devices" })),
      make("h1", { text: app, tabindex: "-1" }), finder(app), this.problem,
      make("section", { class: "panel" }, this.list.element), this.pages);
    this.repeat = new Repeat(interval, (signal) => this.load(signal),
      (problem) => setText(this.problem, problem?.message ?? ""));
  }

  begin() { this.turn(null); }
  end() { this.repeat.end(); }
  show() {}

  turn(after) {
    if (after === null) this.starts = [];
    this.after = after;
    this.repeat.begin();
  }

  async load(signal) {
    const place = this.after === null ? "" : `&after=${encodeURIComponent(this.after)}`;
    const found = await ask(
      `v1/apps/${encodeURIComponent(this.app)}/devices?limit=${pageSize}${place}`, { signal });
    this.next = found.next ?? null;
    this.previous.disabled = this.after === null;
    this.following.disabled = this.next === null;
    this.pages.hidden = this.previous.disabled && this.following.disabled;
    this.list.show((found.devices ?? []).map((one) => [
      { text: one.device, href: deviceAddress(this.app, one.device) },
      format.count(one.widgets), one.isOnline ? "online" : "offline",
    ]));
  }
}
