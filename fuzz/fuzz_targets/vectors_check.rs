//! Any bytes as a vector file. `cargo +nightly fuzz run vectors_check ../vectors` starts from ours.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::vectors_check(data));
