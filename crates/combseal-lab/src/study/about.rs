//! The record of the machine at the head of a run: without it, nobody could tell what a figure
//! belongs to, and a study could not be resumed.

use super::options::Options;
use crate::measure::{Clock, Limits, Speed, Unit, Width, machine};
use crate::results::{ClockState, Machine, Unit as ResultUnit, WidthLimits};
use crate::subjects::Implementation;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// The time now, as RFC 3339 in UTC.
pub(super) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The machine as far as it is known by now.
pub(super) fn machine(clock: &Clock, limits: &Limits, options: &Options, all: &[Implementation]) -> Machine {
    let mut tiers: Vec<String> = all.iter().filter_map(|one| one.tier.map(String::from)).collect();
    tiers.dedup();
    let mut kept = Vec::new();
    tiers.retain(|tier| !kept.contains(tier) && (kept.push(tier.clone()), true).1);
    let options = match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(map)) => map.into_iter().collect(),
        _ => BTreeMap::new(),
    };
    Machine {
        cpu: machine::processor(),
        os: std::env::consts::OS.into(),
        arch: std::env::consts::ARCH.into(),
        tiers,
        clock: clock_state(clock),
        limits: Width::ALL.into_iter().map(|width| width_limits(limits, width)).collect(),
        memcpy: limits.memcpy,
        compiler: env!("COMBSEAL_COMPILER").into(),
        versions: versions(all),
        started: String::new(),
        options,
        campaign: String::new(),
    }
}

/// The options in a machine's record.
pub(super) fn options(machine: &Machine) -> Result<Options, String> {
    let map = machine.options.clone().into_iter().collect();
    serde_json::from_value(serde_json::Value::Object(map)).map_err(|e| e.to_string())
}

pub(super) fn unit(clock: &Clock) -> ResultUnit {
    match clock.unit() {
        Unit::Cycles => ResultUnit::Cycles,
        Unit::Nanoseconds => ResultUnit::Nanoseconds,
    }
}

fn clock_state(clock: &Clock) -> ClockState {
    let ratio = clock.ratio();
    let counter = clock.ticks_per_second().map(|ticks| ticks / 1e9);
    ClockState {
        unit: unit(clock),
        ghz_counter: counter,
        ghz_core: clock.cycles_per_second().map(|cycles| cycles / 1e9),
        ratio: ratio.map(|ratio| ratio.median),
        ratio_lowest: ratio.map(|ratio| ratio.lowest),
        ratio_highest: ratio.map(|ratio| ratio.highest),
        canary: clock.canary(),
    }
}

fn width_limits(limits: &Limits, width: Width) -> WidthLimits {
    let at = limits.at(width);
    let rate = |speed: Option<Speed>| speed.map(|speed| speed.per_cycle);
    let latency = |speed: Option<Speed>| speed.map(|speed| speed.latency);
    WidthLimits {
        bits: width.bits(),
        aesenc_per_cycle: rate(at.aesenc),
        aesenc_latency: latency(at.aesenc),
        aesdec_per_cycle: rate(at.aesdec),
        aesdec_latency: latency(at.aesdec),
        clmul_per_cycle: rate(at.clmul),
        clmul_latency: latency(at.clmul),
    }
}

/// The version of all code that is measured: ours, and each peer's, with which its name ends.
fn versions(all: &[Implementation]) -> BTreeMap<String, String> {
    let peers = all.iter().filter(|one| one.tier.is_none());
    let mut versions: BTreeMap<String, String> = peers
        .filter_map(|one| one.name.rsplit_once(' '))
        .map(|(name, version)| (name.into(), version.into()))
        .collect();
    versions.insert("combseal".into(), env!("CARGO_PKG_VERSION").into());
    versions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_says_what_it_must() {
        let mut clock = Clock::new();
        let limits = Limits::measure(&mut clock);
        let mut all = crate::subjects::ours::implementations(&[]);
        all.extend(crate::subjects::peers::implementations());
        let wanted = Options { seed: 7, schemes: vec!["ocb3".into()], ..Options::default() };
        let record = machine(&clock, &limits, &wanted, &all);
        assert_eq!(options(&record).unwrap(), wanted);
        assert!(record.tiers.contains(&"soft".to_string()), "{:?}", record.tiers);
        assert_eq!(record.tiers.iter().collect::<std::collections::BTreeSet<_>>().len(), record.tiers.len());
        assert!(record.compiler.starts_with("rustc 1."), "{}", record.compiler);
        assert_eq!(record.versions["combseal"], env!("CARGO_PKG_VERSION"));
        assert!(record.memcpy.unwrap() > 0.5);
        assert!(humantime::parse_rfc3339(&now()).is_ok());
    }
}
