// The answer: controls for a question, one sentence, and bars that are ranked again as a control
// moves. The arithmetic is in choice.js, the four cards in cards.js.

const BARS = 14;
const ROW = { head: 22, bar: 21, gap: 12 };
// What a row has besides its bar, in pixels: the size of the key before it and the values behind it.
const ROOM = { wide: 37 + 240, narrow: 37 + 131 };

// "0.253 cycles a byte", "189 ns a message", "94.5 Gbit/s a core": what is known of a cost.
// Of messages that are sealed and opened, all of them go through the core twice, at that rate each way.
function speeds(choice, value, size, op) {
  const perByte = value.cost / size, ns = choice.ghz && value.cost / choice.ghz;
  const time = ns >= 1e4 ? `${short(ns / 1000)} µs` : `${short(ns)} ns`;
  return {
    perByte: `${aByte(perByte)} ${choice.unit} a byte`,
    message: ns ? `${time} a message` : null,
    gbits: ns ? `${short((8 * size) / ns)} Gbit/s${op === "both" ? " each way" : ""} a core` : null,
  };
}
// A cost a byte: three decimals, as the terminal and the files have them.
const aByte = (v) => (v < 100 ? number(v, 3) : short(v));
// Writing what is there already would have the browser lay it out again.
const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };
// Powers as people write them: of a number, a letter or a sum, to a number or to what stands in parentheses.
const POWER = /((?:\d+|\b[a-z]|\([^()]*\))\^(?:-?\d+(?:\.\d+)?|\((?:[^()]|\([^()]*\))*\)))/;
const power = (text) => String(text).split(POWER).map((part, i) => {
  if (i % 2 === 0) return part;
  const at = part.indexOf("^"), base = part.slice(0, at), exponent = part.slice(at + 1).replace(/^\((.*)\)$/, "$1").replace("-", "−");
  return el("span", { role: "img", "aria-label": `${base} to the power of ${exponent}` }, base, el("sup", {}, exponent));
});
const said = (items) => (items.length < 2 ? items.join("") : items.slice(0, -1).join(", ") + " and " + items[items.length - 1]);
const OPS = { seal: "Sealing", open: "Opening", both: "Sealing and opening" };

// The question in words.
function words(choice, q) {
  const mix = choice.mixes.find((m) => m.id === q.what);
  const what = q.what === "size" ? `messages of ${number(q.bytes, 0)} bytes` : q.what === "ipi" ? "the lengths of the Internet Performance Index" : mix?.id === "traffic" ? mix.name : "the Internet mix";
  const keys = q.keys === 1 ? "under one key" : `under ${number(q.keys, 0)} keys`;
  return `${OPS[q.op]} ${what}, ${keys}, ${q.way === "alone" ? "one at a time" : "many together"}`;
}

