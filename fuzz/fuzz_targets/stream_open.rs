//! A sealed stream, changed: `combseal_cli::fuzz::streams::open`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::streams::open(data));
