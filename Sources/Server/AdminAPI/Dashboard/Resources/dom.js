// Elements and tables. Text from the router is never interpreted as markup.

/// Makes an element with attributes and children; `text` and string children become text nodes.
export const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

/// Sets a text only if it has changed, so that the user's selection is kept.
export const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const setAttribute = (element, name, value) => {
  if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
};

/// Fills a table's cell with a text, or with a text and a link, a tooltip or a mark.
const fill = (cell, content, column) => {
  const { text, href, title, mark } =
    content !== null && typeof content === "object" ? content : { text: content };
  const shown = text ?? "–";
  setAttribute(cell, "title", title);
  setAttribute(cell, "class", [column.number && "number", mark].filter(Boolean).join(" ") || null);
  if (!href) {
    if (cell.firstElementChild) cell.replaceChildren();
    setText(cell, shown);
    return;
  }
  let link = cell.firstElementChild;
  if (link?.tagName !== "A" || cell.childNodes.length !== 1) {
    link = make("a");
    cell.replaceChildren(link);
  }
  setAttribute(link, "href", href);
  setText(link, shown);
};

/// A column of a table with numbers.
export const number = (name, title) => ({ name, title, number: true });

/// Keeps a view for each of some items in a frame: makes those of new items, ends those of items
/// that are gone, and shows each item in its own. `views` has them by the items' keys.
export const showAll = (views, frame, items, key, create, show) => {
  const keys = new Set(items.map(key));
  for (const [name, view] of views) {
    if (keys.has(name)) continue;
    view.end?.();
    view.element.remove();
    views.delete(name);
  }
  for (const item of items) {
    if (!views.has(key(item))) {
      const view = create(item);
      views.set(key(item), view);
      frame.append(view.element);
    }
    show(views.get(key(item)), item);
  }
};

/// A table whose contents are updated repeatedly; rows are reused, so that the focus is kept.
///
/// A column is `{name, number, title}`; a row is an array of what `fill` takes.
export const table = (label, columns, empty = "none") => {
  const body = make("tbody");
  const head = make("tr", {}, ...columns.map((column) =>
    make("th", {
      scope: "col", text: column.name, title: column.title, class: column.number && "number",
    })));
  const nothing = make("p", { class: "empty", text: empty, hidden: true });
  const grid = make("table", { "aria-label": label }, make("thead", {}, head), body);
  // A table wider than the screen scrolls in its own frame, also by keyboard.
  const region = make("div",
    { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, grid);
  const show = (rows) => {
    nothing.hidden = rows.length > 0;
    region.hidden = rows.length === 0;
    while (body.rows.length > rows.length) body.lastElementChild.remove();
    rows.forEach((row, index) => {
      const line = body.rows[index] ?? body.appendChild(make("tr", {}, ...columns.map((_, place) =>
        make(place === 0 ? "th" : "td", place === 0 ? { scope: "row" } : {}))));
      columns.forEach((column, place) => fill(line.cells[place], row[place], column));
    });
  };
  return { element: make("div", { class: "table" }, region, nothing), show };
};

/// A list of names and values that are updated repeatedly.
export const facts = (label) => {
  const list = make("dl", { "aria-label": label });
  const show = (rows) => {
    while (list.children.length > rows.length) list.lastElementChild.remove();
    rows.forEach(([name, value, title, mark], index) => {
      const row = list.children[index] ?? list.appendChild(make("div", {}, make("dt"), make("dd")));
      setText(row.firstElementChild, name);
      setText(row.lastElementChild, value ?? "–");
      setAttribute(row, "title", title);
      setAttribute(row, "class", mark);
    });
  };
  return { element: list, show };
};

/// Asks whether something is to be done that cannot be undone; resolves to whether it is.
///
/// The keyboard begins at the button that does nothing, and Escape is a no.
export const confirmed = (title, text, action) => new Promise((resolve) => {
  const heading = make("h2", { id: "confirm-title", text: title });
  const form = make("form", { method: "dialog" }, heading, make("p", { text }),
    make("p", { class: "choice" }, make("button", { value: "no", autofocus: true, text: "Cancel" }),
      make("button", { class: "main", value: "yes", text: action })));
  const dialog = make("dialog", { id: "confirm", "aria-labelledby": "confirm-title" }, form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  });
  document.body.append(dialog);
  dialog.showModal();
});

const phone = matchMedia("(max-width: 560px)");
/// Which panels the user has folded up or not, by their headings: until the page is loaded again.
const folds = new Map();
phone.addEventListener("change", () => {
  for (const list of document.querySelectorAll("section > details")) {
    list.open = folds.get(list.querySelector("h2").textContent) ?? !phone.matches;
  }
});

/// A section that can be folded up to its heading, as it is at first on a phone.
export const folding = (heading, title, ...children) => {
  const list = make("details", { open: folds.get(heading) ?? !phone.matches },
    make("summary", {}, make("h2", { text: heading, title })), ...children);
  list.firstElementChild.addEventListener("click", () => folds.set(heading, !list.open));
  return make("section", { class: "panel" }, list);
};

/// A section of a page with its heading.
export const panel = (heading, title, ...children) =>
  make("section", { class: "panel" }, make("h2", { text: heading, title }), ...children);
