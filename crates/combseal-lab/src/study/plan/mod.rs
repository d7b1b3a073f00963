//! What to measure in the time there is: options and subjects go in, groups of points with rounds
//! and seconds come out. It is a pure function, so that what a study will do can be known and tested
//! beforehand.

mod cost;
mod grid;
mod papers;
mod spec;

pub use cost::seconds;
pub(super) use papers::{pieces, takes_part};
pub use spec::{Spec, Standing, Subject};

use super::options::{Options, Peers, Scope};
use crate::measure::Method;
use crate::subjects::Scheme;

/// The most samples of a point in a study with a budget, and the fewest.
const ROUNDS: (usize, usize) = (81, 5);
/// The samples of a point in the papers' programme.
const FULL_ROUNDS: usize = 15;

/// Points that are measured together, interleaved.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What it is called, while it runs.
    pub name: String,
    /// How its points are timed.
    pub method: Method,
    /// The points.
    pub specs: Vec<Spec>,
    /// Samples of each point.
    pub rounds: usize,
    /// How long it should take.
    pub seconds: f64,
}

/// All of a study.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Plan {
    /// In the order in which they are measured: what most readers ask for first.
    pub groups: Vec<Group>,
    /// What is not measured, and why.
    pub left_out: Vec<String>,
}

impl Plan {
    /// How long all should take.
    pub fn seconds(&self) -> f64 {
        self.groups.iter().map(|group| group.seconds).sum()
    }
}

/// Divides the time among groups.
pub fn plan(options: &Options, subjects: &[Subject]) -> Plan {
    let mut plan = Plan::default();
    let mut kinds: Vec<(Scheme, u32)> = subjects.iter().map(|s| (s.scheme, s.key_bits)).collect();
    // By family in the order of `Scheme`, AES-128 before AES-256 before AES-192.
    kinds.sort_by_key(|&(scheme, bits)| (bits == 192, bits == 256 && aes(scheme), scheme, bits));
    kinds.dedup();
    if options.scope != Scope::Full && kinds.iter().any(|&(_, bits)| bits == 192) {
        kinds.retain(|&(_, bits)| bits != 192);
        plan.left_out.push("AES-192: measured with --full".into());
    }
    for (scheme, bits) in kinds {
        let of = |s: &Subject| (s.scheme, s.key_bits) == (scheme, bits);
        let members: Vec<usize> = (0..subjects.len()).filter(|&i| of(&subjects[i])).collect();
        for (what, method, specs) in grid::grids(options, subjects, &members) {
            if !specs.is_empty() {
                let raw = specs[0].raw.map(|mode| mode.name().to_string());
                let name = [raw.unwrap_or_else(|| scheme.name(bits)), what].join(" ").trim().to_string();
                plan.groups.push(Group { name, method, specs, rounds: 0, seconds: 0.0 });
            }
        }
    }
    if options.method != Method::Campaign {
        let name = serde_json::to_string(&options.method).unwrap_or_default();
        let axes = "one key, no associated data";
        plan.left_out.push(format!("by the method {name}, only what the papers timed: {axes}"));
    }
    if !options.schemes.is_empty() {
        plan.left_out.push(format!("all schemes but those asked for: {}", options.schemes.join(", ")));
    }
    if options.peers == Peers::None {
        plan.left_out.push("other people's implementations: --peers none".into());
    }
    if !options.papers.is_empty() {
        plan.left_out.push("all that the papers asked for do not show".into());
    }
    if !options.papers.contains(&2014) {
        plan.left_out.push("CBC, CFB, OFB and CMAC on the comb's lanes (2014): measured with --papers 2014".into());
    }
    share(&mut plan, options, subjects);
    plan
}

/// Has it keys of several lengths, as modes of the AES have?
fn aes(scheme: Scheme) -> bool {
    scheme.key_bits().count() > 1
}

/// The most rounds for which all groups fit into the time, and each group's seconds.
fn share(plan: &mut Plan, options: &Options, subjects: &[Subject]) {
    let mix = grid::mean_bytes(options);
    let all = |plan: &Plan, rounds: usize| -> Vec<f64> {
        let group =
            |group: &Group| group.specs.iter().map(|spec| seconds(spec, subjects, mix, group.method, rounds)).sum();
        plan.groups.iter().map(group).collect()
    };
    let budget = match options.papers[..] {
        [] => options.budget(),
        _ => options.seconds.or(Some(papers::seconds(options))),
    };
    let rounds = match budget {
        None => FULL_ROUNDS,
        Some(budget) => {
            let fits = |&rounds: &usize| all(plan, rounds).iter().sum::<f64>() <= budget;
            (ROUNDS.1..=ROUNDS.0).rev().step_by(2).find(fits).unwrap_or(ROUNDS.1)
        }
    };
    for (group, seconds) in all(plan, rounds).into_iter().enumerate() {
        plan.groups[group].rounds = rounds;
        plan.groups[group].seconds = seconds;
    }
    if options.method == Method::ProcessTime {
        let points: usize = plan.groups.iter().map(|group| group.specs.len()).sum();
        let each = budget.map_or(1.1, |budget| (budget / points.max(1) as f64).clamp(0.002, 1.1));
        plan.groups.iter_mut().for_each(|group| group.seconds = each * group.specs.len() as f64);
    }
}

#[cfg(test)]
mod tests;
