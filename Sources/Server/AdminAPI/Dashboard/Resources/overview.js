// The first page: pushes and reloads per second, latencies, and queues.

import { appAddress } from "./app.js";
import { bars, canDraw, lines } from "./charts.js";
import { facts, folding, make, number, panel, setText, table } from "./dom.js";
import * as format from "./format.js";
import { Origins } from "./origins.js";
import { Range } from "./range.js";
import * as words from "./words.js";

/// The height of a row of the table, and of the bar beside it, in px.
const rowHeight = 24;

const figure = (name, title) => {
  const value = make("dd", { class: "value", text: format.dash });
  const note = make("dd", { class: "note" });
  const element = make("div", { title }, make("dt", { text: name }), value, note);
  return { element, show: (text, small) => { setText(value, text); setText(note, small ?? ""); } };
};

export const chartPanel = (heading, title, series, unit) => {
  const canvas = make("canvas",
    { role: "img", "aria-label": `${heading} in the time chosen above; the figures are above` });
  const key = make("p", { class: "key" }, ...series.map(({ label, tone, dash }) =>
    make("span", { class: `${tone}${dash ? " dashed" : ""}`, text: label })));
  const frame = make("div", { class: "chart" }, canvas);
  const element = panel(heading, title, key, frame);
  // Chart.js measures the canvas, which must be in the page by then.
  const begin = (range) => {
    const chart = lines(canvas, series, unit);
    if (chart) range.follow(frame, chart.timeAt);
    return chart;
  };
  return { element, begin };
};

/// The 99th percentile, and the median in small print; dashes if nothing was measured.
const percentiles = (latency) => (latency?.count > 0
  ? [format.micros(latency.p99), `p99; median ${format.micros(latency.p50)}`]
  : [format.dash, "none in the last 10 s"]);

/// What an app uses of a quota: `120,408`, or `120 KB of 1.00 MB`; marked from nine tenths on.
const used = (app, quota, unit) => {
  const have = app.used?.[quota];
  const may = app.quotas?.[quota];
  if (may === undefined) return { text: unit(have), title: "no quota of its own" };
  return { text: `${unit(have)} of ${unit(may)}`, mark: have > 0.9 * may && "warn",
    title: may > 0 ? `${Math.round(100 * have / may)} % of the quota` : "closed by its quota" };
};

