"use strict";
// Shows the devices as the server's events describe them, and advances the clock between the events.

const byId = (id) => document.getElementById(id);

const twoDigits = (number) => String(number).padStart(2, "0");

// MARK: The device's clock

let screen = null;
let arrival = 0;

const now = () => screen.now + (performance.now() - arrival);

const clockText = (time) => {
  const date = new Date(time);
  return `${date.getHours()}:${twoDigits(date.getMinutes())}`;
};

const timeText = (time) => `${clockText(time)}:${twoDigits(new Date(time).getSeconds())}`;

const tick = () => {
  if (!screen) return;
  byId("clock").textContent = byId("lock").dataset.time = clockText(now());
};

// MARK: Widgets

const accessories = new Set([
  "accessoryCircular", "accessoryRectangular", "accessoryInline", "accessoryCorner",
]);

/// Reloads that flash: their text and their end, by the id of the widget.
const flashes = new Map();
const flashSeconds = 5;

const isDark = matchMedia("(prefers-color-scheme: dark)");

/// The drawing of a widget that fits the browser's colours; undefined if there is none.
const drawingOf = (widget) => (isDark.matches && widget.darkView) || widget.view;

/// What of a widget is not drawn, in words: what its drawing says, and symbols that are not known.
const omissionsElements = (widget, card) => {
  const symbols = [...card.querySelectorAll(".symbol.unknown title")].map((title) => `the symbol “${title.textContent}”`);
  const words = [...(drawingOf(widget)?.omissions ?? []), ...new Set(symbols)];
  return words.length === 0 ? [] : [make("p", "omissions", `Not drawn: ${words.join("; ")}.`)];
};

const cardElement = (widget) => {
  const card = make("article", "widget");
  const drawing = drawingOf(widget);
  card.classList.toggle("control", widget.isControl === true);
  card.classList.toggle("on", drawing?.isOn === true);
  card.setAttribute("aria-label", widget.displayName);
  if (drawing) card.append(drawWidget(drawing));
  return card;
};

const widgetElement = (widget) => {
  const slot = make("div", `slot ${widget.isControl ? "controlSlot" : widget.family}`);
  slot.dataset.widget = widget.id;
  const card = cardElement(widget);
  if (widget.isAsking) card.append(make("i", "asking"));
  slot.append(card, make("span", "reason"));
  if (areaOf(widget) === "grid") slot.append(make("span", "label", widget.displayName));
  return slot;
};

const sizeName = ({ isControl, family }) => (isControl ? "control" : family);

/// Where a widget is on the device: the lock screen, the home screen, or the control centre.
const areaOf = (widget) =>
  (widget.isControl ? "controls" : accessories.has(widget.family) ? "lock" : "grid");

const showFlash = (slot) => {
  const flash = flashes.get(slot.dataset.widget);
  const isOn = flash !== undefined && flash.until > performance.now();
  slot.classList.toggle("flash", isOn);
  slot.classList.toggle("new", isOn && flash.changed);
  if (isOn) {
    slot.querySelector(".reason").textContent =
      flash.cause + (flash.changed ? "" : ", nothing new");
    // A slot that is drawn anew in the middle of its flash continues the animation.
    slot.style.setProperty("--since", `${performance.now() - flash.begin}ms`);
  }
};

const showFlashes = () => {
  for (const slot of document.querySelectorAll("[data-widget]")) showFlash(slot);
};

// MARK: The text beside the screen

const fact = (name, ...values) => {
  const row = make("div");
  const value = make("dd");
  value.append(...values);
  row.append(make("dt", "", name), value);
  return row;
};

const nextText = (widget) => {
  if (widget.isAsking) return "now: the provider is asked";
  return widget.nextReload == null ? "no date" : timeText(widget.nextReload);
};

const budgetElements = (widget) => {
  if (widget.budgetAllowance == null) return ["not counted"];
  const meter = make("meter");
  meter.max = Math.max(1, widget.budgetAllowance);
  meter.value = widget.budgetUsed;
  meter.high = meter.max * 0.8;
  meter.optimum = 0;
  return [meter, ` ${widget.budgetUsed} of ${widget.budgetAllowance}`];
};

const factElement = (widget) => {
  const element = make("article", "fact");
  element.classList.toggle("hidden", !widget.isVisible);
  const head = make("h3");
  head.append(make("span", "", widget.displayName), make("small", "", sizeName(widget)));
  const list = make("dl");
  const entry = widget.entryIndex == null ? "none" : `${widget.entryIndex + 1}`;
  const reload = widget.lastReload;
  list.append(
    fact("next reload", nextText(widget)),
    fact("policy", widget.policy ?? "none yet"),
    fact("entry", `${entry} of ${widget.entries}`),
    fact("budget", ...budgetElements(widget)),
    fact("last reload", reload === undefined ? "none yet"
      : `${timeText(reload.at)}, ${reload.cause}${reload.changed ? "" : ", nothing new"}`),
  );
  element.append(head, make("code", "", `${widget.kind} ${widget.id}`), list,
    ...omissionsElements(widget, cardElement(widget)));
  return element;
};

/// Most rows of the log.
const logLimit = 50;

const log = ({ displayName, lastReload: reload }) => {
  const row = make("li");
  row.append(make("time", "", timeText(now())), make("b", "", reload.cause),
    make("span", "", displayName),
    make("small", "", reload.changed ? "" : "nothing new"));
  byId("log").prepend(row);
  while (byId("log").children.length > logLimit) byId("log").lastChild.remove();
};

// MARK: The screen

const isHere = (widget) => widget.page === (screen.page ?? lastPage);
/// The page that is drawn while the screen is off.
let lastPage = 0;