// The sentence of the result, and what else to know, as paragraphs.
function verdictOf(choice, q, r) {
  const paragraphs = [];
  if (!r.best) {
    const kinds = measuredFor(choice, r.asked).map(([op, low, high]) => `${OPS[op].toLowerCase()} ${low === high ? number(low, 0) : `${number(low, 0)} to ${number(high, 0)}`} bytes`);
    const way = `${q.keys === 1 ? "one key" : number(q.keys, 0) + " keys"}, ${q.way === "alone" ? "one message at a time" : "many together"}`;
    const why = r.names.unmeasured.size || !r.names.unfit.size ? (kinds.length ? `With ${way}, this run measured ${said(kinds)}.` : `Nothing was measured with ${way} in this run.`) : "No scheme has all that the boxes ask for.";
    return [`No answer. ${r.neither ? "Neither both nor sealing alone was measured in this way. " : ""}${why}`];
  }
  const { best, level, alike, next } = r, s = speeds(choice, best, r.bytes, r.asked.op);
  const facts = best.c.facts;
  const how = [s.perByte, s.message, s.gbits].filter(Boolean).join(", ");
  const tie = level.length ? ` Level with it, within 3 % or, up to 10 %, the noise: ${said(level.slice(0, 4).map((bar) => bar.c.scheme))}${level.length > 4 ? ` and ${level.length - 4} more` : ""}.` : "";
  const same = alike.length ? ` It is as fast by ${said(alike.map((bar) => bar.c.implementation))}.` : "";
  const then = next ? ` Next is ${next.c.scheme} at ${number(next.cost / best.cost, 2)} times that.` : "";
  paragraphs.push([el("b", {}, best.c.scheme), ` (${best.c.implementation}) ${level.length ? "is among the fastest" : "is the fastest"}: ${how}.${tie}${same}${then}`]);
  if (r.asked.op !== q.op) paragraphs.push("Opening was not measured in this way in this run: sealing alone is ranked.");
  paragraphs.push(`${limitOf(facts, r.bytes)} A repeated nonce ${facts.repeated}.`);
  if (facts.source) paragraphs.push(`Its limits: ${facts.source}.`);
  const notes = [];
  if (r.schemes.some((bar) => !bar.exact)) notes.push("Between two measured lengths a cost is on a straight line.");
  if (best.column) notes.push(`Together here: ${number(best.batch, 0)} values in one buffer, with six bytes of associated data for all.`);
  else if (q.way === "batch") notes.push(`Of the batches measured, each scheme's fastest: ${number(best.batch, 0)} messages together for this one.`);
  if (best.keys > 1 && best.keys !== q.keys) notes.push(`Measured with ${number(best.keys, 0)} keys.`);
  if (q.what === "ipi") notes.push("IPI: 44, 552, 576 and 1,500 bytes, with 5, 15, 20 and 60 % of all bytes (McGrew and Viega 2004).");
  const mix = choice.mixes.find((m) => m.id === q.what);
  if (mix) notes.push(`${mix.about} ${number(mix.bytes, 0)} bytes on average.`);
  if (r.asked.op === "both") notes.push("Each message is sealed once and opened once.");
  if (notes.length) paragraphs.push(notes.join(" "));
  return paragraphs;
}

// What one key may seal, in messages as long as these.
function limitOf(facts, size) {
  const written = (power) => `2^${+power.toFixed(1)}`;
  const byBlocks = facts.blocks === null ? Infinity : facts.blocks - Math.log2(Math.max(1, Math.ceil(size / 16)));
  const byMessages = facts.messages ?? Infinity;
  if (Math.min(byBlocks, byMessages) === Infinity) return "No limit to what one key may seal is near.";
  return byMessages <= byBlocks
    ? `One key may seal ${written(byMessages)} of them: the limit is on messages, of whatever length.`
    : `One key may seal ${written(byBlocks)} of them: the limit is on blocks of 16 bytes, ${written(facts.blocks)} a key.`;
}

// A row of buttons of which one is chosen: radio buttons, so that the keyboard works as it should.
function choices(name, label, options, chosen, pick) {
  const inputs = options.map((o) => el("input", { type: "radio", name, value: o.value, checked: o.value === chosen, onchange: () => pick(o.value) }));
  const node = el("fieldset", { class: "choices" }, el("legend", {}, label), ...options.map((o, i) => el("label", { title: o.title }, inputs[i], el("span", {}, o.name))));
  return { node, set: (value) => inputs.forEach((input) => { input.checked = input.value === String(value); }) };
}

