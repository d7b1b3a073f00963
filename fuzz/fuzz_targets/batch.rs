//! Any jobs together, some of them forged: `combseal_cli::fuzz::batch`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::batch(data));
