//! The same functions as in `x86.rs` and `arm.rs`, for processors on which there is no cycle counter to be read.
//! They say so, the clock then uses the operating system's, and the limits stay unknown.

pub(crate) const CHAIN: u64 = 3000;
pub(crate) const NOPS: u64 = 250;
pub(crate) const STREAM: u64 = 1200;

pub(crate) const NAMES: [&str; 3] = ["AES", "inverse AES", "product"];

pub(crate) fn available() -> bool {
    false
}

pub(crate) fn sample(_step: u64) -> u64 {
    0
}

pub(crate) fn start() -> u64 {
    0
}

pub(crate) fn stop() -> u64 {
    0
}

pub(crate) fn chain(_turns: u64) {}

pub(crate) fn nops(_turns: u64) {}

pub(crate) fn clear_upper() {}

#[derive(Clone, Copy)]
pub(crate) struct Stream;

impl Stream {
    pub(crate) fn run(self, _turns: u64) {}
}

pub(crate) struct Streams {
    pub independent: Stream,
    pub dependent: Stream,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    AesEnc,
    AesDec,
    Clmul,
}

pub(crate) fn streams(_instruction: Instruction, _bits: usize) -> Option<Streams> {
    None
}
