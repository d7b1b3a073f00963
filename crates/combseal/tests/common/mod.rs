//! What the integration tests share: bytes that look random and repeat from
//! run to run.
#![allow(dead_code)]

use combseal::{Algorithm, Cpu, Key};

/// xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| (self.next() >> 56) as u8).collect()
    }
}

/// Bytes that differ from place to place, and for each `seed`.
pub fn noise(seed: usize, n: usize) -> Vec<u8> {
    Random::new(seed as u64 + 1).bytes(n)
}

/// A key of `algorithm` for `cpu` with the usual tag.
pub fn key(cpu: Cpu, algorithm: Algorithm, bytes: &[u8]) -> Key {
    Key::build(cpu, algorithm, &bytes[..algorithm.key_len()], algorithm.tag_lens()[0]).unwrap()
}

/// Whether a tier is a slow model.
pub fn is_model(cpu: Cpu) -> bool {
    cpu.name().starts_with("model")
}

/// This program, to be started once more: by what `COMBSEAL_RUNNER` says, if it is set, since a kernel may
/// not know how to start a program that an emulator runs.
pub fn this_program() -> std::process::Command {
    let runner = std::env::var("COMBSEAL_RUNNER").unwrap_or_default();
    let this = std::env::current_exe().unwrap().into_os_string();
    let mut words = runner.split_whitespace().map(Into::into).chain([this]);
    let mut command = std::process::Command::new(words.next().unwrap());
    command.args(words);
    command
}
