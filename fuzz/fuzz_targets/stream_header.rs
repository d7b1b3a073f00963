//! Any bytes as the header of a sealed stream: `combseal_cli::fuzz::streams::header`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::streams::header(data));
