//! What this machine's AES and carry-less multiplication units can do. They are measured in the same
//! run as everything else, since a number of cycles says little except as a multiple of these.

use super::clock::asm::{self, Instruction};
use super::clock::{Clock, Unit};
use super::stats;
use std::hint::black_box;

/// The width of the vector registers that an implementation hands to the AES unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One block: AES-NI, and whatever is compared with it.
    W128,
    /// Two blocks: VAES on ymm registers.
    W256,
    /// Four blocks: VAES on zmm registers.
    W512,
}

impl Width {
    /// All widths, narrow to wide.
    pub const ALL: [Width; 3] = [Width::W128, Width::W256, Width::W512];

    /// Bits in a register.
    pub fn bits(self) -> usize {
        128 << self as usize
    }

    /// Blocks in a register.
    pub fn blocks(self) -> usize {
        1 << self as usize
    }
}

/// One instruction at one width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Instructions a cycle, when none waits for another.
    pub per_cycle: f64,
    /// Cycles from one to the next that needs its result.
    pub latency: f64,
}

/// The instructions at one width, where the machine has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtWidth {
    /// AESENC, or VAESENC.
    pub aesenc: Option<Speed>,
    /// AESDEC, or VAESDEC.
    pub aesdec: Option<Speed>,
    /// PCLMULQDQ, or VPCLMULQDQ.
    pub clmul: Option<Speed>,
}

/// What an AES unit does, in block rounds: a register of four blocks counts four times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AesUnit {
    /// Encryption rounds a cycle, many blocks side by side.
    pub enc: f64,
    /// Decryption rounds a cycle.
    pub dec: f64,
    /// Cycles from one encryption round to the next of the same block.
    pub latency: f64,
}

/// The limits of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    widths: [AtWidth; 3],
    /// The fastest copy within the L1 cache, in bytes a cycle (a nanosecond, without a counter).
    pub memcpy: Option<f64>,
}

impl Limits {
    /// Measures them: some milliseconds. All unknown where there is no cycle counter or no AES.
    pub fn measure(clock: &mut Clock) -> Self {
        let mut limits = Limits { memcpy: Some(memcpy(clock)), ..Limits::default() };
        if clock.unit() != Unit::Cycles {
            return limits;
        }
        for width in Width::ALL {
            let at = &mut limits.widths[width as usize];
            at.aesenc = speed(clock, Instruction::AesEnc, width);
            at.aesdec = speed(clock, Instruction::AesDec, width);
            at.clmul = speed(clock, Instruction::Clmul, width);
        }
        limits
    }

    /// The instructions at one width.
    pub fn at(&self, width: Width) -> AtWidth {
        self.widths[width as usize]
    }

    /// The AES unit as an implementation can use it that has registers of `width` or narrower:
    /// the most block rounds a cycle at any of these widths.
    pub fn aes(&self, width: Width) -> Option<AesUnit> {
        let usable = || Width::ALL.into_iter().filter(|w| *w <= width);
        let most = |pick: fn(&AtWidth) -> Option<Speed>| {
            usable().filter_map(|w| Some(pick(&self.at(w))?.per_cycle * w.blocks() as f64)).max_by(f64::total_cmp)
        };
        let latency = usable().filter_map(|w| Some(self.at(w).aesenc?.latency));
        Some(AesUnit {
            enc: most(|at| at.aesenc)?,
            dec: most(|at| at.aesdec)?,
            latency: latency.min_by(f64::total_cmp)?,
        })
    }
}

/// The clean median of a few dozen stretches, each after a short one untimed.
fn stretches(clock: &mut Clock, mut stretch: impl FnMut(u64), turns: u64) -> f64 {
    let mut readings = Vec::new();
    let mut clean = 0;
    while clean < 31 && readings.len() < 600 {
        let reading = clock.measure(&mut |watch| {
            stretch(1);
            watch.time(|| stretch(turns));
        });
        clean += usize::from(clock.trusts(reading.steady, reading.canary));
        readings.push(reading);
    }
    let mut trusted: Vec<f64> =
        readings.iter().filter(|r| clock.trusts(r.steady, r.canary)).map(|r| r.amount).collect();
    if trusted.is_empty() {
        trusted = readings.iter().map(|r| r.amount).collect();
    }
    stats::median(&trusted) / turns as f64
}

/// Bytes a cycle (or a nanosecond) of the C library's or compiler's copy, 8 KiB to 8 KiB: both
/// fit into any L1 cache.
fn memcpy(clock: &mut Clock) -> f64 {
    const BYTES: usize = 8192;
    let (from, mut to) = (vec![1u8; BYTES], vec![0u8; BYTES]);
    let copy = |turns| {
        for _ in 0..turns {
            black_box(&mut to[..]).copy_from_slice(black_box(&from[..]));
        }
    };
    BYTES as f64 / stretches(clock, copy, 50).max(f64::MIN_POSITIVE)
}

/// One instruction at one width.
fn speed(clock: &mut Clock, instruction: Instruction, width: Width) -> Option<Speed> {
    let streams = asm::streams(instruction, width.bits())?;
    let mut cycles =
        |stream: asm::Stream, turns: u64| stretches(clock, |turns| stream.run(turns), turns) / asm::STREAM as f64;
    Some(Speed { per_cycle: 1.0 / cycles(streams.independent, 30), latency: cycles(streams.dependent, 8) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_registers_do_not_have_to_be_the_fastest() {
        let speed = |per_cycle| Some(Speed { per_cycle, latency: 4.0 });
        let mut limits = Limits::default();
        assert_eq!(limits.aes(Width::W512), None);
        for (width, rate) in [(Width::W128, 2.0), (Width::W256, 2.0), (Width::W512, 0.8)] {
            limits.widths[width as usize] = AtWidth { aesenc: speed(rate), aesdec: speed(rate), clmul: None };
        }
        let enc = |width| limits.aes(width).unwrap().enc;
        assert_eq!((enc(Width::W128), enc(Width::W256), enc(Width::W512)), (2.0, 4.0, 4.0));
    }

    #[test]
    fn this_machine_is_plausible() {
        let mut clock = Clock::new();
        let limits = Limits::measure(&mut clock);
        if let Some(aes) = limits.aes(Width::W512) {
            assert!((0.4..16.0).contains(&aes.enc) && (2.0..12.0).contains(&aes.latency), "{aes:?}");
        }
    }
}
