// Tables: sorted by any column, filtered by words, the best of each column marked.

// Which columns of a table have a best, and whether it is the least or the greatest.
const BEST = {
  study: () => Math.min,
  lengths: (name) => (/±/.test(name) ? null : Math.min),
  columns: () => Math.min,
  cold: (name) => (/gain/.test(name) ? Math.max : Math.min),
  comb: (name) => (/speed-up/.test(name) ? Math.max : /messages/.test(name) ? null : Math.min),
};
// Tables this long have a field for words to look for.
const LONG = 8;

function table(t) {
  let group = 0, column = -1, down = false, words = [];
  const body = el("tbody");
  const count = el("span", { class: "count", role: "status" });
  const heads = t.columns.map(([name, digits], i) => {
    const th = el("th", { class: digits === null ? null : "n", scope: "col" }, el("button", { type: "button", onclick: () => {
      down = column === i ? !down : false;
      column = i;
      fill();
    } }, name));
    return th;
  });
  const missing = (v) => v === null || v === undefined;
  // A number of mostly disturbed samples travels as an object, and gets a question mark; so does one that a
  // paper printed, and keeps the paper's digits.
  const plain = (v) => v?.doubtful ?? v?.value ?? v;
  const written = (v, digits) => v?.printed ?? (digits === null ? v : number(plain(v), digits) + (v === plain(v) ? "" : "?"));
  // The best of a column among the rows that are seen; what is doubtful is never the best.
  function bestOf(rows, i) {
    const better = t.columns[i][1] === null ? null : BEST[t.id]?.(t.columns[i][0]);
    const values = better ? rows.map((row) => row[i]).filter((v) => typeof v === "number") : [];
    return values.length > 1 ? better(...values) : null;
  }
  function fill() {
    const all = t.groups[group][1];
    const rows = all.filter((row) => words.every((word) => row.some((v) => typeof v === "string" && v.toLowerCase().includes(word))));
    // What is missing comes last, whichever way.
    if (column >= 0) rows.sort((a, b) => {
      const [x, y] = [plain(a[column]), plain(b[column])];
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
      return down ? -order : order;
    });
    heads.forEach((th, i) => (i === column ? th.setAttribute("aria-sort", down ? "descending" : "ascending") : th.removeAttribute("aria-sort")));
    const best = t.columns.map((_, i) => bestOf(rows, i));
    body.replaceChildren(...rows.map((row) => el("tr", { class: String(row[1]).startsWith("combseal") ? "ours" : null }, ...row.map((v, i) => {
      const digits = t.columns[i][1], isBest = best[i] !== null && v === best[i];
      const text = missing(v) ? "–" : written(v, digits);
      const attributes = { class: [digits === null ? "" : "n", isBest ? "best" : ""].join(" ").trim() || null, title: isBest ? "the best of this column" : null };
      return i === 0 ? el("th", { ...attributes, scope: "row" }, text) : el("td", attributes, text);
    }))));
    count.textContent = words.length ? `${rows.length} of ${all.length} rows` : "";
  }
  fill();
  const groups = t.groups.length > 1 ? el("select", { "aria-label": "Which rows", onchange: (e) => { group = +e.target.value; fill(); } }, ...t.groups.map((g, i) => el("option", { value: i }, g[0]))) : null;
  const long = t.groups.some((g) => g[1].length > LONG);
  const filter = long ? el("input", { type: "search", class: "filter", placeholder: "Filter rows", "aria-label": "Show rows with these words", oninput: (e) => {
    words = e.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    fill();
  } }) : null;
  const rows = () => [["group", ...t.columns.map((c) => c[0])]].concat(t.groups.flatMap(([name, rows]) => rows.map((row) => [name, ...row.map((v) => v?.printed ?? (v === plain(v) ? v : plain(v) + "?"))])));
  // Sentences may be broken, numbers not.
  const wordy = t.columns.every(([, digits]) => digits === null);
  return el("figure", { id: "table-" + t.id, class: wordy ? "wordy" : null },
    el("header", {}, el("h3", {}, t.title), t.after ? el("p", { class: "after" }, "after ", ...cited(t.after)) : null),
    el("div", { class: "controls" }, groups, filter, count, el("span", { class: "right" }, el("button", { type: "button", class: "csv", onclick: () => save(t.id + ".csv", csv(rows()), "text/csv") }, "CSV"))),
    el("div", { class: "scroll tables", tabindex: 0, role: "region", "aria-label": [t.title, t.after].filter(Boolean).join(", ") }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)),
    el("figcaption", {}, ...explained(t.note, [["IPI", "TIPI"]])));
}
