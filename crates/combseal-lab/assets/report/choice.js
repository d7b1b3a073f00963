// The answer's arithmetic, without a document: what each candidate costs for a question, who is
// fastest, and who is level with it. A question is
// {what: "mix" | "traffic" | "ipi" | "size", bytes, op: "seal" | "open" | "both", keys, way: "alone" | "batch",
//  need: Set, libraries: Set or null, all}.

// Differences below this part of the value are not told apart, however quiet the run was; those above the other
// are, however loud it was.
const LEVEL = 0.03;
const APART = 0.1;
// Bars longer than this many times the shortest are cut off.
const CLIP = 5;

const NEEDS = {
  256: (c) => c.bits >= 256,
  nist: (c) => c.facts.nist,
  standard: (c) => c.facts.standard !== null,
  survives: (c) => c.facts.survives,
  constant: (c) => c.facts.constant,
  have: (c) => !c.ours,
};
// A thousand keys were measured as a thousand or as 1,024.
const sameKeys = (a, b) => Math.abs(a / b - 1) < 0.05;

// The value of a curve at n bytes: as measured, or on the straight line between the two measured
// lengths beside it; null beyond them.
function valueAt(grid, curve, n) {
  let low = 0, high = grid.length - 1;
  if (high < 0 || n < grid[0] || n > grid[high]) return null;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (grid[middle] < n) low = middle + 1;
    else high = middle;
  }
  const doubtful = (i) => (curve.doubtful || []).includes(i);
  const limits = curve.limit || [];
  if (grid[low] === n) return { cost: curve.cost[low], noise: curve.noise[low] / 1000, limit: limits[low] ?? null, doubtful: doubtful(low), exact: true };
  const part = (n - grid[low - 1]) / (grid[low] - grid[low - 1]);
  const between = (of) => of[low - 1] + part * (of[low] - of[low - 1]);
  return {
    cost: between(curve.cost),
    noise: Math.max(curve.noise[low - 1], curve.noise[low]) / 1000,
    limit: limits.length ? between(limits) : null,
    doubtful: doubtful(low - 1) || doubtful(low),
    exact: false,
  };
}

// The noise of a sum of costs: each by its part of the sum. Each of them is [cost, noise].
const noiseOf = (costs) => costs.reduce((all, [cost, noise]) => all + cost * noise, 0) / costs.reduce((sum, [cost]) => sum + cost, 0);

// Of the IPI the parts are parts of all bytes, so that cycles a byte are averaged by them.
const ipiBytes = (choice) => 1 / choice.ipi.reduce((sum, [n, part]) => sum + part / n, 0);
function valueOfIpi(choice, curve) {
  const parts = choice.ipi.map(([n, part]) => [valueAt(choice.grids[curve.grid], curve, n), part / n]);
  if (parts.some(([v]) => !v)) return null;
  const mean = ipiBytes(choice), sum = (of) => mean * parts.reduce((all, [v, weight]) => all + weight * of(v), 0);
  return {
    cost: sum((v) => v.cost),
    noise: noiseOf(parts.map(([v, weight]) => [weight * v.cost, v.noise])),
    limit: parts.some(([v]) => v.limit === null) ? null : sum((v) => v.limit),
    doubtful: parts.some(([v]) => v.doubtful),
    exact: parts.every(([v]) => v.exact),
  };
}

// What one operation costs a candidate, in every way in which it was measured that the question allows.
function costsOf(choice, c, q, op) {
  const found = [];
  const isWay = (batch) => (q.way === "batch") === batch > 1;
  if (q.what === "mix" || q.what === "traffic") {
    if (q.keys > 1) return found;
    for (const m of c.mixes) {
      if (m.mix === q.what && m.op === op && isWay(m.batch)) found.push({ ...m, doubtful: !!m.doubtful, exact: true });
    }
  } else {
    for (const curve of c.curves) {
      if (curve.op !== op || !sameKeys(curve.keys, q.keys) || !isWay(curve.batch)) continue;
      const value = q.what === "ipi" ? valueOfIpi(choice, curve) : valueAt(choice.grids[curve.grid], curve, q.bytes);
      if (value) found.push({ ...value, batch: curve.batch, column: curve.column, keys: curve.keys });
    }
  }
  return found;
}

// Of several the fastest; null of none.
const cheapest = (found) => found.reduce((best, v) => (!best || v.cost < best.cost ? v : best), null);

// What the question costs a candidate in the fastest of the batches measured; null where this was not measured. Who
// seals and opens does both in batches of one size.
function costOf(choice, c, q) {
  if (q.op !== "both") return cheapest(costsOf(choice, c, q, q.op));
  const isLike = (a, b) => (q.way === "alone" || a.batch === b.batch) && !a.column === !b.column;
  const opened = costsOf(choice, c, q, "open");
  const both = costsOf(choice, c, q, "seal").map((seal) => {
    const open = cheapest(opened.filter((v) => isLike(seal, v)));
    return open && {
      ...seal,
      cost: seal.cost + open.cost,
      noise: noiseOf([[seal.cost, seal.noise], [open.cost, open.noise]]),
      limit: seal.limit === null || open.limit === null ? null : seal.limit + open.limit,
      doubtful: seal.doubtful || open.doubtful,
      exact: seal.exact && open.exact,
    };
  });
  return cheapest(both.filter(Boolean));
}

