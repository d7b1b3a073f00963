//! Reading the time-stamp counter, and stretches of instructions whose cost the processor fixes:
//! dependent adds, `nop`s, AES rounds and carry-less products. They are written in assembly, because
//! a compiler would fold, reorder or vectorise them; this is why `unsafe` is allowed here.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::{__cpuid, __rdtscp, _mm_lfence, _rdtsc};

/// Dependent adds in one turn of [`chain`].
pub(crate) const CHAIN: u64 = 3000;
/// `nop`s in one turn of [`nops`].
pub(crate) const NOPS: u64 = 250;
/// Instructions in one turn of a [`Stream`].
pub(crate) const STREAM: u64 = 1200;

/// What a round of the AES, its inverse and a product are called here.
pub(crate) const NAMES: [&str; 3] = ["AESENC", "AESDEC", "PCLMUL"];

/// Is there a cycle counter that this module can read? (`rdtscp`, in every x86-64 CPU since 2008.)
pub(crate) fn available() -> bool {
    __cpuid(0x8000_0000).eax >= 0x8000_0001 && __cpuid(0x8000_0001).edx & 1 << 27 != 0
}

/// How long a sample should last, in ticks, whatever the counter's step.
pub(crate) fn sample(_step: u64) -> u64 {
    40_000
}

/// The counter, read after everything before it has finished and before anything after it starts.
#[inline(always)]
pub(crate) fn start() -> u64 {
    // SAFETY: every x86-64 CPU has SSE2's `lfence` and the time-stamp counter.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// The counter, read once everything before it has finished.
#[inline(always)]
pub(crate) fn stop() -> u64 {
    let mut core = 0;
    // SAFETY: the clock asks `available` for `rdtscp` first; `lfence` is SSE2.
    unsafe {
        let ticks = __rdtscp(&mut core);
        _mm_lfence();
        ticks
    }
}

/// `turns` times [`CHAIN`] adds, each waiting for the one before: one cycle each.
///
/// A register added to itself, because newer cores compute `add r, constant` while renaming.
#[inline(never)]
pub(crate) fn chain(turns: u64) {
    // SAFETY: changes two registers, both declared, and the flags.
    unsafe {
        asm!(
            "2:",
            ".rept 3000", "add {x}, {x}", ".endr",
            "dec {n}", "jnz 2b",
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
            "dec {n}", "jnz 2b",
            n = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
}

/// Clears the upper halves of the vector registers: left dirty, they cost code in the old
/// SSE encoding up to a factor of two on some cores.
#[inline(always)]
pub(crate) fn clear_upper() {
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: AVX was detected in the line above; no ABI preserves upper halves.
        unsafe {
            asm!(
                "vzeroupper",
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}

/// A stretch of one instruction, [`STREAM`] of them a turn.
///
/// Exists only where the CPU has the instruction: see [`streams`].
#[derive(Clone, Copy)]
pub(crate) struct Stream(unsafe fn(u64));

impl Stream {
    /// Runs `turns` turns and leaves the upper halves clear.
    #[inline(never)]
    pub(crate) fn run(self, turns: u64) {
        // SAFETY: `streams` made this value after detecting the instruction.
        unsafe { (self.0)(turns.max(1)) }
    }
}

/// One instruction on one register width: twelve chains side by side, and one chain alone.
pub(crate) struct Streams {
    /// Twelve independent chains: as many at once as the units take.
    pub independent: Stream,
    /// One chain: each waits for the one before.
    pub dependent: Stream,
}

/// Twelve independent chains and one alone, of `$op` on registers `$r`, `$end` after the last operand.
macro_rules! streams {
    ($op:literal, $r:literal, $end:literal) => {{
        unsafe fn independent(turns: u64) {
            stretch!(turns, ".rept 100",
                $op, $r, $end, "0"; $op, $r, $end, "1"; $op, $r, $end, "2"; $op, $r, $end, "3";
                $op, $r, $end, "4"; $op, $r, $end, "5"; $op, $r, $end, "6"; $op, $r, $end, "7";
                $op, $r, $end, "8"; $op, $r, $end, "9"; $op, $r, $end, "10"; $op, $r, $end, "11");
        }
        unsafe fn dependent(turns: u64) {
            stretch!(turns, ".rept 1200", $op, $r, $end, "0");
        }
        Some(Streams { independent: Stream(independent), dependent: Stream(dependent) })
    }};
}

/// The loop around a stretch: `$rept` repetitions of the instructions, `turns` times.
macro_rules! stretch {
    ($turns:ident, $rept:literal, $($op:literal, $r:literal, $end:literal, $n:literal);+) => {
        // SAFETY: the caller has the instruction; every register touched is declared, and the
        // upper halves are cleared again.
        unsafe {
            asm!(
                "vpxor xmm12, xmm12, xmm12",
                "2:",
                $rept,
                $(concat!($op, " ", $r, $n, ", ", $r, $n, ", ", $r, "12", $end),)+
                ".endr",
                "dec {n}", "jnz 2b",
                "vzeroupper",
                n = inout(reg) $turns => _,
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack),
            )
        }
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
    use Instruction::{AesDec, AesEnc, Clmul};
    use std::arch::is_x86_feature_detected as has;

    let narrow = has!("avx");
    let wide = has!("avx2");
    let full = has!("avx512f");
    match (instruction, bits) {
        (AesEnc, 128) if has!("aes") && narrow => streams!("vaesenc", "xmm", ""),
        (AesDec, 128) if has!("aes") && narrow => streams!("vaesdec", "xmm", ""),
        (Clmul, 128) if has!("pclmulqdq") && narrow => streams!("vpclmulqdq", "xmm", ", 0"),
        (AesEnc, 256) if has!("vaes") && wide => streams!("vaesenc", "ymm", ""),
        (AesDec, 256) if has!("vaes") && wide => streams!("vaesdec", "ymm", ""),
        (Clmul, 256) if has!("vpclmulqdq") && wide => streams!("vpclmulqdq", "ymm", ", 0"),
        (AesEnc, 512) if has!("vaes") && full => streams!("vaesenc", "zmm", ""),
        (AesDec, 512) if has!("vaes") && full => streams!("vaesdec", "zmm", ""),
        (Clmul, 512) if has!("vpclmulqdq") && full => streams!("vpclmulqdq", "zmm", ", 0"),
        _ => None,
    }
}
