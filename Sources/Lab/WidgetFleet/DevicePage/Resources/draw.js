"use strict";
// Draws the views of widgets as ViewDrawing.swift writes them. All that a widget says becomes text, an attribute, or a
// property of a style; nothing becomes markup.
//
// A view that takes all the room it gets is `wide` or `tall`, and its containers are so with it; any other one is as
// large as its content. That is as near to SwiftUI as CSS goes by itself.

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
/// Colours that depend on the view around.
const contextColors = {
  foreground: "var(--mark, currentcolor)", tint: "var(--tint, light-dark(#007aff, #0a84ff))",
  secondary: "color-mix(in srgb, currentcolor 60%, transparent)",
  tertiary: "color-mix(in srgb, currentcolor 30%, transparent)",
  quaternary: "color-mix(in srgb, currentcolor 18%, transparent)",
  quinary: "color-mix(in srgb, currentcolor 12%, transparent)",
};
/// Names of which one of those above is meant.
const otherNames = {
  label: "primary", accentColor: "tint", TintShapeStyle: "tint", tintColor: "tint", LinkShapeStyle: "blue",
  link: "blue", SelectionShapeStyle: "tint", ForegroundStyle: "foreground", BackgroundStyle: "background",
  WindowBackgroundShapeStyle: "background", FillShapeStyle: "fill", SeparatorShapeStyle: "separator",
  PlaceholderTextShapeStyle: "tertiaryLabel", placeholderText: "tertiaryLabel", groupedBackground: "secondaryBackground",
  secondaryGroupedBackground: "background", tertiaryGroupedBackground: "secondaryBackground",
};

/// A colour of a view, such as `red` or `#FF0000/50`, for CSS. One of the app's own catalogue is not known: it is grey.
const cssColor = (text) => {
  const [name, percent] = text.split("/");
  const short = name.replace(/^(secondary|tertiary|quaternary|)[sS]ystem(.)/, (_, level, first) =>
    level + (level ? first : first.toLowerCase()));
  const known = otherNames[short] ?? short;
  const pair = Object.hasOwn(schemeColors, known) ? schemeColors[known] : null;
  const color = /^#[0-9A-F]{6}$/.test(name) ? name
    : pair ? `light-dark(${pair[0]}, ${pair[1]})`
    : Object.hasOwn(contextColors, known) ? contextColors[known] : "#8e8e93";
  return percent ? `color-mix(in srgb, ${color} ${percent}%, transparent)` : color;
};

const materialPercents = { ultraThinMaterial: 35, thinMaterial: 50, regularMaterial: 65, thickMaterial: 80, bar: 80 };

const firstColor = (paint) => {
  if (typeof paint === "string") return cssColor(paint);
  if (paint.material) return cssPaint(paint);
  return paint.stops.length > 0 ? cssColor(paint.stops[0][0]) : "transparent";
};

/// What fills an area of a width and a height, for CSS's `background`.
const cssPaint = (paint, width, height) => {
  if (typeof paint === "string") return cssColor(paint);
  if (paint.material) {
    const percent = materialPercents[paint.material] ?? 90;
    return `color-mix(in srgb, light-dark(#f6f6f6, #252525) ${percent}%, transparent)`;
  }
  const stops = (unit, from, to) => paint.stops.map(([color, place]) =>
    `${cssColor(color)} ${Math.round(100 * (from + (to - from) * place)) / 100}${unit}`).join(", ");
  if (paint.stops.length < 2) return firstColor(paint);
  if (paint.linear) {
    const [x1, y1, x2, y2] = paint.linear;
    const angle = Math.atan2((x2 - x1) * width, (y1 - y2) * height);
    const [ux, uy] = [Math.sin(angle), -Math.cos(angle)];
    // CSS's line is so long that its ends reach the corners, and goes through the middle.
    const length = Math.abs(width * ux) + Math.abs(height * uy) || 1;
    const place = (x, y) => 100 * (((x - 0.5) * width * ux + (y - 0.5) * height * uy) / length + 0.5);
    return `linear-gradient(${angle}rad, ${stops("%", place(x1, y1), place(x2, y2))})`;
  }
  const [x, y, from, to] = paint.radial ?? paint.angular;
  const center = `at ${x * 100}% ${y * 100}%`;
  if (paint.radial) return `radial-gradient(circle ${center}, ${stops("px", from, to)})`;
  return `conic-gradient(from ${from + 90}deg ${center}, ${stops("deg", 0, to === from ? 360 : to - from)})`;
};

