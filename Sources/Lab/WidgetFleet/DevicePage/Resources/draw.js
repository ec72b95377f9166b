"use strict";
// Paints the drawings of widgets that ViewDrawing.swift writes, in which everything has its place already. All that a
// widget says becomes text, an attribute, or a property of a style; nothing becomes markup.

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const box = (className, ...children) => {
  const element = make("div", className);
  element.append(...children);
  return element;
};

// MARK: Colours

/// Colours by the names that views say, for light and dark as Apple's page has them
/// (https://developer.apple.com/design/human-interface-guidelines/color).
const schemeColors = {
  red: ["#ff3b30", "#ff453a"], orange: ["#ff9500", "#ff9f0a"], yellow: ["#ffcc00", "#ffd60a"],
  green: ["#34c759", "#30d158"], mint: ["#00c7be", "#63e6e2"], teal: ["#30b0c7", "#40c8e0"],
  cyan: ["#32ade6", "#64d2ff"], blue: ["#007aff", "#0a84ff"], indigo: ["#5856d6", "#5e5ce6"],
  purple: ["#af52de", "#bf5af2"], pink: ["#ff2d55", "#ff375f"], brown: ["#a2845e", "#ac8e68"],
  gray: ["#8e8e93", "#8e8e93"], gray2: ["#aeaeb2", "#636366"], gray3: ["#c7c7cc", "#48484a"],
  gray4: ["#d1d1d6", "#3a3a3c"], gray5: ["#e5e5ea", "#2c2c2e"], gray6: ["#f2f2f7", "#1c1c1e"],
  white: ["#fff", "#fff"], black: ["#000", "#000"], magenta: ["#f0f", "#f0f"], darkGray: ["#555", "#555"],
  lightGray: ["#aaa", "#aaa"], clear: ["transparent", "transparent"], primary: ["#000", "#fff"],
  secondaryLabel: ["#3c3c4399", "#ebebf599"], tertiaryLabel: ["#3c3c434d", "#ebebf54d"],
  quaternaryLabel: ["#3c3c432e", "#ebebf529"], separator: ["#3c3c434a", "#54545899"],
  opaqueSeparator: ["#c6c6c8", "#38383a"], background: ["#fff", "#1c1c1e"],
  secondaryBackground: ["#f2f2f7", "#1c1c1e"], tertiaryBackground: ["#fff", "#2c2c2e"],
  fill: ["#78788033", "#7878805c"], secondaryFill: ["#78788029", "#78788052"],
  tertiaryFill: ["#7676801f", "#7676803d"], quaternaryFill: ["#74748014", "#7676802e"],
};
/// Names of which one of those above is meant.
const otherNames = {
  label: "primary", secondary: "secondaryLabel", tertiary: "tertiaryLabel", quaternary: "quaternaryLabel",
  quinary: "quaternaryLabel", accentColor: "blue", tintColor: "blue", LinkShapeStyle: "blue", link: "blue",
  BackgroundStyle: "background",
  WindowBackgroundShapeStyle: "background", FillShapeStyle: "fill", SeparatorShapeStyle: "separator",
  PlaceholderTextShapeStyle: "tertiaryLabel", placeholderText: "tertiaryLabel", groupedBackground: "secondaryBackground",
  secondaryGroupedBackground: "background", tertiaryGroupedBackground: "secondaryBackground",
};

