// The papers, redrawn: a section for each, its tables and figures in the paper's order, and what the run
// has not measured of it.

// A drawing of the laboratory's own, whose four greys become those of the page.
function drawing(d) {
  const greys = [["#ffffff", "--paper"], ["#fff", "--paper"], ["#1d1c1a", "--ink"], ["#625e55", "--soft"], ["#dcd8cc", "--rule"], ["#eae6da", "--rule"]];
  const text = greys.reduce((svg, [grey, name]) => svg.replaceAll(`"${grey}"`, `"var(${name})"`), d.svg);
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  return el("figure", { id: "figure-" + d.id, class: "drawing" },
    el("header", {}, el("h3", {}, d.title), d.after ? el("p", { class: "after" }, "after ", ...cited(d.after)) : null),
    el("div", { class: "controls" }, el("span", { class: "right" }, el("button", { type: "button", class: "svg", onclick: () => save(d.id + ".svg", d.svg, "image/svg+xml") }, "SVG"))),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": d.title }, svg),
    el("figcaption", {}, d.note));
}

function redrawnItem(item, run) {
  if (item.drawing) return drawing(item.drawing);
  if (item.table) return table(item.table);
  if (item.figure) return drawLater(figure(item.figure, run));
  return drawLater(heat(item.heat));
}

// The chapter's charts are many, and few readers see all of them: they are drawn one after the other behind
// those above them, or at once when the page is printed.
let undrawn = [];
function drawLater(piece) {
  undrawn.push(piece);
  return piece.node;
}
const drawAll = () => undrawn.splice(0).forEach((piece) => piece.draw());
function drawRest() {
  undrawn.shift()?.draw();
  if (undrawn.length) setTimeout(drawRest, 20);
}
addEventListener("beforeprint", drawAll);

// A paper's section.
function redrawn(section, run) {
  const missing = section.missing.length ? [
    el("p", { class: "absent" }, "Not measured in this run, so not here:"),
    el("ul", { class: "absent" }, ...section.missing.map((what) => el("li", {}, what))),
    el("p", { class: "repeat" }, "This measures it: ", el("code", {}, section.command)),
  ] : [];
  return el("section", { class: "paper", "aria-labelledby": section.id },
    el("h3", { id: section.id }, section.title),
    el("p", { class: "after" }, el("a", { href: section.link, rel: "noreferrer" }, section.citation)),
    ...section.intro.map((text) => el("p", {}, text)),
    section.pages.length ? el("p", {}, "A page of its own has more of it: ", ...section.pages.map((name) => el("a", { href: encodeURI(name) }, name)), ".") : null,
    ...section.items.map((item) => redrawnItem(item, run)),
    ...missing);
}

// The chapter.
const chapter = (run) => [
  el("h2", { id: "redrawn" }, "The papers, redrawn"),
  el("p", { class: "soft" }, "Each paper’s tables and figures in their own form, with what it printed on its machines beside what was measured here. Where a paper prints no numbers, only this machine’s values are drawn."),
  ...run.sections.map((section) => redrawn(section, run)),
];
