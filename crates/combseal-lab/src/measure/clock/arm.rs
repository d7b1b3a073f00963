//! The same functions as in `x86.rs`, for ARMv8: its virtual counter (CNTVCT_EL0) and the same stretches. A kernel
//! may keep programs from reading it (CNTKCTL_EL1.EL0VCTEN); Linux lets them, since its own `clock_gettime` is
//! that register, read in the program. The counter's ticks are far longer than a cycle (25 MHz to 1 GHz), so that the
//! calibrations take more of them. Assembly for the reasons given there, and `unsafe` with it.
#![allow(unsafe_code)]

use core::arch::asm;
use std::arch::is_aarch64_feature_detected as has;

/// Dependent adds in one turn of [`chain`].
pub(crate) const CHAIN: u64 = 3000;
/// `nop`s in one turn of [`nops`].
pub(crate) const NOPS: u64 = 250;
/// Instructions in one turn of a [`Stream`]; AESE with its AESMC counts as one.
pub(crate) const STREAM: u64 = 1200;

/// What a round of the AES and a product are called here.
pub(crate) const NAMES: [&str; 3] = ["AESE+AESMC", "AESD+AESIMC", "PMULL"];

/// Ticks a second, as the firmware says.
fn frequency() -> u64 {
    let ticks: u64;
    // SAFETY: reads a register that user programs may read, and changes nothing.
    unsafe { asm!("mrs {t}, cntfrq_el0", t = out(reg) ticks, options(nomem, nostack, preserves_flags)) };
    ticks
}

/// Is there a counter? Everywhere, if the firmware has set it up.
pub(crate) fn available() -> bool {
    frequency() != 0
}

/// How long a sample should last, in ticks: 16 microseconds, and so many steps of the counter that one
/// of them is a quarter of a percent.
pub(crate) fn sample(step: u64) -> u64 {
    (frequency() / 62_500).max(400 * step)
}

/// The counter, read after everything before it has finished and before anything after it starts.
#[inline(always)]
pub(crate) fn start() -> u64 {
    let ticks: u64;
    // SAFETY: waits, and reads a register that user programs may read. It is not said to leave memory
    // alone, so that the compiler moves no access past it.
    unsafe {
        asm!("isb", "mrs {t}, cntvct_el0", "isb", t = out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// The same.
#[inline(always)]
pub(crate) fn stop() -> u64 {
    start()
}

/// `turns` times [`CHAIN`] adds, each waiting for the one before: one cycle each.
#[inline(never)]
pub(crate) fn chain(turns: u64) {
    // SAFETY: changes two registers, both declared, and the flags.
    unsafe {
        asm!(
            "2:",
            ".rept 3000", "add {x}, {x}, {x}", ".endr",
            "subs {n}, {n}, #1", "b.ne 2b",
            x = inout(reg) 1u64 => _,
            n = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
}

/// `turns` times [`NOPS`] `nop`s: as fast as the core can retire anything at all.
#[inline(never)]
pub(crate) fn nops(turns: u64) {
    // SAFETY: changes one register, declared, and the flags.
    unsafe {
        asm!(
            "2:",
            ".rept 250", "nop", ".endr",
            "subs {n}, {n}, #1", "b.ne 2b",
            n = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
}

/// Nothing: there are no upper halves that cost anything.
#[inline(always)]
pub(crate) fn clear_upper() {}

/// A stretch of one instruction, [`STREAM`] of them a turn.
///
/// Exists only where the CPU has the instruction: see [`streams`].
#[derive(Clone, Copy)]
pub(crate) struct Stream(unsafe fn(u64));

impl Stream {
    /// Runs `turns` turns.
    #[inline(never)]
    pub(crate) fn run(self, turns: u64) {
        // SAFETY: `streams` made this value after detecting the instruction.
        unsafe { (self.0)(turns.max(1)) }
    }
}

/// One instruction: twelve chains side by side, and one chain alone.
pub(crate) struct Streams {
    /// Twelve independent chains: as many at once as the units take.
    pub independent: Stream,
    /// One chain: each waits for the one before.
    pub dependent: Stream,
}

/// Twelve independent chains and one alone, of the instructions given: each in pieces, between
/// which stands the chain's register.
macro_rules! streams {
    ($($pieces:tt),+) => {{
        #[target_feature(enable = "aes")]
        unsafe fn independent(turns: u64) {
            stretch!(turns, ".rept 100", [$($pieces),+], "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11");
        }
        #[target_feature(enable = "aes")]
        unsafe fn dependent(turns: u64) {
            stretch!(turns, ".rept 1200", [$($pieces),+], "0");
        }
        Some(Streams { independent: Stream(independent), dependent: Stream(dependent) })
    }};
}

/// The loop around a stretch: `$rept` repetitions of a step of each chain `$n`, `turns` times.
macro_rules! stretch {
    ($turns:ident, $rept:literal, $step:tt, $($n:literal)+) => {
        // SAFETY: the caller has the instructions; every register touched is declared.
        unsafe {
            asm!(
                "movi v12.16b, #0",
                "2:",
                $rept,
                $(step!($step, $n),)+
                ".endr",
                "subs {n}, {n}, #1", "b.ne 2b",
                n = inout(reg) $turns => _,
                out("v0") _, out("v1") _, out("v2") _, out("v3") _,
                out("v4") _, out("v5") _, out("v6") _, out("v7") _,
                out("v8") _, out("v9") _, out("v10") _, out("v11") _,
                out("v12") _,
                options(nomem, nostack),
            )
        }
    };
}

/// One step of chain `$n`: its instructions, a line each.
macro_rules! step {
    ([$([$first:literal $(, $rest:literal)+]),+], $n:literal) => {
        concat!($($first, $($n, $rest,)+ "\n"),+)
    };
}

/// The instructions whose speed bounds an AES mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// One round of encryption.
    AesEnc,
    /// One round of decryption.
    AesDec,
    /// One carry-less product.
    Clmul,
}

/// `instruction` on registers of `bits` bits, where this CPU has it.
pub(crate) fn streams(instruction: Instruction, bits: usize) -> Option<Streams> {
    // The standard library's "aes" is both; asked for by both names, so that this does not hang on it.
    if bits != 128 || !has!("aes") || !has!("pmull") {
        return None;
    }
    match instruction {
        Instruction::AesEnc => streams!(["aese v", ".16b, v12.16b"], ["aesmc v", ".16b, v", ".16b"]),
        Instruction::AesDec => streams!(["aesd v", ".16b, v12.16b"], ["aesimc v", ".16b, v", ".16b"]),
        Instruction::Clmul => streams!(["pmull v", ".1q, v", ".1d, v12.1d"]),
    }
}
