// The units that a figure can be drawn in. Figures travel as cycles (or nanoseconds) a byte or a
// message; all else is computed here, of the run's one clock.

// Each unit: id, what the axis is called, and what becomes of a value at x of a series; a value that
// the unit has none for is null.
function unitsOf(f, run) {
  // What is no time is drawn as it is.
  if (!/^(cycles|nanoseconds|ns)\b/.test(f.y.name)) return [{ id: "plain", name: f.y.name, of: (y) => y }];
  const { unit: clock, ghz } = run.choice;
  const each = / a byte/.test(f.y.name), beyond = / beyond/.test(f.y.name), long = /^message/.test(f.x.name);
  const rest = beyond ? f.y.name.replace(/^.* a byte/, "") : "";
  const perMessage = (y, x) => (each ? y * x : y), perByte = (y, x) => (each ? y : y / x);
  const units = [];
  if (each || long) units.push({ id: "byte", name: `${clock} a byte${rest}`, of: perByte });
  if (!each || long) {
    units.push({ id: "message", name: `${clock} a message${rest}`, of: perMessage });
    if (ghz && clock === "cycles") units.push({ id: "ns", name: `ns a message${rest}`, of: (y, x) => perMessage(y, x) / ghz });
  }
  if (ghz && !beyond && (each || long)) units.push({ id: "gbits", name: "Gbit/s a core", of: (y, x) => (y > 0 ? (8 * ghz) / perByte(y, x) : null) });
  const limits = f.series.filter((s) => s.implementation === "AES limit");
  if (limits.length && !beyond) {
    const limitOf = (s, x) => {
      const limit = limits.find((l) => l.scheme === s.scheme);
      return limit ? lineAt(limit.x, limit.y, x) : null;
    };
    units.push({ id: "limit", name: "times the AES limit", of: (y, x, s) => (limitOf(s, x) > 0 ? y / limitOf(s, x) : null) });
  }
  // What the figure travels in comes first.
  return units.sort((a, b) => (b.id === (each ? "byte" : "message")) - (a.id === (each ? "byte" : "message")));
}

// The value at x of a line through points; null beyond its ends.
function lineAt(xs, ys, x) {
  if (!xs.length || x < xs[0] || x > xs[xs.length - 1]) return null;
  const i = xs.findIndex((v) => v >= x);
  if (xs[i] === x) return ys[i];
  return ys[i - 1] + ((ys[i] - ys[i - 1]) * (x - xs[i - 1])) / (xs[i] - xs[i - 1]);
}
