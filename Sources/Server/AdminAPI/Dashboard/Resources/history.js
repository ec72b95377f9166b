// Rates between two statuses, and their history: what the router has kept, and what came since.

/// How long samples are kept, in ms: as long as the router keeps its own.
export const span = 86_400_000;
/// Most samples, of which one arrives each second and the router's history is at most 1,680; beyond
/// it, the oldest is dropped.
const limit = 6_000;
/// Most marks; beyond it, the oldest is dropped.
const markLimit = 256;
/// Time without a status after which the lines of charts have a gap, in ms.
const gap = 4_000;
/// Decisions that a reload has to wait.
const waits = ["debounced", "spacing", "budget", "spread", "offline", "loop", "grace", "cap", "retry"];

/// How much a counter has grown per second; null if that is unknown, as after a restart.
const perSecond = (now, before, seconds) =>
  typeof now === "number" && typeof before === "number" && now >= before
    ? (now - before) / seconds : null;

const sum = (counters) => Object.values(counters ?? {}).reduce((total, value) => total + value, 0);

/// The rates of the counters in an object; a counter that is new has grown from zero.
const each = (now, before, seconds) => {
  const rates = {};
  for (const [key, value] of Object.entries(now ?? {})) {
    rates[key] = perSecond(value, before?.[key] ?? 0, seconds);
  }
  return rates;
};

const byApp = (status) => new Map((status.apps ?? []).map((app) => [app.app, app]));

/// What has happened between two statuses, per second; null if the router was restarted in between.
export const rates = (now, before) => {
  const seconds = (now.at - before.at) / 1000;
  if (!(seconds > 0) || now.uptime < before.uptime) return null;
  const per = (get) => perSecond(get(now), get(before), seconds);
  const appsBefore = byApp(before);
  const apps = new Map();
  for (const app of now.apps ?? []) {
    const earlier = appsBefore.get(app.app);
    apps.set(app.app, Object.fromEntries(["pushes", "matched", "reloads"].map((counter) =>
      [counter, perSecond(app[counter], earlier?.[counter] ?? 0, seconds)])));
  }
  const pushes = per((status) => status.pushes?.accepted);
  const matched = per((status) => status.matched);
  return {
    pushes,
    matched,
    ratio: pushes > 0 && matched !== null ? matched / pushes : null,
    duplicates: per((status) => status.pushes?.duplicate),
    rejected: per((status) => sum(status.pushes?.rejected)),
    reloads: per((status) => status.reloads?.sent),
    bytesIn: per((status) => status.bytes?.in),
    bytesOut: per((status) => status.bytes?.out),
    decisions: each(now.decisions, before.decisions, seconds),
    causes: each(now.reloads?.byCause, before.reloads?.byCause, seconds),
    codes: each(now.pushes?.rejected, before.pushes?.rejected, seconds),
    apns: {
      sent: per((status) => status.apns?.sent),
      accepted: per((status) => status.apns?.accepted),
    },
    apps,
  };
};

/// A sample as charts draw it, of one point of the router's history; see protocol/admin.md.
export const sampleOf = (point) => {
  const rate = (count) => (point.length > 0 ? (1000 * count) / point.length : null);
  return {
    at: point.at, length: point.length,
    pushes: rate(point.pushes), matched: rate(point.matched), reloads: rate(point.reloads),
    putOff: rate(point.putOff), rejected: rate(point.rejected),
    ratio: point.pushes > 0 ? point.matched / point.pushes : null,
    pending: point.pending,
    publishers: point.publishers, devices: point.devices, gateways: point.gateways,
    ack: point.pushToAck, reload: point.pushToReload, tick: point.tick,
  };
};

/// The percentiles of a status; null if nothing was measured.
const measured = (latency) => (latency?.count > 0 ? latency : null);

/// The samples from which charts are drawn, and the marks of what happened meanwhile.
export class History {
  constructor() {
    this.samples = [];
    /// `{at, event}`, oldest first.
    this.marks = [];
    /// How far back charts go, in ms.
    this.range = 3_600_000;
    /// Whether the range was chosen: then charts show all of it, also where nothing is known.
    this.isRangeChosen = false;
    this.status = null;
    this.rates = null;
  }

