// The question that the page answers, as the address bar keeps it: what stands behind the # is the
// whole question, so that a link is an answer.

const SHORTEST = 16, LONGEST = 1 << 20;
const KEYS = [1, 1000, 8192];
const PRESETS = [
  { id: "mix", name: "Internet mix" },
  { id: "ipi", name: "IPI", about: "the Internet Performance Index: 44, 552, 576 and 1,500 bytes" },
  { id: "traffic", name: "your capture" },
  { id: "64", name: "64 B", about: "a short packet" },
  { id: "1500", name: "1,500 B", about: "a full Ethernet packet" },
  { id: "16384", name: "16 KiB TLS record", about: "the longest record of TLS" },
  { id: "4096", name: "4 KiB disk", about: "a disk's page" },
];

// What is asked before anyone chooses: the user's own traffic, sealed and opened.
function firstQuestion(choice) {
  const what = ["traffic", "mix"].find((id) => choice.mixes.some((m) => m.id === id)) ?? "ipi";
  return { what, bytes: 1500, op: "both", keys: 1, way: "alone", need: new Set(), libraries: null, all: false };
}

const clampBytes = (n) => Math.min(LONGEST, Math.max(SHORTEST, Math.round(n) || SHORTEST));

function toHash(q, run) {
  const parts = [["for", q.what === "size" ? q.bytes : q.what], ["op", q.op], ["keys", q.keys], ["way", q.way]];
  if (q.need.size) parts.push(["need", [...q.need].join(",")]);
  if (q.libraries) parts.push(["libraries", [...q.libraries].map(encodeURIComponent).join(",")]);
  if (q.all) parts.push(["all", 1]);
  if (run) parts.push(["run", run + 1]);
  return "#" + parts.map((part) => part.join("=")).join("&");
}

// The question of an address; what is missing in it, or not understood, is as it was first.
function fromHash(hash, choice) {
  const q = firstQuestion(choice);
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name, value = ""] = part.split("=");
    if (name === "for") {
      if (/^\d+$/.test(value)) {
        q.what = "size";
        q.bytes = clampBytes(+value);
      } else if (value === "ipi" || choice.mixes.some((m) => m.id === value)) q.what = value;
    }
    if (name === "op" && ["seal", "open", "both"].includes(value)) q.op = value;
    if (name === "keys" && KEYS.includes(+value)) q.keys = +value;
    if (name === "way" && ["alone", "batch"].includes(value)) q.way = value;
    if (name === "need") for (const need of value.split(",")) if (Object.hasOwn(NEEDS, need)) q.need.add(need);
    if (name === "libraries") q.libraries = new Set(value.split(",").map(safelyDecoded).filter(Boolean));
    if (name === "all") q.all = value === "1";
  }
  return q;
}

// The place on the page that an address names besides the question, or instead of it.
const placeOfHash = (hash) => (/[#&]at=([\w-]+)/.exec(hash) ?? /^#([\w-]+)$/.exec(hash))?.[1] ?? null;

const runOfHash = (hash, count) => {
  const found = /(?:^#|&)run=(\d+)/.exec(hash);
  return found && +found[1] >= 1 && +found[1] <= count ? +found[1] - 1 : 0;
};

function safelyDecoded(text) {
  try { return decodeURIComponent(text); } catch { return ""; }
}
