// Rates between two statuses, and their history of ten minutes.

/// How long samples are kept, in ms.
export const span = 600_000;
/// Most samples, of which one arrives each second; beyond it, the oldest is dropped.
const limit = 1_200;
/// Time without a status after which the lines of charts have a gap, in ms.
const gap = 4_000;

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
    apps,
  };
};

/// The samples of the last ten minutes, from which charts are drawn.
export class History {
  constructor() {
    this.samples = [];
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
    if (this.rates) this.samples.push(this.sample(status));
    const oldest = status.at - span;
    while (this.samples.length > limit || this.samples[0]?.at < oldest) this.samples.shift();
    return true;
  }

  sample(status) {
    const { pushes, matched, reloads, ratio } = this.rates;
    return {
      at: status.at, pushes, matched, reloads, ratio,
      ack: status.latency?.pushToAck, reload: status.latency?.pushToReload,
    };
  }

  /// The length of time that charts show, in ms: a minute at first, finally ten.
  get shown() {
    const age = this.samples.length ? this.samples.at(-1).at - this.samples[0].at : 0;
    return [60_000, 120_000, 300_000].find((length) => age <= length) ?? span;
  }
}
