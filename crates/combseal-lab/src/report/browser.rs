//! A test of the page in a real browser without a window: the page loads without an error and
//! without a request, all charts are drawn, tables can be sorted, names can be switched off, figures
//! zoom, and the theme changes.
//!
//! The test puts a script behind the page that clicks and looks, and Chromium prints the document
//! that results. Where there is no Chromium, the test says that it was skipped, and passes.

use super::papers::programme;
use super::write_runs;
use crate::answers::rank::{self, Direction};
use crate::results::{Axis, Point, Run, fixture};
use crate::subjects::Op;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which systems install it.
const BROWSERS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("COMBSEAL_BROWSER") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).flat_map(|dir| BROWSERS.map(|name| dir.join(name))).find(|file| file.is_file())
}

/// Before the page's own scripts: what goes wrong is written down.
const WATCH: &str = r#"<script>
  window.faults = [];
  addEventListener("error", (e) => faults.push("error: " + e.message));
  addEventListener("unhandledrejection", (e) => faults.push("rejection: " + e.reason));
  addEventListener("securitypolicyviolation", (e) => faults.push("blocked: " + e.blockedURI));
  for (const name of ["error", "warn"]) console[name] = (...a) => faults.push("console: " + a.join(" "));
</script>"#;

/// Behind them: a person's hands and eyes.
const TRY: &str = r##"<script>(async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const check = (what, good) => { if (!good) faults.push("failed: " + what); };
  const $ = (query) => document.querySelector(query);
  for (let i = 0; i < 1000 && !document.documentElement.dataset.drawn; i++) await wait(20);
  const drawn = document.documentElement.dataset.drawn;
  check("drawn", drawn);
  combseal.drawAll();
  const ids = combseal.charts().map((c) => c.id);
  for (const id of ["length", "overhead", "samples", "keys", "ad", "comb", "heat"]) check("chart " + id, ids.includes(id));
  const inked = (chart) => {
    const canvas = chart.instance.getDom().querySelector("canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let n = 0;
    for (let i = 3; i < pixels.length; i += 4) n += pixels[i] > 0;
    return n;
  };
  for (const c of combseal.charts()) check("ink in " + c.id, inked(c) > 500);
  // A downloaded figure is XML, and says what it is without the page.
  for (const c of combseal.charts()) {
    const file = new DOMParser().parseFromString(c.svg(), "image/svg+xml");
    check("svg of " + c.id, file.documentElement.nodeName === "svg" && !file.querySelector("parsererror"));
    check("title in svg of " + c.id, file.querySelector("svg > title")?.textContent.length > 5);
    const words = [...file.documentElement.children].filter((e) => e.nodeName === "text").map((e) => e.textContent).join(" ");
    const figure = c.instance.getDom().closest("figure");
    for (const said of [figure.querySelector("h3").textContent, figure.querySelector("figcaption").textContent]) check("words in svg of " + c.id, words.includes(said.slice(0, 60)));
    for (const name of figure.querySelectorAll(".legend button[aria-pressed=true]")) check(name.textContent + " in svg of " + c.id, words.includes(name.textContent));
  }
  // Doubtful points are hollow in the figures and have a question mark in the tables.
  const hollow = (c) => c.instance.getOption().series.some((s) => s.data?.some((d) => d.value && d.itemStyle?.borderColor));
  check("hollow", hollow(combseal.charts().find((c) => c.id === "length")));
  check("question mark", [...document.querySelectorAll("#table-study tbody td")].some((td) => /^[\d.,]+\?$/.test(td.textContent)));

  const column = () => [...document.querySelectorAll("#table-study tbody td:nth-child(3)")].map((td) => parseFloat(td.textContent));
  const head = $("#table-study th:nth-child(3) button");
  const rising = (v) => v.every((x, i) => !i || !(v[i - 1] > x));
  head.click();
  check("sorted up", rising(column()) && column().length > 5);
  head.click();
  check("sorted down", rising(column().reverse()));
  check("sort told", $("#table-study th:nth-child(3)").getAttribute("aria-sort") === "descending");

  const chart = combseal.charts().find((c) => c.id === "length");
  const lines = () => chart.instance.getOption().series.filter((s) => s.type === "line").length;
  const before = lines();
  $("#figure-length .legend button[aria-pressed=true]").click();
  check("toggled off", lines() === before - 1);
  $("#figure-length .legend button[aria-pressed=false]").click();
  check("toggled on", lines() === before);
  const view = $("#figure-length select");
  view.value = "1";
  view.dispatchEvent(new Event("change"));
  check("view", [...document.querySelectorAll("#figure-length .legend button")].some((b) => b.textContent.includes("combseal")));
  $("#figure-length .right button").click();
  check("scale", chart.instance.getOption().xAxis[0].type === "log");

  const paper = () => getComputedStyle(document.documentElement).backgroundColor;
  const colour = () => combseal.charts()[0].instance.getOption().series[0].color + $(".ranked .fill").style.background;
  const light = [paper(), colour(), document.documentElement.dataset.theme];
  $("#theme").click();
  check("theme", paper() !== light[0] && colour() !== light[1] && document.documentElement.dataset.theme !== light[2]);
  $("#theme").click();
  check("theme back", paper() === light[0]);

  await tryAnswer(check, wait);
  await tryFigures(check, wait);

  const requests = performance.getEntriesByType("resource").filter((r) => !/^(data|blob):/.test(r.name));
  for (const r of requests) faults.push("request: " + r.name);
  check("failed peer shown", document.body.textContent.includes("a wrong tag for 17 bytes"));
  check("no sideways scroll", document.documentElement.scrollWidth <= innerWidth + 1);
})().catch((e) => faults.push("thrown: " + e.stack)).then(() => {
  parent.postMessage(JSON.stringify({ drawn: +document.documentElement.dataset.drawn, width: innerWidth, faults }), "*");
});</script>"##;

