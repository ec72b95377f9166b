// Charts by Chart.js, which the router serves if it is installed; without it, there are only
// numbers.

import * as format from "./format.js";

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

const make = (canvas, type, series, scales, title, more = {}) => {
  const font = { family: getComputedStyle(document.body).fontFamily, size: 11 };
  for (const scale of Object.values(scales)) scale.ticks.font = font;
  const chart = new globalThis.Chart(canvas, {
    type,
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

const ago = (seconds) => {
  if (seconds > -0.5) return "now";
  const isOfMinutes = seconds <= -59.5 && seconds % 60 === 0;
  return isOfMinutes ? `${-seconds / 60} min` : `${Math.round(-seconds)} s`;
};

const yScale = (unit) => ({
  beginAtZero: true,
  grid: { drawTicks: false, drawBorder: false },
  ticks: { maxTicksLimit: 4, padding: 6, callback: unit },
});

/// A line chart of the last minutes; each of `series` has a label, a tone, and `get(sample)`.
///
/// Returns null if there is no library.
export const lines = (canvas, series, unit) => {
  if (!canDraw()) return null;
  const x = {
    type: "linear", min: -60, max: 0, offset: false,
    grid: { drawTicks: false, drawBorder: false, display: false },
    ticks: { maxRotation: 0, padding: 4, stepSize: 30, callback: ago },
  };
  const shapes = series.map(({ label, tone, dash, isFilled }) => ({
    label, tone, isFilled, fill: isFilled ? "origin" : false, borderDash: dash ?? [],
    borderWidth: 1.5, pointRadius: 0, pointHitRadius: 8, tension: 0, spanGaps: false,
  }));
  const chart = make(canvas, "line", shapes, { x, y: yScale(unit) },
    (seconds) => (seconds > -0.5 ? "now" : `${Math.round(-seconds)} s ago`));
  chart.options.plugins.tooltip.callbacks.label = (item) =>
    `${item.dataset.label}: ${unit(item.parsed.y)}`;
  const show = (history) => {
    const last = history.samples.at(-1)?.at ?? 0;
    const from = last - history.shown;
    const samples = history.samples.filter((sample) => sample.at >= from);
    series.forEach(({ get }, index) => {
      chart.data.datasets[index].data = samples.map((sample) =>
        ({ x: (sample.at - last) / 1000, y: get(sample) ?? null }));
    });
    chart.options.scales.x.min = -history.shown / 1000;
    chart.options.scales.x.ticks.stepSize = history.shown / 4000;
    chart.update("none");
  };
  return { show, end: () => end(chart) };
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
