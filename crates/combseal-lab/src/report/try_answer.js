// A person's hands on the answer: every control is used, and what it should change is looked at.
async function tryAnswer(check, wait) {
  const $ = (query) => document.querySelector(query);
  const all = (query) => [...document.querySelectorAll(query)];
  const frame = () => wait(80);
  const lead = () => $(".sentence .lead").textContent;
  const question = () => $(".sentence .question").textContent;
  const order = () => all(".ranked li").map((li) => li.querySelector(".head b").textContent + " " + li.querySelector(".head span").textContent);
  const pick = async (name, value) => {
    const input = $(`input[name="${name}"][value="${value}"]`);
    input.click();
    await frame();
    return input.checked;
  };
  const choice = data.runs[0].choice;

  check("a first answer", /fastest/.test(lead()) && order().length > 5);
  check("four cards", all(".card").length === 4 && all(".card .scheme").every((p) => p.textContent.length > 3));
  check("cards differ", $(".card:nth-child(3) .scheme").textContent === "AES-128-GCM-SIV");
  const sealed = { ...choice, candidates: choice.candidates.map((c) => ({ ...c, mixes: c.mixes.filter((m) => m.op === "seal") })) };
  const asked = firstQuestion(sealed), fallen = ranking(sealed, asked);
  check("sealing where there is no opening of the mix", asked.op === "both" && fallen.asked.op === "seal" && verdictOf(sealed, asked, fallen).some((p) => /Opening was not measured/.test(p)));

  // Presets, slider and number are one thing.
  check("preset", await pick("for", "1500") && /1,500 bytes/.test(question()) && $("#bytes").value === "1500");
  check("both", /Sealing and opening/.test(question()));
  const slider = $("#size");
  slider.value = 6;
  slider.dispatchEvent(new Event("input"));
  await frame();
  check("slider", /64 bytes/.test(question()) && $("#bytes").value === "64" && $('input[name="for"][value="64"]').checked);
  check("slider speaks", slider.getAttribute("aria-valuetext") === "64 bytes");
  const short64 = order().join();
  slider.value = 14;
  slider.dispatchEvent(new Event("input"));
  await frame();
  check("ranked again", order().join() !== short64);
  $("#bytes").value = "100";
  $("#bytes").dispatchEvent(new Event("change"));
  await frame();
  check("number", /100 bytes/.test(question()) && /straight line/.test($(".sentence").textContent));
  // Between two measured lengths the cost is on the line between what was measured there.
  const ours = choice.candidates.find((c) => c.scheme === "OCB3-AES-128" && c.implementation === "combseal vaes512");
  const curve = ours.curves.find((c) => c.op === "seal" && c.keys === 1 && c.batch === 1);
  const grid = choice.grids[curve.grid], high = grid.findIndex((n) => n >= 100), low = high - 1;
  const want = curve.cost[low] + ((100 - grid[low]) / (grid[high] - grid[low])) * (curve.cost[high] - curve.cost[low]);
  check("linear between", Math.abs(valueAt(grid, curve, 100).cost - want) < 1e-9 && valueAt(grid, curve, 5e6) === null);

  for (const [op, word] of [["seal", "Sealing"], ["open", "Opening"], ["both", "Sealing and opening"]]) check(op, await pick("op", op) && question().startsWith(word + " messages"));
  check("both is the sum", (() => {
    const q = { ...firstQuestion(choice), what: "size", bytes: 1500 };
    const cost = (op) => costOf(choice, ours, { ...q, op }).cost;
    return Math.abs(cost("both") - cost("seal") - cost("open")) < 1e-9;
  })());
  // Who seals and opens in batches does both in batches of one size: here sealing is fastest in 512, of which opening
  // is not, and of those of 64, which both were measured in, opening is slow.
  const batched = (sizes) => ({ ...ours, mixes: sizes.map(([op, batch, cost]) => ({ mix: "mix", op, batch, cost, noise: 0, limit: null })) });
  const inBatches = (sizes) => costOf(choice, batched(sizes), { ...firstQuestion(choice), what: "mix", op: "both", keys: 1, way: "batch" });
  const eight = inBatches([["seal", 8, 50], ["seal", 64, 40], ["seal", 512, 30], ["open", 8, 60], ["open", 64, 90]]);
  check("both in batches of one size", eight.batch === 8 && eight.cost === 110);
  check("no size that both have", inBatches([["seal", 8, 50], ["open", 64, 40]]) === null);

  // Modes that were not measured have no answer, and the nearest that have are offered.
  await pick("op", "seal");
  check("8192 keys at 100 bytes", await pick("keys", "8192") && /No answer/.test(lead()) && /576/.test(lead()) && order().length === 0);
  $(".offers button").click();
  await frame();
  check("offered", /576 bytes/.test(question()) && /8,192 keys/.test(question()) && order().length > 3);
  check("1000 keys are 1,024", await pick("keys", "1000") && /Measured with 1,024 keys/.test($(".sentence").textContent));
  await pick("keys", "1");
  // A serial mode gains from company.
  const ccm = () => all(".ranked li").find((li) => li.textContent.startsWith("AES-CCM"))?.querySelector(".value").textContent;
  const alone = ccm();
  check("batch", await pick("way", "batch") && /many together/.test(question()) && /messages together|values in one buffer/.test($(".sentence").textContent) && ccm() && alone && ccm() !== alone);
  await pick("way", "alone");

  // Boxes.
  const box = async (need, on) => {
    const input = $(`.boxes input[value="${need}"]`);
    if (input.checked !== on) input.click();
    await frame();
  };
  const all256 = () => all(".ranked .bits").every((b) => b.textContent === "256");
  await box("256", true);
  check("256-bit keys", all256() && order().length > 1);
  await box("256", false);
  check("128-bit keys again", !all256());
  for (const [need, out] of [["nist", "OCB3"], ["standard", "AEGIS-L"], ["survives", "AES-GCM "], ["constant", null]]) {
    await box(need, true);
    check("box " + need, order().length > 0 && (!out || !order().some((o) => o.startsWith(out))));
    check("named what " + need + " leaves out", !out || /for the boxes/.test($(".rest").textContent));
    await box(need, false);
  }
  await box("have", true);
  const beside = [$(".owned legend"), $(".owned input")].map((e) => e.getBoundingClientRect());
  check("no word over a box", beside[0].right <= beside[1].left || beside[0].bottom <= beside[1].top);
  check("libraries", order().every((o) => !o.includes("combseal")) && !$(".owned").hidden);
  check("fourth card", $(".card:nth-child(4) .scheme").textContent === lead().split(" ")[0]);
  const ring = $('.owned input[value="ring"]');
  ring.click();
  await frame();
  check("without ring", order().every((o) => !o.includes("ring")));
  ring.click();
  await box("have", false);
  check("owned hidden", $(".owned").hidden);
  // Powers are set whole: of sums, and to negative or composed exponents.
  const raised = (text) => power(text).filter((part) => part.nodeName).map((part) => part.textContent);
  check("powers", raised("2^48 of (s + q + 1)^2 / 2^129, 2^-29.4. and 2^(8 (15 - n)) and s^2").join("|") === "248|(s + q + 1)2|2129|2−29.4|28 (15 − n)|s2");
  check("by which bound", limitOf({ messages: 32, blocks: 48 }, 1500).includes("on messages") && limitOf({ messages: 48, blocks: 48 }, 1500).includes("2^48 a key"));
  // What a pointer is told by titles, in words that a finger can open.
  check("meanings", $(".meanings li") && ["IPI", ...all(".boxes:not(.owned) label").map((l) => l.textContent)].every((name) => all(".meanings li b").some((b) => b.textContent === name)));
  $(".card:nth-child(2) .only").click();
  await frame();
  check("rank only these", $('.boxes input[value="nist"]').checked && lead().startsWith($(".card:nth-child(2) .scheme").textContent));
  await box("nist", false);
  const few = order().length;
  $(".every input").click();
  await frame();
  check("every library", order().length > few || $("#more"));
  $(".every input").click();
  await frame();

  // Ties are called ties: two whose costs differ by less than their noise, and not when they differ by more.
  check("ties", isLevel({ cost: 100, noise: 0 }, { cost: 102, noise: 0 }) && !isLevel({ cost: 100, noise: 0 }, { cost: 104, noise: 0 }) && isLevel({ cost: 100, noise: 0.05 }, { cost: 104, noise: 0 }));

  check("no tie by noise alone", isLevel({ cost: 100, noise: 0.5 }, { cost: 109, noise: 0 }) && !isLevel({ cost: 100, noise: 0.5 }, { cost: 111, noise: 0.5 }));
  // What the terminal says to the same questions of the same run, the page says.
  const sameRun = data.runs[1].choice;
  for (const { bytes, op, ranked } of TERMINAL) for (const one of ranked) {
    const cost = (name) => { const c = sameRun.candidates.find((c) => c.scheme === name.scheme && c.implementation === name.implementation); return costOf(sameRun, c, { what: "size", bytes, op, keys: 1, way: "alone" }); };
    const here = cost(one), first = cost(ranked[0]), name = `${op} ${bytes} bytes with ${one.scheme} by ${one.implementation}`;
    check("the cost as in the terminal: " + name, here && Math.abs(here.cost / one.cost - 1) < 2e-3);
    check("the noise as in the terminal: " + name, here && Math.abs(here.noise - one.noise) < 2e-3);
    check("the tie as in the terminal: " + name, here && isLevel(here, first) === one.ties);
  }

  // One implementation whose samples are not to be believed is named, though others of its scheme are ranked.
  const asked15 = { ...firstQuestion(choice), what: "size", bytes: 1500, op: "seal", keys: 1, way: "alone" };
  const doubted = ranking(choice, asked15).names;
  check("doubtful by name", doubted.doubtful.size === 1 && [...doubted.doubtful][0] === `${choice.candidates[0].scheme} by ${choice.candidates[0].implementation}` && doubted.fit.has(choice.candidates[0].scheme));
  const lone = { ...choice, candidates: choice.candidates.slice(0, 1) };
  check("doubtful is not unmeasured", ranking(lone, asked15).names.unmeasured.size === 0);

  // Neither both nor sealing: what was asked stands in the head, and that there is neither is said.
  const none = { ...firstQuestion(choice), what: "mix", op: "both", keys: 1000, way: "batch" };
  const without = ranking(choice, none);
  check("neither both nor sealing", /^Sealing and opening the Internet mix/.test(words(choice, without.asked)) && /Neither both nor sealing/.test(verdictOf(choice, none, without)[0]));

  // A tie with another library of the same scheme is said.
  const twin = { ...sameRun.candidates[0], implementation: "twin 1.0", library: "twin", ours: false };
  const twins = { ...sameRun, candidates: [sameRun.candidates[0], twin] };
  check("a tie of libraries", ranking(twins, asked15).alike.length === 1 && verdictOf(twins, asked15, ranking(twins, asked15)).flat().some((p) => /as fast by twin 1.0/.test(p)));

  // The address is the question, and a link is an answer.
  await pick("for", "16384");
  await wait(300);
  check("hash", /for=16384/.test(location.hash) && /op=seal/.test(location.hash) && /keys=1/.test(location.hash));
  location.hash = "#for=1500&op=open&keys=1&way=alone&need=nist";
  await wait(100);
  check("from a link", /^Opening messages of 1,500 bytes/.test(question()) && $('.boxes input[value="nist"]').checked && lead().startsWith("AES-128-GCM"));
  // A line of the contents leads to its place, and the address is still an answer.
  const before = [question(), lead()];
  $('.contents a[href="#numbers"]').click();
  await wait(60);
  check("contents keep the question", /for=1500&op=open/.test(location.hash) && /&at=numbers$/.test(location.hash) && question() === before[0] && lead() === before[1]);
  check("contents lead there", document.activeElement === $("#numbers"));
  check("a place in an address", placeOfHash(location.hash) === "numbers" && placeOfHash("#trust") === "trust" && placeOfHash("#for=64&op=seal") === null);
  check("that link is the same answer", toHash(fromHash(location.hash, choice), 0) + "&at=numbers" === location.hash);
  scrollTo(0, 0);
  const q = fromHash("#for=9e9&op=shout&keys=7&need=x,256&libraries=%E0%A4%A", choice);
  check("a bad link", q.what === firstQuestion(choice).what && q.op === "both" && q.keys === 1 && q.need.size === 1);
  check("hash there and back", toHash(fromHash(toHash({ ...q, what: "size", bytes: 77 }, 0), choice), 0) === toHash({ ...q, what: "size", bytes: 77 }, 0));

  // Every control has a name and can be reached.
  const controls = all(".ask input, .ask button, .ranked button, .card button, .every input");
  check("named controls", controls.every((c) => c.getAttribute("aria-label") || c.textContent || c.closest("label")?.textContent));
  check("limit and nonce said", /One key may seal|No limit/.test($(".sentence").textContent) && /A repeated nonce/.test($(".sentence").textContent));
  check("nothing silent", /counter mode does not authenticate/.test($(".rest").textContent));
  check("verdict", /^This run is (good|fair|poor): differences under \d+ % mean nothing/.test($(".verdict").textContent));
}
