// Charts by Chart.js, which the router serves if it is installed; without it, there are only
// numbers.

import * as format from "./format.js";
import * as words from "./words.js";

/// Whether Chart.js is loaded.
export const canDraw = () => typeof globalThis.Chart === "function";

const color = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const charts = new Set();

/// Applies the colours of the page's theme to all charts.
export const repaint = () => {
  for (const chart of charts) {
    paint(chart);
    chart.update("none");
  }
};

const paint = (chart) => {
  for (const dataset of chart.data.datasets) {
    const tone = color(dataset.tone);
    dataset.borderColor = tone;
    // A function, because bars keep a colour that is given as a value.
    const ground = dataset.isFilled ? color(`${dataset.tone}-faint`) : tone;
    dataset.backgroundColor = () => ground;
  }
  for (const scale of Object.values(chart.options.scales)) {
    scale.ticks.color = color("faint");
    scale.grid.color = color("line");
  }
  chart.options.plugins.tooltip.backgroundColor = color("ink");
  chart.options.plugins.tooltip.titleColor = color("card");
  chart.options.plugins.tooltip.bodyColor = color("card");
};

const make = (canvas, type, series, scales, title, more = {}, plugins = []) => {
  const font = { family: getComputedStyle(document.body).fontFamily, size: 11 };
  for (const scale of Object.values(scales)) scale.ticks.font = font;
  const chart = new globalThis.Chart(canvas, {
    type,
    plugins,
    data: { datasets: series.map((one) => ({ data: [], ...one })) },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales,
      ...more,
      plugins: {
        legend: { display: false },
        tooltip: {
          animation: false, displayColors: false, titleFont: font, bodyFont: font,
          callbacks: { title: (items) => (items.length ? title(items[0].parsed.x) : "") },
        },
      },
    },
  });
  paint(chart);
  charts.add(chart);
  return chart;
};

const end = (chart) => {
  charts.delete(chart);
  chart.destroy();
};

/// The age of a moment, for the axis of time.
const ago = (seconds) =>
  seconds > -0.5 ? "now" : format.span(1000 * Math.round(-seconds));

const yScale = (unit) => ({
  beginAtZero: true,
  grid: { drawTicks: false, drawBorder: false },
  ticks: { maxTicksLimit: 4, padding: 6, callback: unit },
});

/// Draws the marks of a chart: vertical lines, with their names where there is room.
const markLines = {
  id: "marks",
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, scales, marks = [] } = chart;
    ctx.save();
    ctx.font = `10px ${getComputedStyle(document.body).fontFamily}`;
    ctx.textBaseline = "top";
    ctx.strokeStyle = color("warning");
    ctx.setLineDash([4, 3]);
    // For each row of names, where the next one may begin.
    const free = [0, 1, 2].map(() => chartArea.left);
    for (const { x, name } of marks) {
      const at = Math.round(scales.x.getPixelForValue(x)) + 0.5;
      if (at < chartArea.left || at > chartArea.right) continue;
      ctx.beginPath();
      ctx.moveTo(at, chartArea.top);
      ctx.lineTo(at, chartArea.bottom);
      ctx.stroke();
      const { width } = ctx.measureText(name);
      const isAtEdge = at + width + 6 > chartArea.right;
      const left = isAtEdge ? at - width - 3 : at + 3;
      const row = free.findIndex((begin) => left >= begin);
      if (row < 0) continue;
      const top = chartArea.top + 12 * row;
      ctx.fillStyle = color("card");
      ctx.fillRect(left - 1, top, width + 2, 12);
      ctx.fillStyle = color("warning");
      ctx.fillText(name, left, top + 1);
      free[row] = left + width + 6;
    }
    ctx.restore();
  },
};

