//! Bogdanov, Lauridsen and Tischhauser's "Comb to Pipeline" of 2014, redrawn.

mod figures;
mod numbers;
mod tables;

use super::section::{Item, Section};
use crate::results::Run;
use numbers::{Here, MODES, Messages, NIST, Named, listed};

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
            "Here is tier {} of this machine, in {unit} a byte; CAESAR’s candidates are those of the first round, as the paper’s. The paper’s numbers are of registers with one block each. Where 1,000 keys are named, each message is under the next of these, so that between two turns of a key more contexts are read than the first cache holds; else all are under one. Keys in turn are the best case of many keys, since a processor that fetches ahead sees their contexts in the order in which they lie: keys drawn at random cost more.",
            here.tier
        ),
    }
}

/// What of a table or a column is missing: which messages, where the run has others of the same modes, and the modes.
type Missing = Vec<(String, String)>;

/// Modes of which some of these messages were not measured, those together that lack the same; COBRA is nowhere.
fn without(modes: &[Named], messages: &[Messages], has: impl Fn(&Named, Messages) -> bool) -> Missing {
    let wanted: Vec<&Named> = modes.iter().filter(|mode| mode.paper != "COBRA").collect();
    let mut missing: Vec<(Vec<u64>, Vec<&str>)> = Vec::new();
    for mode in &wanted {
        let lacks = messages.iter().filter(|&&messages| !has(mode, messages));
        let lacks: Vec<u64> =
            lacks.map(|messages| if let Messages::Of(bytes) = messages { *bytes } else { 0 }).collect();
        match missing.iter_mut().find(|(same, _)| *same == lacks) {
            _ if lacks.is_empty() => {}
            Some((_, names)) => names.push(mode.paper),
            None => missing.push((lacks, vec![mode.paper])),
        }
    }
    let words = |(lacks, names): (Vec<u64>, Vec<&str>)| {
        let of = if lacks.len() == messages.len() { String::new() } else { format!(", of {} bytes", listed(&lacks)) };
        (of, if names.len() == wanted.len() { ALL.into() } else { names.join(", ") })
    };
    missing.into_iter().map(words).collect()
}

/// What stands for the names of all modes.
const ALL: &str = "all";

/// Is there nothing of it at all?
fn is_all(missing: &Missing) -> bool {
    matches!(&missing[..], [(of, names)] if of.is_empty() && names == ALL)
}

/// What of the tables and figures the run has not measured: modes by the table, under one key and under many, and
/// opened. A table of which nothing is here under one key has been named as a whole.
fn absent(run: &Run) -> Vec<String> {
    let Some(here) = Here::best(run) else { return Vec::new() };
    let combed = |modes: &[Named]| -> Vec<Named> { modes.iter().copied().filter(|mode| mode.combed).collect() };
    let (on_lanes, nist_on_lanes) = (combed(&MODES), combed(&NIST));
    let (mix, lengths) = ([Messages::Mix], tables::LENGTHS.map(Messages::Of));
    let alone = |here: &Here<'_>, modes: &[Named], messages: &[Messages]| {
        without(modes, messages, |mode, messages| here.alone(mode.scheme, messages).is_some())
    };
    let together = |here: &Here<'_>, modes: &[Named]| {
        without(modes, &mix, |mode, messages| here.fastest(mode.scheme, messages).is_some())
    };
    let by_length = |here: &Here<'_>| {
        without(
            &on_lanes,
            &lengths,
            |mode, messages| matches!(messages, Messages::Of(bytes) if here.as_longest(mode.scheme, bytes).is_some()),
        )
    };
    let named = |place: &str, how: &str, missing: Missing| -> Vec<String> {
        missing.into_iter().map(|(of, names)| format!("of {place}{how}{of}: {names}")).collect()
    };
    let mut missing = Vec::new();
    for (here, how) in [(here.clone(), ""), (here.under_keys(), ", under 1,000 keys")] {
        let found = [
            ("Table 3", alone(&here, &NIST, &mix)),
            ("Table 3, on the comb", together(&here, &nist_on_lanes)),
            ("Table 4", alone(&here, &MODES, &mix)),
            ("Table 4, on the comb", together(&here, &on_lanes)),
            ("Table 5", alone(&here, &MODES, &lengths)),
            ("Table 6", by_length(&here)),
        ];
        if how.is_empty() {
            let some = found.into_iter().filter(|(_, missing)| !is_all(missing));
            missing.extend(some.flat_map(|(place, missing)| named(place, how, missing)));
        } else if found.iter().all(|(_, missing)| is_all(missing)) {
            missing.push("Tables 3 to 6, Fig. 2 and Fig. 3 under 1,000 keys".into());
        } else {
            missing.extend(found.into_iter().flat_map(|(place, missing)| named(place, how, missing)));
            let maps = [2, 3].into_iter().filter(|&number| figures::map_under_keys(run, number).is_none());
            missing.extend(maps.map(|number| format!("Fig. {number}{how}")));
        }
    }
    let opening = here.opening();
    missing.extend(named("Table 4, opened", "", alone(&opening, &MODES, &mix)));
    missing.extend(named("Table 4, opened on the comb", "", together(&opening, &on_lanes)));
    missing
}

#[cfg(test)]
mod tests;