export class Overview {
  constructor(live) {
    this.live = live;
    this.title = "Overview";
    this.figures = {
      pushes: figure("Pushes", "Pushes that were accepted, per second."),
      reloads: figure("Reloads", "RELOADs that were sent, per second."),
      ratio: figure("Match ratio", "Widgets that a push matched, on average in the last second."),
      ack: figure("Push to ACK",
        "99 of 100 pushes were acknowledged in this time, in the last 10 s or so."),
      reload: figure("Push to RELOAD",
        "99 of 100 RELOADs that could leave at once left in this time after their push."),
      pending: figure("Pending",
        "Reloads that wait: for a debounce window, a budget, a permit, or a session."),
      connections: figure("Connections", "Open connections of all roles. A gateway speaks for many "
        + "devices with one; devices without a connection are known, too."),
      memory: figure("Memory", "Resident memory of the process, as the system reports it."),
    };
    this.charts = [
      chartPanel("Throughput", "Per second.", [
        { label: "pushes", tone: "accent", isFilled: true, get: (sample) => sample.pushes },
        { label: "reloads", tone: "ink", get: (sample) => sample.reloads },
        { label: "matched widgets", tone: "faint", dash: [3, 3], get: (sample) => sample.matched },
      ], format.short),
      chartPanel("Latency", "Percentiles of the last 10 s or so.", [
        { label: "push to ACK, p99", tone: "accent", isFilled: true,
          get: (sample) => sample.ack?.p99 },
        { label: "push to ACK, p50", tone: "accent", dash: [3, 3],
          get: (sample) => sample.ack?.p50 },
        { label: "push to RELOAD, p99", tone: "ink", get: (sample) => sample.reload?.p99 },
        { label: "loop tick, p99", tone: "faint", get: (sample) => sample.tick?.p99 },
      ], format.micros),
      chartPanel("Waiting", "Reloads that wait, and decisions per second that one has to wait.", [
        { label: "pending", tone: "accent", isFilled: true, get: (sample) => sample.pending },
        { label: "put off per second", tone: "ink", get: (sample) => sample.putOff },
        { label: "refused frames per second", tone: "faint", dash: [3, 3],
          get: (sample) => sample.rejected },
      ], format.short),
      chartPanel("Connections", "Open connections by role.", [
        { label: "devices", tone: "accent", isFilled: true, get: (sample) => sample.devices },
        { label: "gateways, many devices each", tone: "ink", get: (sample) => sample.gateways },
        { label: "publishers", tone: "faint", dash: [3, 3], get: (sample) => sample.publishers },
      ], format.short),
    ];
    this.origins = new Origins();
    this.range = new Range(live, () => this.show());
    this.makeTables();
    this.element = this.build();
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.range.zoom) this.range.set(null);
    });
    this.drawn = [];
  }

  makeTables() {
    this.latency = table("Latency", [
      { name: "" }, number("p50"), number("p90"), number("p99"), number("p99.9"), number("max"),
      number("count", "In the last 10 s or so."),
    ]);
    const counted = [number("per second"), number("since start")];
    this.decisions = table("Decisions by reason",
      [{ name: "reason" }, ...counted], "no decisions yet");
    this.causes = table("Reloads by cause", [{ name: "cause" }, ...counted], "no reloads yet");
    this.codes = table("Rejected pushes by code",
      [{ name: "code" }, ...counted], "none was rejected");
    this.apps = table("Apps", [
      { name: "app" }, number("pushes/s"), number("matched/s", "Widgets that pushes matched."),
      number("reloads/s"),
    ], "no apps");
    this.quotas = table("Quotas", [
      { name: "app" }, number("devices"), number("widgets"),
      number("stored", "Memory that its devices and widgets take, as quotas count it."),
      number("sessions"),
    ], "no apps");
    this.hotKeys = table("Hot keys", [
      { name: "key", title: "A field and its value, by which widgets are found." }, { name: "app" },
      number("pushes", "In the last minute or so."),
    ], "no key stands out");
    this.roles = facts("Connections by role");
    this.traffic = facts("Traffic");
    this.pending = facts("Pending reloads");
    this.queues = facts("Queues");
    this.memory = facts("Memory by part");
    this.store = facts("Store");
    this.stored = facts("Known");
    this.recording = facts("Recording");
    this.apns = facts("Pushes by APNs");
  }

  build() {
    const missing = make("p", { class: "empty", hidden: canDraw(), id: "chartless",
      text: "Without charts: the router's machine has no Chart.js (Debian: libjs-chart.js)." });
    this.barCanvas = make("canvas");
    const decisions = folding("Decisions", "Decisions on reloads, by reason.",
      make("div", { class: "beside" }, this.decisions.element,
        make("div", { class: "bars", "aria-hidden": "true" }, make("div", {}, this.barCanvas))));
    this.recordingPanel = folding("Recording", "Inputs that are recorded.", this.recording.element);
    this.recordingPanel.hidden = true;
    this.apnsPanel = folding("Pushes by APNs", "To devices that have no session.", this.apns.element);
    this.apnsPanel.hidden = true;
    return make("div", { class: "overview" },
      make("h1", { text: "Overview", tabindex: "-1" }),
      make("dl", { id: "figures" }, ...Object.values(this.figures).map((one) => one.element)),
      missing, this.range.element,
      make("div", { class: "pair" }, ...this.charts.map((one) => one.element)),
      make("div", { class: "pair" },
        panel("Latency by step", undefined, make("div", { class: "whole" }, this.latency.element)),
        decisions),
      this.origins.element,
      make("div", { class: "columns" },
        panel("Apps", undefined, this.apps.element),
        this.apnsPanel,
        folding("Quotas", "How much of each quota the apps use.",
          make("div", { class: "wrapped" }, this.quotas.element)),
        folding("Hot keys", "Values that many pushes name.", this.hotKeys.element),
        folding("Connections", undefined, this.roles.element),
        folding("Store", "Where everything acknowledged is kept.", this.store.element),
        folding("Pending reloads", "Reloads that wait, by what they wait for.",
          this.pending.element),
        folding("Queues", "What waits, and for what.", this.queues.element),
        folding("Memory", "In bytes, by part.", this.memory.element),
        folding("Reloads by cause", undefined, this.causes.element),
        folding("Rejected pushes", undefined, this.codes.element),
        folding("Traffic", undefined, this.traffic.element),
        folding("Known", "What the router keeps.", this.stored.element),
        this.recordingPanel));
  }

  /// Draws the charts; called once the element is in the page.
  begin() {
    this.drawn = this.charts.map((one) => one.begin(this.range));
    this.bars = bars(this.barCanvas, rowHeight, format.rate);
    this.origins.begin();
    this.show();
  }

  end() {
    for (const chart of [...this.drawn, this.bars]) chart?.end();
    this.origins.end();
  }

  show() {
    const { status, rates, history } = this.live;
    if (!status) return;
    this.showFigures(status, rates);
    this.range.show();
    for (const chart of this.drawn) chart?.show(history, this.range.zoom);
    this.showTables(status, rates);
    this.showFacts(status, rates);
    this.origins.show(status);
  }

  showFigures(status, rates) {
    const { latency = {}, wishes = {}, connections = {} } = status;
    const total = words.openRoles.reduce((sum, role) => sum + (connections[role] ?? 0), 0);
    const { pushes, reloads, ratio, ack, reload, pending, memory } = this.figures;
    pushes.show(format.rate(rates?.pushes), `${format.total(status.pushes?.accepted)} since start`);
    reloads.show(format.rate(rates?.reloads), `${format.total(status.reloads?.sent)} since start`);
    ratio.show(format.short(rates?.ratio), "widgets a push");
    ack.show(...percentiles(latency.pushToAck));
    reload.show(...percentiles(latency.pushToReload));
    pending.show(format.total(wishes.pending), `${format.total(wishes.deferred)} deferred`);
    this.figures.connections.show(
      format.total(total), `for ${format.total(status.stored?.devices)} devices`);
    memory.show(format.bytes(status.memory?.resident), `up ${format.span(status.uptime)}`);
  }

  showTables(status, rates) {
    this.latency.show(Object.entries(status.latency ?? {}).map(([step, one]) => [
      { text: words.name(words.latencies, step), title: words.meaning(words.latencies, step) },
      ...["p50", "p90", "p99", "p999", "max"].map((part) =>
        (one.count ? format.micros(one[part]) : format.dash)),
      format.count(one.count),
    ]));
    const reasons = Object.entries(status.decisions ?? {}).filter(([, count]) => count > 0);
    this.decisions.show(reasons.map(([reason, count]) => [
      { text: reason, title: words.reason(reason) },
      format.short(rates?.decisions[reason]), format.total(count)]));
    this.bars?.show(reasons.map(([reason]) => [reason, rates?.decisions[reason]]));
    const counted = (counters, perSecond) => Object.entries(counters ?? {})
      .filter(([, count]) => count > 0)
      .map(([key, count]) => [key, format.short(perSecond?.[key]), format.total(count)]);
    this.causes.show(counted(status.reloads?.byCause, rates?.causes));
    this.codes.show(counted(status.pushes?.rejected, rates?.codes));
    this.apps.show((status.apps ?? []).map((app) => {
      const own = rates?.apps.get(app.app);
      return [
        { text: app.isPaused ? `${app.app} (paused)` : app.app, mark: app.isPaused && "warn",
          href: appAddress(app.app),
          title: `${format.total(app.pushes)} pushes since the start` },
        format.short(own?.pushes), format.short(own?.matched), format.short(own?.reloads),
      ];
    }));
    this.quotas.show((status.apps ?? []).map((app) => [
      app.app, used(app, "devices", format.count), used(app, "widgets", format.count),
      used(app, "storedBytes", format.bytes), used(app, "sessions", format.count),
    ]));
    this.hotKeys.show((status.hotKeys ?? []).map((key) =>
      [key.key, key.app, format.total(key.pushes)]));
  }

  showFacts(status, rates) {
    const named = (table, values, unit) => Object.entries(values ?? {}).map(([key, value]) =>
      [words.name(table, key), unit(value, key), words.meaning(table, key)]);
    this.roles.show(named(words.roles, status.connections, format.count));
    const stages = Object.entries(status.wishes ?? {})
      .filter(([key]) => !["begun", "ended"].includes(key));
    this.pending.show(stages.map(([key, value]) => [
      key === "pending" ? "In all" : words.name({}, key), format.count(value), words.reason(key),
    ]));
    this.queues.show(named(words.queues, status.queues, (value, key) =>
      (words.queues[key]?.[2] ? format.bytes : format.count)(value)));
    this.memory.show(named(words.memory, status.memory, format.bytes));
    const { bytes: stored, bytesLimit, ...known } = status.stored ?? {};
    this.stored.show([
      ...named({}, known, format.count),
      ["Stored", `${format.bytes(stored)} of ${format.bytes(bytesLimit)}`,
        "Memory that devices and widgets take, as quotas count it, and the limit for all apps.",
        stored > 0.9 * bytesLimit ? "warn" : undefined],
    ]);
    this.traffic.show([
      ["In", `${format.bytes(rates?.bytesIn)}/s`,
        `${format.bytes(status.bytes?.in)} since the start`],
      ["Out", `${format.bytes(rates?.bytesOut)}/s`,
        `${format.bytes(status.bytes?.out)} since the start`],
      ["Duplicates", format.rate(rates?.duplicates),
        "Pushes that were sent again, and had been accepted before."],
      ["Expired reloads", format.count(status.reloads?.void),
        "Their pushes expired before they could be sent."],
      ["Reload requests", format.total(status.wishes?.begun),
        "Reloads that were asked for, with any cause."],
      ["Requests ended", format.total(status.wishes?.ended), "Sent, or no longer needed."],
    ]);
    this.store.show(storeFacts(status.store));
    this.apnsPanel.hidden = !isUsed(status.apns);
    if (status.apns) this.apns.show(apnsFacts(status.apns, rates?.apns));
    this.recordingPanel.hidden = !status.recording;
    if (status.recording) {
      const { records, lost, bytes, isFailing } = status.recording;
      this.recording.show([
        ["State", isFailing ? "fails" : "records", undefined, isFailing ? "warn" : undefined],
        ["Records", format.count(records)], ["Bytes", format.bytes(bytes)],
        ["Lost", format.count(lost), "What could not be written.", lost > 0 ? "warn" : undefined],
      ]);
    }
  }
}

