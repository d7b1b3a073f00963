// Four answers beside each other, for the messages that were asked for and whatever the boxes say:
// the fastest of all, and the fastest of those that fulfil what people most often must have.

const CARDS = [
  ["Fastest", null],
  ["Fastest approved by NIST", "nist"],
  ["Fastest that survives a repeated nonce", "survives"],
  ["Fastest in a library you have already", "have"],
];

function cards(choice, ask) {
  const slots = CARDS.map(([title, need]) => {
    const lines = ["scheme", "fast", null, "soft", "soft"].map((name) => el("p", { class: name }));
    const rank = el("button", { type: "button", class: "only", onclick: () => ask({ need: new Set(need ? [need] : []), libraries: null }) }, need ? "Rank only these" : "Rank all");
    return { need, lines, node: el("article", { class: "card" }, el("h2", {}, title), el("div", { class: "body" }, ...lines), rank) };
  });
  function contentOf(q, need) {
    const r = ranking(choice, { ...q, need: new Set(need ? [need] : []), libraries: need === "have" ? q.libraries : null });
    if (!r.best) return ["–", "", "None was measured for this question.", "", ""];
    const s = speeds(choice, r.best, r.bytes, r.asked.op), facts = r.best.c.facts;
    const pair = r.schemes.find((bar) => bar.c.pair === r.best.c.pair && bar.c.scheme !== r.best.c.scheme);
    const other = pair ? `${pair.c.scheme}: ${number(pair.cost / r.best.cost, 2)} times that` : "No other size of key was measured";
    const level = r.level.filter((bar) => bar.c.pair !== r.best.c.pair).slice(0, 2).map((bar) => bar.c.scheme);
    return [r.best.c.scheme, s.gbits ?? "", [s.perByte, s.message].filter(Boolean).join(", "), `${r.best.c.implementation}; ${facts.standard ?? "no standard yet"}`, other + (level.length ? `. Level: ${level.join(", ")}` : "")];
  }
  const update = (q) => slots.forEach((slot) => contentOf(q, slot.need).forEach((text, i) => put(slot.lines[i], text)));
  return { node: el("section", { class: "cards", "aria-label": "Four answers" }, ...slots.map((slot) => slot.node)), update };
}
