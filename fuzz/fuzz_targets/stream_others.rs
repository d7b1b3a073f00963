//! Any bytes as streams and keysets of others: `combseal_cli::fuzz::streams::others`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::streams::others(data));
