// The page: tables that sort, the text between the figures, two themes.

// Draws again what is no chart, in the theme and width of the moment.
let redraw = () => {};

function setTheme(name) {
  root.dataset.theme = name;
  document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
  for (const chart of charts) chart.draw();
  redraw();
}

function table(t) {
  let group = 0, column = -1, down = false;
  const body = el("tbody");
  const heads = t.columns.map(([name, digits], i) => {
    const th = el("th", { class: digits === null ? null : "n", scope: "col" }, el("button", { type: "button", onclick: () => {
      down = column === i ? !down : false;
      column = i;
      fill();
    } }, name));
    return th;
  });
  function fill() {
    const rows = t.groups[group][1].slice();
    // What is missing comes last, whichever way.
    const missing = (v) => v === null || v === undefined;
    if (column >= 0) rows.sort((a, b) => {
      const [x, y] = [a[column], b[column]];
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
      return down ? -order : order;
    });
    heads.forEach((th, i) => (i === column ? th.setAttribute("aria-sort", down ? "descending" : "ascending") : th.removeAttribute("aria-sort")));
    body.replaceChildren(...rows.map((row) => el("tr", { class: String(row[1]).startsWith("combseal") ? "ours" : null }, ...row.map((v, i) => {
      const digits = t.columns[i][1];
      return el("td", { class: digits === null ? null : "n" }, missing(v) ? "–" : digits === null ? v : number(v, digits));
    }))));
  }
  fill();
  const groups = t.groups.length > 1 ? el("select", { "aria-label": "Operation", onchange: (e) => { group = +e.target.value; fill(); } }, ...t.groups.map((g, i) => el("option", { value: i }, g[0]))) : null;
  const rows = () => [["group", ...t.columns.map((c) => c[0])]].concat(t.groups.flatMap(([name, rows]) => rows.map((row) => [name, ...row])));
  return el("figure", { id: "table-" + t.id },
    el("header", {}, el("h3", {}, t.title), t.after ? el("p", { class: "after" }, "after " + t.after) : null),
    el("div", { class: "controls" }, groups, el("span", { class: "right" }, el("button", { type: "button", class: "csv", onclick: () => save(t.id + ".csv", csv(rows()), "text/csv") }, "CSV"))),
    el("div", { class: "scroll tables" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)),
    el("figcaption", {}, t.note));
}

function honesty(h) {
  const list = (items) => el("ul", { class: "honest" }, ...items.map((i) => el("li", {}, ...[].concat(i))));
  const failed = h.failed.map((f) => [el("span", { class: "bad" }, "Failed: "), `${f[0]} by ${f[1]}: ${f[2]}. It was not timed.`]);
  const section = [el("h2", { id: "trust" }, "How far to trust this"), el("p", { class: "verdict" }, h.verdict), list(h.facts.concat(failed))];
  if (h.noisy) section.push(el("details", {}, el("summary", {}, h.noisyTitle), table(h.noisy)));
  section.push(el("details", {}, el("summary", {}, "Versions and options"), list(h.versions)));
  return section;
}

// The first screen: the answer for the question in the address, and four answers beside it.
function first(run, add) {
  redraw = () => {};
  if (!run.choice.candidates.length) return [el("p", {}, "No scheme to choose was measured in this run.")];
  const q = fromHash(location.hash, run.choice);
  let late;
  const remember = () => {
    clearTimeout(late);
    late = setTimeout(() => history.replaceState(null, "", toHash(q, data.runs.indexOf(run))), 120);
  };
  const shown = answer(run.choice, q, remember);
  const four = cards(run.choice, shown.ask);
  shown.follow(() => four.update(q));
  redraw = shown.update;
  current = { run, shown };
  add({ node: shown.node, draw: shown.update });
  return [four.node, shown.node];
}
let current = null;
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return;
  const run = data.runs[runOfHash(location.hash, data.runs.length)];
  if (!current || current.run !== run) choose(run);
  else current.shown.replace(fromHash(location.hash, run.choice));
});

function show(run) {
  charts.forEach((c) => c.instance.dispose());
  charts = [];
  const pieces = [];
  const add = (piece) => (pieces.push(piece), piece.node);
  const tables = (...ids) => run.tables.filter((t) => ids.includes(t.id)).map(table);
  main.replaceChildren(
    el("h1", {}, "Which authenticated encryption, on this machine?"),
    el("p", { class: "machine" }, ...run.machine.flatMap((line, i) => (i ? [el("br"), line] : [line]))),
    el("p", { class: "machine" }, run.honesty.verdict + " ", el("a", { href: "#trust" }, "How far to trust this")),
    ...first(run, add),
    el("h2", {}, "The papers’ figures, on this machine"),
    el("p", { class: "soft" }, coarse ? "Pinch to zoom; touch a name to hide or show it." : "Drag over a figure to zoom; click a name to hide or show it. Whiskers are the middle half of the samples, where that is more than 2 % to a side."),
    ...tables("study"),
    ...run.figures.map((f) => add(figure(f))),
    ...tables("comb", "then"),
    ...(run.heat ? [add(heat(run.heat))] : []),
    el("h2", {}, "Numbers"),
    ...tables("lengths", "limits"),
    ...honesty(run.honesty),
    el("footer", {}, data.footer));
  // The first screen at once, the others as soon as it is there.
  delete root.dataset.drawn;
  const next = (i) => {
    if (i === pieces.length) {
      root.dataset.drawn = Math.round(performance.now());
      return;
    }
    pieces[i].draw();
    i === 0 ? requestAnimationFrame(() => setTimeout(() => next(1))) : setTimeout(() => next(i + 1));
  };
  next(0);
}

let stored = null;
try { stored = localStorage.getItem("combseal-theme"); } catch { /* Not every browser lets a file have storage. */ }
const system = matchMedia("(prefers-color-scheme: dark)");
setTheme(stored || (system.matches ? "dark" : "light"));
system.addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () => {
  const name = theme() ? "light" : "dark";
  setTheme(name);
  try { localStorage.setItem("combseal-theme", name); } catch { /* As above. */ }
});
const select = document.getElementById("run");
function choose(run) {
  select.value = data.runs.indexOf(run);
  show(run);
}
if (data.runs.length > 1) {
  select.append(...data.runs.map((r, i) => el("option", { value: i }, r.name)));
  select.addEventListener("change", () => show(data.runs[+select.value]));
  select.parentElement.hidden = false;
}
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => {
    charts.forEach((c) => { c.instance.resize(); c.draw(); });
    redraw();
  }, 120);
});
choose(data.runs[runOfHash(location.hash, data.runs.length)]);
// For tests: what is drawn.
window.combseal = { charts: () => charts };
