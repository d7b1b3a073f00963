//! Any bytes as a capture or a list of lengths: `cargo +nightly fuzz run traffic ../vectors/traffic`
//! starts from a real one.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::traffic(data));