const showDots = () => {
  byId("dots").replaceChildren(...Array.from({ length: screen.pages }, (_, page) => {
    const dot = make("button");
    dot.type = "button";
    dot.ariaLabel = `Page ${page + 1}`;
    if (page === lastPage) dot.ariaCurrent = "page";
    dot.onclick = () => post(`visible?page=${page}`);
    return dot;
  }));
  byId("dots").hidden = screen.pages < 2;
};

const showDevice = () => {
  if (screen.page != null) lastPage = screen.page;
  document.title = `${screen.device}: ${screen.app}`;
  byId("name").textContent = screen.device;
  const pages = screen.pages === 1 ? "1 page" : `${screen.pages} pages`;
  const media = screen.media === "silent" ? "" : `, plays ${screen.media}`;
  const count = screen.widgets.length;
  const widgets = count === 1 ? "1 widget" : `${count} widgets`;
  byId("about").textContent = `${screen.app}, ${widgets}, ${pages}${media}`;
  byId("signal").textContent = screen.online ? "online" : "offline";
  byId("signal").classList.toggle("off", !screen.online);
  byId("dark").hidden = screen.page != null;
  press("online", screen.online);
  press("foreground", screen.foreground);
  press("screen", screen.page != null);
};

const press = (name, isOn) => {
  document.querySelector(`[data-switch=${name}]`).ariaPressed = String(isOn);
};

const show = (snapshot) => {
  const before = screen?.device === snapshot.device ? screen.widgets : snapshot.widgets;
  screen = snapshot;
  arrival = performance.now();
  byId("waiting").hidden = true;
  byId("devices").hidden = true;
  byId("device").hidden = false;
  showDevice();
  showDots();
  const here = screen.widgets.filter(isHere);
  for (const area of ["lock", "grid", "controls"]) {
    const widgets = here.filter((widget) => areaOf(widget) === area);
    byId(area).replaceChildren(...widgets.map(widgetElement));
    byId(area).hidden = widgets.length === 0;
  }
  byId("facts").replaceChildren(...screen.widgets.map(factElement));
  const last = new Map(before.map((widget) => [widget.id, widget.lastReload?.at]));
  for (const widget of screen.widgets) {
    if (widget.lastReload && widget.lastReload.at !== last.get(widget.id)) reloaded(widget);
  }
  showFlashes();
  tick();
};

const reloaded = (widget) => {
  const begin = performance.now();
  flashes.set(widget.id, { ...widget.lastReload, begin, until: begin + flashSeconds * 1000 });
  log(widget);
};

// MARK: Commands

const device = new URLSearchParams(location.search).get("device");

const post = async (command) => {
  const query = device === null ? "" : `&device=${encodeURIComponent(device)}`;
  try {
    const answer = await fetch(command + query, { method: "POST" });
    if (!answer.ok) throw new Error((await answer.json()).detail);
    byId("problem").textContent = "";
  } catch (error) {
    byId("problem").textContent = `That did not work: ${error.message}.`;
  }
};

const turnPage = (step) => {
  const page = lastPage + step;
  if (screen && page >= 0 && page < screen.pages) post(`visible?page=${page}`);
};

const wake = () => post(`visible?page=${lastPage}`);

const switches = {
  online: () => post(`online?value=${!screen.online}`),
  foreground: () => post(`foreground?value=${!screen.foreground}`),
  screen: () => (screen.page == null ? wake() : post("visible?page=")),
};

for (const button of document.querySelectorAll("[data-switch]")) {
  button.onclick = () => screen && switches[button.dataset.switch]();
}
byId("dark").onclick = wake;

addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") turnPage(-1);
  if (event.key === "ArrowRight") turnPage(1);
});

// MARK: Events

const showDevices = (names) => {
  if (names.length === 0) return;
  if (device !== null || names.length < 2) return;
  screen = null;
  byId("waiting").hidden = true;
  byId("device").hidden = true;
  byId("devices").hidden = false;
  byId("devices").querySelector("ul").replaceChildren(...names.map((name) => {
    const link = make("a", "", name);
    link.href = `?device=${encodeURIComponent(name)}`;
    const item = make("li");
    item.append(link);
    return item;
  }));
};

let lastPreviews = [];

/// Previews of each kind of widget in its sizes; those in which a device displays it lead to that.
const showPreviews = (previews) => {
  lastPreviews = previews;
  const kinds = new Map();
  for (const preview of previews) kinds.set(preview.kind, [...(kinds.get(preview.kind) ?? []), preview]);
  byId("previews").replaceChildren(...[...kinds].map(([kind, members]) => {
    const element = make("section", "kind");
    element.append(make("h3", "", members[0].displayName), make("code", "", kind), make("p", "", members[0].summary));
    element.append(box("sizes", ...members.map((preview) => {
      const slot = make("a", `slot ${preview.isControl ? "controlSlot" : preview.family} at-${areaOf(preview)}`);
      if (preview.device) slot.href = `?device=${encodeURIComponent(preview.device)}`;
      slot.dataset.widget = preview.id;
      const card = cardElement(preview);
      slot.append(card, make("span", "label", sizeName(preview)), ...omissionsElements(preview, card));
      return slot;
    })));
    return element;
  }));
};

const query = device === null ? "" : `?device=${encodeURIComponent(device)}`;
const events = new EventSource(`events${query}`);
events.addEventListener("devices", (event) => showDevices(JSON.parse(event.data)));
events.addEventListener("previews", (event) => showPreviews(JSON.parse(event.data)));
events.addEventListener("screen", (event) => show(JSON.parse(event.data)));
events.onopen = () => document.body.classList.remove("lost");
events.onerror = () => document.body.classList.add("lost");

isDark.addEventListener("change", () => (screen ? show(screen) : showPreviews(lastPreviews)));

setInterval(() => {
  tick();
  showFlashes();
}, 250);