  /// Adds a status; returns false if it is the same as the last one.
  add(status) {
    const before = this.status;
    if (before && status.at === before.at) return false;
    // The clock was set back: earlier samples cannot be drawn.
    if (before && status.at < before.at) this.samples = [];
    this.status = status;
    this.rates = before ? rates(status, before) : null;
    if (before && (this.rates === null || status.at - before.at > gap)) {
      this.samples.push({ at: status.at - 1 });
    }
    if (this.rates) this.samples.push(this.sample(status, status.at - before.at));
    this.drop(status.at);
    return true;
  }

  sample(status, length) {
    const { pushes, matched, reloads, ratio, rejected, decisions } = this.rates;
    const { connections = {}, latency = {} } = status;
    return {
      at: status.at, length, pushes, matched, reloads, ratio, rejected,
      putOff: waits.reduce((total, reason) => total + (decisions[reason] ?? 0), 0),
      pending: status.wishes?.pending,
      publishers: connections.publisher, devices: connections.device, gateways: connections.gateway,
      ack: measured(latency.pushToAck), reload: measured(latency.pushToReload),
      tick: measured(latency.turn),
    };
  }

  /// Adds what the router has kept: in its time, its points replace the samples of this page, which
  /// are still there from before the router's start and from after its last point. `sample` makes a
  /// sample of a point.
  merge({ points = [], marks = [] }, sample = sampleOf) {
    if (points.length > 0) {
      const begin = points[0].at - points[0].length;
      const end = points.at(-1).at;
      const former = this.samples.filter((sample) => sample.at <= begin);
      const kept = [];
      let last = former.at(-1)?.at;
      for (const point of points) {
        // Nothing is known of the time in which no router ran.
        const start = point.at - point.length;
        if (start - last > gap) kept.push({ at: start });
        kept.push(sample(point));
        last = point.at;
      }
      this.samples = [...former, ...kept, ...this.samples.filter((sample) => sample.at > end)];
    }
    const known = new Set(this.marks.map((mark) => `${mark.at} ${mark.event}`));
    this.marks = [...this.marks, ...marks.filter((mark) => !known.has(`${mark.at} ${mark.event}`))]
      .sort((one, other) => one.at - other.at);
    this.drop(this.samples.at(-1)?.at ?? 0);
  }

  /// Drops what is older than what is kept.
  drop(now) {
    const isKept = ({ at }) => at >= now - span;
    if (this.samples.length > limit) this.samples.splice(0, this.samples.length - limit);
    if (this.marks.length > markLimit) this.marks.splice(0, this.marks.length - markLimit);
    if (this.samples[0]?.at < now - span) this.samples = this.samples.filter(isKept);
    if (this.marks[0]?.at < now - span) this.marks = this.marks.filter(isKept);
  }

  /// The length of time that charts show, in ms: the range or, until one is chosen, as long as
  /// there is something, at least a minute.
  get shown() {
    if (this.isRangeChosen) return this.range;
    const first = this.samples[0];
    const age = first ? this.samples.at(-1).at - first.at + (first.length ?? 0) : 0;
    return [60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 21_600_000]
      .find((length) => age <= length && length < this.range) ?? this.range;
  }

  /// The stretch of time that charts show: the last one, or the one of a zoom.
  window(zoom) {
    if (zoom) return { ...zoom, isLive: false };
    const to = this.samples.at(-1)?.at ?? 0;
    return { from: to - this.shown, to, isLive: true };
  }

  /// The samples of a stretch of time, with one more on each side so that lines reach the edges.
  within({ from, to }) {
    const first = this.samples.findIndex((sample) => sample.at >= from);
    if (first < 0) return [];
    const after = this.samples.findIndex((sample) => sample.at > to);
    return this.samples.slice(Math.max(0, first - 1), after < 0 ? undefined : after + 1);
  }
}