// MARK: Areas

/// What is done to an element once its size is known, and when that changes.
const sized = new WeakMap();
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) sized.get(target)?.(target.clientWidth, target.clientHeight);
});
const whenSized = (element, action) => {
  sized.set(element, action);
  sizes.observe(element);
};

/// The outline of a shape in an area of a width and a height, as a path.
const pathOf = (outline, width, height, corner) => {
  const inset = (outline.inset ?? 0) + (outline.isLineInside ? outline.line / 2 : 0);
  const [w, h] = [Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset)];
  const most = Math.min(w, h) / 2;
  const ellipse = (rx, ry) =>
    `M${width / 2 + rx} ${height / 2}a${rx} ${ry} 0 0 1 ${-2 * rx} 0a${rx} ${ry} 0 0 1 ${2 * rx} 0Z`;
  switch (outline.kind) {
  case "Circle": return ellipse(most, most);
  case "Ellipse": return ellipse(w / 2, h / 2);
  case "path": case "points": return outline.path ?? "";
  }
  const given = { Capsule: [most], ContainerRelativeShape: [corner] }[outline.kind] ?? outline.radii;
  const [a, b, c, d] = [0, 1, 2, 3].map((index) =>
    Math.max(0, Math.min(most, (given[index] ?? given[0] ?? 0) - inset)));
  const arc = (r, x, y) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  return `M${inset + a} ${inset}h${w - a - b}${arc(b, b, b)}v${h - b - c}${arc(c, -c, c)}h${c + d - w}${arc(d, -d, -d)}`
    + `v${a + d - h}${arc(a, a, -a)}Z`;
};