/// The answer's controls, one after the other.
const TRY_ANSWER: &str = include_str!("try_answer.js");

/// The figures', the tables' and the words'.
const TRY_FIGURES: &str = include_str!("try_figures.js");

/// The page in a frame as wide as a phone or a screen: a window cannot be narrower than 500.
fn framed(page: &Path, [width, height]: [u32; 2]) -> String {
    let name = page.file_name().unwrap().to_string_lossy();
    format!(
        r#"<!doctype html><body><iframe src="{name}" style="width:{width}px;height:{height}px;border:0"></iframe><script>
addEventListener("message", (e) => document.body.append(Object.assign(document.createElement("pre"), {{ id: "outcome", textContent: e.data }})));
</script>"#
    )
}

fn outcome(browser: &Path, page: &Path) -> String {
    let done = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .args(["--virtual-time-budget=60000", "--dump-dom", "--window-size=1400,1000"])
        .arg(format!("--user-data-dir={}", page.with_extension("profile").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&done.stdout).into_owned();
    let found = dom.rsplit_once("<pre id=\"outcome\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    found.map_or_else(
        || {
            panic!(
                "the page's script did not come to its end; the browser says {}",
                String::from_utf8_lossy(&done.stderr)
            )
        },
        |(json, _)| json.to_string(),
    )
}

/// The terminal's answers to a few questions, as JSON: the page must give the same.
fn terminal(run: &Run) -> serde_json::Value {
    let answer = |bytes: u64, direction: Direction| {
        let ranked = rank::of_lengths(run, "", &[(bytes, 1)], direction).ranked;
        let one = |r: &rank::Ranked| {
            let (scheme, implementation) = (&r.scheme, &r.implementation);
            serde_json::json!({ "scheme": scheme, "implementation": implementation, "cost": r.per_message, "noise": r.noise,
                "ties": r.ties(&ranked[0]) })
        };
        let all: Vec<_> = ranked.iter().map(one).collect();
        serde_json::json!({ "bytes": bytes, "op": direction.name(), "ranked": all })
    };
    let lengths = [64, 100, 1500, 2048, 3000, 16384];
    lengths.iter().flat_map(|&bytes| Direction::ALL.map(|direction| answer(bytes, direction))).collect()
}

#[test]
fn the_page_works_in_a_browser() {
    // Past the test harness, which would keep it to itself.
    let aloud = |what: &str| drop(writeln!(std::io::stderr(), "{what}"));
    let Some(browser) = browser() else {
        return aloud("SKIPPED the page in a browser: there is no Chromium here (Debian: apt-get install chromium)");
    };
    let folder = std::env::temp_dir().join(format!("combseal-browser-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("page.html");
    let mut run = fixture::run();
    let first = run.points.iter_mut().find(|p| p.axis == Axis::Length && p.op == Op::Seal && p.bytes == 1500);
    first.map(|p| (p.clean, p.unclean) = (1, 80)).unwrap();
    run.programme = Some(programme(64));
    // Two machines, so that one can be laid over the other.
    let mut other = fixture::run();
    other.machine.cpu = "another".into();
    // A loud point between quiet ones, in one operation.
    let loud = |p: &&mut Point| p.axis == Axis::Length && p.op == Op::Open && p.bytes == 2048;
    other.points.iter_mut().filter(loud).step_by(5).for_each(|p| p.p75 = 1.25 * p.median);
    let terminal = terminal(&other);
    write_runs(&[run, other], &[], &[], &page).unwrap();
    let html = std::fs::read_to_string(&page).unwrap();
    let html = html.replacen("<head>", &format!("<head>{WATCH}"), 1);
    let (front, _) = html.rsplit_once("</body>").unwrap();
    std::fs::write(
        &page,
        format!("{front}<script>const TERMINAL = {terminal};{TRY_ANSWER}{TRY_FIGURES}</script>{TRY}</body></html>"),
    )
    .unwrap();
    let frame = folder.join("frame.html");
    for size in [[1280, 900], [390, 844]] {
        std::fs::write(&frame, framed(&page, size)).unwrap();
        let outcome: serde_json::Value = serde_json::from_str(&outcome(&browser, &frame)).unwrap();
        assert_eq!(outcome["faults"], serde_json::json!([]), "at {size:?}");
        assert_eq!(outcome["width"], size[0]);
        aloud(&format!("the page at {} by {}: drawn after {} ms", size[0], size[1], outcome["drawn"]));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