/// Whether there is something to say of pushes by APNs.
const isUsed = (apns) => ["sent", "waiting", "underWay", "deadTokens", "connections", "stopped"]
  .some((member) => apns?.[member] > 0);

const apnsFacts = (apns, rates) => [
  ...apns.stoppedLanes.map(({ app, environment, cause }) => [
    `Stopped: ${app}, ${environment}`, words.name(words.stops, cause),
    `${words.meaning(words.stops, cause) ?? ""} What waits is kept.`, "warn"]),
  ...(apns.stopped > apns.stoppedLanes.length
    ? [["Stopped", `${format.count(apns.stopped - apns.stoppedLanes.length)} more`, undefined, "warn"]]
    : []),
  ["Sent", format.rate(rates?.sent), `${format.total(apns.sent)} since the start`],
  ["Accepted", format.rate(rates?.accepted),
    `${format.total(apns.accepted)} since the start; that a device has reloaded is not known.`],
  ["Waiting", format.count(apns.waiting), "Devices that a push is due to."],
  ["Under way", format.count(apns.underWay), "Pushes that APNs has not answered yet."],
  ["Dead tokens", format.count(apns.deadTokens),
    "Push tokens that are not used until their devices register again."],
  ["Postponed", format.total(apns.postponed), "Sent again after a pause; since the start."],
  ["Answer", apns.answer.count > 0 ? format.micros(apns.answer.p99) : format.dash,
    "99 of 100 answers came in this time, in the last 10 s or so."],
  ["Connections", format.count(apns.connections),
    `${format.total(apns.connectionsLost)} were lost since the start`],
];

const storeFacts = (store) => {
  if (!store) return [["State", "none", "The router loses everything when it ends."]];
  const state = store.isFailing
    ? ["State", `fails for ${format.span(store.failingFor)}`,
      "Nothing is acknowledged meanwhile.", "warn"]
    : ["State", "healthy"];
  const { checkpoint } = store;
  return [
    state,
    ["On disk", format.bytes(store.diskBytes)],
    ["Not committed", format.count(store.submitted - store.committed),
      "Records submitted, and not on disk yet."],
    ["Committed", format.total(store.committed), "Records of the journal."],
    ...(checkpoint ? [
      ["Checkpoint", `no. ${format.count(checkpoint.number)}`],
      ["Checkpoint size", format.bytes(checkpoint.bytes)],
      ["Checkpoint duration", format.span(checkpoint.milliseconds)],
    ] : []),
  ];
};
