// The page: what stands where, the text between the figures, two themes.

// Draws again what is no chart, in the theme and width of the moment.
let redraw = () => {};

function setTheme(name) {
  root.dataset.theme = name;
  document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
  for (const chart of charts) chart.draw();
  redraw();
}

function honesty(h) {
  const list = (items) => el("ul", { class: "honest" }, ...items.map((i) => el("li", {}, ...[].concat(i))));
  const failed = h.failed.map((f) => [el("span", { class: "bad" }, "Failed: "), `${f[0]} by ${f[1]}: ${f[2]}. It was not timed.`]);
  const section = [el("h2", { id: "trust" }, "How far to trust this"), el("p", { class: "verdict" }, h.verdict), list(h.facts.concat(failed))];
  if (h.noisy) section.push(el("details", {}, el("summary", {}, h.noisyTitle), table(h.noisy)));
  section.push(el("details", {}, el("summary", {}, "Versions and options"), list(h.versions)));
  return section;
}

// What lies beside the page, and the command that measures all of it again.
function files(run) {
  const { folder, names, results } = data.files;
  const link = (href, text) => el("li", {}, el("a", { href, download: true }, text));
  return [
    el("h2", { id: "files" }, "Files, and the run again"),
    el("p", { class: "repeat" }, "This measures it again: ", el("code", {}, run.repeat)),
    el("p", {}, "The results, with every sample, and the figures and tables lie beside the page; if it was sent to you alone, ask for them."),
    el("ul", { class: "files" }, ...results.map((name) => link(encodeURI(name), name + " (results, a line of JSON each)"))),
    el("details", {}, el("summary", {}, `${names.length} figures and tables`), el("ul", { class: "files" }, ...names.map((name) => link(encodeURI(`${folder}/${name}`), name)))),
  ];
}

// The first screen: the answer for the question in the address, and four answers beside it.
function first(run, add) {
  redraw = () => {};
  if (!run.choice.candidates.length) return [el("p", {}, "No scheme to choose was measured in this run, or an emulator ran it, whose times rank nothing.")];
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
  current = { run, shown, q };
  add({ node: shown.node, draw: shown.update });
  return [four.node, shown.node];
}
let current = null;
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return toPlace(location.hash.slice(1));
  const run = data.runs[runOfHash(location.hash, data.runs.length)];
  if (!current || current.run !== run) choose(run);
  else current.shown.replace(fromHash(location.hash, run.choice));
  toPlace(placeOfHash(location.hash));
});

// A place on the page: seen, and where the keyboard goes on.
function toPlace(id) {
  const place = id && document.getElementById(id);
  if (!place) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.scrollIntoView();
  place.focus({ preventScroll: true });
}
// A line of the contents leads there and keeps the question: the address is still an answer, and says the place too.
document.addEventListener("click", (e) => {
  const link = e.target.closest?.('a[href^="#"]');
  if (!link || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  const id = link.getAttribute("href").slice(1);
  const question = current ? toHash(current.q, data.runs.indexOf(current.run)) + "&" : "#";
  history.pushState(null, "", `${question}at=${id}`);
  toPlace(id);
});

function show(run) {
  charts.forEach((c) => c.instance.dispose());
  undrawn = [];
  charts = [];
  const pieces = [];
  const add = (piece) => (pieces.push(piece), piece.node);
  const tables = (...ids) => run.tables.filter((t) => ids.includes(t.id)).map(table);
  main.replaceChildren(
    el("h1", {}, "Which authenticated encryption, on this machine?"),
    el("p", { class: "machine" }, ...run.machine.flatMap((line, i) => [i ? " " : "", ...explained(line, i ? [["core cycle", "core cycles"], ["AES unit", "AES unit"], ["block rounds a cycle", "block rounds a cycle"]] : [["tier", "Tiers"]])]), ` ${run.honesty.verdict} `, el("a", { href: "#trust" }, "How far to trust this")),
    ...first(run, add),
    el("h2", { id: "papers" }, "The papers’ figures, on this machine"),
    el("p", { class: "soft" }, ...explained(`${coarse ? "Pinch to zoom; touch a name to hide or show it." : "Drag over a figure to zoom, or use + and − on it; click a name to hide or show it."} Whiskers are the middle half of the samples, where that is more than 1.5 % to a side. Hollow marks, and a ? in tables, are of mostly disturbed samples. Multiples are of the AES limit.`, [["AES limit", "AES limit"]])),
    ...tables("study"),
    ...run.figures.map((f) => add(figure(f, run))),
    ...tables("comb", "then"),
    ...(run.heat ? [add(heat(run.heat))] : []),
    ...chapter(run),
    el("h2", { id: "numbers" }, "Numbers"),
    ...tables("cold", "columns", "lengths", "limits"),
    ...honesty(run.honesty),
    ...files(run),
    el("footer", {}, data.footer));
  main.querySelector("#papers").before(contents(main));
  // The first screen at once, the others as soon as it is there.
  delete root.dataset.drawn;
  const next = (i) => {
    if (i === pieces.length) {
      root.dataset.drawn = Math.round(performance.now());
      toPlace(arrival);
      arrival = null;
      setTimeout(drawRest, 20);
      return;
    }
    pieces[i].draw();
    if (i === 0) root.dataset.answered = Math.round(performance.now());
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
// Where a link leads besides its question, once that place is there.
let arrival = placeOfHash(location.hash);
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
// For tests: what is drawn, and all that is drawn when it is seen.
window.combseal = { charts: () => charts, drawAll };