/// An area with an outline: what fills it, clipped or masked.
const areaElement = (area, context) => {
  const ink = make("div", "ink");
  const element = box("area", ink);
  element.wide = element.tall = true;
  const margin = area.line ? area.line : 0;
  ink.style.inset = `${-margin}px`;
  whenSized(element, (width, height) => {
    const path = pathOf(area, width, height, context.corner);
    ink.style.background = cssPaint(area.paint, width, height);
    const isPath = area.kind === "path" || area.kind === "points";
    if (!area.line && !isPath && !area.degrees) {
      ink.style.clipPath = `path("${path}")`;
      return;
    }
    const [from, to] = area.part;
    const scale = area.kind === "path" ? ` scale(${width / 100} ${height / 100})` : "";
    const shape = svgElement("path", {
      d: path,
      transform: `rotate(${area.degrees} ${width / 2} ${height / 2})${scale}`,
      fill: area.line ? "none" : "black",
      stroke: area.line ? "black" : "none",
      // The line is scaled with the path.
      "stroke-width": (area.line ?? 0) / (scale ? Math.sqrt(width * height) / 100 || 1 : 1),
      "stroke-linecap": area.cap ?? "butt",
      ...(from > 0 || to < 1 ? { pathLength: 1, "stroke-dasharray": `${to - from} 2`, "stroke-dashoffset": -from }
        : area.dash?.length ? { "stroke-dasharray": area.dash.join(" ") } : {}),
    });
    const picture = svgElement("svg", {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`,
      width: width + 2 * margin, height: height + 2 * margin,
    }, shape);
    const text = new XMLSerializer().serializeToString(picture);
    ink.style.maskImage = `url("data:image/svg+xml,${encodeURIComponent(text)}")`;
  });
  return element;
};

const plainArea = (paint, context) => areaElement({ kind: "Rectangle", radii: [], part: [0, 1], paint }, context);
const paintElement = (value, context) =>
  (value?.kind ? areaElement(value, context) : plainArea(value, context));

// MARK: Arrangement

const places = {
  leading: "start", trailing: "end", top: "start", bottom: "end", center: "center",
  firstTextBaseline: "baseline", lastTextBaseline: "last baseline",
};

/// Puts an element into a cell that may be larger.
const place = (element, [horizontal, vertical]) => {
  // One with a most length is not stretched beyond it, but is where its alignment says.
  const { maxWidth, maxHeight } = element.style;
  element.style.justifySelf = element.wide && !maxWidth ? "stretch" : places[horizontal];
  element.style.alignSelf = element.tall && !maxHeight ? "stretch" : places[vertical].replace("last ", "");
  if (element.wide && maxWidth) element.style.width = "100%";
  if (element.tall && maxHeight) element.style.height = "100%";
  return element;
};

const wrap = (element, align = ["center", "center"], className = "") => {
  const outer = box(`cell ${className}`, place(element, align));
  [outer.wide, outer.tall, outer.isFixed] = [element.wide, element.tall, element.isFixed];
  return outer;
};

const styled = (element, style) => {
  const outer = wrap(element);
  Object.assign(outer.style, style);
  return outer;
};

const filtered = (element, filter) => styled(element, { filter });

/// An element in the back or in front of another, as large as that.
const beside = (element, other, align, className) => {
  const outer = wrap(element, undefined, "layered");
  const layer = box(`cell layer ${className}`, place(other, align));
  outer.append(layer);
  return outer;
};

const stackElement = (node, context) => {
  const isRow = Boolean(node.row);
  const element = make("div", isRow ? "row" : "column");
  const [horizontal, vertical] = node.align;
  element.style.alignItems = isRow ? places[vertical] : places[horizontal];
  element.style.gap = `${node.spacing ?? (isRow ? 8 : 4)}px`;
  for (const view of node.row ?? node.column) {
    const isSpacer = view.spacer !== undefined;
    const child = isSpacer ? make("div", "spacer") : draw(view, { ...context, axis: isRow ? "row" : "column" });
    const along = isSpacer || (isRow ? child.wide : child.tall);
    child.style.flex = isSpacer ? `1000 0 ${view.spacer ?? 0}px` : along ? "1 1 0" : child.isFixed ? "none" : "0 1 auto";
    if (isRow ? child.tall : child.wide) child.style.alignSelf = "stretch";
    if (isRow) [element.wide, element.tall] = [element.wide || along, element.tall || child.tall];
    else [element.wide, element.tall] = [element.wide || child.wide, element.tall || along];
    element.append(child);
  }
  return element;
};

const layersElement = (views, align, context) => {
  const element = make("div", "cell");
  for (const view of views) {
    const child = place(draw(view, { ...context, axis: null }), align);
    element.wide ||= child.wide;
    element.tall ||= child.tall;
    element.append(child);
  }
  return element;
};

const gridElement = (node, context) => {
  const element = make("div", "grid");
  const rows = node.grid ? node.grid.map((view) => view.row ?? null) : [];
  const count = node.grid ? Math.max(1, ...rows.map((row) => row?.length ?? 1)) : node.count;
  element.style.gridTemplateColumns = node.leastWidth != null
    ? `repeat(auto-fill, minmax(${node.leastWidth}px, 1fr))`
    : `repeat(${count}, ${node.grid ? "auto" : "minmax(0, 1fr)"})`;
  element.style.gap = `${node.spacing ?? 8}px`;
  element.wide = !node.grid;
  (node.grid ?? node.columns).forEach((view, index) => {
    for (const cell of rows[index] ?? [view]) {
      const child = place(draw(cell, context), node.align);
      if (node.grid && !rows[index]) child.style.gridColumn = "1 / -1";
      element.wide ||= child.wide;
      element.tall ||= child.tall;
      element.append(child);
    }
  });
  return element;
};

// MARK: Text

const fontSizes = {
  largeTitle: 34, title: 28, title2: 22, title3: 20, headline: 17, body: 17, callout: 16, subheadline: 15, footnote: 13,
  caption: 12, caption2: 11,
};
const fontWeights = {
  ultraLight: 200, thin: 200, light: 300, regular: 400, medium: 500, semibold: 600, bold: 700, heavy: 800, black: 900,
};
const fontDesigns = {
  serif: "ui-serif, Georgia, serif", monospaced: "ui-monospace, Menlo, monospace",
  rounded: "ui-rounded, system-ui, sans-serif",
};

/// Sets what no modifier nearer to the text has set.
const inherit = (element, name, value) => { element.style[name] ||= value; };

const setFont = (element, words) => {
  for (const word of words.split(" ")) {
    if (fontSizes[word] ?? Number(word)) inherit(element, "fontSize", `${fontSizes[word] ?? Math.min(400, word)}px`);
    if (word === "headline") inherit(element, "fontWeight", 600);
    if (fontWeights[word] && word !== "regular") element.style.fontWeight = fontWeights[word];
    if (fontDesigns[word]) inherit(element, "fontFamily", fontDesigns[word]);
    if (word === "italic") element.style.fontStyle = "italic";
    if (word === "monospacedDigit") element.style.fontVariantNumeric = "tabular-nums";
  }
};

const textParts = (parts) => parts.map((part) => {
  if (typeof part === "string") return part;
  if (part.symbol) return symbolElement(part.symbol);
  const span = make("span");
  span.append(...textParts(part.runs));
  for (const [name, ...value] of part.notes ?? []) inherited[name]?.(span, ...value);
  return span;
});

const textElement = (parts, context) => {
  const span = make("span");
  span.append(...textParts(parts));
  const element = box("text", span);
  if (context.redacted) element.classList.add("redacted");
  if (context.lineLimit) {
    element.classList.add("limited");
    element.style.webkitLineClamp = context.lineLimit;
  }
  if (context.scaleFactor < 1) element.dataset.scale = context.scaleFactor;
  return element;
};

/// Makes texts smaller that do not fit, as far as they may be.
const fitTexts = (root) => {
  for (const element of root.querySelectorAll("[data-scale]")) {
    const size = parseFloat(getComputedStyle(element).fontSize);
    for (let scale = 0.95; scale >= element.dataset.scale - 0.001; scale -= 0.05) {
      if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight + 1) break;
      element.style.fontSize = `${size * scale}px`;
    }
  }
};

// MARK: Controls

const ring = (part, degrees, paint, context) => areaElement({
  kind: "Circle", line: 5, isLineInside: true, cap: "round", part, degrees, radii: [], paint,
}, context);

const ringElement = (fraction, isOpen, context, ...labels) => {
  const [share, degrees] = isOpen ? [0.75, 135] : [1, -90];
  const rings = [ring([0, share], degrees, "tint/25", context),
    ring([0, share * Math.max(0.001, fraction)], degrees, "tint", context)];
  const element = box("cell ring", ...rings.map((one) => place(one, ["center", "center"])));
  for (const label of labels) element.append(place(label, ["center", "center"]));
  element.isFixed = true;
  return element;
};

const barElement = (fraction) => {
  const fill = make("i");
  fill.style.width = `${fraction * 100}%`;
  const element = box("bar", fill);
  element.wide = true;
  return element;
};

/// A gauge or a progress: its labels are that of the whole, of the value, of the least and of the most.
const gaugeElement = (node, name, context) => {
  const views = node.column.slice(0, -1);
  const { progress } = node.column.at(-1);
  const fraction = Math.min(1, Math.max(0, progress ?? 0.2));
  const [label, current, least, most] = views.map((view) => draw(view, context));
  const style = (name === "Gauge" ? context.gaugeStyle : context.progressViewStyle) ?? "automatic";
  const isSmall = name === "Gauge" && context.family === "accessoryCircular";
  if (/[cC]ircular/.test(style) || (style === "automatic" && (isSmall || progress === null))) {
    const isOpen = name === "Gauge" && !style.endsWith("Capacity");
    const middle = [current ?? label].filter(Boolean);
    const element = ringElement(fraction, isOpen, context, ...middle);
    const ends = [least, most, isOpen && current ? label : null].filter(Boolean);
    if (isOpen && ends.length > 0) element.append(place(box("row ends", ...ends.slice(0, 2)), ["center", "bottom"]));
    return element;
  }
  const row = box("row", ...[least, barElement(fraction), most].filter(Boolean));
  const element = box("column gauge", ...[context.labelsHidden ? null : label, row, current].filter(Boolean));
  element.wide = true;
  return element;
};

const switchElement = (isOn) => {
  const element = make("div", "switch");
  element.classList.toggle("on", isOn);
  element.isFixed = true;
  return element;
};

const buttonElement = (element, context) => {
  const style = context.buttonStyle === undefined ? "automatic" : context.buttonStyle;
  if (style === null || /plain|borderless/.test(style) || context.family.startsWith("accessory")) return element;
  return wrap(element, undefined, `button ${style}`);
};

// MARK: Modifiers

/// What views inside have from a modifier around them, by its name.
const contexts = {
  buttonStyle: (value) => ({ buttonStyle: value }),
  labelStyle: (value) => ({ labelStyle: value }),
  gaugeStyle: (value) => ({ gaugeStyle: value }),
  progressViewStyle: (value) => ({ progressViewStyle: value }),
  toggleStyle: (value) => ({ toggleStyle: value }),
  lineLimit: ([count]) => ({ lineLimit: count }),
  minimumScaleFactor: ([factor]) => ({ scaleFactor: factor }),
  redacted: (value) => ({ redacted: value === "on" }),
  labelsHidden: () => ({ labelsHidden: true }),
  symbolVariant: (value) => ({ variant: value }),
};

/// Modifiers that a style of CSS hands to all that is inside.
const inherited = {
  font: (element, words) => { if (words) setFont(element, words); },
  fontWeight: (element, name) => { inherit(element, "fontWeight", fontWeights[name] ?? ""); },
  fontDesign: (element, name) => { inherit(element, "fontFamily", fontDesigns[name] ?? ""); },
  bold: (element, value) => { if (value === "on") element.style.fontWeight = 700; },
  italic: (element, value) => { if (value === "on") element.style.fontStyle = "italic"; },
  monospaced: (element, value) => { if (value === "on") inherit(element, "fontFamily", fontDesigns.monospaced); },
  monospacedDigit: (element) => { element.style.fontVariantNumeric = "tabular-nums"; },
  underline: (element, value) => { if (value === "on") element.style.textDecoration = "underline"; },
  strikethrough: (element, value) => { if (value === "on") element.style.textDecoration = "line-through"; },
  kerning: (element, [length]) => { inherit(element, "letterSpacing", `${length}px`); },
  tracking: (element, [length]) => { inherit(element, "letterSpacing", `${length}px`); },
  textCase: (element, name) => { inherit(element, "textTransform", name ?? ""); },
  multilineTextAlignment: (element, name) => {
    inherit(element, "textAlign", { leading: "start", trailing: "end" }[name] ?? "center");
  },
  imageScale: (element, name) => { element.style.setProperty("--symbol", { small: 0.95, large: 1.55 }[name] ?? 1.2); },
  foregroundStyle: (element, paint) => {
    if (!paint || element.style.color) return;
    element.style.color = firstColor(paint);
    if (!paint.stops) return;
    element.classList.add("inked");
    element.style.setProperty("--mark", firstColor(paint));
    whenSized(element, (width, height) => { element.style.background = cssPaint(paint, width, height); });
  },
  tint: (element, paint) => {
    if (paint && !element.style.getPropertyValue("--tint")) element.style.setProperty("--tint", firstColor(paint));
  },
  colorScheme: (element, name) => {
    inherit(element, "colorScheme", name);
    inherit(element, "color", "light-dark(#000, #fff)");
  },
  zIndex: (element, [value]) => { element.style.zIndex = value; },
};

const lengthText = (length) => (length == null ? "" : `${length}px`);
/// The most length of a frame; infinity is none.
const mostText = (length) => (length >= 1e6 ? "" : lengthText(length));

const frame = (element, lengths, align) => {
  const outer = wrap(element, align);
  if (lengths.length === 2) {
    const [width, height] = lengths;
    Object.assign(outer.style, { width: lengthText(width), height: lengthText(height) });
    outer.wide &&= width == null;
    outer.tall &&= height == null;
    outer.isFixed ||= width != null || height != null;
    return outer;
  }
  const [minWidth, maxWidth, minHeight, maxHeight] = lengths;
  outer.wide ||= maxWidth != null;
  outer.tall ||= maxHeight != null;
  Object.assign(outer.style, {
    minWidth: lengthText(minWidth), maxWidth: mostText(maxWidth),
    minHeight: lengthText(minHeight), maxHeight: mostText(maxHeight),
  });
  return outer;
};

/// Modifiers that make another element of one.
const modifiers = {
  resizable: (element) => {
    element.classList.add("resizable");
    element.wide = element.tall = true;
    return element;
  },
  padding: (element, lengths) => styled(element, { padding: lengths.map((length) => `${Math.max(0, length ?? 0)}px`).join(" ") }),
  frame,
  fixedSize: (element) => {
    element.classList.add("fixed");
    element.isFixed = true;
    return element;
  },
  background: (element, value, align, context) => (value === null ? element
    : align ? beside(element, draw(value, context), align, "back")
    : beside(element, paintElement(value, context), ["center", "center"], "back")),
  overlay: (element, value, align, context) => (value === null ? element
    : align ? beside(element, draw(value, context), align, "front")
    : beside(element, paintElement(value, context), ["center", "center"], "front")),
  border: (element, value, _, context) =>
    beside(element, paintElement(value, context), ["center", "center"], "front"),
  containerBackground: (element, value, align, context) => {
    if (value !== null) {
      context.card.background = align ? place(draw(value, context), align) : paintElement(value, context);
    }
    return element;
  },
  opacity: (element, [opacity]) => styled(element, { opacity }),
  hidden: (element) => styled(element, { visibility: "hidden" }),
  disabled: (element, value) => (value === "on" ? styled(element, { opacity: 0.4 }) : element),
  cornerRadius: (element, [radius]) => styled(element, { borderRadius: `${radius}px`, overflow: "hidden" }),
  clipped: (element) => styled(element, { overflow: "hidden" }),
  clipShape: (element, outline, _, context) => {
    const outer = wrap(element);
    whenSized(outer, (width, height) => {
      if (outline.kind !== "path") outer.style.clipPath = `path("${pathOf(outline, width, height, context.corner)}")`;
    });
    return outer;
  },
  shadow: (element, [radius, x, y]) => filtered(element, `drop-shadow(${x}px ${y}px ${radius}px rgb(0 0 0 / 0.33))`),
  blur: (element, [radius]) => filtered(element, `blur(${radius}px)`),
  brightness: (element, [amount]) => filtered(element, `brightness(${1 + amount})`),
  contrast: (element, [amount]) => filtered(element, `contrast(${amount})`),
  saturation: (element, [amount]) => filtered(element, `saturate(${amount})`),
  grayscale: (element, [amount]) => filtered(element, `grayscale(${amount})`),
  hueRotation: (element, [degrees]) => filtered(element, `hue-rotate(${degrees}deg)`),
  colorInvert: (element) => filtered(element, "invert(1)"),
  blendMode: (element, name) => styled(element, {
    mixBlendMode: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  }),
  offset: (element, [x, y]) => styled(element, { translate: `${x}px ${y}px` }),
  position: (element, [x, y]) => {
    const outer = wrap(element, ["leading", "top"]);
    Object.assign(element.style, { translate: `calc(${x}px - 50%) calc(${y}px - 50%)` });
    outer.wide = outer.tall = true;
    return outer;
  },
  scaleEffect: (element, [x, y]) => styled(element, { scale: `${x} ${y}` }),
  rotationEffect: (element, [degrees, x, y]) => styled(element, {
    rotate: `${degrees}deg`, transformOrigin: `${x * 100}% ${y * 100}%`,
  }),
  aspectRatio: (element, [ratio, isFilling]) => {
    if (!ratio || !element.wide || !element.tall) return element;
    const outer = wrap(element, undefined, "ratio");
    const [width, height] = [`100cqw`, `${100 * ratio}cqh`];
    Object.assign(element.style, {
      width: `${isFilling ? "max" : "min"}(${width}, ${height})`, aspectRatio: ratio,
      justifySelf: "center", alignSelf: "center",
    });
    return outer;
  },
  button: (element, _, __, context) => buttonElement(element, context),
  toggle: (element, value, _, context) => {
    if (context.isControl) return element;
    if (context.toggleStyle === "button") return wrap(element, undefined, `button ${value === "on" ? "automatic" : ""}`);
    const row = box("row", context.labelsHidden ? "" : element, switchElement(value === "on"));
    row.wide = !context.labelsHidden;
    row.classList.add("between");
    return row;
  },
};

// MARK: Views

const leaf = (node, context) => {
  const names = new Set(node.notes?.map(([name]) => name));
  if (node.text) return textElement(node.text, context);
  if (node.symbol !== undefined) return symbolElement(node.symbol, context.variant);
  if (node.image !== undefined) {
    const element = box("picture", symbolElement("photo"));
    element.title = node.image;
    return element;
  }
  if (node.area) return areaElement(node.area, context);
  if (node.divider) {
    const element = make("div", `divider ${context.axis === "row" ? "upright" : ""}`);
    element[context.axis === "row" ? "tall" : "wide"] = true;
    return element;
  }
  if (names.has("Gauge") || names.has("ProgressView")) {
    return gaugeElement(node, names.has("Gauge") ? "Gauge" : "ProgressView", context);
  }
  if (names.has("label")) {
    const [icon, title] = node.row;
    if (context.labelStyle === "iconOnly") return draw(icon, context);
    if (context.labelStyle === "titleOnly") return draw(title, context);
  }
  if (node.row || node.column) return stackElement(node, context);
  if (node.layers) return layersElement(node.layers, node.align, context);
  if (node.grid || node.columns) return gridElement(node, context);
  if (node.group?.length === 1) return draw(node.group[0], context);
  if (node.group?.length > 1) return stackElement({ column: node.group, align: ["center", "center"] }, context);
  return make("div", "nothing");
};

/// The element of a view. `context` has what modifiers around it say.
const draw = (node, context) => {
  const notes = node.notes ?? [];
  let inside = context;
  for (const [name, value] of [...notes].reverse()) {
    if (contexts[name]) inside = { ...inside, ...contexts[name](value ?? []) };
  }
  let element = leaf(node, inside);
  for (const [name, value, align] of notes) {
    if (inherited[name]) inherited[name](element, value);
    else if (Object.hasOwn(modifiers, name)) element = modifiers[name](element, value, align, inside);
  }
  return element;
};

/// The elements of a widget's view: that of its content, and that of its background or null.
const drawWidget = (view, widget) => {
  const card = { background: null };
  const corner = widget.family === "accessoryCircular" ? 999 : 24;
  const context = { card, corner, family: widget.family, isControl: widget.isControl, axis: null };
  // There is one line beside the clock.
  const shown = (widget.family === "accessoryInline" && view.column?.[0]) || view;
  const content = place(draw(shown, context), ["center", "center"]);
  // Of a view that is too high, the beginning is in sight.
  if (!content.tall) content.style.alignSelf = "safe center";
  return { content, background: card.background };
};