function answer(choice, q, changed) {
  let result;
  const sentence = el("div", { class: "sentence", "aria-live": "polite" });
  const list = el("ol", { class: "ranked", "aria-label": "Schemes, the fastest first" });
  const rest = el("div", { class: "rest" });
  const shown = new Map();
  let every = false;

  // Presets, slider and number are three views of one thing.
  const offered = PRESETS.filter((p) => p.id === "ipi" || /^\d+$/.test(p.id) || choice.mixes.some((m) => m.id === p.id));
  const named = (p) => choice.mixes.find((m) => m.id === p.id && p.id === "traffic")?.name ?? p.name;
  const presets = choices("for", "Messages", offered.map((p) => ({ value: p.id, name: named(p), title: p.about ?? choice.mixes.find((m) => m.id === p.id)?.about })), "", (id) => ask(/^\d+$/.test(id) ? { what: "size", bytes: +id } : { what: id }));
  const slider = el("input", { type: "range", id: "size", min: 4, max: 20, step: 0.01, "aria-label": "Message size", oninput: () => ask({ what: "size", bytes: clampBytes(2 ** +slider.value) }) });
  const exact = el("input", { type: "number", id: "bytes", min: SHORTEST, max: LONGEST, step: 1, "aria-label": "Message size in bytes", onchange: () => ask({ what: "size", bytes: clampBytes(+exact.value) }) });
  const ops = choices("op", "What", [["seal", "seal"], ["open", "open"], ["both", "both"]].map(([value, name]) => ({ value, name })), q.op, (op) => ask({ op }));
  const keys = choices("keys", "Keys", KEYS.map((n) => ({ value: String(n), name: number(n, 0) })), String(q.keys), (n) => ask({ keys: +n }));
  const ways = choices("way", "Messages come", [{ value: "alone", name: "one at a time" }, { value: "batch", name: "in a batch" }], q.way, (way) => ask({ way }));
  const NAMES = { 256: "256-bit key", nist: "NIST-approved", standard: "a standard", survives: "survives a repeated nonce", constant: "constant-time everywhere", have: "libraries you have already" };
  const ABOUT = {
    256: "a key of 256 bits instead of 128",
    standard: "a standard or an RFC defines it; a draft is none",
    nist: "by SP 800-38 A to G",
    survives: `keeps what it can of its security where a nonce is used twice; a nonce is ${TERMS.nonce}`,
    constant: "takes the same time whatever the key and the message, on machines without AES instructions too, as its authors say",
    have: "other people’s libraries that this run measured",
  };
  const boxes = Object.entries(NAMES).map(([need, name]) => {
    const input = el("input", { type: "checkbox", value: need, onchange: () => {
      const wanted = new Set(q.need);
      input.checked ? wanted.add(need) : wanted.delete(need);
      ask({ need: wanted, libraries: wanted.has("have") ? q.libraries : null });
    } });
    return { need, input, node: el("label", { title: ABOUT[need] }, input, el("span", {}, name)) };
  });
  const libraries = [...new Set(choice.candidates.filter((c) => !c.ours).map((c) => c.library))];
  const owned = libraries.map((library) => {
    const input = el("input", { type: "checkbox", value: library, onchange: () => {
      const wanted = new Set(owned.filter((o) => o.input.checked).map((o) => o.library));
      ask({ libraries: wanted.size === libraries.length ? null : wanted });
    } });
    return { library, input, node: el("label", {}, input, el("span", {}, library)) };
  });
  const ownedNode = el("fieldset", { class: "boxes owned" }, el("legend", {}, "Which"), ...owned.map((o) => o.node));
  const all = el("input", { type: "checkbox", onchange: () => ask({ all: all.checked }) });
  // What a pointer that rests on a control is told, for fingers and keyboards too.
  const meant = (name, about) => el("li", {}, el("b", {}, name), `: ${about}`);
  const meanings = el("details", { class: "meanings" }, el("summary", {}, "What these mean"), el("ul", {},
    ...offered.map((p) => [named(p), p.about ?? choice.mixes.find((m) => m.id === p.id)?.about]).filter(([, about]) => about).map(([name, about]) => meant(name, about)),
    ...Object.entries(NAMES).map(([need, name]) => meant(name, ABOUT[need])),
    meant("Gbit/s a core", TERMS["Gbit/s a core"])));

  // As often as the screen is drawn, and no more; a page that is not seen has no frames, and answers too.
  let wanted = false;
  function drawn() {
    if (!wanted) return;
    wanted = false;
    update();
  }
  function ask(change) {
    Object.assign(q, change);
    changed(q);
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(drawn);
    setTimeout(drawn, 60);
  }

  function controls() {
    presets.set(q.what === "size" ? q.bytes : q.what);
    const size = q.what === "size" ? q.bytes : Math.round(bytesOf(choice, q));
    slider.value = Math.log2(size);
    slider.setAttribute("aria-valuetext", `${number(size, 0)} bytes`);
    if (document.activeElement !== exact || q.what !== "size") exact.value = size;
    ops.set(q.op);
    keys.set(q.keys);
    ways.set(q.way);
    for (const box of boxes) box.input.checked = q.need.has(box.need);
    for (const one of owned) one.input.checked = !q.libraries || q.libraries.has(one.library);
    ownedNode.hidden = !q.need.has("have");
    all.checked = q.all;
  }

  function row(group) {
    const code = el("span", {}), place = el("em", {});
    const head = el("p", { class: "head" }, el("b", {}, group.pair), code, place);
    return { node: el("li", {}, head), head, code, place, bars: new Map(), top: -1 };
  }
  function barOf(row, bar) {
    let b = row.bars.get(bar.c.scheme);
    if (!b) {
      const text = el("span", { class: "value" });
      const fill = el("span", { class: "fill" });
      const limit = el("span", { class: "limit" });
      const track = el("span", { class: "track" }, fill, limit, text);
      const node = el("div", { class: "bar", onpointerenter: () => { node.title = b.more(); } }, el("span", { class: "bits" }, String(bar.c.bits)), track);
      b = { text, track, fill, limit, node };
      row.bars.set(bar.c.scheme, b);
    }
    return b;
  }
  const whole = (bar, s, size) => `${bar.c.scheme}, ${bar.c.implementation}: ${[s.perByte, s.message, s.gbits].filter(Boolean).join(", ")}, ± ${number(100 * bar.noise, 1)} %${bar.limit ? `; AES limit ${short(bar.limit / size)}, ${number(bar.cost / bar.limit, 2)} times that` : ""}`;
  const brief = (bar, s, size) => innerWidth < 640
    ? `${aByte(bar.cost / size)}${s.gbits ? ` · ${s.gbits.replace(" a core", "")}` : ""}`
    : [s.perByte.replace("cycles a byte", "c/B").replace("ns a byte", "ns/B"), s.message?.replace(" a message", ""), s.gbits?.replace(" a core", "")].filter(Boolean).join(" · ") + (bar.noise > 0.05 ? ` ± ${number(100 * bar.noise, 0)} %` : "");

  function update() {
    const width = list.clientWidth - (innerWidth <= 736 ? ROOM.narrow : ROOM.wide);
    controls();
    result = ranking(choice, q);
    const { groups, best, bytes: size } = result;
    sentence.replaceChildren(el("p", { class: "question" }, words(choice, result.asked) + ":"), ...verdictOf(choice, q, result).map((p, i) => el("p", { class: i === 0 ? "lead" : null }, ...[].concat(p).flatMap((part) => (typeof part === "string" ? power(part) : part)))), best ? "" : offers());
    const visible = every ? groups : groups.slice(0, BARS);
    const scale = best ? Math.min(best.cost * CLIP, Math.max(...visible.flatMap((g) => g.bars.map((bar) => bar.cost)))) : 1;
    let top = 0;
    const keep = new Set();
    visible.forEach((group, i) => {
      keep.add(group.key);
      let r = shown.get(group.key);
      const fresh = !r;
      if (fresh) shown.set(group.key, (r = row(group)));
      const leads = group.bars.includes(best), ties = !leads && group.bars.some((bar) => result.level.includes(bar));
      put(r.code, [...new Set(group.bars.map((bar) => bar.c.implementation))].join(", "));
      put(r.place, leads ? (result.level.length ? "fastest, with a tie" : "fastest") : ties ? "level" : "");
      const now = group.bars.map((bar) => {
        const b = barOf(r, bar), s = speeds(choice, bar, size);
        // Moved, not laid out again: the slider asks for this sixty times a second.
        const part = Math.min(1, bar.cost / scale);
        b.fill.style.transform = `scaleX(${part.toFixed(4)})`;
        b.text.style.transform = `translateX(${(part * width).toFixed(1)}px)`;
        if (bar.limit !== null) b.limit.style.transform = `translateX(${(Math.min(1, bar.limit / scale) * width).toFixed(1)}px)`;
        b.track.classList.toggle("cut", bar.cost > scale * 1.0001);
        b.track.classList.toggle("limited", bar.limit !== null && bar.limit <= scale);
        b.fill.style.background = bar.c.colour[theme()];
        put(b.text, brief(bar, s, size));
        b.more = () => whole(bar, s, size);
        return b.node;
      });
      const height = ROW.head + now.length * ROW.bar;
      const have = r.node.children;
      if (have.length !== now.length + 1 || now.some((n, k) => n !== have[k + 1])) {
        r.node.replaceChildren(r.head, ...now);
        r.node.style.height = `${height}px`;
      }
      if (fresh) r.node.style.transition = "none";
      if (r.top !== top) r.node.style.transform = `translateY(${(r.top = top)}px)`;
      if (list.children[i] !== r.node) list.insertBefore(r.node, list.children[i] ?? null);
      if (fresh) requestAnimationFrame(() => { r.node.style.transition = ""; });
      top += height + ROW.gap;
    });
    for (const [key, r] of shown) if (!keep.has(key)) {
      r.node.remove();
      shown.delete(key);
    }
    list.style.height = `${top}px`;
    remaining(groups.length - visible.length);
    for (const listener of listeners) listener(result);
  }

  // Where a question has no answer, the nearest ones that have.
  function offers() {
    const kinds = result.names.unmeasured.size ? measuredFor(choice, result.asked) : [];
    const near = kinds.map(([op, low, high]) => ({ op, what: "size", bytes: Math.min(high, Math.max(low, q.what === "size" ? q.bytes : Math.round(result.bytes))) }));
    const buttons = near.map((other) => el("button", { type: "button", onclick: () => ask(other) }, `${OPS[other.op]} ${number(other.bytes, 0)} bytes`));
    if (q.need.size) buttons.push(el("button", { type: "button", onclick: () => ask({ need: new Set(), libraries: null }) }, "Without the boxes"));
    return el("p", { class: "offers" }, ...buttons);
  }

  function remaining(hidden) {
    const { names, more } = result;
    const lines = [];
    if (hidden > 0 || every && result.groups.length > BARS) lines.push(el("button", { type: "button", id: "more", onclick: () => { every = !every; update(); } }, every ? `Show the first ${BARS}` : `Show ${hidden} more`));
    if (more > 0) lines.push(el("p", {}, `${more} slower libraries of the same schemes are not drawn: tick “every library”.`));
    const told = (set, why) => set.size && lines.push(el("p", {}, `${why}: ${[...set].join(", ")}.`));
    told(names.unfit, "Not ranked, for the boxes");
    told(names.unmeasured, "Not measured for this question");
    told(names.doubtful, "Not ranked, their samples being disturbed or too far apart");
    told(new Set(choice.aside), "Measured, and no choice (the archive is there to be measured, counter mode does not authenticate)");
    const seen = lines.map((line) => line.textContent).join();
    if (seen !== rest.dataset.seen) rest.replaceChildren(...lines);
    rest.dataset.seen = seen;
  }

  const listeners = [];
  const save_ = () => {
    const rows = result.groups.flatMap((g) => g.bars.map((bar) => [bar.c.scheme, bar.c.implementation, bar.cost, bar.cost / result.bytes, bar.limit, bar.noise]));
    save("answer.csv", csv([["scheme", "implementation", `${choice.unit} a message`, `${choice.unit} a byte`, "AES limit", "spread"], ...rows]), "text/csv");
  };
  const node = el("section", { class: "answer", id: "answer" },
    el("form", { class: "ask", "aria-label": "The question", onsubmit: (e) => e.preventDefault() },
      presets.node,
      el("div", { class: "size" }, slider, el("span", { class: "exact" }, exact, el("span", {}, "bytes"))),
      el("div", { class: "few" }, ops.node, keys.node, ways.node),
      el("fieldset", { class: "boxes" }, el("legend", {}, "It must be"), ...boxes.map((box) => box.node)), ownedNode, meanings),
    sentence,
    el("div", { class: "controls" }, el("p", { class: "key" }, ...explained(`Shorter is faster. ${choice.unit === "cycles" ? "c/B is cycles a byte. " : ""}The mark is the AES limit, which a serial mode such as CCM may pass: the limit is one message’s, and the core can begin the next before that one ends. A torn bar is longer than drawn.`, [["cycles a byte", "cycles a byte"], ["AES limit", "AES limit"]])), el("span", { class: "right" },
      el("label", { class: "every" }, all, "every library"), el("button", { type: "button", class: "csv", onclick: save_ }, "CSV"))),
    list, rest);
  return {
    node, update,
    follow: (listener) => listeners.push(listener),
    ask,
    replace(next) {
      Object.assign(q, next);
      update();
    },
    result: () => result,
  };
}
