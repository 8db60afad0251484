// A table from data: sorts, filters, links its rows, prints. Text enters by textContent only.

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function write(parent, text) {
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    parent.append(text.slice(from, match.index));
    const code = document.createElement("span");
    code.className = "fb-code";
    code.textContent = "U+" + match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parent.append(code);
    from = match.index + match[0].length;
  }
  parent.append(text.slice(from));
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) write(element, text);
  return element;
}

function compare(a, b) {
  const left = a.r ?? null, right = b.r ?? null;
  if (left === null || right === null) return (left === null) - (right === null);
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), "en", { numeric: true });
}

function ordered(data, view) {
  const words = view.find.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const has = (row) => {
    const text = row.c.map((cell) => [cell.t, ...(cell.k ?? []).map((chip) => chip.t)].join(" ")).join(" ").toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rows = words.length ? data.rows.filter(has) : [...data.rows];
  const at = data.columns.findIndex((column) => column.key === view.by);
  if (at < 0) return rows;
  const known = rows.filter((row) => (row.c[at].r ?? null) !== null);
  const unknown = rows.filter((row) => (row.c[at].r ?? null) === null);
  known.sort((a, b) => compare(a.c[at], b.c[at]) * (view.down ? -1 : 1));
  return [...known, ...unknown];
}

function chips(parent, found) {
  for (const chip of found) {
    const element = make("span", `fb-chip fb-tone-${chip.n || "none"}`, chip.t);
    if (chip.h) element.title = chip.h;
    parent.append(element);
  }
}

const grouped = (number) => number.toLocaleString("en");

function body(data, view, open) {
  const section = make("tbody");
  for (const row of ordered(data, view).slice(0, view.shown)) {
    const line = make("tr", row.id ? "fb-opens" : "");
    if (row.mark) line.classList.add("fb-marked");
    row.c.forEach((cell, i) => {
      const box = make("td", data.columns[i].right ? "fb-right" : "fb-left");
      if (cell.h) box.title = cell.h;
      if (row.href && i === 0) {
        const link = make("a", "fb-link", cell.t);
        link.href = row.href;
        box.append(link);
      } else write(box, cell.t);
      chips(box, cell.k ?? []);
      line.append(box);
    });
    if (row.id)
      line.onclick = (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || String(window.getSelection())) return;
        event.preventDefault();
        open(row.id);
      };
    section.append(line);
  }
  return section;
}

function head(data, view, sortBy) {
  const line = make("tr");
  for (const column of data.columns) {
    const box = make("th", column.right ? "fb-right" : "fb-left");
    box.scope = "col";
    if (column.title) box.title = column.title;
    const button = make("button", "fb-sort", column.label);
    button.type = "button";
    const sorted = view.by === column.key;
    box.setAttribute("aria-sort", sorted ? (view.down ? "descending" : "ascending") : "none");
    if (sorted) button.append(view.down ? " ↓" : " ↑");
    button.onclick = () => sortBy(column.key);
    box.append(button);
    line.append(box);
  }
  const section = make("thead");
  section.append(line);
  return section;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-datatable");
  if (data.saves) drawSaves(parentElement.querySelector(".fb-save"), data.saves, setTriggerValue);
  const until = untilShown(root, component, (waited) => {
    if (!waited) return;
    root.fbSaid = null;
    drawTable(root, data, until);
  });
  if (until.wish !== null && sameView(until.wish, data)) shown(until);  // a row that opens takes the whole table away
  drawTable(root, data, until);
  return () => until.leave.abort();
}

const sameView = (a, b) => a.find === b.find && a.by === b.by && (!a.by || a.down === b.down);

function drawTable(root, data, until) {
  const said = JSON.stringify({ ...data, saves: null });
  if (root.fbSaid === said) return;
  root.fbSaid = said;
  const view = { find: data.find, by: data.by, down: data.down, shown: data.page };
  const table = make("table", "fb-table");
  table.append(make("caption", "", data.caption));
  const more = make("button", "fb-more");
  const count = make("span", "fb-quiet");
  const tell = () => ask(until, "arrange", { find: view.find, by: view.by, down: view.down });

  function draw() {
    const total = ordered(data, view).length;
    table.querySelector("thead")?.remove();
    table.querySelector("tbody")?.remove();
    table.append(head(data, view, sortBy), body(data, view, (id) => ask(until, "open", id)));
    count.textContent = total === data.rows.length ? `${grouped(total)} rows` : `${grouped(total)} of ${grouped(data.rows.length)} rows`;
    more.hidden = total <= view.shown;
    more.textContent = `Show all ${grouped(total)} rows`;
  }

  function sortBy(key) {
    if (view.by !== key) [view.by, view.down] = [key, data.columns.find((c) => c.key === key).right === true];
    else if (view.down === (data.columns.find((c) => c.key === key).right === true)) view.down = !view.down;
    else view.by = "";
    draw();
    tell();
  }

  more.onclick = () => { view.shown = Infinity; draw(); };
  const parts = [make("div", "fb-scroll")];
  parts[0].append(table);
  if (data.rows.length > 7 || view.find) {
    const bar = make("div", "fb-tablebar");
    const input = make("input", "fb-find");
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", `Filter rows of ${data.caption}`);
    input.value = view.find;
    input.oninput = () => { view.find = input.value; draw(); };
    input.onchange = tell;
    bar.append(input, count);
    parts.unshift(bar);
  }
  parts.push(more);
  root.replaceChildren(...parts);
  draw();
  window.onbeforeprint = () => window.dispatchEvent(new Event("fb-print"));
  root.fbPrint?.abort();
  root.fbPrint = new AbortController();
  window.addEventListener("fb-print", () => more.onclick(), { signal: root.fbPrint.signal });  // paper has no button
}
