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
            "Here is tier {} of this machine, in {unit} a byte; CAESAR’s candidates are those of the first round, as the paper’s. The paper’s numbers are of registers with one block each.",
            here.tier
        ),
    }
}

/// Modes of a table that stands here, which the run has not measured, by the table.
fn absent(run: &Run) -> Vec<String> {
    let Some(here) = Here::best(run) else { return Vec::new() };
    let names = |modes: &[Named], has: &dyn Fn(&Named) -> bool| {
        let wanted = modes.iter().filter(|mode| mode.paper != "COBRA");
        let missing: Vec<&str> = wanted.clone().filter(|mode| !has(mode)).map(|mode| mode.paper).collect();
        // A table of which nothing is here has been named as a whole.
        (!missing.is_empty() && missing.len() < wanted.count()).then(|| missing.join(", "))
    };
    let mix = |mode: &Named| here.alone(mode.scheme, Messages::Mix).is_some();
    let length = |mode: &Named| here.alone(mode.scheme, Messages::Of(2048)).is_some();
    let combed = |mode: &Named| here.fastest(mode.scheme, Messages::Mix).is_some();
    let combed_length = |mode: &Named| here.fastest(mode.scheme, Messages::Of(2048)).is_some();
    let on_lanes: Vec<Named> = MODES.into_iter().filter(|mode| mode.combed).collect();
    let found = [
        ("of Table 3", names(&NIST, &mix)),
        ("of Table 4", names(&MODES, &mix)),
        ("of Table 4, on the comb", names(&on_lanes, &combed)),
        ("of Table 5", names(&MODES, &length)),
        ("of Table 6", names(&on_lanes, &combed_length)),
    ];
    found.into_iter().filter_map(|(of, names)| Some(format!("{of}: {}", names?))).collect()
}

#[cfg(test)]
mod tests;
