//! Bogdanov, Lauridsen and Tischhauser's "Comb to Pipeline" of 2014, redrawn.

mod figures;
mod numbers;
mod tables;

use super::section::{Item, Section};
use crate::results::Run;
use numbers::{Here, MODES, Messages, NIST, Named};

/// The section.
pub fn section(run: &Run) -> Section {
    let mut section = Section::new(
        2014,
        "comb to pipeline",
        "Andrey Bogdanov, Martin M. Lauridsen and Elmar Tischhauser, “Comb to Pipeline: Fast Software Encryption Revisited”, FSE 2015",
        "https://eprint.iacr.org/2016/047",
    );
    section.intro = vec![
        "A serial mode leaves most of the AES unit idle: each block waits for the one before. The paper lets several messages walk through the unit side by side, in windows that a scheduler makes of their lengths, and compares the modes of its day one message at a time and on this comb. All its numbers are cycles a byte of encryption on one core of an Intel Core i5-4300U (Haswell), of messages of 128 to 2,048 bytes and of a realistic mix: 44 % of 40 to 100 bytes, 37 % of 1,400 to 1,500, the others between.".into(),
        words_of(run),
    ];
    section.items.push(Item::Table(tables::overview()));
    section.items.push(Item::Drawing(figures::windows()));
    section.put("Table 2 (CBC on 2 to 8 lanes)", tables::by_lanes(run).map(Item::Table));
    section.put("Table 3 (NIST’s modes on the realistic mix)", tables::nist(run).map(Item::Table));
    section.put("Table 4 (authenticated encryption on the realistic mix)", tables::authenticated(run).map(Item::Table));
    section.put("Table 5 (one message at a time, by length)", tables::alone(run).map(Item::Table));
    section.put("Table 6 (on the comb, by length)", tables::combed(run).map(Item::Table));
    section.put("Fig. 2 (nonce-based modes by lanes and length)", figures::map(run, 2).map(Item::Heat));
    section.put("Fig. 3 (nonce-misuse resistant modes by lanes and length)", figures::map(run, 3).map(Item::Heat));
    let under_keys = [2, 3].map(|number| figures::map_under_keys(run, number));
    section.items.extend(under_keys.into_iter().flatten().map(Item::Heat));
    section.put("Table 7 (latency and throughput of instructions)", tables::instructions(run).map(Item::Table));
    section.put("Fig. 4 (McOE-G alone and by eight)", figures::products(run).map(Item::Figure));
    section.put("the products of Sect. 6.4", figures::multiplications(run).map(Item::Table));
    section.put("the doublings of Sect. 6.5", tables::doubling(run).map(Item::Table));
    section.missing.extend(absent(run));
    section
}

/// What here means in this section.
fn words_of(run: &Run) -> String {
    let unit = tables::unit(run);
    match Here::best(run) {
        None => "This run has none of our tiers, so that only what needs no measurement stands here.".into(),
        Some(here) => format!(
            "Here is tier {} of this machine, in {unit} a byte; CAESAR’s candidates are those of the first round, as the paper’s. The paper’s numbers are of registers with one block each. Where 1,000 keys are named, each message is under the next of these, so that between two turns of a key more contexts are read than the first cache holds; else all are under one.",
            here.tier
        ),
    }
}

/// Those of the modes of which there is nothing; COBRA is nowhere.
fn without(modes: &[Named], has: impl Fn(&Named) -> bool) -> Option<String> {
    let wanted = || modes.iter().filter(|mode| mode.paper != "COBRA");
    let missing: Vec<&str> = wanted().filter(|mode| !has(mode)).map(|mode| mode.paper).collect();
    match missing.len() {
        0 => None,
        count if count == wanted().count() => Some(ALL.into()),
        _ => Some(missing.join(", ")),
    }
}

/// What stands for the names of all modes.
const ALL: &str = "all";

/// What of the tables and figures the run has not measured: modes by the table, under one key and under many, and
/// opened. A table of which nothing is here under one key has been named as a whole.
fn absent(run: &Run) -> Vec<String> {
    let Some(here) = Here::best(run) else { return Vec::new() };
    let combed = |modes: &[Named]| -> Vec<Named> { modes.iter().copied().filter(|mode| mode.combed).collect() };
    let (on_lanes, nist_on_lanes) = (combed(&MODES), combed(&NIST));
    let mut missing = Vec::new();
    for (here, how) in [(here.clone(), ""), (here.under_keys(), ", under 1,000 keys")] {
        let alone = |messages: Messages| {
            let here = here.clone();
            move |mode: &Named| here.alone(mode.scheme, messages).is_some()
        };
        let together = |messages: Messages| {
            let here = here.clone();
            move |mode: &Named| here.fastest(mode.scheme, messages).is_some()
        };
        let (mix, long) = (Messages::Mix, Messages::Of(2048));
        let found = [
            ("of Table 3", without(&NIST, alone(mix))),
            ("of Table 3, on the comb", without(&nist_on_lanes, together(mix))),
            ("of Table 4", without(&MODES, alone(mix))),
            ("of Table 4, on the comb", without(&on_lanes, together(mix))),
            ("of Table 5", without(&MODES, alone(long))),
            ("of Table 6", without(&on_lanes, together(long))),
        ];
        if how.is_empty() {
            let some = found.into_iter().filter(|(_, names)| names.as_deref() != Some(ALL));
            missing.extend(some.filter_map(|(of, names)| Some(format!("{of}: {}", names?))));
        } else if found.iter().all(|(_, names)| names.as_deref() == Some(ALL)) {
            missing.push("Tables 3 to 6, Fig. 2 and Fig. 3 under 1,000 keys".into());
        } else {
            missing.extend(found.into_iter().filter_map(|(of, names)| Some(format!("{of}{how}: {}", names?))));
            let maps = [2, 3].into_iter().filter(|&number| figures::map_under_keys(run, number).is_none());
            missing.extend(maps.map(|number| format!("Fig. {number}{how}")));
        }
    }
    let opening = here.opening();
    let opened = without(&on_lanes, |mode| opening.fastest(mode.scheme, Messages::Mix).is_some());
    missing.extend(opened.map(|names| format!("of Table 4, opened on the comb: {names}")));
    missing
}

#[cfg(test)]
mod tests;
