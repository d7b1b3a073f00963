//! The library's models: slow or pretended hardware, for tests and for checking known answers.

use combseal::Cpu;
pub use combseal::cpu::Models;

/// For which of them kernels are made: with the feature `models`, one for each number of blocks that a register
/// may have. (What is theirs alone, the library's tests of its backends look at.) Each kernel has this for its own `MODELS`.
pub const MODELS: Models = if cfg!(feature = "models") { Models::Few } else { Models::None };

/// Whether keys can be built for the tier `cpu`: for a real one, and for those models.
pub fn runs_on(cpu: Cpu) -> bool {
    cpu.is_among(MODELS)
}
