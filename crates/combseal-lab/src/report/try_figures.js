// A person's hands on the figures and tables: bands, units, zoom, names, machines, the heat map, filters.
async function tryFigures(check, wait) {
  const $ = (query) => document.querySelector(query);
  const all = (query) => [...document.querySelectorAll(query)];
  const chart = (id) => combseal.charts().find((c) => c.id === id);
  const axis = (id, which) => chart(id).instance.getOption()[which][0];
  const choose = (query, text) => {
    const select = $(query), option = [...select.options].find((o) => o.textContent.includes(text));
    if (!option) return false;
    select.value = option.value;
    select.dispatchEvent(new Event("change"));
    return true;
  };
  const values = (id) => chart(id).instance.getOption().series.filter((s) => s.type === "line").map((s) => s.data.map((d) => d.value ?? d));

  // The band that can be read, the papers' own, and all.
  const figure = "#figure-length";
  check("opens readable", choose(figure + " .view", "each at its best") && choose(figure + " .band", "2,048") && axis("length", "xAxis").type === "value" && axis("length", "xAxis").max === 2048);
  check("clipped", axis("length", "yAxis").max < Math.max(...values("length").flat().map((v) => v[1])));
  check("2011", choose(figure + " .band", "2011") && axis("length", "xAxis").max === 1024);
  const pressed = () => all(figure + " .legend button[aria-pressed=true]").map((b) => b.textContent);
  check("2011's schemes", pressed().length === 4 && pressed().includes("AES-128-CTR") && !pressed().includes("AEGIS-128L"));
  check("2021", choose(figure + " .band", "2021") && pressed().includes("ChaCha20-Poly1305") && axis("length", "xAxis").max === 2048);
  check("all", choose(figure + " .band", "all") && axis("length", "xAxis").type === "log" && axis("length", "xAxis").max > 60000);

  // Units of the one measured value.
  choose(figure + " .band", "2,048");
  const at1500 = () => values("length")[0].find((v) => v[0] === 1500)[1];
  const ghz = data.runs[0].choice.ghz, near = (a, b) => Math.abs(a / b - 1) < 1e-3;
  const perByte = at1500();
  for (const [name, want] of [["cycles a message", 1500 * perByte], ["ns a message", (1500 * perByte) / ghz], ["Gbit/s", (8 * ghz) / perByte], ["cycles a byte", perByte]]) check("unit " + name, choose(figure + " .unit", name) && near(at1500(), want));
  check("unit limit", choose(figure + " .unit", "times the AES limit") && at1500() > 0.5 && at1500() < 20);
  choose(figure + " .unit", "cycles a byte");

  // Zoom by the keyboard and by dragging; marks follow, names keep it, 0 goes back.
  const place = $(figure + " .chart");
  const key = (name) => place.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const inside = () => {
    const { min, max, axisLabel } = axis("length", "xAxis");
    return axisLabel.customValues.filter((v) => v >= min && v <= max).length;
  };
  key("+");
  key("+");
  const zoomed = axis("length", "xAxis");
  check("zoomed by keys", zoomed.max - zoomed.min === 512 && inside() >= 3);
  $(figure + " .legend button[aria-pressed=true]").click();
  check("a name keeps the zoom", axis("length", "xAxis").min === zoomed.min && axis("length", "xAxis").max === zoomed.max);
  $(figure + " .legend button[aria-pressed=false]").click();
  const logX = all(figure + " .right button").find((b) => b.textContent === "log x");
  logX.click();
  check("a scale keeps the zoom", axis("length", "xAxis").type === "log" && axis("length", "xAxis").min === zoomed.min && inside() >= 2);
  logX.click();
  key("ArrowRight");
  check("moved", axis("length", "xAxis").min > zoomed.min);
  key("0");
  check("back", axis("length", "xAxis").max === 2048 && axis("length", "xAxis").min === 0);
  const box = place.getBoundingClientRect();
  const drag = (type, part) => place.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, pointerType: "mouse", clientX: box.left + box.width * part, clientY: box.top + box.height / 2 }));
  place.setPointerCapture = () => {};
  drag("pointerdown", 0.3);
  drag("pointermove", 0.5);
  drag("pointerup", 0.5);
  const dragged = axis("length", "xAxis");
  check("dragged", dragged.max - dragged.min < 900 && dragged.min > 100 && inside() >= 3);
  $(figure + " .reset").click();
  check("reset", axis("length", "xAxis").max === 2048);

  // Names at the ends, where there is room; families together.
  check("names at the ends", innerWidth < 760 || all(figure + " .ends span").length > 4);
  const tops = all(figure + " .ends span").map((s) => parseFloat(s.style.top));
  check("none over another", tops.every((t, i) => !i || t - tops[i - 1] >= 14.5));
  check("families", all(figure + " .legend li").some((li) => li.textContent.includes("OCB3-AES-128") && li.textContent.includes("OCB3-AES-256")));

  // The other machine over this one.
  const lines = () => values("length").length;
  const alone = lines();
  check("machine laid over", choose(figure + " .over", "another") && lines() === 2 * alone);
  choose(figure + " .over", "alone");
  check("alone again", lines() === alone);

  // The heat map: CCM first, up to sixteen, nothing that was not measured.
  const heat = data.runs[0].heat, ccm = heat.maps.find((m) => m.name.includes("CCM"));
  const cells = () => chart("heat").instance.getOption().series[0].data.map((d) => d.value);
  check("opens on CCM", $("#figure-heat .view").selectedOptions[0].textContent.includes("CCM"));
  check("measured alone", cells().length === ccm.cells.filter((c) => ccm.y[c[1]] <= 16).length);
  $("#figure-heat .speedup").click();
  const once = cells().filter((c) => chart("heat").instance.getOption().yAxis[0].data[c[1]] === "1");
  check("speed-up", once.length > 0 && once.every((c) => c[2] === 1) && Math.max(...cells().map((c) => c[2])) > 2);
  $("#figure-heat .speedup").click();
  $("#figure-heat .every").click();
  check("all P", cells().length === ccm.cells.length);
  $("#figure-heat .every").click();

  // Tables: words that filter, the best of a column.
  const rows = () => all("#table-study tbody tr");
  const filter = $("#table-study .filter"), many = rows().length;
  filter.value = "gcm RING";
  filter.dispatchEvent(new Event("input"));
  check("filtered", rows().length > 0 && rows().length < many && rows().every((r) => /gcm/i.test(r.textContent) && /ring/i.test(r.textContent)));
  check("count told", $("#table-study .count").textContent === `${rows().length} of ${many} rows`);
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  const column = rows().map((r) => r.children[2]), numbers = column.filter((td) => !/\?/.test(td.textContent)).map((td) => parseFloat(td.textContent)).filter((n) => n > 0);
  const best = column.filter((td) => td.classList.contains("best"));
  check("best marked", best.length >= 1 && best.every((td) => parseFloat(td.textContent) === Math.min(...numbers)));
  check("first column fixed", innerWidth > 736 || getComputedStyle(rows()[0].firstChild).position === "sticky");

  // Words, contents, files, the command.
  const word = $(".term");
  word.click();
  check("explained", word.getAttribute("aria-expanded") === "true" && !word.nextElementSibling.hidden);
  word.click();
  const links = all(".contents a");
  check("contents", links.length > 8 && links.every((a) => document.getElementById(a.getAttribute("href").slice(1))));
  check("papers linked", all(".after a").some((a) => a.href.startsWith("https://doi.org/")));
  const terms = all("button.term").map((b) => b.textContent);
  check("terms called", ["AES unit", "block rounds a cycle"].every((name) => terms.includes(name) || !document.querySelector(".machine").textContent.includes(name)));
  const regions = all("[role=region]").map((r) => r.getAttribute("aria-label"));
  check("regions differ: " + regions.filter((r, i) => regions.indexOf(r) !== i).join(), new Set(regions).size === regions.length);
  check("header cells may wrap", all("thead th").every((th) => getComputedStyle(th).whiteSpace === "normal"));
  check("command", /^combseal study/.test($(".repeat code").textContent));
  check("files", all(".files a").some((a) => a.getAttribute("href").endsWith("-files/1-length.svg")));

  // The papers, redrawn: a section each, in the contents; what is not there is named with the command.
  const papers = all("section.paper");
  check("a section a paper", papers.length === 4 && papers.every((p) => p.querySelector("h3[id]") && p.querySelector("a[href^='https://']")));
  check("sections in the contents", papers.every((p) => links.some((a) => a.getAttribute("href") === "#" + p.querySelector("h3").id)));
  check("absent is named", papers.some((p) => /Not measured in this run/.test(p.textContent) && /combseal study --papers 2011/.test(p.textContent)));
  check("printed as printed", all("#table-2011-fig4 tbody td").some((td) => td.textContent === "1.48"));
  check("printed beside measured, 2014", ["5.22", "1.64", "3.18"].every((v) => all("#table-2014-4 tbody tr")[0].textContent.includes(v)) && all("#table-2014-4 tbody tr")[0].children.length === 11);
  check("opened on the comb, 2014", all("#table-2014-4 thead th").pop().textContent === "opened: comb" && !$("#figure-2014-fig2-keys"));
  check("the scheduler's windows", ["(7, 5)", "(4, 80)", "(3, 9)"].every((w) => all("#figure-2014-fig1 svg > text").some((t) => t.textContent === w)));
  check("a bar a window of a message", all("#figure-2014-fig1 svg > rect > title").length === 14);
  check("fig. 2 of 2014 has no row beyond 16", !$("#figure-2014-fig2 .every"));
  const clouds = all("#figure-2007-graphs path.cloud");
  check("every sample of 26 systems", clouds.length === 78 && clouds.every((path) => path.getAttribute("d").length > 20));
  check("drawn in the page's colours", getComputedStyle($("#figure-2007-graphs rect")).fill === getComputedStyle(document.documentElement).backgroundColor);
  check("printed as printed, 2007", all("#table-2007-length tbody td").some((td) => td.textContent === "1,508"));
  const group = $("#table-2011-fig4 select");
  group.value = "2";
  group.dispatchEvent(new Event("change"));
  check("another of its machines", all("#table-2011-fig4 tbody td").some((td) => td.textContent === "22.4"));
  const logs = combseal.charts().flatMap((c) => (c.instance.getOption().yAxis ?? []).filter((a) => a.type === "log"));
  check("a logarithmic axis has marks of few digits", logs.length > 0 && logs.every((a) => a.axisLabel.customValues && a.axisLabel.formatter(37.633929).length < 6));
  const bound = axis("2021-theorem1-messages", "yAxis").axisLabel;
  check("a bound's axis is of powers of two", bound.customValues.length > 3 && bound.customValues.every((v) => Number.isInteger(Math.log2(v))) && bound.formatter(2 ** -32) === "2^-32");
  check("a bound is drawn as it is", axis("2021-theorem1-messages", "yAxis").type === "log" && !$("#figure-2021-theorem1-messages .unit"));
}
