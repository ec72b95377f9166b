// Numbers as text, with their units; a value that is no number becomes a dash.

export const dash = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/// A whole number: `1,234,567`.
export const count = (value) => (isNumber(value) ? grouped.format(value) : dash);

/// A counter: `14`, `199,579`, `1.23 M`.
export const total = (value) =>
  (isNumber(value) && Math.abs(value) < 999_999.5 ? count(value) : short(value));

/// About three significant digits: `0.42`, `12.3`, `1,234`, `1.23 M`.
export const short = (value) => {
  if (!isNumber(value)) return dash;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 999_999.5) {
    const [scale, unit] = size >= 999.5e6 ? [1e9, "G"] : [1e6, "M"];
    const places = size / scale >= 99.95 ? 0 : size / scale >= 9.995 ? 1 : 2;
    return `${(value / scale).toFixed(places)} ${unit}`;
  }
  if (size >= 99.95) return grouped.format(value);
  return value.toFixed(size >= 9.995 ? 1 : size >= 0.01 ? 2 : 3);
};

/// A rate per second; rates below one keep their decimals.
export const rate = (value) => (isNumber(value) ? `${short(value)}/s` : dash);

/// A number of bytes: `812 B`, `1.40 KB`, `2.31 GB`.
export const bytes = (value) => {
  if (!isNumber(value)) return dash;
  if (value < 1000) return `${grouped.format(value)} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${short(scaled)} ${units[unit]}`;
};

/// Microseconds: `312 µs`, `1.23 ms`, `4.10 s`.
export const micros = (value) => {
  if (!isNumber(value)) return dash;
  if (value < 999.5) return `${value < 9.5 ? short(value) : grouped.format(value)} µs`;
  if (value < 999_500) return `${short(value / 1000)} ms`;
  return `${short(value / 1e6)} s`;
};

/// A span in milliseconds: `23 s`, `4 min 12 s`, `3 h 2 min`, `2 d 4 h`.
export const span = (milliseconds) => {
  if (!isNumber(milliseconds)) return dash;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const pair = (first, unit, rest, small) =>
    rest === 0 ? `${first} ${unit}` : `${first} ${unit} ${rest} ${small}`;
  if (seconds < 3600) return pair(Math.floor(seconds / 60), "min", seconds % 60, "s");
  if (seconds < 86_400) {
    return pair(Math.floor(seconds / 3600), "h", Math.floor((seconds % 3600) / 60), "min");
  }
  return pair(Math.floor(seconds / 86_400), "d", Math.floor((seconds % 86_400) / 3600), "h");
};

const twoDigits = (value) => String(value).padStart(2, "0");

/// The local time of day: `14:03:04`.
export const clock = (milliseconds) => {
  if (!isNumber(milliseconds)) return dash;
  const date = new Date(milliseconds);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
};

/// The local time of day, with the date unless it is today.
export const moment = (milliseconds, now) => {
  if (!isNumber(milliseconds)) return dash;
  const date = new Date(milliseconds);
  if (date.toDateString() === new Date(now).toDateString()) return clock(milliseconds);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
  return `${day.join("-")} ${clock(milliseconds)}`;
};

/// The full date in UTC, for tooltips; undefined if it is no date.
export const exact = (milliseconds) =>
  isNumber(milliseconds) && Math.abs(milliseconds) < 8.64e15
    ? new Date(milliseconds).toISOString() : undefined;

/// The distance from now: `in 23 s`, `4 min ago`, `now`.
export const distance = (milliseconds, now) => {
  if (!isNumber(milliseconds)) return dash;
  const ahead = milliseconds - now;
  if (Math.abs(ahead) < 500) return "now";
  return ahead > 0 ? `in ${span(ahead)}` : `${span(-ahead)} ago`;
};