/// The parts of a list that stand between its commas, and not between those of lists in it.
const partsOf = (text) => {
  const parts = [""];
  let depth = 0;
  for (const mark of text) {
    depth += (mark === "(") - (mark === ")");
    if (mark === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += mark;
  }
  return parts;
};

/// A colour of a view, such as `red` or `#FF0000/50`, for CSS. One of the app's own catalogue is not known: it is grey.
const cssColor = (text) => {
  const [, name, percent] = /^(.*?)(?:\/(\d+))?$/s.exec(text);
  const [, kind, inside] = /^(mix|blend|scheme)\((.*)\)$/s.exec(name) ?? [];
  if (kind) {
    const [one, other, share] = partsOf(inside);
    const mixed = kind === "scheme" ? `light-dark(${cssColor(one)}, ${cssColor(other ?? one)})`
      : `color-mix(in ${kind === "mix" ? "oklab" : "srgb"}, ${cssColor(one)}, ${cssColor(other ?? one)} ${Number(share)}%)`;
    return percent ? `color-mix(in srgb, ${mixed} ${percent}%, transparent)` : mixed;
  }
  const short = name.replace(/^(secondary|tertiary|quaternary|)[sS]ystem(.)/, (_, level, first) =>
    level + (level ? first : first.toLowerCase()));
  const known = otherNames[short] ?? short;
  const pair = Object.hasOwn(schemeColors, known) ? schemeColors[known] : null;
  const color = /^#[0-9A-F]{6}$/.test(name) ? name
    : pair ? `light-dark(${pair[0]}, ${pair[1]})`
    : "#8e8e93";
  return percent ? `color-mix(in srgb, ${color} ${percent}%, transparent)` : color;
};

// MARK: Paints

const materialPercents = { ultraThinMaterial: 35, thinMaterial: 50, regularMaterial: 65, thickMaterial: 80, bar: 80 };

const materialColor = (name) =>
  `color-mix(in srgb, light-dark(#f6f6f6, #252525) ${materialPercents[name] ?? 90}%, transparent)`;

let names = 0;
const newName = (kind) => `${kind}-${names += 1}`;

const styledStop = (color, place) => {
  const stop = svgElement("stop", { offset: place });
  stop.style.stopColor = cssColor(color);
  return stop;
};

/// A gradient along a line, or around a point outwards, in the room of a frame.
const gradientElement = (paint, [x, y, width, height], id) => {
  const stops = paint.stops.map(([color, place]) => styledStop(color, place));
  if (paint.linear) {
    const [x1, y1, x2, y2] = paint.linear;
    return svgElement("linearGradient", {
      id, gradientUnits: "userSpaceOnUse", x1: x + x1 * width, y1: y + y1 * height, x2: x + x2 * width, y2: y + y2 * height,
    }, ...stops);
  }
  const [cx, cy, from, to] = paint.radial ?? paint.elliptical;
  const [rx, ry] = paint.radial ? [1, 1] : [width, height];
  const radius = Math.max(to, 0.001);
  // What is nearer than the first radius has the first colour.
  for (const stop of stops) stop.setAttribute("offset", (from + (radius - from) * stop.getAttribute("offset")) / radius);
  return svgElement("radialGradient", {
    id, gradientUnits: "userSpaceOnUse", cx: 0, cy: 0, r: radius,
    gradientTransform: `translate(${x + cx * width} ${y + cy * height}) scale(${rx || 1} ${ry || 1})`,
  }, ...stops);
};

/// A gradient around a point by angle, which only CSS has: an area that a mask cuts out.
const angularElement = (paint, [x, y, width, height], mask, margin) => {
  const [cx, cy, from, to] = paint.angular;
  const length = to === from ? 360 : to - from;
  const colors = paint.stops.map(([color, place]) => `${cssColor(color)} ${length * place}deg`);
  // Between the end and the beginning, the nearer one of both has its colour.
  if (Math.abs(length) < 360 && colors.length > 0) {
    colors.push(`${cssColor(paint.stops.at(-1)[0])} ${(length + 360) / 2}deg`, `${cssColor(paint.stops[0][0])} ${(length + 360) / 2}deg`);
  }
  if (colors.length === 1) colors.push(colors[0]);
  const area = make("div", "angular");
  const center = `${cx * width + margin}px ${cy * height + margin}px`;
  area.style.background = `conic-gradient(from ${from + 90}deg at ${center}, ${colors.join(", ")})`;
  const frame = svgElement("foreignObject", {
    x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin, mask: `url(#${mask})`,
  });
  frame.append(area);
  return frame;
};

/// What an element is painted with, for `fill` or `stroke`; the gradient that it needs is put into a group.
const paintText = (paint, frame, group) => {
  if (typeof paint === "string") return cssColor(paint);
  if (paint.material) return materialColor(paint.material);
  if (paint.stops.length === 0) return "transparent";
  if (paint.angular || paint.stops.length === 1) return cssColor(paint.stops[0][0]);
  const id = newName("gradient");
  group.append(gradientElement(paint, frame, id));
  return `url(#${id})`;
};

// MARK: Items

const fontDesigns = {
  serif: "ui-serif, Georgia, serif", monospaced: "ui-monospace, Menlo, monospace",
  rounded: "ui-rounded, system-ui, sans-serif",
};

const paintedText = (item, group) => {
  const [x, y] = item.at;
  // Room between letters that the widget asks for makes no wide letters.
  const lengthAdjust = item.isSpaced ? "spacing" : "spacingAndGlyphs";
  const text = svgElement("text", { x, y, textLength: Math.max(0.1, item.width), lengthAdjust });
  text.textContent = item.text;
  text.style.fontSize = `${item.size}px`;
  text.style.fontWeight = item.weight;
  if (fontDesigns[item.design]) text.style.fontFamily = fontDesigns[item.design];
  if (item.italic) text.style.fontStyle = "italic";
  if (item.line) text.style.textDecoration = item.line === "underline" ? "underline" : "line-through";
  text.style.fill = paintText(item.paint, item.frame, group);
  return text;
};

const shapeElement = (item, fill, stroke) => {
  const shape = svgElement("path", { d: item.path });
  shape.style.fill = item.line === undefined ? fill : "none";
  if (item.evenOdd) shape.style.fillRule = shape.style.clipRule = "evenodd";
  if (item.line === undefined) return shape;
  Object.assign(shape.style, {
    stroke, strokeWidth: item.line, strokeLinecap: { round: "round", square: "square" }[item.cap] ?? "butt",
    strokeLinejoin: { round: "round", bevel: "bevel" }[item.join] ?? "miter",
    strokeDasharray: item.dash?.map((length) => Math.max(0, length)).join(" ") ?? "", strokeDashoffset: item.dashPhase ?? 0,
  });
  return shape;
};

const paintedPath = (item, group) => {
  if (item.paint.angular && item.paint.stops.length > 0) {
    const id = newName("mask");
    const mask = svgElement("mask", { id, maskUnits: "userSpaceOnUse", ...hugeFrame }, shapeElement(item, "white", "white"));
    group.append(mask);
    return angularElement(item.paint, item.frame, id, item.line ?? 0);
  }
  const paint = paintText(item.paint, item.frame, group);
  const shape = shapeElement(item, paint, paint);
  if (item.paint.material) shape.classList.add("material");
  return shape;
};

const paintedSymbol = (item, group) => {
  const [x, y, width, height] = item.frame;
  const paints = item.paints.map((paint) => paintText(paint, item.frame, group));
  const symbol = symbolElement(item.symbol, paints, item.mode, item.weight);
  // One that fills its frame is stretched.
  for (const [name, value] of Object.entries({ x, y, width, height, preserveAspectRatio: "none" })) {
    symbol.setAttribute(name, value);
  }
  if (item.opacity !== undefined) symbol.style.opacity = item.opacity;
  return symbol;
};

const paintedPicture = (item, group) => {
  const [x, y, width, height] = item.frame;
  const back = svgElement("rect", { class: "picture", x, y, width, height });
  back.append(svgElement("title", {}, item.picture));
  group.append(back);
  const side = Math.min(width, height, 60) * 0.6;
  return paintedSymbol({
    symbol: "photo", paints: ["gray"], weight: 400, frame: [x + (width - side) / 2, y + (height - side) / 2, side, side],
  }, group);
};

/// A frame that is larger than any widget, for masks.
const hugeFrame = { x: -2000, y: -2000, width: 4000, height: 4000 };

/// What is done to a group, by the name of its member.
const effects = {
  opacity: (element, opacity) => { element.style.opacity = opacity; },
  filter: (element, filter) => {
    const [, lengths, color] = /^drop-shadow ((?:\S+ ){3})(.*)$/s.exec(filter) ?? [];
    // CSS's radius is twice the deviation of which Apple's is.
    element.style.filter = lengths ? `drop-shadow(${lengths}${cssColor(color)})` : filter;
  },
  blend: (element, mode) => { element.style.mixBlendMode = mode; },
  turn: (element, [degrees, x, y]) => { element.setAttribute("transform", `rotate(${degrees} ${x} ${y})`); },
  scale: (element, [width, height, x, y]) => {
    element.setAttribute("transform", `translate(${x} ${y}) scale(${width} ${height}) translate(${-x} ${-y})`);
  },
  scheme: (element, name) => { element.style.colorScheme = name; },
  clip: (element, path) => {
    const id = newName("clip");
    element.before(svgElement("clipPath", { id }, svgElement("path", { d: path })));
    element.setAttribute("clip-path", `url(#${id})`);
  },
  mask: (element, items) => {
    const id = newName("mask");
    const mask = svgElement("mask", { id, maskUnits: "userSpaceOnUse", ...hugeFrame });
    mask.style.maskType = "alpha";
    paintItems(items, mask);
    element.before(mask);
    element.setAttribute("mask", `url(#${id})`);
  },
  role: (element, role) => { element.classList.add(role); },
};

const paintItems = (items, group) => {
  for (const item of items) {
    if (item.items) {
      const inner = svgElement("g", {});
      group.append(inner);
      for (const [name, value] of Object.entries(item)) {
        if (Object.hasOwn(effects, name)) effects[name](inner, value);
      }
      paintItems(item.items, inner);
    } else if (item.text !== undefined) {
      group.append(paintedText(item, group));
    } else if (item.symbol !== undefined) {
      group.append(paintedSymbol(item, group));
    } else if (item.picture !== undefined) {
      group.append(paintedPicture(item, group));
    } else if (item.path !== undefined) {
      group.append(paintedPath(item, group));
    }
  }
};

/// The picture of a widget.
const drawWidget = ({ size: [width, height], background, items }) => {
  const picture = svgElement("svg", { class: "drawing", viewBox: `0 0 ${width} ${height}`, width, height });
  if (background) {
    const back = svgElement("g", { class: "background" });
    picture.append(back);
    paintItems(background, back);
  }
  paintItems(items, picture);
  return picture;
};
