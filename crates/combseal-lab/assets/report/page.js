// Draws the page from its data: tables that sort, figures that zoom and toggle, two themes.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const root = document.documentElement;
  const coarse = matchMedia("(pointer: coarse)").matches;
  let charts = [];

  // Elements: el("p", {class: "x"}, "text", child, …). Text is never parsed as HTML.
  function el(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) e.setAttribute(key, value === true ? "" : value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  }
  const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const theme = () => (root.dataset.theme === "dark" ? 1 : 0);
  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const number = (v, digits) => v.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // As many digits as a person reads: three, or all of a whole number.
  const short = (v) => {
    const size = Math.abs(v);
    return number(v, size >= 100 || v === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
  };
  const bytes = (v) => (v >= 1048576 && v % 1048576 === 0 ? v / 1048576 + " Mi" : v >= 1024 && v % 1024 === 0 ? v / 1024 + " Ki" : number(v, 0));

  function setTheme(name) {
    root.dataset.theme = name;
    document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
    for (const chart of charts) chart.draw();
  }

  function save(name, text, type) {
    const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const cell = (text) => (/[",\n]/.test(text) ? '"' + String(text).replace(/"/g, '""') + '"' : String(text));
  const csv = (rows) => rows.map((row) => row.map((c) => cell(c ?? "")).join(",")).join("\n") + "\n";

  // A chart of any kind: `option()` gives what ECharts draws, in the theme of the moment.
  function chart(id, place, option, after) {
    const instance = echarts.init(place, null, { renderer: "canvas" });
    const self = {
      id, instance,
      draw() {
        instance.setOption(option(), { notMerge: true });
        if (after) after(instance);
      },
      svg() {
        const still = echarts.init(null, null, { renderer: "svg", ssr: true, width: 960, height: place.clientHeight || 480 });
        still.setOption({ ...option(), animation: false, backgroundColor: css("--paper"), toolbox: undefined });
        const text = still.renderToSVGString();
        still.dispose();
        return text;
      },
    };
    charts.push(self);
    self.draw();
    return self;
  }

  const font = () => ({ fontFamily: getComputedStyle(document.body).getPropertyValue("--sans") || "sans-serif" });
  // Where a logarithmic axis has its marks: powers of two along, 1, 2, 5, 10, … up; not too many.
  function marks(low, high, isX) {
    const all = [];
    if (isX) for (let v = 2 ** Math.ceil(Math.log2(low) - 0.01); v <= high * 1.01; v *= 2) all.push(v);
    else for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; e++) for (const m of [1, 2, 5]) all.push(+(m * 10 ** e).toPrecision(1));
    const inside = all.filter((v) => v >= low * 0.99 && v <= high * 1.01);
    const most = innerWidth < 640 ? 6 : 12;
    if (isX) return inside.filter((_, i) => i % Math.ceil(inside.length / most) === 0);
    return inside.length > 9 ? inside.filter((v) => /^[1]/.test(v.toExponential())) : inside;
  }

  // `range` is that of the values, for a logarithmic axis.
  function axis(scale, log, isX, range) {
    const [low, high] = range || [1, 2];
    const at = log && range ? marks(low, high, isX) : undefined;
    return {
      type: log ? "log" : "value",
      logBase: log && isX ? 2 : 10,
      name: scale.name,
      nameLocation: isX ? "middle" : "end",
      nameGap: isX ? 30 : 14,
      nameTextStyle: { color: css("--soft"), align: isX ? "center" : "left", padding: isX ? 0 : [0, 0, 0, -38], fontSize: 12 },
      min: log && range ? low : isX ? "dataMin" : undefined,
      max: log && range ? high : isX ? "dataMax" : undefined,
      axisLine: { show: isX, lineStyle: { color: css("--ink") } },
      axisTick: { show: isX, customValues: at, lineStyle: { color: css("--ink") } },
      splitLine: { show: !isX, customValues: at, lineStyle: { color: css("--rule") } },
      minorSplitLine: { show: false },
      axisLabel: { color: css("--soft"), fontSize: 12, hideOverlap: true, customValues: at, formatter: isX ? bytes : (v) => (Math.abs(v) >= 1000 ? number(v, 0) : String(+v.toPrecision(3))) },
    };
  }

  // Which spreads are worth whiskers: more than two per cent of the value to a side.
  const spread = (s, i) => s.low && s.high && (s.high[i] - s.low[i]) / 2 > 0.02 * Math.abs(s.y[i]);

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
      const points = (s) => s.x.map((x, i) => (visible(s, i) ? [x, s.y[i]] : null)).filter(Boolean);
      const lines = shown.map((s) => ({
        name: label(s),
        type: s.style === "dots" ? "scatter" : "line",
        data: points(s),
        color: colour(s),
        symbol: "circle",
        symbolSize: s.style === "dots" ? 3 : s.x.length > 60 ? 0.1 : 5,
        showSymbol: s.style !== "dotted" && s.x.length <= 60,
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
      const range = (axis, margin) => {
        const all = lines.flatMap((line) => line.data.map((p) => p[axis]));
        if (!all.length) return undefined;
        const low = all.reduce((a, b) => Math.min(a, b)), high = all.reduce((a, b) => Math.max(a, b));
        return [low / margin, Math.max(high * margin, low * 1.5)];
      };
      return {
        textStyle: font(),
        animation: false,
        grid: { left: 6, right: 22, top: 4, bottom: 2, outerBoundsMode: "same" },
        xAxis: axis(f.x, state.logX, true, range(0, 1)),
        yAxis: axis(f.y, state.logY, false, range(1, 1.12)),
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
      const seen = items.filter((item) => item.seriesType !== "custom").sort((a, b) => b.data[1] - a.data[1]);
      if (!seen.length) return "";
      const rows = seen.map((item) => {
        const s = f.series[view().series.find((i) => label(f.series[i]) === item.seriesName)];
        const at = s.x.indexOf(item.data[0]);
        const noise = spread(s, at) ? ` <span style="opacity:.7">${short(s.low[at])} to ${short(s.high[at])}</span>` : "";
        const who = view().by === "scheme" ? ` <span style="opacity:.7">${escape(s.implementation)}</span>` : "";
        return `<tr><td>${item.marker}${escape(item.seriesName)}${who}</td><td><b>${short(item.data[1])}</b>${noise}</td></tr>`;
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
    const rows = () => [["scheme", "implementation", "operation", f.x.name, f.y.name, "p25", "p75"]].concat(f.series.flatMap((s) => s.x.map((x, i) => [s.scheme, s.implementation, s.op, x, s.y[i], s.low?.[i], s.high?.[i]])));
    const node = el("figure", { id: "figure-" + f.id },
      el("header", {}, el("h3", {}, f.title), f.after ? el("p", { class: "after" }, "after " + f.after) : null),
      el("div", { class: "controls" }, f.views.length > 1 ? views : null,
        el("span", { class: "right" }, toggle("log x", "logX"), toggle("log y", "logY"),
          el("button", { type: "button", onclick: () => self.draw() }, "Reset zoom"),
          el("button", { type: "button", class: "csv", onclick: () => save(f.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
          el("button", { type: "button", class: "svg", onclick: () => save(f.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))),
      place, legend, el("figcaption", {}, f.note));
    let self;
    return { node, draw: () => { self = chart(f.id, place, option, zoomable); } };
  }

  function bars(b) {
    const narrow = () => innerWidth < 640;
    const place = el("div", { class: "chart bars", role: "img", "aria-label": b.title, style: `height:${b.bars.length * 31 + 46}px` });
    const option = () => ({
      textStyle: font(),
      animation: false,
      grid: { left: narrow() ? 142 : 218, right: 46, top: 2, bottom: 40 },
      xAxis: { ...axis({ name: b.unit }, false, true), min: 0, max: undefined, splitLine: { show: true, lineStyle: { color: css("--rule") } }, axisLine: { show: false }, axisTick: { show: false }, axisLabel: { color: css("--soft"), fontSize: 12 } },
      yAxis: {
        type: "category", inverse: true, data: b.bars.map((_, i) => i),
        axisLine: { lineStyle: { color: css("--ink") } }, axisTick: { show: false },
        axisLabel: {
          width: narrow() ? 134 : 208, overflow: "truncate", lineHeight: 14,
          formatter: (i) => `{a|${b.bars[i].scheme}}\n{b|${b.bars[i].implementation}}`,
          rich: { a: { color: css("--ink"), fontSize: 12.5, fontWeight: 600, align: "right" }, b: { color: css("--soft"), fontSize: 11, align: "right" } },
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
        {
          name: "AES limit", type: "scatter", symbol: "rect", symbolSize: [4.5, 24], z: 5, silent: true,
          data: b.bars.map((bar, i) => (bar.limit ? [bar.limit, i] : null)).filter(Boolean),
          itemStyle: { color: css("--ink"), borderColor: css("--paper"), borderWidth: 1.2 },
        },
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
    return { node, draw: () => { self = chart(b.id, place, option); } };
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
    return { node, draw: () => { self = chart(h.id, place, option); } };
  }

  function table(t) {
    let group = 0, column = -1, down = false;
    const body = el("tbody");
    const heads = t.columns.map(([name, digits], i) => {
      const th = el("th", { class: digits === null ? null : "n", scope: "col" }, el("button", { type: "button", onclick: () => {
        down = column === i ? !down : false;
        column = i;
        fill();
      } }, name));
      return th;
    });
    function fill() {
      const rows = t.groups[group][1].slice();
      // What is missing comes last, whichever way.
      const missing = (v) => v === null || v === undefined;
      if (column >= 0) rows.sort((a, b) => {
        const [x, y] = [a[column], b[column]];
        if (missing(x) || missing(y)) return missing(x) - missing(y);
        const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
        return down ? -order : order;
      });
      heads.forEach((th, i) => (i === column ? th.setAttribute("aria-sort", down ? "descending" : "ascending") : th.removeAttribute("aria-sort")));
      body.replaceChildren(...rows.map((row) => el("tr", { class: String(row[1]).startsWith("combseal") ? "ours" : null }, ...row.map((v, i) => {
        const digits = t.columns[i][1];
        return el("td", { class: digits === null ? null : "n" }, missing(v) ? "–" : digits === null ? v : number(v, digits));
      }))));
    }
    fill();
    const groups = t.groups.length > 1 ? el("select", { "aria-label": "Operation", onchange: (e) => { group = +e.target.value; fill(); } }, ...t.groups.map((g, i) => el("option", { value: i }, g[0]))) : null;
    const rows = () => [["group", ...t.columns.map((c) => c[0])]].concat(t.groups.flatMap(([name, rows]) => rows.map((row) => [name, ...row])));
    return el("figure", { id: "table-" + t.id },
      el("header", {}, el("h3", {}, t.title), t.after ? el("p", { class: "after" }, "after " + t.after) : null),
      el("div", { class: "controls" }, groups, el("span", { class: "right" }, el("button", { type: "button", class: "csv", onclick: () => save(t.id + ".csv", csv(rows()), "text/csv") }, "CSV"))),
      el("div", { class: "scroll tables" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)),
      el("figcaption", {}, t.note));
  }

  function honesty(h) {
    const list = (items) => el("ul", { class: "honest" }, ...items.map((i) => el("li", {}, ...[].concat(i))));
    const failed = h.failed.map((f) => [el("span", { class: "bad" }, "Failed: "), `${f[0]} by ${f[1]}: ${f[2]}. It was not timed.`]);
    const section = [el("h2", {}, "How far to trust this"), list(h.facts.concat(failed))];
    if (h.noisy) section.push(el("details", {}, el("summary", {}, h.noisyTitle), table(h.noisy)));
    section.push(el("details", {}, el("summary", {}, "Versions and options"), list(h.versions)));
    return section;
  }

  function show(run) {
    charts.forEach((c) => c.instance.dispose());
    charts = [];
    const pieces = [];
    const add = (piece) => (pieces.push(piece), piece.node);
    main.replaceChildren(
      el("h1", {}, "Which authenticated encryption, on this machine?"),
      el("p", { class: "machine" }, ...run.machine.flatMap((line, i) => (i ? [el("br"), line] : [line]))),
      el("dl", { class: "answers" }, ...run.answers.map((a) => el("div", {}, el("dt", {}, a.question), el("dd", { class: "scheme" }, a.scheme || "–"), ...a.detail.map((line) => el("dd", { class: "detail" }, line))))),
      el("p", { class: "traffic" }, run.traffic),
      ...(run.bars ? [add(bars(run.bars))] : []),
      el("h2", {}, "The papers’ figures, on this machine"),
      el("p", { class: "soft" }, coarse ? "Pinch to zoom; touch a name to hide or show it." : "Drag over a figure to zoom; click a name to hide or show it. Whiskers are the middle half of the samples, where that is more than 2 % to a side."),
      ...run.tables.slice(0, 1).map(table),
      ...run.figures.map((f) => add(figure(f))),
      ...(run.heat ? [add(heat(run.heat))] : []),
      el("h2", {}, "Numbers"),
      ...run.tables.slice(1).map(table),
      ...honesty(run.honesty),
      el("footer", {}, data.footer));
    // The first screen at once, the others as soon as it is there.
    delete root.dataset.drawn;
    const next = (i) => {
      if (i === pieces.length) {
        root.dataset.drawn = Math.round(performance.now());
        return;
      }
      pieces[i].draw();
      i === 0 ? requestAnimationFrame(() => setTimeout(() => next(1))) : next(i + 1);
    };
    next(0);
  }

  let stored = null;
  try { stored = localStorage.getItem("combseal-theme"); } catch { /* Not every browser lets a file have storage. */ }
  const system = matchMedia("(prefers-color-scheme: dark)");
  setTheme(stored || (system.matches ? "dark" : "light"));
  system.addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light"));
  document.getElementById("theme").addEventListener("click", () => {
    const name = theme() ? "light" : "dark";
    setTheme(name);
    try { localStorage.setItem("combseal-theme", name); } catch { /* As above. */ }
  });
  const select = document.getElementById("run");
  if (data.runs.length > 1) {
    select.append(...data.runs.map((r, i) => el("option", { value: i }, r.name)));
    select.addEventListener("change", () => show(data.runs[+select.value]));
    select.parentElement.hidden = false;
  }
  let resized;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => charts.forEach((c) => { c.instance.resize(); c.draw(); }), 120);
  });
  show(data.runs[0]);
  // For tests: what is drawn.
  window.combseal = { charts: () => charts };
})();
