//! Any scheme, tiers, lengths and flipped bit: `combseal_cli::fuzz::seal_open`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::seal_open(data));
