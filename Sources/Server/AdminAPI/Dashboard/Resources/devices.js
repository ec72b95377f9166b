// The page of all apps, and of the devices of one app, with links to each device's page.

import { ask } from "./api.js";
import { appAddress } from "./app.js";
import { deviceAddress } from "./connections.js";
import { make, number, table } from "./dom.js";
import * as format from "./format.js";
import { pushesAddress } from "./pushes.js";
import { Pages, Repeat } from "./repeat.js";

/// Time between two requests, in ms.
const interval = 5_000;

const plain = { autocomplete: "off", spellcheck: "false" };

/// A form that opens a device's page by the device's name.
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
    this.repeat = new Repeat(interval, (signal) => this.load(signal));
    this.element = make("div", {}, make("h1", { text: "Devices", tabindex: "-1" }),
      make("p", { class: "lead",
        text: "Why was my widget not reloaded? Name the device, or choose an app." }),
      finder(), this.repeat.problem, make("section", { class: "panel" }, this.list.element));
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
    this.list = table("Devices",
      [{ name: "device" }, number("widgets"), { name: "session" }], "no devices");
    this.pages = new Pages(interval, (page, signal) => this.load(page, signal));
    this.element = make("div", {},
      make("p", { class: "path" }, make("a", { href: "#/devices", text: "Devices" })),
      make("h1", { text: app, tabindex: "-1" }), finder(app),
      make("p", { class: "line" },
        make("a", { class: "button", href: appAddress(app), text: "Curves" }),
        make("a", { class: "button", href: pushesAddress(app), text: "Last pushes" })),
      this.pages.problem,
      make("section", { class: "panel" }, this.list.element), this.pages.element);
  }

  begin() { this.pages.begin(); }
  end() { this.pages.end(); }
  show() {}

  async load(page, signal) {
    const found = await ask(`v1/apps/${encodeURIComponent(this.app)}/devices?${page}`, { signal });
    this.list.show((found.devices ?? []).map((one) => [
      { text: one.device, href: deviceAddress(this.app, one.device) },
      format.count(one.widgets), one.isOnline ? "online" : "offline",
    ]));
    return found;
  }
}
