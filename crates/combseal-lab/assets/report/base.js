"use strict";
// What all parts of the page need: its data, elements, numbers, files, axes.

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
// A formatter for each number of digits: making one takes longer than drawing a bar.
const formats = [];
const number = (v, digits) => (formats[digits] ??= new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })).format(v);
// As many digits as a person reads: three, or all of a whole number.
const short = (v) => {
  const size = Math.abs(v);
  if (size > 0 && (size < 1e-4 || size >= 1e9)) return v.toExponential(2);
  return number(v, size >= 100 || v === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
};
const large = (v) => {
  const k = Math.min(6, Math.floor(Math.log2(v) / 10 + 1e-9));
  return `${+(v / 2 ** (10 * k)).toPrecision(4)} ${["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"][k]}`;
};
const bytes = (v) => (v >= 2 ** 30 ? large(v) : v >= 1048576 && v % 1048576 === 0 ? v / 1048576 + " Mi" : v >= 1024 && v % 1024 === 0 ? v / 1024 + " Ki" : number(v, 0));

function save(name, text, type) {
  const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const cell = (text) => (/[",\n]/.test(text) ? '"' + String(text).replace(/"/g, '""') + '"' : String(text));
const csv = (rows) => rows.map((row) => row.map((c) => cell(c ?? "")).join(",")).join("\n") + "\n";

// A chart of any kind: `option()` gives what ECharts draws, in the theme of the moment; `about()` what
// has to stand beside it in a file: title, names, caption.
function chart(id, place, option, about, after) {
  const instance = echarts.init(place, null, { renderer: "canvas" });
  const self = {
    id, instance,
    draw() {
      instance.setOption(option(), { notMerge: true });
      if (after) after(instance);
    },
    svg() {
      const height = place.clientHeight || 480;
      const drawn = echarts.init(null, null, { renderer: "svg", ssr: true, width: STILL.width, height });
      drawn.setOption({ ...option(), animation: false, backgroundColor: "transparent", toolbox: undefined });
      const text = drawn.renderToSVGString();
      drawn.dispose();
      return still(text, height, about());
    },
  };
  charts.push(self);
  self.draw();
  return self;
}

// The names of fonts in single quotes: in an SVG file they stand within double ones.
const font = () => ({ fontFamily: (css("--sans") || "sans-serif").replaceAll('"', "'") });
// Where a logarithmic axis has its marks: powers of two along, 1, 2, 5, 10, … up; not too many.
function marks(low, high, isX) {
  const all = [];
  if (isX) for (let v = 2 ** Math.ceil(Math.log2(low) - 0.01); v <= high * 1.01; v *= 2) all.push(v);
  else for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; e++) for (const m of [1, 2, 5]) all.push(+(m * 10 ** e).toPrecision(1));
  const inside = all.filter((v) => v >= low * 0.99 && v <= high * 1.01);
  const most = innerWidth < 640 ? 6 : 12;
  if (isX) return inside.filter((_, i) => i % Math.ceil(inside.length / most) === 0);
  if (inside.length <= 12) return inside;
  const tens = inside.filter((v) => /^[1]/.test(v.toExponential()));
  return tens.filter((_, i) => i % Math.ceil(tens.length / 13) === 0);
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
