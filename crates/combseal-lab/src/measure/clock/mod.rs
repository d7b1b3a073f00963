//! A clock that counts core cycles, and that says of each reading whether it can be believed.
//!
//! Ticks of the counter (x86's time-stamp counter, ARM's virtual counter) are not cycles: the core runs faster or slower than the counter,
//! and its frequency changes during a measurement. Therefore each sample stands between two
//! calibrations, stretches of dependent adds that take one cycle each. They give the number of
//! cycles in a tick, and both must agree.
//!
//! Another process on the same core's second hardware thread halves the throughput without slowing
//! such a chain of adds. Therefore each sample also stands between two stretches of `nop`s, called
//! the canary, which must retire about as fast as they ever did in this process. Without the canary,
//! medians came out wrong by a factor of up to 1.6 on a shared machine.
//!
//! Both stand before and after a sample. Whether another process had the core in between is asked of the
//! operating system, where that can tell.
//!
//! Under an emulator there are no cycles: what it makes of a chain or of `nop`s is its own affair. There,
//! and where there is no counter, the operating system's clock is all there is.

#[cfg(target_arch = "aarch64")]
#[path = "arm.rs"]
pub(crate) mod asm;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "other.rs"]
pub(crate) mod asm;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
pub(crate) mod asm;

mod best;
mod ratio;
mod switches;

pub use ratio::Ratio;

use super::emulator::emulator;
use super::stats;
use best::Best;
use ratio::Ratios;
use std::time::{Duration, Instant};

/// The two calibrations around a sample may differ by this much.
const STEADY: f64 = 0.01;
/// A sample lasts about so many nanoseconds, where there is no counter.
const NANOSECONDS: u64 = 16_000;
/// The canary must reach this part of the best rate known.
const UNDISTURBED: f64 = 0.9;

/// What a clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cycles of the core, whatever its frequency at that moment.
    Cycles,
    /// Nanoseconds of the operating system's monotonic clock, where nothing better is to be had.
    Nanoseconds,
}

impl Unit {
    /// The unit in words.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Cycles => "core cycles",
            Unit::Nanoseconds => "nanoseconds",
        }
    }
}

/// One timing: how much, and the two signs that tell whether it was disturbed.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// What the stopwatch measured, in the clock's unit.
    pub amount: f64,
    /// Did the calibrations before and after agree, and did no other process have the core in between?
    pub steady: bool,
    /// The slower of the two canaries, in `nop`s a cycle; infinite for a clock without one.
    pub canary: f64,
}

/// A clock that measures in core cycles where it can.
pub struct Clock {
    counter: Option<Counter>,
}

/// Everything known about the counter.
struct Counter {
    /// Ticks that an empty stretch reads, on average.
    overhead: f64,
    /// The step in which the counter moves: 1 or 2 on Intel, 26 and more on some AMD, 1 on most ARM.
    granularity: u64,
    /// Ticks that a sample should last.
    sample: u64,
    /// Turns of the chain and of the canary that make the granularity small beside them.
    chain_turns: u64,
    nop_turns: u64,
    canary: Best,
    ratios: Ratios,
    /// When the clock was made: the counter's speed is measured since then.
    since: (u64, Instant),
}

impl Clock {
    /// The best clock this machine has. Takes about 50 milliseconds to learn how fast the
    /// machine is when nobody disturbs it.
    pub fn new() -> Self {
        if emulator().is_some() { Clock::wall() } else { Clock::counting() }
    }

