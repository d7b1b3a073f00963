//! The library's models: slow or pretended hardware, for tests and for checking known answers.

use combseal::Cpu;

/// Whether kernels are made for them: with the feature `models`. Each kernel has this for its
/// own `ON_MODELS`.
pub const ON_MODELS: bool = cfg!(feature = "models");

/// Whether keys can be built for the tier `cpu`: for a real one, and with the feature `models`
/// for the library's models.
pub fn runs_on(cpu: Cpu) -> bool {
    ON_MODELS || !cpu.is_pretended()
}
