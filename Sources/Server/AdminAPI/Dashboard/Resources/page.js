// The entry point: the theme, the page of the address, and the header above all pages.

import { endSession, hasSession } from "./api.js";
import { App } from "./app.js";
import { repaint } from "./charts.js";
import { Connections } from "./connections.js";
import { Device } from "./device.js";
import { AppDevices, Apps } from "./devices.js";
import { make, setText } from "./dom.js";
import { Explain } from "./explain.js";
import * as format from "./format.js";
import { Live } from "./live.js";
import { Overview } from "./overview.js";
import { AppPushes, PushHistory } from "./pushes.js";

const byId = (id) => document.getElementById(id);
const live = new Live();
let view = null;

// MARK: Pages

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const missing = {
  title: "Not found",
  element: make("div", {}, make("h1", { text: "Not found", tabindex: "-1" }),
    make("p", {}, "There is no such page. ", make("a", { href: "#/overview", text: "Overview" }))),
  begin() {}, end() {}, show() {},
};

/// The page of an address such as `#/devices/APP/DEVICE`; the names are percent-encoded.
const viewOf = (hash) => {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page, ...names] = path.split("/").map(decode);
  switch (page) {
    case "":
    case "overview": return new Overview(live);
    case "connections": return new Connections(live);
    case "devices":
      if (names.length > 1) return new Device(live, names[0], names.slice(1).join("/"));
      return names[0] ? new AppDevices(live, names[0]) : new Apps(live);
    case "pushes":
      if (names.length > 2) return new PushHistory(live, names[0], names[1], names[2]);
      return names[0] ? new AppPushes(live, names[0], new URLSearchParams(query)) : missing;
    case "apps":
      return names[0] ? new App(live, names[0], names[1] && names.slice(1).join("/")) : new Apps(live);
    case "explain": return new Explain(live, new URLSearchParams(query));
    default: return missing;
  }
};

const go = () => {
  const isFirst = view === null;
  view?.end();
  view = viewOf(location.hash);
  byId("main").replaceChildren(view.element);
  document.title = `${view.title} – ReloadRouter`;
  const page = location.hash.replace(/^#\/?/, "").split(/[/?]/, 1)[0] || "overview";
  for (const link of document.querySelectorAll("#top nav a")) {
    const isOfApp = page === "apps" || page === "pushes";
    if (link.getAttribute("href") === `#/${isOfApp ? "devices" : page}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.begin();
  if (isFirst) return;
  scrollTo(0, 0);
  view.element.querySelector("h1").focus({ preventScroll: true });
};

addEventListener("hashchange", () => {
  if (location.hash === "" || location.hash.startsWith("#/")) go();
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});

// MARK: The header above all pages

const linkText = {
  connecting: () => "connecting",
  live: () => "live",
  silent: () => `silent for ${format.span(Math.floor(live.silentFor / 1000) * 1000)}`,
  away: () => (live.status
    ? `offline for ${format.span(Math.floor(live.silentFor / 1000) * 1000)}` : "no connection"),
};

/// Makes a sentence of a problem's detail, such as `the loop has not answered for 3 s`.
const sentence = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

const notice = () => {
  const { status } = live;
  switch (live.state) {
    case "away":
      return `${sentence(live.detail || "The connection to the router has ended.")} Trying again.`
        + (status ? " The figures are the last ones that came." : "");
    case "silent":
      return `${sentence(live.detail || "The router sends nothing.")} `
        + "The figures shown are the last ones received.";
    case "connecting": return "";
    default: break;
  }
  if (status.isDraining) return "The router drains: it ends when everything is done.";
  if (status.isReady !== false) {
    const refused = (status.files ?? []).filter((file) => file.refusal)
      .map((file) => `${file.file}: ${file.refusal.reason}`).join("; ");
    return refused && `Refused at the last SIGHUP, and what was read before stays in force: ${refused}.`;
  }
  return `The router is not ready: ${(status.reasons ?? []).join("; ") || "no reason given"}.`;
};

byId("leave").addEventListener("click", endSession);

const showLink = () => {
  byId("leave").hidden = !hasSession();
  const link = byId("link");
  const [text, spoken] = link.children;
  link.dataset.state = live.state;
  setText(text, linkText[live.state]());
  // Screen readers announce only changes of the state; the seconds are only displayed.
  setText(spoken, live.state === "away" ? "no connection" : live.state);
  const words = notice();
  setText(byId("notice"), words);
  byId("notice").hidden = words === "";
  const advice = (live.status?.warnings ?? []).join("; ");
  setText(byId("advice"), advice && `For trials only: ${advice}.`);
  byId("advice").hidden = advice === "";
  const isCalm = live.state === "live" && live.status?.isDraining === true;
  byId("notice").classList.toggle("calm", isCalm);
  document.body.classList.toggle("stale", live.state === "silent" || live.state === "away");
  if (live.status) {
    setText(byId("version"), live.status.version ?? "");
    byId("version").title = `up ${format.span(live.status.uptime)}`;
  }
};

live.listen(() => {
  showLink();
  if (!document.hidden) view?.show();
});
setInterval(showLink, 1000);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) view?.show();
});

// MARK: The theme

const themes = byId("theme").querySelector("select");
themes.value = document.documentElement.dataset.theme ?? "system";
themes.addEventListener("change", () => {
  if (themes.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themes.value;
  try {
    localStorage.setItem("theme", themes.value);
  } catch {
    // Storage is not available: the choice lasts until the page is closed.
  }
  repaint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

go();
showLink();