// Bytes in a message of the question, the mean.
function bytesOf(choice, q) {
  if (q.what === "size") return q.bytes;
  if (q.what === "ipi") return ipiBytes(choice);
  return choice.mixes.find((m) => m.id === q.what)?.bytes ?? 1;
}

const fits = (c, q) => [...q.need].every((need) => NEEDS[need](c)) && (!q.libraries || c.ours || q.libraries.has(c.library));

// Is a's cost the same as b's, as far as this run can tell?
const isLevel = (a, b) => Math.max(a.cost, b.cost) <= Math.min(a.cost, b.cost) * (1 + Math.min(APART, Math.max(LEVEL, a.noise + b.noise)));

// The ranking: groups of bars, the fastest first. A group is a scheme with its sizes of key in one
// library, each size by the library's fastest code. Of other people's libraries the fastest of each
// scheme is in it, all if the question says so; what is not in it is named.
function ranking(choice, q) {
  let asked = q;
  let measured = choice.candidates.map((c) => [c, costOf(choice, c, asked)]);
  // Where nobody's opening was measured, sealing alone is better than nothing, and is said to be so. Where that
  // was not measured either, there is no answer to either question, and the one that was asked stands.
  let neither = false;
  if (q.op === "both" && !measured.some(([, v]) => v)) {
    const sealing = { ...q, op: "seal" };
    const sealed = choice.candidates.map((c) => [c, costOf(choice, c, sealing)]);
    neither = !sealed.some(([, v]) => v);
    if (!neither) [asked, measured] = [sealing, sealed];
  }
  const groups = new Map();
  // Those that are not to be believed by scheme and implementation: others of the same scheme may be ranked.
  const doubted = new Set();
  const names = { fit: new Set(), unmeasured: new Set(), unfit: new Set(), doubtful: new Set() };
  for (const [c, value] of measured) {
    if (!fits(c, q)) {
      names.unfit.add(c.scheme);
      continue;
    }
    if (!value || value.doubtful) {
      if (value) names.doubtful.add(`${c.scheme} by ${c.implementation}`);
      (value ? doubted : names.unmeasured).add(c.scheme);
      continue;
    }
    names.fit.add(c.scheme);
    const key = c.pair + "|" + c.library;
    if (!groups.has(key)) groups.set(key, { key, pair: c.pair, library: c.library, ours: c.ours, bars: [], cost: Infinity });
    const group = groups.get(key);
    const same = group.bars.findIndex((bar) => bar.c.scheme === c.scheme);
    if (same < 0) group.bars.push({ c, ...value });
    else if (value.cost < group.bars[same].cost) group.bars[same] = { c, ...value };
    group.cost = Math.min(group.cost, value.cost);
  }
  let list = [...groups.values()].sort((a, b) => a.cost - b.cost);
  for (const group of list) group.bars.sort((a, b) => a.c.bits - b.c.bits);
  const every = list.length;
  if (!q.all) {
    const seen = new Set();
    list = list.filter((g) => g.ours || (!seen.has(g.pair) && seen.add(g.pair)));
  }
  for (const set of [names.unmeasured, names.unfit]) for (const name of names.fit) set.delete(name);
  for (const name of doubted) names.unmeasured.delete(name);
  for (const name of names.unmeasured) names.unfit.delete(name);
  // All single candidates that fit, the fastest of each scheme, fastest first.
  const schemes = [];
  for (const bar of [...groups.values()].flatMap((g) => g.bars).sort((a, b) => a.cost - b.cost)) {
    if (!schemes.some((one) => one.c.scheme === bar.c.scheme)) schemes.push(bar);
  }
  const best = schemes[0] ?? null;
  const level = best ? schemes.slice(1).filter((bar) => isLevel(bar, best)) : [];
  const next = best ? schemes.slice(1).find((bar) => !isLevel(bar, best)) ?? null : null;
  // Other libraries in which the same scheme is as fast.
  const alike = best ? [...groups.values()].flatMap((g) => g.bars).filter((bar) => bar.c.scheme === best.c.scheme && bar.c.library !== best.c.library && isLevel(bar, best)) : [];
  return { asked, groups: list, more: every - list.length, best, level, alike, next, neither, schemes, bytes: bytesOf(choice, asked), names };
}

// What was measured with so many keys, alone or together: [operation, smallest length, greatest length],
// for a question that has no answer.
function measuredFor(choice, q) {
  const found = new Map();
  for (const c of choice.candidates) for (const curve of c.curves) {
    if (!sameKeys(curve.keys, q.keys) || (q.way === "batch") !== curve.batch > 1) continue;
    const grid = choice.grids[curve.grid];
    const [low, high] = found.get(curve.op) ?? [Infinity, 0];
    found.set(curve.op, [Math.min(low, grid[0]), Math.max(high, grid[grid.length - 1])]);
  }
  return [...found].map(([op, [low, high]]) => [op, low, high]);
}
