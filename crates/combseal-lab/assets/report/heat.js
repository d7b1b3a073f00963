// The comb's heat map: how many messages together, by length. It has a row for each number of messages
// that was measured and a cell for each value that was, and nothing between them.

// Rows that are shown at first: the papers' P.
const MOST_TOGETHER = 16;

function heat(h) {
  const first = h.maps.findIndex((m) => /CCM/.test(m.name));
  const state = { at: Math.max(0, first), speedup: false, every: false };
  const place = el("div", { class: "chart", role: "img", "aria-label": `${h.title}. The CSV file has the values.` });
  // Rows of the map, and its values or how many times faster than one at a time they are.
  function shown() {
    const map = h.maps[state.at];
    const rows = map.y.map((p, j) => [p, j]).filter(([p]) => state.every || p <= MOST_TOGETHER);
    const alone = new Map(map.cells.filter(([, j]) => map.y[j] === 1).map(([i, , v]) => [i, v]));
    const cells = [];
    for (const [i, j, v] of map.cells) {
      const row = rows.findIndex(([, k]) => k === j);
      const value = state.speedup ? (alone.has(i) ? alone.get(i) / v : null) : v;
      if (row >= 0 && value !== null) cells.push([i, row, value]);
    }
    return { map, rows: rows.map(([p]) => p), cells };
  }
  const unit = () => (state.speedup ? "times faster than one at a time" : h.axes[2]);
  const option = () => {
    const { map, rows, cells } = shown();
    const values = cells.map((c) => c[2]);
    const dark = theme() === 1;
    const category = (data, name, isX) => ({ type: "category", data: data.map(bytes), name, nameLocation: isX ? "middle" : "end", nameGap: isX ? 30 : 12, nameTextStyle: { color: css("--soft"), fontSize: 12 }, axisLabel: { color: css("--soft") }, axisLine: { show: false }, axisTick: { show: false } });
    const strong = dark ? ["#dceaff", "#7db7ff", "#3b7cc4", "#24486f", "#22303f"] : ["#08306b", "#1f5fae", "#5b9bd5", "#a9cbe8", "#e9eff3"];
    // One end of the scale is the fast one, whichever way the values go.
    const ink = (v) => {
      const low = Math.min(...values), part = (v - low) / (Math.max(...values) - low || 1);
      return (state.speedup ? part : 1 - part) > 0.55 ? css("--paper") : dark ? "#e9e6df" : "#1d1c1a";
    };
    return {
      textStyle: font(),
      animation: false,
      grid: { left: 6, right: 14, top: 18, bottom: 66, outerBoundsMode: "same" },
      xAxis: category(map.x, h.axes[0], true),
      yAxis: category(rows, h.axes[1], false),
      visualMap: {
        min: Math.min(...values), max: Math.max(...values), calculable: true, orient: "horizontal", left: "center", bottom: 0,
        inRange: { color: state.speedup ? strong.slice().reverse() : strong },
        textStyle: { color: css("--soft") }, formatter: short, text: [unit(), ""], itemHeight: 110,
      },
      tooltip: { confine: true, backgroundColor: css("--paper"), borderColor: css("--rule"), textStyle: { color: css("--ink") }, formatter: (item) => `<div class="tip">P = ${rows[item.data.value[1]]}, ${map.x[item.data.value[0]]} bytes: <b>${short(item.data.value[2])}</b> ${escape(unit())}</div>` },
      series: [{ type: "heatmap", data: cells.map((value) => ({ value, label: { color: ink(value[2]) } })), label: { show: cells.length <= 130 && innerWidth >= 640 || cells.length <= 80, fontSize: 11, formatter: (item) => short(item.data.value[2]) }, itemStyle: { borderColor: css("--paper"), borderWidth: 1 } }],
    };
  };
  let self;
  const rows = () => [["map", ...h.axes]].concat(h.maps.flatMap((m) => m.cells.map((c) => [m.name, m.x[c[0]], m.y[c[1]], c[2]])));
  const views = el("select", { class: "view", "aria-label": "What the figure shows", onchange: (e) => { state.at = +e.target.value; self.draw(); } }, ...h.maps.map((m, i) => el("option", { value: i, selected: i === state.at }, m.name)));
  const toggle = (text, key) => {
    const button = el("button", { type: "button", class: key, "aria-pressed": "false", onclick: () => {
      state[key] = !state[key];
      button.setAttribute("aria-pressed", state[key]);
      self.draw();
    } }, text);
    return button;
  };
  const node = el("figure", { id: "figure-" + h.id },
    el("header", {}, el("h3", {}, h.title), el("p", { class: "after" }, "after ", ...cited(h.after))),
    el("div", { class: "controls" }, views, toggle("speed-up over one at a time", "speedup"), h.id === "heat" || h.maps.some((m) => m.y.some((p) => p > MOST_TOGETHER)) ? toggle(`more than ${MOST_TOGETHER} together`, "every") : null, el("span", { class: "right" },
      el("button", { type: "button", class: "csv", onclick: () => save(h.id + ".csv", csv(rows()), "text/csv") }, "CSV"),
      el("button", { type: "button", class: "svg", onclick: () => save(h.id + ".svg", self.svg(), "image/svg+xml") }, "SVG"))),
    place, el("figcaption", {}, h.note + " P that were not measured have no row, and an empty cell was not measured."));
  return { node, draw: () => { self = chart(h.id, place, option, () => ({ title: `${h.title}: ${h.maps[state.at].name}`, caption: `After ${h.after}. ${h.note}` })); } };
}
