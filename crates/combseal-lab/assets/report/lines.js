// A figure of lines or dots: views, bands, units, names that switch lines on and off, and other
// machines laid over this one.

function figure(f, run) {
  const bands = bandsOf(f), units = unitsOf(f, run);
  const binary = /bytes/.test(f.x.name);
  const others = data.runs.filter((other) => other !== run && other.figures.some((one) => one.id === f.id));
  const state = { view: 0, unit: units[0], logX: f.x.log, logY: f.y.log, x: null, y: null, off: new Set(), over: null };
  const home = { x: null, logX: f.x.log, logY: f.y.log };
  let seenX = [1, 2], foot = 0, ends = [];
  const view = () => f.views[state.view];
  const names = { scheme: 0, implementation: 1, op: 2 };
  const label = (s) => [s.scheme, s.implementation, s.op][names[view().by]];
  const colour = (s) => s.colours[names[view().by]][theme()];
  const place = el("div", { class: "chart", role: "img", tabindex: 0, "aria-label": `${f.title}. Drag to zoom, or press plus, minus and the arrows; 0 shows all again. The CSV file has the values.` });
  const legend = el("ul", { class: "legend" });
  const dots = f.series.some((s) => s.style === "dots");
  const wide = () => innerWidth >= 760 && !dots;

  // This run's lines, and those of the machine laid over it.
  function shownLines() {
    const own = view().series.filter((i) => !state.off.has(i)).map((i) => ({ s: f.series[i], unit: state.unit, name: label(f.series[i]) }));
    const other = others[state.over];
    if (!other) return own;
    const there = other.figures.find((one) => one.id === f.id);
    const unit = unitsOf(there, other).find((u) => u.id === state.unit.id);
    const best = (s) => there.views[0].series.map((i) => there.series[i]).find((t) => t.scheme === s.scheme && t.op === s.op);
    const same = (s) => there.series.find((t) => t.scheme === s.scheme && t.implementation === s.implementation && t.op === s.op) ?? (view().by === "scheme" ? best(s) : null);
    const laid = own.map(({ s }) => [s, same(s)]).filter(([, t]) => t && unit);
    return own.concat(laid.map(([s, t]) => (unpack(t), { s: t, unit, name: `${label(s)}, ${other.name.split(",")[0]}`, over: s })));
  }

  function option() {
    const lines = shownLines();
    const value = (line, i, of) => line.unit.of(of[i], line.s.x[i], line.s);
    // A logarithm has no place for what is not above zero.
    const visible = (x, y) => y !== null && Number.isFinite(y) && (!state.logX || x > 0) && (!state.logY || y > 0);
    for (const line of lines) line.points = line.s.x.map((x, i) => [x, value(line, i, line.s.y), i]).filter(([x, y]) => visible(x, y));
    const extent = (all) => all.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
    let [low, high] = state.x ?? extent(lines.flatMap((line) => line.points.map((p) => p[0])));
    if (!(low < high)) [low, high] = Number.isFinite(low) && low === high ? [low * 0.5, low * 2 || 1] : [1, 2];
    if (state.logX && low <= 0) low = Math.min(16, high / 2);
    seenX = [low, high];
    // Short messages may leave a linear frame: they would press all else into a line.
    const clip = f.from ? Math.max(f.from, low) : binary && !state.logX ? low + (high - low) / 16 : low;
    const from = state.logY ? low : Math.min(clip, high);
    const inside = lines.flatMap((line) => line.points.filter(([x]) => x >= from && x <= high).map((p) => p[1]));
    let [bottom, top] = state.y ?? extent(inside.length ? inside : [0, 1]);
    if (!state.y) {
      if (state.logY) [bottom, top] = [bottom / 1.12, Math.max(top * 1.12, bottom * 1.5)];
      else {
        [bottom, top] = [Math.min(0, bottom * 1.08), Math.max(0, top * 1.08)];
        const marks = roundMarks(bottom, top, false), step = marks[1] - marks[0] || 1;
        [bottom, top] = [Math.floor(bottom / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step];
      }
    }
    const style = ({ s, over }) => ({
      color: colour(over ?? s),
      lineStyle: { width: s.style === "dotted" || over ? 1.5 : 2, opacity: over ? 0.6 : 1, type: s.style === "dashed" ? [7, 4] : s.style === "dotted" ? [2, 3] : "solid" },
    });
    foot = bottom;
    ends = [];
    const series = lines.map((line) => {
      const { s, over, points } = line;
      const many = points.filter(([x]) => x >= low && x <= high).length > 60;
      const drawn = points.map(([x, y, i]) => (s.doubtful?.includes(i) ? { value: [x, y], symbol: "circle", symbolSize: 7, itemStyle: { color: css("--paper"), borderColor: colour(over ?? s), borderWidth: 1.6 } } : [x, y]));
      // A line that goes on beyond the frame ends at its edge, where its name stands; that end is no measurement.
      const beyond = points.findIndex(([x]) => x > high);
      let last = points[points.length - 1];
      if (!dots && beyond > 0) {
        const at = lineAt([points[beyond - 1][0], points[beyond][0]], [points[beyond - 1][1], points[beyond][1]], high);
        drawn.splice(beyond, drawn.length, { value: [high, at], symbol: "none", edge: true });
        last = [high, at];
      }
      if (wide() && last && last[0] >= low && last[1] <= top && last[1] >= bottom) ends.push({ name: line.name, at: last, colour: colour(over ?? s) });
      return {
        name: line.name,
        type: dots ? "scatter" : "line",
        data: drawn,
        ...style(line),
        symbol: over ? "triangle" : "circle",
        symbolSize: dots ? 3 : many ? 0.1 : 5,
        showSymbol: s.style !== "dotted" && (!many || !!s.doubtful),
        large: dots,
        largeThreshold: 3000,
        itemStyle: { opacity: dots ? 0.55 : 1 },
        areaStyle: s.style === "area" ? { opacity: 0.16, origin: "start" } : undefined,
        emphasis: { focus: "none", disabled: dots },
        clip: true,
        z: s.style === "area" ? 1 : 3,
        animation: false,
      };
    });
    const whiskers = lines.filter((line) => line.s.low).map((line) => ({
      name: line.name,
      type: "custom",
      data: line.s.x.map((x, i) => (spread(line.s, i) ? [x, value(line, i, line.s.low), value(line, i, line.s.high)] : null)).filter((d) => d && visible(d[0], d[1]) && visible(d[0], d[2])),
      encode: { x: 0, y: [1, 2] },
      color: colour(line.over ?? line.s),
      z: 2,
      silent: true,
      tooltip: { show: false },
      animation: false,
      clip: true,
      renderItem: (_, api) => {
        const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(0), api.value(2)]);
        return { type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke: api.visual("color"), lineWidth: 1.2, opacity: 0.6 } };
      },
    }));
    const room = wide() ? Math.min(220, 26 + 6.7 * Math.max(0, ...ends.map((end) => end.name.length))) : 14;
    return {
      textStyle: font(),
      animation: false,
      grid: { left: 6, right: room, top: 4, bottom: 2, outerBoundsMode: "same" },
      xAxis: bandAxis(f.x, state.logX, true, [low, high], true, binary ? bytes : (v) => (v >= 2 ** 20 ? "2^" + Math.round(Math.log2(v)) : number(v, 0))),
      yAxis: bandAxis({ name: state.unit.name }, state.logY, false, [bottom, top], false),
      tooltip: {
        trigger: dots ? "item" : "axis",
        axisPointer: { type: "line", snap: true, lineStyle: { color: css("--soft") } },
        confine: true,
        backgroundColor: css("--paper"),
        borderColor: css("--rule"),
        textStyle: { color: css("--ink") },
        formatter: (items) => tip([].concat(items), lines),
      },
      dataZoom: coarse ? [{ type: "inside", filterMode: "none", moveOnMouseMove: false, zoomOnMouseWheel: false, preventDefaultMouseMove: false }] : [],
      series: series.concat(whiskers),
    };
  }

  function tip(items, lines) {
    const seen = items.filter((item) => item.seriesType !== "custom" && !item.data.edge).map((item) => ({ ...item, data: item.data.value || item.data })).sort((a, b) => b.data[1] - a.data[1]);
    if (!seen.length) return "";
    const rows = seen.map((item) => {
      const line = lines.find((one) => one.name === item.seriesName), { s } = line;
      const at = s.x.indexOf(item.data[0]);
      const ends = spread(s, at) ? [s.low, s.high].map((of) => line.unit.of(of[at], s.x[at], s)).sort((a, b) => a - b) : null;
      const noise = ends ? ` <span class="faint">${short(ends[0])} to ${short(ends[1])}</span>` : "";
      const doubt = s.doubtful?.includes(at) ? ' <span class="faint">mostly disturbed</span>' : "";
      const who = view().by === "scheme" ? ` <span class="faint">${escape(s.implementation)}</span>` : "";
      return `<tr><td>${item.marker}${escape(item.seriesName)}${who}</td><td><b>${short(item.data[1])}</b>${noise}${doubt}</td></tr>`;
    });
    return `<div class="tip"><b>${seen[0].data[0] < 1e9 ? number(seen[0].data[0], 0) : short(seen[0].data[0])}</b> ${escape(f.x.name.replace(/^message, /, ""))}; ${escape(state.unit.name)}<table>${rows.join("")}</table></div>`;
  }

  function mark(s) {
    const dash = { dashed: "5 3", dotted: "1.5 2.5" }[s.style] || "";
    const shape = s.style === "dots" ? `<circle cx="11" cy="5" r="3" fill="${colour(s)}"/>` : s.style === "area" ? `<rect x="0" y="1" width="22" height="8" fill="${colour(s)}" opacity=".35"/>` : `<line x1="0" x2="22" y1="5" y2="5" stroke="${colour(s)}" stroke-width="2.4" stroke-dasharray="${dash}"/>`;
    const span = el("span", {});
    span.innerHTML = `<svg width="22" height="10" aria-hidden="true">${shape}</svg>`;
    return span.firstChild;
  }
  // Families stand together: a scheme with its sizes of key, ours and others' code.
  function familyOf(s) {
    if (view().by === "implementation") return s.implementation.split(" ")[0];
    return view().by === "op" ? s.op : /^AEGIS/.test(s.scheme) ? "AEGIS" : s.scheme.replace(/-?(128|192|256)/, "");
  }
  function drawLegend() {
    const families = new Map();
    for (const i of view().series) {
      const family = familyOf(f.series[i]);
      families.set(family, [...(families.get(family) ?? []), i]);
    }
    const button = (i) => {
      const s = f.series[i];
      const toggle = () => {
        state.off.has(i) ? state.off.delete(i) : state.off.add(i);
        self.draw();
      };
      return el("button", { type: "button", "data-line": i, "aria-pressed": String(!state.off.has(i)), title: view().by === "scheme" ? s.implementation : null, onclick: toggle }, mark(s), el("span", {}, label(s)));
    };
    // A button that was pressed keeps the keyboard.
    const held = legend.contains(document.activeElement) ? document.activeElement.dataset.line : null;
    legend.replaceChildren(...[...families.values()].map((lines) => el("li", {}, ...lines.map(button))));
    if (held !== null) legend.querySelector(`[data-line="${held}"]`)?.focus();
  }
  function show(index) {
    state.view = index;
    view().series.forEach((i) => unpack(f.series[i]));
    state.off = new Set(view().hidden);
  }
  function setBand(band) {
    [state.x, state.y] = [band.x, null];
    state.logX = band.log;
    state.logY = band.id === "all" ? f.y.log : false;
    Object.assign(home, { x: band.x, logX: state.logX, logY: state.logY });
    if (band.schemes) {
      show(0);
      for (const i of view().series) band.schemes.includes(f.series[i].scheme) ? state.off.delete(i) : state.off.add(i);
    } else if (view().by === "scheme") state.off = new Set(view().hidden);
  }
  show(0);
  if (bands.length) setBand(bands[0]);

  const toggles = {};
  const toggle = (text, key) => (toggles[key] = el("button", { type: "button", "aria-pressed": String(state[key]), onclick: () => {
    state[key] = !state[key];
    self.draw();
  } }, text));
  const views = el("select", { class: "view", "aria-label": "What the figure shows", onchange: (e) => { show(+e.target.value); self.draw(); } }, ...f.views.map((v, i) => el("option", { value: i }, v.name)));
  const unit = el("select", { class: "unit", "aria-label": "Unit", onchange: (e) => {
    state.unit = units[+e.target.value];
    state.y = null;
    self.draw();
  } }, ...units.map((u, i) => el("option", { value: i }, u.name)));
  const band = el("select", { class: "band", "aria-label": "Part of the figure", onchange: (e) => { setBand(bands[+e.target.value]); self.draw(); } }, ...bands.map((b, i) => el("option", { value: i }, b.name)));
  const over = el("select", { class: "over", "aria-label": "Another machine over this one", onchange: (e) => { state.over = e.target.value === "" ? null : +e.target.value; self.draw(); } }, el("option", { value: "" }, "this machine alone"), ...others.map((o, i) => el("option", { value: i }, "with " + o.name)));
  function zoomTo(x, y, all) {
    if (all) Object.assign(state, home, { y: null });
    else {
      const narrow = state.logX ? x[1] / x[0] < 1.02 : x[1] - x[0] < 1e-6;
      if (!narrow) state.x = [state.logX ? x[0] : Math.max(0, x[0]), x[1]];
      state.y = y ?? state.y;
    }
    self.draw();
  }
  const rows = () => [["scheme", "implementation", "operation", f.x.name, f.y.name, "p25", "p75", "doubtful"]].concat(f.series.flatMap((s) => (unpack(s), s.x).map((x, i) => [s.scheme, s.implementation, s.op, x, s.y[i], s.low?.[i], s.high?.[i], s.doubtful?.includes(i) ? "?" : ""])));
  const about = () => ({
    title: f.views.length > 1 ? `${f.title} (${view().name})` : f.title,
    names: shownLines().map(({ s, name, over }) => ({ name, colour: colour(over ?? s), dash: { dashed: "7 4", dotted: "2 3" }[s.style] })),
    caption: (f.after ? `After ${f.after}. ` : "") + f.note,
  });
  const node = el("figure", { id: "figure-" + f.id },
    el("header", {}, el("h3", {}, f.title), f.after ? el("p", { class: "after" }, "after ", ...cited(f.after)) : null),
    el("div", { class: "controls" }, f.views.length > 1 ? views : null, bands.length ? band : null, units.length > 1 ? unit : null, others.length ? over : null,
      el("span", { class: "right" }, toggle("log x", "logX"), toggle("log y", "logY"),
        el("button", { type: "button", class: "reset", onclick: () => zoomTo(null, null, true) }, "Reset zoom"),
        el("button", { type: "button", class: "csv", onclick: () => save(f.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
        el("button", { type: "button", class: "svg", onclick: () => save(f.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))),
    place, legend, el("figcaption", {}, f.note));
  // Each line's name at its end, moved apart where they would lie over each other. The legend has them
  // for who cannot see them here.
  const nameEnds = el("div", { class: "ends", "aria-hidden": "true" });
  function drawEnds(instance) {
    const line = 15, floor = instance.convertToPixel({ gridIndex: 0 }, [seenX[0], foot])[1];
    const found = ends.map((end) => {
      const [x, y] = instance.convertToPixel({ gridIndex: 0 }, end.at);
      return { ...end, x, y };
    }).sort((a, b) => a.y - b.y);
    for (let i = 1; i < found.length; i++) found[i].y = Math.max(found[i].y, found[i - 1].y + line);
    // What went below the axis comes up again.
    for (let i = found.length - 1, lowest = floor - 3; i >= 0; i--, lowest -= line) found[i].y = Math.min(found[i].y, lowest);
    nameEnds.replaceChildren(...found.map(({ name, x, y, colour }) => el("span", { style: `left:${x + 7}px;top:${y - line / 2}px;--c:${colour}` }, name)));
    place.append(nameEnds);
  }

  let self;
  const after = (instance) => {
    drawLegend();
    drawEnds(instance);
    for (const [key, button] of Object.entries(toggles)) button.setAttribute("aria-pressed", state[key]);
  };
  zoomBy(place, () => self.instance, { log: () => state.logX, seen: () => seenX, set: zoomTo });
  return { node, draw: () => { self = chart(f.id, place, option, about, after); } };
}