    /// The same, without a look for an emulator.
    fn counting() -> Self {
        if !asm::available() {
            return Clock::wall();
        }
        let mut clock = Clock { counter: Some(Counter::learn()) };
        for _ in 0..20 {
            for _ in 0..20 {
                clock.measure(&mut |_| {});
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        clock
    }

    /// The operating system's clock, in nanoseconds, without calibration or canary.
    pub fn wall() -> Self {
        Clock { counter: None }
    }

    /// What this clock counts.
    pub fn unit(&self) -> Unit {
        if self.counter.is_some() { Unit::Cycles } else { Unit::Nanoseconds }
    }

    /// How long a sample should last, in what a [`stopwatch`](Self::stopwatch) counts.
    pub fn sample(&self) -> u64 {
        self.counter.as_ref().map_or(NANOSECONDS, |counter| counter.sample)
    }

    /// Measures what `work` times with the stopwatch, between two calibrations and two canaries.
    pub fn measure(&mut self, work: &mut dyn FnMut(&mut Stopwatch)) -> Reading {
        let Some(counter) = &mut self.counter else {
            let mut watch = Stopwatch::new(false);
            let switches = switches::now();
            work(&mut watch);
            let steady = switches::now() == switches;
            return Reading { amount: watch.ticks as f64, steady, canary: f64::INFINITY };
        };
        let switches = switches::now();
        let chain_before = counter.chain();
        let nops_before = counter.nops();
        let mut watch = Stopwatch::new(true);
        work(&mut watch);
        let nops_after = counter.nops();
        let chain_after = counter.chain();

        let ratio = (chain_before + chain_after) / 2.0;
        let kept = switches::now() == switches;
        let steady = kept && (chain_before - chain_after).abs() <= STEADY * ratio;
        let canary = nops_before.min(nops_after) / ratio;
        if steady {
            counter.canary.see(canary);
            counter.ratios.see(ratio);
        }
        let ticks = watch.ticks as f64 - counter.overhead * watch.stretches as f64;
        Reading { amount: (ticks * ratio).max(0.0), steady, canary }
    }

    /// Was nothing disturbing this reading, as far as is known by now? Ask again at the end:
    /// the best rate known may have risen since.
    pub fn trusts(&self, steady: bool, canary: f64) -> bool {
        steady && canary >= UNDISTURBED * self.canary().unwrap_or(0.0)
    }

    /// The best rate of the canary, in `nop`s a cycle.
    pub fn canary(&self) -> Option<f64> {
        Some(self.counter.as_ref()?.canary.best)
    }

    /// How many core cycles went by in a tick of the counter, by all calibrations so far.
    pub fn ratio(&self) -> Option<Ratio> {
        self.counter.as_ref()?.ratios.now()
    }

    /// The step in which the counter moves, in ticks.
    pub fn granularity(&self) -> Option<u64> {
        Some(self.counter.as_ref()?.granularity)
    }

    /// Ticks of the counter a second, against the operating system's clock since this one was made.
    pub fn ticks_per_second(&self) -> Option<f64> {
        let (ticks, time) = self.counter.as_ref()?.since;
        // Two looks at the system's clock, each some tens of nanoseconds late, are nothing beside this.
        std::thread::sleep(Duration::from_millis(50).saturating_sub(time.elapsed()));
        Some(asm::stop().saturating_sub(ticks) as f64 / time.elapsed().as_secs_f64())
    }

    /// Cycles of the core a second: the median of all calibrations. This is the only estimate that
    /// there is; whoever turns cycles into time or Gbit/s takes it.
    pub fn cycles_per_second(&self) -> Option<f64> {
        Some(self.ticks_per_second()? * self.ratio()?.median)
    }

    /// How long what this clock counts takes, in nanoseconds: a cycle, or 1.
    pub fn nanoseconds_a_unit(&mut self) -> f64 {
        self.measure(&mut |_| {});
        self.cycles_per_second().map_or(1.0, |cycles| 1e9 / cycles)
    }

    /// A stopwatch alone, for finding out roughly how long something takes, in ticks.
    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch::new(self.counter.is_some())
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Counter {
    fn learn() -> Self {
        let mut empty = Vec::new();
        let mut gaps = 0;
        let mut last = asm::start();
        for turn in 0..1000 {
            let start = asm::start();
            let stop = asm::stop();
            empty.push(stop.saturating_sub(start) as f64);
            gaps = gcd(gaps, stop.saturating_sub(last));
            last = stop;
            // Stretches of all lengths, so that a step common to all gaps is the counter's own.
            std::hint::black_box((0..turn % 61).fold(turn, |a, b| a ^ std::hint::black_box(b)));
        }
        // The counter may be scaled by a hypervisor, so that its steps share no divisor.
        let spread = stats::quantile(&empty, 0.9) - stats::quantile(&empty, 0.1);
        let granularity = gaps.max(spread as u64).clamp(1, 200);
        let mut counter = Counter {
            overhead: stats::calm_mean(&empty),
            granularity,
            sample: asm::sample(granularity),
            chain_turns: 1,
            nop_turns: 1,
            canary: Best::new(),
            ratios: Ratios::default(),
            since: (asm::start(), Instant::now()),
        };
        // 200 steps, so that two chains agree within 1 % when the clock is steady; 60 steps
        // for the canary, which must agree within 10 %.
        let step = granularity as f64;
        let chain = stats::median(&repeat(50, || counter.ticks(|| asm::chain(1)))).max(1.0);
        counter.chain_turns = (200.0 * step / chain).ceil().clamp(1.0, 16.0) as u64;
        // Many at a time, since one turn is less than a tick of a slow counter.
        const TURNS: u64 = 64;
        let nops = stats::median(&repeat(50, || counter.ticks(|| asm::nops(TURNS)))) / TURNS as f64;
        counter.nop_turns = (60.0 * step / nops).ceil().clamp(8.0, 400.0) as u64;
        counter
    }

    /// The ticks of a stretch, without those of reading the counter.
    #[inline(always)]
    fn ticks(&self, stretch: impl FnOnce()) -> f64 {
        let start = asm::start();
        stretch();
        (asm::stop().saturating_sub(start) as f64 - self.overhead).max(1.0)
    }

    /// Cycles a tick, now. A turn goes before it untimed, here and for the canary: what ran
    /// before may have evicted their code, and cold code is slow.
    fn chain(&self) -> f64 {
        asm::chain(1);
        (self.chain_turns * asm::CHAIN) as f64 / self.ticks(|| asm::chain(self.chain_turns))
    }

    /// `nop`s a tick, now.
    fn nops(&self) -> f64 {
        asm::nops(8);
        (self.nop_turns * asm::NOPS) as f64 / self.ticks(|| asm::nops(self.nop_turns))
    }
}

/// Adds up the ticks of one or several stretches.
pub struct Stopwatch {
    counter: bool,
    ticks: u64,
    stretches: u64,
}

impl Stopwatch {
    fn new(counter: bool) -> Self {
        Stopwatch { counter, ticks: 0, stretches: 0 }
    }

    /// Times `stretch`, with the upper halves of the vector registers clear at its start, and
    /// adds it to what was timed before.
    #[inline(always)]
    pub fn time(&mut self, stretch: impl FnOnce()) {
        asm::clear_upper();
        self.ticks += if self.counter {
            let start = asm::start();
            stretch();
            asm::stop().saturating_sub(start)
        } else {
            let start = Instant::now();
            stretch();
            start.elapsed().as_nanos() as u64
        };
        self.stretches += 1;
    }

    /// Ticks so far, those of reading the counter included; nanoseconds for the wall clock.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }
}

fn repeat(times: usize, mut measure: impl FnMut() -> f64) -> Vec<f64> {
    (0..times).map(|_| measure()).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greatest_common_step() {
        assert_eq!(gcd(0, 52), 52);
        assert_eq!(gcd(52, 78), 26);
    }

    /// Chains of other lengths than the calibration's must come out at their own number of cycles: that of ten
    /// turns, and twice as many for twenty. If what reading the counter costs were left in, or the calibration
    /// counted other adds than there are, these would differ.
    #[test]
    fn a_chain_takes_a_cycle_an_add() {
        // Under an emulator too, where an add takes what it takes, but each as long as another.
        let mut clock = Clock::counting();
        if clock.unit() != Unit::Cycles {
            return;
        }
        for turns in [10, 20] {
            let all: Vec<f64> = (0..200)
                .map(|_| clock.measure(&mut |w| w.time(|| asm::chain(turns))))
                .filter(|r| r.steady)
                .map(|r| r.amount)
                .collect();
            let cycles = stats::median(&all) / (turns * asm::CHAIN) as f64;
            assert!((cycles - 1.0).abs() < 0.02, "{cycles} cycles an add, {turns} turns");
        }
        if emulator().is_some() {
            return;
        }
        // Something that the calibration does not know: a sum and a product, each waiting for the last, are four
        // cycles on the cores of today, five on some, more in a debug build. A calibration that counted half as
        // many adds as there are would make two of them.
        let products = 20_000u32;
        let mut x = std::hint::black_box(1u64);
        let all: Vec<f64> = (0..50)
            .map(|_| clock.measure(&mut |w| w.time(|| (0..products).for_each(|_| x = (x | 1).wrapping_mul(x)))))
            .filter(|r| r.steady)
            .map(|r| r.amount)
            .collect();
        std::hint::black_box(x);
        let cycles = stats::median(&all) / f64::from(products);
        assert!((3.0..100.0).contains(&cycles), "{cycles} cycles a product");
    }

    /// Samples last some microseconds of the operating system's clock, as `asm::sample` has it from what the
    /// firmware says of the counter, and the counter's step is little beside them.
    #[test]
    fn samples_are_many_steps() {
        let clock = Clock::counting();
        if let (Some(step), Some(speed)) = (clock.granularity(), clock.ticks_per_second()) {
            let sample = clock.sample() as f64;
            assert!((2e-6..2e-4).contains(&(sample / speed)), "{sample} ticks, {speed} a second");
            assert!(sample >= 100.0 * step as f64, "{sample} ticks in steps of {step}");
        }
        assert_eq!(Clock::wall().sample(), NANOSECONDS);
    }

    #[test]
    fn the_wall_clock_moves() {
        let reading = Clock::wall().measure(&mut |w| w.time(|| std::thread::sleep(Duration::from_millis(2))));
        assert!(reading.amount > 1e6);
    }
}
