//! The machine in words, to stand at the head of every result: a figure without its machine is
//! worth nothing to others.

use super::clock::{Clock, Unit};
use super::limits::{Limits, Speed, Width};
use std::fmt::Write;

/// The processor's name, as the operating system tells it.
pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let arch = std::env::consts::ARCH;
    let Some(model) = field("model name") else {
        return arch.into();
    };
    match (field("cpu family"), field("model\t")) {
        (Some(family), Some(number)) => format!("{model} ({arch}, family {family} model {number})"),
        _ => format!("{model} ({arch})"),
    }
}

/// Processor, clock, canary and limits, a line each.
pub fn describe(clock: &Clock, limits: &Limits) -> String {
    let mut text = format!("machine   {}\n", processor());
    if clock.unit() == Unit::Nanoseconds {
        text += "clock     no cycle counter here: all figures are NANOSECONDS of the system clock\n";
        return text;
    }
    if let (Some(ratio), Some(tsc)) = (clock.ratio(), clock.ticks_per_second()) {
        let _ = writeln!(
            text,
            "clock     counter {:.3} GHz in steps of {}; core {:.2} GHz, {:.4} cycles a tick ({:.4} to {:.4})",
            tsc / 1e9,
            clock.granularity().unwrap_or(1),
            clock.cycles_per_second().unwrap_or(0.0) / 1e9,
            ratio.median,
            ratio.lowest,
            ratio.highest,
        );
    }
    if let Some(canary) = clock.canary() {
        let _ = writeln!(text, "canary    {canary:.2} nops a cycle at best");
    }
    for width in Width::ALL {
        let at = limits.at(width);
        let one = |name: &str, speed: Option<Speed>| {
            speed.map_or(String::new(), |s| format!("  {name} {:.3}/cycle, latency {:.2}", s.per_cycle, s.latency))
        };
        let _ = match at.aesenc {
            None => writeln!(text, "{:3} bits  no AES instructions", width.bits()),
            Some(_) => writeln!(
                text,
                "{:3} bits{}{}{}",
                width.bits(),
                one("AESENC", at.aesenc),
                one("AESDEC", at.aesdec),
                one("PCLMUL", at.clmul),
            ),
        };
    }
    text
}
