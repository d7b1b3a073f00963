// What part of a figure is seen: the bands that it can be set to, the marks on its axes for any
// band, and zooming by mouse and by keyboard.

const NEAR = [0, 2048];
const AES128 = (names) => names.map((name) => (name === "OCB3" ? "OCB3-AES-128" : `AES-128-${name}`));
// The papers' own bands and schemes: 2011 timed 1 to 1,024 bytes, 2021 up to 2,048.
const BANDS = [
  { id: "near", name: "0 to 2,048 bytes", x: NEAR, log: false },
  { id: "2011", name: "2011 Fig. 2", x: [0, 1024], log: false, schemes: AES128(["CTR", "OCB3", "GCM", "CCM"]) },
  { id: "2021", name: "2021 Fig. 6", x: NEAR, log: false, schemes: [...AES128(["OCB3", "GCM", "CCM", "GCM-SIV"]), "AEGIS-128", "ChaCha20-Poly1305"] },
  { id: "all", name: "all", x: null, log: true },
];
// Those that a figure has data for: at least three lengths in the band.
function bandsOf(f) {
  if (!["length", "overhead"].includes(f.id)) return [];
  const inside = (band) => !band.x || f.series.some((s) => s.x.filter((x) => x >= band.x[0] && x <= band.x[1]).length > 2);
  const has = (band) => !band.schemes || (f.id === "length" && f.series.filter((s) => band.schemes.includes(s.scheme)).length > 1);
  return BANDS.filter((band) => inside(band) && has(band));
}

// Round numbers from low to high: of bytes, multiples of powers of two.
function roundMarks(low, high, binary) {
  const most = innerWidth < 640 ? 5 : 9, rough = (high - low) / most;
  if (!(rough > 0)) return [];
  let step = binary ? 2 ** Math.ceil(Math.log2(rough)) : 10 ** Math.ceil(Math.log10(rough));
  if (!binary) for (const part of [0.2, 0.5]) if (step * part >= rough) { step *= part; break; }
  if (binary) step = Math.max(1, step);
  const found = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) found.push(+v.toPrecision(12));
  return found;
}

// An axis of powers of two up, with as many marks as there is room for.
function powersAxis(scale, low, high) {
  const [first, last] = [Math.ceil(Math.log2(low) - 1e-9), Math.floor(Math.log2(high) + 1e-9)];
  const step = [1, 2, 4, 8, 16, 32, 64].find((n) => (last - first) / n <= 9) ?? 128;
  const at = [];
  for (let power = Math.ceil(first / step) * step; power <= last; power += step) at.push(2 ** power);
  const base = axis(scale, true, false, [low, high]);
  return {
    ...base, logBase: 2, min: low, max: high, scale: true,
    axisTick: { ...base.axisTick, customValues: at },
    splitLine: { ...base.splitLine, customValues: at },
    axisLabel: { ...base.axisLabel, customValues: at, formatter: (v) => (Math.round(Math.log2(v)) === 0 ? "1" : "2^" + Math.round(Math.log2(v))) },
  };
}

// An axis from low to high with marks of its own, so that it has good ones however far it is zoomed.
// `binary` has marks at multiples of powers of two, written by `write`.
function bandAxis(scale, log, isX, [low, high], binary, write) {
  // A probability is a power of two, as the text beside it has it.
  if (log && !isX && /^advantage/.test(scale.name)) return powersAxis(scale, low, high);
  let at = log ? marks(low, high, isX && binary) : roundMarks(low, high, binary);
  if (at.length < 2) at = roundMarks(low, high, binary);
  // A pinch changes the band along within ECharts, which then has to choose the marks itself. On a logarithmic axis
  // it would choose powers of ten and the band's very ends.
  if (coarse && isX && !log) at = undefined;
  const base = axis(scale, log, isX, [low, high]);
  const digits = Math.max(0, Math.min(4, 1 - Math.floor(Math.log10((high - low) / 8 || 1))));
  const plain = (v) => (log && v > 0 && (v < 1e-4 || v >= 1e9) ? v.toExponential(0) : Math.abs(v) >= 1000 ? number(v, 0) : String(log ? +v.toPrecision(3) : +v.toFixed(digits)));
  const named = binary ? (v) => (log ? write(v) : number(v, 0)) : plain;
  return {
    ...base, min: low, max: high, scale: true,
    axisTick: { ...base.axisTick, customValues: at },
    splitLine: { ...base.splitLine, customValues: at },
    axisLabel: { ...base.axisLabel, customValues: at, formatter: named },
  };
}

// Dragging over the figure chooses a band; + and - zoom along, arrows move, 0 and a double click go
// back. `seen()` is the band along that is drawn; `set(x, y)` changes it, null is all.
function zoomBy(place, instance, { log, seen, set }) {
  const box = el("div", { class: "selection", hidden: true });
  let from = null;
  const within = (e) => {
    const r = place.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };
  const values = (point) => instance().convertFromPixel({ gridIndex: 0 }, point);
  place.addEventListener("pointerdown", (e) => {
    if (e.pointerType === "touch" || e.button !== 0 || !instance().containPixel("grid", within(e))) return;
    from = within(e);
    place.append(box);
    place.setPointerCapture(e.pointerId);
  });
  place.addEventListener("pointermove", (e) => {
    if (!from) return;
    const to = within(e), tall = Math.abs(to[1] - from[1]) > 24;
    box.hidden = Math.abs(to[0] - from[0]) < 5;
    box.style.left = `${Math.min(from[0], to[0])}px`;
    box.style.width = `${Math.abs(to[0] - from[0])}px`;
    box.style.top = tall ? `${Math.min(from[1], to[1])}px` : "0";
    box.style.height = tall ? `${Math.abs(to[1] - from[1])}px` : "100%";
  });
  place.addEventListener("pointerup", (e) => {
    if (!from) return;
    const to = within(e), start = from;
    from = null;
    box.hidden = true;
    if (Math.abs(to[0] - start[0]) < 5) return;
    const a = values(start), b = values(to);
    const tall = Math.abs(to[1] - start[1]) > 24;
    if (a && b) set([Math.min(a[0], b[0]), Math.max(a[0], b[0])], tall ? [Math.min(a[1], b[1]), Math.max(a[1], b[1])] : null);
  });
  place.addEventListener("dblclick", () => set(null, null, true));
  place.addEventListener("keydown", (e) => {
    const half = { "+": 0.5, "=": 0.5, "-": 2 }[e.key], move = { ArrowLeft: -0.25, ArrowRight: 0.25 }[e.key];
    if (e.key === "0") set(null, null, true);
    else if (half || move) {
      const to = log() ? Math.log : (v) => v, back = log() ? Math.exp : (v) => v;
      const [low, high] = seen().map(to), middle = (low + high) / 2, width = high - low;
      set((half ? [middle - (width * half) / 2, middle + (width * half) / 2] : [low + width * move, high + width * move]).map(back), null);
    } else return;
    e.preventDefault();
  });
}
