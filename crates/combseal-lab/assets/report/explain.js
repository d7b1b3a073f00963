// Words explained where they first stand, and links to the papers, so that nobody has to have met
// them before.

const TERMS = {
  "core cycle": "one beat of the processor’s own clock at the frequency that it really ran at, not a tick of a fixed counter",
  "cycles a byte": "core cycles for a message, divided by the message’s bytes; papers write cpb",
  "tier": "one of Combseal’s kernels for a set of instructions: soft runs everywhere, aesni and aesni512 use the AES instructions, vaes256 and vaes512 do two and four blocks in one",
  "AES limit": "the time that the AES rounds of a message take if the processor’s AES units, at the widest registers it has, are always full and nothing else costs anything, the same whatever code is compared with it; “× limit” is a time as a multiple of it",
  "IPI": "the Internet Performance Index of McGrew and Viega (2004): messages of 44, 552, 576 and 1,500 bytes with 5, 15, 20 and 60 % of all bytes",
  "AES unit": "the part of a core that does the AES instructions",
  "block rounds a cycle": "the AES encrypts a block of 16 bytes in 10, 12 or 14 rounds, by the size of its key; this many rounds, of different blocks, are done in one core cycle at best",
  "nonce": "the number that must differ for every message under one key",
  "Gbit/s a core": "how many bits one core seals or opens in a second, in thousand millions",
};

// A word that opens its explanation behind it.
function term(name, shown) {
  const text = el("span", { class: "meaning", hidden: true }, ` (${TERMS[name]})`);
  const button = el("button", { type: "button", class: "term", "aria-expanded": "false", onclick: () => {
    text.hidden = !text.hidden;
    button.setAttribute("aria-expanded", String(!text.hidden));
  } }, shown ?? name);
  return el("span", {}, button, text);
}

// A text in which the first of each of these words explains itself.
function explained(text, names) {
  let parts = [text];
  for (const [name, shown] of names) {
    const at = parts.findIndex((part) => typeof part === "string" && part.includes(shown));
    if (at < 0) continue;
    const i = parts[at].indexOf(shown);
    parts.splice(at, 1, parts[at].slice(0, i), term(name, shown), parts[at].slice(i + shown.length));
  }
  return parts.filter((part) => part !== "");
}

const PAPERS = [
  ["Krovetz and Rogaway 2011", "https://doi.org/10.1007/978-3-642-21702-9_18"],
  ["Bogdanov, Lauridsen and Tischhauser 2014", "https://eprint.iacr.org/2016/047"],
  ["Bernstein 2007", "https://cr.yp.to/papers.html#aecycles"],
  ["Krovetz and Rogaway 2021", "https://doi.org/10.1007/s00145-021-09399-8"],
  ["2021", "https://doi.org/10.1007/s00145-021-09399-8"],
];
// A citation with its papers linked.
function cited(text) {
  let parts = [text];
  for (const [name, href] of PAPERS) {
    const at = parts.findIndex((part) => typeof part === "string" && part.includes(name));
    if (at < 0) continue;
    const i = parts[at].indexOf(name);
    parts.splice(at, 1, parts[at].slice(0, i), el("a", { href, rel: "noreferrer" }, name), parts[at].slice(i + name.length));
  }
  return parts.filter((part) => part !== "");
}

// What is on the page, in its order.
function contents(main) {
  const items = [];
  for (const heading of main.querySelectorAll("h2[id], h3[id], figure[id] h3")) {
    const place = heading.id ? heading : heading.closest("figure");
    const link = el("a", { href: "#" + place.id }, heading.textContent);
    if (heading.id) items.push(el("li", { class: "part" }, link));
    else if (place.closest("details") === null) items.push(el("li", {}, link));
  }
  return el("nav", { class: "contents", "aria-label": "Contents" }, el("ul", {}, ...items));
}
