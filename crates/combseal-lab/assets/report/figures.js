// The figures: lines and dots with views and toggles, bars, a heat map.

// Which spreads are worth whiskers: more than two per cent of the value to a side.
const spread = (s, i) => s.low && s.high && (s.high[i] - s.low[i]) / 2 > 0.02 * Math.abs(s.y[i]);

// Dots travel packed: place, lowest value, thousandths of it above.
function unpack(s) {
  if (!s.dots) return;
  s.x = s.dots.flatMap(([x, , above]) => above.map(() => x));
  s.y = s.dots.flatMap(([, low, above]) => above.map((d) => low * (1 + d / 1000)));
  delete s.dots;
}

function figure(f) {
  const state = { view: 0, logX: f.x.log, logY: f.y.log, off: new Set() };
  const view = () => f.views[state.view];
  const names = { scheme: 0, implementation: 1, op: 2 };
  const label = (s) => [s.scheme, s.implementation, s.op][names[view().by]];
  const colour = (s) => s.colours[names[view().by]][theme()];
  const place = el("div", { class: "chart", role: "img", "aria-label": f.title });
  const legend = el("ul", { class: "legend" });

  function option() {
    const shown = view().series.filter((i) => !state.off.has(i)).map((i) => f.series[i]);
    // A logarithm has no place for what is not above zero.
    const visible = (s, i) => (!state.logX || s.x[i] > 0) && (!state.logY || s.y[i] > 0);
    // Hollow: what is mostly made of disturbed samples.
    const hollow = (s) => ({ symbol: "circle", symbolSize: 7, itemStyle: { color: css("--paper"), borderColor: colour(s), borderWidth: 1.6 } });
    const points = (s) => s.x.map((x, i) => (!visible(s, i) ? null : s.doubtful?.includes(i) ? { value: [x, s.y[i]], ...hollow(s) } : [x, s.y[i]])).filter(Boolean);
    const lines = shown.map((s) => ({
      name: label(s),
      type: s.style === "dots" ? "scatter" : "line",
      data: points(s),
      color: colour(s),
      symbol: "circle",
      symbolSize: s.style === "dots" ? 3 : s.x.length > 60 ? 0.1 : 5,
      showSymbol: s.style !== "dotted" && (s.x.length <= 60 || !!s.doubtful),
      large: s.style === "dots",
      largeThreshold: 3000,
      itemStyle: { opacity: s.style === "dots" ? 0.55 : 1 },
      lineStyle: { width: s.style === "dotted" ? 1.5 : 2, type: s.style === "dashed" ? [7, 4] : s.style === "dotted" ? [2, 3] : "solid" },
      areaStyle: s.style === "area" ? { opacity: 0.16, origin: "start" } : undefined,
      emphasis: { focus: "none", disabled: s.style === "dots" },
      z: s.style === "area" ? 1 : 3,
      animation: false,
    }));
    const whiskers = shown.filter((s) => s.low).map((s) => ({
      name: label(s),
      type: "custom",
      data: s.x.map((x, i) => (visible(s, i) && spread(s, i) ? [x, s.low[i], s.high[i]] : null)).filter(Boolean),
      encode: { x: 0, y: [1, 2] },
      color: colour(s),
      z: 2,
      silent: true,
      tooltip: { show: false },
      animation: false,
      clip: true,
      renderItem: (_, api) => {
        const low = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)]);
        return { type: "line", shape: { x1: low[0], y1: low[1], x2: high[0], y2: high[1] }, style: { stroke: api.visual("color"), lineWidth: 1.2, opacity: 0.6 } };
      },
    }));
    // Where the figure says so, a linear scale leaves out what short messages would stretch it to.
    const frame = () => {
      const values = f.from && !state.logY ? lines.flatMap((line) => line.data.map((p) => p.value || p).filter((p) => p[0] >= f.from).map((p) => p[1])) : [];
      if (!values.length) return {};
      const low = Math.min(0, ...values) * 1.1, high = Math.max(0, ...values) * 1.1;
      const step = 10 ** Math.floor(Math.log10(high - low || 1));
      return { min: Math.floor(low / step) * step, max: Math.ceil(high / step) * step };
    };
    const range = (axis, margin) => {
      const all = lines.flatMap((line) => line.data.map((p) => (p.value || p)[axis]));
      if (!all.length) return undefined;
      const low = all.reduce((a, b) => Math.min(a, b)), high = all.reduce((a, b) => Math.max(a, b));
      return [low / margin, Math.max(high * margin, low * 1.5)];
    };
    return {
      textStyle: font(),
      animation: false,
      grid: { left: 6, right: 22, top: 4, bottom: 2, outerBoundsMode: "same" },
      xAxis: axis(f.x, state.logX, true, range(0, 1)),
      yAxis: { ...axis(f.y, state.logY, false, range(1, 1.12)), ...frame() },
      tooltip: {
        trigger: f.series.some((s) => s.style === "dots") ? "item" : "axis",
        axisPointer: { type: "line", snap: true, lineStyle: { color: css("--soft") } },
        confine: true,
        backgroundColor: css("--paper"),
        borderColor: css("--rule"),
        textStyle: { color: css("--ink") },
        formatter: (items) => tip([].concat(items)),
      },
      toolbox: { show: true, itemSize: 0, left: -50, feature: { dataZoom: { filterMode: "none", icon: { zoom: "path://", back: "path://" } } } },
      dataZoom: coarse ? [{ type: "inside", filterMode: "none", moveOnMouseMove: false, zoomOnMouseWheel: false, preventDefaultMouseMove: false }] : [],
      series: lines.concat(whiskers),
    };
  }

  function tip(items) {
    const seen = items.filter((item) => item.seriesType !== "custom").map((item) => ({ ...item, data: item.data.value || item.data })).sort((a, b) => b.data[1] - a.data[1]);
    if (!seen.length) return "";
    const rows = seen.map((item) => {
      const s = f.series[view().series.find((i) => label(f.series[i]) === item.seriesName)];
      const at = s.x.indexOf(item.data[0]);
      const noise = spread(s, at) ? ` <span style="opacity:.7">${short(s.low[at])} to ${short(s.high[at])}</span>` : "";
      const doubt = s.doubtful?.includes(at) ? ' <span style="opacity:.7">mostly disturbed</span>' : "";
      const who = view().by === "scheme" ? ` <span style="opacity:.7">${escape(s.implementation)}</span>` : "";
      return `<tr><td>${item.marker}${escape(item.seriesName)}${who}</td><td><b>${short(item.data[1])}</b>${noise}${doubt}</td></tr>`;
    });
    return `<div class="tip"><b>${number(seen[0].data[0], 0)}</b> ${escape(f.x.name.replace(/^message, /, ""))}<table>${rows.join("")}</table></div>`;
  }

  function mark(s) {
    const dash = { dashed: "5 3", dotted: "1.5 2.5" }[s.style] || "";
    const shape = s.style === "dots" ? `<circle cx="11" cy="5" r="3" fill="${colour(s)}"/>` : s.style === "area" ? `<rect x="0" y="1" width="22" height="8" fill="${colour(s)}" opacity=".35"/>` : `<line x1="0" x2="22" y1="5" y2="5" stroke="${colour(s)}" stroke-width="2.4" stroke-dasharray="${dash}"/>`;
    const span = el("span", {});
    span.innerHTML = `<svg width="22" height="10" aria-hidden="true">${shape}</svg>`;
    return span.firstChild;
  }
  function drawLegend() {
    legend.replaceChildren(...view().series.map((i) => {
      const s = f.series[i];
      const toggle = () => {
        state.off.has(i) ? state.off.delete(i) : state.off.add(i);
        self.draw();
      };
      return el("li", {}, el("button", { type: "button", "aria-pressed": String(!state.off.has(i)), title: view().by === "scheme" ? s.implementation : null, onclick: toggle }, mark(s), label(s)));
    }));
  }
  function zoomable(instance) {
    drawLegend();
    if (!coarse) instance.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: true });
  }
  function show(index) {
    state.view = index;
    view().series.forEach((i) => unpack(f.series[i]));
    state.off = new Set(view().hidden);
  }
  show(0);

  const toggle = (text, key) => {
    const button = el("button", { type: "button", "aria-pressed": String(state[key]), onclick: () => {
      state[key] = !state[key];
      button.setAttribute("aria-pressed", state[key]);
      self.draw();
    } }, text);
    return button;
  };
  const views = el("select", { "aria-label": "What the figure shows", onchange: (e) => { show(+e.target.value); self.draw(); } }, ...f.views.map((v, i) => el("option", { value: i }, v.name)));
  const rows = () => [["scheme", "implementation", "operation", f.x.name, f.y.name, "p25", "p75", "doubtful"]].concat(f.series.flatMap((s) => (unpack(s), s.x).map((x, i) => [s.scheme, s.implementation, s.op, x, s.y[i], s.low?.[i], s.high?.[i], s.doubtful?.includes(i) ? "?" : ""])));
  const about = () => ({
    title: f.views.length > 1 ? `${f.title} (${view().name})` : f.title,
    names: view().series.filter((i) => !state.off.has(i)).map((i) => f.series[i]).map((s) => ({ name: label(s), colour: colour(s), dash: { dashed: "7 4", dotted: "2 3" }[s.style] })),
    caption: (f.after ? `After ${f.after}. ` : "") + f.note,
  });
  const node = el("figure", { id: "figure-" + f.id },
    el("header", {}, el("h3", {}, f.title), f.after ? el("p", { class: "after" }, "after " + f.after) : null),
    el("div", { class: "controls" }, f.views.length > 1 ? views : null,
      el("span", { class: "right" }, toggle("log x", "logX"), toggle("log y", "logY"),
        el("button", { type: "button", onclick: () => self.draw() }, "Reset zoom"),
        el("button", { type: "button", class: "csv", onclick: () => save(f.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
        el("button", { type: "button", class: "svg", onclick: () => save(f.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))),
    place, legend, el("figcaption", {}, f.note));
  let self;
  return { node, draw: () => { self = chart(f.id, place, option, about, zoomable); } };
}

function bars(b) {
  const narrow = () => innerWidth < 640;
  const place = el("div", { class: "chart bars", role: "img", "aria-label": b.title, style: `height:${b.bars.length * 31 + 46}px` });
  const option = () => ({
    textStyle: font(),
    animation: false,
    grid: { left: narrow() ? 152 : 218, right: 46, top: 2, bottom: 40 },
    xAxis: { ...axis({ name: b.unit }, false, true), min: 0, max: undefined, splitLine: { show: true, lineStyle: { color: css("--rule") } }, axisLine: { show: false }, axisTick: { show: false }, axisLabel: { color: css("--soft"), fontSize: 12 } },
    yAxis: {
      type: "category", inverse: true, data: b.bars.map((_, i) => i),
      axisLine: { lineStyle: { color: css("--ink") } }, axisTick: { show: false },
      axisLabel: {
        width: narrow() ? 146 : 208, overflow: "truncate", lineHeight: 14,
        formatter: (i) => `{a|${b.bars[i].scheme}}\n{b|${b.bars[i].implementation}}`,
        rich: { a: { color: css("--ink"), fontSize: narrow() ? 12 : 12.5, fontWeight: 600, align: "right" }, b: { color: css("--soft"), fontSize: 11, align: "right" } },
      },
    },
    tooltip: {
      trigger: "item", confine: true, backgroundColor: css("--paper"), borderColor: css("--rule"), textStyle: { color: css("--ink") },
      formatter: (item) => {
        const bar = b.bars[item.dataIndex];
        const limit = bar.limit ? `<br>AES limit ${short(bar.limit)}: ${number(bar.value / bar.limit, 2)} times that` : "";
        return `<div class="tip"><b>${escape(bar.scheme)}</b>, ${escape(bar.implementation)}<br>${short(bar.value)} ${escape(b.unit)}, ± ${number(100 * bar.noise, 1)} %${limit}</div>`;
      },
    },
    series: [
      {
        name: "bars", type: "bar", barWidth: 17,
        data: b.bars.map((bar) => ({ value: bar.value, itemStyle: { color: bar.colour[theme()] } })),
        label: { show: true, position: "right", color: css("--ink"), fontSize: 12, formatter: (item) => number(item.value, 2) + (b.bars[item.dataIndex].noise > 0.05 ? " ±" + number(100 * b.bars[item.dataIndex].noise, 0) + "%" : "") },
      },
      // A mark with a halo: dark bars must not swallow it.
      ...[["--paper", 7, 24], ["--ink", 2.5, 22]].map(([ink, width, height]) => ({
        name: "AES limit", type: "scatter", symbol: "rect", symbolSize: [width, height], z: 5, silent: true, animation: false,
        data: b.bars.map((bar, i) => (bar.limit ? [bar.limit, i] : null)).filter(Boolean),
        itemStyle: { color: css(ink), opacity: 1 },
      })),
    ],
  });
  let self;
  const rows = () => [["scheme", "implementation", b.unit, "AES limit", "spread"]].concat(b.bars.map((x) => [x.scheme, x.implementation, x.value, x.limit, x.noise]));
  const node = el("figure", { id: "figure-" + b.id },
    el("header", {}, el("h3", {}, b.title)),
    place,
    el("div", { class: "controls" }, el("figcaption", {}, b.note), el("span", { class: "right" },
      el("button", { type: "button", class: "csv", onclick: () => save(b.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
      el("button", { type: "button", class: "svg", onclick: () => save(b.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))));
  return { node, draw: () => { self = chart(b.id, place, option, () => ({ title: b.title, caption: b.note })); } };
}

function heat(h) {
  let at = 0;
  const place = el("div", { class: "chart", role: "img", "aria-label": h.title });
  const option = () => {
    const map = h.maps[at];
    const values = map.cells.map((c) => c[2]);
    const dark = theme() === 1;
    const category = (data, name, isX) => ({ type: "category", data: data.map(bytes), name, nameLocation: isX ? "middle" : "end", nameGap: isX ? 30 : 12, nameTextStyle: { color: css("--soft"), fontSize: 12 }, axisLabel: { color: css("--soft") }, axisLine: { show: false }, axisTick: { show: false } });
    return {
      textStyle: font(),
      animation: false,
      grid: { left: 6, right: 14, top: 4, bottom: 66, outerBoundsMode: "same" },
      xAxis: category(map.x, h.axes[0], true),
      yAxis: category(map.y, h.axes[1], false),
      visualMap: {
        min: Math.min(...values), max: Math.max(...values), calculable: true, orient: "horizontal", left: "center", bottom: 0,
        inRange: { color: dark ? ["#dceaff", "#7db7ff", "#3b7cc4", "#24486f", "#22303f"] : ["#08306b", "#1f5fae", "#5b9bd5", "#a9cbe8", "#e9eff3"] },
        textStyle: { color: css("--soft") }, formatter: short, text: [h.axes[2], ""], itemHeight: 110,
      },
      tooltip: { confine: true, backgroundColor: css("--paper"), borderColor: css("--rule"), textStyle: { color: css("--ink") }, formatter: (item) => `<div class="tip">P = ${map.y[item.data[1]]}, ${map.x[item.data[0]]} bytes: <b>${short(item.data[2])}</b> ${escape(h.axes[2])}</div>` },
      series: [{ type: "heatmap", data: map.cells, label: { show: map.cells.length <= 80, fontSize: 11, formatter: (item) => short(item.data[2]) }, itemStyle: { borderColor: css("--paper"), borderWidth: 1 } }],
    };
  };
  let self;
  const rows = () => [["map", ...h.axes]].concat(h.maps.flatMap((m) => m.cells.map((c) => [m.name, m.x[c[0]], m.y[c[1]], c[2]])));
  const views = el("select", { "aria-label": "What the figure shows", onchange: (e) => { at = +e.target.value; self.draw(); } }, ...h.maps.map((m, i) => el("option", { value: i }, m.name)));
  const node = el("figure", { id: "figure-" + h.id },
    el("header", {}, el("h3", {}, h.title), el("p", { class: "after" }, "after " + h.after)),
    el("div", { class: "controls" }, views, el("span", { class: "right" },
      el("button", { type: "button", class: "csv", onclick: () => save(h.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
      el("button", { type: "button", class: "svg", onclick: () => save(h.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))),
    place, el("figcaption", {}, h.note));
  return { node, draw: () => { self = chart(h.id, place, option, () => ({ title: `${h.title}: ${h.maps[at].name}`, caption: `After ${h.after}. ${h.note}` })); } };
}