/// A line chart of a stretch of time; each of `series` has a label, a tone, and `get(sample)`.
///
/// Returns null if there is no library.
export const lines = (canvas, series, unit) => {
  if (!canDraw()) return null;
  let to = 0;
  let isLive = true;
  const x = {
    type: "linear", min: -60, max: 0, offset: false,
    grid: { drawTicks: false, drawBorder: false, display: false },
    ticks: { maxRotation: 0, padding: 4, stepSize: 30,
      callback: (seconds) => (isLive ? ago(seconds) : format.clock(to + 1000 * seconds)) },
  };
  const shapes = series.map(({ label, tone, dash, isFilled }) => ({
    label, tone, isFilled, fill: isFilled ? "origin" : false, borderDash: dash ?? [],
    borderWidth: 1.5, pointRadius: 0, pointHitRadius: 8, tension: 0, spanGaps: false,
  }));
  const title = (seconds) => {
    const clock = format.clock(to + 1000 * seconds);
    return isLive && seconds < -0.5 ? `${clock}, ${format.span(-1000 * seconds)} ago` : clock;
  };
  const chart = make(canvas, "line", shapes, { x, y: yScale(unit) }, title, {}, [markLines]);
  chart.options.plugins.tooltip.callbacks.label = (item) =>
    `${item.dataset.label}: ${unit(item.parsed.y)}`;
  const show = (history, zoom) => {
    const shown = history.window(zoom);
    to = shown.to;
    isLive = shown.isLive;
    const place = (at) => (at - to) / 1000;
    const samples = history.within(shown);
    series.forEach(({ get }, index) => {
      chart.data.datasets[index].data = samples.map((sample) =>
        ({ x: place(sample.at), y: get(sample) ?? null }));
    });
    chart.marks = history.marks.map(({ at, event }) =>
      ({ x: place(at), name: words.name(words.events, event).toLowerCase() }));
    chart.options.scales.x.min = place(shown.from);
    chart.options.scales.x.ticks.stepSize = (shown.to - shown.from) / 4000;
    chart.update("none");
  };
  /// The time at a distance from the left edge of the canvas, in px.
  const timeAt = (pixel) => {
    const { left, right } = chart.chartArea;
    const inside = Math.min(right, Math.max(left, pixel));
    return Math.round(to + 1000 * chart.scales.x.getValueForPixel(inside));
  };
  return { show, timeAt, end: () => end(chart) };
};

/// A chart of an origin's next two minutes: requested and assigned reloads in each second.
///
/// Returns null if there is no library.
export const spread = (canvas) => {
  if (!canDraw()) return null;
  const x = {
    type: "linear", min: 0, max: 120,
    grid: { drawTicks: false, drawBorder: false, display: false },
    ticks: {
      maxRotation: 0, padding: 4, stepSize: 30,
      callback: (value) => (value === 0 ? "now" : `+${value} s`),
    },
  };
  const steps = { stepped: "before", pointRadius: 0, borderWidth: 1.5, tension: 0 };
  const shapes = [
    { label: "given", tone: "accent", isFilled: true, fill: "origin", ...steps },
    { label: "asked", tone: "ink", fill: false, borderDash: [3, 3], ...steps },
    { label: "most per second", tone: "faint", fill: false, ...steps, borderWidth: 1 },
  ];
  const y = yScale(format.count);
  y.ticks.precision = 0;
  const chart = make(canvas, "line", shapes, { x, y }, (second) => `in ${second} s`);
  chart.options.plugins.tooltip.callbacks.label = (item) =>
    `${item.dataset.label}: ${format.count(item.parsed.y)}`;
  const show = ({ asked, given, perSecond }) => {
    const points = (values) => (values ?? []).map((y, index) => ({ x: index + 1, y }));
    const limit = [0, 120].map((x) => ({ x, y: perSecond }));
    [given, asked].forEach((values, index) => {
      const found = points(values);
      chart.data.datasets[index].data = found.length ? [{ x: 0, y: found[0].y }, ...found] : [];
    });
    // The limit is drawn only if the values come near it: otherwise they would be too low to see.
    const highest = Math.max(0, ...(asked ?? []), ...(given ?? []));
    chart.data.datasets[2].data = perSecond <= 4 * highest ? limit : [];
    chart.update("none");
  };
  return { show, end: () => end(chart) };
};

/// Horizontal bars beside the rows of a table, of the same height and in the same order.
///
/// Returns null if there is no library.
export const bars = (canvas, rowHeight, unit) => {
  if (!canDraw()) return null;
  const scales = {
    x: { display: false, beginAtZero: true, grid: {}, ticks: {} },
    y: { display: false, type: "category", offset: true, grid: {}, ticks: {} },
  };
  const chart = make(canvas, "bar", [{ tone: "accent", barThickness: 8, borderRadius: 2 }], scales,
    () => "", { indexAxis: "y", interaction: { mode: "nearest", axis: "y", intersect: false } });
  chart.options.plugins.tooltip.callbacks.label = (item) => `${item.label}: ${unit(item.parsed.x)}`;
  const show = (rows) => {
    const height = `${rows.length * rowHeight}px`;
    if (canvas.parentElement.style.height !== height) canvas.parentElement.style.height = height;
    chart.data.labels = rows.map(([name]) => name);
    chart.data.datasets[0].data = rows.map(([, value], index) => ({ x: value ?? 0, y: index }));
    chart.update("none");
  };
  return { show, end: () => end(chart) };
};
